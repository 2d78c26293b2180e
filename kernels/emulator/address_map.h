// Classifies an address during a kernel: shared memory, a tensor, other readable memory, or none.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/arena.h"
#include "kernels/emulator/thread.h"

namespace emulator {

class AddressMap {
 public:
  /// `arena` must outlive the map; later allocations are not in it.
  AddressMap(const LaunchShape& shape, const Arena& arena);

  void shared_begins(const unsigned char* shared) { shared_ = reinterpret_cast<std::uintptr_t>(shared); }
  /// Offset in shared memory; huge if the address is outside.
  std::uintptr_t shared_offset(std::uintptr_t address) const { return address - shared_; }
  bool in_shared(std::uintptr_t address, std::size_t bytes) const {
    return shared_offset(address) < shared_bytes_ && bytes <= shared_bytes_ - shared_offset(address);
  }

  /// Tensors by address; their index identifies them.
  const std::vector<Allocation>& tensors() const { return tensors_; }
  static constexpr std::size_t none = ~std::size_t{0};
  /// Returns the index of the tensor that holds all the bytes, or `none`.
  std::size_t tensor_at(std::uintptr_t address, std::size_t bytes);

  /// True for parameters of the kernel and constants of the program: reading them is not traffic.
  bool readable(std::uintptr_t address, std::size_t bytes) const;

  /// Describes an address: "at byte 8 of K", "0 bytes past the end of K", "in K, which has been released".
  std::string place_of(std::uintptr_t address, std::size_t bytes) const;

 private:
  const Arena& arena_;
  std::vector<Allocation> tensors_;
  std::size_t latest_ = 0;  // tensor of the previous access
  std::uintptr_t shared_ = 0, parameters_;
  std::size_t shared_bytes_, parameter_bytes_;
};

}  // namespace emulator
