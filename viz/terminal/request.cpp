#include "viz/terminal/request.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "sim/base/text.h"
#include "sim/programs/drawn_rows.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"
#include "viz/files/complete_mark.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"

namespace terminal {
namespace {

std::string filled_card_text() {
  std::string sizes;
  for (const auto& [name, value] : sim::filled_card()) sizes += sim::text(sizes.empty() ? "" : ", ", name, " ", value);
  return sizes + ", which fill the card";
}

/// Reads the array of a file. Throws sim::Error that begins with the option's name.
sim::NpyArray read_input(const char* option, const std::string& path) {
  check_input(option, path, report::value_memory_limit());
  try {
    return sim::read_npy(path);
  } catch (const sim::Error& error) {
    throw sim::Error(option, ": ", error);
  }
}

}  // namespace

std::vector<CommandOption> value_options() {
  return {{"input-q",
           "FILE.npy",
           "Q: (N, d), (H, N, d) or (B, H, N, d) of f2, f4, f8 or bfloat16 (V2); sizes are taken from it",
           {}},
          {"input-k", "FILE.npy", "K", {}},
          {"input-v", "FILE.npy", "V", {}},
          {"input-do", "FILE.npy", "dO, the gradient of O, for a backward pass", {}},
          {"layout",
           "bhnd|bnhd",
           "layout of these files and of outputs: (batch, heads, N, d), or (batch, N, heads, d) as in the flash-attn "
           "library [bhnd]",
           {"bhnd", "bnhd"}},
          {"numerics", "on|off", "compute values [on with an input or output file, else off]", {"on", "off"}}};
}

bool is_bare(const Arguments& arguments) {
  const std::vector<CommandOption> values = value_options();
  return arguments.scenario.empty() &&
         std::none_of(values.begin(), values.end(), [&](const auto& option) { return arguments.find(option.name); });
}

std::string filled_card_note() {
  return "no scenario option is given: " + filled_card_text() + "; with any option the defaults are one head";
}

std::string filled_card_help() {
  return "Without any scenario option: " + filled_card_text() + "; with one, the defaults in brackets.";
}

Request make_request(const Arguments& arguments, bool writes_values) {
  Request request;
  request.layout = results::head_layout_called(arguments.value("layout", "bhnd"));
  for (std::size_t n = 0; n < results::input_names.size(); ++n) {
    const auto path = arguments.find(results::input_names[n]);
    if (!path) continue;
    request.given[n] = read_input(results::input_names[n], *path);
    request.paths[n] = *path;
    if (const std::string doubt = files::doubt_of_set(*path); !doubt.empty())
      request.warnings.push_back(sim::text(results::input_names[n], ": ", *path, ": ", doubt));
  }
  results::make_scenario(request, arguments.scenario, find_gpu);
  print_notes(request.notes);
  request.values = arguments.value("numerics", request.any_given() || writes_values ? "on" : "off") == "on";
  sim::require(request.values || !writes_values, "numerics: off, but an output of values was requested");
  return request;
}

void check_value_effort(std::span<const sim::Simulation> runs, double part) {
  const std::string note = results::check_value_effort(runs, part);
  if (!note.empty()) tell("note: " + note);
}

void show_progress(std::int64_t done, std::int64_t all) {
  static const bool terminal = takes_escapes(STDERR_FILENO);
  static std::int64_t shown = -1;
  const std::int64_t percent = done * 100 / all;
  if (!terminal || percent == shown) return;
  shown = percent;
  std::fprintf(stderr, "\rvalues: %d %% of %s CTAs%s", static_cast<int>(percent), report::thousands(all).c_str(),
               done == all ? "\r\033[K" : "");
}

Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  return results::compute_values(plan, inputs, show_progress);
}

}  // namespace terminal
