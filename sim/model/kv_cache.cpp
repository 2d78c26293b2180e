#include "sim/model/kv_cache.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/programs/plan.h"

namespace sim {

std::int64_t bytes_of_token(const LayerKind& kind, const Scenario& s) {
  if (kind.latent) return product(*kind.latent, size_of(s.dtype));
  const auto [d, dv] = kind.head_dim ? HeadDims{*kind.head_dim, *kind.head_dim} : s.shape.head_dims();
  return product(kind.kv_heads.value_or(s.shape.kv_heads), shares_kv(s) ? d : d + dv, size_of(s.dtype));
}

std::int64_t keys_kept(const LayerKind& kind, std::int64_t keys) {
  if (kind.kept == KeptKeys::all) return keys;
  return std::min(keys, kind.extent + (kind.kept == KeptKeys::window ? 1 : 0));
}

std::optional<KvCache> kv_cache_of(const Scenario& s) {
  if (!s.layers || s.sequences != nullptr) return std::nullopt;  // sequences differ in length
  KvCache cache{*s.layers};
  const Shape each = with_entry_per_sample(s).shape;
  const std::int64_t shared =
      shared_rows(key_sections(s, each, s.cached_keys()), each.batch);  // of those who keep all keys
  for (const LayerKind& kind : cache.layers.kinds) {
    const std::int64_t token = product(bytes_of_token(kind, s), kind.count);
    cache.bytes_per_token = checked_add(cache.bytes_per_token, token);
    cache.bytes_per_sequence = checked_add(cache.bytes_per_sequence, product(token, keys_kept(kind, s.shape.seqlen_k)));
    if (kind.kept == KeptKeys::all)
      cache.shared_bytes = checked_add(cache.shared_bytes, checked_multiply(token, shared));
  }
  cache.bytes = product(cache.bytes_per_sequence, each.batch) - cache.shared_bytes;
  cache.sequences_that_fit = s.gpu->hbm_bytes / cache.bytes_per_sequence;
  return cache;
}

}  // namespace sim
