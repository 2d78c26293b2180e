// Named temporary files, removed even if a signal ends the program.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <utility>

namespace files {

/// The name of a file that is removed with this object, and when Ctrl-C, SIGTERM or SIGHUP ends the program.
class TemporaryName {
 public:
  TemporaryName() = default;  ///< no name
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
  std::atomic<char*>* slot_ = nullptr;  ///< read by the signal handler
};

/// A name in `folder` that is unique within this run: ".flashscope.PROCESS-NUMBER".
std::filesystem::path temporary_in(const std::filesystem::path& folder);

/// Removes the temporaries in `folder` that an ended (killed) process left. Best effort. Those of a process not visible
/// here, such as in a container that shares the folder, stay while they are locked.
void remove_left_behind(const std::filesystem::path& folder);

/// Removes all temporaries, for a program that ends without its destructors. A signal handler may call it.
void remove_temporaries() noexcept;

/// Delays those signals during its lifetime, so that they do not interrupt a replacement of several files.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
};

}  // namespace files
