#include "kernels/emulator/device.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

#include "kernels/dev/refusal.h"
#include "kernels/emulator/recorder.h"
#include "kernels/threads/threads.h"

namespace emulator {
namespace {

constexpr int most_threads = 1024;                                 // per block, as on every GPU
constexpr std::int64_t most_blocks = (std::int64_t{1} << 31) - 1;  // per grid along x
constexpr std::size_t most_races = 8;                              // in a report

int workers_of(const Options& options) {
  return options.workers > 0 ? options.workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void check(const LaunchShape& shape, std::int64_t smem_of_card) {
  const auto refuse = [&](const std::string& what) {
    throw dev::DeviceError(dev::DeviceError::Kind::failed, sim::text("kernel ", shape.kernel, ": ", what));
  };
  if (shape.block < 1 || shape.block > most_threads)
    refuse(sim::text("a block of ", shape.block, " threads; allowed are 1 to ", most_threads));
  if (shape.grid < 1 || shape.grid > most_blocks)
    refuse(sim::text("a grid of ", shape.grid, " blocks; allowed are 1 to ", most_blocks));
  if (shape.smem < 0) refuse(sim::text(shape.smem, " bytes of shared memory"));
  const std::string refusal = dev::smem_refusal(sim::text("kernel ", shape.kernel), shape.smem, smem_of_card);
  if (!refusal.empty()) throw dev::DeviceError(dev::DeviceError::Kind::failed, refusal);
}

/// Hands out the blocks of a grid one by one until one of them fails. If several fail, the first by index is reported,
/// so that the error does not depend on the workers.
class Queue {
 public:
  explicit Queue(std::int64_t blocks) : blocks_(blocks) {}
  bool next(std::int64_t& block) {
    if (failed_) return false;
    block = next_++;  // a block handed out will run, so that no block before a failed one is skipped
    return block < blocks_;
  }
  void fail(std::int64_t block) {
    const std::lock_guard lock(mutex_);
    if (!failed_ || block < first_failed_) error_ = std::current_exception(), first_failed_ = block;
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
  std::int64_t first_failed_ = 0;
};

void work(Queue& queue, const LaunchShape& shape, Order order, Recorder* recorder, const std::function<void()>& body) {
  std::int64_t n = 0;
  try {
    Block block(shape, order, recorder);
    while (queue.next(n)) block.run(n, body);
  } catch (...) {
    queue.fail(n);
  }
}

/// Races of all workers in order of block and time, one of each kind, limited to the first few.
std::vector<std::string> first_races(const std::vector<std::unique_ptr<Recorder>>& recorders) {
  RaceCheck::Races all;
  for (const auto& recorder : recorders) {
    for (const auto& [kind, race] : recorder->found_races()) {
      const auto [known, is_new] = all.emplace(kind, race);
      if (!is_new && race.block < known->second.block) known->second = race;
    }
  }
  std::vector<RaceCheck::Race> races;
  for (const auto& [kind, race] : all) races.push_back(race);
  std::sort(races.begin(), races.end(),
            [](const auto& a, const auto& b) { return std::pair(a.block, a.number) < std::pair(b.block, b.number); });
  std::vector<std::string> lines;
  for (std::size_t n = 0; n < std::min(races.size(), most_races); ++n) lines.push_back(races[n].line);
  return lines;
}

/// Merges the reports of all workers: sums do not depend on which worker ran a block.
dev::LaunchReport merged(const std::vector<std::unique_ptr<Recorder>>& recorders) {
  dev::LaunchReport sum;
  for (const auto& recorder : recorders) {
    const dev::LaunchReport& part = recorder->counts();
    sum.kernel = part.kernel;
    for (const auto& [tensor, traffic] : part.tensors) sum.tensors[tensor] += traffic;
    sum.shared_read_bytes += part.shared_read_bytes;
    sum.shared_write_bytes += part.shared_write_bytes;
    sum.wavefronts += part.wavefronts;
    sum.ideal_wavefronts += part.ideal_wavefronts;
  }
  sum.races = first_races(recorders);
  return sum;
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
void EmulatedDevice::copy(void* to, const void* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

void EmulatedDevice::run(const LaunchShape& shape, const std::function<void()>& body) {
  check(shape, options_.smem_bytes_per_cta);
  Queue queue(shape.grid);
  const auto count = static_cast<std::size_t>(std::min<std::int64_t>(workers_of(options_), shape.grid));
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (std::size_t n = 0; n < count && shape.traced; ++n)
    recorders.push_back(std::make_unique<Recorder>(shape, arena_));
  threads::run(static_cast<int>(count), [&](int n) {
    work(queue, shape, options_.order, shape.traced ? recorders[static_cast<std::size_t>(n)].get() : nullptr, body);
  });
  queue.rethrow();
  if (shape.traced) reports_.push_back(merged(recorders));
}

void launch(dev::Stream stream, const LaunchShape& shape, void (*body)(const void* parameters)) {
  static_cast<EmulatedDevice*>(stream.handle)->run(shape, [&] { body(shape.parameters); });
}

}  // namespace emulator
