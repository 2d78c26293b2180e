// Device memory of the emulated device: one range of addresses, in which every tensor has pages of its own with a red
// zone behind them, so that any address tells what it belongs to.
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

  /// Reserves addresses, or as many as there are; memory comes when it is touched. Throws dev::DeviceError when there
  /// are none.
  explicit Arena(std::int64_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Filled with 0xff. Throws dev::DeviceError when there is no room: of kind missing where this machine gave too
  /// little.
  void* allocate(std::string_view name, std::int64_t bytes);
  /// Throws sim::Error when `memory` is not the beginning of an allocation. Returns its bytes.
  std::int64_t release(void* memory);

  bool contains(const void* address) const;
  /// What is allocated, by address.
  std::vector<Allocation> allocations() const;
  /// The tensor that held the address last, if it has been released; else null.
  const Allocation* released_at(const void* address) const;

 private:
  [[noreturn]] void throw_no_room(std::string_view name, std::int64_t bytes) const;
  std::int64_t place_for(std::int64_t pages);
  std::int64_t page_of(const void* address) const;
  void forget_released(std::int64_t first, std::int64_t pages);

  std::int64_t pages_, asked_, used_ = 0;  // used_: pages that were ever handed out come first
  unsigned char* base_ = nullptr;
  std::map<std::int64_t, std::int64_t> free_;       // first page -> pages
  std::map<std::int64_t, Allocation> allocations_;  // by first page
  std::map<std::int64_t, Allocation> released_;     // likewise, until something else takes their place
};

}  // namespace emulator
