// Answers other than numbers: choices, tiles, formulas and goals.
#include "lessons/marking.h"

#include <catch2/catch.hpp>

#include "lessons/marking_parts.h"
#include "sim/model/formula_symbols.h"
#include "tests/lessons/example.h"
#include "tests/support/random_scenario.h"

using Catch::Contains;
using example::Ready;
using lessons::Verdict;

TEST_CASE("a choice is named or numbered") {
  const Ready ready("count");
  for (const std::string typed : {"wide", "WIDE", "1", " wide "}) CHECK(ready.mark("fewer", typed).right);
  for (const std::string typed : {"narrow", "2"}) {
    const Verdict verdict = ready.mark("fewer", typed);
    CHECK(verdict.understood);
    CHECK_FALSE(verdict.right);
    CHECK(verdict.why == "narrow");
    CHECK(verdict.expected == "wide");
  }
  for (const std::string typed : {"", "0", "3", "-1", "wid", "1 2", "wide narrow"})
    CHECK_FALSE(ready.mark("fewer", typed).understood);
  CHECK_THAT(ready.mark("fewer", "wid").error.text(),
             Contains("there is no choice \"wid\": type a number from 1 to 2"));
}

TEST_CASE("a choice of which not exactly one holds is an error of the lesson") {
  const std::string other = "when = \"wide tile_traffic.total > tile_traffic.total\"";
  const Ready both("count", {example::with(example::toml, other, "when = \"1 = 1\"")});
  CHECK_THAT(example::error_of([&] { right_choice(both.question("fewer"), both.scene.facts()); }),
             Contains("both wide and narrow hold"));
  const std::string right = "when = \"wide tile_traffic.total < tile_traffic.total\"";
  const Ready none("count", {example::with(example::toml, right, "when = \"1 = 2\"")});
  CHECK_THAT(example::error_of([&] { right_choice(none.question("fewer"), none.scene.facts()); }),
             Contains("no choice holds"));
}

TEST_CASE("a tile is a row block and a column block of the grid") {
  const Ready ready("lines");
  for (const std::string typed : {"3, 0", "3,0", "3 0", "(3, 0)", " ( 3 , 0 ) "}) {
    INFO(typed);
    CHECK(ready.mark("next", typed).right);
  }
  CHECK(ready.mark("next", "0, 1").why == "rows");
  CHECK(ready.mark("next", "2, 0").why.empty());
  CHECK_FALSE(ready.mark("next", "0, 3").right);
  for (const std::string typed : {"4, 0", "0, 4", "99, 99"}) {
    const Verdict verdict = ready.mark("next", typed);
    CHECK_FALSE(verdict.understood);
    CHECK_THAT(verdict.error.text(), Contains("row blocks are 0 to 3, column blocks 0 to 3"));
  }
  for (const std::string typed :
       {"3", "3, 0, 0", "three, none", "-3, 0", "3.0, 0.0", "99999999999999999999, 0", "", ","}) {
    INFO(typed);
    const Verdict verdict = ready.mark("next", typed);
    CHECK_FALSE(verdict.understood);
    CHECK_FALSE(verdict.right);
  }
}

TEST_CASE("every tile of the grid but the right one is wrong") {
  const Ready ready("lines");
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const Verdict verdict = ready.mark("next", sim::text(i, ", ", j));
      CHECK(verdict.understood);
      CHECK(verdict.right == (i == 3 && j == 0));
    }
  }
}

TEST_CASE("a formula is right in whatever form it is written") {
  const Ready ready("make");
  for (const std::string typed : {"Tc*N*d*e*h*b", "N^2 * d / Bc * e * h * b", "b*h*(N*d)*ceil(N/Bc)*e",
                                  "N*d*e*h*b*Tc*1", "Tc*Nq*d*4*15", "N*d*e*h*b + (Tc - 1)*N*d*e*h*b"}) {
    INFO(typed);
    CHECK(ready.mark("formula", typed).right);
  }
}

TEST_CASE("a formula is read as lessons print it") {
  const Ready ready("make");  // Tc * N * d * e * h * b
  for (const std::string typed :
       {"T_c N d e h b", "N d (T_c) e h b", "TcNdehb", "N·d·Tc·e·h·b", "N d e h b ⌈N / B_c⌉", "⌈N/B_{c}⌉ N d e h b",
        "n D tc e h b", "N² d e h b / Bc", "N^2 d e h b/B_c", "N^{2} d/Bc e h b", "(T_c N) (d e)(h b)",
        "[T_c N] d e h b", "2 T_c N d e h b / 2", "ceil(N/B_c) Ndehb", "Tc×N×d×e×h×b", "√N √N T_c d e h b",
        "N d 4 h b Tc", "2N d Tc h b e 0.5", "2N .5d Tc h b e"}) {
    INFO(typed);
    const Verdict verdict = ready.mark("formula", typed);
    CHECK(verdict.understood);
    CHECK(verdict.right);
  }
}

