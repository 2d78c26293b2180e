#include "sim/programs/scenario_options.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "sim/base/nearest.h"

namespace sim {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 40;

/// One of the allowed words, or Error.
std::size_t parse_choice(std::string_view option, std::string_view value, const std::vector<std::string>& allowed) {
  for (std::size_t n = 0; n < allowed.size(); ++n) {
    if (allowed[n] == value) return n;
  }
  throw Error(unknown_name_message(option, value, allowed));
}

double parse_number(std::string_view option, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  require(!value.empty() && *end == '\0' && std::isfinite(number), option, ": \"", value, "\" is not a finite number");
  return number;
}

/// Reads options one by one and remembers nothing else.
class Reader {
 public:
  explicit Reader(const OptionValues& values) : values_(values) {}
  const std::string* find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  void whole_number(std::string_view name, std::int64_t& target, std::int64_t least = 1) const {
    if (const std::string* value = find(name)) target = parse_whole_number(name, *value, least, largest_size);
  }
  void whole_number(std::string_view name, std::optional<std::int64_t>& target, std::int64_t least = 1) const {
    if (const std::string* value = find(name)) target = parse_whole_number(name, *value, least, largest_size);
  }
  std::size_t choice(std::string_view name, std::size_t otherwise, const std::vector<std::string>& allowed) const {
    const std::string* value = find(name);
    return value == nullptr ? otherwise : parse_choice(name, *value, allowed);
  }

 private:
  const OptionValues& values_;
};

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const ScenarioOption& option : scenario_options()) names.emplace_back(option.name);
  return names;
}

void read_shape(const Reader& reader, Shape& shape) {
  if (const std::string* name = reader.find("model")) {
    std::vector<std::string> names;
    for (const ModelHeads& model : model_heads()) names.push_back(model.name);
    const ModelHeads& model = model_heads()[parse_choice("model", *name, names)];
    shape.heads = model.heads;
    shape.kv_heads = model.kv_heads;
    shape.head_dim = model.head_dim;
  }
  reader.whole_number("batch", shape.batch);
  reader.whole_number("heads", shape.heads);
  if (reader.find("heads") != nullptr || reader.find("model") == nullptr) shape.kv_heads = shape.heads;
  reader.whole_number("kv-heads", shape.kv_heads);
  reader.whole_number("seqlen", shape.seqlen_q);
  reader.whole_number("seqlen", shape.seqlen_k);
  reader.whole_number("seqlen-q", shape.seqlen_q);
  reader.whole_number("seqlen-k", shape.seqlen_k);
  reader.whole_number("head-dim", shape.head_dim);
  shape.mask.causal = reader.choice("causal", 0, {"0", "1"}) == 1;
  reader.whole_number("padding", shape.mask.padding, 0);
  reader.whole_number("window", shape.mask.window, 0);
}

}  // namespace

std::int64_t parse_whole_number(std::string_view option, std::string_view value, std::int64_t least,
                                std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool parsed = error == std::errc{} && end == value.data() + value.size();
  require(parsed && number >= least && number <= most, option, ": \"", value.substr(0, 100),
          "\" is not a whole number from ", least, " to ", most);
  return number;
}

const std::vector<ScenarioOption>& scenario_options() {
  using enum OptionKind;
  static const std::vector<ScenarioOption> options = {
      {"algorithm", "NAME", name, "standard, memory-efficient, flash1, flash2 [flash2]"},
      {"model", "NAME", name,
       "heads, kv-heads and head-dim of gpt2-medium, bert-large, llama-2-7b, llama-3-8b, llama-3-70b, llama-13b"},
      {"pass", "PASS", name, "forward, backward or forward+backward [forward]"},
      {"batch", "N", whole_number, "batch entries [1]"},
      {"heads", "N", whole_number, "query heads [1]"},
      {"kv-heads", "N", whole_number, "key/value heads, a divisor of heads [heads]"},
      {"seqlen", "N", whole_number,
       "queries and keys; 8k = 8,192 and 1M = 1,048,576 here as in every whole number [1024]"},
      {"seqlen-q", "N", whole_number, "queries [seqlen]"},
      {"seqlen-k", "N", whole_number, "keys [seqlen]"},
      {"head-dim", "N", whole_number, "elements per head, d [64]"},
      {"dtype", "fp16|bf16|fp32", name, "element type in HBM [fp16]"},
      {"causal", "", flag, "hide keys after the query (aligned bottom-right)"},
      {"padding", "K", whole_number, "hide the last K keys [0]"},
      {"window", "W", whole_number, "hide keys more than W before the diagonal [none]"},
      {"dropout", "P", number, "drop entries of P with probability P, below 1 [0]"},
      {"scale", "X", number, "factor on Q K^T [1/sqrt(head-dim)]"},
      {"gpu", "NAME|FILE.toml", name,
       "device to model, by its name in the list `devices` or a short one such as A100 [h100-sxm]"},
      {"sram", "BYTES", whole_number,
       "on-chip memory: M of the paper tiling, SMEM limit of the kernel tiling [device]"},
      {"l2", "BYTES", whole_number, "L2 that hot data can use; 0 turns it off, as on the papers' machine [device]"},
      {"tiling", "kernel|paper|released|released-1", name,
       "kernel: tiles of the kernels; paper: Bc = ceil(M/4d), Br = min(Bc, d); released: flash1 as its code of 2022 "
       "did "
       "it; released-1: version 1 of that code, where CTAs share a head [kernel]"},
      {"br", "N", whole_number, "rows of a query block [tiling]"},
      {"bc", "N", whole_number, "rows of a key block [tiling]"},
      {"seed", "N", whole_number, "seed of drawn inputs and of dropout [0]"},
  };
  return options;
}

namespace {

Scenario read_options(const OptionValues& values, const GpuLookup& gpu) {
  for (const auto& [name, value] : values) parse_choice("option", name, option_names());
  const Reader reader(values);
  Scenario s;
  if (const std::string* name = reader.find("algorithm")) s.algorithm = find_program(*name).name;
  s.pass = static_cast<Pass>(reader.choice("pass", 0, {"forward", "backward", "forward+backward"}));
  read_shape(reader, s.shape);
  s.dtype = static_cast<Dtype>(reader.choice("dtype", 0, {"fp16", "bf16", "fp32"}));
  if (const std::string* value = reader.find("dropout")) {
    s.dropout = parse_number("dropout", *value);
    require(s.dropout >= 0 && s.dropout < 1, "dropout: ", *value, " is not in [0, 1)");
  }
  if (const std::string* value = reader.find("scale")) s.scale = parse_number("scale", *value);
  s.gpu = gpu(reader.find("gpu") != nullptr ? *reader.find("gpu") : "h100-sxm");
  reader.whole_number("sram", s.sram);
  reader.whole_number("l2", s.l2, 0);
  s.tiling = static_cast<TilingRule>(reader.choice("tiling", 0, {"kernel", "paper", "released", "released-1"}));
  reader.whole_number("br", s.br);
  reader.whole_number("bc", s.bc);
  std::int64_t seed = 0;
  reader.whole_number("seed", seed, 0);
  s.seed = static_cast<std::uint64_t>(seed);
  return s;
}

}  // namespace

Scenario scenario_from(const OptionValues& values, const GpuLookup& gpu) {
  Scenario s = read_options(values, gpu);
  s.shape.check();
  return s;
}

void check_options(const OptionValues& values, const GpuLookup& gpu) { read_options(values, gpu); }

const OptionValues& filled_card() {
  static const OptionValues options = {{"batch", "4"}, {"heads", "32"}};
  return options;
}

}  // namespace sim
