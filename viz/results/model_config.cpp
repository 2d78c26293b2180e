#include "viz/results/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "viz/results/input_file.h"

namespace results {
namespace {

using Keys = std::initializer_list<const char*>;

/// The object of a config that holds its attention, and its name in errors.
struct Source {
  const nlohmann::json& object;
  std::string origin;

  const nlohmann::json* find(Keys keys) const {
    for (const char* key : keys) {
      const auto found = object.find(key);
      if (found != object.end() && !found->is_null()) return &*found;
    }
    return nullptr;
  }

  template <class... Words>
  void check(bool holds, const Words&... words) const {
    sim::require(holds, "model: ", origin, ": ", words...);
  }

  std::optional<std::int64_t> whole_number(Keys keys, std::int64_t most = std::int64_t{1} << 30) const {
    const nlohmann::json* value = find(keys);
    if (value == nullptr) return std::nullopt;
    const bool fits =
        value->is_number_integer() && value->get<double>() >= 1 && value->get<double>() <= static_cast<double>(most);
    check(fits, *keys.begin(), " ",
          sim::quoted(value->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), 60),
          " is not a whole number from 1 to ", most);
    return value->get<std::int64_t>();
  }

  std::int64_t needed(Keys keys) const {
    const auto value = whole_number(keys);
    if (value) return *value;
    std::string names;
    for (const char* key : keys) names += (names.empty() ? "" : " or ") + std::string(key);
    check(false, names, " is missing: is it the config.json of a model?");
    return 0;
  }

  std::string word(const char* key) const {
    const nlohmann::json* value = find({key});
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
  }

