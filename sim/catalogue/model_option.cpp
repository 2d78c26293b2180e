// The rows of the options --model and --layers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"
#include "sim/catalogue/typed_values.h"
#include "sim/programs/models.h"
#include "sim/programs/program.h"

namespace sim {
namespace {

constexpr std::int64_t most_layers = 100'000;

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelHeads& model : model_heads()) names.push_back(model.name);
  return names;
}

std::string model_help() {
  return "heads, kv-heads, head-dim and layers of " + joined(model_names()) +
         ", or of a config.json; options on the command line override them";
}

constexpr std::int64_t longest_extent = std::int64_t{1} << 30;

/// Cuts `text` at the first of `marks`; returns what follows it, and the mark itself in `mark` (0 if there is none).
std::string_view cut_at(std::string_view& text, std::string_view marks, char& mark) {
  const std::size_t at = text.find_first_of(marks);
  mark = at == std::string_view::npos ? '\0' : text[at];
  const std::string_view rest = mark == '\0' ? std::string_view() : text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

/// Parses "24", "24:4095", "24/8192", each also with "@4", "@4x256" or "~576".
LayerKind parse_layer_kind(std::string_view text) {
  char at = 0, x = 0, kept = 0, latent = 0;
  const std::string_view row = cut_at(text, "~", latent);
  std::string_view heads = cut_at(text, "@", at);
  const std::string_view dim = cut_at(heads, "x", x), extent = cut_at(text, ":/", kept);
  LayerKind kind{parse_whole_number("layers", text, 0, most_layers)};
  if (kept != '\0') {
    kind.kept = kept == ':' ? KeptKeys::window : KeptKeys::chunk;
    kind.extent = parse_whole_number("layers", extent, kept == ':' ? 0 : 1, longest_extent);
  }
  if (latent != '\0') kind.latent = parse_whole_number("layers", row, 1, largest_option);
  if (at != '\0') kind.kv_heads = parse_whole_number("layers", heads, 1, largest_option);
  if (x != '\0') kind.head_dim = parse_whole_number("layers", dim, 1, largest_option);
  return kind;
}

/// Parses "32"; "21+21:4095", where the number after a colon is the window of the layers before it; or a sum of more
/// kinds: "12+36/8192" has chunks, "8@1x512+40:1023" another number of KV heads and head dim in the first 8 layers,
/// "61~576" one latent row of a token.
Layers parse_layers(const std::string& value) {
  Layers layers;
  for (const std::string_view part : split(value, "+")) {
    const LayerKind kind = parse_layer_kind(part);
    const bool all_keys = kind.kept == KeptKeys::all, first = layers.kinds.empty();
    require(
        first ? all_keys : !all_keys || kind.kv_heads || kind.latent, "layers: \"", value.substr(0, 100),
        "\" is not N or FULL+WINDOWED:W, such as 32 or 21+21:4095, or 12+36/8192 for layers in chunks; @KV or @KVxD "
        "after a number gives those layers their own KV heads and head dim, ~R one latent row of R elements");
    layers.kinds.push_back(kind);
  }
  require(layers.all() > 0, "layers: \"", value.substr(0, 100), "\" has none");
  std::erase_if(layers.kinds, [](const LayerKind& kind) { return kind.count == 0; });
  return layers;
}

/// Examples to choose from: the layers of the known models.
std::vector<std::string> layer_examples() {
  std::vector<std::string> examples;
  for (const ModelHeads& model : model_heads()) {
    if (std::find(examples.begin(), examples.end(), model.layers) == examples.end()) examples.push_back(model.layers);
  }
  return examples;
}

}  // namespace

std::string text_of(const Layers& layers) {
  const bool begins = !layers.kinds.empty() && layers.kinds.front().kept == KeptKeys::all;
  std::string all = begins ? "" : "0";
  for (const LayerKind& kind : layers.kinds) {
    all += (all.empty() ? "" : "+") + std::to_string(kind.count);
    if (kind.kept != KeptKeys::all) all += text(kind.kept == KeptKeys::window ? ":" : "/", kind.extent);
    if (kind.kv_heads) all += text("@", *kind.kv_heads);
    if (kind.head_dim) all += text("x", *kind.head_dim);
    if (kind.latent) all += text("~", *kind.latent);
  }
  return all;
}

std::shared_ptr<const Program> program_in(const OptionValues& values) {
  const auto named = values.find("algorithm");
  try {
    return find_program(named == values.end() ? std::string(default_algorithm())
                                              : exact_value("algorithm", named->second));
  } catch (const Error&) {
    return nullptr;  // its reader reports it
  }
}

OptionValues absorbed_options(const LatentHeads& latent, std::int64_t head_dim) {
  std::array<char, 32> scale{};
  std::snprintf(scale.data(), scale.size(), "%.17g", 1 / std::sqrt(static_cast<double>(head_dim)));
  return {{"kv-heads", "1"},
          {"head-dim", std::to_string(latent.row)},
          {"head-dim-v", std::to_string(latent.rank)},
          {"scale", scale.data()}};
}

OptionValues with_model(OptionValues values) {
  const auto named = values.find("model");
  if (named == values.end()) return values;
  const auto& all = model_heads();
  const auto model = std::find_if(all.begin(), all.end(), [&](const ModelHeads& m) { return m.name == named->second; });
  if (model == all.end()) return values;
  values.emplace("heads", std::to_string(model->heads));
  values.emplace("layers", model->layers);
  const auto program = program_in(values);
  if (!model->softcap.empty() && program != nullptr && program->score_steps) values.emplace("softcap", model->softcap);
  if (model->latent.any() && program != nullptr && program->kv_shared == SharedKv::always) {
    values.merge(absorbed_options(model->latent, model->head_dim));
    return values;
  }
  values.emplace("kv-heads", std::to_string(model->kv_heads));
  values.emplace("head-dim", std::to_string(model->head_dim));
  if (model->head_dim_v != 0) values.emplace("head-dim-v", std::to_string(model->head_dim_v));
  return values;
}

ScenarioOption model_option() {
  static const std::string help = model_help();
  ScenarioOption option{"model",
                        "NAME|FILE.json",
                        OptionKind::name,
                        help,
                        /*say*/ "model",
                        /*say*/ "heads and d of a published model",
                        {},
                        no_traits,
                        model_names,
                        {"heads", "kv-heads", "head-dim", "head-dim-v", "layers", "scale", "softcap"}};
  option.set = [](Scenario&, const std::string& value, const GpuLookup&) {  // with_model() has expanded it
    parse_choice("model", value, model_names());
  };
  return option;
}

ScenarioOption layers_option() {
  return read_by(
      [](const Scenario& s) { return s.layers ? OptionValue(text_of(*s.layers)) : OptionValue(); },
      [](Scenario& s, const std::string& value, const GpuLookup&) { s.layers = parse_layers(value); },
      {"layers",
       "N|FULL+WINDOWED:W",
       OptionKind::name,
       "layers of the model, of which WINDOWED keep the newest key and W before it; +CHUNKED/C keep at most "
       "the C keys of a chunk; @KV or @KVxD after a number are the KV heads and head dim of those layers, as "
       "in 8+40:1023@8x256, ~R the elements of the one latent row of MLA, as in 61~576; they multiply only the KV "
       "cache [the model's, else none]",
       /*say*/ "layers",
       /*say*/ "layers that keep K and V; traffic and time are those of one",
       {},
       automatic | seldom,
       layer_examples});
}

}  // namespace sim
