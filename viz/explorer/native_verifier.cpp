#include "viz/explorer/native_verifier.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

#include "kernels/verify/choice.h"
#include "kernels/verify/devices.h"
#include "kernels/verify/effort.h"
#include "kernels/verify/verify.h"
#include "sim/programs/drawn_rows.h"

namespace explorer {
namespace {

/// Progress text, shared between threads.
class Message {
 public:
  void set(std::string_view text) {
    const std::scoped_lock lock(mutex_);
    text_ = text;
  }
  std::string get() const {
    const std::scoped_lock lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

/// Verifies the scenario on one device. A GPU may run another family of kernels.
DeviceVerdict verified_on(const kernels::VerifyDevice& device, const sim::Scenario& scenario, Message& message) {
  sim::Simulation program = sim::simulate(scenario);
  const std::string kernel =
      kernels::choose_kernel(program.plan, std::nullopt, device.flavour(), device.smem_bytes_per_cta());
  const kernels::Verification verification(std::move(program), kernel, sim::inputs_of(scenario),
                                           [&](std::string_view what) { message.set(what); });
  message.set("kernel " + kernel);
  return device.with(0, [&](dev::Device& open) -> DeviceVerdict {
    const kernels::Verdict verdict = verification.run(open, device.counters());
    return {verdict.device, "", verdict.rows};
  });
}

DeviceVerdict verified_on_gpu(const sim::Scenario& scenario, int workers, Message& message) {
  try {
    return verified_on(kernels::VerifyDevice("cuda", workers), scenario, message);
  } catch (const sim::Error& error) {  // no GPU, or no kernel for the scenario
    return {"", error.what(), {}};
  }
}

class NativeRun : public VerifierRun {
 public:
  NativeRun(const sim::Scenario& scenario, int workers)
      : result_(std::async([this, scenario, workers] {
          Result result;
          result.emulated = verified_on(kernels::VerifyDevice("emulated", workers), scenario, message_);
          result.gpu = verified_on_gpu(scenario, workers, message_);
          return result;
        })) {}

  bool advance() override {
    if (result_.wait_for(std::chrono::milliseconds(2)) == std::future_status::timeout) return true;
    devices_ = result_.get();  // does the work itself if no thread could be started
    return false;
  }
  std::string step() const override { return message_.get(); }
  const DeviceVerdict& emulated() const override { return devices_.emulated; }
  const DeviceVerdict& gpu() const override { return devices_.gpu; }

 private:
  struct Result {
    DeviceVerdict emulated, gpu;
  };
  Result devices_;
  Message message_;
  std::future<Result>
      result_;  // last member: its destructor waits for the thread before the members that it writes are destroyed
};

class NativeVerifier : public Verifier {
 public:
  explicit NativeVerifier(int workers) : workers_(workers) {}

  double seconds(const sim::Simulation& program) const override {
    const std::string kernel = kernels::choose_kernel(program.plan, std::nullopt, dev::Flavour::traced);
    kernels::check_sizes(program.plan);
    return kernels::emulated_seconds(program, kernel, workers_);
  }
  std::unique_ptr<VerifierRun> begin(const sim::Scenario& scenario) const override {
    return std::make_unique<NativeRun>(scenario, workers_);
  }

 private:
  int workers_;
};

}  // namespace

std::shared_ptr<const Verifier> make_native_verifier(int workers) {
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::make_shared<NativeVerifier>(workers > 0 ? workers : cores);
}

}  // namespace explorer
