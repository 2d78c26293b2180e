// The blocks of a lesson's text: paragraphs, lists, tables, myths, equations.
#pragma once
#include "lessons/page.h"
#include "viz/panels/lesson/column.h"

namespace explorer {

/// All of them, with the spaces between. `links`: the name of the widgets that their words are.
void write_blocks(Column& column, const std::vector<lessons::Block>& blocks, std::string_view links);

/// Rows with | between their cells, the first of them the headings.
void write_table(Column& column, std::string_view table);

/// An equation in the largest style that fits, in lines where none does. " / " stands for a fraction: its bar reaches
/// from a sign or an open bracket to the next.
void write_equation(Column& column, std::string_view equation);
float equation_width(const View& view, ui::Style style, std::string_view equation);
float equation_height(const View& view, ui::Style style, std::string_view equation);
void draw_equation(View& view, ui::Rect line, ui::Style style, std::string_view equation);

}  // namespace explorer
