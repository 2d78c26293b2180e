#include "viz/results/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "sim/programs/models.h"
#include "sim/programs/program.h"
#include "viz/results/input_file.h"
#include "viz/results/model_layers.h"

namespace results {
namespace {

/// Equal layers of a model.
struct Group {
  ModelLayer layer;
  std::int64_t count = 0, own_caches = 0;
};

bool is_equal(const ModelLayer& a, const ModelLayer& b) {
  return a.label == b.label && a.heads == b.heads && a.kind.extent == b.kind.extent &&
         a.kind.kv_heads == b.kind.kv_heads && a.kind.head_dim == b.kind.head_dim;
}

/// Layers by kind, in order of the first of each; layers without attention by their name alone.
std::vector<Group> groups_of(const ModelSource& source, const std::vector<ModelLayer>& layers) {
  constexpr std::size_t most = 64;
  std::vector<Group> groups;
  for (const ModelLayer& layer : layers) {
    auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return layer.attends ? is_equal(group.layer, layer) : group.layer.label == layer.label;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {layer});
    same->count += 1;
    same->own_caches += layer.caches ? 1 : 0;
    source.check(groups.size() <= most, "has more than ", most, " kinds of layers");
  }
  return groups;
}

/// Moves the kind that is simulated to the front: full attention, then windows, then chunks; the most frequent first.
void put_simulated_first(std::vector<Group>& groups) {
  const auto rank = [](const Group& group) {
    const std::string& label = group.layer.label;
    return !group.layer.attends ? 3 : label == "full" ? 0 : label == "windowed" ? 1 : 2;
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : rank(a) < 3 && a.count > b.count;
  });
}

/// The layers that keep K and V; KV heads and head dim are left out where they are those of the simulated layer.
sim::Layers layers_of(const std::vector<Group>& groups) {
  const sim::LayerKind& simulated = groups.front().layer.kind;
  sim::Layers layers;
  for (const Group& group : groups) {
    sim::LayerKind kind = group.layer.kind;
    kind.count = group.own_caches;
    const bool same_dim = kind.head_dim == simulated.head_dim;
    if (same_dim) kind.head_dim.reset();
    if (same_dim && kind.kv_heads == simulated.kv_heads) kind.kv_heads.reset();
    const auto same = std::find_if(layers.kinds.begin(), layers.kinds.end(), [&](const sim::LayerKind& other) {
      return other.kept == kind.kept && other.extent == kind.extent && other.kv_heads == kind.kv_heads &&
             other.head_dim == kind.head_dim && other.latent == kind.latent;
    });
    if (same != layers.kinds.end())
      same->count += kind.count;
    else if (kind.count > 0)
      layers.kinds.push_back(kind);
  }
  return layers;
}

/// "40 windowed (--window 1023, 8 KV heads of d 256)".
std::string words_of(const Group& group, bool with_heads) {
  const sim::LayerKind& kind = group.layer.kind;
  std::string inside;
  if (kind.kept == sim::KeptKeys::window) inside = sim::text("--window ", kind.extent);
  if (kind.kept == sim::KeptKeys::chunk) inside = sim::text("chunks of ", kind.extent, " keys");
  if (with_heads && group.layer.attends)
    inside += sim::text(inside.empty() ? "" : ", ", *kind.kv_heads, *kind.kv_heads == 1 ? " KV head" : " KV heads",
                        " of d ", *kind.head_dim);
  return sim::text(group.count, " ", group.layer.label, inside.empty() ? "" : " (" + inside + ")");
}

/// "12 full, 36 linear"; "" if all layers have the same full attention.
std::string mix_of(const std::vector<Group>& groups, const std::vector<ModelLayer>& layers) {
  const auto shared =
      std::count_if(layers.begin(), layers.end(), [](const ModelLayer& l) { return l.attends && !l.caches; });
  if (groups.size() == 1 && groups.front().layer.label == "full" && shared == 0) return "";
  const sim::LayerKind& first = groups.front().layer.kind;
  const bool with_heads = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    const sim::LayerKind& kind = group.layer.kind;
    return group.layer.attends && (kind.kv_heads != first.kv_heads || kind.head_dim != first.head_dim);
  });
  std::string mix;
  for (const Group& group : groups) mix += (mix.empty() ? "" : ", ") + words_of(group, with_heads);
  if (shared > 0) mix += sim::text("; ", shared, " of them read the keys and values of other layers");
  return mix;
}

