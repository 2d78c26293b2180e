// How a run is shown: colours, language, what is in front, what is explained. Every field is a key of the link.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/model/bookmark.h"
#include "viz/model/plotted_options.h"

namespace explorer {

inline constexpr int most_timeline_zoom = 80;
inline constexpr int tour_steps = 16;
inline constexpr int most_lesson_steps = 40;
inline constexpr int largest_row = 1 << 30;

enum class Theme { dark, light };
enum class Language { en, zh };

/// What the playheads of compared runs have in common: microseconds since the first launch of the run, bytes that their
/// CTAs have moved across the SRAM boundary, or tiles that these have begun (with begin and end of each CTA).
enum class Sync { time, bytes, step };

/// The panel in front where they take turns: on narrow screens, and of compared runs.
enum class Tab { matrix, memory, code, softmax, counters };
/// The view of the middle, or the one that fills the window: the rows of viz/model/center_view.h.
enum class Center { matrix, tiles, plots, roofline, verification, wall, engineer, microscope, batch };
/// Entries of a batch as long as the longest one, or as long as they are in the order of the file, or with those first
/// whose CTAs have the most work.
enum class Packing { padded, file, longest };
/// The card over the window.
enum class Overlay { none, help, palette, tour, pattern, device };
/// Layout of a tile in shared memory.
enum class Banks { plain, padded, swizzled };
enum class PlotQuantity;

/// The clock: of events, of one CTA, or of the whole run.
enum class Play { event, cta, run };
/// What one step of playback crosses.
enum class Step { event, line, tile, row_block, cta, kernel };
/// The engines of one CTA, or all CTAs on the SMs.
enum class TimelineOf { cta, grid };

struct Look {
  Theme theme = Theme::dark;
  Language language = Language::en;
  Tab tab = Tab::matrix;
  Center center = Center::matrix;
  std::string selection;  ///< the number that is explained, as a JSON path; empty for none
  bool source = false;    ///< the listing shows C++ instead of equations
  bool options = false;   ///< all options of the scenario are open

  // What lies over the window.
  Overlay overlay = Overlay::none;
  int tour_step = 0;  ///< of the guided tour, from 1; 0 before its first step

  // The lesson beside the panels.
  std::string lesson;     ///< its id or number, "list" for the list of lessons; empty for none
  int lesson_step = 0;    ///< from 1; 0: where the learner stopped
  bool presents = false;  ///< the step fills the window, in large type

  // The attention matrix.
  double matrix_zoom = 1;                 ///< 1 shows all of it
  double matrix_x = 0.5, matrix_y = 0.5;  ///< what of it is in the middle, shares of its width and height

  // The other views of the middle.
  bool tiles_by_time = false;       ///< the tile picker ranks by time, not by bytes
  PlotQuantity plot{};              ///< tile traffic first
  std::string over{plotted_first};  ///< the option that it shows it over
  bool log_axes = true;             ///< of the plot
  bool formulas = false;            ///< the plot has those of approximate attention as well
  Banks banks = Banks::swizzled;    ///< beside plain rows in the engineer's lens
  std::string measured;             ///< times of the runs, "2.6ms,-", see viz/model/measured_times.h; empty for none
  int row = -1;                     ///< the query whose softmax the microscope shows; -1: the last of the CTA in view
  bool without_alpha = false;       ///< beside it the same row in which the rescaling is skipped
  Packing packing = Packing::file;  ///< of the entries, in the view of the batch
  std::string verify;               ///< the scenario whose kernels run, as a link; empty for none

  // Compared runs.
  Sync sync = Sync::time;
  int pane = 0;  ///< which of them is in front where they take turns

  // The clock: of events, one CTA, or the whole run.
  Play play = Play::cta;      ///< event: from event to event; run: the race of whole grids
  double run_time = 0;        ///< microseconds since the first launch, where the run plays
  bool by_row_block = false;  ///< the SMs' lanes are coloured by row block, not by head

  // Playback and the timeline.
  bool playback = false;            ///< the card of what the transport has no room for is open
  Step unit = Step::tile;           ///< what one step crosses
  bool loop = false;                ///< what one step crosses is played again and again
  bool still = false;               ///< without animation: playback jumps from step to step
  std::vector<Bookmark> bookmarks;  ///< in the order of the run
  TimelineOf timeline = TimelineOf::cta;
  int zoom = 0;                  ///< of the timeline: 2^(zoom / 4) times what it begins with
  bool drag_selects = false;     ///< dragging over the lanes selects a span of time, else it moves them
  std::optional<TimeSpan> span;  ///< that is selected, and summed up beside the lanes
  std::string cause;             ///< key of the cause of time whose events are lit on the lanes; empty for all
};

/// One field as a key of the link.
struct LookField {
  std::string_view name, values, help;
  std::function<std::string(const Look&)> text;
  std::function<bool(Look&, const std::string& value)> set;  ///< false: it makes no sense, and nothing changed
};

/// One line per field; adding a field of Look means adding one here.
const std::vector<LookField>& look_fields();
/// The field of a name, which there is.
const LookField& look_field(std::string_view name);
/// The words of a link for the values of an enumeration of Look, in their order; "" is not among them.
std::vector<std::string_view> link_words(std::string_view field);

}  // namespace explorer
