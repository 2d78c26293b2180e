#include "kernels/emulator/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "kernels/dev/device.h"
#include "kernels/emulator/asan.h"

namespace emulator {
namespace {

std::size_t unsigned_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

void* reserve(std::int64_t bytes) {
  return mmap(nullptr, unsigned_of(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

}  // namespace

/// Under a limit on address space (ulimit -v), halves the size until it fits, then halves it once more to leave space
/// for everything else.
Arena::Arena(std::int64_t bytes) : pages_(bytes / page), asked_(pages_) {
  void* mapped = reserve(pages_ * page);
  while (mapped == MAP_FAILED && pages_ > 1) {
    pages_ /= 2;
    mapped = reserve(pages_ * page);
    if (mapped == MAP_FAILED || pages_ == 1) continue;
    const std::int64_t kept = pages_ / 2;
    munmap(static_cast<unsigned char*>(mapped) + kept * page, unsigned_of((pages_ - kept) * page));
    pages_ = kept;
  }
  if (mapped == MAP_FAILED) throw_no_room("its memory", bytes);
  base_ = static_cast<unsigned char*>(mapped);
  free_.emplace(0, pages_);
}

void Arena::throw_no_room(std::string_view name, std::int64_t bytes) const {
  if (pages_ < asked_)
    throw dev::DeviceError(dev::DeviceError::Kind::missing,
                           sim::text("emulated device: no memory for ", name, " (", bytes, " bytes): of ",
                                     asked_ * page, " bytes of addresses only ", pages_ * page,
                                     " are available here; raise the limit (ulimit -v) or use a smaller scenario"));
  throw dev::DeviceError(dev::DeviceError::Kind::out_of_memory,
                         sim::text("emulated device: no memory for ", name, " (", bytes, " bytes) in its ",
                                   pages_ * page, " bytes of memory; use a smaller scenario"));
}

Arena::~Arena() {
  ASAN_UNPOISON_MEMORY_REGION(base_, unsigned_of(used_ * page));
  munmap(base_, unsigned_of(pages_ * page));
}

/// First fit.
std::int64_t Arena::place_for(std::int64_t pages) {
  for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
    const auto [first, size] = *hole;
    if (size < pages) continue;
    free_.erase(hole);
    if (size > pages) free_.emplace(first + pages, size - pages);
    return first;
  }
  return -1;
}

void* Arena::allocate(std::string_view name, std::int64_t bytes) {
  const std::int64_t pages = (bytes + page - 1) / page + 1;  // and a red zone
  const std::int64_t first = bytes < 0 || pages > pages_ ? -1 : place_for(pages);
  if (first < 0) throw_no_room(name, bytes);
  unsigned char* begin = base_ + first * page;
  forget_released(first, pages);
  used_ = std::max(used_, first + pages);
  allocations_[first] = {std::string(name), begin, bytes};
  ASAN_POISON_MEMORY_REGION(begin, unsigned_of(pages * page));
  ASAN_UNPOISON_MEMORY_REGION(begin, unsigned_of(bytes));
  std::memset(begin, 0xff, unsigned_of(bytes));
  return begin;
}

std::int64_t Arena::release(void* memory) {
  const auto found = allocations_.find(contains(memory) ? page_of(memory) : -1);
  sim::require(found != allocations_.end() && found->second.begin == memory,
               "emulated device: what is released was not allocated");
  const std::int64_t bytes = found->second.bytes, first = found->first, pages = (bytes + page - 1) / page + 1;
  madvise(memory, unsigned_of(pages * page), MADV_DONTNEED);
  ASAN_POISON_MEMORY_REGION(memory, unsigned_of(pages * page));
  released_[first] = found->second;
  allocations_.erase(found);
  auto hole = free_.emplace(first, pages).first;
  if (const auto next = std::next(hole); next != free_.end() && next->first == first + pages) {
    hole->second += next->second;
    free_.erase(next);
  }
  if (hole != free_.begin() && std::prev(hole)->first + std::prev(hole)->second == first) {
    std::prev(hole)->second += hole->second;
    free_.erase(hole);
  }
  return bytes;
}

bool Arena::contains(const void* address) const { return address >= base_ && address < base_ + pages_ * page; }

std::int64_t Arena::page_of(const void* address) const {
  return (static_cast<const unsigned char*>(address) - base_) / page;
}

std::vector<Allocation> Arena::allocations() const {
  std::vector<Allocation> all;
  for (const auto& [first, allocation] : allocations_) all.push_back(allocation);
  return all;
}

const Allocation* Arena::released_at(const void* address) const {
  if (!contains(address)) return nullptr;
  const auto after = released_.upper_bound(page_of(address));
  if (after == released_.begin() || address >= std::prev(after)->second.end()) return nullptr;
  return &std::prev(after)->second;
}

void Arena::forget_released(std::int64_t first, std::int64_t pages) {
  for (auto old = released_.begin(); old != released_.end();) {
    const std::int64_t last = page_of(old->second.end());
    old = last >= first && old->first < first + pages ? released_.erase(old) : std::next(old);
  }
}

}  // namespace emulator
