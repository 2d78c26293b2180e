// The view "batch": its three runs against the command line's, and its CTAs against independent counts.
#include "viz/model/batch.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "viz/model/view_model.h"

namespace {

using explorer::Packing;

constexpr const char* r1 = "seqlens=1 1024 1024, 1 512 512, 2 128 128&heads=8&head-dim=64&br=128&bc=128";
constexpr const char* links[] = {r1,
                                 "seqlens=3 1 777, 1 300 1000&heads=4&kv-heads=2&head-dim=128&causal=1",
                                 "seqlens=1 65536 65536, 63 128 128&heads=8",
                                 "seqlens=2 700 700, 3 90 400&heads=4&pass=forward%2Bbackward&window=200",
                                 "seqlens=1 1 65536, 63 1 128&heads=8&algorithm=flash-decoding&splits=4",
                                 "seqlens=5 1000 1000, 2 300 300&heads=6&algorithm=flash1&pass=backward&gpu=t4"};

explorer::ViewModel model_of(std::string link) {
  for (std::size_t at = link.find(' '); at != std::string::npos; at = link.find(' ')) link.replace(at, 1, "%20");
  explorer::ViewModel model(sim::built_in_gpu);
  model.follow(link);
  INFO(link << " " << model.error());
  REQUIRE(model.link_errors().empty());
  REQUIRE(model.error().empty());
  return model;
}

explorer::BatchRuns runs_of(const explorer::ViewModel& model) {
  explorer::BatchRuns runs(model.subject(0).run);
  while (runs.advance()) {
  }
  REQUIRE(runs.ready());
  return runs;
}

/// Calls use(span) for every CTA of a kernel.
template <class Use>
void each_span(const explorer::GridTimeline& grid, Use use) {
  for (std::int64_t row = 0; row < grid.grid().sms * grid.grid().ctas_per_sm; ++row) {
    for (const explorer::CtaSpan& span : grid.row(row / grid.grid().ctas_per_sm, row % grid.grid().ctas_per_sm))
      use(span);
  }
}

}  // namespace

TEST_CASE("the three runs of a batch equal those with the command line's options") {
  for (const char* link : links) {
    INFO(link);
    const auto model = model_of(link);
    const auto runs = runs_of(model);
    REQUIRE(runs.is_ragged());
    sim::OptionValues options = model.options();
    CHECK(runs.simulation(Packing::file).microseconds ==
          sim::simulate(sim::scenario_from(options, sim::built_in_gpu)).microseconds);
    options["issue"] = "longest";
    CHECK(runs.simulation(Packing::longest).microseconds ==
          sim::simulate(sim::scenario_from(options, sim::built_in_gpu)).microseconds);
    const sim::SequenceSizes sizes = sim::sizes_of(explorer::sequences_of(model.run().simulation));
    for (const char* name : {"issue", "seqlens"}) options.erase(name);
    options["batch"] = std::to_string(sizes.entries);
    options["seqlen-q"] = std::to_string(sizes.most_queries);
    options["seqlen-k"] = std::to_string(sizes.most_keys);
    const sim::Simulation padded = sim::simulate(sim::scenario_from(options, sim::built_in_gpu));
    CHECK(runs.simulation(Packing::padded).microseconds == padded.microseconds);
    CHECK(runs.simulation(Packing::padded).totals.total.total() == padded.totals.total.total());
    CHECK(runs.end() >= padded.microseconds);
    for (const Packing packing : {Packing::padded, Packing::file, Packing::longest})
      CHECK(runs.clock(packing).end() == Approx(runs.simulation(packing).microseconds));
  }
}

TEST_CASE("every CTA of a ragged batch runs once, and each class has the CTAs of its entries' blocks") {
  for (const char* link : links) {
    INFO(link);
    const auto model = model_of(link);
    const auto runs = runs_of(model);
    for (const Packing packing : {Packing::file, Packing::longest}) {
      const sim::Simulation& s = runs.simulation(packing);
      for (std::size_t k = 0; k < s.plan.launches.size(); ++k) {
        const explorer::GridTimeline& grid = runs.clock(packing).kernels()[k].grid;
        if (!grid.one_by_one()) continue;
        const explorer::CtaNumbers numbers(s, k);
        std::vector<std::int64_t> seen(static_cast<std::size_t>(grid.grid().ctas)), of_class(s.plan.classes->size());
        each_span(grid, [&](const explorer::CtaSpan& span) {
          ++seen.at(static_cast<std::size_t>(span.cta));
          const sim::CtaPlace place = numbers.place(span.cta);
          CHECK(numbers.number(place) == span.cta);
          CHECK(grid.find(span.cta) == &span);
          std::int64_t before = 0;
          std::size_t n = 0;
          while (before + (*s.plan.scenario.sequences)[n].count <= place.batch)
            before += (*s.plan.scenario.sequences)[n++].count;
          CHECK(numbers.class_of(span.cta) == n);
          ++of_class[n];
        });
        CHECK(std::all_of(seen.begin(), seen.end(), [](std::int64_t times) { return times == 1; }));
        for (std::size_t n = 0; n < of_class.size(); ++n) {
          const sim::Plan& plan = (*s.plan.classes)[n];
          const sim::CtaPlace size =
              explorer::grid_of(plan.problem.shape, sim::launch_of(plan, s.plan.launches[k]).grid);
          CHECK(of_class[n] == size.batch * size.head * size.row * size.col);
        }
      }
    }
  }
}