/// Scale of the scores, set if it is not 1 / sqrt(d).
std::optional<double> scale(const ModelSource& source, std::int64_t head_dim) {
  const auto d = static_cast<double>(head_dim);
  std::optional<double> scale = source.positive_number({"softmax_scale", "attention_multiplier", ".scale"});
  if (const auto scalar = source.positive_number({"query_pre_attn_scalar"})) scale = 1 / std::sqrt(*scalar);
  if (source.is_false("scale_attn_weights")) scale = 1;
  if (source.is_true("scale_qk_dot_by_d") || source.is_true("mup_scale_qk_dot_by_d")) scale = 1 / d;
  if (source.is_true(".scale_of_half")) scale = 1 / std::sqrt(d / 2);
  return scale && std::abs(*scale * std::sqrt(d) - 1) < 1e-12 ? std::nullopt : scale;
}

/// True for null, false, 0, "" and empty lists: a feature that is turned off.
bool is_off(const ConfigJson& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return value.is_null() || value == false || value == 0 || ((value.is_array() || value.is_object()) && value.empty());
}

/// Kind of rope that multiplies the scores by a factor, in rope_scaling or rope_parameters; "" if there is none.
std::string rope_with_factor(const ConfigJson& rope) {
  if (!rope.is_object()) return "";
  for (const auto& [key, value] : rope.items()) {
    const bool kind =
        (key == "type" || key == "rope_type") && (value == "yarn" || value == "longrope" || value == "su");
    if (kind) return value.get<std::string>();
    if ((key == "attention_factor" || key == "llama_4_scaling_beta") && !is_off(value)) return key;
    if (std::string inner = rope_with_factor(value); !inner.empty()) return inner;
  }
  return "";
}

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

/// Adds the features that are not modelled: those of the family, and those of keys.
void add_features(const ModelSource& source, std::vector<std::string>& beyond) {
  const std::string_view own = source.family() == nullptr ? "" : source.family()->features;
  for (const std::string_view feature : sim::split(own, ";")) {
    if (!feature.empty()) add_once(beyond, std::string(feature));
  }
  for (const NamedKey& named : named_keys()) {
    const ConfigJson* value = source.find({named.key});
    if (value != nullptr && !is_off(*value)) add_once(beyond, sim::text(named.effect, " (", named.key, ")"));
  }
  const std::string positions = source.word("position_embedding_type");
  const bool plain = positions.empty() || positions == "absolute" || positions.starts_with("rope") ||
                     positions == "rotary" || positions == "nope" || positions == "learned_absolute" ||
                     positions == "alibi";
  if (!plain) add_once(beyond, "its positions (position_embedding_type " + sim::quoted(positions, 60) + ")");
  for (const char* rope : {"rope_scaling", "rope_parameters"}) {
    const ConfigJson* value = source.find({rope});
    const std::string kind = value == nullptr ? "" : rope_with_factor(*value);
    if (!kind.empty()) add_once(beyond, sim::text("the factor of its scores (", kind, " in ", rope, ")"));
  }
  const ConfigJson* pruned = source.find({"pruned_heads"});
  if (pruned != nullptr && !is_off(*pruned)) add_once(beyond, "its pruned heads (pruned_heads)");
  const ConfigJson* quantized = source.find({"quantization_config"});
  for (const char* key : {"kv_cache_scheme", "kv_cache_quant_algo"}) {
    if (quantized != nullptr && quantized->is_object() && quantized->contains(key) && !is_off((*quantized)[key]))
      add_once(beyond, sim::text("the number format of its KV cache (", key, "); --dtype is that of the run"));
  }
  const bool crosses = source.is_true("is_encoder_decoder");
  if (crosses && own.find("cross attention") == std::string_view::npos)
    add_once(beyond, "its cross attention (is_encoder_decoder)");
}

/// Softcap and ALiBi, in all spellings.
void set_score_steps(const ModelSource& source, ModelConfig& model) {
  for (const char* key : {"attn_logit_softcapping", "attn_logit_softcap", "attn_soft_cap"}) {
    const ConfigJson* value = source.find({key});
    if (value != nullptr && !is_off(*value)) model.softcap = source.positive_number({key});
  }
  for (const char* key : {"alibi", "use_alibi"}) model.alibi = source.is_true(key) || model.alibi;
  if (source.word("position_embedding_type") == "alibi") model.alibi = true;
  model.alibi_is_scaled = source.is_true(".alibi_is_scaled");
}

