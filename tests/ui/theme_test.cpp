#include "viz/ui/theme.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "tests/support/color_vision.h"

using namespace ui;

namespace {

/// The smallest difference between two tensors' colours over normal sight and the three kinds of colour blindness.
double smallest_difference(const Theme& theme) {
  double smallest = 1000;
  for (const auto& vision : {color_vision::normal, color_vision::protan, color_vision::deutan, color_vision::tritan}) {
    for (std::size_t i = 0; i < theme.tensors.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto one = color_vision::lab(theme.tensors[i], vision), two = color_vision::lab(theme.tensors[j], vision);
        smallest = std::min(smallest, color_vision::difference(one, two));
      }
    }
  }
  return smallest;
}

const Theme themes[] = {dark_theme(), light_theme()};

}  // namespace

TEST_CASE("the colour difference agrees with the pairs published by its authors") {
  using color_vision::difference;
  CHECK(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}) == Approx(2.0425).margin(5e-5));
  CHECK(difference({50, -1, 2}, {50, 0, 0}) == Approx(2.3669).margin(5e-5));
  CHECK(difference({50, 2.5, 0}, {61, -5, 29}) == Approx(22.8977).margin(5e-5));
  CHECK(difference({22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}) == Approx(2.0373).margin(5e-5));
  CHECK(difference({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}) == Approx(0.9082).margin(5e-5));
}

TEST_CASE("tensors are distinguished by their colours with every kind of colour vision") {
  CHECK(smallest_difference(dark_theme()) >= 15);
  CHECK(smallest_difference(light_theme()) >= 19);
}

TEST_CASE("a colour sequence grows lighter from start to end, with every kind of colour vision") {
  for (const Theme& theme : themes) {
    for (const auto& vision :
         {color_vision::normal, color_vision::protan, color_vision::deutan, color_vision::tritan}) {
      for (std::size_t n = 1; n < theme.order.size(); ++n)
        CHECK(color_vision::lab(theme.order[n], vision)[0] > color_vision::lab(theme.order[n - 1], vision)[0] + 2);
    }
    CHECK(theme.in_order(0) == theme.order.front());
    CHECK(theme.in_order(1) == theme.order.back());
    CHECK(theme.in_order(0.5f) == theme.order[4]);
    // Its dark end differs from the background of the lanes.
    CHECK(color_vision::difference(color_vision::lab(theme.order.front(), color_vision::normal),
                                   color_vision::lab(theme.inset, color_vision::normal)) > 15);
  }
}

TEST_CASE("text and muted text are legible on every surface") {
  for (const Theme& theme : themes) {
    for (const Color surface : {theme.window, theme.card, theme.inset, theme.track, theme.tile_to_do}) {
      CHECK(contrast(theme.text, surface) >= 4.5);
      CHECK(contrast(theme.muted, surface) >= 4.5);
    }
    CHECK(contrast(theme.on_strong, theme.strong) >= 4.5);
  }
}

TEST_CASE("a tensor's colour is legible as text, and text on its fill in every phase") {
  for (const Theme& theme : themes) {
    for (const char letter : {'Q', 'K', 'V', 'S', 'P', 'O'}) {
      for (const Color surface : {theme.window, theme.card, theme.inset}) {
        CHECK(contrast(theme.tensor_text(letter, surface), surface) >= 4.5);
      }
      for (const Phase phase : {Phase::done, Phase::active, Phase::future}) {
        const Color fill = theme.tensor(letter, phase);
        CHECK(contrast(text_on(fill), fill) >= 4.5);
      }
    }
  }
}

TEST_CASE("a tensor fades into the inset: 28 percent when done, 70 percent when pending") {
  const Theme theme = dark_theme();
  CHECK(theme.tensor('K', Phase::active) == rgb(0xE7A901));
  CHECK(theme.tensor('K', Phase::done) == rgb(0xAB7F08));
  CHECK(theme.tensor('V', Phase::future) == rgb(0x0F3B33));
}

TEST_CASE("a letter without a colour is refused with those that have one") {
  CHECK(!is_tensor('M'));
  CHECK_THROWS_WITH(dark_theme().tensor('M'), "theme: no tensor is called 'M'; there are QKVSPO");
}

TEST_CASE("contrast ranges from 1 to 21, and a legible colour is unchanged") {
  const Color black = rgb(0x000000), white = rgb(0xFFFFFF), grey = rgb(0x777777);
  CHECK(contrast(grey, grey) == 1);
  CHECK(contrast(black, white) == Approx(21));
  CHECK(contrast(grey, white) == Approx(4.478).margin(0.001));  // the well-known grey that just fails
  CHECK(readable(black, white, black) == black);
  CHECK(readable(white, white, grey) == grey);  // no mixture is legible: the text's colour
  CHECK(text_on(rgb(0xFFFF8D)) == black);
  CHECK(text_on(rgb(0x0952CC)) == white);
}

TEST_CASE("mixing ranges from one colour to the other and rounds to the nearest") {
  CHECK(mix(rgb(0x000000), rgb(0xFFFFFF), 0) == rgb(0x000000));
  CHECK(mix(rgb(0x000000), rgb(0xFF00FF), 0.5f) == rgb(0x800080));
  CHECK(mix(rgb(0x000000), rgb(0xFFFFFF), 7) == rgb(0xFFFFFF));
  CHECK(with_alpha(rgb(0x123456), 0.5f).alpha == 128);
}
