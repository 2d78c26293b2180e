// The first view: the film of the race, the index of ideas, the doors, and the ways in and out.
#include "viz/model/first_view.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "lessons/catalogue.h"
#include "sim/base/text.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/action.h"
#include "viz/panels/first/first.h"
#include "viz/panels/ideas.h"
#include "viz/panels/palette_entries.h"

namespace {

using explorer::Headless;
using explorer::Model;

struct FirstSize {
  const char* name;
  explorer::Size size;
};
constexpr FirstSize first_sizes[] = {{"1600x1000", {1600, 1000, 1}}, {"1440x900", {1440, 900, 1}},
                                     {"1200x640", {1200, 640, 1}},   {"960x600", {960, 600, 1}},
                                     {"768x1024", {768, 1024, 1}},   {"phone", {780, 1688, 2}},
                                     {"small-phone", {320, 480, 1}}, {"lying-phone", {640, 320, 1}}};

/// Follows the link of an idea as a window without other input does.
Model opened(const explorer::Idea& idea) {
  Model model(sim::built_in_gpu);
  model.apply(explorer::edit_of(idea));
  return model;
}

/// Entries of the palette for a text, with all answers computed.
std::vector<explorer::PaletteEntry> found(Headless& window, const std::string& text, std::size_t most = 4) {
  std::vector<explorer::PaletteEntry> entries;
  window.over = [&](ui::Ui& ui) {
    explorer::View view{ui, window.explorer.model};
    entries = explorer::find_entries(view, text, most);
  };
  finish(window);
  window.over = {};
  return entries;
}

}  // namespace

TEST_CASE("the first view shows film and doors without faults in every size, theme and language", "[repeats]") {
  for (const FirstSize& size : first_sizes) {
    for (const char* look : {"", "&theme=light&lang=zh", "&run-time=0", "&run-time=1e9"}) {
      INFO(size.name << look);
      Headless window(std::string("first=1") + look, size.size);
      finish(window);
      window.driver.screen.texts.emplace();
      window.driver.frame();
      INFO(layout::text_of_faults(window));
      CHECK(layout::text_of_faults(window).empty());
      CHECK(window.driver.shows("race/lanes"));
      CHECK(window.driver.shows("first/field"));
      keep(window, sim::text("first-", size.name, look));
    }
  }
}

TEST_CASE("the first view shows any runs that a link names", "[repeats]") {
  for (const char* link :
       {"first=1&batch=4&heads=32&seqlen=2048&algorithm=standard&compare=flash1,flash2,flash2+br:64&run-time=900",
        "first=1&seqlen=512&run-time=2", "first=1&gpu=v100-sxm2-16gb&compare=flash1", "first=1&br=99999&compare=flash1",
        "first=1&seqlen=512&compare=gpu:v100-sxm2-16gb&run-time=1e9", "first=1&pass=backward&compare=standard"}) {
    for (const explorer::Size size : {explorer::Size{1600, 1000, 1}, {960, 600, 1}, {780, 1688, 2}}) {
      Headless window(link, size);
      finish(window);
      window.driver.screen.texts.emplace();
      window.driver.frame();
      INFO(link << " " << size.width << layout::text_of_faults(window));
      CHECK(layout::text_of_faults(window).empty());
      CHECK(window.driver.shows("first/field"));
      for (const ui::DrawnText& text : *window.driver.screen.texts)
        CHECK((" " + text.text).find(" nan") == std::string::npos);
      keep(window, sim::text("first-runs-", size.width, "-", std::string_view(link).substr(8, 30)));
    }
  }
}

TEST_CASE("the results of the search are drawn without faults beside the film and in front of it", "[repeats]") {
  for (const FirstSize& size : first_sizes) {
    Headless window("first=1&still=1", size.size);
    window.driver.type("/");
    window.driver.type("tile");
    finish(window);
    window.driver.screen.texts.emplace();
    window.driver.frame();
    INFO(size.name << layout::text_of_faults(window));
    CHECK(layout::text_of_faults(window).empty());
    CHECK(window.driver.shows("first/result/3"));
    keep(window, sim::text("first-typed-", size.name));
  }
}

TEST_CASE("a link to the first view races three runs at the moment that is drawn, and is its own link again") {
  Model model(sim::built_in_gpu);
  model.follow("first=1");
  CHECK(model.link_errors.empty());
  CHECK(explorer::shows_first(model));
  CHECK(model.world.subjects() == 3);
  CHECK(model.state.look.run_time == Approx(explorer::film_moment * model.world.run_end()));
  CHECK_FALSE(model.playing());
  Model again(sim::built_in_gpu);
  again.follow(model.link());
  CHECK(again.link() == model.link());
  model.follow("first=1&seqlen=512&compare=flash1&run-time=3");
  CHECK(model.world.subjects() == 2);
  CHECK(model.state.look.run_time == 3);
  CHECK(explorer::shows_first(model));
}

