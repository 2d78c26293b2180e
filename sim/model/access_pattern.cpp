// Derives a pattern in three steps: the lines of the listing that move tiles (accesses_of), the ends of stages
// (stages_of), and the tensors that always move together (Bundles). FlashAttention-1, forward, by the lines of the
// paper's algorithm:
//
//   line     access            stage                     bundle
//   2        writes O, l, m    0, outside of loops       0: O l m
//   6        reads K, V        1, the loop over keys     1: K V
//   8        reads Q           2, the loop over queries  2: Q
//   8        reads O, l, m     2                         0 again
//   12, 13   writes O, l, m    2                         0 again
//
// Lines 6 and 8 begin stages, because they are in other loops (Event::loop) than the lines before them. O, l and m are
// one bundle: they are named consecutively, and all three in stages 0 and 2. Q is not part of it, although it has the
// same number of rows: it is not named in stage 0. Cost: O(events x lines that move tiles).
#include "sim/model/access_pattern.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/trace/tensors.h"

namespace sim {
namespace {

/// One line of the listing that moves a tile.
struct Access {
  const Event* event = nullptr;  ///< first event of the line
  Scope scope = Scope::own;
  int depth = -1;
  Traffic traffic;  ///< traffic of all its events
  Interval cols;    ///< columns that they move, and those between them
  bool reads() const { return event->moves(Direction::read); }
  bool writes() const { return event->moves(Direction::write); }
  std::int32_t loop() const { return depth < 0 ? 0 : event->loop; }  ///< loop that moves its tile; 0: none does
};

bool of_loop(Origin origin) { return origin >= Origin::loop0; }
int depth_of(Origin origin) {
  return of_loop(origin) ? static_cast<int>(origin) - static_cast<int>(Origin::loop0) : -1;
}

Scope scope_of(const Problem& problem, const Launch& launch, const Event& event) {
  if (is_block_map(event.tensor) || launch.grid.by_entry()) return Scope::own;
  if (is_table(event.tensor) || is_per_block(event.tensor)) return Scope::queries;
  const Scope along = problem.hbm[event.tensor].per_kv_head() ? Scope::keys : Scope::queries;
  if (launch.grid.of_heads()) return along;
  const bool loop = of_loop(event.rows.origin) || of_loop(event.cols.origin);
  if (!loop && launch.grid.is_split() && event.cols.origin == Origin::whole) return Scope::own_rows;
  if (!loop) return Scope::own;
  const bool matrix = event.rows.origin != Origin::whole && event.cols.origin != Origin::whole;
  if (!matrix || launch.grid.of_tiles()) return along;
  return is_in_parts(event.tensor) ? Scope::own_part : Scope::own_tile;
}

Interval columns_of(const Event& event) { return {event.cols.begin, event.cols.begin + event.cols.size}; }

std::vector<Access> accesses_of(const Problem& problem, const Launch& launch, const Trace& trace) {
  std::vector<Access> accesses;
  for (const Event& event : trace.events) {
    if (event.direction == Direction::none) continue;
    // A role may load tiles of one loop in several lines: of the first tile, or of the last.
    auto same = std::find_if(accesses.begin(), accesses.end(), [&](const Access& made) {
      const bool of_roles = !trace.roles.empty() && made.event->direction == event.direction;
      return (of_roles || made.event->line == event.line) && made.event->tensor == event.tensor;
    });
    if (same == accesses.end()) {
      const int depth = std::max(depth_of(event.rows.origin), depth_of(event.cols.origin));
      accesses.push_back({&event, scope_of(problem, launch, event), depth, {}, columns_of(event)});
      same = accesses.end() - 1;
    }
    if (same->event->bytes == 0) same->event = &event;  // a role may have an empty part of a tile
    const Interval cols = columns_of(event);            // roles may move parts of the columns
    same->cols = {std::min(same->cols.begin, cols.begin), std::max(same->cols.end, cols.end)};
    same->traffic += traffic_of(event);
  }
  // CTAs that see nothing come first and skip lines, so sort by listing line. What a role reads once comes first: its
  // line may be inside of a loop.
  const auto place = [&](const Access& access) {
    const bool once = !trace.roles.empty() && access.reads() && access.depth < 0;
    return once ? 0 : access.event->line;
  };
  std::stable_sort(accesses.begin(), accesses.end(),
                   [&](const Access& a, const Access& b) { return place(a) < place(b); });
  return accesses;
}

/// Bytes of one element: an entry in grids of tiles and in matrices, a row elsewhere.
double element_bytes(const Launch& launch, const Access& access) {
  const Event& e = *access.event;
  const bool entries = launch.grid.of_tiles() || access.scope == Scope::own_tile;
  const double bytes = static_cast<double>(e.bytes) / static_cast<double>(e.rows.size * (entries ? e.cols.size : 1));
  const bool part = e.cols.origin == Origin::whole && e.cols.size > 0;
  return part ? bytes * static_cast<double>(access.cols.size()) / static_cast<double>(e.cols.size) : bytes;
}

/// Returns the stage of each access. A stage ends with its loop, also if another loop of equal depth follows; loops of
/// roles run side by side.
std::vector<std::size_t> stages_of(const std::vector<Access>& accesses, bool of_roles) {
  std::vector<std::size_t> stages;
  std::size_t stage = 0;
  for (std::size_t n = 0; n < accesses.size(); ++n) {
    const Access& access = accesses[n];
    const auto other = [&](const Access& before) {
      return access.depth != before.depth || (!of_roles && access.loop() != before.loop());
    };
    if (n > 0 && other(accesses[n - 1])) ++stage;
    stages.push_back(stage);
  }
  return stages;
}

/// Groups tensors into bundles: tensors named in the same stages and scope, consecutively.
class Bundles {
 public:
  Bundles(const Launch& launch, const std::vector<Access>& accesses, const std::vector<std::size_t>& stages,
          AccessPattern& pattern)
      : pattern_(pattern) {
    const Access* before = nullptr;
    std::vector<std::size_t> stages_before;
    for (const Access& access : accesses) {
      const Tensor tensor = access.event->tensor;
      if (where_.count(tensor) == 0) {
        const std::vector<std::size_t> named = stages_that_name(tensor, accesses, stages);
        if (before == nullptr || before->scope != access.scope || stages_before != named) begin(access.scope);
        Bundle& bundle = pattern.bundles.back();
        where_[tensor] = {static_cast<int>(pattern.bundles.size()) - 1, 1U << bundle.parts.size()};
        bundle.parts.push_back({tensor, element_bytes(launch, access)});
        before = &access;
        stages_before = named;
      } else if (before != nullptr && where_[tensor].first + 1 != static_cast<int>(pattern.bundles.size())) {
        before = nullptr;  // an access to another bundle in between
      }
    }
  }

