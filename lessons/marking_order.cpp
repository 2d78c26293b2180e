// Marks the order of lines: an order is right if each line follows those that made its operands.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "lessons/answer_errors.h"
#include "lessons/cursor.h"
#include "lessons/marking_parts.h"
#include "lessons/options_text.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/model/tile_attempt.h"
#include "sim/programs/program.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

/// Splits "softmax: P_i" into the kernel and the equation.
std::pair<string, string> parts_of(const Question& question, const string& line) {
  const std::size_t colon = line.find(": ");
  if (colon == string::npos) return {question.kernel, line};
  return {line.substr(0, colon), line.substr(colon + 2)};
}

/// A kernel's first CTA, replayed, and the lines of it that the question has.
struct KernelLines {
  sim::Trace trace;
  std::vector<std::pair<std::size_t, std::size_t>> asked;  ///< line of the question, its first event

  /// Returns the events whose results an event needs, directly or indirectly, itself included.
  std::vector<bool> needed_by(std::size_t event) const {
    std::vector<bool> needed(event + 1);
    needed[event] = true;
    for (std::size_t n = event + 1; n-- > 0;) {
      if (!needed[n]) continue;
      for (const std::int32_t operand : trace.events[n].operands) {
        if (operand != sim::no_event) needed[static_cast<std::size_t>(operand)] = true;
      }
    }
    return needed;
  }
};

std::size_t first_event(const sim::Trace& trace, const string& equation, string_view kernel) {
  std::vector<string> equations;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    equations.push_back(equation_of(sim::listing_line(trace.listing, trace.events[n].line)));
    if (equations.back() == equation) return n;
    if (n > 10'000) break;  // a first iteration is shorter
  }
  throw sim::Error(sim::unlisted_name_message(sim::text("line of ", kernel), equation, equations));
}

}  // namespace

std::vector<std::size_t> typed_places(string_view answer, std::size_t count) {
  std::vector<std::size_t> places;
  string digits;
  const auto take = [&] {
    if (!digits.empty()) places.push_back(digits.size() > 3 ? 0 : std::stoul(digits) - 1);
    digits.clear();
  };
  for (const char c : answer) {
    if (sim::is_digit(c))
      digits += c;
    else
      take();
  }
  take();
  std::vector<std::size_t> sorted = places, all(count);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), std::size_t{0});
  require_clear(sorted == all, answer_errors::no_order, sim::quoted(answer), count, count);
  return places;
}

LineOrder::LineOrder(const Question& question, const sim::Simulation& run)
    : lines_(question.lines), before_(question.lines.size(), std::vector<bool>(question.lines.size())) {
  const sim::Plan& plan = run.plan;
  std::vector<KernelLines> kernels(plan.launches.size());
  for (std::size_t line = 0; line < question.lines.size(); ++line) {
    const auto [name, equation] = parts_of(question, question.lines[line]);
    const std::size_t kernel = kernel_called(plan, name);
    KernelLines& lines = kernels[kernel];
    if (lines.trace.events.empty()) lines.trace = sim::replay(plan, plan.launches[kernel], {});
    lines.asked.emplace_back(line, first_event(lines.trace, equation, name));
    kernel_of_.push_back(kernel);
  }
  for (const KernelLines& lines : kernels) {
    for (const auto& [line, event] : lines.asked) {
      const std::vector<bool> needed = lines.needed_by(event);
      for (const auto& [other, made] : lines.asked) before_[other][line] = made < event && needed[made];
    }
  }
  for (std::size_t a = 0; a < kernel_of_.size(); ++a) {
    for (std::size_t b = 0; b < kernel_of_.size(); ++b) {
      if (kernel_of_[a] < kernel_of_[b]) before_[a][b] = true;
    }
  }
}

sim::Sentence LineOrder::too_early(const std::vector<std::size_t>& lines) const {
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    std::vector<std::size_t> later;  // those that it needs
    std::copy_if(line + 1, lines.end(), std::back_inserter(later),
                 [&](std::size_t one) { return before_[one][*line]; });
    if (!later.empty()) return early(*line, later);
  }
  return {};
}

/// Names the needed line that no other one needs: the one that makes its operand.
sim::Sentence LineOrder::early(std::size_t line, const std::vector<std::size_t>& later) const {
  std::size_t needed = later.front();
  for (const std::size_t one : later) {
    if (before_[needed][one]) needed = one;
  }
  const auto line_name = sim::Sentence::name(lines_[line]), needed_name = sim::Sentence::name(lines_[needed]);
  if (kernel_of_[line] != kernel_of_[needed])
    return {/*say*/ "{} comes too early: the kernel of {} runs before it.", line_name, needed_name};
  return {/*say*/ "{} comes too early: it needs {}.", line_name, needed_name};
}

/// Returns the lines sorted by text, an order unrelated to the program's; rotated by one if they are in file order.
std::vector<std::size_t> shown_order(const Question& question) {
  std::vector<std::size_t> shown(question.lines.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::sort(shown.begin(), shown.end(),
            [&](std::size_t a, std::size_t b) { return question.lines[a] < question.lines[b]; });
  if (std::is_sorted(shown.begin(), shown.end())) std::rotate(shown.begin(), shown.begin() + 1, shown.end());
  return shown;
}

double par_of(const Lesson& lesson, const Step& step, const Question& goal, const Scene& scene) {
  if (goal.par.empty()) {
    const Scene solved(lesson, step, scene.gpu(), read_options(goal.solution));
    return solved.facts().quantity(goal.score).value;
  }
  if (goal.par != "tune bytes" && goal.par != "tune time") return scene.facts().quantity(goal.par).value;
  const sim::Goal wanted = goal.par == "tune bytes" ? sim::Goal::bytes : sim::Goal::time;
  const sim::Scenario& scenario = scene.run().plan.scenario;
  std::optional<sim::TriedTiles> best;
  for (const std::int64_t br : sim::tile_sizes(scenario.shape.seqlen_q)) {
    for (const std::int64_t bc : sim::tile_sizes(scenario.shape.seqlen_k)) {
      const auto tried = sim::try_tiles(scenario, br, bc).tiles;
      if (tried && (!best || sim::better(*tried, *best, wanted))) best = tried;
    }
  }
  sim::require(best.has_value(), "lesson: no tiles fit");
  return wanted == sim::Goal::bytes ? static_cast<double>(best->tile_traffic.count()) : best->microseconds;
}

}  // namespace lessons
