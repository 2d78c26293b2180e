#include "viz/ui/rich_text.h"

#include <algorithm>
#include <cmath>

#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace ui {
namespace {

/// The word at the start of a text: ASCII letters.
std::string_view word(std::string_view text) {
  return text.substr(
      0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), sim::is_letter) - text.begin()));
}

/// True if all letters are tensors: "QK" and "PV" are two tensors, "SMEM" has others; is_gradient(): "dS" is one.
bool all_tensors(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_tensor); }
bool is_gradient(std::string_view word) { return word.size() == 2 && word[0] == 'd' && is_tensor(word[1]); }

/// Letter of the tensor whose row a word with a subscript is, "q_i" or "dk_j"; 0 for other words.
char tensor_of_row(std::string_view word, std::string_view text) {
  if (word.empty() || text.substr(word.size(), 1) != "_") return 0;
  const std::string_view letter = word[0] == 'd' ? word.substr(1) : word;
  const std::size_t at = letter.size() == 1 ? std::string_view("qkvo").find(letter) : std::string_view::npos;
  return at == std::string_view::npos ? '\0' : "QKVO"[at];
}

/// Reads markup from the front into pieces.
class Reader {
 public:
  explicit Reader(std::string_view markup) : rest_(markup) {}

  std::vector<Piece> read() {
    while (!rest_.empty()) {
      if ((rest_[0] == '_' || rest_[0] == '^') && rest_.size() > 1) {
        read_script();
      } else if (rest_[0] == '\\' && rest_.size() > 1) {
        rest_.remove_prefix(1);
        const std::string_view kept = word(rest_);
        add(take(kept.empty() ? sim::first_character(rest_).size : kept.size()), 0, 0);
      } else {
        read_plain();
      }
    }
    return pieces_;
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// Adds text, merged with a previous piece that looks alike: spacing within a piece is the font's.
  void add(std::string_view text, char tensor, int level) {
    if (!pieces_.empty() && level == 0 && pieces_.back().level == 0 && pieces_.back().tensor == tensor) {
      pieces_.back().text += text;
    } else if (!text.empty()) {
      pieces_.push_back({std::string(text), tensor, level});
    }
  }

  void read_script() {
    const int level = take(1) == "_" ? -1 : 1;
    const char tensor = pieces_.empty() ? '\0' : pieces_.back().tensor;
    const std::size_t close = rest_[0] == '{' ? rest_.find('}') : std::string_view::npos;
    if (close == std::string_view::npos) {
      add(take(sim::first_character(rest_).size), tensor, level);
    } else {
      add(take(close + 1).substr(1, close - 1), tensor, level);
    }
  }

  void read_plain() {
    const std::string_view letters = word(rest_);
    if (is_gradient(letters)) {
      add(take(2), letters[1], 0);
    } else if (all_tensors(letters)) {
      for (const char letter : letters) add(take(1), letter, 0);
    } else if (const char row = tensor_of_row(letters, rest_); row != 0) {
      add(take(letters.size()), row, 0);
    } else {
      add(take(letters.empty() ? sim::first_character(rest_).size : letters.size()), 0, 0);
    }
  }

  std::string_view rest_;
  std::vector<Piece> pieces_;
};

/// True for the tilde of "P^~": fonts have no letter P with a tilde above it.
bool is_accent(const Piece& piece) { return piece.level == 1 && piece.text == "~"; }

/// Corner of the accent above the last letter of a text, from the end of that text.
Point place_of_accent(const Canvas& canvas, Style style, std::string_view text) {
  std::size_t last = text.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;  // of several bytes, as ℓ
  const std::string_view letter = text.substr(last);
  const bool is_low = letter.size() == 1 && letter[0] >= 'a' && letter[0] <= 'z';  // programs write ℓ, not l
  const float back = (canvas.text_width(style, letter) + canvas.text_width(script_of(style), "~")) / 2;
  return {-std::round(back), std::round((is_low ? -0.48f : -0.66f) * canvas.fonts().em(style))};
}

/// Calls place(piece, style, x, y) for each piece; x, y are the corner of its box relative to that of the line. Returns
/// the width.
template <class Place>
float lay_out(const Canvas& canvas, Style style, const std::vector<Piece>& pieces, Place place) {
  const Fonts& fonts = canvas.fonts();
  const Style script = script_of(style);
  const float drop = fonts[style].Ascent - fonts[script].Ascent;  // from baseline to baseline
  float x = 0, scripts_from = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.level == 0) {
      place(piece, style, x, 0.f);
      scripts_from = x += canvas.text_width(style, piece.text);
      continue;
    }
    if (is_accent(piece) && i > 0) {
      const auto [dx, dy] = place_of_accent(canvas, style, pieces[i - 1].text);
      place(piece, script, x + dx, drop + dy);
      continue;
    }
    // Starts the second of two stacked scripts where the first did.
    const bool stacked = i > 0 && pieces[i - 1].level == -piece.level;
    const float left = stacked ? scripts_from : x;
    if (!stacked) scripts_from = x;
    const float shift = piece.level < 0 ? 0.26f : -0.42f;
    place(piece, script, left, drop + std::round(shift * fonts.em(style)));
    x = std::max(x, left + canvas.text_width(script, piece.text) + fonts.scale);
  }
  return x;
}

}  // namespace

std::vector<Piece> parse_rich(std::string_view markup) { return Reader(markup).read(); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '_' || c == '^' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string plain(std::string_view markup) {
  std::string result;
  for (const Piece& piece : parse_rich(markup)) result += piece.text;
  return result;
}

float rich_width(const Canvas& canvas, Style style, std::string_view markup) {
  return lay_out(canvas, style, parse_rich(markup), [](const Piece&, Style, float, float) {});
}

float rich_height(const Canvas& canvas, Style style, std::string_view markup) {
  constexpr float capital = 0.73f, descent = 0.22f;  // of the em, in the fonts that are compiled in
  const float middle = canvas.line_height(style) / 2;
  float reach = 0;
  lay_out(canvas, style, parse_rich(markup), [&](const Piece& piece, Style piece_style, float, float y) {
    const float baseline = y + canvas.fonts()[piece_style].Ascent, em = canvas.fonts().em(piece_style);
    const bool descends = piece.text.find_first_of("gjpqy,") != std::string::npos;
    const float below = descends ? descent * em : 0;
    reach = std::max({reach, middle - (baseline - capital * em), baseline + below - middle});
  });
  return 2 * reach;
}

float rich_text(Canvas& canvas, Rect box, Style style, const Ink& ink, std::string_view markup, Align align) {
  const std::vector<Piece> pieces = parse_rich(markup);
  const float width = lay_out(canvas, style, pieces, [](const Piece&, Style, float, float) {});
  const float free = std::max(0.f, box.width - width);
  const float left = std::round(box.x + (align == Align::left ? 0 : align == Align::center ? free / 2 : free));
  const float top = std::round(box.y + (box.height - canvas.line_height(style)) / 2);
  const bool cut = width > box.width + 1;
  if (cut) canvas.push_clip({box.x, box.y - box.height, box.width, 3 * box.height});
  lay_out(canvas, style, pieces, [&](const Piece& piece, Style piece_style, float x, float y) {
    const bool colored = ink.tensors && piece.tensor != 0;
    const Color color = colored ? canvas.theme().tensor_text(piece.tensor, ink.surface) : ink.color;
    canvas.text_at({left + x, top + y}, piece_style, color, piece.text);
  });
  if (cut) canvas.pop_clip();
  return width;
}

}  // namespace ui
