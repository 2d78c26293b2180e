// Marking of line orders: an order is right exactly if each line follows those that made its operands. The required
// order is derived here from the trace, independently of the marking code.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "lessons/marking_parts.h"
#include "sim/model/simulation.h"
#include "tests/lessons/example.h"

using Catch::Contains;
using example::Ready;

namespace {

using Places = std::vector<std::size_t>;

/// Returns [a][b]: true if line b uses a result of line a, directly or through others. Follows the operands forwards,
/// whereas the marking follows them backwards.
std::vector<std::vector<bool>> dependencies(const sim::Plan& plan, const std::string& kernel,
                                            const std::vector<std::string>& lines) {
  const auto launch =
      std::find_if(plan.launches.begin(), plan.launches.end(), [&](const sim::Launch& l) { return l.name == kernel; });
  REQUIRE(launch != plan.launches.end());
  const sim::Trace trace = sim::replay(plan, *launch, {});
  std::vector<std::size_t> event_of(lines.size(), trace.events.size());
  for (std::size_t n = trace.events.size(); n-- > 0;) {
    const std::string code(sim::listing_line(trace.listing, trace.events[n].line));
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const std::size_t at = code.find("// " + lines[line]);
      if (at != std::string::npos && code.substr(at + 3 + lines[line].size()).find_first_not_of(' ') != 0)
        event_of[line] = n;
    }
  }
  std::vector<std::vector<bool>> before(lines.size(), std::vector<bool>(lines.size()));
  for (std::size_t a = 0; a < lines.size(); ++a) {
    REQUIRE(event_of[a] < trace.events.size());
    std::vector<bool> reached(trace.events.size());
    reached[event_of[a]] = true;
    for (std::size_t n = event_of[a] + 1; n < trace.events.size(); ++n) {
      for (const std::int32_t operand : trace.events[n].operands) {
        if (operand != sim::no_event && reached[static_cast<std::size_t>(operand)]) reached[n] = true;
      }
    }
    for (std::size_t b = 0; b < lines.size(); ++b)
      before[a][b] = a != b && event_of[a] < event_of[b] && reached[event_of[b]];
  }
  return before;
}

bool follows(const std::vector<std::vector<bool>>& before, const Places& order) {
  for (std::size_t n = 0; n < order.size(); ++n) {
    for (std::size_t later = n + 1; later < order.size(); ++later) {
      if (before[order[later]][order[n]]) return false;
    }
  }
  return true;
}

/// Returns the typed answer for an order of the lines of the file.
std::string typed(const lessons::Question& question, const Places& order) {
  const Places shown = lessons::shown_order(question);
  std::string text;
  for (const std::size_t line : order)
    text += sim::text(text.empty() ? "" : " ", std::find(shown.begin(), shown.end(), line) - shown.begin() + 1);
  return text;
}

/// Checks that the reason names the first line that stands before one that it needs, and such a one.
void check_reason(const lessons::Question& question, const std::vector<std::vector<bool>>& before, const Places& order,
                  const sim::Sentence& reason) {
  REQUIRE(reason.values().size() == 2);
  const auto needs_later = [&](std::size_t at) {
    return std::any_of(order.begin() + static_cast<std::ptrdiff_t>(at), order.end(),
                       [&](std::size_t later) { return before[later][order[at]]; });
  };
  std::size_t at = 0;
  while (!needs_later(at)) ++at;
  const auto needed = std::find(question.lines.begin(), question.lines.end(), reason.values()[1].text());
  REQUIRE(needed != question.lines.end());
  const auto line = static_cast<std::size_t>(needed - question.lines.begin());
  CHECK(reason.values()[0].text() == question.lines[order[at]]);
  CHECK(before[line][order[at]]);
  CHECK(std::find(order.begin() + static_cast<std::ptrdiff_t>(at), order.end(), line) != order.end());
}

/// Checks all permutations, and returns how many are right.
int check_all_orders(const Ready& ready) {
  const lessons::Question& question = ready.question("order");
  const auto before = dependencies(ready.scene.run().plan, question.kernel, question.lines);
  const lessons::LineOrder rule(question, ready.scene.run());
  Places order(question.lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  int right = 0;
  do {
    const bool expected = follows(before, order);
    CHECK(rule.allows(order) == expected);
    const lessons::Verdict verdict = ready.mark("order", typed(question, order));
    CHECK(verdict.right == expected);
    CHECK(verdict.reason.empty() == expected);
    if (!expected) check_reason(question, before, order, verdict.reason);
    right += expected ? 1 : 0;
  } while (std::next_permutation(order.begin(), order.end()));
  return right;
}

example::Files asking(const std::string& lines) { return {example::with(example::toml, example::lines, lines)}; }

}  // namespace

