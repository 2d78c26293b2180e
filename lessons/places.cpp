#include "lessons/places.h"

#include <algorithm>
#include <charconv>

#include "lessons/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/model/scheduled_replay.h"
#include "sim/programs/program.h"
#include "sim/trace/tensors.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

constexpr string_view panels[] = {"controls", "counters", "roofline", "memory",    "matrix", "code",
                                  "softmax",  "timeline", "wall",     "occupancy", "kept",   "batch",
                                  "roles",    "pages",    "page-cta", "numbers",   "gpus"};
constexpr string_view levels[] = {"hbm", "l2", "shared", "registers"};
constexpr string_view parts_of_gpus[] = {"ring", "balance", "clock", "sums"};

template <std::size_t n>
string unless_one_of(const string_view (&names)[n], string_view kind, string_view name) {
  if (std::find(names, names + n, name) != names + n) return "";
  return sim::unknown_name_message(kind, name, std::vector<string>(names, names + n)).text();
}

bool is_block(string_view number, std::int64_t blocks) {
  std::int64_t block = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), block);
  return error == std::errc{} && end == number.data() + number.size() && block >= 0 && block < blocks;
}

/// Returns an error unless the matrix has the named block; "" also for the block at the playhead.
string no_block(string_view kind, string_view name, const Scene& scene) {
  if (name.empty()) return "";
  const sim::Problem& problem = scene.run().plan.problem;
  const std::int64_t rows = sim::ceil_div(problem.shape.seqlen_q, problem.tiling.br);
  const std::int64_t cols = sim::ceil_div(problem.shape.seqlen_k, problem.tiling.bc);
  const std::size_t comma = std::min(name.find(','), name.size());
  const bool pair = comma < name.size();
  const bool good = kind == "tile"
                        ? pair && is_block(name.substr(0, comma), rows) && is_block(name.substr(comma + 1), cols)
                        : is_block(name, kind == "row" ? rows : cols);
  return good ? "" : sim::text("there is no ", kind, " ", name, ": the matrix has ", rows, " x ", cols, " tiles");
}

/// Returns the kernel that the picture shows: the one at the cursor, or the first.
const sim::Launch& shown_kernel(const Scene& scene) {
  return scene.run().plan.launches[scene.cursor() ? scene.cursor()->kernel : 0];
}

/// Returns an error unless the kernel reads, writes or holds the tensor on chip.
string not_met(string_view name, const Scene& scene) {
  const sim::Launch& launch = shown_kernel(scene);
  std::vector<string> met;
  for (const auto* tensors : {&launch.inputs, &launch.outputs}) {
    for (const sim::Tensor tensor : *tensors) met.emplace_back(sim::name_of(tensor));
  }
  if (std::find(met.begin(), met.end(), name) != met.end()) return "";
  const sim::CtaPlace place = scene.cursor() ? scene.cursor()->place : sim::CtaPlace{};
  const sim::Trace trace = sim::scheduled_replay(scene.run().plan, launch, place);
  for (const sim::Event& event : trace.events) {
    if (sim::name_of(event.tensor) == name) return "";
  }
  return sim::text("kernel ", launch.name, ", which the step shows, has no tensor ", name);
}

/// True if the matrix view itself shows the tensor: score matrices, and the strips at its margin.
bool is_at_margin(string_view name, const sim::Launch& launch) {
  for (const sim::Tensor tensor : sim::all_tensors()) {
    if (sim::name_of(tensor) == name && sim::is_score_matrix(tensor)) return true;
  }
  return name == "Q" || name == "K" || name == "O" || (name == "V" && !launch.reads(sim::Tensor::K));
}

/// Returns an error unless the race has the named run: "0" is the step's, the others follow in order.
string no_run(string_view name, const Step& step) {
  if (step.point != "race") return "the step shows one run: point = \"race\"";
  const auto runs = static_cast<std::int64_t>(step.others.size()) + 1;
  return is_block(name, runs) ? "" : sim::text("there is no run ", name, ": the race has ", runs);
}

/// Returns an error unless the step shows the view of several GPUs, with the named part of it.
string no_gpus(string_view name, const Step& step) {
  if (step.look.find("center=gpus") == string::npos) return "the step shows one GPU: look = \"center=gpus\"";
  return name.empty() ? "" : unless_one_of(parts_of_gpus, "gpus", name);
}

