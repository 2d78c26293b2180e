// The attention of a model, out of the config.json that Hugging Face keeps beside its weights.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/results/input_file.h"

namespace results {

/// Attention of a model, as its config has it.
struct ModelConfig {
  std::string type;  ///< model_type; "" where there is none
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::optional<double> scale;      ///< where it is not 1 / sqrt(head_dim)
  sim::Layers layers;               ///< none of them where the config does not count them
  std::vector<std::string> beyond;  ///< what of its attention is not modelled: "softcap", "sinks"
};

/// Reads a config. Keys, with the spellings of other models in brackets: num_attention_heads [n_head],
/// num_key_value_heads [num_kv_heads], head_dim, else hidden_size [n_embd] / heads, query_pre_attn_scalar,
/// sliding_window unless use_sliding_window is false, layer_types, num_hidden_layers [n_layer]; all of them also in
/// text_config. Throws sim::Error that begins with `model: origin` and names the key: not JSON, a key that is missing,
/// no whole number or not in range, heads that do not divide, and multi-head latent attention, which is not modelled.
ModelConfig parse_model_config(std::string_view json, const std::string& origin);

/// Where `model` names a FILE.json, its options stand in its place, but for those that were given; `notes` says what
/// was taken and what the model has beyond that. `check` is called before it is read. Throws sim::Error.
void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes,
                       void (*check)(const std::string&, const std::string&, std::int64_t) = check_input);

}  // namespace results
