// Kernels of flash-decoding, plain and on tensor cores: values, and exact bytes, for any number of parts.
#include <catch2/catch.hpp>

#include "kernels/attention/support.h"
#include "kernels/verify/choice.h"
#include "tests/support/ragged_kernels.h"
#include "tests/support/teaching_cases.h"

namespace {

constexpr const char *plain = "flash-decoding", *on_tensor_cores = "flash-decoding_mma";

/// Plain kernels with tiles of 16 x 16, so that few keys make several parts; other kernels with the default tiles.
sim::Scenario decoding(const char* kernel, const sim::Shape& shape, std::int64_t splits = 0) {
  sim::Scenario s;
  s.algorithm = "flash-decoding";
  s.shape = shape;
  s.seed = 11;
  if (splits > 0) s.own["splits"] = splits;
  if (kernel != plain) return s;
  s.dtype = sim::Dtype::fp32;
  s.br = s.bc = 16;
  return s;
}

/// Partial results that the first launch stores.
struct Parts {
  std::vector<float> O, L;
};
Parts parts_of(const char* kernel, const sim::Scenario& s) {
  const sim::Plan plan = sim::make_plan(s);
  const sim::AttentionInputs inputs = kernel_check::inputs_of(plan);
  emulator::EmulatedDevice device;
  kernels::Tensors tensors(device, plan);
  using enum sim::Tensor;
  for (const sim::Tensor tensor : {Q, K, V, O_part, L_part}) tensors.allocate(tensor);
  tensors.upload(Q, inputs.q);
  tensors.upload(K, inputs.k);
  tensors.upload(V, inputs.v);
  kernels::run_launch(device, plan, plan.launches.at(0), kernel, tensors);
  device.synchronize();
  return {tensors.download(O_part), tensors.download(L_part)};
}

dev::LaunchReport report_of(const sim::Scenario& s, std::size_t launch) {
  const sim::Plan plan = sim::make_plan(s);
  emulator::EmulatedDevice device({.traced = true});
  return kernels::run(device, plan, on_tensor_cores, kernel_check::inputs_of(plan)).reports.at(launch);
}

/// Shapes with several parts each: one query, several row blocks, grouped heads and tails.
std::vector<sim::Shape> shapes_of(const char* kernel) {
  if (kernel == plain) return {{1, 2, 2, 1, 100, 8, {}}, {2, 4, 2, 17, 83, 16, {}}};
  return {{1, 2, 2, 1, 1100, 64, {}}, {2, 4, 2, 70, 541, 128, {}}};
}

}  // namespace

TEST_CASE("flash-decoding computes attention on every length") { teaching_cases::lengths(plain); }

TEST_CASE("flash-decoding takes head dimensions from 8 to 256") { teaching_cases::head_dimensions(plain); }

TEST_CASE("flash-decoding takes every mask, grouped heads, cross lengths and dropout") { teaching_cases::masks(plain); }

TEST_CASE("flash-decoding takes tiles of any size") { teaching_cases::tiles(plain); }

TEST_CASE("flash-decoding computes attention and moves the bytes of its program in any number of parts") {
  for (const char* kernel : {plain, on_tensor_cores}) {
    for (const sim::Shape& shape : shapes_of(kernel)) {
      for (const std::int64_t splits : {0, 1, 2, 3, 4, 5}) {
        INFO("splits " << splits);
        kernel_check::traffic(kernel, decoding(kernel, shape, splits));
      }
    }
  }
}

TEST_CASE("flash-decoding takes masks, and rows and parts that see nothing") {
  for (const char* kernel : {plain, on_tensor_cores}) {
    const bool small = kernel == plain;
    const std::int64_t d = small ? 8 : 32, queries = small ? 40 : 70, keys = small ? 90 : 700;
    for (const std::int64_t splits : {0, 1, 3}) {
      INFO("splits " << splits);
      kernel_check::traffic(kernel, decoding(kernel, {1, 2, 1, queries, keys, d, {.causal = true}}, splits));
      kernel_check::traffic(kernel, decoding(kernel, {1, 1, 1, queries, keys, d, {true, 3, 33}}, splits));
      kernel_check::traffic(kernel, decoding(kernel, {1, 1, 1, 1, keys, d, {false, 0, 20}}, splits));
      kernel_check::traffic(kernel, decoding(kernel, {1, 2, 2, 1, keys, d, {false, keys - 5, {}}}, splits));
      kernel_check::traffic(kernel, decoding(kernel, {1, 1, 1, 3, keys, d, {false, keys, {}}}, splits));
    }
    const std::int64_t rows = keys + queries;  // the first `queries` of them see nothing
    kernel_check::traffic(kernel, decoding(kernel, {1, 1, 1, rows, keys, d, {.causal = true}}, 2));
  }
}

