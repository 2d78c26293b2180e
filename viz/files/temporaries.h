// Temporary files with a name, and the signals that end a program: none is left behind.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <utility>

namespace files {

/// The name of a file that goes away with this object, and when Ctrl-C, SIGTERM or SIGHUP ends the program.
class TemporaryName {
 public:
  TemporaryName() = default;  ///< of none
  explicit TemporaryName(std::string path);
  ~TemporaryName();
  TemporaryName(TemporaryName&& other) noexcept
      : path_(std::exchange(other.path_, {})), slot_(std::exchange(other.slot_, nullptr)) {}
  TemporaryName& operator=(TemporaryName&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(slot_, other.slot_);
    return *this;
  }
  bool empty() const { return path_.empty(); }
  const char* c_str() const { return path_.c_str(); }

 private:
  std::string path_;
  std::atomic<char*>* slot_ = nullptr;  ///< where the signal handler finds it
};

/// A name in `folder` that was never taken in this run: ".flashscope.PROCESS-NUMBER".
std::filesystem::path temporary_in(const std::filesystem::path& folder);

/// Removes the temporaries in `folder` whose process has ended: one that was killed could not. Best effort. Those of a
/// process elsewhere, as in a container that shares the folder, stay while they are locked.
void remove_left_behind(const std::filesystem::path& folder);

/// All of them, for a program that ends without its destructors. A signal handler may call it.
void remove_temporaries() noexcept;

/// While one lives, those signals wait: what is replaced together is not cut in two by them.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
};

}  // namespace files
