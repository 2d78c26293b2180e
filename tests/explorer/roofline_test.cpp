// The roofline, small and large. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "sim/catalogue/derivation.h"
#include "sim/report/numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/panels/roofline/marks.h"

namespace {

using explorer::Headless;

const std::vector<std::string> runs = {"#seqlen=2048&head-dim=128&causal=1",
                                       "#algorithm=standard&pass=forward%2Bbackward&causal=1&dropout=0.1&seqlen=4096",
                                       "#algorithm=memory-efficient&pass=backward&seqlen=512",
                                       "#algorithm=flash1&seqlen=100&gpu=t4",
                                       "#gpu=toy&dtype=fp32&seqlen=64",
                                       "#seqlen=131072&heads=32",
                                       "#seqlen=1&head-dim=8",
                                       "#seqlen=64&padding=64"};

/// Returns the distinct texts that follow some words in a window.
std::set<std::string> said_after(const std::string& link, const std::string& words) {
  Headless window(link, {});
  finish(window);
  window.driver.screen.texts.emplace();
  window.driver.frame();
  std::set<std::string> found;
  for (const ui::DrawnText& text : *window.driver.screen.texts) {
    const std::size_t at = text.text.find(words);
    if (at != std::string::npos) found.insert(text.text.substr(at + words.size()));
  }
  return found;
}

/// Parses "104.0 TFLOP/s" to a number.
double in_units(const std::string& text) {
  const std::map<char, double> units = {{'G', 1e9}, {'T', 1e12}, {'P', 1e15}, {'M', 1e6}};
  const double number = std::stod(text);
  const auto unit = units.find(text[text.find(' ') + 1]);
  return unit == units.end() ? number : number * unit->second;
}

}  // namespace

TEST_CASE("the counter, the L2 and the run's tooltip have one hit rate, of the whole run") {
  for (const std::string& link : runs) {
    INFO(link);
    const std::set<std::string> counter = said_after(link, "L2 hits "), level = said_after(link, "hit rate ");
    CHECK(counter.size() == 1);
    CHECK(level == counter);
  }
}

TEST_CASE("the rates that the roofline shows are its intensities times its bandwidths, or the peak") {
  for (const std::string& link : runs) {
    const Headless window(link, {});
    const explorer::Subject& subject = window.explorer.model.world.subject(0);
    const sim::Roofs roofs = explorer::roofs_of(subject);
    for (const explorer::RooflineMark& mark : explorer::roofline_marks(subject)) {
      INFO(link << " " << mark.label);
      const double hbm =
          in_units(report::intensity(mark.point.hbm_intensity())) * in_units(report::byte_rate(roofs.hbm));
      const double l2 =
          in_units(report::intensity(mark.point.tile_intensity())) * in_units(report::byte_rate(roofs.l2));
      const double attainable = in_units(report::flop_rate(mark.point.attainable(roofs)));
      CHECK(attainable == Approx(std::min({hbm, l2, mark.point.peak(roofs)})).epsilon(0.02));  // up to rounding
    }
  }
}

TEST_CASE("race and roofline show one share of the peak and one rate") {
  for (const std::string& link : runs) {
    INFO(link);
    const Headless window(link, {});
    const explorer::Subject& subject = window.explorer.model.world.subject(0);
    const sim::RooflinePoint all = sim::roofline(subject.simulation()).back();
    if (all.rated().count() == 0) continue;
    const std::string share = report::percent(all.achieved() / all.peak(explorer::roofs_of(subject)));
    CHECK(said_after(link + "&play=run", share).contains(""));
    CHECK(said_after(link + "&center=roofline", share).contains(""));
    CHECK(said_after(link + "&center=roofline", report::flop_rate(all.achieved())).contains(""));
  }
}

TEST_CASE("every point of the roofline is inside the plot, below the roofs") {
  for (const std::string& link : runs) {
    const Headless window(link, {});
    const explorer::Subject& subject = window.explorer.model.world.subject(0);
    const sim::Roofs roofs = explorer::roofs_of(subject);
    const ui::Rect place{100, 50, 600, 300};
    const auto marks = explorer::roofline_marks(subject);
    REQUIRE_FALSE(marks.empty());
    for (const bool tiles : {false, true}) {
      const draw::Chart plot = draw::roofline_chart(roofs, marks, {}, place, tiles);
      for (const explorer::RooflineMark& mark : marks) {
        const double x = mark.point.hbm_intensity(), y = mark.point.achieved();
        INFO(link << " " << mark.label);
        CHECK(place.contains(plot.at(x, y)));
        // Screen coordinates grow downwards: a lower rate is below.
        CHECK(plot.at(x, y).y >= plot.at(x, std::min(x * roofs.hbm, roofs.matrix_peak)).y);
        if (tiles) CHECK(place.contains(plot.at(mark.point.tile_intensity(), y)));
      }
    }
  }
}