  void use(const std::vector<Access>& accesses, std::size_t at, Stage& stage) {
    const Access& access = accesses[at];
    const auto [bundle, bit] = where_.at(access.event->tensor);
    auto use = std::find_if(stage.uses.begin(), stage.uses.end(),
                            [index = bundle](const BundleUse& made) { return made.bundle == index; });
    if (use == stage.uses.end()) {
      stage.uses.push_back({bundle, {}, 0, false, 0});
      use = stage.uses.end() - 1;
    }
    use->returns = use->returns || use + 1 != stage.uses.end();
    if (access.reads() && (use->move.writes & bit) != 0 && (use->move.reads & bit) == 0) {
      use->rereads |= bit;
      use->between = static_cast<double>(access.event->bytes);
    } else if (access.reads()) {
      use->move.reads |= bit;
    }
    if (access.writes()) use->move.writes |= bit;
  }

 private:
  static std::vector<std::size_t> stages_that_name(Tensor tensor, const std::vector<Access>& accesses,
                                                   const std::vector<std::size_t>& stages) {
    std::vector<std::size_t> named;
    for (std::size_t n = 0; n < accesses.size(); ++n) {
      if (accesses[n].event->tensor == tensor && (named.empty() || named.back() != stages[n]))
        named.push_back(stages[n]);
    }
    return named;
  }
  void begin(Scope scope) {
    pattern_.bundles.emplace_back();
    pattern_.scopes.push_back(scope);
  }

