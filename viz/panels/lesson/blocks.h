// Blocks of a lesson's text: paragraphs, lists, tables, myths, equations.
#pragma once
#include "lessons/page.h"
#include "viz/panels/lesson/column.h"

namespace explorer {

/// Writes all blocks, with the spaces between. `links`: prefix of the names of their linked words' widgets.
void write_blocks(Column& column, const std::vector<lessons::Block>& blocks, std::string_view links);

using TableRow = std::vector<std::string_view>;
/// Cells of a table's rows, without the rule below the headings.
std::vector<TableRow> table_rows(std::string_view table);

/// A table in a room: its rows, which begin with their headings if it is transposed, and the widths of its columns. If
/// no table fits, there are no widths: each row is a list.
struct TableShape {
  std::vector<TableRow> rows;
  std::vector<float> widths;
  bool head = true;  ///< the first row has the headings
};
TableShape shape_of_table(const View& view, std::string_view table, float width);

/// Writes a table: rows with | between their cells, the first one the headings.
void write_table(Column& column, std::string_view table);

/// Writes an equation in the largest style that fits, or in several lines. " / " is a fraction: its bar extends between
/// the nearest operators or brackets.
void write_equation(Column& column, std::string_view equation);
float equation_width(const View& view, ui::Style style, std::string_view equation);
float equation_height(const View& view, ui::Style style, std::string_view equation);
void draw_equation(View& view, ui::Rect line, ui::Style style, std::string_view equation);

}  // namespace explorer
