// The lines of the listing panel: what each one shows at a time, and how it is drawn.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// What happens on a line at the time of the playhead.
struct LineMoment {
  bool current = false;     ///< the engines compute it, or would next
  std::int32_t event = -1;  ///< of the line, under way; -1 for none
  float progress = 0;       ///< of that event, 0..1
  std::int32_t wait = -1;   ///< the wait before its event, an index into Trace::waits
};

/// Where the columns of the lines are, in device pixels.
struct LineColumns {
  float height = 0;                    ///< of a line
  float number = 0, indent = 0;        ///< width of the line numbers, and of one level of indentation
  float bytes = 0, bar = 0, note = 0;  ///< widths at the right end; 0 where there is no room
};

/// The columns of a listing that is `width` wide and has `height` for so many lines.
LineColumns line_columns(const View& view, float width, float height, std::size_t lines);

LineMoment moment_of(const Subject& subject, const ListingLine& line);

/// One line: its widget "line/NUMBER" seeks to its next event, and its bytes are a number of the run.
void draw_listing_line(View& view, ui::Rect rect, const LineColumns& columns, const ListingLine& line);

/// C++ as it stands, with its words told apart by brightness.
void draw_code(View& view, ui::Rect rect, std::string_view code, bool runs);

/// What there is to say of a line under the pointer.
std::vector<std::string> describe_line(const View& view, const ListingLine& line);

/// The engine or the move of a line in words: "tensor cores", "HBM → SRAM"; empty for lines without work.
std::string_view note_of(const View& view, const ListingLine& line);

/// The number that stands behind a line's bytes, as a path of sim::derive(); empty where it moves none.
std::string path_of_bytes(const ListingLine& line);

}  // namespace explorer
