// The view "batch": its three runs against the command line's, and its CTAs against independent counts.
#include "viz/model/batch.h"

#include <array>
#include <catch2/catch.hpp>
#include <numeric>

#include "viz/model/model.h"
#include "viz/model/race_lanes.h"

namespace {

using explorer::Packing;

constexpr const char* r1 = "seqlens=1 1024 1024, 1 512 512, 2 128 128&heads=8&head-dim=64&br=128&bc=128";
constexpr const char* links[] = {r1,
                                 "seqlens=3 1 777, 1 300 1000&heads=4&kv-heads=2&head-dim=128&causal=1",
                                 "seqlens=1 65536 65536, 63 128 128&heads=8",
                                 "seqlens=2 700 700, 3 90 400&heads=4&pass=forward%2Bbackward&window=200",
                                 "seqlens=1 1 65536, 63 1 128&heads=8&algorithm=flash-decoding&splits=4",
                                 "seqlens=5 1000 1000, 2 300 300&heads=6&algorithm=flash1&pass=backward&gpu=t4"};

explorer::Model model_of(std::string link) {
  for (std::size_t at = link.find(' '); at != std::string::npos; at = link.find(' ')) link.replace(at, 1, "%20");
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  INFO(link << " " << model.world.error());
  REQUIRE(model.link_errors.empty());
  REQUIRE(model.world.error().empty());
  return model;
}

/// The packings of a batch, scheduled.
class Runs {
 public:
  explicit Runs(const explorer::Model& model) : end_(model.world.run_end()) {
    for (std::size_t n = 0; n < model.world.subjects(); ++n) {
      const auto packing = explorer::packing_of(model.world.subject(n), model.world.subject(0));
      REQUIRE(packing.has_value());
      clocks_[static_cast<std::size_t>(*packing)] = model.world.subject(n).clock;
      while (model.world.subject(n).clock->advance()) {
      }
    }
  }
  const std::shared_ptr<explorer::RaceRun>& shared(Packing packing) const {
    return clocks_[static_cast<std::size_t>(packing)];
  }
  const explorer::RaceRun& clock(Packing packing) const { return *shared(packing); }
  const sim::Simulation& simulation(Packing packing) const { return clock(packing).run().simulation; }
  double end() const { return end_; }

