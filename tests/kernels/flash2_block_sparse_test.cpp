// Kernels of flash2-block-sparse, plain and on tensor cores: values, and exact bytes, under every pattern.
#include <catch2/catch.hpp>

#include "kernels/attention/support.h"
#include "kernels/verify/choice.h"
#include "tests/support/teaching_cases.h"

namespace {

constexpr const char *plain = "flash2-block-sparse", *on_tensor_cores = "flash2-block-sparse_mma";

/// Both passes; plain kernels with tiles of 16 x 16, those on tensor cores with 64 x 64.
sim::Scenario sparse(const char* kernel, const sim::Shape& shape, const char* pattern) {
  sim::Scenario s;
  s.algorithm = plain;
  s.pass = sim::Pass::forward_backward;
  s.shape = shape;
  s.seed = 5;
  s.br = s.bc = kernel == plain ? 16 : 64;
  if (kernel == plain) s.dtype = sim::Dtype::fp32;
  if (*pattern != 0) s.pattern = sim::read_pattern(pattern);
  return s;
}

constexpr const char* patterns[] = {"",          "causal",    "window:0",   "window:1", "local-global:1,1",
                                    "strided:3", "butterfly", "random:0.3", "random:0"};

dev::LaunchReport report_of(const sim::Scenario& s, std::size_t launch) {
  const sim::Plan plan = sim::make_plan(s);
  emulator::EmulatedDevice device({.traced = true});
  return kernels::run(device, plan, on_tensor_cores, kernel_check::inputs_of(plan)).reports.at(launch);
}

}  // namespace

TEST_CASE("flash2-block-sparse computes attention and its gradients on every length") {
  teaching_cases::lengths(plain);
}

TEST_CASE("flash2-block-sparse takes head dimensions from 8 to 256") { teaching_cases::head_dimensions(plain); }

TEST_CASE("flash2-block-sparse takes every mask, grouped heads, cross lengths and dropout") {
  teaching_cases::masks(plain);
}

TEST_CASE("flash2-block-sparse takes tiles of any size") { teaching_cases::tiles(plain); }

TEST_CASE("flash2-block-sparse computes attention and moves the bytes of its program under every pattern") {
  for (const char* pattern : patterns) {
    INFO("pattern " << pattern);
    kernel_check::traffic(plain, sparse(plain, {1, 2, 1, 90, 70, 8, {}}, pattern));
    kernel_check::traffic(on_tensor_cores, sparse(on_tensor_cores, {1, 2, 1, 330, 280, 64, {}}, pattern));
  }
}

TEST_CASE("flash2-block-sparse takes masks together with the pattern, grouped heads and rows that see nothing") {
  for (const char* kernel : {plain, on_tensor_cores}) {
    const bool small = kernel == plain;
    const std::int64_t d = small ? 8 : 32, queries = small ? 60 : 250, keys = small ? 83 : 330;
    for (const char* pattern : {"local-global:1,1", "random:0.5", "strided:2"}) {
      INFO("pattern " << pattern);
      kernel_check::traffic(kernel, sparse(kernel, {2, 4, 2, queries, keys, d, {.causal = true}}, pattern));
      kernel_check::traffic(kernel, sparse(kernel, {1, 1, 1, queries, keys, d, {true, 3, 33}}, pattern));
      kernel_check::traffic(kernel, sparse(kernel, {1, 3, 1, keys, queries, d, {true, 0, {}}}, pattern));
      kernel_check::traffic(kernel, sparse(kernel, {1, 1, 1, queries, keys, d, {false, keys, {}}}, pattern));
    }
  }
}

TEST_CASE("flash2-block-sparse takes every type, and on plain kernels dropout") {
  for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}) {
    sim::Scenario s = sparse(plain, {1, 2, 1, 50, 60, 16, {.causal = true}}, "butterfly");
    s.dtype = dtype;
    s.dropout = 0.2;
    kernel_check::traffic(plain, s);
  }
}

TEST_CASE("flash2-block-sparse takes every tile of its menu on tensor cores, in both types") {
  for (const kernels::MmaTile& tile : kernels::flash2_block_sparse_mma_tiles) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
      sim::Scenario s =
          sparse(on_tensor_cores, {1, 1, 1, 2 * tile.br + 1, 2 * tile.bc + 17, tile.head_dim, {}}, "strided:2");
      s.dtype = dtype;
      s.br = tile.br, s.bc = tile.bc;
      kernel_check::values(on_tensor_cores, s);
    }
  }
}

TEST_CASE("flash2-block-sparse has a kernel on tensor cores for the tiles of every card, in both passes") {
  for (const std::string& gpu : sim::device_names()) {
    const std::string& architecture = sim::device(gpu).architecture;  // toy: 16 KiB of shared memory
    if (architecture == "sm_70" || architecture == "sm_75" || !architecture.starts_with("sm_")) continue;
    for (const std::int64_t d : {32, 64, 96, 128}) {
      sim::Scenario s = sparse(on_tensor_cores, {1, 1, 1, 4000, 4000, d, {}}, "causal");
      s.br = s.bc = {};
      s.gpu = sim::built_in_gpu(gpu);
      INFO(gpu << ", d " << d);
      CHECK(kernels::choose_kernel(sim::make_plan(s), {}, dev::Flavour::emulated) == on_tensor_cores);
    }
  }
}

