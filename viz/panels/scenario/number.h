// Numbers of the run, as every panel shows them: named as in `simulate --format json`, written as on the command line,
// and explained on a click.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Text of a number in the unit of its path's row: "33.5 MB", "64.0 KiB", "1.14 GFLOP", "62.3 µs".
std::string number_text(std::string_view path, double value);

/// Text of a part in the unit of the whole, without that unit: "1.88" of "9.44 MB".
std::string number_in_unit_of(std::string_view path, double value, double whole);

/// A factor with three digits: "6.29", "32.7", "103".
std::string times_text(double times);
/// A share of a whole in few digits: 0.1924 -> "19 %", 0.0306 -> "3.1 %".
std::string part_text(double part);

/// Text of a ratio with three digits: "6.29 x less", "1.20 x more"; for a time "6.29 x faster", "slower". If the digits
/// are 1.00: "equal" and "as fast", or nearly so.
std::string ratio_words(const View& view, double ratio, bool of_time);
/// True if a ratio is written as 1.00.
bool is_even(double ratio);

/// Draws a number in one line; a click selects its path for "why this number?". `path`: in the JSON of the run, or
/// "standard." and a path in that of standard attention, or one of derived_numbers() in viz/model/explained.h. The
/// probe is "number/PATH" (further ones of the same path are "number/PATH/2" and so on), and UiState::shown has the
/// text under that name. In Style::number the unit is smaller. Returns the width.
float draw_number(View& view, ui::Rect box, ui::Style style, std::string_view path, double value,
                  ui::Align align = ui::Align::left);
/// As above, but in a given colour.
float draw_number(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path, double value,
                  ui::Align align = ui::Align::left);
float number_width(const View& view, ui::Style style, std::string_view path, double value);

/// As above, but draws a text that contains the number of that path.
float draw_number_text(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path,
                       std::string_view text, ui::Align align = ui::Align::left);

}  // namespace explorer
