#include "viz/panels/listing/rows.h"

#include <array>
#include <cmath>

#include "viz/model/event_label.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using Kind = ListingLine::Kind;

ui::Color color_of(const View& view, const ListingLine& line) {
  const char letter = line.work ? letter_of(line.work->sample.tensor) : '\0';
  return letter != 0 ? view.theme().tensor(letter) : view.theme().muted;
}

/// Draws a copy under way: a column of dots, lit in proportion to the bytes that have arrived.
void draw_dots(View& view, ui::Rect place, ui::Color color, float progress) {
  const int dots = 5;
  const float step = place.height / dots;
  for (int n = 0; n < dots; ++n) {
    const bool lit = progress * dots >= static_cast<float>(n) + 0.5f;
    const ui::Rect dot{place.x, place.y + static_cast<float>(n) * step, place.width, std::floor(step * 0.6f)};
    view.canvas().fill(dot, lit ? color : ui::mix(view.theme().card, color, 0.35f));
  }
}

/// Draws the marker at the left edge: a solid bar for computation, dots for a copy.
void draw_marker(View& view, ui::Rect edge, const ListingLine& line, const LineMoment& moment) {
  const ui::Rect place = edge.inset(0, view.px(3));
  const bool copy = moment.event >= 0 && line.work && line.work->sample.direction != sim::Direction::none;
  if (copy) {
    draw_dots(view, place, color_of(view, line), moment.progress);
  } else if (moment.current) {
    view.canvas().fill(place, moment.wait < 0 ? view.theme().strong : view.theme().faint);
  } else if (moment.event >= 0) {
    view.canvas().fill(place, view.theme().muted);
  }
}

std::string_view wait_words(const View& view, sim::Cause cause) {
  switch (cause) {
    case sim::Cause::data:
      return view.say("waits for data");
    case sim::Cause::bandwidth:
      return view.say("waits for bandwidth");
    case sim::Cause::barrier:
      return view.say("waits at a barrier");
    case sim::Cause::turn:
      return view.say("waits for its turn");
    case sim::Cause::stage:
      return view.say("waits for a stage");
    case sim::Cause::launch:
      return view.say("waits for the launch");
    case sim::Cause::tail:
      return view.say("no work is left");
    default:
      return view.say("waits for an engine");
  }
}

/// Draws a chip at the right end; returns its width.
float draw_chip(View& view, ui::Rect row, std::string_view words) {
  ui::Canvas& canvas = view.canvas();
  const float width = std::min(row.width, canvas.text_width(ui::Style::caption, words) + 2 * view.px(8));
  const ui::Rect chip = ui::Rect{row.right() - width, row.y, width, row.height}.inset(0, view.px(2));
  canvas.stroke(chip, view.theme().muted, view.px(1), view.px(5));
  canvas.text(chip.inset(view.px(8), 0), ui::Style::caption, view.theme().text, words);
  return width;
}

/// Draws the bytes of a line over the whole run, with a bar relative to the line with the most bytes.
void draw_bytes(View& view, ui::Rect place, const LineColumns& columns, const ListingLine& line) {
  const sim::Traffic& traffic = line.work->traffic;
  const auto [bar, number] = ui::columns(place, 0, {columns.bar, ui::rest()});
  if (columns.bar > 0 && !view.world.covered.hides(path_of_bytes(line))) {
    const Listing& listing = view.subject().run->listings[view.subject().replay->kernel];
    const float share = static_cast<float>(static_cast<double>(traffic.total().count()) /
                                           static_cast<double>(std::max<std::int64_t>(1, listing.most_bytes)));
    const float thick = view.px(3), y = std::round(bar.center().y - thick / 2);
    view.canvas().fill({bar.x, y, bar.width, thick}, view.theme().track);
    view.canvas().fill({bar.x, y, std::max(view.px(1), bar.width * share), thick}, color_of(view, line));
  }
  const auto bytes = static_cast<double>(std::max(traffic.read, traffic.written).count());
  draw_number(view, number, ui::Style::table, view.theme().muted, path_of_bytes(line), bytes, ui::Align::right);
}

