#include "viz/panels/scenario/device_form.h"

#include <algorithm>
#include <cmath>

#include "sim/base/text.h"
#include "sim/machine/device_override.h"
#include "sim/report/quantities.h"
#include "viz/panels/overlay.h"
#include "viz/panels/scenario/device_words.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/field.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float card_width = 760, card_height = 760, form_padding = 20, head_height = 40, narrow = 560, row_gap = 4,
                name_height = 18, own_width = 170, note_width = 70;  // CSS pixels

/// The GPU of the table or file, and the scenario's GPU, which differs in some fields.
struct Devices {
  std::string file, error;  ///< name in --gpu before the fields; why there is no such GPU
  std::shared_ptr<const sim::DeviceSpec> base, now;

  std::int64_t before(const sim::DeviceField& field) const { return (*base).*field.member; }
  std::int64_t value(const sim::DeviceField& field) const { return (*now).*field.member; }
  /// Option `gpu` for a variant of the base, in canonical form: a file keeps its name, though its device has another.
  std::string option(const sim::DeviceSpec& device) const { return file + device.name.substr(base->name.size()); }
  std::string option() const { return option(*now); }
};

Devices devices_of(const View& view) {
  const auto given = view.state.options.find("gpu");
  const bool none = given == view.state.options.end();
  const std::string gpu = none ? std::string(sim::option_called("gpu").otherwise) : given->second;
  Devices devices;
  try {
    devices.file = sim::split_device(gpu).name;
    devices.base = view.world.gpu()(devices.file);
    devices.now = sim::gpu_from(gpu, view.world.gpu());
  } catch (const sim::Error& error) {
    devices.error = view.translate(error.sentence());
  }
  return devices;
}

/// Value of the option `gpu` with a field set to a value; "" resets the field.
std::string with_value(const std::string& gpu, const sim::DeviceField& field, const std::string& value) {
  const sim::DeviceText parts = sim::split_device(gpu);
  const std::string begin = sim::text(field.name, "=");
  std::string all = parts.name;
  for (const std::string& pair : parts.fields) {
    if (!pair.starts_with(begin)) all += ":" + pair;
  }
  return value.empty() ? all : all + ":" + begin + value;
}

/// Reason that a value is not possible; empty if it is.
std::string refusal(const View& view, const std::string& gpu) {
  try {
    sim::gpu_from(gpu, view.world.gpu());
    return "";
  } catch (const sim::Error& error) {
    return view.translate(error.sentence());
  }
}

void take(View& view, const Devices& devices, const std::string& gpu) {
  if (!is_locked(view, "gpu")) view.edit(SetOptions{{{"gpu", devices.option(*sim::gpu_from(gpu, view.world.gpu()))}}});
}

/// Draws the field for typing. Enter and a click elsewhere apply the text, if it is possible.
void draw_own(View& view, Rect place, const Devices& devices, const sim::DeviceField& field, std::string& error) {
  const std::string id = sim::text("device/", field.name), now = std::to_string(devices.value(field));
  const ui::Hit hit = ui::hit(view.ui, id, place);
  const bool typing = ui::is_typing(view.ui, id);
  const Rect inside = ui::draw_field(view.canvas(), place, {}, hit, typing, false);
  view.ui.state.shown.emplace(id, report::amount_in(field.unit, devices.value(field)));
  if (!typing) {
    const bool differs = devices.value(field) != devices.before(field);
    view.canvas().text(inside, Style::control, differs ? view.theme().text : view.theme().muted,
                       report::amount_in(field.unit, devices.value(field)));
    if (hit.clicked) ui::begin_typing(view.ui.state, id, now);
    return;
  }
  const std::string before = view.ui.state.typed;
  const ui::Typing end = ui::type_line(view.ui, inside, Style::control);
  const std::string typed = end == ui::Typing::goes_on ? view.ui.state.typed : before;
  const std::string gpu = with_value(devices.option(), field, typed);
  if (typed != now && !typed.empty()) error = refusal(view, gpu);
  if (!error.empty()) view.canvas().stroke(place, view.theme().warning, view.px(1.5f), view.px(ui::control_radius));
  const bool elsewhere = end == ui::Typing::goes_on && ui::clicked_outside(place);
  if (end == ui::Typing::entered && !error.empty()) view.ui.state.open = id;  // keeps typing
  if (elsewhere) view.ui.state.open.clear();
  if ((end == ui::Typing::entered || elsewhere) && error.empty() && typed != now) take(view, devices, gpu);
}

/// Draws "yours" with a button that resets the field, or "scaled"; nothing if the table's value applies.
void draw_note(View& view, Rect place, const Devices& devices, const sim::DeviceField& field) {
  const sim::Differs differs = sim::difference_of(*devices.now, field.name);
  if (differs == sim::Differs::no) return;
  const std::string id = sim::text("device/", field.name, "/");
  if (differs == sim::Differs::scaled) {
    view.ui.state.shown.emplace(id + "note", "scaled");
    view.canvas().text(place, Style::caption, view.theme().muted, view.say("scaled"));
    return;
  }
  const Rect button{place.x, place.y, std::min(place.height, place.width), place.height};
  if (ui::icon_button(view.ui, id + "reset", button, ui::Icon::close))
    take(view, devices, with_value(devices.option(), field, ""));
}

