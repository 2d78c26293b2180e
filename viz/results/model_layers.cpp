#include "viz/results/model_layers.h"

#include <algorithm>
#include <set>

#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace results {
namespace {

using Labels = std::vector<std::string>;

// Names of kinds of layers in layer_types, layers_block_type, block_types, hybrid_override_pattern and attention_types.
struct KindName {
  const char* name;
  const char* label;
};
constexpr KindName kind_names[] = {{"full_attention", "full"},
                                   {"attention", "full"},
                                   {"global_attention", "full"},
                                   {"global", "full"},
                                   {"full", "full"},
                                   {"hybrid", "full"},
                                   {"*", "full"},
                                   {"G", "full"},
                                   {"sliding_attention", "windowed"},
                                   {"local_attention", "windowed"},
                                   {"local", "windowed"},
                                   {"hybrid_sliding", "windowed"},
                                   {"L", "windowed"},
                                   {"chunked_attention", "chunked"},
                                   {"linear_attention", "linear"},
                                   {"mamba", "mamba"},
                                   {"mamba2", "mamba"},
                                   {"M", "mamba"},
                                   {"recurrent", "recurrent"},
                                   {"conv", "convolution"},
                                   {"mlp", "feed-forward"},
                                   {"-", "feed-forward"},
                                   {"moe", "feed-forward"},
                                   {"E", "feed-forward"}};
constexpr const char* sparse_names[] = {"deepseek_sparse_attention", "compressed_sparse_attention",
                                        "heavily_compressed_attention", "minimax_m3_sparse", "sparse_attention"};

/// What the rules below read: a config, its number of layers, and the features found.
struct Reading {
  const ModelSource& source;
  std::int64_t layers;
  std::vector<std::string>& beyond;

  std::size_t size() const { return static_cast<std::size_t>(layers); }

