// Lines of the listing panel: their state at a time, and drawing them.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// State of a line at the playhead.
struct LineMoment {
  bool current = false;     ///< the engines compute it, or would next
  std::int32_t event = -1;  ///< event of the line that is under way; -1 if there is none
  float progress = 0;       ///< finished part of that event, 0..1
  std::int32_t wait = -1;   ///< the wait before its event, an index into Trace::waits
};

/// Widths and height of the columns of lines, in device pixels.
struct LineColumns {
  float height = 0;                    ///< height of a line
  float number = 0, indent = 0;        ///< width of the line numbers, and of one level of indentation
  float bytes = 0, bar = 0, note = 0;  ///< at the right end; 0 if they do not fit
};

/// Columns for a listing of `width` and `height` with `lines` lines.
LineColumns line_columns(const View& view, float width, float height, std::size_t lines);

LineMoment moment_of(const Subject& subject, const ListingLine& line);

/// Draws one line: its widget "line/NUMBER" seeks its next event, and its bytes are a number of the run.
void draw_listing_line(View& view, ui::Rect rect, const LineColumns& columns, const ListingLine& line);

/// Draws the equation of a line, and after it the condition under which it runs.
void draw_equation(View& view, ui::Rect place, const ListingLine& line, ui::Color surface);

/// Draws C++ as written, highlighted by brightness.
void draw_code(View& view, ui::Rect rect, std::string_view code, bool runs);

/// Lines of the tooltip of a listing line.
std::vector<std::string> describe_line(const View& view, const ListingLine& line);

/// The engine or the move of a line as text: "tensor cores", "HBM → SRAM"; empty for lines without work.
std::string_view note_of(const View& view, const ListingLine& line);

/// Path of sim::derive() for a line's bytes; empty if the line moves none.
std::string path_of_bytes(const ListingLine& line);

}  // namespace explorer
