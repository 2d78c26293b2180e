// The scenario options by name: one table for the command line, links and JSON.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/programs/scenario.h"

namespace sim {

enum class OptionKind { flag, whole_number, number, name };

struct ScenarioOption {
  std::string_view name;    ///< "seqlen", without dashes
  std::string_view values;  ///< what it takes: "N", "fp16|bf16|fp32"
  OptionKind kind;
  std::string_view help;
};

const std::vector<ScenarioOption>& scenario_options();

/// Option name -> value as written; flags have the value "1" (or "0").
using OptionValues = std::map<std::string, std::string, std::less<>>;

/// Finds a device by name; the caller decides whether files count.
using GpuLookup = std::function<std::shared_ptr<const DeviceSpec>(const std::string&)>;

/// Defaults, then --model, then the given options; kv-heads = heads and seqlen-q = seqlen-k = seqlen unless given.
/// Throws Error that names the option, its value and what is allowed.
Scenario scenario_from(const OptionValues& values, const GpuLookup& gpu);

/// What is shown where nobody asks for a scenario: batch and heads with which the default GPU is full. The defaults of
/// the options are one head, as papers count; its times are those of a card that is idle for the most part.
const OptionValues& filled_card();

/// Checks each option on its own: throws what scenario_from throws, except where options contradict each other.
void check_options(const OptionValues& values, const GpuLookup& gpu);

/// A head layout of a published model.
struct ModelHeads {
  std::string name;
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::string source;
};
const std::vector<ModelHeads>& model_heads();

/// Whole number in [least, most], or Error: `heads: "abc" is not a whole number from 1 to 1099511627776`.
std::int64_t parse_whole_number(std::string_view option, std::string_view value, std::int64_t least, std::int64_t most);

}  // namespace sim
