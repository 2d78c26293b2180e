// flash3 in e4m3: golden tiles, space and counts, what it refuses, and its times.
#include <catch2/catch.hpp>
#include <map>

#include "sim/catalogue/options.h"
#include "sim/model/scheduled_replay.h"
#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario in_e4m3(OptionValues values) {
  values.emplace("algorithm", "flash3");
  values.emplace("dtype", "e4m3");
  return scenario_from(values, built_in_gpu);
}

std::string refusal_of(const OptionValues& values) {
  try {
    make_plan(in_e4m3(values));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const std::vector<std::string> all_schedules = {"overlapped", "ping-pong", "warp-specialised", "serial"};

std::int64_t read_of(const Simulation& s, Tensor tensor) { return s.totals.tensor(tensor).read.count(); }

}  // namespace

TEST_CASE("tiles, shared memory and registers in e4m3 are those of the reference: V is there twice") {
  struct Golden {
    std::string d;
    std::int64_t br, bc, smem, registers;
  };
  for (const Golden& g :
       {Golden{"64", 192, 160, 73'728, 132}, Golden{"96", 192, 128, 92'160, 128}, Golden{"128", 128, 224, 188'416, 204},
        Golden{"192", 128, 160, 208'896, 196}, Golden{"256", 128, 128, 229'376, 208}}) {
    for (const std::string causal : {"0", "1"}) {
      INFO("d " << g.d << ", causal " << causal);
      const Simulation s = simulate(in_e4m3({{"head-dim", g.d}, {"seqlen", "4480"}, {"causal", causal}}));
      CHECK(s.plan.problem.tiling.br == g.br);
      CHECK(s.plan.problem.tiling.bc == g.bc);
      CHECK(s.kernels[0].needs.smem.count() == g.smem);
      for (const TraceRole& role : s.traces[0].roles)
        CHECK(role.held.count() == (role.name == "producer" ? 0 : g.registers * 128 * 4));
    }
  }
}

TEST_CASE("bytes in e4m3 are those of section 4 of the reference, to the byte") {
  const OptionValues paper = {{"batch", "4"}, {"heads", "16"}, {"seqlen", "8448"}, {"head-dim", "128"}};
  for (const std::string& schedule : all_schedules) {
    OptionValues values = paper;
    values["schedule"] = schedule;
    const Simulation s = simulate(in_e4m3(values));
    CHECK(read_of(s, Tensor::Q) == 69'206'016);
    CHECK(read_of(s, Tensor::K) == 4'567'597'056);
    CHECK(read_of(s, Tensor::V) == 4'567'597'056);
    CHECK(s.totals.tensor(Tensor::O).written.count() == 138'412'032);
    CHECK(s.totals.tensor(Tensor::L).written.count() == 2'162'688);
    CHECK(read_of(s, Tensor::q_scale) == 4 * 64 * 66);
    CHECK(read_of(s, Tensor::k_scale) == 4 * 64 * 66 * 38);
    CHECK(read_of(s, Tensor::v_scale) == 4 * 64 * 66 * 38);
    CHECK(s.totals.matmul_flops.count() == 2'338'609'692'672);
    CHECK(s.totals.exps.count() == 4'567'597'056);
  }
  for (const std::string scales : {"head", "tensor"}) {
    OptionValues values = paper;
    values["fp8-scales"] = scales;
    const Simulation s = simulate(in_e4m3(values));
    for (const Tensor tensor : {Tensor::q_scale, Tensor::k_scale, Tensor::v_scale})
      CHECK(read_of(s, tensor) == 4 * 64 * 66);
    CHECK(s.plan.problem.hbm.k_scale.total_bytes(s.plan.problem.shape).count() == 4 * 64);
  }
}

TEST_CASE("at equal tiles bytes of Q, K and V halve in e4m3, O, L, products and exponentials stay, scales are added") {
  for (const std::string causal : {"0", "1"}) {
    OptionValues values = {{"heads", "4"},     {"kv-heads", "2"}, {"seqlen", "1000"}, {"head-dim", "128"},
                           {"causal", causal}, {"br", "128"},     {"bc", "128"}};
    const Simulation small = simulate(in_e4m3(values));
    values["dtype"] = "fp16";
    const Simulation wide = simulate(in_e4m3(values));
    for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V})
      CHECK(2 * read_of(small, tensor) == read_of(wide, tensor));
    for (const Tensor tensor : {Tensor::O, Tensor::L})
      CHECK(small.totals.tensor(tensor).written.count() == wide.totals.tensor(tensor).written.count());
    CHECK(small.totals.matmul_flops == wide.totals.matmul_flops);
    CHECK(small.totals.exps == wide.totals.exps);
    const std::int64_t tiles = causal == "1" ? 36 : 64;
    CHECK(read_of(small, Tensor::q_scale) == 4 * 4 * 8);
    CHECK(read_of(small, Tensor::k_scale) == 4 * 4 * tiles);
    CHECK(read_of(small, Tensor::v_scale) == 4 * 4 * tiles);
    CHECK(small.totals.other_flops.count() - wide.totals.other_flops.count() == small.totals.exps.count());
    std::size_t tensors = 0;
    for (const auto& [tensor, moved] : small.totals.by_tensor) tensors += moved.total().count() > 0 ? 1 : 0;
    CHECK(tensors == 8);
  }
}

namespace {

/// What users type: whole lengths and odd ones, grouped heads, masks.
Scenario drawn_scenario(Dice& dice, std::int64_t longest) {
  Scenario s = in_e4m3({{"schedule", all_schedules[static_cast<std::size_t>(dice.between(0, 3))]},
                        {"fp8-scales", dice.one_in(3) ? "head" : "block"},
                        {"grid", dice.one_in(2) ? "one" : "persistent"}});
  Shape& shape = s.shape;
  shape.kv_heads = dice.between(1, 4);
  shape.heads = shape.kv_heads * dice.between(1, 8);
  shape.batch = dice.between(1, 3);
  shape.seqlen_k = dice.between(1, longest);
  shape.seqlen_q = dice.one_in(2) ? shape.seqlen_k : dice.between(1, longest);
  shape.head_dim = std::array<std::int64_t, 5>{64, 96, 128, 192, 256}[static_cast<std::size_t>(dice.between(0, 4))];
  shape.mask = random_mask(dice, shape.seqlen_k, shape.seqlen_k);
  if (shape.head_dim == 192 && dice.one_in(2)) shape.head_dim_v = 128;
  return s;
}

}  // namespace

TEST_CASE("walk == closed form == count on random shapes in e4m3") {
  Dice dice(8);
  for (int n = 0; n < 500; ++n) {
    const Plan plan = make_plan(drawn_scenario(dice, 900));
    INFO(n << ": " << plan.problem.shape.seqlen_q << " x " << plan.problem.shape.seqlen_k);
    Totals counts;
    for (const Trace& trace : count(plan)) add_to(counts, trace);
    REQUIRE(counts == count_by_brute_force(plan));
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE("closed form == count in e4m3 on lengths up to 131,072 and 96 query heads") {
  Dice dice(9);
  for (int n = 0; n < 100; ++n) {
    const Plan plan = make_plan(drawn_scenario(dice, 131'072));
    INFO(n << ": " << plan.problem.shape.seqlen_q << " x " << plan.problem.shape.seqlen_k);
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE("the producer transposes each tile of V once, a tile after its copy, and consumers read the transpose") {
  const Plan plan = make_plan(in_e4m3({{"seqlen", "896"}, {"head-dim", "128"}, {"grid", "one"}}));
  const Trace trace = replay(plan, plan.launches[0], {});
  std::map<std::string, int> done;
  std::string order;  // of the producer: copies of K and V, and transposes
  for (const Event& e : trace.events) {
    if (e.verb == Verb::transpose) CHECK(e.smem_bytes == 2 * 224 * 128);
    if (e.role == 0 && e.verb == Verb::transpose) order += 't';
    if (e.role == 0 && e.verb == Verb::load && e.sync.barrier >= 0 && e.tensor != Tensor::Q)
      order += e.tensor == Tensor::K ? 'K' : 'V';
    if (e.sync.barrier >= 0)
      ++done[text(e.role == 0 ? "producer " : "consumers ", name_of(e.verb), " ",
                  trace.barriers[static_cast<std::size_t>(e.sync.barrier)].name.substr(0, 2))];
  }
  CHECK(order == "KVKVtKVtKVtt");
  CHECK(done["consumers wait VT"] == 2 * 4);
  CHECK(done["consumers arrive VT"] == 2 * 4);
  CHECK(done["consumers wait V "] == 0);
  CHECK(done["producer arrive VT"] == 4);
  CHECK(done["producer arrive V "] == 4);
}

TEST_CASE("warpgroups take turns in e4m3 from d 128 on, as released") {
  for (const auto& [d, turns] : {std::pair{"64", false}, {"96", false}, {"128", true}, {"192", true}, {"256", true}}) {
    const Plan plan = make_plan(in_e4m3({{"seqlen", "1344"}, {"head-dim", d}}));
    const Trace trace = replay(plan, plan.launches[0], {});
    const bool any = std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& e) {
      return e.verb == Verb::wait && e.sync.barrier >= 0 &&
             trace.barriers[static_cast<std::size_t>(e.sync.barrier)].kind == BarrierKind::turn;
    });
    CHECK(any == turns);
  }
}

TEST_CASE("products of e4m3 take half the cycles, exponentials as many, and an instruction as long as before") {
  const DeviceSpec& gpu = *built_in_gpu("h100-sxm");
  const SmRates half = role_rates(gpu, Dtype::e4m3, {}), whole = role_rates(gpu, Dtype::fp16, {});
  CHECK(half.per_wgmma_flop == whole.per_wgmma_flop / 2);
  CHECK(half.per_exp == whole.per_exp);
  CHECK(half.per_wgmma_flop * half.wgmma_depth == whole.per_wgmma_flop * whole.wgmma_depth);
  CHECK(gpu.matmul_flops_per_clock(Dtype::e4m3) == 2 * gpu.matmul_flops_per_clock(Dtype::fp16));
  // Cycles of a tile by hand: 4 Br Bc d FLOPs at 8,192, Br Bc exponentials at 16.
  for (const auto& [d, br, bc, products, exps] :
       {std::array<std::int64_t, 5>{64, 192, 160, 960, 1920}, std::array<std::int64_t, 5>{128, 128, 224, 1792, 1792}}) {
    CHECK(static_cast<double>(4 * br * bc * d) * half.per_wgmma_flop == Approx(products));
    CHECK(static_cast<double>(br * bc) * half.per_exp == Approx(exps));
  }
}

TEST_CASE("e4m3 is faster than fp16, and less than twice as fast: exponentials take as long") {
  for (const std::string d : {"64", "128", "256"}) {
    OptionValues values = {{"batch", "4"}, {"heads", "16"}, {"seqlen", "8192"}, {"head-dim", d}};
    const double small = simulate(in_e4m3(values)).microseconds;
    values["dtype"] = "fp16";
    const double wide = simulate(in_e4m3(values)).microseconds;
    INFO("d " << d << ": " << small << " and " << wide);
    CHECK(small < wide);
    CHECK(2 * small > wide);
  }
}

TEST_CASE("flash3 refuses in e4m3 what its released kernels do not take, and other programs refuse e4m3 by name") {
  CHECK_THAT(refusal_of({{"head-dim", "80"}}),
             Contains("head-dim: in e4m3 flash3 takes 64, 96, 128, 192 and 256, not 80"));
  CHECK_THAT(refusal_of({{"head-dim", "64"}, {"head-dim-v", "128"}}), Contains("head-dim-v: in e4m3 flash3 takes 64"));
  CHECK_THAT(refusal_of({{"head-dim", "96"}, {"rotate", "1"}}), Contains("head-dim is 96: use --rotate 0"));
  CHECK_THAT(refusal_of({{"head-dim", "192"}, {"rotate", "1"}}), Contains("head-dim is 192: use --rotate 0"));
  CHECK_THAT(refusal_of({{"gpu", "a100-sxm-80gb"}}), Contains("sm_80"));
  CHECK_THAT(refusal_of({{"pass", "backward"}}), Contains("pass: "));
  CHECK_THAT(refusal_of({{"bc", "100"}}), Contains("multiples of 16"));
  CHECK_THAT(refusal_of({{"stages", "1"}}), Contains("stages: in e4m3 the producer transposes"));
  CHECK_THAT(refusal_of({{"dropout", "0.1"}}), Contains("dropout"));
  CHECK_THAT(refusal_of({{"dtype", "bf16"}, {"rotate", "0"}}), Contains("rotate: applies only to --dtype e4m3"));
  CHECK_THAT(refusal_of({{"dtype", "fp16"}, {"fp8-scales", "head"}}),
             Contains("fp8-scales: applies only to --dtype e4m3"));
  for (const std::string& name : all_program_names()) {
    if (name == "flash3") continue;
    INFO(name);
    CHECK_THAT(refusal_of({{"algorithm", name}, {"head-dim", "64"}}), Contains("dtype: e4m3 is of flash3"));
  }
  CHECK(refusal_of({{"head-dim", "192"}, {"head-dim-v", "128"}}).empty());
}

TEST_CASE("a rotation is the default for a d that is a power of two, and 0 for others") {
  const auto resolved = [](OptionValues values) {
    return text_of(option_called("rotate").resolved(make_plan(in_e4m3(std::move(values)))));
  };
  CHECK(resolved({{"head-dim", "128"}}) == "1");
  CHECK(resolved({{"head-dim", "96"}}) == "0");
  CHECK(resolved({{"head-dim", "128"}, {"rotate", "0"}}) == "0");
  CHECK(resolved({{"dtype", "fp16"}, {"head-dim", "128"}}).empty());
}

TEST_CASE("standard attention that e4m3 is compared with is in bf16") {
  CHECK(standard_of(in_e4m3({{"head-dim", "128"}, {"rotate", "1"}})).dtype == Dtype::bf16);
}
