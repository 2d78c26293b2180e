#include "kernels/emulator/warp.h"

#include "kernels/emulator/block.h"

namespace emulator {
namespace {

struct Shuffled {
  std::uint64_t value, result;
  ShuffleSource source;
};

/// The lane that `lane` reads: itself if the source is beyond its group of `width` lanes.
int source_lane(int lane, ShuffleSource source) {
  const int first = lane / source.width * source.width, end = first + source.width;
  const int amount = source.amount & (warp_size - 1);
  switch (source.kind) {
    case ShuffleSource::Kind::from:
      return first + amount % source.width;
    case ShuffleSource::Kind::across:
      return (lane ^ amount) < end ? lane ^ amount : lane;
    case ShuffleSource::Kind::down:
      return lane + amount < end ? lane + amount : lane;
  }
  return lane;
}

void compute_shuffle(const Lanes& lanes) {
  for (int lane = 0; lane < warp_size; ++lane) {
    if ((lanes.mask >> lane & 1u) == 0) continue;
    auto* own = static_cast<Shuffled*>(lanes.operand[static_cast<std::size_t>(lane)]);
    const int source = source_lane(lane, own->source);
    if ((lanes.mask >> source & 1u) == 0)
      fail(sim::text("shuffle: lane ", lane, " reads lane ", source, ", which is not there"));
    own->result = static_cast<const Shuffled*>(lanes.operand[static_cast<std::size_t>(source)])->value;
  }
}

struct Vote {
  bool vote;
  std::uint32_t result;
};

void compute_ballot(const Lanes& lanes) {
  std::uint32_t votes = 0;
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    if ((lanes.mask >> lane & 1u) != 0 && static_cast<const Vote*>(lanes.operand[lane])->vote) votes |= 1u << lane;
  }
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    if ((lanes.mask >> lane & 1u) != 0) static_cast<Vote*>(lanes.operand[lane])->result = votes;
  }
}

}  // namespace

void collective(const char* name, std::uint32_t mask, void* operand, void (*compute)(const Lanes&)) {
  current->block.meet_warp(*current, name, mask, operand, compute);
}

std::uint64_t shuffle_bits(std::uint32_t mask, std::uint64_t value, ShuffleSource source) {
  meets_at(__builtin_return_address(0));
  Shuffled own{value, 0, source};
  collective("shuffle", mask, &own, compute_shuffle);
  return own.result;
}

std::uint32_t ballot(std::uint32_t mask, bool vote) {
  meets_at(__builtin_return_address(0));
  Vote own{vote, 0};
  collective("ballot", mask, &own, compute_ballot);
  return own.result;
}

}  // namespace emulator