  template <class Rule>
  Labels each(Rule label_of) const {
    Labels labels;
    for (std::int64_t n = 0; n < layers; ++n) labels.emplace_back(label_of(n));
    return labels;
  }
};

std::string label_of(const Reading& of, std::string_view key, const ConfigJson& name) {
  const std::string word = name.is_string() ? name.get<std::string>() : name.dump();
  for (const KindName& kind : kind_names) {
    if (word == kind.name) return kind.label;
  }
  const bool sparse = std::find(std::begin(sparse_names), std::end(sparse_names), word) != std::end(sparse_names);
  of.source.check(sparse, key, " names a kind of layer that is not known: ", sim::quoted(word, 60));
  const std::string feature = sim::text("its sparse attention (", word, ")");
  if (std::find(of.beyond.begin(), of.beyond.end(), feature) == of.beyond.end()) of.beyond.push_back(feature);
  return "full";
}

/// A list of kinds, which repeats if it is shorter and `repeats` is set.
Labels from_list(const Reading& of, const char* key, const ConfigJson& list, bool repeats = false) {
  of.source.check(list.is_array() && !list.empty() && (repeats || list.size() == of.size()), key,
                  " does not name each of the ", of.layers, " layers");
  return of.each([&](std::int64_t n) { return label_of(of, key, list[static_cast<std::size_t>(n) % list.size()]); });
}

/// Letters of kinds, which repeat: "LLLG", "M-M*-".
Labels from_letters(const Reading& of, const char* key, const std::string& letters) {
  ConfigJson list = ConfigJson::array();
  for (const char letter : letters) list.push_back(std::string(1, letter));
  return from_list(of, key, list, true);
}

/// Numbers of the layers for which `yes` holds; the others are `no`.
Labels from_numbers(const Reading& of, const char* key, const ConfigJson& numbers, const char* yes, const char* no) {
  of.source.check(numbers.is_array(), key, " is not a list of layers");
  std::set<std::int64_t> named;
  for (const ConfigJson& number : numbers) {
    const bool is_layer = number.is_number_unsigned() && number.get<std::uint64_t>() < of.size();
    of.source.check(is_layer, key, " names layer ", number.dump(), " of ", of.layers);
    named.insert(number.get<std::int64_t>());
  }
  return of.each([&](std::int64_t n) { return named.count(n) > 0 ? yes : no; });
}

/// A list of 0 and 1, one for each layer.
Labels from_flags(const Reading& of, const char* key, const ConfigJson& flags, const char* one, const char* zero) {
  of.source.check(flags.is_array() && flags.size() >= of.size(), key, " does not name each of the ", of.layers,
                  " layers");
  return of.each([&](std::int64_t n) { return flags[static_cast<std::size_t>(n)] == 1 ? one : zero; });
}

/// Every n-th layer, the n-th first, is `yes`.
Labels every(const Reading& of, std::int64_t period, const char* yes, const char* no) {
  return of.each([&](std::int64_t n) { return (n + 1) % period == 0 ? yes : no; });
}

/// [[["global", "local"], 12]]: the inner list, 12 times.
Labels from_repeated_lists(const Reading& of, const char* key, const ConfigJson& lists) {
  ConfigJson all = ConfigJson::array();
  of.source.check(lists.is_array(), key, " is not a list");
  for (const ConfigJson& list : lists) {
    of.source.check(list.is_array() && list.size() == 2 && list[0].is_array(), key,
                    " is not a list of kinds and times");
    const std::int64_t times = of.source.number_of(list[1], key, of.layers);
    for (std::int64_t n = 0; n < times && all.size() <= of.size(); ++n)
      all.insert(all.end(), list[0].begin(), list[0].end());
  }
  return from_list(of, key, all);
}

Labels from_full_pattern(const Reading& of, const ConfigJson& pattern, const char* key) {
  if (!pattern.is_string()) return every(of, of.source.number_of(pattern, key), "full", "windowed");
  Labels labels = from_letters(of, key, pattern.get<std::string>());
  if (!labels.empty()) labels.back() = "full";
  return labels;
}

/// Kinds by the keys that are about windows only.
Labels by_windows(const Reading& of) {
  const ModelSource& source = of.source;
  const bool window =
      source.find({"sliding_window", "sliding_window_size", "attention_window_size", "local_attention"});
  if (!window || source.is_false("use_sliding_window")) return Labels(of.size(), "full");
  const ConfigJson* pattern = source.find({"sliding_window_pattern", "_sliding_window_pattern"});
  if (pattern != nullptr && *pattern != 0) return from_full_pattern(of, *pattern, "sliding_window_pattern");
  if (const auto full_every = source.whole_number({".full_every"})) return every(of, *full_every, "full", "windowed");
  if (const auto global = source.whole_number({"global_attn_every_n_layers"}))
    return of.each([&](std::int64_t n) { return n % *global == 0 ? "full" : "windowed"; });
  if (const ConfigJson* first = source.find({"max_window_layers"}); first != nullptr && *first != 0) {
    const std::int64_t full = source.number_of(*first, "max_window_layers");
    return of.each([&](std::int64_t n) { return n < full ? "full" : "windowed"; });
  }
  if (const ConfigJson* no_rope = source.find({"no_rope_layers"}); no_rope != nullptr && !no_rope->empty())
    return from_flags(of, "no_rope_layers", *no_rope, "full", "windowed");
  if (const auto interval = source.whole_number({"no_rope_layer_interval"}))
    return every(of, *interval, "windowed", "full");
  return Labels(of.size(), "windowed");
}

/// Layers with positions see chunks, those without see all keys; all layers see chunks if no key names either.
Labels by_chunks(const Reading& of) {
  const ConfigJson* no_rope = of.source.find({"no_rope_layers"});
  if (no_rope != nullptr && !no_rope->empty()) return from_flags(of, "no_rope_layers", *no_rope, "chunked", "full");
  if (const auto interval = of.source.whole_number({"no_rope_layer_interval"}))
    return every(of, *interval, "full", "chunked");
  return Labels(of.size(), "chunked");
}

Labels by_period(const Reading& of, const ConfigJson& period) {
  const ConfigJson* offset = of.source.find({"attn_layer_offset"});
  const std::int64_t every_n = of.source.number_of(period, "attn_layer_period");
  const std::int64_t at = offset != nullptr && offset->is_number_integer() ? offset->get<std::int64_t>() : 0;
  return of.each([&](std::int64_t n) { return n % every_n == at ? "full" : "mamba"; });
}

// Keys that name the kinds of layers, the first that is there counts.
struct KindRule {
  const char* key;
  Labels (*labels)(const Reading& of, const char* key, const ConfigJson& value);
};
constexpr KindRule kind_rules[] = {
    {"layer_types", [](const Reading& of, const char* key, const ConfigJson& v) { return from_list(of, key, v); }},
    {"layers_block_type",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_list(of, key, v); }},
    {"hybrid_override_pattern",
     [](const Reading& of, const char* key, const ConfigJson& v) {
       if (v.is_array()) return from_list(of, key, v);
       of.source.check(v.is_string(), key, " is not a text");
       return from_letters(of, key, v.get<std::string>());
     }},
    {"_block_types",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_list(of, key, v, true); }},
    {"block_types",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_list(of, key, v, true); }},
    {"attn_type_list",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_flags(of, key, v, "full", "linear"); }},
    {"hybrid_layer_pattern", [](const Reading& of, const char* key,
                                const ConfigJson& v) { return from_flags(of, key, v, "windowed", "full"); }},
    {"attn_layer_indices",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_numbers(of, key, v, "full", "mamba"); }},
    {"hybrid_layer_ids",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_numbers(of, key, v, "full", "mamba"); }},
    {"full_attn_idxs", [](const Reading& of, const char* key,
                          const ConfigJson& v) { return from_numbers(of, key, v, "full", "convolution"); }},
    {"attn_layer_period", [](const Reading& of, const char*, const ConfigJson& v) { return by_period(of, v); }},
    {"full_attention_interval",
     [](const Reading& of, const char* key, const ConfigJson& v) {
       return every(of, of.source.number_of(v, key), "full", "linear");
     }},
    {"attention_types",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_repeated_lists(of, key, v); }},
    {"cross_attention_layers", [](const Reading& of, const char* key,
                                  const ConfigJson& v) { return from_numbers(of, key, v, "cross-attention", "full"); }},
    {"attention_chunk_size", [](const Reading& of, const char*, const ConfigJson&) { return by_chunks(of); }},
    {".block_pattern",
     [](const Reading& of, const char* key, const ConfigJson& v) { return from_list(of, key, v, true); }}};

