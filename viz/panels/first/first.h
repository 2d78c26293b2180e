// The first view: a film of the race, a field that answers ideas, and three doors: Learn, Ask, Build.
#pragma once
#include "viz/panels/view.h"
#include "viz/ui/first_layout.h"

namespace explorer {

/// Draws the view instead of the panels.
void draw_first_view(View& view, float width, float height, float dpr);
/// The view in sentences without markup, for screen readers.
std::string first_view_text(const Model& model);

// Parts of the view.

void draw_film(View& view, const ui::FirstLayout& layout);
/// "FlashAttention-2 is done; standard attention is not a quarter through."
std::string film_headline(const Model& model);

/// Draws the field of the search, and its results where the layout has them, else in front of the page.
void draw_search(View& view, const ui::FirstLayout& layout);

/// Draws a door's card with its title. Returns the part below; `opened`: its head was clicked.
ui::Rect draw_door(View& view, ui::Rect card, std::string_view id, std::string_view title, std::string_view sentence,
                   bool& opened);
/// A click on a part of a door: leaves the first view, then applies the edits.
void leave_by(const View& view, const Edits& edits);
void draw_ask(View& view, ui::Rect card);
void draw_build(View& view, ui::Rect card);

}  // namespace explorer
