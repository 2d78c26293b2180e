// Lessons detect wrong numbers: at least 95 % of the mutants of counted quantities break a claim or a question.
#include <catch2/catch.hpp>
#include <cstdio>

#include "lessons/options_text.h"
#include "sim/model/formula_symbols.h"
#include "sim/programs/program.h"
#include "sim/trace/line_comment.h"
#include "tests/lessons/built_in.h"
#include "tests/lessons/mutants.h"

namespace {

using lessons::Facts;
using mutants::Fault;
using mutants::Made;

std::string algorithm_of(const sim::OptionValues& options) {
  const auto found = options.find("algorithm");
  return found == options.end() ? "flash2" : found->second;
}

std::vector<Made> made_steps(const lessons::WrittenLesson& written) {
  std::vector<Made> steps;
  for (const lessons::Step& step : written.lesson.steps) {
    Made made{&step, lessons::Scene(written.lesson, step, sim::built_in_gpu), {}};
    made.algorithms[""] = algorithm_of(made.scene.options());
    for (const auto* others : {&written.lesson.others, &step.others}) {
      for (const lessons::Other& other : *others)
        made.algorithms[other.name] =
            algorithm_of(lessons::changed(made.scene.options(), lessons::read_options(other.scenario)));
    }
    steps.push_back(std::move(made));
  }
  return steps;
}

/// Returns faults: each quantity that a claim or answer names doubled and halved, each tensor dropped, each statistic
/// zero.
std::vector<Fault> faults(const std::vector<Made>& steps) {
  std::map<std::string, Fault> all;
  const auto add = [&](const std::string& algorithm, const std::string& name, auto apply) {
    all.emplace(algorithm + " " + name, Fault{algorithm, name, apply});
  };
  for (const Made& made : steps) {
    for (const std::string& formula : mutants::formulas(*made.step)) {
      for (const auto& [run, path] : mutants::quantities(formula, made)) {
        const std::string algorithm = made.algorithms.at(run), of = path;
        if (!mutants::is_counted(of)) continue;
        for (const auto& [name, factor] : {std::pair(" x 2", 2.0), {" / 2", 0.5}})
          add(algorithm, of + name,
              [of, by = factor](Facts& facts, const std::string& r) { mutants::scale(facts, r, of, by); });
        if (of.starts_with("here.m.") || of.starts_with("here.l.") || of.starts_with("here.alpha.") ||
            of.starts_with("here.beta."))
          add(algorithm, of + " = 0", [of](Facts& facts, const std::string& r) { mutants::scale(facts, r, of, 0); });
        if (!of.starts_with("tile_traffic")) continue;
        const auto sums = [](const char* kind) { return std::vector<std::string>{"tile_traffic.total", kind}; };
        for (const std::string tensor : {"Q", "K", "V", "O", "S", "P"})
          add(algorithm, tensor + " forgotten", [sums, tensor](Facts& facts, const std::string& r) {
            mutants::drop(facts, r, "tile_traffic.by_tensor." + tensor, sums("tile_traffic.matrix"));
          });
        for (const std::string tensor : {"m", "l"})
          add(algorithm, tensor + " forgotten", [sums, tensor](Facts& facts, const std::string& r) {
            mutants::drop(facts, r, "tile_traffic.by_tensor." + tensor, sums("tile_traffic.statistics"));
          });
        for (const std::string part : {"statistics", "initialisation"})
          add(algorithm, part + " forgotten", [part](Facts& facts, const std::string& r) {
            mutants::drop(facts, r, "tile_traffic." + part, {"tile_traffic.total"});
          });
      }
    }
  }
  std::vector<Fault> list;
  for (auto& [name, fault] : all) list.push_back(std::move(fault));
  return list;
}

enum class Fate { equivalent, caught, survived };

/// True if all numbers that a step's claims and answers use are unchanged.
bool same_numbers(const Made& made, const Facts& facts) {
  for (const std::string& formula : mutants::formulas(*made.step)) {
    for (const auto& [run, path] : mutants::quantities(formula, made)) {
      const std::string name = run.empty() ? path : run + " " + path;
      try {
        if (facts.value(name) != made.scene.facts().value(name)) return false;
      } catch (const sim::Error&) {  // a function: max, ceil
      }
    }
  }
  return true;
}

Fate fate_of(const lessons::WrittenLesson& written, const std::vector<Made>& steps, const Fault& fault) {
  bool same = true;
  for (const Made& made : steps) {
    Facts facts = made.scene.facts();
    bool touched = false;
    for (const auto& [run, algorithm] : made.algorithms) {
      if (algorithm != fault.algorithm) continue;
      fault.apply(facts, run);
      touched = true;
    }
    if (!touched) continue;
    if (mutants::notices(written, made, facts)) return Fate::caught;
    same = same && same_numbers(made, facts);
  }
  return same ? Fate::equivalent : Fate::survived;
}

/// Returns the equations next to that of an address in its kernel's listing.
std::vector<std::string> neighbours(const Made& made) {
  const lessons::Address& at = *made.step->at;
  const sim::Plan& plan = made.scene.run().plan;
  const sim::Trace trace =
      sim::replay(plan, plan.launches[lessons::kernel_called(plan, at.kernel)], made.scene.cursor()->place);
  std::set<std::int32_t> run;
  for (const sim::Event& event : trace.events) run.insert(event.line);
  std::vector<std::string> lines;
  for (const std::int32_t line : run) lines.push_back(lessons::equation_of(sim::listing_line(trace.listing, line)));
  std::vector<std::string> beside;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (lines[n] != at.line) continue;
    if (n > 0) beside.push_back(lines[n - 1]);
    if (n + 1 < lines.size()) beside.push_back(lines[n + 1]);
    break;
  }
  return beside;
}