TEST_CASE("a slope of the roofline is straight and ends where intensity times bandwidth is the peak") {
  const Headless window(runs[0], {});
  const explorer::Subject& subject = window.explorer.model.world.subject(0);
  const sim::Roofs roofs = explorer::roofs_of(subject);
  const auto marks = explorer::roofline_marks(subject);
  const draw::Chart chart = draw::roofline_chart(roofs, marks, {}, {0, 0, 500, 400}, true);
  for (const std::size_t roof : {0U, 1U}) {
    const double bandwidth = roof == 0 ? roofs.hbm : roofs.l2;
    const draw::Knot &from = chart.series[roof].knots[0], &to = chart.series[roof].knots[1];
    const ui::Point begin = chart.at(from.x, from.y), end = chart.at(to.x, to.y);
    CHECK((begin.x == Approx(0).margin(0.01) || begin.y == Approx(400).margin(0.01)));
    CHECK(end.y == Approx(chart.y.place(989.4e12)).epsilon(0.01));
    for (const float part : {0.25f, 0.5f, 0.75f}) {
      const double intensity = chart.x.low * std::pow(chart.x.high / chart.x.low,
                                                      static_cast<double>((begin.x + part * (end.x - begin.x)) / 500));
      CHECK(chart.at(intensity, intensity * bandwidth).y == Approx(begin.y + part * (end.y - begin.y)).margin(0.05));
    }
  }
}

TEST_CASE("intensities of a mark are matmul FLOPs over bytes, and its rate is matmul FLOPs over time") {
  const Headless window(runs[0], {});
  const explorer::Subject& subject = window.explorer.model.world.subject(0);
  const auto marks = explorer::roofline_marks(subject);
  REQUIRE(marks.size() == 3);
  const explorer::RooflineMark &whole = marks[1], &standard = marks[2];
  CHECK(whole.kernel < 0);
  CHECK(standard.standard);
  for (const auto& [mark, s] : {std::pair{&whole, &subject.simulation()}, {&standard, subject.run->standard.get()}}) {
    const auto products = static_cast<double>(s->totals.matmul_flops.count());
    CHECK(mark->point.hbm_intensity() == Approx(products / static_cast<double>(s->hbm.total().count())));
    CHECK(mark->point.tile_intensity() == Approx(products / static_cast<double>(s->totals.total.total().count())));
    CHECK(mark->point.achieved() == Approx(products / (s->microseconds * 1e-6)));
  }
}

TEST_CASE("a click on the small roofline opens the large one, whose numbers can be derived") {
  Headless window(runs[2], {});
  window.driver.click("roofline");
  CHECK(window.explorer.model.state.look.center == explorer::Center::roofline);
  CHECK(window.explorer.model.link().find("center=roofline") != std::string::npos);
  REQUIRE(window.driver.shows("roofline/plot"));
  const sim::Simulation& s = window.explorer.model.world.subject(0).simulation();
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    for (const std::string leaf : {"hbm", "tile"}) {
      const std::string path = "kernels." + std::to_string(k) + ".intensity." + leaf;
      window.driver.click("number/" + path);
      REQUIRE(window.explorer.model.state.look.selection == path);
      const sim::RooflinePoint point = sim::roofline_point(s.kernels[k]);
      const double intensity = leaf == "hbm" ? point.hbm_intensity() : point.tile_intensity();
      CHECK(std::stod(sim::derive(s, path).value) == Approx(intensity).epsilon(1e-5));
    }
  }
}

TEST_CASE("texts of the small roofline are whole, inside of its card") {
  for (const std::string& link : runs) {
    for (const std::string look : {"&lang=en", "&lang=zh"}) {
      for (const auto& [size, tab] : {std::pair{explorer::Size{960, 600, 1}, "&tab=counters"}, {{1440, 900, 1}, ""}}) {
        INFO(link << look << tab);
        Headless window(link + look + tab, size);
        finish(window);
        window.driver.screen.texts.emplace();
        window.driver.frame();
        const ui::Rect card = window.driver.rect("roofline");
        int texts = 0;
        for (const ui::DrawnText& text : *window.driver.screen.texts) {
          const ui::Rect box = text.box;
          if (ui::common(box, card).empty()) continue;
          INFO(text.text);
          CHECK(text.text != "…");
          CHECK((box.x >= card.x + 5 && box.right() <= card.right() - 5 && box.bottom() < card.bottom()));
          ++texts;
        }
        CHECK(texts >= 6);  // the title, two roofs, the axis, some of its numbers and the run
      }
    }
  }
}

TEST_CASE("the roofline draws every run the same twice, small and large, in every size", "[repeats]") {
  const std::pair<explorer::Size, std::string> looks[] = {{{1600, 1000, 1}, "&center=roofline"},
                                                          {{1280, 720, 1}, "&center=roofline&lang=zh&theme=light"},
                                                          {{780, 1688, 2}, "&center=roofline"},
                                                          {{780, 1688, 2}, "&tab=counters&theme=light"}};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& [size, look] = looks[r % 4];
    Headless window(runs[r] + look, size), again(runs[r] + look, size);
    for (Headless* one : {&window, &again}) {
      if (one->driver.shows("roofline/plot")) one->driver.hover("roofline/plot", 0.7f);
    }
    keep(window, "roofline-" + std::to_string(r));
    const bool same = window.driver.picture() == again.driver.picture();
    CHECK(same);
  }
}