namespace {

/// A random product or sum in both notations: with all signs, and as it is printed.
struct Notations {
  std::string typed, printed;
};

Notations factor(sim::Dice& dice, int depth);

Notations product(sim::Dice& dice, int depth) {
  Notations all = factor(dice, depth);
  for (std::int64_t n = dice.between(0, 3); n > 0; --n) {
    const Notations next = factor(dice, depth);
    const bool numbers = sim::is_digit(all.printed.back()) && sim::is_digit(next.printed.front());
    all.typed += "*" + next.typed;
    all.printed += (numbers ? " * " : " ") + next.printed;
  }
  return all;
}

Notations factor(sim::Dice& dice, int depth) {
  constexpr std::pair<const char*, const char*> names[] = {{"N", "N"},      {"d", "d"},      {"Br", "B_r"},
                                                           {"Bc", "B_{c}"}, {"Tc", "T_c"},   {"N^2", "N²"},
                                                           {"e", "e"},      {"d^2", "d^{2}"}};
  if (depth > 0 && dice.one_in(3)) {
    const Notations a = product(dice, depth - 1), b = product(dice, depth - 1);
    const bool rounds = dice.one_in(3);
    return {(rounds ? "ceil(" : "(") + a.typed + (rounds ? "/" : "+") + "(" + b.typed + "))",
            (rounds ? "⌈" : "(") + a.printed + (rounds ? " / (" : " + (") + b.printed + (rounds ? ")⌉" : "))")};
  }
  if (dice.one_in(4)) {
    const std::string number = sim::text(dice.between(1, 9));
    return {number, number};
  }
  const auto& [typed, printed] = names[dice.between(0, 7)];
  return {typed, printed};
}

}  // namespace

TEST_CASE("random formulas have the same value with all signs and as they are printed") {
  const Ready ready("make");
  sim::Dice dice(17);
  for (int n = 0; n < 300; ++n) {
    Notations formula = product(dice, 3);
    INFO(formula.typed << " and " << formula.printed);
    const std::string read =
        lessons::formula_readings(lessons::in_plain_signs(formula.printed), sim::formula_symbols()).front();
    CHECK(sim::formula_value(read, ready.scene.run().plan) ==
          sim::formula_value(formula.typed, ready.scene.run().plan));
  }
}

TEST_CASE("what follows a division is one factor or all that stands next to it, whichever is right") {
  const Ready ready("make");
  CHECK(ready.mark("formula", "N d e h b / 1 / Bc N").right);        // from left to right
  CHECK(ready.mark("formula", "2 N d N Bc e h b / 2 Bc Bc").right);  // over all that follows
  CHECK_FALSE(ready.mark("formula", "N d N e h b / 2 Bc * 3").right);
}

TEST_CASE("a formula with a name that there is not, or without a sign, is asked back in plain words") {
  const Ready ready("make");
  const auto error = [&](const std::string& typed) {
    const Verdict verdict = ready.mark("formula", typed);
    CHECK_FALSE(verdict.understood);
    return verdict.error.text();
  };
  CHECK_THAT(error("K_j * 3"), Contains("there is no \"K_j\" in this formula: it may have N, Nq"));
  CHECK_THAT(error("B d"), Contains("there is no \"B\""));  // a block or the batch
  CHECK_THAT(error("N d e 2 3"), Contains("\"N d e 2 3\" is not a formula"));
  CHECK_THAT(error("(N d"), Contains("is not a formula"));
  CHECK_THAT(error("N d ="), Contains("is not a formula"));
  CHECK_THAT(error("N/(Br-16)"), Contains("division by zero"));
  for (const std::string typed :
       {"⌈", "⌉", "²", "_", "N_", "{", "N_{", "^", "/", "N/", "1/e/", "sqrt", "max N", ".", "N."}) {
    INFO(typed);
    CHECK_FALSE(ready.mark("formula", typed).right);
  }
}

