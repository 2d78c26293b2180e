// A field for a number: typed, changed by the wheel, dragged, or chosen from a list.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "viz/ui/hit.h"

namespace ui {

/// Change of the number per step of the wheel or of dragging.
enum class Stepping { by_one, by_tenth, doubling };

struct NumberField {
  std::string_view label;
  std::string_view value;       ///< as written; may be empty
  std::string_view note = {};   ///< muted, after the value
  std::string_view shown = {};  ///< drawn unless the user types: "35.5 MiB"; empty: the value
  std::string_view none = {};   ///< text for no number, if the field accepts that: "auto"
  double least = 1, most = 1e12;
  bool whole = true;
  bool pair = false;  ///< takes a pair "left,right" as well, -1 for either too; steps change the left number
  Stepping stepping = Stepping::by_one;
  std::span<const std::string_view> options = {};  ///< entries of the list; empty if there is none
  bool is_none = false;                            ///< no number is requested; `value` is the resulting one
  bool wrong = false;                              ///< marked as the cause of an error
};

/// Requested change of the number, as text.
struct NumberChange {
  std::string text;    ///< empty: no number, the default applies
  bool drags = false;  ///< by the wheel or by dragging: one of many changes
};

/// Draws the field; empty in frames in which the number stays. A click starts typing and opens the list: Enter or a
/// click elsewhere applies the text, Escape restores; a text that is not a number in [least, most] is underlined and
/// never applied. Eight CSS pixels of dragging and one notch of the wheel are one step. The probes are "id" and
/// "id/option", "id/auto" for no number.
std::optional<NumberChange> number_field(Ui& ui, std::string_view id, Rect rect, const NumberField& field);
float number_field_width(const Canvas& canvas, const NumberField& field);

/// True if a field accepts a text: a number in [least, most], a pair if it takes pairs, or, if it accepts no number, an
/// empty text or `none`.
bool is_allowed(const NumberField& field, std::string_view text);
/// Text of the value after some steps up or down, within [least, most].
std::string stepped(const NumberField& field, int steps);

}  // namespace ui
