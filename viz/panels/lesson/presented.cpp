// A step for an audience: in pages of few words, next to one picture. The arrow keys turn pages.
#include <algorithm>

#include "lessons/check.h"
#include "lessons/places.h"
#include "sim/base/text.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/panels/lesson/list.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using lessons::BlockKind;
using ui::Rect;
using ui::Style;

constexpr std::size_t most_words = 45, most_with_question = 60;  // of a page

/// Indivisible part of a page: some text, or a question with the text that follows its answer.
struct Part {
  lessons::Block block = {};
  const lessons::Question* question = nullptr;
};

/// Adds a block; if it has too many words, splits it between sentences.
void add_block(std::vector<Part>& parts, const lessons::Block& block) {
  if (block.kind == BlockKind::equations || block.kind == BlockKind::table) return parts.push_back({block});
  const std::string_view text = block.text;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    parts.push_back({{block.kind, std::string(sim::trimmed(text.substr(begin, end - begin)))}});
    begin = end;
  };
  for (std::size_t end = 0; end < text.size();) {
    const std::size_t next = end + end_of_sentence(text.substr(end));
    if (end > begin && lessons::words_in(text.substr(begin, next - begin)) > most_words) add(end);
    end = next;
  }
  add(text.size());
}

/// Parts up to the first open question, which is then the last; if none is open, also the text that follows them.
std::vector<Part> parts_of(View& view, const LessonPage& page) {
  std::vector<Part> parts;
  for (const lessons::Block& block : page.page.blocks) add_block(parts, block);
  if (!page.error.empty()) parts.push_back({{BlockKind::paragraph, ui::escaped(page.error)}});
  for (const lessons::Question* question : readable_questions(view.model)) parts.push_back({{}, question});
  if (open_question(view.model) != nullptr) return parts;
  for (const lessons::Block& block : page.page.told) add_block(parts, block);
  return parts;
}

std::size_t words_of(const LessonPage& page, const Part& part) {
  if (part.question != nullptr) return lessons::words_in(page.words(*part.question).question);
  return part.block.kind == BlockKind::equations ? 0 : lessons::words_in(part.block.text);
}

void write_parts(Column& column, const LessonPage& page, const Part* begin, const Part* end) {
  write(column, Style::number, page.page.title);
  column.space(8);
  std::string_view links = "lesson/link";
  for (const Part* part = begin; part != end;) {
    std::vector<lessons::Block> blocks;
    for (; part != end && part->question == nullptr; ++part) blocks.push_back(part->block);
    if (part != begin && links == "lesson/told") column.space(14);
    write_blocks(column, blocks, links);
    links = "lesson/told";
    if (part != end) write_question(column, page, *part++->question);
  }
}

/// Indices of the parts that start a page: a page has few words and fits.
std::vector<std::size_t> starts_of(View& view, const LessonPage& page, const std::vector<Part>& parts, Rect room) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t n = 1; n < parts.size(); ++n) {
    const Part *begin = &parts[starts.back()], *end = &parts[n] + 1;
    std::size_t words = 0;
    for (const Part* part = begin; part != end; ++part) words += words_of(page, *part);
    Column measured(view, room, false);
    write_parts(measured, page, begin, end);
    const std::size_t most = parts[n].question == nullptr ? most_words : most_with_question;
    if (words > most || measured.used() > room.height) starts.push_back(n);
  }
  return starts;
}

/// Place of the first link in a range of parts; "" if there is none.
std::string first_place(const Part* begin, const Part* end) {
  for (const Part* part = begin; part != end; ++part) {
    const std::vector<std::string> places = lessons::places_in(part->block.text);
    if (!places.empty()) return places.front();
  }
  return "";
}

/// Draws the position in the lesson, and the word that ends presenting.
void draw_footer(View& view, const LessonPage& page, Rect place, std::size_t shown, std::size_t pages) {
  const bool open = open_question(view.model) != nullptr;
  const std::string_view leave = open ? view.say("R reveals  ·  P ends") : view.say("P ends");
  ui::Space line(place);
  const Rect word = line.right(view.canvas().text_width(Style::control, leave) + view.px(2), view.px(8));
  if (draw_word(view, "lesson/present", word, leave, ui::Align::right)) view.edit(Present{false});
  for (std::size_t n = pages; n-- > 0 && pages > 1;) {
    const ui::Color color = n == shown ? view.theme().strong : view.theme().track;
    view.canvas().disc(line.right(view.px(12)).center(), view.px(4), color);
  }
  line.right(view.px(4));
  const std::string step = sim::text(page.number, " / ", page.steps());
  const std::string numbered = sim::text(page.lesson().number(), "  ", step);
  const std::string& title = page.written.words(language_of(view.state.look)).title;
  for (const std::string& words : {sim::text(numbered, "  ", title), numbered, step}) {
    if (fitting_text(view.canvas(), line.rest(), Style::caption, view.theme().muted, words)) break;
  }
}

}  // namespace

int draw_presented(View& view, const LessonPage& page, Rect panel) {
  const auto [rest, footer] = ui::rows(panel.inset(view.px(20), view.px(14)), view.px(10), {ui::rest(), view.px(24)});
  const std::vector<Part> parts = parts_of(view, page);
  const std::vector<std::size_t> starts = starts_of(view, page, parts, rest);
  const auto next = std::upper_bound(starts.begin(), starts.end(), view.state.lesson.part), now = std::prev(next);
  const bool is_last = next == starts.end(), asks = open_question(view.model) != nullptr;
  draw_footer(view, page, footer, static_cast<std::size_t>(now - starts.begin()), starts.size());
  const Part *begin = parts.data() + *now, *end = parts.data() + (is_last ? parts.size() : *next);
  view.ui.state.reading.first = first_place(begin, end);
  draw_scrolled(view, rest, [&](Column& column) { write_parts(column, page, begin, end); });
  const auto turn = [&](std::size_t part) {
    view.edit(TurnPage{part});
    view.ui.state.scrolled["lesson/text"] = 0;
    return 0;
  };
  const char key = view.ui.state.reading.key;
  if (key == 'r' && asks) return turn(parts.size() - 1);  // jumps to the question, which is the last part
  if (key == '<') return now == starts.begin() ? std::max(1, page.number - 1) : turn(*std::prev(now));
  if (key != '>' && (key != '\n' || (asks && is_last))) return 0;
  return is_last ? page.number + 1 : turn(*next);
}

}  // namespace explorer
