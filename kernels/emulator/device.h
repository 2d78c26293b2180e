// The emulated device: runs the kernels on the CPU.
#pragma once
#include <utility>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/emulator/arena.h"
#include "kernels/emulator/block.h"

namespace emulator {

struct Options {
  int workers = 0;      ///< OS threads that run blocks; 0: one per core
  bool traced = false;  ///< run the traced compilation of the kernels
  Order order;
  std::int64_t memory = std::int64_t{16} << 30;     ///< bytes
  std::int64_t smem_bytes_per_cta = dev::any_smem;  ///< maximum shared memory of a CTA, as of a card
};

class EmulatedDevice final : public dev::Device {
 public:
  explicit EmulatedDevice(const Options& options = {});
  ~EmulatedDevice() override;
  std::string description() const override;
  dev::Flavour flavour() const override { return options_.traced ? dev::Flavour::traced : dev::Flavour::emulated; }
  std::int64_t smem_bytes_per_cta() const override { return options_.smem_bytes_per_cta; }
  dev::Stream stream() override { return {this}; }
  void* allocate(std::string_view tensor, std::int64_t bytes) override;
  void release(void* memory) override;
  void upload(void* to, const void* from, std::int64_t bytes) override;
  void download(void* to, const void* from, std::int64_t bytes) override;
  void copy(void* to, const void* from, std::int64_t bytes) override;
  std::vector<dev::LaunchReport> take_reports() override { return std::exchange(reports_, {}); }
  void synchronize() override {}  // launches have ended when they return

  void run(const LaunchShape& shape, const std::function<void()>& body);

 private:
  Options options_;
  Arena arena_;
  std::vector<dev::LaunchReport> reports_;
};

}  // namespace emulator
