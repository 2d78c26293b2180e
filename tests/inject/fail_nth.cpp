// Preload library that makes one call of a program fail, as the plan states: an allocation, thread start or file call,
// counted from main on. Earlier calls are the loader's and the C++ library's.
// For glibc: its allocation functions have second names, and its stdio and malloc call the preloaded functions.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests/inject/plan.h"

namespace {

inject::Plan* plan = nullptr;
bool counting = false;
__attribute__((tls_model("initial-exec"))) thread_local bool inside =
    false;  // the current calls are this library's own

/// Records the call and its callers as `program+0xoffset name`, without allocating.
void note(const char* call) {
  constexpr int most = 40;
  void* frames[most];
  const int depth = backtrace(frames, most);
  std::size_t at = 0;
  const auto add = [&](int length) { at += static_cast<std::size_t>(length); };
  const auto room = [&] { return sizeof plan->where - at; };
  add(snprintf(plan->where, room(), "%s\n", call));
  for (int n = 2; n < depth && room() > 1000; ++n) {
    Dl_info found{};
    if (dladdr(frames[n], &found) == 0 || found.dli_fname == nullptr) continue;
    const auto offset = static_cast<char*>(frames[n]) - static_cast<char*>(found.dli_fbase) - 1;
    add(snprintf(plan->where + at, room(), "  %.200s+0x%lx %.500s\n", found.dli_fname,
                 static_cast<unsigned long>(offset), found.dli_sname == nullptr ? "" : found.dli_sname));
  }
}

bool fails(inject::Kind kind, const char* call, int error) {
  if (!counting || inside || ++plan->calls[kind] != plan->fails[kind]) return false;
  inside = true;
  plan->failed = true;
  note(call);
  inside = false;
  errno = error;
  return true;
}

template <class Function>
Function* next(const char* name) {
  inside = true;
  auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  inside = false;
  return found;
}

__attribute__((constructor)) void map_plan() {
  const char* path = getenv(inject::plan_variable);
  const int descriptor = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void* const page = ::mmap(nullptr, sizeof(inject::Plan), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (page == MAP_FAILED) return;
  plan = static_cast<inject::Plan*>(page);
  void* frame[1];
  backtrace(frame, 1);  // the first backtrace loads a library
  ::alarm(200);         // ends a program that hangs by a signal
}

using Main = int (*)(int, char**, char**);
Main main_of_program;

int counted_main(int argc, char** argv, char** environment) {
  counting = plan != nullptr;
  return main_of_program(argc, argv, environment);
}

int seen_by_ferror(FILE* stream) {
  stream->_flags |= 0x20;  // _IO_ERR_SEEN
  return EOF;
}

}  // namespace

// Overrides a function of the C library under another symbol name, since libc headers declare these functions in
// varying ways.
#define TAKE_OVER(type, name, parameters)            \
  extern "C" type fail_##name parameters asm(#name); \
  extern "C" type fail_##name parameters
/// Overrides a function that on failure only returns `failure`.
#define FAILS(kind, error, failure, type, name, parameters, arguments)     \
  TAKE_OVER(type, name, parameters) {                                      \
    static const auto real = next<type parameters>(#name);                 \
    return fails(inject::kind, #name, error) ? (failure) : real arguments; \
  }
#define FILE_FAILS(failure, type, name, parameters, arguments) \
  FAILS(file, EIO, failure, type, name, parameters, arguments)
#define INT_FAILS(name, parameters, arguments) FILE_FAILS(-1, int, name, parameters, arguments)
#define SIZE_FAILS(name, parameters, arguments) FILE_FAILS(-1, ssize_t, name, parameters, arguments)

TAKE_OVER(int, __libc_start_main,
          (Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*ld_fini)(), void* stack)) {
  main_of_program = main;
  return next<int(Main, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main")(
      counted_main, argc, argv, init, fini, ld_fini, stack);
}

// Memory. dlsym allocates, so glibc's second names are called here.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}
#define ALLOCATION_FAILS(name, parameters, real) \
  TAKE_OVER(void*, name, parameters) { return fails(inject::memory, #name, ENOMEM) ? nullptr : real; }
ALLOCATION_FAILS(malloc, (size_t size), __libc_malloc(size))
ALLOCATION_FAILS(calloc, (size_t count, size_t size), __libc_calloc(count, size))
ALLOCATION_FAILS(realloc, (void* old, size_t size), __libc_realloc(old, size))
ALLOCATION_FAILS(aligned_alloc, (size_t alignment, size_t size), __libc_memalign(alignment, size))
ALLOCATION_FAILS(memalign, (size_t alignment, size_t size), __libc_memalign(alignment, size))
TAKE_OVER(int, posix_memalign, (void** out, size_t alignment, size_t size)) {
  if (fails(inject::memory, "posix_memalign", ENOMEM)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
FAILS(memory, ENOMEM, MAP_FAILED, void*, mmap,
      (void* at, size_t size, int how, int flags, int descriptor, off_t offset),
      (at, size, how, flags, descriptor, offset))
FAILS(memory, ENOMEM, MAP_FAILED, void*, mmap64,
      (void* at, size_t size, int how, int flags, int descriptor, off_t offset),
      (at, size, how, flags, descriptor, offset))

// Threads.
FAILS(thread, EAGAIN, EAGAIN, int, pthread_create,
      (void* thread, const void* how, void* (*start)(void*), void* argument), (thread, how, start, argument))

// Files: descriptors.
INT_FAILS(open, (const char* path, int flags, mode_t mode), (path, flags, mode))
INT_FAILS(open64, (const char* path, int flags, mode_t mode), (path, flags, mode))
INT_FAILS(openat, (int folder, const char* path, int flags, mode_t mode), (folder, path, flags, mode))
INT_FAILS(openat64, (int folder, const char* path, int flags, mode_t mode), (folder, path, flags, mode))
INT_FAILS(creat, (const char* path, mode_t mode), (path, mode))
INT_FAILS(mkstemp, (char* name), (name))
INT_FAILS(mkstemp64, (char* name), (name))
INT_FAILS(dup, (int descriptor), (descriptor))
INT_FAILS(dup2, (int from, int to), (from, to))
INT_FAILS(fcntl, (int descriptor, int command, void* argument), (descriptor, command, argument))
INT_FAILS(fcntl64, (int descriptor, int command, void* argument), (descriptor, command, argument))
INT_FAILS(flock, (int descriptor, int operation), (descriptor, operation))
INT_FAILS(fsync, (int descriptor), (descriptor))
INT_FAILS(fdatasync, (int descriptor), (descriptor))
INT_FAILS(fchmod, (int descriptor, mode_t mode), (descriptor, mode))
INT_FAILS(fchown, (int descriptor, uid_t user, gid_t group), (descriptor, user, group))
INT_FAILS(ftruncate, (int descriptor, off_t size), (descriptor, size))
INT_FAILS(ftruncate64, (int descriptor, off_t size), (descriptor, size))
INT_FAILS(fstat, (int descriptor, void* status), (descriptor, status))
INT_FAILS(fstat64, (int descriptor, void* status), (descriptor, status))
SIZE_FAILS(read, (int descriptor, void* out, size_t size), (descriptor, out, size))
SIZE_FAILS(pread, (int descriptor, void* out, size_t size, off_t offset), (descriptor, out, size, offset))
SIZE_FAILS(pread64, (int descriptor, void* out, size_t size, off_t offset), (descriptor, out, size, offset))
SIZE_FAILS(write, (int descriptor, const void* bytes, size_t size), (descriptor, bytes, size))
SIZE_FAILS(pwrite, (int descriptor, const void* bytes, size_t size, off_t offset), (descriptor, bytes, size, offset))
SIZE_FAILS(pwrite64, (int descriptor, const void* bytes, size_t size, off_t offset), (descriptor, bytes, size, offset))
SIZE_FAILS(writev, (int descriptor, const void* parts, int count), (descriptor, parts, count))
FILE_FAILS(-1, off_t, lseek, (int descriptor, off_t offset, int whence), (descriptor, offset, whence))
FILE_FAILS(-1, off_t, lseek64, (int descriptor, off_t offset, int whence), (descriptor, offset, whence))
TAKE_OVER(int, close, (int descriptor)) {
  static const auto real = next<int(int)>("close");
  const int result = real(descriptor);  // the descriptor is closed in either case
  return fails(inject::file, "close", EIO) ? -1 : result;
}

// Files: names.
INT_FAILS(stat, (const char* path, void* status), (path, status))
INT_FAILS(stat64, (const char* path, void* status), (path, status))
INT_FAILS(lstat, (const char* path, void* status), (path, status))
INT_FAILS(lstat64, (const char* path, void* status), (path, status))
INT_FAILS(fstatat, (int folder, const char* path, void* status, int flags), (folder, path, status, flags))
INT_FAILS(fstatat64, (int folder, const char* path, void* status, int flags), (folder, path, status, flags))
INT_FAILS(access, (const char* path, int how), (path, how))
INT_FAILS(mkdir, (const char* path, mode_t mode), (path, mode))
INT_FAILS(rmdir, (const char* path), (path))
INT_FAILS(unlink, (const char* path), (path))
INT_FAILS(unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
INT_FAILS(remove, (const char* path), (path))
INT_FAILS(rename, (const char* from, const char* to), (from, to))
INT_FAILS(renameat, (int from_folder, const char* from, int to_folder, const char* to),
          (from_folder, from, to_folder, to))
INT_FAILS(renameat2, (int from_folder, const char* from, int to_folder, const char* to, unsigned flags),
          (from_folder, from, to_folder, to, flags))
INT_FAILS(link, (const char* from, const char* to), (from, to))
INT_FAILS(linkat, (int from_folder, const char* from, int to_folder, const char* to, int flags),
          (from_folder, from, to_folder, to, flags))
INT_FAILS(fchmodat, (int folder, const char* path, mode_t mode, int flags), (folder, path, mode, flags))
SIZE_FAILS(readlink, (const char* path, char* out, size_t size), (path, out, size))
FILE_FAILS(nullptr, char*, realpath, (const char* path, char* out), (path, out))
FILE_FAILS(nullptr, char*, getcwd, (char* out, size_t size), (out, size))
FILE_FAILS(nullptr, void*, opendir, (const char* path), (path))
FILE_FAILS(nullptr, void*, fdopendir, (int descriptor), (descriptor))

// Files: streams.
FILE_FAILS(nullptr, FILE*, fopen, (const char* path, const char* how), (path, how))
FILE_FAILS(nullptr, FILE*, fopen64, (const char* path, const char* how), (path, how))
FILE_FAILS(nullptr, FILE*, fdopen, (int descriptor, const char* how), (descriptor, how))
FILE_FAILS((seen_by_ferror(stream), 0), size_t, fread, (void* out, size_t size, size_t count, FILE* stream),
           (out, size, count, stream))
FILE_FAILS((seen_by_ferror(stream), 0), size_t, fwrite, (const void* bytes, size_t size, size_t count, FILE* stream),
           (bytes, size, count, stream))
FILE_FAILS((seen_by_ferror(stream), nullptr), char*, fgets, (char* out, int size, FILE* stream), (out, size, stream))
FILE_FAILS(seen_by_ferror(stream), int, fputs, (const char* text, FILE* stream), (text, stream))
FILE_FAILS(seen_by_ferror(stream), int, fputc, (int c, FILE* stream), (c, stream))
FILE_FAILS(seen_by_ferror(stream), int, putc, (int c, FILE* stream), (c, stream))
FILE_FAILS(seen_by_ferror(stdout), int, puts, (const char* text), (text))
FILE_FAILS(stream == nullptr ? EOF : seen_by_ferror(stream), int, fflush, (FILE * stream), (stream))
FILE_FAILS(seen_by_ferror(stream), ssize_t, __getdelim, (char** line, size_t* size, int end, FILE* stream),
           (line, size, end, stream))
FILE_FAILS(seen_by_ferror(stream), ssize_t, getdelim, (char** line, size_t* size, int end, FILE* stream),
           (line, size, end, stream))
FILE_FAILS(seen_by_ferror(stream), ssize_t, getline, (char** line, size_t* size, FILE* stream), (line, size, stream))
FILE_FAILS(seen_by_ferror(stream), int, vfprintf, (FILE * stream, const char* format, va_list list),
           (stream, format, list))
FILE_FAILS(seen_by_ferror(stream), int, __vfprintf_chk, (FILE * stream, int flag, const char* format, va_list list),
           (stream, flag, format, list))
TAKE_OVER(int, fprintf, (FILE * stream, const char* format, ...)) {
  static const auto real = next<int(FILE*, const char*, va_list)>("vfprintf");
  if (fails(inject::file, "fprintf", EIO)) return seen_by_ferror(stream);
  va_list list;
  va_start(list, format);
  const int result = real(stream, format, list);
  va_end(list);
  return result;
}
TAKE_OVER(int, __fprintf_chk, (FILE * stream, int flag, const char* format, ...)) {
  static const auto real = next<int(FILE*, int, const char*, va_list)>("__vfprintf_chk");
  if (fails(inject::file, "fprintf", EIO)) return seen_by_ferror(stream);
  va_list list;
  va_start(list, format);
  const int result = real(stream, flag, format, list);
  va_end(list);
  return result;
}
TAKE_OVER(int, fclose, (FILE * stream)) {
  static const auto real = next<int(FILE*)>("fclose");
  const int result = real(stream);  // the stream is closed in either case
  return fails(inject::file, "fclose", EIO) ? EOF : result;
}
