// The time model with the table of compiled kernels, and for kernels without a row.
#include "sim/model/compiled_kernels.h"

#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/model/sampled_cta.h"
#include "sim/model/simulation.h"

using namespace sim;

namespace {

Scenario flash2_of(std::int64_t d, std::optional<std::int64_t> br = {}, std::optional<std::int64_t> bc = {},
                   std::string_view gpu = "h100-sxm", Pass pass = Pass::forward) {
  Scenario s;
  s.gpu = built_in_gpu(gpu);
  s.pass = pass;
  s.shape = {.batch = 4, .heads = 16, .kv_heads = 16, .seqlen_q = 4096, .seqlen_k = 4096, .head_dim = d};
  s.br = br;
  s.bc = bc;
  return s;
}

const CompiledKernel* main_kernel(const Plan& plan) {
  for (const Launch& launch : plan.launches) {
    if (const CompiledKernel* kernel = compiled_kernel(plan, launch)) return kernel;
  }
  return nullptr;
}

const std::string head =
    "kernel,pass,head_dim,br,bc,dropout,architecture,threads,registers,smem,HMMA,all,MOV,LDSM,LDS,STS,MUFU,LDGSTS,RED,"
    "BAR\n";
const std::string one = "flash2_mma,forward,128,64,64,0,sm_90,128,178,49152,128,553,6,72,6,0,34,16,0,2\n";

}  // namespace

TEST_CASE("the table of compiled kernels names its compiler, and each kernel's registers and instructions") {
  const CompiledTable table = parse_compiled("# nvcc 13.0\n" + head + one, "t.csv");
  CHECK(table.compiler == "nvcc 13.0");
  REQUIRE(table.kernels.size() == 1);
  const CompiledKernel& kernel = table.kernels[0];
  CHECK(kernel.register_bytes() == Bytes(128 * 184 * 4));  // in eights
  CHECK(kernel.instructions_per_product() == Approx(553 / 128.0 - 1));
  CHECK(kernel.smem_accesses == 72 + 16);
}

TEST_CASE("a table without its compiler, without a column or with a cell that is not a number is refused") {
  const auto refused = [](const std::string& table, const std::string& message) {
    CHECK_THROWS_WITH(parse_compiled(table, "t.csv"), Catch::Contains(message));
  };
  refused(head + one, "t.csv:1: is \"kernel,pass");
  refused("", "t.csv:1: is \"\": expected the compiler, as \"# nvcc 13.0\"");
  refused("# nvcc 13.0\n", "t.csv");
  std::string columns = head, cells = one, word = one;
  columns.erase(columns.find("registers,"), 10);
  cells.erase(cells.find("178,"), 4);
  refused("# nvcc 13.0\n" + columns + cells, "\"registers\"");
  refused("# nvcc 13.0\n" + head + word.replace(word.find("178"), 3, "all"), "t.csv:3: registers");
}

TEST_CASE("the stored table has registers that a thread can have, and main loops of more than products") {
  REQUIRE(compiled_table().kernels.size() > 80);
  for (const CompiledKernel& kernel : compiled_table().kernels) {
    INFO(kernel.pass << " d " << kernel.head_dim << " " << kernel.br << " x " << kernel.bc << " "
                     << kernel.architecture);
    CHECK(kernel.registers <= 255);
    CHECK(kernel.register_bytes().count() <= built_in_gpu("h100-sxm")->register_bytes_per_sm);
    CHECK(kernel.instructions > 2 * kernel.products);
    // A warp's products of a visit: S and P V forward, five products backward, each m16n8k16 of 4,096 FLOP.
    const std::int64_t products = kernel.pass == "forward" ? 2 : 5;
    CHECK(kernel.products * (kernel.threads / 32) * 4096 == products * 2 * kernel.br * kernel.bc * kernel.head_dim);
  }
}

TEST_CASE("registers of the compiled kernel decide how many CTAs share an SM") {
  const Simulation s = simulate(flash2_of(128, 64, 64));
  CHECK(s.kernels[0].needs.registers == Bytes(128 * 184 * 4));  // 178 of a thread
  CHECK(s.kernels[0].ctas_per_sm == 2);
  const Simulation other = simulate(flash2_of(128, 48, 64));  // no such kernel: the tiles' registers
  CHECK(other.kernels[0].needs.registers == other.traces[0].peak_registers);
}