TEST_CASE("flash-decoding packs the query heads of a KV head as rows of a tile, or keeps them separate") {
  for (const char* kernel : {plain, on_tensor_cores}) {
    const sim::Shape shape{2, 6, 2, 1, kernel == plain ? 70 : 600, kernel == plain ? 8 : 64, {.causal = true}};
    std::int64_t moved[2] = {0, 0};
    for (const std::int64_t pack : {0, 1}) {
      sim::Scenario s = decoding(kernel, shape, 2);
      s.own["pack"] = pack;
      kernel_check::traffic(kernel, s);
      moved[pack] = sim::simulate(s).totals.total.read.count();
    }
    CHECK(moved[0] > 2 * moved[1]);
  }
}

TEST_CASE("L of rows that are combined one by one may share sectors, also if eight of them fill one") {
  for (const std::int64_t splits : {1, 2, 3}) {
    INFO("splits " << splits);
    CHECK(ragged_kernels::wrong(plain, decoding(plain, {1, 8, 1, 1, 70, 8, {}}, splits)) == "");
    CHECK(ragged_kernels::wrong(on_tensor_cores, decoding(on_tensor_cores, {1, 16, 2, 1, 700, 64, {}}, splits)) == "");
  }
}

TEST_CASE("a part without keys is written as zeros with L = -inf, and so are rows that see none of a part") {
  for (const char* kernel : {plain, on_tensor_cores}) {
    const std::size_t d = kernel == plain ? 8 : 64;
    const std::int64_t block = kernel == plain ? 16 : 256;
    const auto width = static_cast<std::int64_t>(d);
    const Parts found =
        parts_of(kernel, decoding(kernel, {1, 1, 1, 2, 4 * block, width, {}}, 3));  // 2, 2 and no blocks
    for (std::size_t row = 0; row < 2; ++row) {
      CHECK(std::isfinite(found.L.at(row * 3 + 1)));
      CHECK(found.L.at(row * 3 + 2) == -INFINITY);
      for (std::size_t c = 0; c < d; ++c) CHECK(found.O.at((row * 3 + 2) * d + c) == 0.0f);
    }
    const Parts causal = parts_of(kernel, decoding(kernel, {1, 1, 1, 2, block + 1, width, {.causal = true}}, 2));
    CHECK(causal.L.at(1) == -INFINITY);  // the last key is not visible to the first query
    CHECK(std::isfinite(causal.L.at(3)));
    for (std::size_t c = 0; c < d; ++c) CHECK(causal.O.at(d + c) == 0.0f);
  }
}

TEST_CASE("flash-decoding takes every type") {
  for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}) {
    sim::Scenario s = decoding(plain, {1, 4, 2, 5, 90, 40, {.causal = true}}, 3);
    s.dtype = dtype;
    s.dropout = 0.2;
    kernel_check::traffic(plain, s);
    s.own["splits"] = 1;
    kernel_check::traffic(plain, s);
  }
}

TEST_CASE("flash-decoding takes every tile of its menu on tensor cores, in both types") {
  for (const kernels::MmaTile& tile : kernels::flash_decoding_mma_tiles) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
      sim::Scenario s = decoding(on_tensor_cores, {1, 1, 1, tile.br + 1, tile.bc + 17, tile.head_dim, {}}, 2);
      s.dtype = dtype;
      s.br = tile.br;
      kernel_check::values(on_tensor_cores, s);
    }
  }
}

TEST_CASE("flash-decoding has a kernel on tensor cores for the tiles of every device and number of queries") {
  for (const std::string& gpu : sim::device_names()) {
    if (gpu == "toy") continue;  // a device for counting by hand, with 16 KiB
    for (const std::int64_t d : {32, 64, 96, 128, 256}) {
      for (const std::int64_t queries : {1, 17, 40, 1000}) {
        sim::Scenario s = decoding(on_tensor_cores, {1, 1, 1, queries, 4000, d, {}});
        s.gpu = sim::built_in_gpu(gpu);
        const sim::Plan plan = sim::make_plan(s);
        INFO(gpu << ", d " << d << ", " << queries << " queries");
        const std::string& architecture = s.gpu->architecture;  // no kernel is compiled for these
        if (architecture == "sm_70" || architecture == "sm_75" || !architecture.starts_with("sm_")) continue;
        CHECK(kernels::mma_refusal(on_tensor_cores, kernels::arguments_of(plan, plan.launches.at(0))) == "");
      }
    }
  }
}

