// Counts of the traced flavour, against figures derived by hand and against the programs.
#include <catch2/catch.hpp>

#include "kernels/tile/fragment.h"
#include "sim/machine/warp_access.h"
#include "tests/kernels/test_kernels.h"
#include "tests/support/kernel_check.h"

using test_kernels::outcome;

namespace {

/// Read and written bytes, atomic bytes, read and written sectors.
std::vector<std::int64_t> figures(const dev::LaunchReport& report, const char* tensor) {
  const auto found = report.tensors.find(tensor);
  const dev::Traffic t = found == report.tensors.end() ? dev::Traffic{} : found->second;
  return {t.read_bytes, t.write_bytes, t.atomic_bytes, t.read_sectors, t.write_sectors};
}

using Figures = std::vector<std::int64_t>;

std::vector<std::int64_t> wavefronts(const dev::LaunchReport& report) {
  return {report.wavefronts, report.ideal_wavefronts};
}

}  // namespace

TEST_CASE("flash2 moves the bytes of its program tensor by tensor") {
  sim::Scenario scenario;
  scenario.dtype = sim::Dtype::fp32;
  scenario.shape = {1, 1, 1, 70, 70, 24, {}};  // short last blocks of both
  kernel_check::traffic("flash2", scenario);
  scenario.shape = {2, 4, 2, 70, 101, 8, {.causal = true, .padding = 3, .window = 33}};
  kernel_check::traffic("flash2", scenario);
  scenario.shape = {1, 2, 1, 140, 70, 16, {.causal = true}};  // the first block sees nothing
  kernel_check::traffic("flash2", scenario);
  scenario.dtype = sim::Dtype::bf16;
  scenario.shape = {1, 1, 1, 65, 33, 8, {}};
  kernel_check::traffic("flash2", scenario);
}

TEST_CASE("a warp that reads neighbours touches each sector once, and every eighth float one each") {
  const auto dense = outcome("strided", 128, 128, 1);
  CHECK(figures(dense.report, "in") == Figures{512, 0, 0, 16, 0});
  CHECK(figures(dense.report, "out") == Figures{0, 512, 0, 0, 16});
  CHECK(figures(outcome("strided", 1024, 128, 8).report, "in") == Figures{512, 0, 0, 128, 0});
  CHECK(figures(outcome("strided", 128, 128, 0).report, "in") == Figures{512, 0, 0, 4, 0});  // one float, four warps
  CHECK(figures(outcome("chunks", 128, 128).report, "in") == Figures{512, 0, 0, 16, 0});
}

TEST_CASE("a loop longer than the log counts each of its iterations") {
  const auto run = outcome("sums", 32000, 32, 1000);
  CHECK(figures(run.report, "in") == Figures{128000, 0, 0, 4000, 0});
  CHECK(figures(run.report, "out") == Figures{0, 128, 0, 0, 4});
  CHECK(run.out[1] == 32.0f * 499500 + 1000);
}

TEST_CASE("lanes that leave a loop early reconverge after it") {
  const auto run =
      outcome("uneven_sums", 96, 32);  // iteration i runs the lanes with t % 4 > i: part of all four sectors
  CHECK(figures(run.report, "in") == Figures{4 * 8 * (1 + 2 + 3), 0, 0, 12, 0});
  CHECK(figures(run.report, "out") == Figures{0, 128, 0, 0, 4});
}

TEST_CASE("lanes that skip the end of a loop body reconverge before the next iteration") {
  const auto run = outcome("gated_sums", 32 * 2 * 50, 32 * 51, 50);
  CHECK(figures(run.report, "in") == Figures{2 * 50 * 128, 0, 0, 2 * 50 * 4, 0});
  CHECK(figures(run.report, "out") == Figures{0, 50 * 32 + 128, 0, 0, 50 * 4 + 4});  // one float per sector, then all
  const auto rows = outcome("uneven_rows", 32 * 13, 32 * 10, 10);
  CHECK(figures(rows.report, "in") == Figures{10 * 4 * (32 + 8 * (1 + 2 + 3)), 0, 0, 10 * 4 * (1 + 3), 0});
  CHECK(figures(rows.report, "out") == Figures{0, 10 * 128, 0, 0, 10 * 4});
}

TEST_CASE("a load before the halves of a warp diverge is one instruction") {
  const auto run = outcome("halves", 64, 32);
  CHECK(figures(run.report, "in") == Figures{256, 0, 0, 8, 0});
  CHECK(figures(run.report, "out") == Figures{0, 128, 0, 0, 4});
}

TEST_CASE("atomics count as read and written, a sector once per instruction") {
  const auto run = outcome("atomics", 1, 16, 16);  // 3 blocks of 2 warps, each on 16 floats: 2 sectors
  CHECK(figures(run.report, "out") == Figures{768, 768, 768, 12, 12});
  CHECK(run.out[0] == 12.0f);
}

