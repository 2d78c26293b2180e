// The view "roles": the warpgroups of one CTA, what each does, waits for and holds, over time and at the playhead.
#pragma once
#include "viz/model/roles/role_runs.h"
#include "viz/model/roles/role_state.h"
#include "viz/panels/description.h"
#include "viz/panels/view.h"

namespace explorer {

/// Replays of the CTA in view by every schedule, computed in slices; the one in view is ready at once.
RoleRuns& role_runs_of(const View& view);

/// Draws what the CTA holds: its ring in shared memory with the barriers, and the registers of each role.
void draw_roles_chip(View& view, ui::Rect card, const RoleTrace& roles);
/// Draws the listing of each role with a badge at its line, and next to it what each role waits for; one below the
/// other in a narrow card. `note`: next to the title.
void draw_roles_listing(View& view, ui::Rect card, const RoleTrace& roles, std::string_view note);
float roles_listing_height(const View& view, const RoleTrace& roles, float width);
/// Draws a box for each role: its activity, its wait and the role that ends it, and events that are ready meanwhile.
void draw_roles_now(View& view, ui::Rect place, const RoleTrace& roles);
float roles_now_height(const View& view, const RoleTrace& roles);
/// Draws the transport, the lanes of each role, the rings, all schedules, and the cycles by cause.
void draw_roles_lanes(View& view, ui::Rect card, const RoleRuns& runs);
/// Height of a card of the lanes that has the sums below them, in device pixels.
float roles_lanes_height(const View& view, float width);

/// The three lines on a role at a time, as markup: "waits 132 more cycles", "for O ← O + P V_39 of consumer 2 to end",
/// "K_37 and V_38 are full". `cause`: of its wait, or its work.
struct RoleWords {
  std::string does, why, meanwhile;
  std::optional<sim::Cause> cause;
};
RoleWords role_words(Language language, const RoleTrace& roles, std::size_t role, sim::Cycles time);
/// Title of a schedule, or of when an arrival takes effect, by the word of its option: "Ping-pong".
std::string_view schedule_title(Language language, std::string_view word);
/// The name of a tensor in shared memory or registers: "K", "V" of its transpose too, "dO", "dQ" of dQ_acc.
std::string name_on_chip(sim::Tensor tensor);
/// A tile with its block of keys, as markup: "K_37"; Q and gradients by queries have the block of queries.
std::string filled_markup(const RingStage& stage, const StageFilling& filling);
/// A copy, as markup: its tile, "K_37", or the role whose part of dQ it adds to HBM, "1: dQ_3".
std::string copied_markup(const RoleTrace& roles, const RoleSpan& copy);
/// A product with its block of keys, as markup: "QK_38", "PV_39". Of the five of a backward pass what it computes, with
/// the block of queries: "S_3", "dP_3", "dQ_3", or the sum and what is added: "dV + P_3", "dK + dS_3".
std::string product_markup(const RoleTrace& roles, const RoleSpan& product);

/// Describes the moment as text, for screen readers.
std::string roles_sentence(Language language, const Subject& subject);

}  // namespace explorer
