// The guided tour: what it says holds, and it can be walked in both languages and every window.
#include "viz/panels/tour.h"

#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "tests/explorer/pictures.h"
#include "viz/model/run.h"
#include "viz/tour/page.h"
#include "viz/words/words.h"

using explorer::Headless;
using explorer::Language;
using ui::Rect;

namespace {

constexpr Language languages[] = {Language::en, Language::zh};

std::string all_text(const tour::Page& page) {
  std::string text = page.title;
  for (const tour::Block& block : page.blocks) text += "\n" + block.text;
  return text;
}

/// The formulas in braces, scripts left out.
std::multiset<std::string> formulas_of(const std::string& text) {
  static const std::regex braces("(^|[^_^])\\{([^}]*)\\}");
  std::multiset<std::string> found;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), braces); at != std::sregex_iterator(); ++at)
    found.insert((*at)[2]);
  return found;
}

sim::Simulation simulated(const std::string& algorithm) {
  return sim::simulate(sim::scenario_from(
      {{"algorithm", algorithm}, {"batch", "4"}, {"heads", "32"}, {"seqlen", "2048"}}, sim::built_in_gpu));
}

}  // namespace

TEST_CASE("every claim of the tour holds in its runs") {
  std::size_t claims = 0;
  for (const tour::Step& step : tour::steps()) {
    const tour::Facts facts = tour::facts_of(step, sim::built_in_gpu);
    for (const std::string_view claim : step.claims) {
      INFO(claim);
      CHECK(facts.holds(claim));
    }
    CHECK_FALSE(step.claims.empty());
    claims += step.claims.size();
  }
  CHECK(claims > 20);
}

TEST_CASE("the tour says the same numbers in both languages, and they are filled in") {
  REQUIRE(tour::steps().size() == static_cast<std::size_t>(explorer::tour_steps));
  for (std::size_t n = 0; n < tour::steps().size(); ++n) {
    const auto english = formulas_of(all_text(tour::written_page(Language::en, n)));
    CHECK(english == formulas_of(all_text(tour::written_page(Language::zh, n))));
    CHECK(english.size() > 1);
    const tour::Facts facts = tour::facts_of(tour::steps()[n], sim::built_in_gpu);
    for (const Language language : languages)
      CHECK(formulas_of(all_text(tour::filled_page(language, n, facts))).empty());
  }
  CHECK_THROWS_WITH(tour::written_page(Language::en, tour::steps().size()), "tour: no step 10 is written in en.md");
}

TEST_CASE("the links of the tour lead where they say") {
  for (const tour::Step& step : tour::steps()) {
    explorer::ViewModel model(sim::built_in_gpu);
    model.follow(step.link);
    INFO(step.link);
    CHECK(model.complaints().empty());
    CHECK(model.error().empty());
    CHECK(model.link() == explorer::to_link(explorer::read_link(step.link, sim::built_in_gpu)));
  }
}

TEST_CASE("facts are the numbers of the runs") {
  const sim::Simulation flash2 = simulated("flash2"), standard = simulated("standard");
  tour::Facts facts;
  facts.add("", flash2);
  facts.add("standard", standard);
  const auto total = static_cast<double>(flash2.totals.total.read.count() + flash2.totals.total.written.count());
  CHECK(facts.value("tile_traffic.total") == total);
  CHECK(facts.value("standard hbm_traffic.read_bytes / 2") == static_cast<double>(standard.hbm.read.count()) / 2);
  CHECK(facts.value("max(standard time.microseconds, time.microseconds)") == standard.microseconds);
  CHECK(facts.value("gpu.sm_count + 1") == 133);
  CHECK(facts.value("scenario.head-dim - 1") == 63);
  CHECK(facts.text("gpu.hbm_bytes_per_second") == "3.35 TB/s");
  CHECK(facts.text("tile_traffic.by_tensor.O.write_bytes") == "33.6 MB");
  CHECK(facts.text("1 / 3 | percent") == "33.3 %");
  CHECK(facts.text("200 / 3 | number") == "66.7");
  CHECK(facts.text("2e6 | number") == "2,000,000");
  CHECK(facts.filled("e^{m - m'} at {gpu.sm_count} SMs, x_{ij}") == "e^{m - m'} at 132 SMs, x_{ij}");
}