/// Text for the condition of an `if` before a verb; empty if it tells a reader of equations nothing.
std::string condition_words(const View& view, const ListingLine& line) {
  const std::string& condition = line.condition;
  if (condition.empty() || condition.find("dropout") != std::string::npos || condition.find("cta.") == 0) return "";
  if (line.work && line.work->sample.verb == sim::Verb::mask) return std::string(view.say("in masked tiles"));
  if (condition == "first") return std::string(view.say("in the first pass"));
  if (condition == "!first") return std::string(view.say("in later passes"));
  if (condition == "i.last") return std::string(view.say("in the last pass"));
  return "if " + condition;
}

/// Returns the word for what a line waits for or announces: "stage", "turn", or "products" of its own role.
std::string_view note_of_sync(const View& view, const sim::Sync& sync) {
  const auto& barriers = view.subject().replay->trace.barriers;
  if (sync.barrier < 0) return sync.under_way < 0 ? std::string_view() : view.say("products");
  const bool turn = barriers[static_cast<std::size_t>(sync.barrier)].kind == sim::BarrierKind::turn;
  return view.say(sim::name_of(turn ? sim::Cause::turn : sim::Cause::stage));
}

/// Draws the right end of a line: bytes and the engine or move, or the cause of a wait. Returns the rectangle left of
/// it.
ui::Rect draw_right_end(View& view, ui::Rect place, const LineColumns& columns, const ListingLine& line,
                        const LineMoment& moment) {
  ui::Space rest(place, view.px(8));
  if (moment.wait >= 0) {
    const auto& wait = view.subject().replay->trace.waits[static_cast<std::size_t>(moment.wait)];
    rest.right(draw_chip(view, place, wait_words(view, wait.cause)));
    return rest.rest();
  }
  const std::string_view note = note_of(view, line);
  const bool moves = !path_of_bytes(line).empty();
  if (columns.note > 0 && !note.empty()) {
    const float width =
        moves ? columns.note : std::min(columns.note, view.canvas().text_width(ui::Style::caption, note));
    view.canvas().text(rest.right(width), ui::Style::caption, view.theme().muted, note, ui::Align::right);
  }
  if (moves && columns.bytes > 0) draw_bytes(view, rest.right(columns.bytes), columns, line);
  return rest.rest();
}

/// Seeks the line's next event on a click; draws its tooltip under the pointer.
ui::Hit touch_line(View& view, ui::Rect rect, const ListingLine& line) {
  const ui::Hit h = ui::hit(view.ui, view.id(sim::text("line/", line.number)), rect);
  const Replay& replay = *view.subject().replay;
  const std::int32_t next = replay.lines.next(line.number, view.subject().time);
  if (h.clicked && next >= 0) view.edit(Seek{replay.trace.events[static_cast<std::size_t>(next)].begin, view.index});
  if (h.hovered) draw_tooltip(view, describe_line(view, line));
  return h;
}

}  // namespace

void draw_equation(View& view, ui::Rect place, const ListingLine& line, ui::Color surface) {
  ui::Canvas& canvas = view.canvas();
  if (!line.typeset) return draw_code(view, place, line.code, line.runs);
  if (ui::rich_width(canvas, ui::Style::code, line.equation) > place.width + 1) {
    canvas.text(place, ui::Style::code, view.theme().text, ui::plain(line.equation));  // ends in "…"
    return;
  }
  const ui::Ink ink{view.theme().text, true, surface};
  ui::Space rest(place);
  rest.left(ui::rich_text(canvas, place, ui::Style::code, ink, line.equation), view.px(12));
  fitting_text(canvas, rest.rest(), ui::Style::caption, view.theme().muted, condition_words(view, line));
}

LineColumns line_columns(const View& view, float width, float height, std::size_t lines) {
  const ui::Canvas& canvas = view.canvas();
  const bool room = !view.state.look.source;  // C++ is long
  LineColumns columns;
  // Lines fill the height if they fit.
  const float least = canvas.px(20), fit = std::max(1.f, std::floor(height / least));
  const float shown = std::min(fit, static_cast<float>(std::max(lines, std::size_t{1})));
  columns.height = std::clamp(std::floor(height / shown), least, canvas.px(25));
  columns.number = canvas.px(24);
  columns.indent = canvas.px(view.bare ? 8 : 17);  // for an audience, lines matter most
  columns.bytes = width > canvas.px(280) ? canvas.px(66) : 0;
  columns.note = room && width > canvas.px(400) ? canvas.px(104) : 0;
  columns.bar = room && width > canvas.px(480) ? canvas.px(40) : 0;
  columns.bytes += columns.bar;
  return columns;
}

