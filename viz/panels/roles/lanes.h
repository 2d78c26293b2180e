// Parts of the lower card of the view "roles": lanes of the roles, arrows between them, rings, and all schedules, on
// one axis of time.
#pragma once
#include "viz/model/roles/role_runs.h"
#include "viz/panels/timeline/timeline.h"

namespace explorer {

/// Rows of a role. One that copies: waits, copies, latencies. One that computes: its products, its arrivals, and what
/// its warps do.
struct RoleRow {
  std::size_t role = 0;
  ui::Rect upper, between, lower;
};

/// Rectangles of the lower card.
struct RolesLanes {
  View& view;
  const RoleTrace& roles;
  TimeWindow window;             ///< time window of all rows
  ui::Rect gutter;               ///< column of their names
  RoleRow copies;                ///< row of the role that issues the copies
  std::vector<RoleRow> writing;  ///< rows of other roles that only copy: the dQ writer
  std::vector<RoleRow> computing;
  ui::Rect tensor, exp;
  std::vector<ui::Rect> stages;     ///< stages of the rings; empty if there is no space
  std::vector<ui::Rect> schedules;  ///< rows of the schedules; empty if there is no space
  bool whole = false;               ///< all in full colours: there is no playhead
  ui::Style labels = ui::Style::caption;

  sim::Cycles now() const { return whole ? roles.end() : view.subject().time; }
  float x(sim::Cycles time) const { return window.x(time); }
  ui::Tracks tracks() const { return tracks_of(view, window); }
  ui::Rect part(ui::Rect row, sim::Cycles begin, sim::Cycles end) const {
    return tracks().part(row, in_ticks(begin), in_ticks(end));
  }
  bool shows(sim::Cycles begin, sim::Cycles end) const { return end >= window.from && begin <= window.to; }
  /// True where tiles are too narrow for arrows and latencies.
  bool dense() const;
  /// The row of a role; null for one that neither computes nor copies.
  const RoleRow* row(std::size_t role) const;
};

/// Stages with a strip: those that are filled again and again, so not that of Q; in a backward pass not those of K and
/// V.
std::vector<const RingStage*> ring_stages(const RoleTrace& roles);
/// "30,250": a time in whole cycles.
std::string in_cycles(sim::Cycles time);
/// A tensor's colour in a span: mixed into the inset while it is past or to come, grey without a tensor.
ui::Color span_color(const ui::Theme& theme, char letter, sim::Cycles begin, sim::Cycles end, sim::Cycles now);
/// True for work on a tile of scores: softmax, and its gradient.
inline bool is_softmax(const RoleSpan& span) {
  return span.does == RoleDoes::work && span.block >= 0 && span.letter != 'O' && span.letter != 'Q';
}
/// Times at which roles have spans, cut so that each piece has the roles that share it, all in order.
struct SharedPiece {
  const RoleSpan* span = nullptr;
  std::size_t role = 0;
  sim::Cycles begin, end;
  int place = 0, places = 1;  ///< from the top
};
/// Pieces of products, or of exponentials, of all roles in a window.
std::vector<SharedPiece> shared_pieces(const RoleTrace& roles, bool exps, sim::Cycles from, sim::Cycles to);

/// Names of the rows; those of roles with their badge, whose events steps then stop at.
void draw_lane_names(const RolesLanes& lanes);
/// Round cycles above the rows, and lines through them.
void draw_cycle_ticks(const RolesLanes& lanes, ui::Rect ticks);
/// The playhead with its time.
void draw_cycle_head(const RolesLanes& lanes, ui::Rect ticks);
void draw_role_spans(const RolesLanes& lanes);
void draw_shared_pipes(const RolesLanes& lanes);
void draw_rings(const RolesLanes& lanes);
void draw_schedules(const RolesLanes& lanes, const RoleRuns& runs);
/// An arrow from the last arrival of a phase to the wait that it ends.
struct RoleArrow {
  const RolePhase* phase = nullptr;
  sim::BarrierKind kind{};
  sim::Cycles from, to;  ///< the arrival takes effect, and its waiters resume
  std::vector<ui::Point> line;
};
/// Arrows in the window.
std::vector<RoleArrow> arrows_in(const RolesLanes& lanes);
/// Draws them; `hovered`: one of them, or null.
void draw_role_arrows(const RolesLanes& lanes, const std::vector<RoleArrow>& arrows, const RoleArrow* hovered);
/// The arrow under the pointer; null: none.
const RoleArrow* arrow_under(const RolesLanes& lanes, const std::vector<RoleArrow>& arrows, ui::Point pointer);
/// Dragging moves time; a click goes to an arrow, or to the start of a span; hovering tells about them. Returns the
/// arrow under the pointer, or null.
const RoleArrow* use_role_lanes(const RolesLanes& lanes, ui::Rect place, const std::vector<RoleArrow>& arrows);
/// Lines of the tooltip of an arrow.
std::vector<std::string> about_arrow(const View& view, const RoleTrace& roles, const RoleArrow& arrow);

/// Draws the cycles by cause, with the legend.
void draw_role_cycles(View& view, ui::Rect place, const RoleTrace& roles);
/// Draws the shares of the tensor peak in rows next to those of the schedules; in rows elsewhere, with their names.
void draw_schedule_shares(View& view, std::span<const ui::Rect> rows, const RoleRuns& runs, bool named);
/// Draws both below the lanes of a narrow card, side by side if they fit.
void draw_role_sums(View& view, ui::Rect place, const RoleRuns& runs);
float role_sums_height(const View& view, float width);

}  // namespace explorer