ModelConfig model_of(const ModelSource& source) {
  source.check(!source.is_true(".other_layers") || source.find({"kv_lora_rank"}) == nullptr,
               "multi-head latent attention (kv_lora_rank) beside layers of other kinds is not modelled: give --heads, "
               "--kv-heads and --head-dim of the attention that you mean");
  ModelConfig model;
  bool counted = false;
  const std::vector<ModelLayer> layers = model_layers(source, model.beyond, counted);
  std::vector<Group> groups = groups_of(source, layers);
  put_simulated_first(groups);
  const ModelLayer& simulated = groups.front().layer;
  source.check(simulated.attends, "none of its ", layers.size(), " layers has attention");
  model.type = source.type();
  model.heads = simulated.heads;
  model.kv_heads = *simulated.kind.kv_heads;
  model.head_dim = *simulated.kind.head_dim;
  const auto of_v = source.whole_number({"v_head_dim", "value_head_dim"});
  if (of_v && *of_v != model.head_dim) model.head_dim_v = of_v;
  if (const auto row = simulated.kind.latent) model.latent = {*row, source.needed({"kv_lora_rank"})};
  model.scale = scale(source, model.head_dim);
  if (simulated.label == "windowed") model.window = simulated.kind.extent;
  if (simulated.label == "chunked") model.chunk = simulated.kind.extent;
  set_score_steps(source, model);
  if (counted) {
    model.layers = layers_of(groups);
    model.mix = mix_of(groups, layers);
  }
  add_features(source, model.beyond);
  model.unknown = source.unknown_keys();
  model.defaults = source.defaults_read();
  return model;
}

/// Sentence on layers that differ, or that all have a window.
std::string layers_note(const ModelConfig& model) {
  const std::string counts = "sliding_window counts the query itself";
  if (model.mix.empty()) return model.window ? sim::text("--window ", *model.window, ": ", counts) : "";
  const bool one_kind = model.layers.kinds.size() == 1 && model.mix.find(", ") == std::string::npos;
  if (one_kind) return "layers: " + model.mix + (model.window ? ": " + counts : "");
  return "layers: " + model.mix + "; a layer " +
         (model.window ? "with a window is simulated: " + counts : "of full attention is simulated");
}

/// Notes on what is taken from elsewhere, differs, is left out, or is not known.
void add_notes(const ModelConfig& model, bool absorbed, std::vector<std::string>& notes) {
  const auto add = [&](const std::string& text) { notes.push_back("model: " + text); };
  if (const std::string note = layers_note(model); !note.empty()) add(note);
  if (model.latent.any() && absorbed)
    add("multi-head latent attention: the absorbed form is simulated, in which all heads read the latent rows that the "
        "KV cache holds");
  if (model.latent.any() && !absorbed)
    add("multi-head latent attention: the form of prefill is simulated, with K and V of all heads; the KV cache has "
        "their latent rows, which --algorithm mla-decode reads");
  if (!model.defaults.empty())
    add("the file leaves out values, and those of the class of " + model.type +
        " are taken: " + sim::joined(model.defaults));
  if (!model.type.empty() && family_of(model.type) == nullptr)
    add("model_type " + sim::quoted(model.type, 60) + " is not known: its keys are read as those of other models");
  if (!model.beyond.empty()) add("not modelled: " + sim::joined(model.beyond, "; "));
  if (!model.unknown.empty()) add("keys that are not known and may change attention: " + sim::joined(model.unknown));
}

/// Number of keys that the options ask for; empty if they vary or differ.
std::optional<std::int64_t> keys_of(const sim::OptionValues& options) {
  for (const char* name : {"seqlens", "cu-seqlens"}) {
    if (options.contains(name)) return std::nullopt;
  }
  std::vector<std::string_view> names = {"seqlen-k"};
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const auto& sets = option.covers;
    if (option.is_alias() && std::find(sets.begin(), sets.end(), names[0]) != sets.end()) names.push_back(option.name);
  }
  for (const std::string_view name : names) {
    const auto given = options.find(std::string(name));
    if (given == options.end()) continue;
    try {
      return sim::parse_whole_number(name, sim::exact_value(name, given->second), 1, sim::largest_option);
    } catch (const sim::Error&) {
      return std::nullopt;  // its reader reports it
    }
  }
  return sim::Scenario{}.shape.seqlen_k;
}