string no_kernel(string_view name, const Scene& scene) {
  std::vector<string> names;
  for (const sim::Launch& launch : scene.run().plan.launches) names.push_back(launch.name);
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  return known ? "" : sim::unknown_name_message("kernel", name, names).text();
}

}  // namespace

std::pair<string_view, string_view> kind_and_name(string_view place) {
  const std::size_t colon = std::min(place.find(':'), place.size());
  return {place.substr(0, colon), place.substr(std::min(colon + 1, place.size()))};
}

bool is_thing(string_view place) {
  return place.find(':') != string_view::npos || place == "row" || place == "column" || place == "tile";
}

std::vector<string> places_in(string_view text) {
  std::vector<string> places;
  for (std::size_t at = 0; (at = text.find("](", at)) != string_view::npos;) {
    const std::size_t end = text.find(')', at);
    if (end == string_view::npos) break;
    places.emplace_back(text.substr(at + 2, end - at - 2));
    at = end;
  }
  return places;
}

std::vector<string> places_in(const Page& page) {
  std::vector<string> places;
  for (const auto* blocks : {&page.blocks, &page.told}) {
    for (const Block& block : *blocks) {
      for (string& place : places_in(block.text)) places.push_back(std::move(place));
    }
  }
  return places;
}

string_view panel_beside(const Step& step) {
  for (const string_view panel : {"memory", "softmax", "counters", "code"}) {
    if (step.look.find(sim::text("tab=", panel)) != string::npos) return panel;
  }
  if (step.point == "roofline") return "counters";
  for (const string_view panel : {"memory", "softmax", "counters"}) {
    if (step.point == panel) return panel;
  }
  return "code";
}

string place_error(string_view place, const Step& step, const Scene& scene) {
  const auto [kind, name] = kind_and_name(place);
  if (kind == "run") return no_run(name, step);
  if (step.point == "race" && kind != "option") return "the step shows whole runs: link to run:0 or option:gpu";
  if (kind == "tensor") {
    const bool in_numbers = scene.facts().run("")->contains("here");  // the picture then has a card of numbers
    if (panel_beside(step) == "counters" && !in_numbers && !is_at_margin(name, shown_kernel(scene)))
      return sim::text("tensor ", name,
                       " is not next to the matrix, and the step shows neither its lines nor the memory");
    return not_met(name, scene);
  }
  if (kind == "row" || kind == "column" || kind == "tile") return no_block(kind, name, scene);
  if (kind == "kernel" && panel_beside(step) != "code") return "the step shows no listing next to the matrix";
  if (kind == "kernel") return no_kernel(name, scene);
  if (kind == "counter") return unless_one_of(counter_names, kind, name);
  if (kind == "option")
    return sim::find_option(name) != nullptr ? "" : sim::text("there is no option ", sim::quoted(name));
  if (kind == "gpus") return no_gpus(name, step);
  if (kind != "level") return unless_one_of(panels, "place", kind);
  if (panel_beside(step) != "memory" && step.look.find("center=wall") == string::npos)
    return sim::text("the step shows no memory next to the matrix: look = \"tab=memory\"");
  if (name == "registers" && scene.run().plan.capacity.paper) return "the machine of the papers has no registers";
  return unless_one_of(levels, kind, name);
}

std::vector<std::size_t> counters_of(const Step& step, const Page& page) {
  string formulas;
  const auto add = [&](string_view text) { formulas += sim::text(" ", text); };
  for (const string& place : places_in(page)) {
    if (kind_and_name(place).first == "counter") add(kind_and_name(place).second);
  }
  for (const auto* blocks : {&page.blocks, &page.told}) {
    for (const Block& block : *blocks) {
      for (const string& formula : formulas_in(block.text)) add(formula);
    }
  }
  for (const Question& question : step.questions) {
    for (const string_view text : {string_view(question.answer), string_view(question.until)}) add(text);
    for (const Choice& choice : question.choices) add(choice.when);
  }
  std::vector<std::size_t> counters;
  for (std::size_t n = 0; n < std::size(counter_names); ++n) {
    const bool named = formulas.find(sim::text(" ", counter_names[n])) != string::npos ||
                       formulas.find(sim::text("(", counter_names[n])) != string::npos;
    if (named) counters.push_back(n);
  }
  return counters;
}

}  // namespace lessons
