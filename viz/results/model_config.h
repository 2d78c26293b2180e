// Attention of a model, read from the config.json that Hugging Face stores with its weights.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/results/input_file.h"

namespace results {

/// Attention of a model, as its config specifies it. Heads, KV heads, head dim, scale and window are those of the layer
/// that is simulated: one of full attention if there is one, of the most frequent kind.
struct ModelConfig {
  std::string type;  ///< model_type; "" if missing
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::optional<std::int64_t> head_dim_v;  ///< set if it is not head_dim
  sim::LatentHeads latent;                 ///< of multi-head latent attention; none: 0
  std::optional<double> scale;             ///< set if it is not 1 / sqrt(head_dim)
  std::optional<double> softcap;           ///< of the scores
  bool alibi = false;                      ///< ALiBi: a slope for each head
  bool alibi_is_scaled = false;            ///< ALiBi is added before the scale
  std::optional<std::int64_t> window;      ///< of --window: without the query itself
  std::optional<std::int64_t> chunk;       ///< keys of a chunk: a query sees those of its own, as a document
  sim::Layers layers;                 ///< layers with a KV cache of their own; none if the config does not count them
  std::string mix;                    ///< "12 full, 36 linear": kinds of layers; "" if all have full attention
  std::vector<std::string> beyond;    ///< features of its attention that are not modelled: "softcap", "sinks"
  std::vector<std::string> unknown;   ///< keys that may change attention and are not known
  std::vector<std::string> defaults;  ///< "head_dim 256": values of its class that the file leaves out
};

/// Reads a config. Values that it leaves out are those of its configuration class (model_families.h). Read are heads,
/// KV heads, head dim, the scale of the scores, windows, chunks, the kinds of its layers, and KV heads and head dim of
/// single layers, in all spellings of the families; all of them also in text_config and the like. A bare Infinity or
/// NaN is accepted. Throws sim::Error that begins with `model: origin` and names the keys: not JSON, a key that is
/// missing, not a whole number or out of range, heads that do not divide, an unknown kind of layer, no layer of
/// attention, and multi-head latent attention beside layers of other kinds, which is not modelled. Alone it is read in
/// the form of prefill, with the latent rows as KV cache.
ModelConfig parse_model_config(std::string_view json, const std::string& origin);

/// If `model` names a FILE.json, replaces it by the file's options, except those already given; `notes` lists the
/// options taken, the kinds of layers, the features not modelled, and the keys not known. A published name adds the
/// note of its row. `check` is called before a file is read. Throws sim::Error.
void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes,
                       void (*check)(const std::string&, const std::string&, std::int64_t) = check_input);

}  // namespace results
