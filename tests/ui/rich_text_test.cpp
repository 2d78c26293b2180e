#include "viz/ui/rich_text.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/ui/draw_on.h"

using namespace ui;

namespace {

/// Pieces as one line: "Q:Q j:K-1" is Q in Q's colour and the subscript j in K's.
std::string shown(std::string_view markup) {
  std::ostringstream out;
  for (const Piece& p : parse_rich(markup)) {
    if (out.tellp() > 0) out << '|';
    out << p.text;
    if (p.tensor) out << ':' << p.tensor;
    if (p.level) out << (p.level < 0 ? "_" : "^");
  }
  return out.str();
}

}  // namespace

TEST_CASE("an equation is split into tensors and scripts") {
  CHECK(shown("S = Q_i K_j^T / √d") == "S:S| = |Q:Q|i:Q_| |K:K|j:K_|T:K^| / √d");
  CHECK(shown("dS_{ij} ← P_{ij} ∘ x^{-2}") == "dS:S|ij:S_| ← |P:P|ij:P_| ∘ x|-2^");
  CHECK(shown("PV_j") == "P:P|V:V|j:V_");
  CHECK(shown("m_i^é") == "m|i_|é^");
}

TEST_CASE("words are tensors only if they consist of their letters") {
  CHECK(shown("SMEM holds K and V") == "SMEM holds |K:K| and |V:V");
  CHECK(shown("dot dQ dd OK") == "dot |dQ:Q| dd |O:O|K:K");
  CHECK(shown("每个Q块") == "每个|Q:Q|块");
}

TEST_CASE("a backslash escapes a word or a symbol") {
  CHECK(shown("\\OK row\\_max \\\\") == "OK row_max \\");
  CHECK(shown(escaped("a_b^c\\Q")) == "a_b^c\\|Q:Q");
}

TEST_CASE("truncated markup is shown literally") {
  CHECK(shown("a_") == "a_");
  CHECK(shown("a\\") == "a\\");
  CHECK(shown("a_{b") == "a|{_|b");
  CHECK(shown("_i") == "i_");
  CHECK(shown("") == "");
  CHECK(shown("a_{}b") == "ab");
}

TEST_CASE("the plain text of an equation is its visible text") { CHECK(plain("Q_i K_{j}^T \\OK") == "Qi KjT OK"); }

TEST_CASE("an equation is as wide as its parts, and two scripts of a letter share their position") {
  draw_on(200, 40, [](Canvas& c) {
    const float q = c.text_width(Style::body, "Q"), i = c.text_width(Style::script, "i");
    CHECK(rich_width(c, Style::body, "Q") == q);
    CHECK(rich_width(c, Style::body, "Q_i") == Approx(q + i + 1));
    CHECK(rich_width(c, Style::body, "Q_i^i") == Approx(q + i + 1));
    CHECK(rich_width(c, Style::body, "Q_i^{iii}") == rich_width(c, Style::body, "Q^{iii}_i"));
    CHECK(rich_text(c, {0, 0, 200, 40}, Style::body, {.color = rgb(0xFFFFFF)}, "Q_i") == Approx(q + i + 1));
  });
}

TEST_CASE("a tilde is drawn above its letter and takes no width") {
  draw_on(200, 40, [](Canvas& c) {
    for (const std::string letter : {"P", "m", "ℓ"}) {
      CHECK(rich_width(c, Style::code, letter + "^~") == rich_width(c, Style::code, letter));
      CHECK(rich_width(c, Style::code, letter + "^~ V_j") == rich_width(c, Style::code, letter + " V_j"));
    }
  });
}

TEST_CASE("a tensor has its colour in an equation and the text's on a fill") {
  const Theme theme = dark_theme();
  const Color white = rgb(0xFFFFFF);
  const auto has = [](const platform::Picture& p, Color color) {
    for (int y = 0; y < p.height; ++y) {
      for (int x = 0; x < p.width; ++x) {
        if (p.at(x, y) == color) return true;
      }
    }
    return false;
  };
  for (const bool tensors : {false, true}) {
    const auto picture = draw_on(60, 40, [&](Canvas& c) {
      rich_text(c, {5, 0, 50, 40}, Style::number, {white, tensors, theme.window}, "K");
    });
    CHECK(has(picture, theme.tensor('K')) == tensors);
    CHECK(has(picture, white) == !tensors);
  }
}

TEST_CASE("an equation that is too wide is clipped at its box") {
  const auto picture = draw_on(100, 20, [](Canvas& c) {
    rich_text(c, {0, 0, 40, 20}, Style::body, {.color = rgb(0xFFFFFF)}, "S = Q_i K_j^T / √d and more");
  });
  for (int x = 40; x < 100; ++x) CHECK(picture.at(x, 10) == dark_theme().window);
}