TEST_CASE("facts refuse what means nothing") {
  tour::Facts facts;
  CHECK_THROWS_AS(facts.value("time.microseconds"), sim::Error);  // no run at all
  facts.add("", simulated("flash2"));
  CHECK_THROWS_WITH(facts.value("time.microsecond"), Catch::Contains("did you mean \"time.microseconds\""));
  CHECK_THROWS_WITH(facts.text("1 | parsec"), Catch::Contains("\"parsec\""));
  CHECK_THROWS_WITH(facts.holds("time.microseconds"), Catch::Contains("claims nothing"));
  CHECK_FALSE(facts.holds("2 < 1"));
  CHECK(facts.holds("1 = 1"));
}

TEST_CASE("the tour can be walked forth and back, and keeps theme and language") {
  Headless window("overlay=tour&theme=light&lang=zh", {});
  const auto& look = window.explorer.model.look;
  for (int n = 1; n < explorer::tour_steps; ++n) {
    CHECK(look.tour_step == n);
    keep(window, "tour-" + std::to_string(n));
    window.driver.click("tour/next");
  }
  CHECK(look.theme == explorer::Theme::light);
  CHECK(look.language == Language::zh);
  CHECK(window.explorer.model.options().at("br") == "64");
  window.driver.click("tour/back");
  CHECK(look.tour_step == explorer::tour_steps - 1);
  window.driver.click("tour/step/2");
  CHECK(window.explorer.model.replay().kernel == 1);
  window.driver.click("tour/close");
  CHECK(look.overlay.empty());
  CHECK_FALSE(window.driver.shows("tour/next"));
}

TEST_CASE("the last step of the tour ends it") {
  Headless window("overlay=tour&tour-step=10", {});
  window.driver.click("tour/next");
  CHECK(window.explorer.model.look.overlay.empty());
}

TEST_CASE("a scenario that was changed during the tour can be restored") {
  Headless window("overlay=tour", {});
  CHECK_FALSE(window.driver.shows("tour/restore"));
  window.explorer.model.set_option("seqlen", "512");
  window.driver.frame();
  keep(window, "tour-changed");
  window.driver.click("tour/restore");
  CHECK(window.explorer.model.options().at("seqlen") == "2048");
  CHECK_FALSE(window.driver.shows("tour/restore"));
}

TEST_CASE("a click on the card of the tour does not reach what lies below it") {
  Headless window("overlay=tour&tour-step=2", {});  // the card lies over the matrix
  const std::string before = window.explorer.model.link();
  const Rect text = window.driver.rect("tour/step/1");
  window.driver.screen.input.push(platform::PointerMoved{text.x, text.y - 60});
  window.driver.screen.input.push(platform::ButtonChanged{ImGuiMouseButton_Left, true});
  window.driver.screen.input.push(platform::ButtonChanged{ImGuiMouseButton_Left, false});
  window.driver.settle();
  CHECK(window.explorer.model.link() == before);
}

TEST_CASE("the card of the tour never lies over the panel that it points at") {
  const auto height = [](float width) { return 90000 / width; };
  for (const explorer::Size size : {explorer::Size{1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {390, 844, 1}}) {
    const auto width = static_cast<float>(size.width), tall = static_cast<float>(size.height);
    for (const ui::Tab tab : {ui::Tab::matrix, ui::Tab::counters}) {
      const ui::Layout layout = ui::make_layout(width, tall, 1, tab);
      for (const tour::Step& step : tour::steps()) {
        const Rect target = explorer::tour_target(layout, step.panel);
        const Rect card = explorer::place_of_tour(target, layout.window.inset(8), 420, 12, height);
        CHECK(common(card, target).empty());
        CHECK(card.x >= 8);
        CHECK(card.y >= 8);
        CHECK(card.right() <= width - 8);
        CHECK(card.bottom() <= tall - 8);
      }
    }
  }
  CHECK_THROWS_AS(explorer::tour_target({}, "kitchen"), sim::Error);
}

TEST_CASE("the tour fits every window", "[repeats]") {
  struct Case {
    explorer::Size size;
    std::string look;
  };
  for (const Case& c : {Case{{390, 844, 1}, "lang=zh"}, {{960, 600, 1}, "theme=light"}, {{780, 1688, 2}, ""}}) {
    Headless window("overlay=tour&" + c.look, c.size);
    for (int n = 1; n <= explorer::tour_steps; ++n) {
      keep(window, sim::text("tour-", c.size.width, "-", n));
      CHECK(window.driver.shows("tour/next"));
      window.driver.click("tour/next");
    }
  }
}