/// Label of each layer, by the first rule whose key is there, else by windows. The keys of the others are known then.
Labels labels_of(const Reading& of) {
  Labels labels;
  for (const KindRule& rule : kind_rules) {
    of.source.known({rule.key});
    if (!labels.empty()) continue;
    const ConfigJson* value = of.source.find({rule.key});
    const bool lists_none = std::string_view(rule.key) == "attn_layer_indices";
    const bool absent = value == nullptr || (value->is_array() && value->empty() && !lists_none);
    if (!absent) labels = rule.labels(of, rule.key, *value);
  }
  if (labels.empty()) labels = by_windows(of);
  of.source.known({"attn_layer_offset", "global_attn_every_n_layers", "max_window_layers", "no_rope_layer_interval",
                   "no_rope_layers", "sliding_window_pattern", "_sliding_window_pattern", "use_sliding_window"});
  const bool all_windowed = of.source.find({"attention_window_size"}) != nullptr;
  for (std::string& label : labels) {
    if (all_windowed && label == "full") label = "windowed";
  }
  if (of.source.is_true(".last_is_full") && !labels.empty()) labels.back() = "full";
  return labels;
}

/// Elements of the row that multi-head latent attention keeps of a token; empty for other attention.
std::optional<std::int64_t> latent_row(const ModelSource& source) {
  const auto rank = source.whole_number({"kv_lora_rank"});
  return rank ? std::optional(*rank + source.needed({"qk_rope_head_dim"})) : std::nullopt;
}

