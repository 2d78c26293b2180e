// Pages of a run, and the sequences that fit into HBM: numbers by hand, and by walking every CTA.
#include "sim/model/kv_pages.h"

#include <catch2/catch.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/simulation.h"
#include "tests/support/cta_accesses.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

std::shared_ptr<const DeviceSpec> built_in(const std::string& name) { return built_in_gpu(name); }

Scenario decode(OptionValues values) {
  values.emplace("algorithm", "flash-decoding");
  values.emplace("seqlen-q", "1");
  values.emplace("page-size", "16");
  return scenario_from(values, built_in);
}

TEST_CASE("four samples of a prompt of 500 tokens hold its 32 pages together") {
  const Simulation run =
      simulate(decode({{"seqlen-k", "500"}, {"samples", "4"}, {"heads", "8"}, {"head-dim", "64"}, {"pack", "0"}}));
  const KvPages pages = kv_pages_of(run.plan).value();
  CHECK(pages.blocks == 32);
  CHECK(pages.blocks_unshared == 128);
  CHECK(pages.copies == 0);
  CHECK(pages.filled_share() == Approx(500.0 / 512));
  CHECK(pages.logical_share() == Approx(2000.0 / 512));
  CHECK(pages.rounding == Bytes(12 * 4 * 8 * 2 * 64 * 2));
  CHECK(total_bytes(run.plan, Tensor::K) == Bytes(32 * 16 * 8 * 64 * 2));
}

TEST_CASE("after 128 steps four samples of a prompt of 500 tokens hold the pages of the reference") {
  const Simulation run = simulate(decode(
      {{"seqlen-k", "500"}, {"samples", "4"}, {"heads", "8"}, {"head-dim", "64"}, {"steps", "128"}, {"pack", "0"}}));
  const KvPages pages = kv_pages_of(run.plan).value();
  CHECK(pages.blocks == 67);
  CHECK(pages.blocks_unshared == 160);
  CHECK(pages.copies == 3);
  CHECK(pages.copied == Bytes(98'304));
  CHECK(pages.filled_share() == Approx(1024.0 / 1072));
  CHECK(pages.logical_share() == Approx(2512.0 / 1072));
  CHECK(total_bytes(run.plan, Tensor::V) == Bytes(67 * 16 * 8 * 64 * 2));
  std::int64_t empty = 0;
  for (std::int64_t keys = 501; keys <= 628; ++keys) empty += ceil_div(keys, 16) * 16 - keys;
  CHECK(pages.rounding == Bytes(empty * 4 * 8 * 2 * 64 * 2));
}

TEST_CASE("samples over steps read the tiles of as many prompts, their own tokens from HBM each") {
  Scenario s = decode(
      {{"seqlen-k", "300"}, {"samples", "4"}, {"batch", "2"}, {"heads", "8"}, {"kv-heads", "2"}, {"steps", "40"}});
  const Simulation shared = simulate(s), apart = simulate(with_entry_per_sample(s));
  CHECK(shared.totals.by_tensor == apart.totals.by_tensor);
  std::int64_t rows = 0;
  for (std::int64_t keys = 301; keys <= 340; ++keys) rows += 2 * 288 + 8 * (keys - 288);
  Bytes least;
  for (const KernelMeters& kernel : shared.kernels) {
    const auto found = kernel.compulsory_by_tensor.find(Tensor::K);
    if (found != kernel.compulsory_by_tensor.end()) least += found->second.read;
  }
  CHECK(least == Bytes(rows * 2 * 64 * 2));
}

TEST_CASE("a shared prefix is held once in its full pages") {
  const Simulation run =
      simulate(decode({{"seqlen-k", "100"}, {"batch", "3"}, {"samples", "2"}, {"shared-prefix", "50"}}));
  const KvPages pages = kv_pages_of(run.plan).value();
  CHECK(pages.blocks == 3 + 3 * 4);
  CHECK(pages.blocks_unshared == 6 * 7);
  CHECK(pages.filled == 48 + 3 * 52);
  CHECK(pages.tokens == 600);
}

TEST_CASE("without pages there are no numbers of pages") {
  Scenario s = decode({{"seqlen-k", "100"}});
  s.page_size.reset();
  CHECK(!kv_pages_of(make_plan(s)));
}

/// What the CTAs would read in addition, if the tile with the last key reached to the end of its page.
std::int64_t walked_rounding(const Plan& plan) {
  std::int64_t bytes = 0;
  for (const Plan& c : classes_of(plan)) {
    const std::int64_t page = c.problem.pages->rows, keys = c.problem.shape.seqlen_k;
    for (const Launch& launch : c.launches) {
      const CtasInOrder all = ctas_in_order(c, launch);
      for (const CtasInOrder::Cta& cta : all.ctas) {
        for (const TileAccesses& tiles : all.of_block[cta.block]) {
          for (const TileAccess& tile : tiles) {
            if (tile.tensor != Tensor::K && tile.tensor != Tensor::V) continue;
            const HbmTensor& tensor = c.problem.hbm[tile.tensor];
            const std::int64_t row = tensor.cols * size_of(tensor.dtype);
            if (tile.row + tile.bytes / row == keys) bytes += (ceil_div(keys, page) * page - keys) * row;
          }
        }
      }
    }
  }
  return bytes;
}

TEST_CASE("the rounding of pages is that of the tiles which end with the last key") {
  Dice dice(7);
  for (int n = 0; n < 150; ++n) {
    Scenario s;
    name_algorithm(s, dice.one_in(2) ? "flash2" : "flash-decoding");
    const std::int64_t kv_heads = dice.between(1, 3), keys = dice.between(1, 700);
    s.shape = {dice.between(1, 3),
               kv_heads * dice.between(1, 4),
               kv_heads,
               dice.one_in(2) ? 1 : dice.between(1, 300),
               keys,
               64};
    s.shape.mask.causal = dice.one_in(2);
    const bool ragged = dice.one_in(4);
    if (!ragged && dice.one_in(4)) s.shape.mask.padding = dice.between(0, keys - 1);
    if (dice.one_in(4)) s.shape.mask.window = dice.between(1, 200);
    if (dice.one_in(4)) s.samples = dice.between(2, 5);
    if (dice.one_in(5)) {
      name_algorithm(s, "paged-attention");
      s.shape.seqlen_q = 1;
      s.shape.mask = {};
    }
    if (ragged) s.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{2, 1, 77}, {1, 1, 300}});
    s.page_size = std::int64_t{1} << dice.between(0, 6);
    INFO(describe(s) << ", page " << *s.page_size);
    const Plan plan = make_plan(s);
    CHECK(kv_pages_of(plan).value().rounding == Bytes(walked_rounding(plan)));
  }
}

