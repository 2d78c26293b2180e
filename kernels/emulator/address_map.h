// What an address belongs to while a kernel runs: shared memory, a tensor, what a kernel may read besides, or nothing.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/arena.h"
#include "kernels/emulator/thread.h"

namespace emulator {

class AddressMap {
 public:
  /// `arena` must outlive the map; what is allocated later is not in it.
  AddressMap(const LaunchShape& shape, const Arena& arena);

  void shared_begins(const unsigned char* shared) { shared_ = reinterpret_cast<std::uintptr_t>(shared); }
  /// The offset in shared memory of an address in it, or of one that lies outside: huge then.
  std::uintptr_t shared_offset(std::uintptr_t address) const { return address - shared_; }
  bool in_shared(std::uintptr_t address, std::size_t bytes) const {
    return shared_offset(address) < shared_bytes_ && bytes <= shared_bytes_ - shared_offset(address);
  }

  /// By address; their indices name them.
  const std::vector<Allocation>& tensors() const { return tensors_; }
  static constexpr std::size_t none = ~std::size_t{0};
  /// The index of the tensor that holds all the bytes, or `none`.
  std::size_t tensor_at(std::uintptr_t address, std::size_t bytes);

  /// Parameters of the kernel and constants of the program: what is read there is no traffic.
  bool readable(std::uintptr_t address, std::size_t bytes) const;

  /// Where an address is: "at byte 8 of K", "0 bytes past the end of K", "in K, which has been released".
  std::string place_of(std::uintptr_t address, std::size_t bytes) const;

 private:
  const Arena& arena_;
  std::vector<Allocation> tensors_;
  std::size_t latest_ = 0;  // the tensor of the access before
  std::uintptr_t shared_ = 0, parameters_;
  std::size_t shared_bytes_, parameter_bytes_;
};

}  // namespace emulator
