#include "viz/ui/tracks.h"

#include <catch2/catch.hpp>
#include <vector>

#include "viz/draw/chart.h"
#include "viz/platform/screen.h"

using namespace ui;

namespace {

const Color red = rgb(0xFF0000), green = rgb(0x00FF00);

struct Drawn {
  platform::Picture picture;
  std::vector<DrawnText> texts;
};

/// Draws tracks from 0 to 100 over 400 pixels, with the playhead at a time.
Drawn draw(double now, const std::function<void(const Tracks&)>& draw) {
  platform::Screen screen(400, 60, 1);
  Drawn drawn;
  screen.frame(dark_theme(), [&](Ui& ui) {
    drawn.texts.clear();
    ui.canvas.list_texts(&drawn.texts);
    draw({ui, 0, 100, {0, 20, 400, 40}, now});
  });
  drawn.picture = screen.picture();
  return drawn;
}

}  // namespace

TEST_CASE("a fill of a lane is cut at the playhead, and a hatched one is not") {
  const Drawn drawn = draw(25, [](const Tracks& tracks) { tracks.fill({0, 20, 400, 10}, {red, green}); });
  CHECK((drawn.picture.at(99, 25) == red && drawn.picture.at(100, 25) == green));
  const Drawn hatched = draw(25, [](const Tracks& tracks) {
    tracks.fill({0, 20, 400, 10}, {red, green, Hatch::vertical});
  });
  const auto lines = [&](int from) {
    int count = 0;
    for (int x = from; x < from + 50; ++x) count += hatched.picture.at(x, 25) == red;
    return count;
  };
  CHECK((lines(20) == 10 && lines(320) == 10));
}

TEST_CASE("a place on the axis and a time are converted into each other") {
  draw(0, [](const Tracks& tracks) {
    for (const double time : {0., 12.5, 99., 100.}) CHECK(tracks.at(tracks.x(time)) == time);
    CHECK((tracks.at(-50) == 0 && tracks.at(1000) == 100));
  });
}

TEST_CASE("numbers of an axis are clear of the pill of the playhead, at the ends of the axis as well") {
  for (const double now : {0., 3., 20., 47., 99., 100.}) {
    Rect pill;
    const Drawn drawn = draw(now, [&](const Tracks& tracks) {
      pill = tracks.pill({0, 0, 400, 20}, "12,345 cycles");
      tracks.ticks(
          {0, 0, 400, 20}, {}, 40, [](double time, double) { return std::to_string(int(time)); }, pill);
    });
    CHECK((pill.x >= 0 && pill.right() <= 400));
    CHECK(drawn.texts.size() >= 4);
    for (const DrawnText& text : drawn.texts) CHECK(common(text.box, pill).empty());
  }
}

TEST_CASE("names above intervals are left out where they do not fit or something is in their place") {
  const std::vector<NamedTime> names = {{0, 40, "first"}, {40, 42, "narrow"}, {42, 70, "taken"}, {70, 100, "last"}};
  const Drawn drawn = draw(90, [&](const Tracks& tracks) {
    tracks.names({0, 0, 400, 20}, names, {200, 0, 60, 20}, {red, green});
  });
  REQUIRE(drawn.texts.size() == 2);
  CHECK((drawn.texts[0].text == "first" && drawn.texts[1].text == "last"));
}

TEST_CASE("the first phrase that fits is drawn right of the playhead, else before it") {
  const std::vector<Phrase> phrases = {{Style::title, red, "a phrase that is much too long for so narrow a lane", ""},
                                       {Style::title, red, "short", "and below"}};
  for (const auto& [now, from, to] : {std::tuple(30., 120.f, 400.f), std::tuple(95., 40.f, 380.f)}) {
    const Drawn drawn = draw(now, [&](const Tracks& tracks) { tracks.say_beside({0, 0, 400, 60}, 10, phrases); });
    REQUIRE(drawn.texts.size() == 2);
    CHECK((drawn.texts[0].text == "short" && drawn.texts[1].text == "and below"));
    CHECK((drawn.texts[0].box.x >= from && drawn.texts[0].box.right() <= to));
  }
}

TEST_CASE("a legend ends with the number of entries that do not fit") {
  std::vector<Swatch> swatches(9, {"entry", {red, green}});
  const Drawn drawn = draw(0, [&](const Tracks& tracks) {
    legend(tracks.ui.canvas, {0, 0, 200, 20}, swatches, [](std::size_t n) { return std::to_string(n) + " more"; });
  });
  REQUIRE(drawn.texts.size() > 1);
  CHECK(drawn.texts.back().text == std::to_string(9 - (drawn.texts.size() - 1)) + " more");
}

TEST_CASE("of spans that share a pixel one is drawn, and the current one in any case") {
  draw(50, [](const Tracks& tracks) {
    float drawn_to = -1;
    const Rect row{0, 20, 400, 20};
    CHECK(!tracks.span(row, 10.01, 10.02, green, false, drawn_to).empty());
    CHECK(tracks.span(row, 10.02, 10.2, green, false, drawn_to).empty());
    CHECK(!tracks.span(row, 10.3, 10.6, green, false, drawn_to).empty());
    CHECK(tracks.span(row, 10.45, 10.46, red, false, drawn_to).empty());
    CHECK(tracks.span(row, 10.45, 10.46, red, true, drawn_to).x == 41);
  });
}

TEST_CASE("a span is cut at the ends of the axis, and leaves a pixel free before the next one") {
  draw(50, [](const Tracks& tracks) {
    float drawn_to = -1;
    const Rect box = tracks.span({0, 20, 400, 20}, -20, 25, red, false, drawn_to);
    CHECK((box.x == 0 && box.right() == 99 && drawn_to == 100));
    CHECK(tracks.part({0, 20, 400, 20}, 75, 1000).right() == 400);
    CHECK(tracks.part({0, 20, 400, 20}, 101, 110).empty());
  });
}

TEST_CASE("round steps are 1, 2 or 5 times a power of ten") {
  CHECK(draw::round_step(0.03) == Approx(0.05));
  CHECK(draw::round_step(1) == 1);
  CHECK(draw::round_step(1.01) == 2);
  CHECK(draw::round_step(700) == 1000);
}
