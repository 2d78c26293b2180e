// View settings of a run: colours, language, panel in front, explained number. Every field is a key of the link.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/model/bookmark.h"
#include "viz/model/plotted_options.h"
#include "viz/words/language.h"

namespace explorer {

inline constexpr int most_timeline_zoom = 80;
inline constexpr int tour_steps = 24;
inline constexpr int most_lesson_steps = 40;
inline constexpr int most_roles = 8;
inline constexpr int largest_row = 1 << 30;
inline constexpr int most_tokens = 1 << 20;

enum class Theme { dark, light };
using words::Language;

/// Common quantity by which the playheads of compared runs are synchronised: microseconds since the first launch of the
/// run, bytes that their CTAs have moved across the SRAM boundary, or tiles that these have begun (with start and end
/// of each CTA).
enum class Sync { time, bytes, step };

/// The panel in front if the panels share tabs: on narrow screens, and for compared runs.
enum class Tab { matrix, memory, code, softmax, counters };
/// The view in the middle, or the one that fills the window: the rows of viz/model/center_view.h.
enum class Center {
  matrix,
  tiles,
  plots,
  roofline,
  verification,
  wall,
  engineer,
  microscope,
  batch,
  roles,
  pages,
  numbers,
  gpus
};
/// The card over the window.
enum class Overlay { none, help, palette, tour, pattern, device };
/// Layout of a tile in shared memory.
enum class Banks { plain, padded, swizzled };
enum class PlotQuantity;

/// Unit of the clock: events, one CTA, or the whole run.
enum class Play { event, cta, run };
/// Extent of one step of playback.
enum class Step { event, line, tile, row_block, cta, kernel };
/// Lanes of the timeline: the engines of one CTA, or all CTAs on the SMs.
enum class TimelineOf { cta, grid };

struct Look {
  Theme theme = Theme::dark;
  Language language = Language::en;
  Tab tab = Tab::matrix;
  Center center = Center::matrix;
  std::string selection;  ///< JSON path of the number that is explained; empty if none
  bool source = false;    ///< the listing shows C++ instead of equations
  bool options = false;   ///< all options of the scenario are open

  // Overlays of the window.
  Overlay overlay = Overlay::none;
  bool first = false;  ///< the first view fills the window
  int tour_step = 0;   ///< step of the guided tour, from 1; 0 before its first step

  // Lesson next to the panels.
  std::string lesson;     ///< its id or number, or "list" for the list of lessons; empty if none
  int lesson_step = 0;    ///< from 1; 0: where the learner stopped
  bool presents = false;  ///< the step fills the window, in large type

  // The attention matrix.
  double matrix_zoom = 1;                 ///< 1 shows all of it
  double matrix_x = 0.5, matrix_y = 0.5;  ///< centre of the visible part, as shares of its width and height

  // Other views of the middle.
  bool tiles_by_time = false;       ///< the tile picker ranks by time, not by bytes
  PlotQuantity plot{};              ///< tile traffic first
  std::string over{plotted_first};  ///< option on the plot's x axis
  bool log_axes = true;             ///< logarithmic axes in the plot
  bool formulas = false;            ///< the plot includes formulas of approximate attention
  Banks banks = Banks::swizzled;    ///< layout next to plain rows in the engineer's lens
  std::string measured;             ///< times of the runs, "2.6ms,-", see viz/model/measured_times.h; empty if none
  int row = -1;                     ///< the query whose softmax the microscope shows; -1: the last of the CTA in view
  bool without_alpha = false;       ///< next to it, the same row computed without the rescaling
  int role = -1;                    ///< whose events steps stop at, in a program with roles; -1: all
  int token = 1;                    ///< the step of decoding after which the pages are shown
  int sequence = 0, page = -1;      ///< whose block table, and which of its pages; -1: the last one
  int q_tile = -1;                  ///< tile of Q whose numbers are shown; -1: that with the largest value
  int rank = -1;                    ///< which of several GPUs is bright; -1: the one that computes longest
  std::string verify;               ///< the scenario whose kernels run, as a link; empty if none

  // Compared runs.
  Sync sync = Sync::time;
  int pane = 0;  ///< the pane in front if the panes share tabs

  // Clock: events, one CTA, or the whole run.
  Play play = Play::cta;      ///< event: from event to event; run: the race of whole grids
  double run_time = 0;        ///< microseconds since the first launch, if the run plays
  bool by_row_block = false;  ///< the SMs' lanes are coloured by row block, not by head

  // Playback and the timeline.
  bool playback = false;            ///< the card of transport controls that do not fit is open
  Step unit = Step::tile;           ///< extent of one step
  bool loop = false;                ///< one step is played repeatedly
  bool still = false;               ///< without animation: playback jumps from step to step
  std::vector<Bookmark> bookmarks;  ///< in the order of the run
  TimelineOf timeline = TimelineOf::cta;
  int zoom = 0;                  ///< timeline scale: 2^(zoom / 4) times the initial one
  bool drag_selects = false;     ///< dragging over the lanes selects a span of time, else it moves them
  std::optional<TimeSpan> span;  ///< the selected span, summed up next to the lanes
  std::string cause;             ///< key of the cause of time whose events are highlighted; empty if all are
  friend bool operator==(const Look&, const Look&) = default;
};

/// One field as a key of the link.
struct LookField {
  std::string_view name, values, help;
  std::function<std::string(const Look&)> text;
  std::function<bool(Look&, const std::string& value)> set;  ///< false and no change if the value is invalid
};

/// All fields, one line each; a new field of Look needs a line here.
const std::vector<LookField>& look_fields();
/// The field of a name, which must exist.
const LookField& look_field(std::string_view name);
/// Link values of an enumeration of Look, in order; the empty value is not among them.
std::vector<std::string_view> link_words(std::string_view field);

}  // namespace explorer