LineMoment moment_of(const Subject& subject, const ListingLine& line) {
  LineMoment moment;
  const Replay& replay = *subject.replay;
  const auto event = [&](std::int32_t n) -> const sim::Event& {
    return replay.trace.events[static_cast<std::size_t>(n)];
  };
  for (std::size_t role = 0; role < replay.index.roles(); ++role) {
    const std::int32_t current = replay.index.current(subject.time, static_cast<std::uint8_t>(role));
    moment.current = moment.current || (current >= 0 && event(current).line == line.number);
    const std::int32_t wait = replay.index.wait_at(subject.time, static_cast<std::uint8_t>(role));
    const std::int32_t waiting = wait < 0 ? -1 : replay.trace.waits[static_cast<std::size_t>(wait)].event;
    if (waiting >= 0 && event(waiting).line == line.number) moment.wait = wait;
  }
  moment.event = replay.lines.running(line.number, subject.time);
  if (moment.event >= 0) {
    const sim::Event& under_way = event(moment.event);
    moment.progress = static_cast<float>(static_cast<double>((subject.time - under_way.begin).count()) /
                                         static_cast<double>((under_way.end - under_way.begin).count()));
  }
  return moment;
}

std::string path_of_bytes(const ListingLine& line) {
  if (!line.work || !line.work->counted || line.work->traffic.total().count() == 0) return "";
  const bool read = line.work->traffic.read >= line.work->traffic.written;
  return sim::text("tile_traffic.by_line.", *line.work->counted, read ? ".read_bytes" : ".write_bytes");
}

std::string_view note_of(const View& view, const ListingLine& line) {
  if (line.kind == Kind::place) return view.say("one CTA each");
  if (!line.work) return {};
  const LineWork& work = *line.work;
  if (work.sample.verb == sim::Verb::wait || work.sample.verb == sim::Verb::arrive)
    return note_of_sync(view, work.sample.sync);
  const bool on_chip = work.sample.level == sim::Level::smem;
  if (work.sample.verb == sim::Verb::atomic_add) return view.say("added in HBM");
  if (work.sample.direction == sim::Direction::read)
    return on_chip ? view.say("HBM → SRAM") : view.say("HBM → registers");
  if (work.sample.direction == sim::Direction::write && work.sample.level == sim::Level::none)
    return view.say("set in HBM");
  if (work.sample.direction == sim::Direction::write)
    return on_chip ? view.say("SRAM → HBM") : view.say("registers → HBM");
  if (work.matmul_flops > 0)
    return work.sample.engine == sim::Engine::tensor ? view.say("tensor cores") : view.say("FP32 pipe");
  if (work.exps + work.tanhs > 0 || work.sample.verb == sim::Verb::exp) return view.say("exp unit");
  if (work.sample.engine == sim::Engine::barrier) return {};
  return work.other_flops > 0 ? view.say("FP32 pipe") : view.say("registers");
}

void draw_listing_line(View& view, ui::Rect rect, const LineColumns& columns, const ListingLine& line) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const LineMoment moment = moment_of(view.subject(), line);
  ui::Rect hover = rect;
  if (!path_of_bytes(line).empty() && moment.wait < 0) hover.width -= columns.note + columns.bytes + view.px(8);
  const ui::Hit h = touch_line(view, hover, line);
  ui::Color surface = theme.card;
  if (moment.current || h.hovered) {
    surface = ui::mix(theme.card, theme.text, moment.current ? 0.13f : 0.05f);
    canvas.fill(rect, surface, view.px(6));
  }
  const auto [marker, number, space, body, margin] =
      ui::columns(rect, 0, {view.px(3), columns.number, view.px(12), ui::rest(), view.px(8)});
  draw_marker(view, marker, line, moment);
  const bool lit = moment.current || moment.event >= 0;
  canvas.text(number, ui::Style::table, lit ? theme.text : theme.faint, std::to_string(line.number), ui::Align::right);
  ui::Space words(draw_right_end(view, body, columns, line, moment));
  words.left(std::min(columns.indent * static_cast<float>(line.depth), words.width() / 2));
  if (view.state.look.source) {
    draw_code(view, words.rest(), line.code, line.runs);
  } else {
    draw_equation(view, words.rest(), line, surface);
  }
}

}  // namespace explorer