std::int64_t head_dim(const ModelSource& source, std::int64_t heads) {
  if (latent_row(source)) {
    source.known({"head_dim"});
    return source.needed({"qk_nope_head_dim"}) + source.needed({"qk_rope_head_dim"});
  }
  if (const auto given =
          source.whole_number({"head_dim", "attention_head_dim", "kv_channels", "d_kv", "attention_head_size"}))
    return *given;
  const std::int64_t width = source.needed({"hidden_size", "n_embd", "n_embed", "d_model", "dim", "model_dim"});
  const std::int64_t all = width * source.whole_number({".width_factor"}).value_or(1);
  source.check(all % heads == 0, "hidden_size ", width, " is not a multiple of the ", heads,
               " heads, and there is no head_dim");
  return all / heads;
}

/// KV heads of the model, by the rules of its family.
std::int64_t kv_heads(const ModelSource& source, std::int64_t heads) {
  const auto given = source.whole_number({"num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads",
                                          "n_kv_heads", "num_attention_groups", "attention_kv_heads"});
  const auto groups = source.whole_number({"multi_query_group_num"});
  const bool one = source.is_true("multi_query") || source.word("attn_type") == "multiquery_attention";
  const bool grouped = source.is_true("new_decoder_architecture");
  if (latent_row(source)) return heads;  // of prefill
  if (groups && source.is_true("multi_query_attention")) return *groups;
  if (one && !grouped) return 1;
  return given.value_or(heads);
}

/// Values of one key for each layer, if the config has a list of them.
void set_each(const ModelSource& source, ModelSource::Keys keys, std::vector<ModelLayer>& layers,
              void (*set)(ModelLayer&, std::int64_t)) {
  const ConfigJson* list = source.find(keys);
  if (list == nullptr || !list->is_array()) return;
  const char* const key = source.name_of(keys);
  source.check(list->size() == layers.size(), key, " does not name each of the ", layers.size(), " layers");
  for (std::size_t n = 0; n < layers.size(); ++n) set(layers[n], source.number_of((*list)[n], key));
}

void set_kv_heads(ModelLayer& layer, std::int64_t n) { layer.kind.kv_heads = n; }
void set_heads(ModelLayer& layer, std::int64_t n) { layer.heads = n; }

/// Extents of windows and chunks. `sliding_window` counts the query itself.
void set_extents(const ModelSource& source, std::vector<ModelLayer>& layers) {
  const auto both_sides = source.whole_number({"local_attention"});
  const auto window = both_sides
                          ? std::optional(*both_sides / 2 * 2 + 1)
                          : source.whole_number({"sliding_window", "sliding_window_size", "attention_window_size"});
  const auto neo = source.find({"attention_types"}) == nullptr ? std::nullopt : source.whole_number({"window_size"});
  const auto chunk = source.whole_number({"attention_chunk_size"});
  for (ModelLayer& layer : layers) {
    if (layer.label == "windowed") {
      source.check(window || neo, "there are layers with a window, and sliding_window is missing");
      layer.kind.kept = sim::KeptKeys::window;
      layer.kind.extent = (window ? *window : *neo) - 1;
    } else if (layer.label == "chunked") {
      source.check(chunk.has_value(), "there are layers with chunks, and attention_chunk_size is missing");
      layer.kind.kept = sim::KeptKeys::chunk;
      layer.kind.extent = *chunk;
    }
  }
}

