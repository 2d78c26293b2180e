// Attention of a model, read from the config.json that Hugging Face stores with its weights.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/results/input_file.h"

namespace results {

/// Attention of a model, as its config specifies it.
struct ModelConfig {
  std::string type;  ///< model_type; "" if missing
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::optional<double> scale;      ///< set if it is not 1 / sqrt(head_dim)
  sim::Layers layers;               ///< no layers if the config does not count them
  std::vector<std::string> beyond;  ///< features of its attention that are not modelled: "softcap", "sinks"
};

/// Reads a config. Keys, with the spellings of other models in brackets: num_attention_heads [n_head],
/// num_key_value_heads [num_kv_heads], head_dim, else hidden_size [n_embd] / heads, query_pre_attn_scalar,
/// sliding_window unless use_sliding_window is false, layer_types, num_hidden_layers [n_layer]; all of them also in
/// text_config. Throws sim::Error that begins with `model: origin` and names the key: not JSON, a key that is missing,
/// not a whole number or out of range, heads that do not divide, and multi-head latent attention, which is not
/// modelled.
ModelConfig parse_model_config(std::string_view json, const std::string& origin);

/// If `model` names a FILE.json, replaces it by the file's options, except those already given; `notes` lists the
/// options taken and the features not modelled. `check` is called before the file is read. Throws sim::Error.
void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes,
                       void (*check)(const std::string&, const std::string&, std::int64_t) = check_input);

}  // namespace results
