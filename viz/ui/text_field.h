// A line of text to type into. One at a time: UiState::open is its name, UiState::typed its text.
#pragma once
#include <string>

#include "viz/ui/hit.h"

namespace ui {

/// State of typing after this frame.
enum class Typing { goes_on, entered, cancelled };

/// Starts typing into `id` from the next frame on. All of the text is selected: a character replaces it.
void begin_typing(UiState& state, std::string_view id, std::string_view text);
bool is_typing(const Ui& ui, std::string_view id);

/// Handles the keys of this frame, and draws the line with its caret in a style. Enter and Escape end the typing; the
/// caller reads UiState::typed. ImGui's WantTextInput is set meanwhile: keys have no other meaning.
Typing type_line(Ui& ui, Rect rect, Style style);

/// A field for words, such as a search. True in each frame in which `text` changed. A click starts typing; Enter,
/// Escape and a click outside the field and `around` end it and keep the text. `hint` is shown while the field is
/// empty.
bool text_field(Ui& ui, std::string_view id, Rect rect, std::string_view hint, std::string& text, Rect around = {});

}  // namespace ui
