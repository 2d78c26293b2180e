#include "kernels/emulator/address_map.h"

#include <algorithm>

// Bounds of the program image, from the linker.
extern "C" const char __executable_start[], _end[];  // NOLINT(bugprone-reserved-identifier)

namespace emulator {
namespace {

constexpr std::uintptr_t far = 4096;  // an address of the host farther than this from a range is unrelated to it

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool within(std::uintptr_t address, std::size_t bytes, std::uintptr_t begin, std::uintptr_t end) {
  return address >= begin && address < end && bytes <= end - address;
}

/// Bytes between an access and a range that does not contain it.
std::uintptr_t distance(std::uintptr_t address, std::uintptr_t begin, std::uintptr_t end) {
  if (address < begin) return begin - address;
  return address < end ? 0 : address - end;
}

std::string beside(const std::string& name, std::uintptr_t begin, std::uintptr_t end, std::uintptr_t address,
                   std::size_t bytes) {
  if (within(address, bytes, begin, end)) return sim::text("at byte ", address - begin, " of ", name);
  return sim::text(distance(address, begin, end), " bytes ",
                   address < begin ? "before the beginning of " : "past the end of ", name);
}

}  // namespace

AddressMap::AddressMap(const LaunchShape& shape, const Arena& arena)
    : arena_(arena),
      tensors_(arena.allocations()),
      parameters_(number(shape.parameters)),
      shared_bytes_(static_cast<std::size_t>(shape.smem)),
      parameter_bytes_(shape.parameter_bytes) {}

std::size_t AddressMap::tensor_at(std::uintptr_t address, std::size_t bytes) {
  const auto holds = [&](const Allocation& tensor) {
    return within(address, bytes, number(tensor.begin), number(tensor.end()));
  };
  if (latest_ < tensors_.size() && holds(tensors_[latest_])) return latest_;
  const auto after = std::upper_bound(tensors_.begin(), tensors_.end(), address,
                                      [](std::uintptr_t a, const Allocation& b) { return a < number(b.begin); });
  if (after == tensors_.begin() || !holds(*std::prev(after))) return none;
  return latest_ = static_cast<std::size_t>(after - tensors_.begin()) - 1;
}

bool AddressMap::readable(std::uintptr_t address, std::size_t bytes) const {
  return within(address, bytes, parameters_, parameters_ + parameter_bytes_) ||
         within(address, bytes, number(__executable_start), number(_end));
}

std::string AddressMap::place_of(std::uintptr_t address, std::size_t bytes) const {
  const auto* pointer = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr): only compared
  if (const Allocation* released = arena_.released_at(pointer))
    return "in " + released->name + ", which has been released";
  const std::uintptr_t shared_end = shared_ + shared_bytes_;
  if (distance(address, shared_, shared_end) < far)
    return beside(sim::text("shared memory (", shared_bytes_, " bytes)"), shared_, shared_end, address, bytes);
  const Allocation* nearest = nullptr;
  const auto distance_to = [&](const Allocation& tensor) {
    return distance(address, number(tensor.begin), number(tensor.end()));
  };
  for (const Allocation& tensor : tensors_) {
    if (nearest == nullptr || distance_to(tensor) < distance_to(*nearest)) nearest = &tensor;
  }
  if (nearest == nullptr || (!arena_.contains(pointer) && distance_to(*nearest) >= far))
    return sim::text("at address ", pointer, ", which is neither in shared memory nor in a tensor");
  return beside(nearest->name, number(nearest->begin), number(nearest->end()), address, bytes);
}

}  // namespace emulator
