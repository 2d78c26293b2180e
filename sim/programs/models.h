// Head layouts of published models: sources in models.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sim {

/// The absorbed form of multi-head latent attention: all query heads share one row of `row` elements for each key, K,
/// and its first `rank` elements are V. Scores have the scale of the form of prefill.
struct LatentHeads {
  std::int64_t row = 0, rank = 0;
  bool any() const { return row != 0; }
};

struct ModelHeads {
  std::string name;
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::string layers;  ///< as --layers
  std::string source;
  std::string note = {};  ///< version that the name means, and features that are not modelled; "" if there are none
  std::int64_t head_dim_v = 0;  ///< V has this one where it differs; else 0
  LatentHeads latent = {};      ///< of multi-head latent attention, which mla-decode takes in its absorbed form
  std::string softcap = {};     ///< of the scores, as --softcap; "" if there is none
};
const std::vector<ModelHeads>& model_heads();

}  // namespace sim
