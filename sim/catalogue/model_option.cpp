// The rows of the options --model and --layers.
#include <algorithm>

#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"
#include "sim/programs/models.h"

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

/// Parses "32", or "21+21:4095": full layers, windowed layers, and their window.
Layers parse_layers(const std::string& value) {
  const std::size_t plus = value.find('+'), colon = value.find(':', plus == std::string::npos ? 0 : plus);
  if (plus == std::string::npos) return {parse_whole_number("layers", value, 1, most_layers), 0, 0};
  require(colon != std::string::npos, "layers: \"", value.substr(0, 100),
          "\" is not N or FULL+WINDOWED:W, such as 32 or 21+21:4095");
  const std::string_view text(value);
  Layers layers;
  layers.full = parse_whole_number("layers", text.substr(0, plus), 0, most_layers);
  layers.windowed = parse_whole_number("layers", text.substr(plus + 1, colon - plus - 1), 0, most_layers);
  layers.window = parse_whole_number("layers", text.substr(colon + 1), 0, std::int64_t{1} << 30);
  require(layers.all() > 0, "layers: \"", value.substr(0, 100), "\" has none");
  return layers;
}

/// Examples to choose from: the layers of the known models.
std::vector<std::string> layer_examples() {
  std::vector<std::string> examples;
  for (const ModelHeads& model : model_heads()) {
    const std::string layers = text_of(model.layers);
    if (std::find(examples.begin(), examples.end(), layers) == examples.end()) examples.push_back(layers);
  }
  return examples;
}

}  // namespace

std::string text_of(const Layers& layers) {
  if (layers.windowed == 0) return std::to_string(layers.full);
  return text(layers.full, "+", layers.windowed, ":", layers.window);
}

OptionValues with_model(OptionValues values) {
  const auto named = values.find("model");
  if (named == values.end()) return values;
  const auto& all = model_heads();
  const auto model = std::find_if(all.begin(), all.end(), [&](const ModelHeads& m) { return m.name == named->second; });
  if (model == all.end()) return values;
  values.emplace("heads", std::to_string(model->heads));
  values.emplace("kv-heads", std::to_string(model->kv_heads));
  values.emplace("head-dim", std::to_string(model->head_dim));
  values.emplace("layers", text_of(model->layers));
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
                        {"heads", "kv-heads", "head-dim", "layers"}};
  option.set = [](Scenario&, const std::string& value, const GpuLookup&) {  // with_model() has expanded it
    parse_choice("model", value, model_names());
  };
  return option;
}

ScenarioOption layers_option() {
  return read_by([](const Scenario& s) { return s.layers ? OptionValue(text_of(*s.layers)) : OptionValue(); },
                 [](Scenario& s, const std::string& value, const GpuLookup&) { s.layers = parse_layers(value); },
                 {"layers",
                  "N|FULL+WINDOWED:W",
                  OptionKind::name,
                  "layers of the model, of which WINDOWED keep the newest key and W before it; they multiply only the "
                  "KV cache [the model's, else none]",
                  /*say*/ "layers",
                  /*say*/ "layers that keep K and V; traffic and time are those of one",
                  {},
                  automatic | seldom,
                  layer_examples});
}

}  // namespace sim
