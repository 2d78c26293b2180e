// Sentences whose heads have known patterns of attention.
#include "sim/base/text_inputs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "sim/model/softmax_row.h"

namespace {

std::size_t index(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

TEST_CASE("Q and K of a text give its scores, in every dtype and head") {
  for (const sim::TextInput& text : sim::text_inputs()) {
    const std::int64_t n = std::ssize(text.words), d = sim::text_head_dim;
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}) {
      const sim::AttentionInputs inputs = sim::inputs_of_text(text, dtype, 3);
      const double close = dtype == sim::Dtype::fp32 ? 1e-5 : dtype == sim::Dtype::fp16 ? 5e-3 : 4e-2;
      for (std::size_t head = 0; head < sim::text_heads.size(); ++head) {
        const std::vector<float> scores = sim::text_scores(text, head, 3);
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t j = 0; j < n; ++j) {
            double product = 0;
            for (std::int64_t c = 0; c < d; ++c)
              product += static_cast<double>(inputs.q[index((std::int64_t(head) * n + i) * d + c)]) *
                         static_cast<double>(inputs.k[index((std::int64_t(head) * n + j) * d + c)]);
            REQUIRE(product / 8 == Approx(scores[index(i * n + j)]).margin(close));
          }
        }
      }
    }
  }
}

TEST_CASE("the heads of a text attend to the previous word, the word after an earlier mention, and the first word") {
  for (const sim::TextInput& text : sim::text_inputs()) {
    const std::int64_t n = std::ssize(text.words);
    CHECK(n <= 24);
    for (const std::uint64_t seed : {0u, 1u, 77u}) {
      const auto largest = [&](std::size_t head, std::int64_t i) {
        const std::vector<float> scores = sim::text_scores(text, head, seed);
        const auto row = scores.begin() + i * n;
        return std::max_element(row, row + n) - row;
      };
      for (std::int64_t i = 1; i < n; ++i) {
        INFO(text.name << " row " << i << " seed " << seed);
        CHECK(largest(0, i) == i - 1);
        CHECK(largest(2, i) == 0);
        const auto first = std::find(text.words.begin(), text.words.begin() + i, text.words[index(i)]);
        const bool said = first != text.words.begin() + i;
        const std::int64_t at = largest(1, i);
        if (said) CHECK(text.words[index(at - 1)] == text.words[index(i)]);
      }
    }
  }
}

TEST_CASE("the mouse's last row has the scores that the text defines, with its largest at the cat") {
  sim::Scenario scenario;
  scenario.inputs = sim::InputRule::text;
  scenario.text = "mouse";
  scenario.shape = sim::Shape{1, 4, 4, 16, 16, 64, {}};
  sim::SoftmaxRow row(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 3, 15);
  row.finish();
  REQUIRE(row.tiles().size() == 4);
  CHECK(row.tiles()[2].score_max == Approx(3.60).margin(2e-3));
  CHECK(row.tiles()[2].alpha == Approx(std::exp(2.10 - 3.60)).margin(1e-3));
  CHECK(row.tiles()[2].keys.begin + 3 == 11);
}

TEST_CASE("texts are found by name, and an unknown name is refused with all of them") {
  CHECK(sim::text_called("mouse").words.size() == 16);
  CHECK_THROWS_WITH(sim::text_called("dog"), Catch::Contains("text:mouse") && Catch::Contains("text:mao"));
}
