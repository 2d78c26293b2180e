#include "viz/model/tiles/tiles_on_chip.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "sim/trace/tensors.h"
#include "viz/model/operand_bytes.h"

namespace explorer {
namespace {

using sim::Cycles;
using sim::Event;
using sim::Tensor;
using sim::Verb;

constexpr std::size_t tiles_per_keyframe = 64;

std::size_t index_of(std::int32_t n) { return static_cast<std::size_t>(n); }

/// True if the result is a statistic. The weights of all parts count as a tile: the exp unit works only on tiles.
bool is_vector(const Event& event) { return is_per_row(event.tensor) && event.engine != sim::Engine::exp; }

/// True for a load of a few numbers, such as a sink or the scale of a block, which the ledger leaves out.
bool loads_numbers(const Event& event) {
  return event.verb == Verb::load && facts_of(event.tensor).cols == sim::extents::one && !is_per_row(event.tensor);
}

bool leaves_the_chip(const Event& event) { return event.engine == sim::Engine::copy_out; }

/// Index of the operand that a verb overwrites if it allocates no new tile.
std::size_t operand_in_place(Verb verb) { return verb == Verb::gemm ? 2 : verb == Verb::jacobian ? 1 : 0; }

/// Allocations recorded by the ledger, event by event.
class Takings {
 public:
  explicit Takings(const std::vector<sim::OccupancySample>& samples) : samples_(samples) {}

  /// Fills level and bytes of the tile allocated right before event `n`; false if there is none.
  bool before(std::size_t n, ChipTile& tile) {
    bool taken = false;
    for (; next_ < samples_.size() && samples_[next_].events <= static_cast<std::int64_t>(n); ++next_) {
      const auto& now = samples_[next_];
      const sim::Bytes smem = now.smem - last_.smem, registers = now.registers - last_.registers;
      last_ = now;
      if (smem <= sim::Bytes{} && registers <= sim::Bytes{}) continue;
      tile.in_registers = registers > sim::Bytes{};
      tile.bytes = std::max(smem, registers).count();
      taken = true;
    }
    return taken;
  }