TEST_CASE("the film plays at once for ten seconds, stands for three, plays once more and stops") {
  Model model(sim::built_in_gpu);
  explorer::open_first(model, "");
  CHECK(model.playing());
  CHECK(model.state.look.run_time == 0);
  const auto pass = [&](double seconds) {
    for (; seconds > 0; seconds -= 0.25) model.tick(0.25);
  };
  pass(5);
  CHECK(model.state.look.run_time == Approx(model.world.run_end() / 2));
  pass(6);
  CHECK(model.state.look.run_time == model.world.run_end());
  CHECK(model.playing());
  pass(4.5);
  CHECK(model.state.look.run_time < 0.5 * model.world.run_end());
  CHECK(model.playing());
  pass(20);
  CHECK(model.state.look.run_time == model.world.run_end());
  CHECK_FALSE(model.playing());
}

TEST_CASE("without motion the first view stands still at the moment that is drawn") {
  Model model(sim::built_in_gpu);
  model.follow("still=1");
  explorer::open_first(model, "");
  CHECK_FALSE(model.playing());
  CHECK(model.state.look.run_time == Approx(explorer::film_moment * model.world.run_end()));
}

TEST_CASE("the headline is a sentence about the moment") {
  Model model(sim::built_in_gpu);
  model.follow("first=1");
  const auto at = [&](double share) {
    model.seek_run(share * model.world.run_end());
    return explorer::film_headline(model);
  };
  CHECK(at(0) == "3 runs of the same attention begin at once.");
  CHECK(at(0.23) == "FlashAttention-2 is done; Standard attention is not a quarter through.");
  CHECK(at(0.6).starts_with("FlashAttention-1 is done as well; Standard attention is not "));
  CHECK(at(0.95).starts_with("All others are done; Standard attention is in "));
  CHECK(at(1).starts_with("FlashAttention-2: "));
  CHECK_THAT(at(1), Catch::Contains(" x fewer bytes, for the same answer."));
}

TEST_CASE("Escape and the button leave the first view for the explorer as it was, and the logo leads back") {
  Headless window("seqlen=512&center=wall&theme=light", {});
  Model& model = window.explorer.model;
  const std::string before = model.link();
  const bool undoes = model.can_undo();
  window.driver.click("first");
  CHECK(explorer::shows_first(model));
  CHECK(model.playing());
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.link() == before);
  CHECK_FALSE(model.playing());
  CHECK(model.can_undo() == undoes);
  window.driver.click("first");
  window.driver.key(ImGuiKey_Space);
  window.driver.click("first/leave");
  CHECK(model.link() == before);
}

TEST_CASE("help opens over the first view, and Escape closes it first") {
  Headless window("first=1&still=1", {});
  Model& model = window.explorer.model;
  window.driver.type("?");
  CHECK(model.state.look.overlay == explorer::Overlay::help);
  CHECK(explorer::shows_first(model));
  window.driver.key(ImGuiKey_Escape);
  CHECK(explorer::shows_first(model));
  window.driver.type("7");  // keys of views have no meaning here
  CHECK(model.state.look.center == explorer::Center::matrix);
  window.driver.key(ImGuiKey_Escape);
  CHECK_FALSE(explorer::shows_first(model));
}

TEST_CASE("every idea opens something that exists", "[repeats]") {
  Headless window("first=1&still=1", {});
  for (const explorer::Idea& idea : explorer::ideas()) {
    INFO(idea.label << ": " << idea.link);
    if (idea.is_action()) {
      CHECK_NOTHROW(explorer::action(idea.link));
      continue;
    }
    const Model model = opened(idea);
    CHECK(model.link_errors.empty());
    CHECK(model.world.error().empty());
    for (std::size_t n = 0; n < model.world.subjects(); ++n) CHECK(model.world.subject(n).error.empty());
  }
}

TEST_CASE("the field answers each word that a newcomer may type, and every name of the glossary", "[repeats]") {
  Headless window("first=1&still=1", {});
  std::vector<std::string> words = {"rescale",       "alpha",    "bound",  "export", "svg",
                                    "mp4",           "why slow", "fits",   "tiles",  "occupancy",
                                    "bank conflict", "ridge",    "wave",   "tail",   "online softmax",
                                    "varlen",        "causal",   "decode", "page"};
  std::ifstream glossary(std::string(FLASHSCOPE_SOURCE) + "/docs/glossary.md");
  for (std::string line; std::getline(glossary, line);) {
    if (!line.starts_with("| ") || line.find(" |", 2) == std::string::npos || line.find("| |") != std::string::npos)
      continue;
    const std::string names = line.substr(2, line.find(" |", 2) - 2);  // must outlive its parts below
    for (const std::string_view name : sim::split(names, ", "))
      if (!name.ends_with("...") && name != "symbol") words.emplace_back(name);
  }
  CHECK(words.size() > 60);
  for (const std::string& word : words) {
    INFO(word);
    const auto entries = found(window, word);
    REQUIRE_FALSE(entries.empty());
    CHECK(entries.front().idea != nullptr);
    CHECK_FALSE(entries.front().note.empty());
    CHECK(entries.front().note != "…");
  }
}

