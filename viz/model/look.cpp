#include "viz/model/look.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/trace/cause.h"
#include "viz/model/center_view.h"
#include "viz/model/measured_times.h"

namespace explorer {
namespace {

/// A field that takes any text.
LookField text(std::string_view name, std::string Look::*field, std::string_view values, std::string_view help) {
  return {name, values, help, [=](const Look& look) { return look.*field; },
          [=](Look& look, const std::string& value) { return look.*field = value, true; }};
}

/// A field that takes one of the listed values, or its default.
LookField word(std::string_view name, std::string Look::*field, std::string_view values, std::string_view help) {
  return {name, values, help, [=](const Look& look) { return look.*field; },
          [=](Look& look, const std::string& value) {
            const auto words = sim::split(values, "|");
            const bool good = std::find(words.begin(), words.end(), value) != words.end() || value == Look{}.*field;
            if (good) look.*field = value;
            return good;
          }};
}

/// A field whose values are numbered in the order of `values`: an enumeration, a flag. `none`: the first value is the
/// empty text, which `values` does not list.
template <class T>
LookField choice(std::string_view name, T Look::*field, std::string_view values, std::string_view help,
                 bool none = false) {
  const auto words_of = [=] {
    auto words = sim::split(values, "|");
    if (none) words.insert(words.begin(), "");
    return words;
  };
  return {name, values, help,
          [=](const Look& look) { return std::string(words_of()[static_cast<std::size_t>(look.*field)]); },
          [=](Look& look, const std::string& value) {
            const auto words = words_of();
            const auto found = std::find(words.begin(), words.end(), value);
            if (found != words.end()) look.*field = static_cast<T>(found - words.begin());
            return found != words.end();
          }};
}

LookField flag(std::string_view name, bool Look::*field, std::string_view help) {
  return choice(name, field, "0|1", help);
}

LookField whole(std::string_view name, int Look::*field, int least, int most, std::string_view values,
                std::string_view help) {
  return {name, values, help, [=](const Look& look) { return std::to_string(look.*field); },
          [=](Look& look, const std::string& value) {
            int read = 0;
            const char* end = value.data() + value.size();
            const auto [stop, error] = std::from_chars(value.data(), end, read);
            const bool good = error == std::errc{} && stop == end && read >= least && read <= most;
            if (good) look.*field = read;
            return good;
          }};
}

LookField real(std::string_view name, double Look::*field, double least, double most, std::string_view values,
               std::string_view help) {
  return {name, values, help, [=](const Look& look) { return nlohmann::json(look.*field).dump(); },  // shortest text
          [=](Look& look, const std::string& value) {
            char* end = nullptr;
            const double number = std::strtod(value.c_str(), &end);
            const bool good = !value.empty() && *end == '\0' && number >= least && number <= most;
            if (good) look.*field = number;
            return good;
          }};
}

/// A field that takes "07-flash1-by-hand", "07", "7" or "list"; the lesson panel reports if there is no such lesson.
LookField lesson_name() {
  return {"lesson", "ID|list", "the lesson next to the panels, or the list of lessons",
          [](const Look& look) { return look.lesson; },
          [](Look& look, const std::string& value) {
            constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
            const bool good = value.size() <= 60 && value.find_first_not_of(letters) == std::string::npos;
            if (good) look.lesson = value;
            return good;
          }};
}

/// Names of a table's rows in links: "matrix|tiles|plots".
template <class Rows, class Name>
std::string alternatives(const Rows& rows, Name name) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(name(row));
  return sim::joined(names, "|");
}

std::string_view center_names() {
  static const std::string names = alternatives(center_views, [](const CenterView& view) { return view.name; });
  return names;
}

std::string_view cause_names() {
  static const std::string names = alternatives(sim::all_causes, [](sim::Cause cause) { return sim::key_of(cause); });
  return names;
}

LookField bookmarks() {
  return {"bookmarks", "KERNEL:BATCH,HEAD,ROW,COL:CYCLES/...", "places to come back to",
          [](const Look& look) { return bookmarks_text(look.bookmarks); },
          [](Look& look, const std::string& value) {
            const auto read = read_bookmarks(value);
            if (read) look.bookmarks = *read;
            return read.has_value();
          }};
}

LookField measured() {
  return {"measured", "TIME,-,...", "times that you measured, one for each compared run",
          [](const Look& look) { return look.measured; },
          [](Look& look, const std::string& value) {
            const bool good = is_measured_text(value);
            if (good) look.measured = value;
            return good;
          }};
}

LookField span() {
  return {"span", "FROM,TO", "the span of the CTA's time that is summed up, in cycles",
          [](const Look& look) { return look.span ? span_text(*look.span) : ""; },
          [](Look& look, const std::string& value) {
            const auto read = read_span(value);
            if (read) look.span = read;
            return read.has_value();
          }};
}

// clang-format off
std::vector<LookField> fields_of_panels() {
  return {
      choice("theme", &Look::theme, "dark|light", "colours"),
      choice("lang", &Look::language, "en|zh", "language"),
      choice("tab", &Look::tab, "matrix|memory|code|softmax|counters", "the panel shown on narrow screens"),
      choice("center", &Look::center, center_names(), "the view in the middle, or in the whole window"),
      text("select", &Look::selection, "PATH", "the number that is explained"),
      flag("source", &Look::source, "the listing as C++"),
      flag("options", &Look::options, "all options of the scenario are open"),
      choice("overlay", &Look::overlay, "help|palette|tour|pattern|device", "the sheet over the window", true),
      flag("first", &Look::first, "the first view: the race that plays, and doors to all else"),
      whole("tour-step", &Look::tour_step, 0, tour_steps, "N", "the step of the tour, from 1"),
      lesson_name(),
      whole("lesson-step", &Look::lesson_step, 0, most_lesson_steps, "N", "the step of the lesson, from 1"),
      flag("present", &Look::presents, "the step of the lesson fills the window, in large type for an audience"),
      real("matrix-zoom", &Look::matrix_zoom, 1, 1e6, "1..1e6", "the zoom of the matrix"),
      real("matrix-x", &Look::matrix_x, 0, 1, "0..1", "the part of the matrix in the middle, from the left"),
      real("matrix-y", &Look::matrix_y, 0, 1, "0..1", "the part of the matrix in the middle, from the top"),
      choice("tiles", &Look::tiles_by_time, "bytes|time", "what the tile picker ranks by"),
      choice("plot", &Look::plot, "tile-traffic|hbm-traffic|time|peak-memory|intensity|waves|flops", "what the plot shows"),
      word("over", &Look::over, plotted_options, "the option that the plot shows it over"),
      choice("axes", &Look::log_axes, "linear|log", "of the plot"),
      flag("formulas", &Look::formulas, "the plot has formulas of approximate attention as well"),
      choice("banks", &Look::banks, "plain|padded|swizzled", "the layout of a tile in shared memory, next to plain rows"),
      measured(),
      whole("row", &Look::row, -1, largest_row, "QUERY", "the query whose softmax the microscope shows"),
      flag("without-alpha", &Look::without_alpha, "the microscope shows the row without the rescaling by alpha too"),
      whole("role", &Look::role, -1, most_roles - 1, "0..7", "the role whose events steps stop at; -1: all of them"),
      whole("token", &Look::token, 0, most_tokens, "N", "the step of decoding after which the pages are shown"),
      whole("sequence", &Look::sequence, 0, largest_row, "N", "the sequence whose block table is shown"),
      whole("page", &Look::page, -1, largest_row, "N", "its page, counted in the sequence; -1: the last one"),
      whole("q-tile", &Look::q_tile, -1, largest_row, "N", "the tile of Q whose numbers in e4m3 are shown; -1: that with the largest value"),
      whole("rank", &Look::rank, -1, largest_row, "N", "which of the GPUs that share a sequence is bright; -1: the one that computes longest"),
      text("verify", &Look::verify, "LINK", "the scenario whose kernels run on the emulated device"),
  };
}

std::vector<LookField> fields_of_time() {
  return {
      choice("sync", &Look::sync, "time|bytes|step", "the quantity that the playheads of compared runs share"),
      whole("pane", &Look::pane, 0, 3, "0..3", "the compared run in front on narrow screens"),
      choice("play", &Look::play, "event|cta|run", "what plays: event by event, one CTA, or the whole run"),
      real("run-time", &Look::run_time, 0, 1e15, "US", "of the whole run, since its first launch"),
      choice("lanes", &Look::by_row_block, "head|row-block", "what colours the SMs, in the timeline and while the run plays"),
      flag("playback", &Look::playback, "the playback controls that do not fit are open"),
      choice("unit", &Look::unit, "event|line|tile|row-block|cta|kernel", "what one step of playback crosses"),
      flag("loop", &Look::loop, "play the same step again and again"),
      flag("still", &Look::still, "no animation: playback jumps from step to step"),
      bookmarks(),
      choice("timeline", &Look::timeline, "cta|grid", "the timeline of one CTA, or of all"),
      whole("zoom", &Look::zoom, -most_timeline_zoom, most_timeline_zoom, "N", "of the timeline, in quarters of a power of two"),
      choice("drag", &Look::drag_selects, "move|select", "what dragging over the lanes does"),
      span(),
      word("cause", &Look::cause, cause_names(), "the cause of time whose work or waits are lit on the lanes"),
  };
}
// clang-format on

}  // namespace

const std::vector<LookField>& look_fields() {
  static const std::vector<LookField> fields = [] {
    std::vector<LookField> all = fields_of_panels(), of_time = fields_of_time();
    all.insert(all.end(), of_time.begin(), of_time.end());
    return all;
  }();
  return fields;
}

const LookField& look_field(std::string_view name) {
  const auto& all = look_fields();
  const auto found = std::find_if(all.begin(), all.end(), [&](const LookField& field) { return field.name == name; });
  sim::require(found != all.end(), "look: no field is called \"", name, "\"");
  return *found;
}

std::vector<std::string_view> link_words(std::string_view field) { return sim::split(look_field(field).values, "|"); }

}  // namespace explorer
