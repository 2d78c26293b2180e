// Draws a line of C++, highlighted by brightness: verbs of the CTA stand out, C++ boilerplate is dimmed.
#include <algorithm>
#include <array>

#include "viz/panels/listing/rows.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr std::array<std::string_view, 14> quiet_words = {"const",  "if",    "else", "for",      "std",
                                                          "move",   "auto",  "bool", "SmemTile", "RegTile",
                                                          "RegVec", "Block", "Hbm",  "Tensor"};

bool is_word(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Leading token of a text: a word, or a run of other characters.
std::string_view first_token(std::string_view text) {
  const bool word = is_word(text[0]);
  const auto end = std::find_if(text.begin(), text.end(), [word](char c) { return is_word(c) != word; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

void draw_code(View& view, ui::Rect rect, std::string_view code, bool runs) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  std::string_view before;
  ui::Space rest(rect);
  while (!code.empty() && rest.width() > 0) {
    const std::string_view token = first_token(code);
    code.remove_prefix(token.size());
    const bool quiet = !is_word(token[0]) || token == "cta" || token == "hbm" || token == "p" ||
                       std::find(quiet_words.begin(), quiet_words.end(), token) != quiet_words.end();
    const bool verb = before == "cta";
    const ui::Color color = !runs ? theme.muted : verb ? theme.strong : quiet ? theme.muted : theme.text;
    const float width = canvas.text_width(ui::Style::table, token);
    canvas.text(rest.rest(), ui::Style::table, color, token);
    if (width > rest.width() + 1) return;  // it ends in "…"
    rest.left(width);
    if (is_word(token[0]) || token != ".") before = token;
  }
}

}  // namespace explorer
