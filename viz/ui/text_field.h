// A line of text that is typed into. One at a time: UiState::open is its name, UiState::typed what stands there.
#pragma once
#include <string>

#include "viz/ui/hit.h"

namespace ui {

/// What the user did with the line in this frame.
enum class Typing { goes_on, entered, cancelled };

/// From the next frame on, `id` is typed into. All of the text is selected: a character replaces it.
void begin_typing(Ui& ui, std::string_view id, std::string_view text);
bool is_typing(const Ui& ui, std::string_view id);

/// Takes the keys of this frame, and draws the line with its caret in a style. Enter and Escape end the typing; the
/// caller reads UiState::typed. ImGui's WantTextInput is set meanwhile: keys mean nothing else.
Typing type_line(Ui& ui, Rect rect, Style style);

/// A field for words, such as a search. Returns true in each frame in which `text` became another one. A click begins
/// the typing; Enter, Escape and a click outside of the field and of `around` end it and keep the text. `hint` stands
/// where nothing is written.
bool text_field(Ui& ui, std::string_view id, Rect rect, std::string_view hint, std::string& text, Rect around = {});

}  // namespace ui
