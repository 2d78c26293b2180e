// Roles of a scheduled replay of flash3: spans, phases, stages, states and the runs by all schedules, against the
// trace.
#include <catch2/catch.hpp>
#include <set>

#include "sim/catalogue/options.h"
#include "sim/model/scheduled_replay.h"
#include "tests/support/random_scenario.h"
#include "viz/model/operand_bytes.h"
#include "viz/model/roles/role_runs.h"
#include "viz/model/roles/role_state.h"

namespace {

using namespace explorer;
using sim::Cycles;

const std::vector<std::string> schedules = {"overlapped", "ping-pong", "warp-specialised", "serial"};

sim::Trace trace_of(sim::OptionValues values) {
  values.emplace("algorithm", "flash3");
  const sim::Plan plan = sim::make_plan(sim::scenario_from(values, sim::built_in_gpu));
  return sim::scheduled_replay(plan, plan.launches.front(), {});
}

/// A drawn shape of flash3 by one of the schedules.
sim::OptionValues drawn(sim::Dice& dice) {
  const char* const widths[] = {"64", "96", "128", "256"};
  const char* const rows[] = {"64", "128", "192"};
  const std::string d = widths[dice.between(0, 3)];
  sim::OptionValues values = {{"head-dim", d},
                              {"schedule", schedules[static_cast<std::size_t>(dice.between(0, 3))]},
                              {"seqlen-q", std::to_string(dice.near_an_end(1, 500))},
                              {"seqlen-k", std::to_string(dice.near_an_end(1, 1200))},
                              {"grid", dice.one_in(2) ? "one" : "persistent"},
                              {"causal", dice.one_in(2) ? "1" : "0"}};
  values["br"] = d == "64" ? rows[dice.between(0, 2)] : rows[dice.between(0, 1)];
  values["bc"] = std::to_string(16 * dice.between(1, 5));
  return values;
}

void check_lanes(const RoleTrace& roles) {
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    const RoleLane& lane = roles.lanes()[r];
    INFO(lane.name);
    Cycles now;
    for (const RoleSpan& span : lane.doing) {
      REQUIRE(span.begin == now);
      REQUIRE(span.end > span.begin);
      now = span.end;
    }
    REQUIRE(now == lane.end);
    REQUIRE(roles.end() >= lane.end);
    for (const RoleSpan& product : lane.products) {
      REQUIRE(product.issued <= product.begin);
      REQUIRE(product.begin < product.end);
      REQUIRE(product.end <= lane.end);  // its role waits for it
    }
  }
}

/// A phase ends at its last arrival, and with it every wait that did not find it over.
void check_phases(const RoleTrace& roles) {
  std::size_t waits = 0, arrivals = 0;
  for (const auto& phases : roles.phases()) {
    for (const RolePhase& phase : phases) {
      waits += phase.waits.size();
      arrivals += phase.arrivals.size();
      for (const RoleArrival& arrival : phase.arrivals) REQUIRE(arrival.issued <= arrival.effect);
      for (const RoleAwaits& wait : phase.waits) {
        REQUIRE(phase.over);
        REQUIRE(wait.end == std::max(wait.begin, phase.end()));
      }
    }
  }
  std::size_t waiting = 0, arriving = 0;
  for (const sim::Event& event : roles.trace().events) {
    if (event.sync.barrier < 0 || event.sync.phase < 0) continue;
    ++(event.verb == sim::Verb::wait ? waiting : arriving);
  }
  REQUIRE(waits == waiting);
  REQUIRE(arrivals == arriving);
}

/// Fillings of a stage follow one another, and no product reads one before it is full.
void check_stages(const RoleTrace& roles) {
  std::int64_t bytes = 0, loaded = 0;
  for (const RingStage& stage : roles.stages()) {
    Cycles free;
    for (const StageFilling& filling : stage.fillings) {
      INFO(stage.name << ", block " << filling.block);
      bytes += filling.bytes;
      REQUIRE(filling.issued >= free);
      REQUIRE(filling.begin >= filling.issued);
      REQUIRE(filling.full > filling.begin);
      REQUIRE(filling.read >= filling.full);
      REQUIRE(filling.released >= filling.read);
      REQUIRE(filling.share(filling.begin) == 0);
      REQUIRE(filling.share(filling.full) == 1);
      free = filling.released;
      CHECK(stage_at(roles, stage, filling.begin).is == StageState::Is::filling);
      const StageState full = stage_at(roles, stage, filling.full);
      CHECK(full.is == (filling.read > filling.full ? StageState::Is::full : StageState::Is::read));
      if (filling.released > filling.read) {
        CHECK(stage_at(roles, stage, filling.read).is == StageState::Is::read);
        CHECK(!stage_at(roles, stage, filling.read).read_by.empty());
      }
      CHECK(stage_at(roles, stage, filling.released).filling != &filling);
    }
  }
  for (const sim::Event& event : roles.trace().events) {
    if (event.verb == sim::Verb::load) loaded += event.sync.bytes;
  }
  REQUIRE(bytes == loaded);
}

