// KV cache of a model: K and V of all layers, which decoding keeps in HBM.
#pragma once
#include <optional>

#include "sim/programs/scenario.h"

namespace sim {

/// Bytes of K and V in HBM, in the dtype of the run: the sum over kinds of layers, which may differ in the keys that
/// they keep, in KV heads and in head dim. Weights and activations are not included.
struct KvCache {
  Layers layers;
  std::int64_t bytes_per_token = 0;     ///< all layers: 2 x layers x KV heads x d x bytes of an element
  std::int64_t bytes_per_sequence = 0;  ///< for Nk tokens
  std::int64_t bytes = 0;               ///< for all sequences of the batch
  std::int64_t shared_bytes = 0;        ///< left out of these: in pages of another sequence
  std::int64_t sequences_that_fit = 0;  ///< in the HBM of the device, if it held nothing else
};

/// Returns the sizes of the KV cache; empty for a scenario that names neither a model nor its layers. Throws Error for
/// sizes beyond 64 bits.
std::optional<KvCache> kv_cache_of(const Scenario& scenario);

/// Returns the bytes of K and V of one token in one layer: 2 x KV heads x d x bytes of an element.
std::int64_t bytes_of_token(const LayerKind& kind, const Scenario& scenario);

/// Returns the number of keys that a layer keeps of a sequence of `keys`: all, at most window + 1, or at most a chunk.
std::int64_t keys_kept(const LayerKind& kind, std::int64_t keys);

}  // namespace sim