TEST_CASE("columns of 32 floats conflict 32 ways, unless rows are padded or swizzled") {
  const auto plain = outcome("columns", 1, 32, 32), padded = outcome("columns", 1, 32, 33);
  CHECK(wavefronts(plain.report) == Figures{32 + 32 * 32, 64});
  CHECK(wavefronts(padded.report) == Figures{64, 64});
  CHECK(wavefronts(outcome("swizzled_columns", 1, 32).report) == Figures{64, 64});
  CHECK(wavefronts(outcome("columns", 1, 32, 34).report) == Figures{32 + 32 * 2, 64});  // two lanes per bank
  CHECK(plain.report.shared_read_bytes == 4096);
  CHECK(plain.report.shared_write_bytes == 4096);
  CHECK(padded.out == plain.out);
}

TEST_CASE("wide stores take a wavefront for each 128 bytes") {
  CHECK(wavefronts(outcome("wide_stores", 1, 1).report) == Figures{2 + 4, 2 + 4});
}

TEST_CASE("ldmatrix of rows of 128 bytes conflicts 8 ways, unless its chunks are swizzled") {
  const auto plain = outcome("matrix", 1, 32, 0), swizzled = outcome("matrix", 1, 32, 1);
  CHECK(wavefronts(plain.report) == Figures{4 * 8, 4});
  CHECK(wavefronts(swizzled.report) == Figures{4, 4});
  CHECK(plain.report.shared_read_bytes == 512);
}

TEST_CASE("tiles of kernels are laid out in shared memory as in reports and pictures") {
  const auto compare = [](auto tile, int columns, sim::SmemLayout layout) {
    for (int row = 0; row < 64; ++row) {
      for (int chunk = 0; chunk < columns / 8; ++chunk)
        CHECK(tile.offset(row, chunk) == sim::chunk_offset(layout, columns, row, chunk));
    }
  };
  using kernels::Layout;
  using kernels::SharedTile;
  compare(SharedTile<32>{nullptr}, 32, sim::SmemLayout::swizzled);
  compare(SharedTile<64>{nullptr}, 64, sim::SmemLayout::swizzled);
  compare(SharedTile<96>{nullptr}, 96, sim::SmemLayout::swizzled);
  compare(SharedTile<128>{nullptr}, 128, sim::SmemLayout::swizzled);
  compare(SharedTile<256>{nullptr}, 256, sim::SmemLayout::swizzled);
  compare(SharedTile<64, Layout::plain>{nullptr}, 64, sim::SmemLayout::plain);
}

TEST_CASE("the reported wavefronts are those of a kernel on the emulated device, in each layout of a tile") {
  constexpr std::pair<const char*, sim::SmemLayout> layouts[] = {{"plain_tile", sim::SmemLayout::plain},
                                                                 {"padded_tile", sim::SmemLayout::padded},
                                                                 {"swizzled_tile", sim::SmemLayout::swizzled}};
  for (const auto& [kernel, layout] : layouts) {
    INFO(kernel);
    const auto counted = [name = kernel](int access) { return wavefronts(outcome(name, 128, 32, access).report); };
    const auto passes_of = [](const sim::WarpAccess& access) {
      const sim::Wavefronts passes = sim::wavefronts(access);
      return Figures{passes.taken, passes.ideal};
    };
    CHECK(counted(0) == passes_of(sim::matrix_load(layout, 64, sim::Quarters::rows_first)));
    CHECK(counted(1) == passes_of(sim::matrix_load(layout, 64, sim::Quarters::columns_first)));
    CHECK(counted(2) == passes_of(sim::row_copy(layout, 64)));
    CHECK(counted(3) == passes_of(sim::sum_store(layout, 64)));
    // Chunks of 8 rows of 128 bytes share 4 banks, unless rows are padded by 16 bytes or permuted.
    CHECK(counted(1) == Figures{layout == sim::SmemLayout::plain ? 32 : 4, 4});
  }
}

TEST_CASE("cp.async reads when it is issued and stores 16 bytes per lane when it completes") {
  const auto run = outcome("copies", 80, 32, 20);  // 12 lanes copy zeros
  CHECK(figures(run.report, "in") == Figures{320, 0, 0, 10, 0});
  CHECK(run.report.shared_write_bytes == 512);
  CHECK(run.report.shared_read_bytes == 128);
  CHECK(wavefronts(run.report) == Figures{4 + 4, 4 + 1});  // reads are 16 bytes apart: four lanes per bank
  CHECK(run.out[19] == 76.0f);
  CHECK(run.out[20] == 0.0f);
}

TEST_CASE("each launch has a report, which does not depend on the number of workers", "[workers]") {
  const auto reports = [](int workers) {
    emulator::EmulatedDevice device({.workers = workers, .traced = true});
    const test_kernels::OnDevice in(device, "in", 64), out(device, "out", 64);
    test_kernels::run(device, "atomics", in.memory(), out.memory(), 16);
    test_kernels::run(device, "columns", in.memory(), out.memory(), 32);
    auto all = device.take_reports();
    CHECK(device.take_reports().empty());
    return all;
  };
  const auto one = reports(1), three = reports(3);
  REQUIRE(one.size() == 2);
  REQUIRE(three.size() == 2);
  CHECK(figures(one[0], "out") == figures(three[0], "out"));
  CHECK(wavefronts(one[1]) == wavefronts(three[1]));
  CHECK(one[1].kernel == "pattern");
}

TEST_CASE("plain runs have no reports") { CHECK(outcome("columns", 1, 32, 32, {.workers = 1}).report.kernel.empty()); }