/// Checks at any time that the role that ends a wait acts at its end, and that the parts of a role's time add up.
void check_states(const RoleTrace& roles, sim::Dice& dice) {
  for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
    const RoleCycles cycles = cycles_of(roles, r);
    REQUIRE(cycles.work + cycles.meet + cycles.products + cycles.turn + cycles.stage + cycles.rest == roles.end());
    for (int n = 0; n < 20; ++n) {
      const Cycles time(dice.between(0, roles.end().count()));
      const RoleState state = role_at(roles, r, time);
      REQUIRE((state.span == nullptr) == (time >= roles.lanes()[r].end));
      if (state.span == nullptr) continue;
      REQUIRE(state.left > Cycles{});
      if (state.phase != nullptr) REQUIRE(state.phase->end() == state.span->end);
      if (state.span->is_products) REQUIRE(roles.event(state.ends_it).end == state.span->end);
      if (state.after >= 0) REQUIRE(roles.event(state.after).end <= state.span->end);
    }
  }
}

}  // namespace

TEST_CASE("roles of flash3: work and waits fill their time, phases end waits, stages are filled one after the other") {
  sim::Dice dice(51);
  int checked = 0;
  for (int n = 0; n < 80; ++n) {
    const sim::OptionValues values = drawn(dice);
    std::string words;
    for (const auto& [name, value] : values) words += sim::text(" --", name, " ", value);
    INFO(words);
    std::optional<sim::Trace> trace;
    try {
      trace = trace_of(values);
    } catch (const sim::TileOverflow&) {
      continue;
    }
    const RoleTrace roles(*trace);
    REQUIRE(roles.lanes().size() == trace->roles.size());
    check_lanes(roles);
    check_phases(roles);
    check_stages(roles);
    check_states(roles, dice);
    ++checked;
  }
  CHECK(checked > 40);
}

TEST_CASE("phases of an overlapped CTA of flash3 are as many as its tiles ask for") {
  const sim::Trace trace = trace_of({{"seqlen", "1760"}, {"head-dim", "128"}, {"br", "128"}, {"bc", "176"}});
  const RoleTrace roles(trace);
  const std::size_t tiles = 10, consumers = 2;
  REQUIRE(roles.blocks().size() == tiles);
  CHECK(roles.blocks().front() == 9);
  std::map<sim::BarrierKind, std::size_t> phases, waits;
  for (const auto& of_barrier : roles.phases()) {
    for (const RolePhase& phase : of_barrier) {
      const sim::BarrierKind kind = trace.barriers[static_cast<std::size_t>(phase.barrier)].kind;
      ++phases[kind];
      waits[kind] += phase.waits.size();
    }
  }
  CHECK(phases[sim::BarrierKind::full] == 2 * tiles + 1);  // K, V and Q
  CHECK(waits[sim::BarrierKind::full] == consumers * (2 * tiles + 1));
  CHECK(phases[sim::BarrierKind::empty] == 2 * tiles + 1);
  CHECK(waits[sim::BarrierKind::empty] == 2 * tiles - 4);  // two stages of K and V are empty at first
  CHECK(phases[sim::BarrierKind::turn] == consumers * (tiles - 1) + 1);
  CHECK(waits[sim::BarrierKind::turn] == consumers * (tiles - 1));
  CHECK(roles.lanes()[0].badge == "P");
  CHECK(roles.lanes()[2].badge == "2");
  CHECK(roles.stages().size() == 5);
}

TEST_CASE("registers of a consumer hold O from the start, then S, and P until its product with V has ended") {
  const sim::Trace trace = trace_of({{"seqlen", "1760"}, {"head-dim", "128"}, {"br", "128"}, {"bc", "176"}});
  const RoleTrace roles(trace);
  CHECK(registers_at(roles, 0, {}).empty());
  const ScoreTile& tile = roles.lanes()[1].tiles[3];
  const auto at = [&](Cycles time) { return registers_at(roles, 1, time); };
  REQUIRE(at({}).size() == 3);
  CHECK(at({})[0].registers == 64);
  CHECK(at({})[1].registers == 88);
  CHECK(at({})[2].registers == 44);
  CHECK(at({})[0].holds);
  CHECK_FALSE(at({})[1].holds);
  CHECK(at(tile.issued)[1].under_way);
  CHECK(at(tile.softmax)[1].turns_to_p);
  CHECK_FALSE(at(tile.kept)[1].holds);
  CHECK(at(tile.kept)[2].holds);
  CHECK(at(tile.kept)[2].block == tile.block);
  CHECK(tile.block == roles.blocks()[3]);
  CHECK(at(roles.event(tile.read).begin)[2].under_way);
  CHECK(tile.end == roles.event(tile.read).end);
}

