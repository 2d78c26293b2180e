// Context of the panels: what they draw from and on. Panels are functions of a View: they read state and world, return
// edits for what the user changes, and keep nothing.
#pragma once
#include <span>

#include "viz/model/lesson/lesson.h"
#include "viz/ui/layout.h"
#include "viz/ui/stack.h"
#include "viz/ui/widgets.h"
#include "viz/words/words.h"

namespace explorer {

struct View {
  View(ui::Ui& on, Model& of, std::size_t n = 0)
      : ui(on), model(of), state(of.state), world(of.world), edits(of.edits), index(n) {}
  /// A view of a run on a canvas, with the model and the edits of another view.
  View(ui::Ui& on, const View& of, std::size_t n)
      : ui(on), model(of.model), state(of.state), world(of.world), edits(of.edits), index(n) {}

  ui::Ui& ui;
  const Model& model;  ///< for functions that need more than its state and its world
  const State& state;
  const World& world;
  Edits& edits;           ///< what the frame's input changes, once it is drawn
  std::size_t index = 0;  ///< index among compared runs
  bool bare = false;      ///< for an audience: panels show no controls

  void edit(Edit next) const { edits.push_back(std::move(next)); }
  void edit(const Edits& all) const {
    for (const Edit& each : all) edits.push_back(each);  // insert() would assign variants: code for each pair of kinds
  }
  /// Does what an action of the table does.
  void act(std::string_view name) const { edit(Act{std::string(name)}); }
  /// Changes fields of the look: set([](Look& look) { look.row = 3; }).
  template <class Change>
  void set(Change change) const {
    edit(edits_of(state.look, change));
  }

  const Subject& subject() const { return world.subject(index); }
  ui::Canvas& canvas() const { return ui.canvas; }
  const ui::Theme& theme() const { return ui.canvas.theme(); }
  float px(float css) const { return ui.canvas.px(css); }

  /// Height of a control, in device pixels.
  float control_height(ui::Control control = ui::Control::normal) const {
    return ui::control_height(canvas(), control);
  }
  bool for_fingers() const { return ui::is_for_fingers(ImGui::GetIO().DisplaySize.x, canvas().fonts().scale); }

  /// Translates a sentence into the window's language, with values in place of its {}.
  std::string_view say(std::string_view english) const { return words::say(state.look.language, english); }
  template <class... Values>
  std::string say(std::string_view english, const Values&... values) const {
    return words::say_with(state.look.language, english, values...);
  }
  std::string translate(const sim::Sentence& sentence) const { return words::translate(state.look.language, sentence); }
  /// Name of a widget; that of a further compared run ends in the number of the run: "@2".
  std::string id(std::string_view name) const {
    return index == 0 ? std::string(name) : sim::text(name, "@", index + 1);
  }
};

/// Draws segments for the values of a field of Look; `labels` are in the order of the field's words in links.
void choose(View& view, std::string_view id, ui::Rect place, std::string_view field,
            std::span<const std::string_view> labels);
/// Draws a toggle for a field of two values.
void toggle(View& view, std::string_view id, ui::Rect place, std::string_view label, std::string_view field);

/// Draws the background of a panel, its title, and a note at the right end of the same line. Returns the rectangle
/// below.
ui::Rect draw_card(View& view, ui::Rect rect, std::string_view title, std::string_view note = {});

}  // namespace explorer
