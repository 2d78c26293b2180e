#include "viz/files/temporaries.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "viz/files/names_in.h"

namespace files {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

// State that a signal handler may access. Names beyond the table's size are removed by their destructors only.
std::array<std::atomic<char*>, 64> names;
std::atomic<int> waiting = 0, came = 0;
static_assert(std::atomic<char*>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

/// Ends the program as the signal would have, so that a shell sees the signal.
void end(int signal) {
  if (waiting > 0) {
    came = signal;
    return;
  }
  remove_temporaries();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Installs the handlers, once. A signal that is ignored (nohup, a background job) or has a handler is left alone.
void listen() {
  static const bool listening = [] {
    for (const int signal : ending_signals) {
      struct sigaction now {};
      ::sigaction(signal, nullptr, &now);
      if (now.sa_handler != SIG_DFL) continue;
      now.sa_handler = end;
      now.sa_flags = SA_RESTART;
      ::sigaction(signal, &now, nullptr);
    }
    return true;
  }();
  static_cast<void>(listening);
}

}  // namespace

void remove_temporaries() noexcept {
  for (std::atomic<char*>& name : names) {
    if (char* path = name.exchange(nullptr)) ::unlink(path);
  }
}

TemporaryName::TemporaryName(std::string path) : path_(std::move(path)) {
  listen();
  char* copy = ::strdup(path_.c_str());
  for (std::atomic<char*>& name : names) {
    char* none = nullptr;
    if (copy == nullptr || !name.compare_exchange_strong(none, copy)) continue;
    slot_ = &name;
    return;
  }
  std::free(copy);
}

TemporaryName::~TemporaryName() {
  if (path_.empty()) return;
  ::unlink(path_.c_str());
  if (slot_ != nullptr) std::free(slot_->exchange(nullptr));
}

namespace {

constexpr std::string_view prefix = ".flashscope.";

/// PROCESS in ".flashscope.PROCESS-NUMBER"; 0 for other names.
pid_t process_of(std::string_view name) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  const std::size_t dash = std::min(name.find('-'), name.size());
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dash == name.size() || !is_number(name.substr(0, dash)) || !is_number(name.substr(dash + 1))) return 0;
  return static_cast<pid_t>(std::strtol(std::string(name.substr(0, dash)).c_str(), nullptr, 10));
}

bool has_ended(pid_t process) { return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH; }

/// True for a file that no process has locked. The lock shows this even if its process is not visible from here.
bool is_free_file(const std::filesystem::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  ::close(descriptor);
  return free;
}

}  // namespace

void remove_left_behind(const std::filesystem::path& folder) {
  for (const std::string& name : names_in(folder.string())) {
    const std::filesystem::path path = folder / name;
    if (has_ended(process_of(name)) && is_free_file(path)) ::unlink(path.c_str());
  }
}

std::filesystem::path temporary_in(const std::filesystem::path& folder) {
  static std::atomic<int> number = 0;
  return folder / (std::string(prefix) + std::to_string(::getpid()) + "-" + std::to_string(number++));
}

SignalsWait::SignalsWait() {
  listen();
  ++waiting;
}

SignalsWait::~SignalsWait() {
  if (--waiting == 0 && came != 0) ::raise(came.exchange(0));
}

}  // namespace files