TEST_CASE("a formula that only fits the scenario of the step is wrong") {
  const Ready ready("make");
  CHECK(ready.scene.facts().value("tile_traffic.by_tensor.Q") == 245760);
  for (const std::string typed :
       {"245760", "4*N*d*e*h*b", "Tr*N*d*e*h*b", "Tc*64*d*e*h*b", "Tc*N*Br*e*h*b", "Br*N*Tc*e*h*b + 0*d"}) {
    INFO(typed);
    const Verdict verdict = ready.mark("formula", typed);
    CHECK(verdict.understood);
    if (typed == "4*N*d*e*h*b")
      CHECK(verdict.reason.text() == "It gives the right number here, but not with seqlen=96.");
    if (typed != "Tc*N*Br*e*h*b" && typed != "Br*N*Tc*e*h*b + 0*d") CHECK_FALSE(verdict.right);
  }
  CHECK_FALSE(ready.mark("formula", "Tc*N*d*e*h*b + 1").right);
  CHECK_FALSE(ready.mark("formula", "Tc*N*d*e*h").right);
  const Verdict once = ready.mark("formula", "b*h*e*d*N");
  CHECK(once.why == "once");
  CHECK(once.ratio == 0.25);
}

TEST_CASE("a formula that cannot be read or has no value is not understood") {
  const Ready ready("make");
  for (const std::string typed :
       {"", "Tc*", "K*3", "Tc**2", "1/0", "N/(Br-16)", "1e308*N*d", "tile_traffic.total", "((((", "N; rm"}) {
    INFO(typed);
    CHECK_FALSE(ready.mark("formula", typed).understood);
  }
  CHECK_FALSE(ready.mark("formula", std::string(300, '(') + "1" + std::string(300, ')')).understood);
  const Verdict elsewhere = ready.mark("formula", "Tc*N*d*e*h*b + 0/(N-96)");  // one scenario of `over` divides by zero
  CHECK_FALSE(elsewhere.right);
}

TEST_CASE("a goal is reached by changing the options that it allows") {
  const Ready ready("make");
  for (const std::string typed :
       {"bc=32", "br=16&bc=32", "br=16 bc=32", "br=16, bc=32", "&&bc=32&&", "Br = 16, Bc = 32"}) {
    INFO(typed);
    const Verdict verdict = ready.mark("golf", typed);
    CHECK(verdict.understood);
    CHECK(verdict.right);
    CHECK(verdict.score == ready.scene.facts().value("wide tile_traffic.total"));
    CHECK(verdict.par == verdict.score);
  }
  const Verdict wrong = ready.mark("golf", "bc=8");
  CHECK(wrong.understood);
  CHECK_FALSE(wrong.right);
  CHECK(wrong.score > wrong.par);
}

TEST_CASE("a value without its option is asked back with the names of the options") {
  const Ready ready("make");
  const auto error = [&](const std::string& typed) {
    const Verdict verdict = ready.mark("golf", typed);
    CHECK_FALSE(verdict.understood);
    return verdict.error.text();
  };
  for (const std::string typed : {"96 16", "96, 16", "96x16", "96×16", "96 16 8"}) {
    INFO(typed);
    CHECK_THAT(error(typed), Contains("has no option: type it with its name, such as br=96 bc=16"));
  }
  CHECK_THAT(error("132"), Contains("\"132\" has no option") && Contains("such as br=132"));
  CHECK_THAT(error("br=96 16"), Contains("has no option"));
  CHECK_THAT(error("bc"), Contains("option bc has no value"));
}

TEST_CASE("locked and unknown options and tiles that do not fit are named and cost nothing") {
  const Ready ready("make");
  const auto error = [&](const std::string& typed) {
    const Verdict verdict = ready.mark("golf", typed);
    CHECK_FALSE(verdict.understood);
    CHECK_FALSE(verdict.right);
    return verdict.error.text();
  };
  CHECK_THAT(error("seqlen=16"), Contains("option seqlen is locked here: change br, bc"));
  CHECK_THAT(error("N = 16"), Contains("option seqlen is locked here"));  // the text's name for it
  CHECK_THAT(error("bc=32&dtype=fp16"), Contains("option dtype is locked here"));
  CHECK_THAT(error("tiling=paper"), Contains("locked"));
  CHECK_THAT(error("bcc=32"), Contains("unknown option \"bcc\"") && Contains("did you mean \"bc\""));
  CHECK_THAT(error("bcc=32"), Contains("known: br, bc") && !Contains("seqlen"));
  CHECK_THAT(error("bc=32&bc=16"), Contains("twice"));
  CHECK_THAT(error("bc=many"), Contains("many"));
  CHECK_FALSE(error("bc=0").empty());
  CHECK_FALSE(error("bc=-1").empty());
  CHECK_FALSE(error("bc=99999999999999999999").empty());
  CHECK_FALSE(error("&").empty());
  const Ready large("make", {example::with(example::toml, "seqlen=64", "seqlen=512")});
  const Verdict tall = large.mark("golf", "br=512&bc=512");
  CHECK_FALSE(tall.understood);
  CHECK_THAT(tall.error.text(), Contains("fit"));
}
