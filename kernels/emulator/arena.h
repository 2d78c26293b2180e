// Device memory of the emulated device: one address range, in which every tensor has pages of its own followed by a red
// zone, so that any address identifies its tensor.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace emulator {

/// A tensor in device memory.
struct Allocation {
  std::string name;
  unsigned char* begin;
  std::int64_t bytes;
  unsigned char* end() const { return begin + bytes; }
};

class Arena {
 public:
  static constexpr std::int64_t page = 4096;  ///< also the size of a red zone

  /// Reserves addresses (fewer if fewer are available), committed on access. Throws dev::DeviceError if there are none.
  explicit Arena(std::int64_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Returns memory filled with 0xff. Throws dev::DeviceError if it does not fit: `missing` if the machine gave too
  /// little.
  void* allocate(std::string_view name, std::int64_t bytes);
  /// Releases an allocation and returns its bytes. Throws sim::Error if `memory` is not the start of one.
  std::int64_t release(void* memory);

  bool contains(const void* address) const;
  /// Current allocations, by address.
  std::vector<Allocation> allocations() const;
  /// The tensor that held the address last, if it has been released; else null.
  const Allocation* released_at(const void* address) const;

 private:
  [[noreturn]] void throw_no_room(std::string_view name, std::int64_t bytes) const;
  std::int64_t place_for(std::int64_t pages);
  std::int64_t page_of(const void* address) const;
  void forget_released(std::int64_t first, std::int64_t pages);

  std::int64_t pages_, asked_, used_ = 0;  // used_: pages handed out at least once, all before the rest
  unsigned char* base_ = nullptr;
  std::map<std::int64_t, std::int64_t> free_;       // first page -> pages
  std::map<std::int64_t, Allocation> allocations_;  // by first page
  std::map<std::int64_t, Allocation> released_;     // by first page, until another tensor reuses its pages
};

}  // namespace emulator