TEST_CASE("flash2-block-sparse reads a long row of the pattern a byte for each block, once") {
  sim::Scenario s = sparse(plain, {1, 1, 1, 20, 1100, 8, {}}, "random:0.1");  // 69 blocks of keys: three words of bits
  kernel_check::traffic(plain, s);
  s = sparse(on_tensor_cores, {1, 2, 1, 70, 2200, 32, {}}, "random:0.1");  // 35
  kernel_check::traffic(on_tensor_cores, s);
  s.shape = {1, 2, 1, 2200, 70, 32, {}};
  kernel_check::traffic(on_tensor_cores, s);
}

TEST_CASE("flash2-block-sparse on tensor cores has no bank conflicts and reads whole sectors") {
  for (const kernels::MmaTile& tile : kernels::flash2_block_sparse_mma_tiles) {
    sim::Scenario s = sparse(on_tensor_cores, {1, 1, 1, 2 * tile.br, 3 * tile.bc, tile.head_dim, {}}, "strided:2");
    s.br = tile.br, s.bc = tile.bc;
    INFO("head dim " << tile.head_dim << ", tile " << tile.br << " x " << tile.bc);
    for (const std::size_t launch : {std::size_t{0}, std::size_t{2}}) {
      const dev::LaunchReport report = report_of(s, launch);
      CHECK(report.wavefronts == report.ideal_wavefronts);
      for (const char* tensor : {"Q", "K", "V"})
        CHECK(report.tensors.at(tensor).read_sectors * 32 == report.tensors.at(tensor).read_bytes);
    }
  }
}

TEST_CASE("flash2-block-sparse computes and moves the same in any order of threads", "[repeats]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const emulator::Options options{.order = {.random = true, .seed = seed}};
    kernel_check::traffic(plain, sparse(plain, {1, 1, 1, 40, 50, 8, {.causal = true}}, "random:0.6"), options);
    kernel_check::traffic(on_tensor_cores, sparse(on_tensor_cores, {1, 2, 1, 130, 190, 32, {}}, "strided:2"), options);
  }
}

TEST_CASE("flash2-block-sparse agrees with its program on random shapes, patterns and masks") {
  sim::Dice dice(2022);
  for (int n = 0; n < 30; ++n) {
    const bool small = n % 2 == 0;
    const char* kernel = small ? plain : on_tensor_cores;
    sim::Shape shape;
    shape.batch = dice.between(1, 2);
    shape.kv_heads = dice.between(1, 2);
    shape.heads = shape.kv_heads * dice.between(1, 2);
    shape.seqlen_q = dice.between(1, small ? 90 : 300);
    shape.seqlen_k = dice.between(1, small ? 90 : 300);
    shape.head_dim = small ? 8 * dice.between(1, 3) : 32 * dice.between(1, 3);
    shape.mask = sim::random_mask(dice, shape.seqlen_k, shape.seqlen_k);
    sim::Scenario s = sparse(kernel, shape, "");
    s.pattern = sim::random_pattern(dice, 5);
    if (small && dice.one_in(4)) s.dropout = 0.3;
    if (dice.one_in(3)) s.pass = sim::Pass::backward;
    INFO("draw " << n << ", " << sim::text_of(s.pattern));
    kernel_check::traffic(kernel, s);
  }
}

TEST_CASE("flash2-block-sparse on tensor cores equals flash2 if every block is visible") {
  sim::Scenario s = sparse(on_tensor_cores, {1, 2, 1, 150, 200, 64, {.causal = true}}, "");
  s.pass = sim::Pass::forward;
  const sim::AttentionInputs inputs = kernel_check::inputs_of(sim::make_plan(s));
  emulator::EmulatedDevice device;
  const auto found = kernels::run(device, sim::make_plan(s), on_tensor_cores, inputs).outputs;
  s.algorithm = "flash2";
  const auto flash2 = kernels::run(device, sim::make_plan(s), "flash2_mma", inputs).outputs;
  CHECK(found.o == flash2.o);
  CHECK(found.log_sum_exp == flash2.log_sum_exp);
}

TEST_CASE("flash2-block-sparse on tensor cores refuses tiles not compiled or with too little shared memory") {
  sim::Scenario s = sparse(on_tensor_cores, {1, 1, 1, 200, 200, 64, {}}, "causal");
  const auto refusal = [&](std::int64_t smem) -> std::string {
    try {
      kernels::choose_kernel(sim::make_plan(s), on_tensor_cores, dev::Flavour::emulated, smem);
    } catch (const sim::Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal(dev::any_smem).empty());
  s.pass = sim::Pass::forward;
  CHECK(refusal(24576 + 4).empty());
  CHECK_THAT(refusal(24576 + 3), Catch::Contains("flash2-block-sparse_mma takes 24580 bytes of shared memory"));
  s.dropout = 0.1;
  CHECK_THAT(refusal(dev::any_smem), Catch::Contains("has no dropout: flash2-block-sparse has"));
  s.dropout = 0;
  s.br = 48;
  CHECK_THAT(refusal(dev::any_smem), Catch::Contains("has no tile 48 x 64 for head dim 64: it has 128 x 128, 64 x 64"));
}