TEST_CASE("flash-decoding on tensor cores has no bank conflicts and moves whole sectors", "[repeats]") {
  for (const kernels::MmaTile& tile : kernels::flash_decoding_mma_tiles) {
    for (const std::int64_t splits : {0, 2}) {
      const std::int64_t queries = splits == 0 ? 300 * tile.br : tile.br;  // enough to fill the GPU, or not
      sim::Scenario s = decoding(on_tensor_cores, {1, 1, 1, queries, 2 * tile.bc, tile.head_dim, {}}, splits);
      if (splits == 0) s.shape.seqlen_k = tile.bc;
      s.br = tile.br;
      INFO("head dim " << tile.head_dim << ", tile " << tile.br << " x " << tile.bc << ", splits " << splits);
      const dev::LaunchReport report = report_of(s, 0);
      CHECK(report.wavefronts == report.ideal_wavefronts);
      for (const char* tensor : {"Q", "K", "V"})
        CHECK(report.tensors.at(tensor).read_sectors * 32 == report.tensors.at(tensor).read_bytes);
      const dev::Traffic& O = report.tensors.at(splits > 0 ? "O_part" : "O");
      CHECK(O.write_sectors * 32 == O.write_bytes);
      if (splits == 0) continue;
      const dev::LaunchReport combine = report_of(s, 1);
      CHECK(combine.wavefronts == combine.ideal_wavefronts);
      CHECK(combine.tensors.at("O_part").read_sectors * 32 == combine.tensors.at("O_part").read_bytes);
      CHECK(combine.tensors.at("O").write_sectors * 32 == combine.tensors.at("O").write_bytes);
    }
  }
}

TEST_CASE("flash-decoding computes and moves the same in any order of threads") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const emulator::Options options{.order = {.random = true, .seed = seed}};
    kernel_check::traffic(plain, decoding(plain, {1, 2, 1, 5, 50, 8, {.causal = true}}, 2), options);
    kernel_check::traffic(on_tensor_cores, decoding(on_tensor_cores, {1, 2, 1, 1, 600, 32, {}}, 2), options);
    kernel_check::traffic(on_tensor_cores, decoding(on_tensor_cores, {1, 1, 1, 20, 300, 32, {}}, 2), options);
  }
}

TEST_CASE("flash-decoding agrees with its program on random shapes, parts and masks") {
  sim::Dice dice(2023);
  for (int n = 0; n < 40; ++n) {
    const bool small = n % 2 == 0;
    const char* kernel = small ? plain : on_tensor_cores;
    sim::Shape shape;
    shape.batch = dice.between(1, 2);
    shape.kv_heads = dice.between(1, 2);
    shape.heads = shape.kv_heads * dice.between(1, 3);
    shape.seqlen_q = dice.one_in(2) ? 1 : dice.between(1, small ? 40 : 80);
    shape.seqlen_k = dice.between(1, small ? 120 : 900);
    shape.head_dim = small ? 8 * dice.between(1, 4) : 32 * dice.between(1, 3);
    shape.mask = sim::random_mask(dice, shape.seqlen_k, shape.seqlen_k);
    sim::Scenario s = decoding(kernel, shape);
    const std::int64_t block = small ? 16 : shape.head_dim <= 64 ? 256 : 128;
    if (!dice.one_in(4)) s.own["splits"] = dice.between(1, sim::ceil_div(shape.seqlen_k, block));
    if (dice.one_in(3)) s.own["pack"] = 0;
    if (small && dice.one_in(4)) s.dropout = 0.3;
    INFO("draw " << n);
    kernel_check::traffic(kernel, s);
  }
}

TEST_CASE("flash-decoding on tensor cores rejects tiles, types and sizes that it was not compiled for") {
  kernels::Arguments a;
  a.element = kernels::Element::fp16;
  a.head_dim = 64, a.br = 48, a.bc = 256;
  CHECK(kernels::mma_refusal(on_tensor_cores, a) ==
        "flash-decoding_mma has no tile 48 x 256 for head dim 64: it has 64 x 256, 32 x 256, 16 x 256");
  a.dropout = true;
  CHECK(kernels::mma_refusal(on_tensor_cores, a) == "flash-decoding_mma has no dropout: flash-decoding has");
  a.element = kernels::Element::fp32;
  CHECK(kernels::mma_refusal(on_tensor_cores, a) == "flash-decoding_mma has no fp32: it has fp16, bf16");
  sim::Scenario s = decoding(on_tensor_cores, {1, 1, 1, 1, 100, 64, {}});
  s.dropout = 0.1;
  CHECK_THROWS_WITH(kernels::choose_kernel(sim::make_plan(s), {}, dev::Flavour::emulated),
                    "kernel: flash-decoding_mma has no dropout: flash-decoding has; or --kernel flash-decoding");
}