/// Lengths of the chunks of all keys, as --documents takes them; "" if no option describes them, as if they are very
/// many, or if one chunk has all keys.
std::string chunks_of(const ModelConfig& model, const sim::OptionValues& options) {
  constexpr std::int64_t most = 1000;
  const auto keys = keys_of(options);
  const bool other = options.contains("documents") || options.contains("prefix");
  if (!model.chunk || !keys || other || *keys <= *model.chunk || *keys > most * *model.chunk) return "";
  std::string lengths;
  for (std::int64_t left = *keys; left > 0; left -= *model.chunk)
    lengths += (lengths.empty() ? "" : " ") + std::to_string(std::min(left, *model.chunk));
  return lengths;
}

/// Sentence on the chunks of the simulated layer, of these lengths by chunks_of(); "" if it has none.
std::string chunks_note(const ModelConfig& model, const std::string& chunks, const sim::OptionValues& options) {
  if (!model.chunk) return "";
  const std::string each = sim::text("chunks of ", *model.chunk, " keys: ");
  if (!chunks.empty()) return each + "each is a document, of which a query sees its own; --documents " + chunks;
  const auto keys = keys_of(options);
  return each +
         (keys && *keys <= *model.chunk ? "one has all keys" : "not modelled, the simulated layer sees all keys");
}

/// Adds the score steps of a config, for a program that takes them.
void add_score_steps(const ModelConfig& model, sim::OptionValues& options) {
  if (model.softcap) options["softcap"] = fmt::format("{}", *model.softcap);
  if (model.alibi && model.alibi_is_scaled)
    options["score"] = "s-slope*abs(q+Nk-Nq-k)/sqrt(d)";
  else if (model.alibi)
    options["alibi"] = "1";
}

/// Options that a config sets; `absorbed`: for a program that takes latent rows.
sim::OptionValues options_of(const ModelConfig& model, bool absorbed) {
  sim::OptionValues options = {{"heads", std::to_string(model.heads)},
                               {"kv-heads", std::to_string(model.kv_heads)},
                               {"head-dim", std::to_string(model.head_dim)}};
  if (model.head_dim_v) options["head-dim-v"] = std::to_string(*model.head_dim_v);
  if (model.scale) options["scale"] = fmt::format("{}", *model.scale);
  if (model.layers.all() > 0) options["layers"] = sim::text_of(model.layers);
  if (model.window) options["window"] = std::to_string(*model.window);
  if (!absorbed || !model.latent.any()) return options;
  sim::OptionValues latent = sim::absorbed_options(model.latent, model.head_dim);
  if (model.scale) latent["scale"] = options.at("scale");
  latent.merge(options);
  return latent;
}

void add_note_of_name(const std::string& name, std::vector<std::string>& notes) {
  for (const sim::ModelHeads& model : sim::model_heads()) {
    if (model.name == name && !model.note.empty()) notes.push_back("model: " + model.note);
  }
}

}  // namespace

ModelConfig parse_model_config(std::string_view text, const std::string& origin) {
  return model_of(ModelSource(text, origin));
}

void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes,
                       void (*check)(const std::string&, const std::string&, std::int64_t)) {
  const auto found = options.find("model");
  if (found == options.end()) return;
  const std::string path = found->second;
  if (!sim::in_lower_case(path).ends_with(".json")) return add_note_of_name(path, notes);
  constexpr std::int64_t longest = 1 << 20;
  check("model", path, longest);
  const ModelConfig model = parse_model_config(read_text("model", path, longest), path);
  options.erase(found);
  const auto program = sim::program_in(options);
  const bool absorbed = program != nullptr && program->kv_shared == sim::SharedKv::always;
  sim::OptionValues taken = options_of(model, absorbed);
  if (program == nullptr || program->score_steps)
    add_score_steps(model, taken);
  else if (model.softcap || model.alibi)
    notes.push_back(sim::text("model: not modelled: ", model.softcap ? "the softcap" : "ALiBi",
                              " of its scores, which ", program->name, " does not take"));
  const std::string chunks = chunks_of(model, options), chunks_in_words = chunks_note(model, chunks, options);
  if (!chunks.empty()) taken["documents"] = chunks;
  std::string words;
  for (const auto& [name, value] : taken) {
    if (options.emplace(name, value).second) words += (words.empty() ? "" : ", ") + name + " " + value;
  }
  notes.push_back(sim::text("model: ", path, ": ", words.empty() ? "nothing" : words,
                            " taken; --causal is not set: a config does not contain it"));
  add_notes(model, absorbed, notes);
  if (!chunks_in_words.empty()) notes.push_back("model: " + chunks_in_words);
}

}  // namespace results