  AccessPattern& pattern_;
  std::map<Tensor, std::pair<int, unsigned>> where_;
};

/// Bytes of rows of the keys that queries see, of all batch entries; those in shared pages once.
Bytes bytes_of_keys(const Problem& problem, const HbmTensor& tensor, std::int64_t rows) {
  const std::int64_t held = held_rows(problem.key_sections, problem.shape, rows);
  return Bytes(product(held, problem.shape.kv_heads, tensor.cols, size_of(tensor.dtype)));
}

/// Returns the bytes that one line accesses at least once.
Bytes covered(const Problem& problem, const Launch& launch, const Access& access) {
  const Shape& shape = problem.shape;
  const Event& event = *access.event;
  const HbmTensor& tensor = problem.hbm[event.tensor];
  if (is_alone(access.scope)) return access.reads() ? access.traffic.read : access.traffic.written;
  const Bytes all = tensor.total_bytes(shape);
  if (is_table(event.tensor)) return all;
  if (is_per_block(event.tensor)) return std::min(all, access.traffic.read);
  const bool rows_of_ctas = access.scope == Scope::own_rows;
  const bool written = !access.reads();  // also by CTAs that see nothing
  if ((access.depth < 0 && (!rows_of_ctas || written)) || !launch.grid.skips) return all;
  const bool keys = access.scope == Scope::keys;
  if (keys && launch.grid.all_keys) return all;
  const std::int64_t rows = keys ? live_key_rows(shape, launch.grid) : live_query_rows(shape, launch.grid);
  if (tensor.shared_rows > 0) return bytes_of_keys(problem, tensor, rows);
  return Bytes(all.count() / tensor.rows * rows);
}

void add_once(const Problem& problem, const Launch& launch, const std::vector<Access>& accesses,
              AccessPattern& pattern) {
  std::set<Tensor> seen;
  for (const Access& access : accesses) {
    const Tensor tensor = access.event->tensor;
    const bool is_first = seen.insert(tensor).second;
    const bool made_here = !launch.reads(tensor);  // written before it is read
    TouchedOnce& once = pattern.once[static_cast<std::size_t>(tensor)];
    const Bytes bytes = covered(problem, launch, access);
    if (access.reads() && !made_here) once.read = std::max(once.read, bytes);
    if (access.writes()) once.written = std::max(once.written, bytes);
    pattern.reuses = pattern.reuses || !is_first || !is_alone(access.scope);
  }
}

/// Order of the loop at a line; of none and of others, up.
BlockOrder order_at(const Trace& trace, std::int32_t line) {
  for (const CountedLoop& loop : trace.loops) {
    if (loop.line == line && loop.order != BlockOrder::up) return loop.order;
  }
  return BlockOrder::up;
}

}  // namespace

double Bundle::bytes() const {
  double sum = 0;
  for (const Part& part : parts) sum += part.bytes;
  return sum;
}

AccessPattern access_pattern(const Problem& problem, const Launch& launch, const Trace& trace) {
  AccessPattern pattern;
  std::vector<Access> accesses = accesses_of(problem, launch, trace);
  add_once(problem, launch, accesses, pattern);
  // Block maps, scales and tables take a byte for each tile, read once, 4 for each block, or 16 for each entry: too
  // small to evict anything from the L2.
  std::erase_if(accesses, [](const Access& access) {
    const Tensor tensor = access.event->tensor;
    return is_block_map(tensor) || is_per_block(tensor) || is_table(tensor);
  });
  const std::vector<std::size_t> stages = stages_of(accesses, !trace.roles.empty());
  Bundles bundles(launch, accesses, stages, pattern);
  for (std::size_t n = 0; n < accesses.size(); ++n) {
    if (n == 0 || stages[n] != stages[n - 1])
      pattern.stages.push_back({accesses[n].depth, order_at(trace, accesses[n].loop()), {}});
    bundles.use(accesses, n, pattern.stages.back());
  }
  return pattern;
}

}  // namespace sim