 private:
  const std::vector<sim::OccupancySample>& samples_;
  sim::OccupancySample last_;
  std::size_t next_ = 0;
};

/// Fills level and bytes of a tile in shared memory that a ring or a CTA with roles has taken from its start.
bool placed_before(const Event& event, ChipTile& tile) {
  const bool copied = event.verb == Verb::load && event.sync.barrier >= 0;
  const bool transposed = event.verb == Verb::transpose;  // reads as many bytes as it writes
  if (!copied && event.verb != Verb::move && !transposed) return false;
  tile.in_registers = false;
  tile.bytes = copied ? event.sync.bytes : transposed ? event.smem_bytes / 2 : event.smem_bytes;
  return true;
}

void extend(ChipTile& tile, Cycles until) { tile.end = std::max(tile.end, until); }

/// A region of memory, occupied until a time.
struct Slot {
  std::int64_t address, bytes;
  Cycles until;
};

/// The first gap that is large enough between regions sorted by address.
std::int64_t first_gap(const std::vector<Slot>& taken, std::int64_t bytes) {
  std::int64_t address = 0;
  for (const Slot& place : taken) {
    if (place.address - address >= bytes) break;
    address = std::max(address, place.address + place.bytes);
  }
  return address;
}

}  // namespace

TilesOnChip::TilesOnChip(const sim::Trace& trace) : trace_(&trace) {
  make_tiles();
  sort_by_time();
  give_places();
  make_keyframes();
}

/// Creates the tiles in program order: every event makes a tile or overwrites an operand, and uses its operands.
void TilesOnChip::make_tiles() {
  const auto& events = trace_->events;
  holders_.assign(events.size(), -1);
  Takings takings(trace_->occupancy);
  // l' is computed from l, which is not its event's operand: a statistic lives until the next one of its name is made.
  std::map<std::pair<std::uint8_t, Tensor>, std::int32_t> newest_of_name;
  for (std::size_t n = 0; n < events.size(); ++n) {
    const Event& event = events[n];
    const bool vector = is_vector(event) || loads_numbers(event);
    ChipTile made{static_cast<std::int32_t>(n), true, vector, 0, 0, event.begin, event.end};
    if (made.is_vector) made.bytes = event.rows.size * 4;
    const bool on_ledger = takings.before(n, made);
    if (event.engine == sim::Engine::barrier) continue;
    const bool taken = placed_before(event, made) || (on_ledger && !loads_numbers(event));
    made.is_vector = made.is_vector && !taken;
    const std::int32_t before = event.operands[operand_in_place(event.verb)];
    const bool in_place = !taken && !made.is_vector && before != sim::no_event && holders_[index_of(before)] >= 0;
    if (event.asynchronous) narrow_operand(event);
    for (const std::int32_t operand : event.operands) {
      if (operand == sim::no_event || holders_[index_of(operand)] < 0) continue;
      extend(tiles_[index_of(holders_[index_of(operand)])], event.end);
    }
    if (leaves_the_chip(event)) continue;
    holders_[n] = in_place ? holders_[index_of(before)] : static_cast<std::int32_t>(tiles_.size());
    if (!in_place) tiles_.push_back(made);
    if (sim::is_statistic(event.tensor)) {
      std::int32_t& newest = newest_of_name.try_emplace({event.role, event.tensor}, -1).first->second;
      if (newest >= 0 && event.engine != sim::Engine::copy_in) extend(tiles_[index_of(newest)], event.begin);
      newest = holders_[n];
    }
    writers_.emplace_back(holders_[n], static_cast<std::int32_t>(n));
  }
}

/// P in registers as the operand of an asynchronous product has the bytes of the dtype: the rest is free after softmax.
void TilesOnChip::narrow_operand(const Event& product) {
  const std::int32_t made = product.operands[0];
  if (made == sim::no_event || holders_[index_of(made)] < 0 || trace_->events[index_of(made)].verb != Verb::exp) return;
  const ChipTile& wide = tiles_[index_of(holders_[index_of(made)])];
  holders_[index_of(made)] = static_cast<std::int32_t>(tiles_.size());
  writers_.emplace_back(holders_[index_of(made)], made);
  tiles_.push_back({made, true, false, wide.bytes * operand_bytes(*trace_) / 4, 0, wide.end, wide.end});
}

void TilesOnChip::sort_by_time() {
  std::vector<std::int32_t> order(tiles_.size()), rank(tiles_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return tiles_[index_of(a)].begin < tiles_[index_of(b)].begin;
  });
  std::vector<ChipTile> sorted;
  sorted.reserve(tiles_.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    rank[index_of(order[n])] = static_cast<std::int32_t>(n);
    sorted.push_back(tiles_[index_of(order[n])]);
  }
  tiles_ = std::move(sorted);
  for (auto& [tile, event] : writers_) tile = rank[index_of(tile)];
  for (std::int32_t& tile : holders_) {
    if (tile >= 0) tile = rank[index_of(tile)];
  }
  const auto key = [&](const auto& w) { return std::tuple(w.first, trace_->events[index_of(w.second)].begin); };
  std::stable_sort(writers_.begin(), writers_.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

void TilesOnChip::give_places() {
  std::vector<Slot> taken[2];
  std::map<std::pair<std::int16_t, Tensor>, std::int64_t> stages;  // address by barrier, and tensor: L comes with Q
  const auto stage_of = [&](const ChipTile& tile) {
    const Event& event = trace_->events[index_of(tile.event)];
    return std::pair(tile.in_registers ? std::int16_t{-1} : event.sync.barrier, event.tensor);
  };
  for (const ChipTile& tile : tiles_) {
    const auto stage = stage_of(tile);
    if (stage.first < 0 || stages.count(stage) > 0) continue;
    stages[stage] = extents_[0];
    taken[0].push_back({extents_[0], tile.bytes, Cycles(std::numeric_limits<std::int64_t>::max())});
    extents_[0] += tile.bytes;
  }
  for (ChipTile& tile : tiles_) {
    if (tile.is_vector || tile.bytes == 0) continue;
    if (!tile.in_registers) ++count_in_smem_;
    const auto stage = stages.find(stage_of(tile));
    if (stage != stages.end()) {
      tile.address = stage->second;
      continue;
    }
    auto& places = taken[tile.in_registers ? 1 : 0];
    std::erase_if(places, [&](const Slot& place) { return place.until <= tile.begin; });
    tile.address = first_gap(places, tile.bytes);
    const Slot place{tile.address, tile.bytes, tile.end};
    const auto after = std::partition_point(places.begin(), places.end(),
                                            [&](const Slot& other) { return other.address < place.address; });
    places.insert(after, place);
    std::int64_t& extent = extents_[tile.in_registers ? 1 : 0];
    extent = std::max(extent, tile.address + tile.bytes);
  }
}

void TilesOnChip::make_keyframes() {
  std::vector<std::int32_t> alive;
  for (std::size_t n = 0; n < tiles_.size(); ++n) {
    if (n % tiles_per_keyframe == 0) {
      std::erase_if(alive, [&](std::int32_t t) { return tiles_[index_of(t)].end <= tiles_[n].begin; });
      keyframes_.push_back(alive);
    }
    alive.push_back(static_cast<std::int32_t>(n));
  }
}

std::vector<std::int32_t> TilesOnChip::at(Cycles time) const { return within(time, time + Cycles(1)); }

std::vector<std::int32_t> TilesOnChip::within(Cycles from, Cycles to) const {
  const auto begun_before = [&](Cycles time) {
    return static_cast<std::size_t>(
        std::partition_point(tiles_.begin(), tiles_.end(), [&](const ChipTile& tile) { return tile.begin < time; }) -
        tiles_.begin());
  };
  const std::size_t count = begun_before(to), old = std::min(begun_before(from), count);
  if (count == 0) return {};
  const std::size_t frame = (old == 0 ? 0 : old - 1) / tiles_per_keyframe;
  std::vector<std::int32_t> found = keyframes_[frame];
  for (std::size_t n = frame * tiles_per_keyframe; n < count; ++n) found.push_back(static_cast<std::int32_t>(n));
  std::erase_if(found, [&](std::int32_t t) { return tiles_[index_of(t)].end <= from; });
  return found;
}

std::int32_t TilesOnChip::writer(std::int32_t tile, Cycles time) const {
  const auto first =
      std::partition_point(writers_.begin(), writers_.end(), [&](const auto& writer) { return writer.first < tile; });
  const auto after = std::partition_point(first, writers_.end(), [&](const auto& writer) {
    return writer.first == tile && trace_->events[index_of(writer.second)].begin <= time;
  });
  return after == first ? tiles_[index_of(tile)].event : std::prev(after)->second;
}

}  // namespace explorer
