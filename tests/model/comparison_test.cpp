#include "viz/model/comparison.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "viz/model/model.h"

namespace {

using explorer::Sync;

explorer::Model model_of(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow("#seqlen=512&head-dim=64&br=64&bc=64&" + link);
  return model;
}

double microseconds(const explorer::Subject& subject) { return subject.microseconds(subject.time); }

/// Returns the bytes whose copies have ended, by a search over every event of the kernels up to the playhead.
std::int64_t moved(const explorer::Subject& subject) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k <= subject.replay->kernel; ++k) {
    const auto replay = explorer::make_replay(subject.simulation(), k, subject.replay->place);
    for (const sim::Event& event : replay->trace.events) {
      if (k < subject.replay->kernel || event.end <= subject.time) sum += sim::traffic_of(event).total().count();
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("a comparison reads back as it was written") {
  const std::string text = "flash1,algorithm:standard,br:32+gpu:a100-sxm-40gb";
  const auto changes = explorer::read_comparison(text);
  REQUIRE(changes);
  REQUIRE(changes->size() == 3);
  CHECK((*changes)[1].at("algorithm") == "standard");
  CHECK((*changes)[2].at("gpu") == "a100-sxm-40gb");
  CHECK(explorer::to_text(*changes) == "flash1,standard,br:32+gpu:a100-sxm-40gb");
}

TEST_CASE("an invalid comparison is rejected as a whole") {
  for (const char* text : {",", "flash1,", "flash1+flash2", "colour:red", "algorithm:", "a,b,c,d", "flash1++br:3"}) {
    INFO(text);
    CHECK_FALSE(explorer::read_comparison(text));
  }
}

TEST_CASE("a compared run may leave an option unset that the first run sets") {
  const auto changes = explorer::read_comparison("br:+window:16");
  REQUIRE(changes);
  CHECK(explorer::to_text(*changes) == "br:+window:16");
  const sim::OptionValues first = {{"br", "32"}, {"seqlen", "64"}};
  CHECK(explorer::changed(first, changes->front()) == sim::OptionValues{{"seqlen", "64"}, {"window", "16"}});
}

TEST_CASE("compared runs show the same microsecond since their first launch") {
  explorer::Model model = model_of("heads=64&compare=flash1,standard,gpu:a100-sxm-40gb&cta=0,20,3,0");
  REQUIRE(model.world.subjects() == 4);
  CHECK(model.world.subject(1).scenario().algorithm == "flash1");
  CHECK(model.world.subject(3).scenario().gpu->name == "a100-sxm-40gb");
  const auto begin_and_end = [](const explorer::Subject& subject) {
    const std::size_t k = subject.replay->kernel;
    const explorer::RaceRun::Kernel& kernel = subject.clock->kernels()[k];
    const std::int64_t cta = explorer::cta_of_place(subject.simulation(), k, subject.replay->place);
    const explorer::CtaSpan* span = kernel.grid.find(cta);
    REQUIRE(span != nullptr);
    return std::pair(subject.clock->on_clock(k, span->begin), subject.clock->on_clock(k, span->end));
  };
  const auto share = [](const explorer::Subject& subject) {
    return static_cast<double>(subject.time.count()) / static_cast<double>(subject.replay->index.end().count());
  };
  for (int n = 0; n <= 10; ++n) {
    model.seek(sim::Cycles(model.world.replay().index.end().count() * n / 10));
    const auto [first, last] = begin_and_end(model.world.subject(0));
    const double now = first + share(model.world.subject(0)) * (last - first);
    for (std::size_t s = 1; s < 4; ++s) {
      const auto [begin, end] = begin_and_end(model.world.subject(s));
      INFO(n << " " << s << " from " << begin << " to " << end << " at " << now);
      CHECK(share(model.world.subject(s)) == Approx(std::clamp((now - begin) / (end - begin), 0., 1.)).margin(1e-4));
    }
  }
}

TEST_CASE("runs compared by bytes have moved equal amounts, up to one copy") {
  explorer::Model model = model_of("compare=flash1,standard&sync=bytes");
  REQUIRE(model.link_errors.empty());
  for (int n = 1; n < 10; ++n) {
    model.seek(sim::Cycles(model.world.replay().index.end().count() * n / 10));
    const std::int64_t first = moved(model.world.subject(0));
    for (std::size_t s = 1; s < 3; ++s) {
      const explorer::Subject& subject = model.world.subject(s);
      INFO(subject.scenario().algorithm << " " << n);
      const bool ended = subject.replay->kernel + 1 == subject.simulation().plan.launches.size() &&
                         subject.time == subject.replay->index.end();
      if (!ended) {
        CHECK(moved(subject) >= first);
        CHECK(moved(subject) - first <= std::int64_t{64} * 512 * 2);  // a row block of S, the largest copy
      } else {
        CHECK(moved(subject) <= first);
      }
    }
  }
}

TEST_CASE("runs compared by steps have begun equal numbers of tiles") {
  explorer::Model model = model_of("compare=br:64+bc:32&sync=step&cta=0,0,3,0");
  const auto& stops = model.world.replay().index.stops(explorer::TraceIndex::Unit::tile);
  REQUIRE(stops.size() == 10);  // eight tiles, the start and the end
  for (std::size_t n = 0; n < stops.size(); ++n) {
    model.seek(stops[n]);
    const explorer::Subject& other = model.world.subject(1);
    CHECK(other.time == other.replay->index.stops(explorer::TraceIndex::Unit::tile)[n]);
  }
}

TEST_CASE("moving the playhead of a compared run moves the first one") {
  explorer::Model model = model_of("compare=flash1");
  const sim::Cycles to(model.world.subject(1).replay->index.end().count() / 20);  // the first run is still running then
  model.seek_subject(1, to);
  CHECK(microseconds(model.world.subject(0)) > 0);
  CHECK(std::abs((model.world.subject(1).time - to).count()) <= sim::ticks_per_cycle);
}

TEST_CASE("compared runs know how their scenarios differ, and whether their inputs do") {
  explorer::Model model = model_of("compare=flash1,gpu:t4+seqlen:1024");
  const auto other_algorithm = explorer::differences(model.world.subject(0), model.world.subject(1));
  CHECK(other_algorithm.front() == "algorithm");
  CHECK(explorer::same_inputs(other_algorithm));
  const auto other_size = explorer::differences(model.world.subject(0), model.world.subject(2));
  CHECK(other_size == std::vector<std::string>{"seqlen-q", "seqlen-k", "gpu"});
  CHECK_FALSE(explorer::same_inputs(other_size));
}

TEST_CASE("a link restores the runs of its comparison and the error of an impossible one") {
  explorer::Model model = model_of("compare=flash1,br:512+bc:512+dtype:fp32&time=900");
  REQUIRE(model.world.subjects() == 3);
  CHECK(model.world.subject(1).error.empty());
  CHECK_THAT(model.world.subject(2).error.text(), Catch::Contains("KiB"));
  explorer::Model other(sim::built_in_gpu);
  other.follow(model.link());
  CHECK(other.to_json() == model.to_json());
  CHECK(other.world.subject(1).time == model.world.subject(1).time);
  model.apply(without_run(model.state, 2));
  CHECK(model.link().find("512+dtype") == std::string::npos);
}

TEST_CASE("compared runs continue with their next kernel at the same row block") {
  explorer::Model model = model_of("algorithm=standard&compare=flash2&cta=0,0,2,3");
  for (int n = 0; n < 1000 && model.world.replay().kernel < 2; ++n) model.step(explorer::Step::event, 1);
  CHECK(model.world.replay().kernel == 2);
  CHECK(model.world.replay().place.row == 2);
}

TEST_CASE("compared runs share standard attention, and each has the numbers of its own") {
  for (const char* link : {"algorithm=standard&compare=flash1,flash2", "compare=flash1,standard,dtype:bf16",
                           "causal=1&compare=seqlen-k:1024,flash2+br:128,flash1+gpu:a100-sxm-40gb",
                           "algorithm=standard&compare=flash2+softcap:20,flash1+heads:4"}) {
    const auto model = model_of(link);
    for (std::size_t n = 0; n < model.world.subjects(); ++n) {
      INFO(link << " " << n);
      REQUIRE(model.world.subject(n).error.empty());
      const auto own = sim::simulate_standard(model.world.subject(n).scenario());
      const auto& shared = model.world.subject(n).run->standard;
      REQUIRE(own.has_value() == (shared != nullptr));
      if (!own) continue;
      CHECK(own->microseconds == shared->microseconds);
      CHECK(own->totals.total.total() == shared->totals.total.total());
      CHECK(own->hbm.total() == shared->hbm.total());
    }
  }
}