/// Heads that differ by the kind of layer: global_* of full layers, swa_* of windowed ones.
void set_heads_by_kind(const ModelSource& source, std::vector<ModelLayer>& layers) {
  const auto global_dim = source.whole_number({"global_head_dim"});
  const auto global_kv = source.whole_number({"num_global_key_value_heads"});
  const bool shared = source.is_true("attention_k_eq_v");
  const auto swa_dim = source.whole_number({"swa_head_dim"}), swa_kv = source.whole_number({"swa_num_key_value_heads"});
  const auto swa_heads = source.whole_number({"swa_num_attention_heads"});
  for (ModelLayer& layer : layers) {
    if (layer.label == "full" && global_dim) layer.kind.head_dim = *global_dim;
    if (layer.label == "full" && global_kv && shared) layer.kind.kv_heads = *global_kv;
    if (layer.label != "windowed") continue;
    if (swa_dim) layer.kind.head_dim = *swa_dim;
    if (swa_kv) layer.kind.kv_heads = *swa_kv;
    layer.heads = swa_heads.value_or(layer.heads);
  }
}

/// Attention of one block of block_configs (nemotron-nas): heads that share a KV head, a window, or none at all.
void set_block(const ModelSource& source, const ConfigJson& attention, ModelLayer& layer,
               std::vector<std::string>& beyond) {
  for (const auto& [key, value] : attention.items()) {
    const bool off = value.is_null() || value == false || value == 0 || value.empty();
    if (off) continue;
    if (key == "n_heads_in_group")
      layer.kind.kv_heads = std::max<std::int64_t>(1, layer.heads / source.number_of(value, key));
    else if (key == "num_key_value_heads")
      layer.kind.kv_heads = source.number_of(value, key);
    else if (key == "no_op" || key == "replace_with_linear")
      layer = {key == "no_op" ? "without attention" : "linear", false, false, layer.heads, layer.kind};
    else if (key == "window_length")
      layer.label = "windowed", layer.kind.kept = sim::KeptKeys::window,
      layer.kind.extent = source.number_of(value, key) - 1;
    else if (const std::string named = sim::text(sim::shortened(sim::printable(key), 60), " of block_configs");
             std::find(beyond.begin(), beyond.end(), named) == beyond.end())
      beyond.push_back(named);
  }
}

void set_blocks(const ModelSource& source, std::vector<ModelLayer>& layers, std::vector<std::string>& beyond) {
  const ConfigJson* blocks = source.find({"block_configs"});
  if (blocks == nullptr) return;
  source.check(blocks->is_array() && blocks->size() == layers.size(), "block_configs does not name each of the ",
               layers.size(), " layers");
  for (std::size_t n = 0; n < layers.size(); ++n) {
    const ConfigJson& block = (*blocks)[n];
    const bool has = block.is_object() && block.contains("attention") && block["attention"].is_object();
    source.check(has, "block_configs has no attention for layer ", n);
    set_block(source, block["attention"], layers[n], beyond);
  }
}

/// Values that per_layer_config gives single layers.
void set_overrides(const ModelSource& source, std::vector<ModelLayer>& layers, std::vector<std::string>& beyond) {
  const ConfigJson* overrides = source.find({"per_layer_config"});
  if (overrides == nullptr || !overrides->is_object()) return;
  for (const auto& [number, values] : overrides->items()) {
    const std::size_t n =
        number.size() < 7 && std::all_of(number.begin(), number.end(), sim::is_digit) && !number.empty()
            ? static_cast<std::size_t>(std::stoul(number))
            : layers.size();
    source.check(n < layers.size() && values.is_object(), "per_layer_config: ", sim::quoted(number), " is not a layer");
    for (const auto& [key, value] : values.items()) {
      if (key == "num_key_value_heads")
        layers[n].kind.kv_heads = source.number_of(value, key);
      else if (key == "head_dim")
        layers[n].kind.head_dim = source.number_of(value, key);
      else if (may_change_attention(key))
        beyond.push_back(sim::text(sim::shortened(sim::printable(key), 60), " of per_layer_config"));
    }
  }
}