TEST_CASE("issue slots of a compiled main loop are those of its products and of its other instructions") {
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (const double dropout : {0.0, 0.1}) {
      Scenario s = flash2_of(64, {}, {}, "h200", pass);
      s.dropout = dropout;
      const Plan plan = make_plan(s);
      const Launch& launch = plan.launches[pass == Pass::forward ? 0 : 1];
      const CompiledKernel* kernel = compiled_kernel(plan, launch);
      REQUIRE(kernel != nullptr);
      CHECK(kernel->dropout == (dropout > 0));
      const Trace trace = replay_iterations(plan, launch, {}, {4, 4, 4});
      const auto tasks = tasks_of(trace, launch, rates_of(plan, launch, trace));
      double issue = 0, smem = 0, products = 0;
      for (std::size_t n = 0; n < tasks.size(); ++n) {
        if (trace.events[n].loop == 0 || tasks[n].kind != Task::Kind::work) continue;
        issue += tasks[n].work[Pipe::issue];
        smem += tasks[n].work[Pipe::smem];
        products += static_cast<double>(trace.events[n].matmul_flops) / 4096;
      }
      const TimingConstants& c = s.constants;
      const double beside = static_cast<double>(kernel->instructions) / static_cast<double>(kernel->products) - 1;
      CHECK(4 * issue / products == Approx(c.product_cycles + c.instruction_cycles * beside));
      if (pass == Pass::backward) continue;
      const auto accesses = static_cast<double>(kernel->smem_accesses);
      CHECK(smem / products == Approx(accesses / static_cast<double>(kernel->products) * 512 / 128));
    }
  }
}

TEST_CASE("masked iterations cost the same as the others, plus their masks") {
  const Plan plan = make_plan(flash2_of(64));
  const Trace trace = replay_iterations(plan, plan.launches[0], {}, {4, 4, 4});
  Scenario causal = flash2_of(64);
  causal.shape.mask.causal = true;
  const Plan masked = make_plan(causal);
  const Trace masked_trace = replay_iterations(masked, masked.launches[0], {}, {4, 4, 4});
  CHECK(rates_of(masked, masked.launches[0], masked_trace).per_instruction ==
        Approx(rates_of(plan, plan.launches[0], trace).per_instruction));
}

TEST_CASE("a kernel without a row keeps the general rule, with a reason") {
  const auto general = [](const Scenario& s) {
    const Plan plan = make_plan(s);
    const Launch& launch = plan.launches[0];
    const Trace trace = replay_iterations(plan, launch, {}, {4, 4, 4});
    const SmRates rates = rates_of(plan, launch, trace), rule = sm_rates(*s.gpu, s.dtype, s.constants);
    return compiled_kernel(plan, launch) == nullptr && rates.per_instruction == rule.per_instruction &&
           rates.per_matmul_issue == rule.per_matmul_issue && rates.product_latency == rule.product_latency;
  };
  const auto why = [](const Scenario& s) { return why_estimated(make_plan(s)); };
  CHECK(why(flash2_of(128)).empty());
  CHECK(general(flash2_of(64, 96, 32)));
  CHECK(why(flash2_of(64, 96, 32)) ==
        "instructions are estimated: flash2_mma is not compiled for tiles 96 x 32 at d 64 on sm_90");
  CHECK(general(flash2_of(128, {}, {}, "b200")));
  CHECK(why(flash2_of(128, {}, {}, "b200")).ends_with("at d 128 on sm_100"));
  Scenario single = flash2_of(64), other = flash2_of(64);
  single.dtype = Dtype::fp32;
  other.algorithm = "flash1";
  CHECK(general(single));
  CHECK(why(single).empty());  // kernels of fp32 have no tensor cores, and no main loop in the table
  CHECK(general(other));
  CHECK(why(other).empty());
}

TEST_CASE("tiles are known to be compiled or not where kernels of the family are compiled for the GPU") {
  const auto compiled = [](const Scenario& s) { return is_compiled(make_plan(s)); };
  CHECK(compiled(flash2_of(64)) == true);
  CHECK(compiled(flash2_of(64, 64, 64, "h100-sxm", Pass::forward_backward)) == true);
  CHECK(compiled(flash2_of(64, 64, 32, "h100-sxm", Pass::forward_backward)) == false);  // forward only
  CHECK_FALSE(compiled(flash2_of(64, {}, {}, "b200")).has_value());
  CHECK(compiled(flash2_of(80)) == true);  // runs as d 96
  CHECK_FALSE(compiled(flash2_of(192)).has_value());
}

TEST_CASE("code for sm_80 runs on later cards of its generation and on no others") {
  const auto architecture = [](std::string_view gpu) {
    const Plan plan = make_plan(flash2_of(64, 64, 64, gpu));
    const CompiledKernel* kernel = main_kernel(plan);
    return kernel != nullptr ? kernel->architecture : "";
  };
  CHECK(architecture("a100-sxm-80gb") == "sm_80");
  CHECK(architecture("rtx-3090") == "sm_80");
  CHECK(architecture("rtx-4090") == "sm_80");
  CHECK(architecture("h100-sxm") == "sm_90");
  CHECK(architecture("t4").empty());
  CHECK(architecture("rtx-5090").empty());
}

TEST_CASE("of two kernels with the same tiles the one that fits is taken, the faster first") {
  Scenario s = flash2_of(64, 128, 128, "h100-sxm", Pass::backward);
  REQUIRE(main_kernel(make_plan(s)) != nullptr);
  CHECK(main_kernel(make_plan(s))->smem == 164'864);  // K, V, two of Q and dO, P, dS, L and D
  s.sram = 100 << 10;
  REQUIRE(main_kernel(make_plan(s)) != nullptr);
  CHECK(main_kernel(make_plan(s))->smem == 99'328);  // one of each
}