 private:
  std::array<std::shared_ptr<explorer::RaceRun>, 3> clocks_;
  double end_;
};

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
    const Runs runs(model);
    sim::OptionValues options = model.state.options;
    CHECK(runs.simulation(Packing::file).microseconds ==
          sim::simulate(sim::scenario_from(options, sim::built_in_gpu)).microseconds);
    options["issue"] = "longest";
    CHECK(runs.simulation(Packing::longest).microseconds ==
          sim::simulate(sim::scenario_from(options, sim::built_in_gpu)).microseconds);
    const sim::SequenceSizes sizes = sim::sizes_of(explorer::sequences_of(model.world.run().simulation));
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
    const Runs runs(model);
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
  const Runs runs(model);
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
    const Runs runs(model);
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
  const Runs runs(model);
  const std::vector<float> ranks = explorer::ranks_of(explorer::sequences_of(model.world.run().simulation));
  CHECK(ranks == std::vector<float>{1, 0.5f, 0});
  for (const Packing packing : {Packing::padded, Packing::file, Packing::longest}) {
    const sim::Simulation& s = runs.simulation(packing);
    const auto sms = static_cast<std::size_t>(s.plan.scenario.gpu->sm_count);
    explorer::RaceLanes lanes(runs.shared(packing), {4000, sms, runs.end(), false}, model.world.subject(0).run);
    while (lanes.advance()) {
    }
    REQUIRE(explorer::one_by_one(*runs.shared(packing)));
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

TEST_CASE("a batch of equal entries has no other packings") {
  const auto model = model_of("batch=4&heads=8&seqlen=1024");
  CHECK(model.world.subjects() == 1);
  CHECK_FALSE(explorer::packing_of(model.world.subject(0), model.world.subject(0)).has_value());
  CHECK(explorer::lane_order(model) == std::vector<std::size_t>{0});
  CHECK(explorer::sequences_of(model.world.run().simulation) == sim::SequenceClasses{{4, 1024, 1024}});
}

TEST_CASE("the packings of a batch are compared runs, in the order of their lanes, and the link names none") {
  for (const std::string order : {"file", "longest"}) {
    const auto model = model_of(std::string(r1) + "&issue=" + order);
    REQUIRE(model.world.subjects() == 3);
    CHECK_FALSE(model.state.compares());
    CHECK_THAT(model.link(), !Catch::Contains("compare="));
    CHECK(explorer::lane_order(model) ==
          (order == "file" ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{1, 2, 0}));
    const auto changes = explorer::packings_beside(model.world.subject(0).scenario());
    const auto named = model_of(std::string(r1) + "&issue=" + order + "&compare=" + explorer::to_text(changes));
    REQUIRE(named.state.compares());
    for (std::size_t n = 0; n < 3; ++n) {
      CHECK(named.world.subject(n).options == model.world.subject(n).options);
      CHECK(named.world.subject(n).simulation().microseconds == model.world.subject(n).simulation().microseconds);
    }
  }
}

TEST_CASE("links of before with packing= open the same batch, and new ones have its order in issue= alone") {
  for (const auto& [packing, order] : {std::pair{"padded", "file"}, {"file", "file"}, {"longest", "longest"}}) {
    INFO(packing);
    const auto before = model_of(std::string(r1) + "&packing=" + packing);
    const auto now = model_of(std::string(r1) + "&issue=" + order);
    CHECK(before.world.subject(0).scenario().issue == now.world.subject(0).scenario().issue);
    for (std::size_t n = 0; n < 3; ++n)
      CHECK(before.world.subject(n).simulation().microseconds == now.world.subject(n).simulation().microseconds);
    CHECK_THAT(before.link(), !Catch::Contains("packing="));
  }
  CHECK(model_of(std::string(r1) + "&issue=file&packing=longest").world.subject(0).scenario().issue ==
        sim::IssueOrder::file);
  CHECK(model_of("seqlen=1024&packing=longest").link() == model_of("seqlen=1024").link());
  explorer::Model wrong(sim::built_in_gpu);
  wrong.follow("packing=film");
  CHECK(wrong.link_errors.size() == 1);
}

TEST_CASE("a batch is shown at the end of its runs, stays there when it changes, and plays from the start") {
  auto model = model_of(r1);
  CHECK(model.state.plays_run());
  CHECK(model.state.look.run_time == model.world.run_end());
  CHECK(model_of(std::string(r1) + "&run-time=5").state.look.run_time == 5);
  model.set_option("seqlens", "2 2048 2048, 1 64 64");
  CHECK(model.state.look.run_time == model.world.run_end());
  model.undo();
  CHECK(model.state.look.run_time == model.world.run_end());
  model.play(true);
  CHECK(model.state.look.run_time == 0);
  CHECK(model.tick(1));
  CHECK(model.state.look.run_time == Approx(model.world.run_end() / 10));
}

TEST_CASE("a link has the lengths of a ragged batch and its order, opens its view and no file") {
  auto model = model_of(std::string(r1) + "&issue=longest");
  CHECK(model.state.look.center == explorer::Center::batch);
  CHECK(model.world.subject(0).scenario().issue == sim::IssueOrder::longest);
  explorer::Model again(sim::built_in_gpu);
  again.follow(model.link());
  CHECK(again.link_errors.empty());
  CHECK(again.world.error().empty());
  CHECK(again.link() == model.link());
  CHECK(*again.world.subject(0).scenario().sequences == *model.world.subject(0).scenario().sequences);
  again.follow("seqlens=lengths.txt&heads=8");
  REQUIRE(again.link_errors.size() == 1);
  CHECK_THAT(again.link_errors[0].text(), Catch::Contains("seqlens") && Catch::Contains("opens no files"));
  CHECK(again.world.subject(0).scenario().sequences == nullptr);
  again.follow("seqlens=1%201024%201024&batch=2");
  CHECK_THAT(again.world.error().text(), Catch::Contains("batch: is for entries of one length"));
}

TEST_CASE("a link has documents, windows of two sides, a prefix and the corner of the diagonal, and opens no file") {
  for (const std::string mask :
       {"documents=300%20724&window=5,7", "prefix=100&causal=1", "causal=1&causal-from=top-left"}) {
    const auto model = model_of(mask + "&seqlen=1024");
    explorer::Model again(sim::built_in_gpu);
    again.follow(model.link());
    CHECK(again.world.error().empty());
    CHECK(again.link_errors.empty());
    CHECK(again.world.subject(0).scenario().shape.mask == model.world.subject(0).scenario().shape.mask);
    CHECK(again.world.subject(0).scenario().shape.mask.any());
  }
  explorer::Model model(sim::built_in_gpu);
  model.follow("documents=lengths.txt&seqlen=1024");
  REQUIRE(model.link_errors.size() == 1);
  CHECK_THAT(model.link_errors[0].text(), Catch::Contains("documents") && Catch::Contains("opens no files"));
}

TEST_CASE("a link has sinks as numbers, and opens no file of them") {
  const auto model = model_of("heads=2&sink=0.5,-inf&seqlen=1024");
  explorer::Model again(sim::built_in_gpu);
  again.follow(model.link());
  CHECK(again.link_errors.empty());
  REQUIRE(again.world.subject(0).scenario().sinks != nullptr);
  CHECK(*again.world.subject(0).scenario().sinks == *model.world.subject(0).scenario().sinks);
  again.follow("sink=sinks.npy");
  REQUIRE(again.link_errors.size() == 1);
  CHECK_THAT(again.link_errors[0].text(), Catch::Contains("sink") && Catch::Contains("a link opens none"));
}

TEST_CASE("a ragged batch is compared with the runs that a link names, if they take such a batch") {
  const auto model = model_of(std::string(r1) + "&compare=flash1,standard");
  REQUIRE(model.world.subjects() == 3);
  CHECK(model.world.subject(1).error.empty());
  CHECK(model.world.subject(1).is_ragged());
  CHECK(model.world.subject(1).scenario().algorithm == "flash1");
  CHECK(explorer::has_entries_of(model.world.subject(1), model.world.subject(0)));
  CHECK_THAT(model.world.subject(2).error.text(), Catch::Contains("seqlens"));
  explorer::Model plain = model_of("batch=4&heads=8&seqlen=1024");
  plain.compare({{{"seqlens", "1 1024 1024"}}});
  CHECK_FALSE(plain.world.subject(1).error.empty());
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