TEST_CASE("no answer is cut in the rows of a wide window", "[repeats]") {
  for (const explorer::Language language : {explorer::Language::en, explorer::Language::zh}) {
    Headless window("first=1&still=1", {});
    window.explorer.model.state.look.language = language;
    window.over = [&](ui::Ui& ui) {
      const explorer::View view{ui, window.explorer.model};
      for (const explorer::Idea& idea : explorer::ideas()) {
        if (!explorer::first_facts(view.model).ready()) return;
        const std::string answer = explorer::answer_of(view, idea), label(view.say(idea.label));
        const float title = std::max(84.f, ui::rich_width(ui.canvas, ui::Style::control, label) + 1);
        INFO(answer << " is " << title + ui::rich_width(ui.canvas, ui::Style::caption, answer) << " wide");
        CHECK(title + ui::rich_width(ui.canvas, ui::Style::caption, answer) <= 504 - 20 - 16 - 12);
      }
    };
    finish(window);
  }
}

TEST_CASE("a text that nothing is called by finds the three nearest ideas") {
  Headless window("first=1&still=1", {});
  const auto entries = found(window, "ocupansy");
  REQUIRE(entries.size() == 3);
  CHECK(entries.front().title == "occupancy");
  CHECK(found(window, "qqqqzzzz").size() == 3);
}

TEST_CASE("typing in the field of the first view and Enter open the view of the answer") {
  Headless window("first=1&still=1", {});
  Model& model = window.explorer.model;
  window.driver.type("/");
  for (const char* letter : {"r", "i", "d", "g", "e"}) window.driver.type(letter);
  CHECK(explorer::shows_first(model));
  CHECK(model.state.palette.typed == "ridge");
  window.driver.key(ImGuiKey_Enter);
  CHECK_FALSE(explorer::shows_first(model));
  CHECK(model.state.look.center == explorer::Center::roofline);
  CHECK(model.state.palette.typed.empty());
}

TEST_CASE("every door of the first view opens what exists", "[repeats]") {
  const auto after = [](const std::string& widget, auto check) {
    Headless window("first=1&still=1", {});
    finish(window);
    INFO(widget);
    window.driver.click(widget);
    finish(window);
    CHECK(window.explorer.model.link_errors.empty());
    CHECK(window.explorer.model.world.error().empty());
    check(window.explorer.model);
  };
  after("first/learn", [](const Model& m) { CHECK(m.state.look.lesson == "list"); });
  after("first/tour", [](const Model& m) {
    CHECK((m.state.look.overlay == explorer::Overlay::tour && m.state.look.tour_step == 1));
  });
  after("first/lesson/04-online-softmax", [](const Model& m) { CHECK(m.state.look.lesson == "04-online-softmax"); });
  const std::pair<const char*, explorer::Center> asked[] = {{"why slow", explorer::Center::engineer},
                                                            {"what fits", explorer::Center::wall},
                                                            {"tiles", explorer::Center::tiles},
                                                            {"exact", explorer::Center::microscope},
                                                            {"why is mine slower", explorer::Center::engineer}};
  for (const auto& opens : asked) {
    const explorer::Center center = opens.second;
    after(sim::text("first/ask/", opens.first), [&](const Model& m) { CHECK(m.state.look.center == center); });
  }
  after("first/build/algorithm", [](const Model& m) { CHECK_FALSE(m.notice.empty()); });
  after("first/build/model", [](const Model& m) { CHECK(m.state.look.options); });
  after("first/build/gpu", [](const Model& m) {
    CHECK(m.state.look.overlay == explorer::Overlay::device);
    CHECK(explorer::shows_first(m));
  });
  after("race/lanes@2", [](const Model& m) {
    CHECK((m.world.subjects() == 1 && !m.state.look.first));
    CHECK(m.state.options.at("algorithm") == "flash1");
  });
  after("first/run@3", [](const Model& m) { CHECK((m.world.subjects() == 1 && !m.state.look.first)); });
}

TEST_CASE("on a phone the page of the first view scrolls under a finger to its last door") {
  Headless window("first=1&still=1", {390, 844, 1});
  CHECK_FALSE(window.driver.shows("first/build/gpu"));
  for (const char* from : {"race/lanes", "first/learn", "first/ask"}) window.driver.swipe(from, -350);
  CHECK(window.driver.shows("first/build/gpu"));
  CHECK(explorer::shows_first(window.explorer.model));
}

TEST_CASE("the first view is described for readers who do not see it") {
  const Headless window("first=1&still=1", {});
  const std::string text = window.explorer.description();
  CHECK_THAT(text, Catch::StartsWith("FlashAttention-2 is done; "));
  for (const char* door : {"Learn", "Ask", "Build", "rescale"}) CHECK_THAT(text, Catch::Contains(door));
}

TEST_CASE("links of before still open the tour") {
  const Headless window("overlay=tour", {});
  CHECK_FALSE(explorer::shows_first(window.explorer.model));
  CHECK(window.driver.shows("lesson/next"));
}