/// LLaMA-13B: 40 layers of 40 heads of 128 elements, 819,200 bytes a token.
OptionValues thirteen_billion(const std::string& keys) {
  return {{"heads", "40"},    {"head-dim", "128"}, {"layers", "40"},          {"gpu", "a100-sxm-40gb"},
          {"seqlen-k", keys}, {"context", "2048"}, {"weights", "26000000000"}};
}

const CacheFit& fit_of(const std::vector<CacheFit>& fits, CacheWay way) {
  return *std::find_if(fits.begin(), fits.end(), [way](const CacheFit& fit) { return fit.way == way; });
}

TEST_CASE("the sequences that fit beside the weights are HBM by what each way reserves for one") {
  const Scenario s = decode(thirteen_billion("628"));
  const std::vector<CacheFit> fits = cache_fits(make_plan(s).scenario);
  REQUIRE(fits.size() == 4);
  const std::int64_t left = s.gpu->hbm_bytes - 26'000'000'000;
  const std::pair<CacheWay, std::int64_t> reserved[] = {
      {CacheWay::paged, 640}, {CacheWay::power_of_two, 1024}, {CacheWay::longest, 2048}, {CacheWay::exact, 628}};
  for (const auto& [way, tokens] : reserved) {
    INFO(name_of(way));
    const CacheFit& fit = fit_of(fits, way);
    CHECK(fit.reserved == tokens);
    CHECK(fit.bytes == tokens * 819'200);
    CHECK(fit.sequences == left / (tokens * 819'200));
    const double step = 26e9 / double(s.gpu->hbm_bytes_per_second) + 40e-6 * fit.microseconds.value();
    CHECK(fit.tokens_per_second.value() == Approx(double(fit.sequences) / step));
  }
  CHECK(fit_of(fits, CacheWay::paged).sequences > 3 * fit_of(fits, CacheWay::longest).sequences);
}

TEST_CASE("samples that share pages fit in larger numbers, a prompt with its samples at a time") {
  OptionValues values = thirteen_billion("500");
  values["samples"] = "4";
  values["shared-prefix"] = "320";
  const Scenario s = decode(values);
  const CacheFit fit = cache_fits(make_plan(s).scenario).front();
  const std::int64_t left = s.gpu->hbm_bytes - 26'000'000'000, page = 16 * 819'200;
  CHECK(fit.bytes_of_all == 20 * page);
  CHECK(fit.bytes == 12 * page);
  CHECK(fit.sequences == (left - 20 * page) / (12 * page) * 4);
}

TEST_CASE("with steps as many sequences fit as have the last length, timed at the last step") {
  OptionValues values = thirteen_billion("500");
  values["steps"] = "128";
  const auto steps = cache_fits(make_plan(decode(values)).scenario);
  const auto last = cache_fits(make_plan(decode(thirteen_billion("628"))).scenario);
  for (std::size_t n = 0; n < last.size(); ++n) {
    CHECK(steps[n].sequences == last[n].sequences);
    CHECK(*steps[n].microseconds >= *last[n].microseconds);  // it appends a token too
    CHECK(*steps[n].microseconds < 1.1 * *last[n].microseconds);
  }
}

TEST_CASE("twice the sequences are less than twice the tokens a second: keys are read, weights only once") {
  OptionValues values = thirteen_billion("628");
  const auto fits = cache_fits(make_plan(decode(values)).scenario);
  const CacheFit &paged = fit_of(fits, CacheWay::paged), &longest = fit_of(fits, CacheWay::longest);
  const double more = double(paged.sequences) / double(longest.sequences);
  const double faster = *paged.tokens_per_second / *longest.tokens_per_second;
  CHECK(faster > 1.5);
  CHECK(faster < more);
  values.erase("weights");  // without weights a batch that fills the GPU gains nothing
  const auto alone = cache_fits(make_plan(decode(values)).scenario);
  const double gain =
      *fit_of(alone, CacheWay::paged).tokens_per_second / *fit_of(alone, CacheWay::longest).tokens_per_second;
  CHECK(gain == Approx(1).margin(0.25));
}

TEST_CASE("layers with a window keep their last keys, in pages of their own") {
  const Scenario s =
      decode({{"heads", "8"}, {"head-dim", "64"}, {"layers", "2+3:99"}, {"seqlen-k", "1000"}, {"samples", "2"}});
  const CacheFit fit = cache_fits(make_plan(s).scenario).front();
  const std::int64_t page = 16 * 2 * 8 * 64 * 2;
  CHECK(fit.bytes == page * (2 * 63 + 3 * 2 * 7));
}

TEST_CASE("JSON and --why have the pages of a run in pages, and their derivations") {
  const Simulation run = simulate(decode(thirteen_billion("628")));
  const std::vector<PathValue> values = values_of(run);
  const char* paths[] = {"pages.size",
                         "pages.blocks",
                         "pages.blocks_unshared",
                         "pages.copies",
                         "pages.copied_bytes",
                         "pages.filled_share",
                         "pages.logical_share",
                         "pages.page_rounding_bytes",
                         "pages.sequences_that_fit.paged",
                         "pages.sequences_that_fit.power_of_two",
                         "pages.sequences_that_fit.longest",
                         "pages.sequences_that_fit.exact",
                         "pages.tokens_per_second.paged",
                         "pages.tokens_per_second.exact"};
  for (const char* path : paths) {
    INFO(path);
    CHECK(number_at(values, path) >= 0);
    CHECK(!derive(run, path).formula.empty());
  }
  CHECK(number_at(values, "pages.size") == 16);
  CHECK(number_at(values, "pages.blocks") == 40);
}

TEST_CASE("options of shared pages are refused without pages, and beyond what there is") {
  const auto error = [](OptionValues values) {
    values.emplace("algorithm", "flash-decoding");
    try {
      make_plan(scenario_from(values, built_in));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  for (const auto& [name, value] :
       OptionValues{{"samples", "4"}, {"shared-prefix", "64"}, {"weights", "1024"}, {"context", "2048"}})
    CHECK(error({{name, value}}) ==
          text(name, ": is of a KV cache in pages, and here are none: add --page-size, such as 16, or leave it out"));
  CHECK(error({{"page-size", "16"}, {"shared-prefix", "2000"}}) ==
        "shared-prefix: 2000 tokens are more than the 1024 keys: use 1024 or fewer");
  CHECK(error({{"page-size", "16"}, {"context", "1000"}}) ==
        "context: 1000 tokens are fewer than the 1024 keys: use 1024 or more");
  CHECK(error({{"page-size", "16"}, {"shared-prefix", "20"}, {"seqlens", "1 1 64"}}) ==
        "shared-prefix: is a part of entries of one length: leave out --seqlens");
  CHECK_THAT(error({{"page-size", "16"}, {"samples", "0"}}),
             Catch::Matchers::Contains("samples: \"0\" is not a whole number from 1"));
  CHECK_THAT(error({{"algorithm", "flash1"}, {"page-size", "16"}, {"samples", "2"}}),
             Catch::Matchers::Contains("flash1"));
}

}  // namespace
}  // namespace sim
