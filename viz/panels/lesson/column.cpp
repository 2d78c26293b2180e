#include "viz/panels/lesson/column.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/report/line_breaks.h"
#include "viz/model/lesson/lesson.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using std::string_view;

/// A part of a text without its marks.
struct Span {
  std::size_t begin, end;
  bool bold = false;
  std::string link = {};
};

/// A text without marks, and the spans that the marks made.
struct Unmarked {
  std::string text;
  std::vector<Span> spans;  ///< consecutive, covering all of the text
};

class Reader {
 public:
  explicit Reader(string_view markup) : rest_(markup) {}

  Unmarked read() {
    while (!rest_.empty()) {
      if (rest_.starts_with("**")) {
        turn(!bold_);
        rest_.remove_prefix(2);
      } else if (rest_[0] == '`') {
        rest_.remove_prefix(1);
      } else if (rest_[0] != '[' || !read_link()) {
        read_character();
      }
    }
    turn(false);
    return std::move(out_);
  }

 private:
  /// Reads one character or script: "qk_gemm" is the name of a kernel, "S_ij" has one subscript of two letters.
  void read_character() {
    const std::size_t close = rest_.starts_with("^{") || rest_.starts_with("_{") ? rest_.find('}') : string_view::npos;
    if (close != string_view::npos) {  // a script with an explicit end
      out_.text += rest_.substr(0, close + 1);
      return rest_.remove_prefix(close + 1);
    }
    const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
    const std::string& done = out_.text;
    const bool word = rest_[0] == '_' && rest_.size() > 2 && small(rest_[1]) && small(rest_[2]) && !done.empty();
    if (word && !small(done.back())) {
      const auto end = std::find_if_not(rest_.begin() + 1, rest_.end(), small);
      const auto size = static_cast<std::size_t>(end - rest_.begin());
      out_.text += "_{" + std::string(rest_.substr(1, size - 1)) + "}";
      return rest_.remove_prefix(size);
    }
    const bool landau = rest_.starts_with("O(");  // "O(N d)" is not the tensor O
    if (landau || (word && done.size() > 1 && small(done[done.size() - 2]))) out_.text += '\\';
    out_.text += rest_[0];
    rest_.remove_prefix(1);
  }
  /// Ends a span: the text since the last end.
  void turn(bool bold, std::string link = {}) {
    if (out_.text.size() > begin_) out_.spans.push_back({begin_, out_.text.size(), bold_, std::move(link)});
    begin_ = out_.text.size();
    bold_ = bold;
  }
  bool read_link() {
    const std::size_t close = rest_.find("](");
    const std::size_t end = close == string_view::npos ? close : rest_.find(')', close);
    if (end == string_view::npos) return false;
    turn(bold_);
    std::string link(rest_.substr(close + 2, end - close - 2));
    const string_view after = rest_.substr(end + 1);
    rest_ = rest_.substr(1, close - 1);
    while (!rest_.empty()) read_character();
    turn(bold_, std::move(link));
    rest_ = after;
    return true;
  }

  string_view rest_;
  std::size_t begin_ = 0;
  bool bold_ = false;
  Unmarked out_;
};

ui::Style style_of(ui::Style style, const Span& span) {
  return span.bold && style == ui::Style::body ? ui::Style::title : style;
}

constexpr float rounding = 2;  // device pixels: a line's width differs from the sum of its pieces'

/// Calls place(piece, span) for the pieces of a part of the text.
template <class Place>
void for_pieces(const Unmarked& all, string_view part, Place place) {
  const auto from = static_cast<std::size_t>(part.data() - all.text.data()), to = from + part.size();
  for (const Span& span : all.spans) {
    const std::size_t begin = std::max(span.begin, from), end = std::min(span.end, to);
    if (begin < end) place(string_view(all.text).substr(begin, end - begin), span);
  }
}

