// Ordered results of long work on all cores.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/threads/threads.h"

namespace results {

/// Runs `make(0)` ... `make(count - 1)` on several threads and passes each result to `take`, in order, one at a
/// time. Starts nothing after `stop()` returned true. The first exception of `make` or `take` ends the run and is
/// rethrown, after all earlier results are taken. Not a library's pipeline: those end the program if a thread or memory
/// is unavailable.
template <typename Made>
class InOrder {
 public:
  using Make = std::function<Made(std::int64_t)>;
  using Take = std::function<void(const Made&)>;

  InOrder(
      Make make, Take take, std::function<bool()> stop = [] { return false; })
      : make_(std::move(make)), take_(std::move(take)), stop_(std::move(stop)) {}

  struct Ran {
    std::int64_t taken = 0;
    int threads = 0;
  };
  Ran run(std::int64_t count, int threads) {
    constexpr std::int64_t ahead = 64;  // per thread: a slow piece or a slow disk must not stall the others
    last_ = count;
    pieces_.resize(static_cast<std::size_t>(std::min(count, threads * ahead)));
    const int ran =
        threads::run(static_cast<int>(std::clamp<std::int64_t>(count, 1, threads)), [this](int) { work(); });
    if (failure_) std::rethrow_exception(failure_);
    return {taken_, ran};
  }

 private:
  /// A result that waits to be taken, or the error that prevented it.
  struct Piece {
    std::optional<Made> made;
    std::exception_ptr error;
    bool waiting() const { return made || error; }
  };
  Piece& piece(std::int64_t number) { return pieces_[static_cast<std::size_t>(number) % pieces_.size()]; }

  void work() {
    std::unique_lock lock(mutex_);
    while (taken_ < last_) {
      if (!taking_ && piece(taken_).waiting()) {
        take_piece(lock);
      } else if (next_ < last_ && stop_()) {
        last_ = next_;
      } else if (next_ < last_ && next_ - taken_ < std::ssize(pieces_)) {
        make_piece(lock);
      } else {
        changed_.wait(lock);
      }
    }
    changed_.notify_all();
  }

  void make_piece(std::unique_lock<std::mutex>& lock) {
    const std::int64_t number = next_++;
    lock.unlock();
    Piece fresh;
    try {
      fresh.made = make_(number);
    } catch (...) {
      fresh.error = std::current_exception();
    }
    lock.lock();
    if (fresh.error) last_ = std::min(last_, number + 1);  // later results are not needed
    if (number < last_) piece(number) = std::move(fresh);
  }

  void take_piece(std::unique_lock<std::mutex>& lock) {
    taking_ = true;
    Piece ready = std::exchange(piece(taken_), {});
    lock.unlock();
    try {
      if (!ready.error) take_(*ready.made);
    } catch (...) {
      ready.error = std::current_exception();
    }
    lock.lock();
    taking_ = false;
    if (ready.error) {
      failure_ = ready.error;
      last_ = taken_;
    } else {
      ++taken_;
    }
    changed_.notify_all();
  }

  Make make_;
  Take take_;
  std::function<bool()> stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Piece> pieces_;  ///< ring buffer of the results from number taken_ on
  std::int64_t next_ = 0, taken_ = 0, last_ = 0;
  bool taking_ = false;
  std::exception_ptr failure_;
};

}  // namespace results