TEST_CASE("exactly those orders of five lines are right that the operands allow") {
  // S, m~, P~, l~ follow each other; m' is anywhere after m~.
  CHECK(check_all_orders(Ready("lines")) == 3);
}

TEST_CASE("independent lines are right in any order") {
  CHECK(check_all_orders(Ready("lines", asking(R"toml("K_j", "V_j", "Q_i", "O_i")toml"))) == 24);
}

TEST_CASE("the whole body of FlashAttention-1 is checked against the trace") {
  // alpha and beta are in any order between m' and l', PV anywhere before O.
  CHECK(check_all_orders(Ready("lines", asking(R"toml("m' = max(m, m~)", "alpha = exp(m - m')", "beta = exp(m~ - m')",
      "l' = alpha l + beta l~", "PV = P~ V_j", "O = (alpha l O + beta PV)/l'")toml"))) == 2 * 5);
}

TEST_CASE("an answer that is not an order is not understood, and the message explains orders") {
  const Ready ready("lines");
  for (const std::string text : {"", "1", "1 2 3 4", "1 2 3 4 5 6", "1 1 2 3 4", "0 1 2 3 4", "a b c d e",
                                 "1 2 3 4 99999999999999999999", "2 3 4 5 6", "-"}) {
    INFO(text);
    const lessons::Verdict verdict = ready.mark("order", text);
    CHECK_FALSE(verdict.understood);
    CHECK_FALSE(verdict.right);
  }
  CHECK_THAT(ready.mark("order", "1 2").error.text(), Contains("each number from 1 to 5 once"));
}

TEST_CASE("a wrong order has its reason, and an order is typed with commas as well") {
  const Ready ready("lines");
  const lessons::Question& question = ready.question("order");
  const std::string right = lessons::right_answer(question, ready.scene);
  CHECK(ready.mark("order", right).right);
  std::string commas = right;
  std::replace(commas.begin(), commas.end(), ' ', ',');
  CHECK(ready.mark("order", commas).right);
  const lessons::Verdict reversed = ready.mark("order", std::string(right.rbegin(), right.rend()));
  CHECK(reversed.why == "operand");
  CHECK(reversed.reason.text() == "m' = max(m, m~) comes too early: it needs m~ = rowmax(S).");
}

TEST_CASE("lines are never shown in the order of the file") {
  for (const std::string lines :
       {R"toml("S = Q_i K_j^T", "m~ = rowmax(S)")toml", R"toml("m~ = rowmax(S)", "S = Q_i K_j^T")toml",
        R"toml("K_j", "O_i", "Q_i", "V_j")toml"}) {
    const Ready ready("lines", asking(lines));
    const lessons::Question& question = ready.question("order");
    const Places shown = lessons::shown_order(question);
    CHECK_FALSE(std::is_sorted(shown.begin(), shown.end()));
    CHECK(lessons::right_answer(question, ready.scene) != "1 2");
  }
}

TEST_CASE("lines of several kernels keep the kernels' order, and a line that never runs is named") {
  const std::string standard = example::with(example::toml, "algorithm=flash1&batch=3", "algorithm=standard&batch=3");
  example::Files files{
      example::with(standard, example::lines, R"toml("qk_gemm: S = scale S", "softmax: m = rowmax(S)")toml")};
  files.toml =
      example::with(files.toml, "at = { kernel = \"flash1_forward\", line = \"m' = max(m, m~)\", i = 1, j = 0 }\n", "");
  const Ready ready("lines", files);
  const lessons::LineOrder rule(ready.question("order"), ready.scene.run());
  CHECK(rule.allows({0, 1}));
  CHECK_FALSE(rule.allows({1, 0}));
  CHECK(rule.too_early({1, 0}).text() ==
        "softmax: m = rowmax(S) comes too early: the kernel of qk_gemm: S = scale S runs before it.");
  const Ready wrong("lines", asking(R"toml("S = Q_i K_j^T", "x = y")toml"));
  CHECK_THAT(example::error_of([&] { lessons::LineOrder(wrong.question("order"), wrong.scene.run()); }),
             Contains("x = y"));
}
