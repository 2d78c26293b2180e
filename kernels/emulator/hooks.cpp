// Hooks that -fsanitize=thread inserts before every load and store of the traced kernels. No sanitizer runtime is
// linked: these are all the hooks.
#include <cstddef>
#include <cstdint>

#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"

namespace {

using emulator::AccessKind;

emulator::Recorder* recorder() { return emulator::current == nullptr ? nullptr : emulator::current->block.recorder(); }

void aligned(const void* pc, const void* address, std::size_t bytes, AccessKind kind) {
  if (emulator::Recorder* here = recorder())
    here->aligned_access(*emulator::current, reinterpret_cast<std::uintptr_t>(pc), address, bytes, kind);
}

void any(const void* pc, const void* address, std::size_t bytes, AccessKind kind) {
  if (emulator::Recorder* here = recorder(); here != nullptr && bytes > 0)
    here->access(*emulator::current, reinterpret_cast<std::uintptr_t>(pc), address, bytes, kind);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler names them
#define HOOK(name, note, bytes, kind) \
  void name(void* address) { note(__builtin_return_address(0), address, bytes, AccessKind::kind); }

extern "C" {
void __tsan_init() {}

HOOK(__tsan_read1, aligned, 1, read)
HOOK(__tsan_read2, aligned, 2, read)
HOOK(__tsan_read4, aligned, 4, read)
HOOK(__tsan_read8, aligned, 8, read)
HOOK(__tsan_read16, aligned, 16, read)
HOOK(__tsan_write1, aligned, 1, write)
HOOK(__tsan_write2, aligned, 2, write)
HOOK(__tsan_write4, aligned, 4, write)
HOOK(__tsan_write8, aligned, 8, write)
HOOK(__tsan_write16, aligned, 16, write)
HOOK(__tsan_unaligned_read2, any, 2, read)
HOOK(__tsan_unaligned_read4, any, 4, read)
HOOK(__tsan_unaligned_read8, any, 8, read)
HOOK(__tsan_unaligned_read16, any, 16, read)
HOOK(__tsan_unaligned_write2, any, 2, write)
HOOK(__tsan_unaligned_write4, any, 4, write)
HOOK(__tsan_unaligned_write8, any, 8, write)
HOOK(__tsan_unaligned_write16, any, 16, write)
HOOK(__tsan_vptr_read, aligned, 8, read)

void __tsan_read_range(void* address, std::size_t bytes) {
  any(__builtin_return_address(0), address, bytes, AccessKind::read);
}
void __tsan_write_range(void* address, std::size_t bytes) {
  any(__builtin_return_address(0), address, bytes, AccessKind::write);
}
void __tsan_vptr_update(void** place, void*) {
  aligned(__builtin_return_address(0), place, sizeof(void*), AccessKind::write);
}
/// Called by the guards of static variables, in host code; kernels have no atomics but dev::atomic_add.
unsigned char __tsan_atomic8_load(const volatile unsigned char* address, int) {
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
std::uint64_t __tsan_atomic64_load(const volatile std::uint64_t* address, int) {  // on aarch64
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
}
// NOLINTEND(bugprone-reserved-identifier)