TEST_CASE("longest first begins with the class that has the most work, and the file with its first line") {
  const auto model = model_of("seqlens=40 128 128, 40 4096 4096&heads=8");
  const auto runs = runs_of(model);
  for (const Packing packing : {Packing::file, Packing::longest}) {
    std::vector<std::size_t> first;
    const explorer::CtaNumbers numbers(runs.simulation(packing), 0);
    each_span(runs.clock(packing).kernels()[0].grid, [&](const explorer::CtaSpan& span) {
      if (span.begin == sim::Cycles{}) first.push_back(numbers.class_of(span.cta));
    });
    REQUIRE_FALSE(first.empty());
    for (const std::size_t n : first) CHECK(n == (packing == Packing::file ? 0 : 1));
  }
}

TEST_CASE("useful tiles of the padded run of R1 are the 656 and 384 of the reference") {
  for (const auto& [mask, all, useful] : {std::tuple{"", 2048, 656}, std::tuple{"&causal=1", 1152, 384}}) {
    const auto model = model_of(std::string(r1) + mask);
    const auto runs = runs_of(model);
    const sim::Simulation& padded = runs.simulation(Packing::padded);
    const explorer::UsefulParts parts(padded, runs.simulation(Packing::file), 0);
    const sim::CtaPlace size = explorer::grid_of(padded, 0);
    std::int64_t tiles = 0;
    double of_use = 0;
    for (std::int64_t cta = 0; cta < size.batch * size.head * size.row; ++cta) {
      const sim::CtaPlace place = explorer::place_of_cta(padded, 0, cta);
      const std::int64_t here =
          sim::visit_keys(padded.plan.problem.shape, padded.plan.launches[0].grid, place.row).count();
      tiles += here;
      of_use += parts.of(place) * static_cast<double>(here);
    }
    CHECK(tiles == all);
    CHECK(of_use == Approx(useful).epsilon(1e-6));
  }
}

TEST_CASE("lanes have the area of the CTAs' time by class, and padding the rest of the padded run") {
  const auto model = model_of(std::string(r1) + "&gpu=t4");
  const auto runs = runs_of(model);
  const std::vector<float> ranks = explorer::ranks_of(explorer::sequences_of(model.run().simulation));
  CHECK(ranks == std::vector<float>{1, 0.5f, 0});
  for (const Packing packing : {Packing::padded, Packing::file, Packing::longest}) {
    const sim::Simulation& s = runs.simulation(packing);
    const auto sms = static_cast<std::size_t>(s.plan.scenario.gpu->sm_count);
    explorer::BatchLanes lanes(runs.shared(packing), model.subject(0).run, {4000, sms, runs.end(), false});
    while (lanes.advance()) {
    }
    REQUIRE(lanes.one_by_one());
    std::vector<double> drawn(explorer::order_steps + 1), wanted(explorer::order_steps + 1);
    for (const explorer::LaneRect& r : lanes.rects())
      drawn[r.step] += (r.right - r.left) * (r.bottom - r.top) * runs.end() / 4000;
    const explorer::RaceRun& clock = runs.clock(packing);
    const explorer::UsefulParts parts(runs.simulation(Packing::padded), runs.simulation(Packing::file), 0);
    const double slots = static_cast<double>(clock.kernels()[0].grid.grid().ctas_per_sm);
    each_span(clock.kernels()[0].grid, [&](const explorer::CtaSpan& span) {
      const double time = (clock.on_clock(0, span.end) - clock.on_clock(0, span.begin)) / slots;
      const sim::CtaPlace place = explorer::place_of_cta(s, 0, span.cta);
      const double useful = packing == Packing::padded ? parts.of(place) : 1;
      wanted[static_cast<std::size_t>(ranks[parts.class_of(place.batch)] * 63)] += useful * time;
      wanted[explorer::padding_step] += (1 - useful) * time;
    });
    const double all = std::accumulate(wanted.begin(), wanted.end(), 0.);
    if (slots > 1) continue;  // the larger of two CTAs in a cell is drawn
    for (std::size_t n = 0; n < wanted.size(); ++n) CHECK(drawn[n] == Approx(wanted[n]).margin(0.01 * all));
  }
}

