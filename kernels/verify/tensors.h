// Tensors of a plan in device memory.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/tile/arguments.h"
#include "sim/programs/plan.h"

namespace kernels {

/// Owns the tensors' memory. Device and plan must outlive it.
class Tensors {
 public:
  Tensors(dev::Device& device, const sim::Plan& plan) : device_(device), plan_(plan) {}
  ~Tensors();
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;

  bool has(sim::Tensor tensor) const { return memory_.count(tensor) > 0; }
  std::vector<sim::Tensor> held() const;
  std::int64_t bytes(sim::Tensor tensor) const;     ///< summed over all entries of the plan
  std::int64_t elements(sim::Tensor tensor) const;  ///< likewise, without slots of pages that hold none
  sim::Dtype dtype(sim::Tensor tensor) const { return plan_.problem.hbm[tensor].dtype; }

  void allocate(sim::Tensor tensor);  ///< filled with NaN; throws dev::DeviceError if there is too little memory
  void release(sim::Tensor tensor);
  /// Takes values of a ragged batch entry after entry, as download() returns them; packed on the device. K and V go to
  /// their pages, if they have any.
  void upload(sim::Tensor tensor, const std::vector<float>& values);
  /// Takes all bytes of the tensor, in its dtype.
  void upload_bytes(sim::Tensor tensor, std::span<const unsigned char> bytes);
  void upload_pattern();                                  ///< the plan's pattern, to mask_blocks, equal for every head
  void upload_sequences();                                ///< the table of a ragged batch
  void upload_block_table();                              ///< the pages of K and V
  void upload_lengths();                                  ///< keys of each entry, to seq_lens
  void upload_slopes();                                   ///< those of ALiBi, of each query head of each entry
  void upload_sinks();                                    ///< those of the scenario, likewise
  std::vector<float> download(sim::Tensor tensor) const;  ///< empty if the tensor is not allocated
  std::vector<unsigned char> download_bytes(sim::Tensor tensor) const;
  void copy(sim::Tensor tensor, const Tensors& from);  ///< on the device
  void point(Arguments& a) const;                      ///< sets the members of equal names; not the tables
  const void* at(sim::Tensor tensor) const { return memory_.at(tensor); }

  /// Takes all numbers of a table.
  void upload_numbers(sim::Tensor tensor, const std::vector<std::int32_t>& numbers);

 private:
  /// Repeats the numbers of the query heads of an entry, or of all heads, until the tensor is full.
  void upload_of_heads(sim::Tensor tensor, const std::vector<float>& numbers);

  dev::Device& device_;
  const sim::Plan& plan_;
  std::map<sim::Tensor, void*> memory_;
};

}  // namespace kernels
