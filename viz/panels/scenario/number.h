// Numbers of the run, as every panel writes them: each has the name that it has in `simulate --format json`, is written
// as the command line writes it, and says where it comes from when it is clicked.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// A number as text, in the unit that the row of its path has: "33.5 MB", "64.0 KiB", "1.14 GFLOP", "62.3 µs".
std::string number_text(std::string_view path, double value);

/// A part of a number in the unit that the whole is written in, and without it: "1.88" of "9.44 MB".
std::string number_in_unit_of(std::string_view path, double value, double whole);

/// A number of times with three digits: "6.29", "32.7", "103".
std::string times_text(double times);
/// A part of a whole in few digits: 0.1924 -> "19 %", 0.0306 -> "3.1 %".
std::string part_text(double part);

/// A ratio in words of a reader, with three digits: "6.29 x less", "1.20 x more"; of a time "6.29 x faster", "slower".
/// "equal" and "as fast", or nearly so, where the digits would be 1.00.
std::string ratio_words(const View& view, double ratio, bool of_time);
/// True if a ratio is written as 1.00.
bool is_even(double ratio);

/// Draws a number in one line, and selects its path for "why this number?" when it is clicked. `path`: of the JSON of
/// the run, or "standard." and a path of the same scenario with standard attention, or one of derived_numbers()
/// in viz/model/explained.h. The probe is "number/PATH" (a second one of the same path is "number/PATH/2", and so on),
/// and the text stands in UiState::shown under that name. In Style::number the unit is smaller. Returns the width.
float draw_number(View& view, ui::Rect box, ui::Style style, std::string_view path, double value,
                  ui::Align align = ui::Align::left);
/// In another colour than that of text.
float draw_number(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path, double value,
                  ui::Align align = ui::Align::left);
float number_width(const View& view, ui::Style style, std::string_view path, double value);

/// The same for a text that holds a number of that path among other words.
float draw_number_text(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path,
                       std::string_view text, ui::Align align = ui::Align::left);

}  // namespace explorer
