// The panel of the online softmax. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"

namespace {

using explorer::Headless;

}  // namespace

TEST_CASE("the softmax panel draws every algorithm, or the reason if there is no softmax") {
  const std::pair<std::string, std::string> cases[] = {
      {"start", "#seqlen=1024&causal=1&cta=0,0,3,0&time=0"},
      {"end", "#seqlen=1024&causal=1&cta=0,0,3,0&time=1000000"},
      {"unseen", "#seqlen-q=1024&seqlen-k=256&causal=1&cta=0,0,0,0"},
      {"memory-efficient", "#algorithm=memory-efficient&seqlen=512&cta=0,0,77,0&time=3000"},
      {"second-pass", "#algorithm=memory-efficient&seqlen=512&cta=0,0,77,0&time=1000000&lang=zh"},
      {"standard", "#algorithm=standard&kernel=1&time=100"},
      {"backward", "#pass=backward&seqlen=512&causal=1&kernel=1&time=9000&lang=zh"},
      {"released", "#algorithm=flash1&tiling=released&gpu=a100-sxm-40gb&seqlen=512&time=9000"},
      {"part", "#algorithm=flash-decoding&seqlen-q=16&seqlen-k=4096&splits=4&cta=0,0,0,2&time=9000"},
      {"empty-part", "#algorithm=flash-decoding&seqlen-q=16&seqlen-k=1280&bc=256&splits=4&cta=0,0,0,3&time=100"},
      {"parts-added", "#algorithm=flash-decoding&seqlen-q=16&seqlen-k=4096&splits=4&kernel=1&time=1000000&lang=zh"},
      {"chunk", "#algorithm=rabe-staats&seqlen=2048&chunk=256&time=40000"},
      {"chunks-added", "#algorithm=rabe-staats&seqlen=2048&chunk=256&kernel=1&time=1000000"},
      {"dropout", "#seqlen=1024&dropout=0.2&window=100&cta=0,0,3,0&time=9000&theme=light"},
  };
  for (const auto& [name, link] : cases) {
    INFO(link);
    Headless window(link, {});
    CHECK(window.explorer.model.link_errors.empty());
    CHECK(window.explorer.model.world.error().empty());
    finish(window);
    keep(window, "softmax-" + name);
    CHECK_FALSE(window.explorer.update(1));
  }
}

TEST_CASE("the softmax panel advances from tile to tile, and back to the same picture") {
  Headless window("#seqlen=1024&cta=0,0,3,0&time=0&tab=softmax", {600, 900, 1});
  finish(window);
  const auto first = window.driver.picture();
  window.explorer.model.step(explorer::Step::tile, 1);
  window.explorer.model.step(explorer::Step::tile, 1);
  window.driver.settle();
  finish(window);
  const bool moved = !(window.driver.picture() == first);
  CHECK(moved);
  window.explorer.model.seek({});
  window.driver.settle();
  finish(window);
  const bool same = window.driver.picture() == first;
  CHECK(same);
}

TEST_CASE("the softmax panel names the rescaling of a row only after its first tile") {
  const auto texts_of = [](const std::string& time) {
    Headless window("#batch=4&heads=32&seqlen=2048&cta=0,0,6,0&row=826&time=" + time, {});
    return drawn_texts(window);
  };
  const auto has = [](const std::vector<std::string>& texts, std::string_view wanted) {
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
  };
  const auto first = texts_of("3500"), second = texts_of("8700");
  CHECK(has(first, "rescaled by α"));
  CHECK(has(second, "× α = 0.80"));  // a larger score arrived
  CHECK(has(second, "row 826 of head 0"));
}

TEST_CASE("the softmax panel shows the numbers that a backward kernel takes from the forward pass") {
  const auto texts_of = [](const std::string& time) {
    Headless window("#pass=backward&seqlen=512&causal=1&kernel=1&time=" + time, {});
    return drawn_texts(window);
  };
  const auto has = [](const std::vector<std::string>& texts, std::string_view wanted) {
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
  };
  CHECK_FALSE(has(texts_of("0"), "5.37"));
  CHECK(has(texts_of("9000"), "saved L"));
  CHECK(has(texts_of("9000"), "D"));
}
