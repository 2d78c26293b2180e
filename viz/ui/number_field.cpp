#include "viz/ui/number_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sim/base/check.h"
#include "viz/ui/field.h"
#include "viz/ui/text_field.h"

namespace ui {
namespace {

constexpr float pixels_per_step = 8, note_gap = 5;  // CSS pixels

std::optional<double> number_of(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool has_digits_only(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string written(double value, bool whole) {
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.*g", whole ? 15 : 6, value);
  return number.data();
}

/// Next number up or down; doubling goes through powers of two.
double next(double value, Stepping stepping, bool up) {
  if (stepping == Stepping::by_one) return value + (up ? 1 : -1);
  if (stepping == Stepping::by_tenth) return std::round(value * 10 + (up ? 1 : -1)) / 10;
  if (value < 1) return up ? 1 : 0;
  int power = 0;
  const bool is_power = std::frexp(value, &power) == 0.5;  // 2^(power - 1) <= value < 2^power
  return std::ldexp(1, up ? power : is_power ? power - 2 : power - 1);
}

/// Steps that the pointer makes in this frame.
int steps_of(const Canvas& canvas, Hit h) {
  const ImGuiIO& io = ImGui::GetIO();
  if (h.hovered && !h.held && io.MouseWheel != 0) return io.MouseWheel > 0 ? 1 : -1;
  if (!h.held) return 0;
  const float dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).x;
  const int steps = static_cast<int>(dragged / canvas.px(pixels_per_step));
  if (steps != 0) ImGui::ResetMouseDragDelta(ImGuiMouseButton_Left);
  return steps;
}

/// True if pressed and released at one position.
bool is_click(const Canvas& canvas, Hit h) {
  const float most = canvas.px(4);
  return h.clicked && ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] <= most * most;
}

void underline(Canvas& canvas, Rect inside) {
  const float thick = std::max(1.f, canvas.px(1.5f)), dash = canvas.px(3);
  const float y = std::round(inside.center().y + canvas.px(9));
  for (float x = inside.x; x + dash <= inside.right(); x += 2 * dash) {
    canvas.fill({x, y, dash, thick}, canvas.theme().text);
  }
}

int place_of(std::span<const std::string_view> options, std::string_view value) {
  return static_cast<int>(std::find(options.begin(), options.end(), value) - options.begin());
}

/// Names of the options: a number is its own name; the text for no number depends on the language, its name is "auto".
std::vector<std::string_view> names_of(const NumberField& field) {
  std::vector<std::string_view> names(field.options.begin(), field.options.end());
  if (!field.none.empty()) std::replace(names.begin(), names.end(), field.none, std::string_view("auto"));
  return names;
}

bool is_none(const NumberField& field, std::string_view text) {
  return !field.none.empty() && (text.empty() || text == field.none);
}

std::optional<NumberChange> changed(const NumberField& field, const std::string& text, bool drags) {
  if (!is_allowed(field, text)) return std::nullopt;
  const bool none = is_none(field, text);
  if (none ? field.is_none : text == field.value && !field.is_none) return std::nullopt;
  return NumberChange{none ? std::string() : text, drags};
}

/// Handles typing into the field. A click elsewhere applies the text.
std::optional<NumberChange> type(Ui& ui, std::string_view id, Rect rect, Rect inside, const NumberField& field) {
  const bool wrong = !is_allowed(field, ui.state.typed);
  const Typing typing = type_line(ui, inside, Style::control);
  if (wrong) underline(ui.canvas, inside);
  if (typing == Typing::cancelled) return std::nullopt;
  if (typing == Typing::entered) {
    if (!is_allowed(field, ui.state.typed)) ui.state.open = id;  // keeps typing
    return changed(field, ui.state.typed, false);
  }
  if (!field.options.empty()) {
    const int before = place_of(field.options, field.is_none ? field.none : field.value);
    const int chosen = option_list(ui, id, rect, field.options, before, names_of(field));
    if (chosen != before) return changed(field, std::string(field.options[static_cast<std::size_t>(chosen)]), false);
  } else if (clicked_outside(rect)) {
    ui.state.open.clear();
  }
  return is_typing(ui, id) ? std::nullopt : changed(field, ui.state.typed, false);
}

std::string_view shown_value(const NumberField& field) { return field.shown.empty() ? field.value : field.shown; }
std::string_view note_of(const NumberField& field) { return field.is_none ? field.none : field.note; }

void draw_value(Canvas& canvas, Rect inside, const NumberField& field) {
  const Theme& theme = canvas.theme();
  if (field.wrong) underline(canvas, inside);
  cut_left(inside, canvas.text(inside, Style::control, theme.text, shown_value(field)) + canvas.px(note_gap));
  const std::string_view note = note_of(field);
  if (!note.empty()) canvas.text(inside, Style::caption, theme.muted, note);
}

}  // namespace

bool is_allowed(const NumberField& field, std::string_view text) {
  if (is_none(field, text)) return true;
  if (const std::size_t comma = text.find(','); field.pair && comma != std::string_view::npos) {
    NumberField side = field;
    side.pair = false;
    const auto fits = [&](std::string_view number) { return number == "-1" || is_allowed(side, number); };
    return fits(text.substr(0, comma)) && fits(text.substr(comma + 1));
  }
  if (field.whole && !has_digits_only(text)) return false;
  const std::optional<double> value = number_of(text);
  return value && *value >= field.least && *value <= field.most;
}

std::string stepped(const NumberField& field, int steps) {
  const std::size_t end = std::min(field.value.find(','), field.value.size());  // of a pair the first number steps
  double value = number_of(field.value.substr(0, end)).value_or(field.least);
  for (int i = 0; i < std::abs(steps); ++i) value = next(value, field.stepping, steps > 0);
  return written(std::clamp(value, field.least, field.most), field.whole) + std::string(field.value.substr(end));
}

std::optional<NumberChange> number_field(Ui& ui, std::string_view id, Rect rect, const NumberField& field) {
  const Hit h = hit(ui, id, rect);
  const bool typing = is_typing(ui, id);
  const Rect inside = draw_field(ui.canvas, rect, field.label, h, typing, !field.options.empty());
  if (typing) return type(ui, id, rect, inside, field);
  draw_value(ui.canvas, inside, field);
  if (is_click(ui.canvas, h)) begin_typing(ui.state, id, field.value);
  const int steps = steps_of(ui.canvas, h);
  return steps == 0 ? std::nullopt : changed(field, stepped(field, steps), true);
}

float number_field_width(const Canvas& canvas, const NumberField& field) {
  float value = canvas.text_width(Style::control, shown_value(field));
  const std::string_view note = note_of(field);
  if (!note.empty()) value += canvas.px(note_gap) + canvas.text_width(Style::caption, note);
  return field_width(canvas, field.label, !field.options.empty()) + std::ceil(value) + canvas.px(2);
}

}  // namespace ui
