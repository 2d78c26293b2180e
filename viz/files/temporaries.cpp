#include "viz/files/temporaries.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace files {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

// What a signal handler may touch. Beyond so many names at once the rest are left to their destructors.
std::array<std::atomic<char*>, 64> names;
std::atomic<int> waiting = 0, came = 0;
static_assert(std::atomic<char*>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

/// Ends the program as the signal would have, so that a shell sees what it was.
void end(int signal) {
  if (waiting > 0) {
    came = signal;
    return;
  }
  remove_temporaries();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Once. Where a signal is ignored (nohup, a job in the background) or somebody else's, it stays so.
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

std::filesystem::path temporary_in(const std::filesystem::path& folder) {
  static std::atomic<int> number = 0;
  return folder / (".flashscope." + std::to_string(::getpid()) + "-" + std::to_string(number++));
}

SignalsWait::SignalsWait() {
  listen();
  ++waiting;
}

SignalsWait::~SignalsWait() {
  if (--waiting == 0 && came != 0) ::raise(came.exchange(0));
}

}  // namespace files
