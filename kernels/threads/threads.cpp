#include "kernels/threads/threads.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace threads {
namespace {

/// Barrier at which threads wait until the number that may continue is known.
class Gate {
 public:
  void open(int places) {
    const std::lock_guard lock(mutex_);
    places_ = places;
    opened_.notify_all();
  }
  bool pass(int number) {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return places_ >= 0; });
    return number < places_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  int places_ = -1;
};

}  // namespace

int all_cores() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return static_cast<int>(
      std::max(1U, std::thread::hardware_concurrency()));  // more processors than the CPU set has bits for
}

int run(int threads, const std::function<void(int)>& work) {
  const int asked = std::max(threads - 1, 0);
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(asked));
  Gate gate;
  int places = asked;
  const auto start = [&](int number) {
    others.emplace_back([&, number] {
      if (gate.pass(number)) work(number + 1);
    });
  };
  try {
    for (int number = 0; number < asked; ++number) start(number);
  } catch (const std::exception&) {  // the machine gives no more threads, or lacks memory for them
    places = std::min(static_cast<int>(others.size()) / 4, all_cores() - 1);
  }
  gate.open(places);
  work(0);
  for (std::thread& other : others) other.join();
  return places + 1;
}

}  // namespace threads