/// Layers that read K and V of others: the last ones, or all but every n-th.
void set_shared(const ModelSource& source, std::vector<ModelLayer>& layers) {
  const ConfigJson* last = source.find({"num_kv_shared_layers"});
  const auto factor = source.whole_number({"cla_share_factor"});
  const bool across = source.is_true("use_cla");
  const std::int64_t shared = last != nullptr && last->is_number_integer() ? last->get<std::int64_t>() : 0;
  const std::int64_t first = static_cast<std::int64_t>(layers.size()) - shared;
  for (std::int64_t n = 0; n < static_cast<std::int64_t>(layers.size()); ++n) {
    const bool reads = (first > 0 && n >= first) || (across && factor && n % *factor != 0);
    if (reads) layers[static_cast<std::size_t>(n)].caches = false;
  }
}

/// Number of layers: that of the list that names each, else the key; empty if there is neither.
std::optional<std::int64_t> number_of_layers(const ModelSource& source) {
  constexpr std::int64_t most = 100'000;
  const ModelSource::Keys keys = {"decoder_layers", "num_decoder_layers", "num_hidden_layers",     "n_layer",
                                  "n_layers",       "num_layers",         "num_transformer_layers"};
  const bool given = source.given(keys);
  const auto number = source.whole_number(keys, most);
  if (const std::string letters = source.word("hybrid_override_pattern"); !letters.empty()) {
    source.check(letters.size() <= most, "hybrid_override_pattern has too many layers");
    return static_cast<std::int64_t>(letters.size());
  }
  for (const char* list : {"layers_block_type", "layer_types", "block_configs", "hybrid_override_pattern"}) {
    const ConfigJson* value = source.find({list});
    const bool counts = value != nullptr && value->is_array() && !value->empty() && value->size() <= most;
    if (counts && (!given || list == std::string_view("layers_block_type")))
      return static_cast<std::int64_t>(value->size());
  }
  return number;
}

/// The number of heads, of the first layer if they differ.
std::int64_t heads_of(const ModelSource& source) {
  const ConfigJson* list = source.find({"num_query_heads", "num_attention_heads"});
  if (list != nullptr && list->is_array() && !list->empty())
    return source.number_of(list->front(), "num_attention_heads");
  return source.needed({"decoder_attention_heads", "num_attention_heads", "n_head", "n_heads", "num_heads",
                        "attention_heads", "num_query_heads"});
}

}  // namespace

std::vector<ModelLayer> model_layers(const ModelSource& source, std::vector<std::string>& beyond, bool& counted) {
  const auto number = number_of_layers(source);
  counted = number.has_value();
  const std::int64_t heads = heads_of(source), d = head_dim(source, heads);
  const ConfigJson* lists = source.find({"num_kv_heads", "num_key_value_heads"});
  const std::int64_t kv = lists != nullptr && lists->is_array() ? heads : kv_heads(source, heads);
  constexpr std::int64_t period = 60;  // of patterns, if the layers are not counted
  std::vector<ModelLayer> layers;
  for (const std::string& label : labels_of({source, number.value_or(period), beyond})) {
    const bool attends = label == "full" || label == "windowed" || label == "chunked";
    layers.push_back({label, attends, attends, heads, {1, sim::KeptKeys::all, 0, kv, d, latent_row(source)}});
  }
  set_extents(source, layers);
  set_heads_by_kind(source, layers);
  set_each(source, {"num_key_value_heads_per_layer", "num_kv_heads", "num_key_value_heads"}, layers, set_kv_heads);
  set_each(source, {"num_query_heads", "num_attention_heads"}, layers, set_heads);
  set_blocks(source, layers, beyond);
  set_overrides(source, layers, beyond);
  set_shared(source, layers);
  for (const ModelLayer& layer : layers)
    source.check(!layer.attends || (*layer.kind.kv_heads <= layer.heads && layer.heads % *layer.kind.kv_heads == 0),
                 "num_attention_heads ", layer.heads, " is not a multiple of num_key_value_heads ",
                 *layer.kind.kv_heads);
  return layers;
}

}  // namespace results
