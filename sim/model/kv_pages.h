// Pages of the KV cache of a run, and how many sequences fit into HBM in pages and in other ways.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "sim/programs/plan.h"

namespace sim {

/// Pages of K and V of one layer, over all sequences.
struct KvPages {
  std::int64_t size = 0;             ///< tokens of a page
  std::int64_t blocks = 0;           ///< pages in memory
  std::int64_t blocks_unshared = 0;  ///< pages if each sequence had its own
  std::int64_t copies = 0;           ///< pages that were copied before a sequence wrote to them
  std::int64_t filled = 0;           ///< slots of these pages that hold a token
  std::int64_t tokens = 0;           ///< tokens of all sequences: those in shared pages count in each
  Bytes copied;                      ///< K and V of the pages that were copied: read once and written once
  Bytes rounding;                    ///< what reading the last page of each sequence to its end would add to K and V
  std::int64_t slots() const { return checked_multiply(blocks, size); }
  double filled_share() const { return static_cast<double>(filled) / static_cast<double>(slots()); }
  double logical_share() const { return static_cast<double>(tokens) / static_cast<double>(slots()); }
};

/// Empty if K and V are not in pages.
std::optional<KvPages> kv_pages_of(const Plan& plan);

/// Ways in which an allocator reserves memory for a sequence.
///
///   paged          whole pages, those that sequences share once
///   power_of_two   the next power of two of its tokens
///   longest        the longest sequence that there may be: --context
///   exact          its tokens: a length that is known in advance, in one piece
enum class CacheWay : std::uint8_t { paged, power_of_two, longest, exact };
std::string_view name_of(CacheWay way);  ///< "paged", "power_of_two", ...

/// Sequences of a run's length that fit into HBM beside the weights, and the tokens that they make in a second.
struct CacheFit {
  CacheWay way = CacheWay::paged;
  std::int64_t reserved = 0;  ///< tokens that are reserved for a sequence
  std::int64_t sequences = 0;
  std::int64_t bytes = 0;              ///< of those who share: a prompt with its samples; else of a sequence
  std::int64_t bytes_of_all = 0;       ///< held once for all of them: a shared prefix
  std::optional<double> microseconds;  ///< predicted time of attention in one layer, if the run decodes
  std::optional<double> tokens_per_second;
};

/// Returns a row for each way; the longest only with --context. Empty if the run is not paged, names no layers, or has
/// entries of different lengths. A step of decoding reads all weights once, at the full rate of HBM, and runs attention
/// in each layer as in this run, or in the last of its steps: at small batches the weights are most of it, so a larger
/// batch is nearly free. Activations are left out, and layers with a window share no pages. Cost: a simulation for each
/// row.
std::vector<CacheFit> cache_fits(const Scenario& scenario);

}  // namespace sim