Fate fate_of_cursor(const lessons::WrittenLesson& written, const Made& made, const std::string& line) {
  lessons::Step step = *made.step;
  step.at->line = line;
  try {
    const lessons::Scene scene(written.lesson, step, sim::built_in_gpu);
    if (mutants::notices(written, made, scene.facts())) return Fate::caught;
    return same_numbers(made, scene.facts()) ? Fate::equivalent : Fate::survived;
  } catch (const sim::Error&) {
    return Fate::caught;
  }
}

struct Tally {
  int caught = 0, survived = 0, equivalent = 0;
  void add(Fate fate, const std::string& what) {
    ++(fate == Fate::caught ? caught : fate == Fate::survived ? survived : equivalent);
    if (fate == Fate::survived) survivors += "\n  " + what;
  }
  int all() const { return caught + survived; }
  std::string survivors;
};

}  // namespace

TEST_CASE("at least 95 of 100 wrong numbers and shifted cursors break a lesson", "[repeats]") {
  std::map<std::string, Fate> anywhere;  // a fault of the counts is in all lessons: one that detects it is enough
  Tally numbers, cursors;
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    const std::string& id = written->lesson.id;
    if (written->lesson.number() == "00") continue;
    const std::vector<Made> steps = made_steps(*written);
    for (const Fault& fault : faults(steps)) {
      const Fate fate = fate_of(*written, steps, fault);
      numbers.add(fate, id + ": " + fault.algorithm + " " + fault.name);
      if (fate == Fate::equivalent) continue;
      const auto [known, added] = anywhere.emplace(fault.algorithm + " " + fault.name, fate);
      if (!added && fate == Fate::caught) known->second = fate;
    }
    for (const Made& made : steps) {
      if (!made.step->at) continue;
      for (const std::string& line : neighbours(made))
        cursors.add(fate_of_cursor(*written, made, line), id + ": " + made.step->name + " at " + line);
    }
  }
  Tally all = cursors;
  for (const auto& [name, fate] : anywhere) all.add(fate, name);
  std::printf(
      "mutants of lessons: %d of %d break a lesson; %d of %d numbers break the very lesson that names them; %d of %d "
      "cursors\n",
      all.caught, all.all(), numbers.caught, numbers.all(), cursors.caught, cursors.all());
  INFO("survivors:" << all.survivors << "\nwhere the lesson that names them does not notice:" << numbers.survivors);
  CHECK(all.caught >= 0.95 * all.all());
  CHECK(numbers.caught >= 0.90 * numbers.all());
}

TEST_CASE("a number of a run can be replaced, for tests") {
  Facts facts;
  facts.add("", sim::simulate(sim::scenario_from({{"seqlen", "64"}}, sim::built_in_gpu)));
  facts.change("", "tile_traffic.by_tensor.O.write_bytes", 7);
  facts.change("", "kernels.0.ctas", 3);
  CHECK(facts.value("tile_traffic.by_tensor.O.write_bytes") == 7);
  CHECK(facts.value("kernels.0.ctas") == 3);
  CHECK_THROWS_AS(facts.change("", "kernels.9.ctas", 3), sim::Error);
  CHECK_THROWS_AS(facts.change("", "tile_traffic", 3), sim::Error);
  CHECK_THROWS_AS(facts.change("other", "kernels.0.ctas", 3), sim::Error);
}
