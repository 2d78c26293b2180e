// The tensors of a plan in device memory.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/tile/arguments.h"
#include "sim/programs/scenario.h"

namespace kernels {

/// Memory that goes away with it. Device and plan must outlive it.
class Tensors {
 public:
  Tensors(dev::Device& device, const sim::Plan& plan) : device_(device), plan_(plan) {}
  ~Tensors();
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;

  bool has(sim::Tensor tensor) const { return memory_.count(tensor) > 0; }
  std::vector<sim::Tensor> held() const;
  std::int64_t bytes(sim::Tensor tensor) const;  ///< of all entries of the plan
  sim::Dtype dtype(sim::Tensor tensor) const { return plan_.problem.hbm[tensor].dtype; }

  void allocate(sim::Tensor tensor);  ///< filled with NaN; throws dev::DeviceError when there is too little memory
  void release(sim::Tensor tensor);
  /// Takes values of a ragged batch entry after entry, as download() gives them; the device has them packed.
  void upload(sim::Tensor tensor, const std::vector<float>& values);
  /// As many bytes as the tensor has, in its dtype.
  void upload_bytes(sim::Tensor tensor, std::span<const unsigned char> bytes);
  void upload_pattern();                                  ///< the plan's to mask_blocks, the same for every head
  void upload_sequences();                                ///< the table of a ragged batch
  std::vector<float> download(sim::Tensor tensor) const;  ///< of a tensor that is not there: nothing
  std::vector<unsigned char> download_bytes(sim::Tensor tensor) const;
  void copy(sim::Tensor tensor, const Tensors& from);  ///< on the device
  void point(Arguments& a) const;                      ///< the members of the same names; the table has none
  const void* at(sim::Tensor tensor) const { return memory_.at(tensor); }

 private:
  dev::Device& device_;
  const sim::Plan& plan_;
  std::map<sim::Tensor, void*> memory_;
};

}  // namespace kernels
