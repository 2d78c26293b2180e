// A field for a number: typed, turned by the wheel, dragged, or chosen from a list.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "viz/ui/hit.h"

namespace ui {

/// How the number changes by the wheel and by dragging.
enum class Stepping { by_one, by_tenth, doubling };

struct NumberField {
  std::string_view label;
  std::string_view value;       ///< as it is written; may be empty
  std::string_view note = {};   ///< muted behind the value
  std::string_view shown = {};  ///< what is drawn while nobody types, as "35.5 MiB"; empty: the value
  std::string_view none = {};   ///< the word for no number, where the field takes it: "auto"
  double least = 1, most = 1e12;
  bool whole = true;
  Stepping stepping = Stepping::by_one;
  std::span<const std::string_view> options = {};  ///< for the list; empty for none
  bool is_none = false;                            ///< none was asked for; `value` is what it comes to
  bool wrong = false;                              ///< marked as the one that an error is about
};

/// What the number should be, as text.
struct NumberChange {
  std::string text;    ///< empty: none, what stands there by itself
  bool drags = false;  ///< by the wheel or by dragging: one of many changes
};

/// Nothing in frames in which the number stays. A click begins the typing and opens the list: Enter or a click
/// elsewhere applies what was typed, Escape restores; a text that is no number in [least, most] is underlined and never
/// applied. Eight CSS pixels of dragging and one notch of the wheel are one step. The probes are "id" and "id/option",
/// "id/auto" for none.
std::optional<NumberChange> number_field(Ui& ui, std::string_view id, Rect rect, const NumberField& field);
float number_field_width(const Canvas& canvas, const NumberField& field);

/// Whether a field takes a text: a number in [least, most], or no text or `none` where it takes none.
bool is_allowed(const NumberField& field, std::string_view text);
/// The text of the value after some steps up or down, inside of [least, most].
std::string stepped(const NumberField& field, int steps);

}  // namespace ui