TEST_CASE("a barrier of a ring tells which phase runs, and how many bytes of its copy are due") {
  const sim::Trace trace = trace_of({{"seqlen", "1760"}, {"head-dim", "128"}, {"br", "128"}, {"bc", "176"}});
  const RoleTrace roles(trace);
  const auto stage = std::find_if(roles.stages().begin(), roles.stages().end(),
                                  [](const RingStage& one) { return one.name == "K 1"; });
  REQUIRE(stage != roles.stages().end());
  const StageFilling& second = stage->fillings[1];
  const BarrierState due = barrier_at(roles, stage->full, second.begin);
  CHECK(due.phase == 1);
  CHECK(due.bytes_due == 176 * 128 * 2);
  CHECK(barrier_at(roles, stage->full, second.full).phase == 2);
  REQUIRE(second.readers.size() == 2);
  const BarrierState let_go = barrier_at(roles, stage->empty, second.readers.front().effect);
  CHECK(let_go.phase == 1);
  CHECK(let_go.arrived == 1);
  CHECK(let_go.needed == 2);
  CHECK(barrier_at(roles, stage->empty, second.released).phase == 2);
}

TEST_CASE("runs by all schedules: the own one at once, the others in slices, from the plainest on") {
  sim::OptionValues values = {
      {"algorithm", "flash3"}, {"seqlen", "1760"}, {"head-dim", "128"}, {"schedule", "ping-pong"}};
  const auto run = make_run(sim::scenario_from(values, sim::built_in_gpu));
  RoleRuns runs(run, make_replay(run->simulation, 0, {}));
  REQUIRE(runs.runs().size() == 4);
  CHECK(runs.shown().schedule == "ping-pong");
  CHECK_FALSE(runs.shown().published);
  CHECK(runs.shown().ready());
  int slices = 1;
  while (runs.advance()) ++slices;
  CHECK(slices == 4);
  double before = 0;
  for (const RoleRun& one : runs.runs()) {
    INFO(one.schedule);
    REQUIRE(one.ready());
    CHECK(one.tensor_share > before);
    CHECK(one.tensor_share < 1);
    before = one.tensor_share;
    std::set<std::int64_t> blocks(one.roles.blocks().begin(), one.roles.blocks().end());
    CHECK(blocks.size() == 10);
  }
}

TEST_CASE("runs by all schedules have the speeds published for their scenario") {
  const auto run = make_run(sim::scenario_from(
      {{"algorithm", "flash3"}, {"batch", "4"}, {"heads", "16"}, {"seqlen", "8448"}, {"head-dim", "128"}},
      sim::built_in_gpu));
  const RoleRuns runs(run, make_replay(run->simulation, 0, {}));
  std::vector<std::optional<std::pair<double, double>>> speeds;
  for (const RoleRun& one : runs.runs()) speeds.push_back(one.published);
  using Range = std::pair<double, double>;
  CHECK(speeds == decltype(speeds){std::nullopt, Range(570, 582), Range(620, 640), Range(650, 661)});
}

TEST_CASE("in e4m3 the producer fills the ring of V transposed, and P takes a quarter of the registers of S") {
  const sim::Trace trace = trace_of({{"dtype", "e4m3"}, {"head-dim", "128"}, {"seqlen", "1344"}});
  const RoleTrace roles(trace);
  int transposed = 0;
  for (const RingStage& stage : roles.stages()) {
    if (stage.name.substr(0, 2) != "VT") continue;
    ++transposed;
    CHECK(stage.tensor == sim::Tensor::VT);
    CHECK(stage.bytes == 224 * 128);
    CHECK(stage.fillings.size() == 3);  // of 6 tiles
    for (const StageFilling& filling : stage.fillings) {
      CHECK(roles.event(filling.copy).verb == sim::Verb::transpose);
      CHECK(filling.full <= filling.read);
      CHECK(filling.readers.size() == 2);
    }
  }
  CHECK(transposed == 2);
  CHECK(operand_bytes(trace) == 1);
  CHECK(operand_bytes(trace_of({{"head-dim", "128"}, {"seqlen", "1344"}})) == 2);
}

TEST_CASE("a program without roles has none, and its only run is there at once") {
  const auto run = make_run(sim::scenario_from({{"seqlen", "512"}}, sim::built_in_gpu));
  RoleRuns runs(run, make_replay(run->simulation, 0, {}));
  CHECK(runs.shown().roles.empty());
  CHECK_FALSE(runs.advance());
}