/// Draws the number's words, its name in files if it fits, and the table's value; in narrow cards above the field.
void draw_field_name(View& view, Rect place, const Devices& devices, const sim::DeviceField& field) {
  const std::string before = report::amount_in(field.unit, devices.before(field));
  ui::Space line(place);
  right_text(view.canvas(), line, Style::caption, view.theme().muted, before, view.px(8));
  const bool differs = devices.value(field) != devices.before(field);
  left_text(view.canvas(), line, Style::body, differs ? view.theme().text : view.theme().muted,
            view.say(words_of_field(field.name).label), view.px(10));
  ui::fitting_text(view.canvas(), line.rest(), Style::code, view.theme().muted, field.name);
}

void draw_row(View& view, Rect row, const Devices& devices, const sim::DeviceField& field, std::string& error) {
  const bool two_lines = row.width < view.px(narrow);
  const auto [above, line, space] =
      ui::rows(row, 0, {two_lines ? view.px(name_height) : 0, ui::rest(), view.px(row_gap)});
  const auto [name, own, note] = ui::columns(
      line, view.px(8),
      {two_lines ? ui::Part() : ui::rest(), two_lines ? ui::rest() : view.px(own_width), view.px(note_width)});
  draw_own(view, own, devices, field, error);
  draw_note(view, note, devices, field);
  draw_field_name(view, two_lines ? above : name, devices, field);
}

/// "Like the H100 SXM, but for sm_count, l2_bytes." and the fields that scale with them.
std::string summary(const View& view, const Devices& devices) {
  std::vector<std::string> given, scaled;
  for (const sim::DeviceField& field : sim::device_fields()) {
    const sim::Differs differs = sim::difference_of(*devices.now, field.name);
    if (differs == sim::Differs::given) given.emplace_back(field.name);
    if (differs == sim::Differs::scaled) scaled.emplace_back(field.name);
  }
  const std::string base = device_label(devices.base->name);
  if (given.empty())
    return view.say("The {} as its table has it. Type a value, also with k, M, G or Ki, Mi, Gi.", base);
  std::string words = view.say("Like the {}, but for {}.", base, sim::joined(given));
  if (!scaled.empty()) words += " " + view.say("Scaled with it: {}.", sim::joined(scaled));
  return words;
}

/// Draws the title, a button for all of the table's values, and close. Returns the rectangle below.
void draw_head(View& view, Rect line, const Devices& devices) {
  const float side = view.control_height();
  const bool resets = devices.error.empty() && devices.base->name != devices.now->name;
  const std::string_view label = view.say("Table's values");
  const auto [title, reset, close] =
      ui::columns({line.x, line.y, line.width, side}, view.px(8),
                  {ui::rest(), resets ? ui::button_width(view.canvas(), label) : 0, side});
  if (ui::icon_button(view.ui, "device/close", close, ui::Icon::close))
    view.set([&](Look& look) { look.overlay = Overlay::none; });
  if (resets && ui::button(view.ui, "device/reset", reset, label)) take(view, devices, devices.file);
  view.canvas().text(title, Style::title, view.theme().text, "GPU");
}

float form_row_height(const View& view, float width) {
  const float field = view.control_height(ui::Control::small) + view.px(row_gap);
  return width < view.px(narrow) ? field + view.px(name_height) : field;
}

/// A row of the form: a number, or the title of a section.
struct FormRow {
  const sim::DeviceField* field;
  std::string_view section;
};

void draw_rows(View& view, Rect rest, const Devices& devices, std::string& error) {
  std::vector<FormRow> all;
  for (const sim::DeviceField& field : sim::device_fields()) {
    const std::string_view section = words_of_field(field.name).section;
    if (!section.empty()) all.push_back({nullptr, section});
    all.push_back({&field, {}});
  }
  const float bar = view.px(14), height = form_row_height(view, rest.width - bar);
  float& offset = view.ui.state.scrolled["device"];
  offset = ui::begin_scroll(view.ui, "device/scroll", rest, height * static_cast<float>(all.size()), offset);
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Rect row{rest.x, rest.y - std::round(offset) + static_cast<float>(n) * height, rest.width - bar, height};
    if (common(row, rest).empty()) continue;
    if (all[n].field != nullptr)
      draw_row(view, row, devices, *all[n].field, error);
    else
      view.canvas().text(row, Style::title, view.theme().text, view.say(all[n].section));
  }
  ui::end_scroll();
}

}  // namespace

void draw_device_form(View& view) {
  draw_overlay(view, "device form", card_width, card_height, [](View& front, Rect card) {
    const Devices devices = devices_of(front);
    const float top = std::max(front.px(head_height), front.control_height() + front.px(4));
    const auto [head, rows, space, words] = ui::rows(card.inset(front.px(form_padding), front.px(form_padding - 4)), 0,
                                                     {top, ui::rest(), front.px(8), front.px(64)});
    draw_head(front, head, devices);
    std::string text, error = devices.error;
    if (error.empty()) {
      text = summary(front, devices);
      draw_rows(front, rows, devices, error);
    }
    front.ui.state.shown.emplace("device/summary", error.empty() ? text : error);
    const ui::Color color = error.empty() ? front.theme().text : front.theme().warning;
    ui::paragraph(front.canvas(), words, Style::body, {.color = color}, ui::escaped(error.empty() ? text : error));
  });
}

}  // namespace explorer
