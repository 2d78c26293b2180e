#include "sim/model/kv_cache.h"

#include <algorithm>

namespace sim {

std::optional<KvCache> kv_cache_of(const Scenario& s) {
  if (!s.layers || s.sequences != nullptr) return std::nullopt;  // sequences differ in length
  const Layers& layers = *s.layers;
  const std::int64_t layer_token = product(2, s.shape.kv_heads, s.shape.head_dim, size_of(s.dtype));
  const std::int64_t keys = s.shape.seqlen_k, windowed_keys = std::min(keys, layers.window + 1);
  KvCache cache{layers};
  cache.bytes_per_token = product(layer_token, layers.all());
  cache.bytes_per_sequence =
      checked_add(product(layer_token, layers.full, keys), product(layer_token, layers.windowed, windowed_keys));
  cache.bytes = product(cache.bytes_per_sequence, s.shape.batch);
  cache.sequences_that_fit = s.gpu->hbm_bytes / cache.bytes_per_sequence;
  return cache;
}

}  // namespace sim
