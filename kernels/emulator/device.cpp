#include "kernels/emulator/device.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

namespace emulator {
namespace {

constexpr int most_threads = 1024;                                 // of a block, as on every GPU
constexpr std::int64_t most_blocks = (std::int64_t{1} << 31) - 1;  // of a grid along x

int workers_of(const Options& options) {
  return options.workers > 0 ? options.workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check(const LaunchShape& shape) {
  const auto refuse = [&](const std::string& what) {
    throw dev::DeviceError(dev::DeviceError::Kind::failed, sim::text("kernel ", shape.kernel, ": ", what));
  };
  if (shape.block < 1 || shape.block > most_threads)
    refuse(sim::text("a block of ", shape.block, " threads; allowed are 1 to ", most_threads));
  if (shape.grid < 1 || shape.grid > most_blocks)
    refuse(sim::text("a grid of ", shape.grid, " blocks; allowed are 1 to ", most_blocks));
  if (shape.smem < 0) refuse(sim::text(shape.smem, " bytes of shared memory"));
}

/// The blocks of a grid, handed out one by one until one of them fails.
class Queue {
 public:
  explicit Queue(std::int64_t blocks) : blocks_(blocks) {}
  bool next(std::int64_t& block) { return (block = next_++) < blocks_ && !failed_; }
  void fail() {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = std::current_exception();
    failed_ = true;
  }
  void rethrow() const {
    if (failed_) std::rethrow_exception(error_);
  }

 private:
  std::int64_t blocks_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

void work(Queue& queue, const LaunchShape& shape, Order order, const std::function<void()>& body) {
  try {
    Block block(shape, order, nullptr);
    for (std::int64_t n = 0; queue.next(n);) block.run(n, body);
  } catch (...) {
    queue.fail();
  }
}

}  // namespace

EmulatedDevice::EmulatedDevice(const Options& options) : options_(options), arena_(options.memory) {}
EmulatedDevice::~EmulatedDevice() = default;

std::string EmulatedDevice::description() const {
  const int workers = workers_of(options_);
  return sim::text("emulated device (CPU, ", workers, workers == 1 ? " worker)" : " workers)");
}

void* EmulatedDevice::allocate(std::string_view tensor, std::int64_t bytes) {
  void* memory = arena_.allocate(tensor, bytes);
  note_allocated(bytes);
  return memory;
}

void EmulatedDevice::release(void* memory) { note_released(arena_.release(memory)); }

void EmulatedDevice::upload(void* to, const void* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
void EmulatedDevice::download(void* to, const void* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

void EmulatedDevice::run(const LaunchShape& shape, const std::function<void()>& body) {
  check(shape);
  Queue queue(shape.grid);
  std::vector<std::thread> workers;
  const std::int64_t helpers = std::min<std::int64_t>(workers_of(options_), shape.grid) - 1;
  for (std::int64_t n = 0; n < helpers; ++n)
    workers.emplace_back([&, n] {
      work(queue, shape, {options_.order.random, options_.order.seed + static_cast<std::uint64_t>(n) + 1}, body);
    });
  work(queue, shape, options_.order, body);
  for (std::thread& worker : workers) worker.join();
  queue.rethrow();
}

void launch(dev::Stream stream, const LaunchShape& shape, const std::function<void()>& body) {
  static_cast<EmulatedDevice*>(stream.handle)->run(shape, body);
}

}  // namespace emulator
