// State of the roles of a CTA at one time: of each role, of each stage of the rings, of barriers and registers.
#pragma once
#include "viz/model/roles/role_trace.h"

namespace explorer {

/// A barrier at a time.
struct BarrierState {
  std::int32_t phase = 0;  ///< running phase
  int arrived = 0, needed = 1;
  std::int64_t bytes_due = 0;  ///< bytes of the copy that arrives there, from its issue to its end
};
BarrierState barrier_at(const RoleTrace& roles, std::int16_t barrier, sim::Cycles time);

/// A stage of a ring at a time.
struct StageState {
  enum class Is { free, filling, full, read };
  Is is = Is::free;
  const StageFilling* filling = nullptr;  ///< null while it is free
  double share = 0;                       ///< share of its bytes that have arrived
  int let_go = 0;                         ///< readers that have released it
  std::vector<std::uint8_t> read_by;      ///< roles whose products read it now
};
StageState stage_at(const RoleTrace& roles, const RingStage& stage, sim::Cycles time);

/// A role at a time.
struct RoleState {
  const RoleSpan* span = nullptr;    ///< null when the role is done
  sim::Cycles left;                  ///< until the span ends
  const RolePhase* phase = nullptr;  ///< phase that it waits for; null: none, or it waits for products
  std::int32_t ends_it = -1;         ///< the last arrival, or the product that it waits for; -1: nothing is waited for
  std::uint8_t by = 0;               ///< the role of that event
  bool is_issued = false;            ///< the arrival is issued, but does not count yet
  std::int32_t after = -1;           ///< the product after which it counts; -1: at once
  std::vector<std::int32_t> beside;  ///< products and copies of the role that are under way meanwhile
};
RoleState role_at(const RoleTrace& roles, std::size_t role, sim::Cycles time);

/// A tile of a role in registers.
struct RegisterTile {
  std::string name;            ///< O, S, P; in a backward pass dK, dV, S, P, dP, dS, dQ
  char letter = 0;             ///< letter that determines its colour
  std::int64_t registers = 0;  ///< per thread
  bool holds = false;          ///< true if it has values now; else its registers are reserved
  bool turns_to_p = false;     ///< true for an S that softmax works on
  bool under_way = false;      ///< a product writes or reads it now
  std::int64_t block = -1;     ///< block of keys; -1 for O
};
/// Returns O, S and P of a role, in this order; nothing for one that computes nothing. There is no P if it passes
/// through shared memory. In a backward pass dK, dV, S (later P in the dtype), dP (later dS in the dtype), and dQ from
/// its product to its way out.
std::vector<RegisterTile> registers_at(const RoleTrace& roles, std::size_t role, sim::Cycles time);

/// Time of a role by its use.
struct RoleCycles {
  sim::Cycles work;      ///< softmax, and other work except products
  sim::Cycles meet;      ///< warps meet between dependent phases, or all warpgroups at a barrier
  sim::Cycles products;  ///< waits for its own products
  sim::Cycles turn;      ///< waits for its turn
  sim::Cycles stage;     ///< waits for a stage: until it is full, or for a producer empty
  sim::Cycles rest;      ///< waits for copies, and after its end for others of the CTA
};
RoleCycles cycles_of(const RoleTrace& roles, std::size_t role);

/// True for a barrier at which several roles meet, as at __syncthreads.
bool is_meeting(const sim::TraceBarrier& barrier);

}  // namespace explorer