  bool is_false(const char* key) const {
    const nlohmann::json* value = find({key});
    return value != nullptr && value->is_boolean() && !value->get<bool>();
  }
};

constexpr Keys head_keys = {"num_attention_heads", "n_head"}, kv_keys = {"num_key_value_heads", "num_kv_heads"},
               width_keys = {"hidden_size", "n_embd"}, layer_keys = {"num_hidden_layers", "n_layer"};

std::int64_t head_dim(const Source& source, std::int64_t heads) {
  if (const auto given = source.whole_number({"head_dim"})) return *given;
  const std::int64_t width = source.needed(width_keys);
  source.check(width % heads == 0, "hidden_size ", width, " is not a multiple of the ", heads,
               " heads, and there is no head_dim");
  return width / heads;
}

std::optional<double> scale(const Source& source, std::int64_t d) {
  const nlohmann::json* scalar = source.find({"query_pre_attn_scalar"});
  if (scalar == nullptr) return std::nullopt;
  source.check(scalar->is_number() && scalar->get<double>() > 0 && std::isfinite(scalar->get<double>()),
               "query_pre_attn_scalar is not a number above 0");
  const double value = scalar->get<double>();
  return value == static_cast<double>(d) ? std::nullopt : std::optional(1 / std::sqrt(value));
}

/// Number of layers with a window among `all`, if a list names each of them.
std::int64_t windowed_in_list(const Source& source, const nlohmann::json& kinds, std::int64_t all) {
  source.check(kinds.is_array() && static_cast<std::int64_t>(kinds.size()) == all,
               "layer_types does not name each of the ", all, " layers");
  return std::count_if(kinds.begin(), kinds.end(),
                       [](const nlohmann::json& kind) { return kind == "sliding_attention"; });
}

/// Number of layers with a window if no list names them: every other one, five of six, or all.
std::int64_t windowed_by_rule(const Source& source, const std::string& type, std::int64_t all) {
  if (const auto every = source.whole_number({"sliding_window_pattern"})) return all - all / *every;
  if (type == "gemma2" || type == "gpt_oss") return all - all / 2;
  if (const auto first = source.whole_number({"max_window_layers"})) return std::max<std::int64_t>(0, all - *first);
  return all;
}

sim::Layers layers(const Source& source, const std::string& type) {
  const std::int64_t all = source.whole_number(layer_keys, 100'000).value_or(0);
  const std::optional<std::int64_t> window = source.whole_number({"sliding_window"});
  if (!window || source.is_false("use_sliding_window")) return {all, 0, 0};
  sim::Layers layers{0, all, *window - 1};
  if (const nlohmann::json* kinds = source.find({"layer_types"}))
    layers.windowed = windowed_in_list(source, *kinds, all);
  else if (all > 0)
    layers.windowed = windowed_by_rule(source, type, all);
  layers.full = all - layers.windowed;
  return layers;
}

std::vector<std::string> beyond(const Source& source, const std::string& type) {
  std::vector<std::string> words;
  if (source.find({"attn_logit_softcapping"}) != nullptr) words.emplace_back("the softcap of its scores");
  if (type == "gpt_oss") words.emplace_back("its attention sinks");
  return words;
}

/// Sentence on the windows of the layers; "" if all layers see all keys.
std::string window_note(const sim::Layers& layers) {
  if (layers.window == 0 && layers.windowed == 0) return "";
  if (layers.full == 0)
    return sim::text("sliding_window is --window ", layers.window, ", since it counts the query itself");
  return sim::text("a layer of full attention is simulated, ", layers.full, " of ", layers.all(),
                   "; the others have --window ", layers.window);
}

}  // namespace

ModelConfig parse_model_config(std::string_view text, const std::string& origin) {
  const nlohmann::json config = nlohmann::json::parse(text, nullptr, false);
  const std::string called = sim::shortened(origin, 1000);
  sim::require(config.is_object(), "model: ", called, ": is not a JSON object");
  const auto inner = config.find("text_config");
  const bool nested = inner != config.end() && inner->is_object();
  const Source source{nested ? *inner : config, nested ? called + ": text_config" : called};
  source.check(source.find({"kv_lora_rank"}) == nullptr,
               "multi-head latent attention (kv_lora_rank) is not modelled: give --heads, --kv-heads and --head-dim of "
               "the attention that you mean");
  ModelConfig model;
  model.type = source.word("model_type");
  model.heads = source.needed(head_keys);
  model.kv_heads = source.whole_number(kv_keys).value_or(model.heads);
  source.check(model.kv_heads <= model.heads && model.heads % model.kv_heads == 0, "num_attention_heads ", model.heads,
               " is not a multiple of num_key_value_heads ", model.kv_heads);
  model.head_dim = head_dim(source, model.heads);
  model.scale = scale(source, model.head_dim);
  model.layers = layers(source, model.type);
  model.beyond = beyond(source, model.type);
  return model;
}

void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes,
                       void (*check)(const std::string&, const std::string&, std::int64_t)) {
  const auto found = options.find("model");
  if (found == options.end() || !sim::in_lower_case(found->second).ends_with(".json")) return;
  const std::string path = found->second;
  constexpr std::int64_t longest = 1 << 20;
  check("model", path, longest);
  const ModelConfig model = parse_model_config(read_text("model", path, longest), path);
  options.erase(found);
  sim::OptionValues taken = {{"heads", std::to_string(model.heads)},
                             {"kv-heads", std::to_string(model.kv_heads)},
                             {"head-dim", std::to_string(model.head_dim)}};
  if (model.scale) taken["scale"] = fmt::format("{}", *model.scale);
  if (model.layers.all() > 0) taken["layers"] = sim::text_of(model.layers);
  if (model.layers.window > 0 && model.layers.full == 0) taken["window"] = std::to_string(model.layers.window);
  std::string words;
  for (const auto& [name, value] : taken) {
    if (options.emplace(name, value).second) words += (words.empty() ? "" : ", ") + name + " " + value;
  }
  notes.push_back(sim::text("model: ", path, ": ", words.empty() ? "nothing" : words,
                            " taken; --causal is not set: a config does not contain it"));
  if (const std::string note = window_note(model.layers); !note.empty()) notes.push_back("model: " + note);
  if (!model.beyond.empty()) notes.push_back("model: " + sim::joined(model.beyond, " and ") + " are not modelled");
}

}  // namespace results
