// Host interface of a device: named memory, and a stream for kernel launches. Runs on the emulator, or on a GPU.
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"

namespace dev {

/// The compilation of the kernels that a device runs.
enum class Flavour { cuda, emulated, traced };

/// Target of launches: cudaStream_t, or the emulated device itself.
struct Stream {
  void* handle = nullptr;
};

/// Traffic of one launch, as the traced flavour counts it. Bytes are those that threads request; a sector is 32 aligned
/// bytes, counted once per warp instruction that touches it.
struct Traffic {
  std::int64_t read_bytes = 0, write_bytes = 0;
  std::int64_t atomic_bytes = 0;  ///< bytes of atomics, which both counts above include
  std::int64_t read_sectors = 0, write_sectors = 0;

  Traffic& operator+=(const Traffic& other) {
    read_bytes += other.read_bytes;
    write_bytes += other.write_bytes;
    atomic_bytes += other.atomic_bytes;
    read_sectors += other.read_sectors;
    write_sectors += other.write_sectors;
    return *this;
  }
};
struct LaunchReport {
  std::string kernel;
  std::map<std::string, Traffic> tensors;  ///< by name of the allocation
  std::int64_t shared_read_bytes = 0, shared_write_bytes = 0;
  std::int64_t wavefronts = 0, ideal_wavefronts = 0;  ///< passes through shared memory; number without bank conflicts
  std::vector<std::string> races;                     ///< one line each, at most a few
};

/// Shared memory of a CTA on a device that has no limit of its own: its scenarios are planned for some GPU.
inline constexpr std::int64_t any_smem = std::numeric_limits<std::int64_t>::max();

/// Error of a device: out of memory, no driver, an illegal access, a deadlock. what() is one line.
class DeviceError : public sim::Error {
 public:
  enum class Kind {
    failed,
    out_of_memory,
    missing
  };  ///< missing: the machine has no such device or lacks a resource for it; what() tells how to get it
  DeviceError(Kind the_kind, const std::string& what) : sim::Error(what), kind(the_kind) {}
  Kind kind;
};

/// Properties of a device's card; the emulated device has no L2 and no bus.
struct Card {
  std::string name;           ///< as its driver names it: "NVIDIA H200"
  std::string software;       ///< "CUDA 13.0"
  std::string bus;            ///< PCI address, as the driver's tools print it: "0000:1b:00.0"
  std::int64_t l2_bytes = 0;  ///< capacity of its L2
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string description() const = 0;  ///< "NVIDIA H200, driver 580.65" or "emulated device, 2 workers"
  virtual Card card() const { return {description(), "", "", 0}; }
  virtual Flavour flavour() const = 0;
  /// Maximum shared memory of a CTA, in bytes.
  virtual std::int64_t smem_bytes_per_cta() const { return any_smem; }
  virtual Stream stream() = 0;

  /// Allocates memory for a tensor, filled with NaN (0xff), 256-byte aligned. Throws DeviceError if it does not fit.
  virtual void* allocate(std::string_view tensor, std::int64_t bytes) = 0;
  virtual void release(void* memory) = 0;
  virtual void upload(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void download(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::int64_t bytes) = 0;  ///< on the device, in the order of launches
  virtual void synchronize() = 0;  ///< waits for all launches and throws any error in them
  /// One report per launch since the last call; empty unless the flavour is `traced`.
  virtual std::vector<LaunchReport> take_reports() { return {}; }

  std::int64_t bytes_in_use() const { return in_use_; }
  std::int64_t peak_bytes() const { return peak_; }  ///< maximum allocated at a time, without rounding

 protected:
  void note_allocated(std::int64_t bytes) {
    in_use_ += bytes;
    if (in_use_ > peak_) peak_ = in_use_;
  }
  void note_released(std::int64_t bytes) { in_use_ -= bytes; }

 private:
  std::int64_t in_use_ = 0, peak_ = 0;
};

}  // namespace dev