float width_of(const View& view, ui::Style style, const Unmarked& all, string_view part) {
  float width = 0;
  for_pieces(all, part, [&](string_view piece, const Span& span) {
    width += ui::rich_width(view.canvas(), style_of(style, span), piece);
  });
  return width;
}

/// Widens a box for a piece whose width was rounded down and would be cut.
ui::Rect with_rounding(ui::Rect box) {
  box.width += 1;
  return box;
}

/// Draws a linked word: underlined; filled while its place in the picture is highlighted.
void draw_link(View& view, ui::Rect box, const Words& words, const Span& span, string_view piece, int& number) {
  const ui::Theme& theme = view.theme();
  const ui::Hit h = ui::hit(view.ui, sim::text(words.links, "/", number++), box);
  ui::Reading& reading = view.ui.state.reading;
  if (h.hovered) reading.pointed = span.link;
  const bool lit = h.hovered || (reading.lit == span.link && reading.pointed.empty());
  if (lit) {
    view.canvas().fill(box, theme.strong, view.px(3));
  } else {
    const float low = box.bottom() - view.px(2);
    view.canvas().fill({box.x, low, box.width, std::max(1.f, view.px(1))}, theme.muted);
  }
  const ui::Ink ink{lit ? theme.on_strong : words.color, !lit, words.surface};
  ui::rich_text(view.canvas(), with_rounding(box), words.style, ink, piece);
  if (h.clicked) view.edit(PointAt{span.link, reading.tabbed});
}

/// Draws a line. Each piece starts at the exact sum of earlier widths, rounded to a pixel: rounding errors do not
/// accumulate.
void draw_line(View& view, ui::Rect line, const Words& words, const Unmarked& all, string_view part, int& links) {
  float before = 0;
  for_pieces(all, part, [&](string_view piece, const Span& span) {
    const ui::Style style = style_of(words.style, span);
    const float begin = std::round(line.x + before);
    before += ui::rich_width(view.canvas(), style, piece);
    const ui::Rect box{begin, line.y, std::round(line.x + before) - begin, line.height};
    if (!span.link.empty() && !words.links.empty()) return draw_link(view, box, words, span, piece, links);
    ui::rich_text(view.canvas(), with_rounding(box), style, {words.color, true, words.surface}, piece);
  });
}

}  // namespace

void write(Column& column, const Words& words, string_view markup) {
  const Unmarked all = Reader(markup).read();
  const View& view = column.view;
  const float step = ui::line_step(view.canvas(), words.style) + (words.style == ui::Style::body ? view.px(2) : 0);
  const auto measure = [&](string_view part) { return width_of(view, words.style, all, part); };
  int links = 1;
  for (const string_view part : report::break_lines(all.text, column.width() - rounding, measure)) {
    const ui::Rect line = column.take(step);
    if (column.draws()) draw_line(column.view, line, words, all, part, links);
  }
}

void write(Column& column, ui::Style style, string_view markup) {
  const ui::Theme& theme = column.view.theme();
  write(column, Words{style, theme.text, theme.card}, markup);
}

void write_muted(Column& column, string_view markup) {
  const ui::Theme& theme = column.view.theme();
  write(column, Words{ui::Style::caption, theme.muted, theme.card}, markup);
}

std::string unmarked(string_view markup) { return Reader(markup).read().text; }

std::size_t end_of_sentence(string_view text) {
  const string_view stop = "。";
  const std::size_t dot = text.find(". "), chinese = text.find(stop);
  return std::min({dot == string_view::npos ? dot : dot + 1,
                   chinese == string_view::npos ? chinese : chinese + stop.size(), text.size()});
}

float written_width(const View& view, ui::Style style, string_view markup) {
  const Unmarked all = Reader(markup).read();
  return width_of(view, style, all, all.text);
}

float width_for(const View& view, ui::Style style, string_view markup) {
  return std::ceil(written_width(view, style, markup) + rounding);
}

}  // namespace explorer