TEST_CASE("a batch of equal entries is one run, and its scenario is unchanged") {
  const auto model = model_of("batch=4&heads=8&seqlen=1024");
  const auto runs = runs_of(model);
  CHECK_FALSE(runs.is_ragged());
  CHECK(runs.shared(Packing::padded) == runs.shared(Packing::longest));
  CHECK(&runs.clock(Packing::file).run() == model.subject(0).run.get());
  CHECK(explorer::packing_of(model.subject(0).scenario()) == Packing::padded);
  CHECK(explorer::sequences_of(model.run().simulation) == sim::SequenceClasses{{4, 1024, 1024}});
}

TEST_CASE("a link has the lengths of a ragged batch and its order, opens its view and no file") {
  auto model = model_of(std::string(r1) + "&issue=longest");
  CHECK(model.look.center == explorer::Center::batch);
  CHECK(model.look.packing == Packing::longest);
  explorer::ViewModel again(sim::built_in_gpu);
  again.follow(model.link());
  CHECK(again.link_errors().empty());
  CHECK(again.error().empty());
  CHECK(again.link() == model.link());
  CHECK(*again.subject(0).scenario().sequences == *model.subject(0).scenario().sequences);
  again.follow("seqlens=lengths.txt&heads=8");
  REQUIRE(again.link_errors().size() == 1);
  CHECK_THAT(again.link_errors()[0].text(), Catch::Contains("seqlens") && Catch::Contains("opens no files"));
  CHECK(again.subject(0).scenario().sequences == nullptr);
  again.follow("seqlens=1%201024%201024&batch=2");
  CHECK_THAT(again.error().text(), Catch::Contains("batch: is for entries of one length"));
}

TEST_CASE("a link has documents, windows of two sides, a prefix and the corner of the diagonal, and opens no file") {
  for (const std::string mask :
       {"documents=300%20724&window=5,7", "prefix=100&causal=1", "causal=1&causal-from=top-left"}) {
    const auto model = model_of(mask + "&seqlen=1024");
    explorer::ViewModel again(sim::built_in_gpu);
    again.follow(model.link());
    CHECK(again.error().empty());
    CHECK(again.link_errors().empty());
    CHECK(again.subject(0).scenario().shape.mask == model.subject(0).scenario().shape.mask);
    CHECK(again.subject(0).scenario().shape.mask.any());
  }
  explorer::ViewModel model(sim::built_in_gpu);
  model.follow("documents=lengths.txt&seqlen=1024");
  REQUIRE(model.link_errors().size() == 1);
  CHECK_THAT(model.link_errors()[0].text(), Catch::Contains("documents") && Catch::Contains("opens no files"));
}

TEST_CASE("a link has sinks as numbers, and opens no file of them") {
  const auto model = model_of("heads=2&sink=0.5,-inf&seqlen=1024");
  explorer::ViewModel again(sim::built_in_gpu);
  again.follow(model.link());
  CHECK(again.link_errors().empty());
  REQUIRE(again.subject(0).scenario().sinks != nullptr);
  CHECK(*again.subject(0).scenario().sinks == *model.subject(0).scenario().sinks);
  again.follow("sink=sinks.npy");
  REQUIRE(again.link_errors().size() == 1);
  CHECK_THAT(again.link_errors()[0].text(), Catch::Contains("sink") && Catch::Contains("a link opens none"));
}

TEST_CASE("a ragged batch cannot be compared with other runs, and reports an error") {
  const auto model = model_of(std::string(r1) + "&compare=flash1");
  REQUIRE(model.subjects() == 2);
  CHECK_THAT(model.subject(1).error.text(), Catch::Contains("--seqlens"));
  explorer::ViewModel plain = model_of("batch=4&heads=8&seqlen=1024");
  plain.add_peer({{"seqlens", "1 1024 1024"}});
  CHECK_FALSE(plain.subject(1).error.empty());
}

TEST_CASE("an entry with other lengths leaves its class, and the other entries are unchanged") {
  const auto entries_of = [](const sim::SequenceClasses& classes) {
    std::vector<std::pair<std::int64_t, std::int64_t>> entries;
    for (const sim::SequenceClass& c : classes)
      entries.insert(entries.end(), static_cast<std::size_t>(c.count), {c.seqlen_q, c.seqlen_k});
    return entries;
  };
  const sim::SequenceClasses classes = {{1, 1024, 1024}, {3, 512, 700}, {2, 128, 128}};
  for (std::int64_t entry = 0; entry < 6; ++entry) {
    auto wanted = entries_of(classes);
    wanted[static_cast<std::size_t>(entry)] = {77, 99};
    CHECK(entries_of(explorer::with_lengths(classes, entry, 77, 99)) == wanted);
  }
}
