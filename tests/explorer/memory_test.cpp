// The memory panel. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/report/numbers.h"
#include "tests/explorer/pictures.h"
#include "viz/panels/tooltip.h"

namespace {

using explorer::Headless;
using explorer::Size;

struct Case {
  std::string name, link;
  Size size;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"target-dark", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000", {}},
      {"target-light", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000&theme=light", {}},
      {"standard-qk", "algorithm=standard&seqlen=2048&head-dim=64&cta=0,0,3,5&time=4000", {}},
      {"standard-softmax", "algorithm=standard&seqlen=2048&kernel=1&cta=0,0,700,0&time=2500", {}},
      {"standard-pv", "algorithm=standard&seqlen=8192&kernel=2&cta=0,0,20,0&time=60000&theme=light", {}},
      {"flash1", "algorithm=flash1&seqlen=1024&heads=2&time=90000", {}},
      {"backward", "algorithm=flash2&pass=backward&seqlen=1024&heads=8&kv-heads=2&kernel=1&cta=0,1,0,3&time=40000", {}},
      {"flash1-backward", "algorithm=flash1&pass=backward&seqlen=512&dropout=0.1&time=60000&theme=light", {}},
      {"memory-efficient", "algorithm=memory-efficient&seqlen=1000&causal=1&cta=0,0,700,0&time=9000", {}},
      {"paper", "algorithm=flash1&tiling=paper&sram=65536&l2=0&seqlen=1000&gpu=a100-sxm-40gb&time=90000", {}},
      {"toy", "gpu=toy&seqlen=64&head-dim=8&dtype=fp32&br=16&bc=8&time=500", {}},
      {"one-tile", "seqlen=16&head-dim=16&time=900", {}},
      {"long", "seqlen=131072&head-dim=128&cta=0,0,900,0&time=900000&window=4096", {}},
      {"small", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000", {1280, 720, 1}},
      {"tab", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000&tab=memory", {960, 600, 1}},
      {"phone", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000&tab=memory", {780, 1688, 2}},
      {"large", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000", {3200, 2000, 2}},
      {"chinese", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000&lang=zh&theme=light", {}},
  };
  return all;
}

const explorer::Subject& subject_of(const Headless& window) { return window.explorer.model.world.subject(0); }

void seek(Headless& window, sim::Cycles time) {
  window.explorer.model.seek(time);
  window.driver.frame();
}

const std::string& shown(const Headless& window, const std::string& name) {
  return window.driver.screen.state.shown.at(name);
}

/// Calls use(window) at several times of the middle CTA of every kernel of every algorithm, on a small problem with
/// every mask.
template <class Use>
void each_small_moment(Use use) {
  for (const std::string algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const std::string pass : {"forward", "backward"}) {
      INFO(algorithm << " " << pass);
      const std::string blocks = algorithm == "memory-efficient" ? "&bc=16" : "&br=32&bc=16";
      Headless window("algorithm=" + algorithm + "&pass=" + pass + blocks +
                          "&seqlen=90&head-dim=16&heads=4&kv-heads=2&causal=1&dropout=0.1&window=60",
                      {});
      REQUIRE(window.explorer.model.world.error().empty());
      for (std::size_t kernel = 0; kernel < subject_of(window).simulation().plan.launches.size(); ++kernel) {
        window.explorer.model.look_at(kernel, {0, 1, 2, 2});
        const sim::Cycles end = subject_of(window).replay->index.end();
        for (const std::int64_t part : {0, 13, 50, 77, 100}) {
          seek(window, sim::Cycles(end.count() * part / 100));
          use(window);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("the memory panel draws every algorithm at every size", "[repeats]") {
  for (const Case& c : cases()) {
    INFO(c.name);
    const Headless window(c.link, c.size);
    keep(window, "memory-" + c.name);
    CHECK(window.explorer.model.world.error().empty());
    CHECK(window.explorer.model.link_errors.empty());
    CHECK(window.driver.shows("memory/from_l2"));
  }
}

TEST_CASE("the memory panel shows every tensor and every tile of every kernel") {
  each_small_moment([](const Headless& window) {
    const explorer::Subject& s = subject_of(window);
    for (const sim::Tensor tensor : sim::hbm_tensors()) {
      CHECK(window.driver.shows("hbm/" + std::string(sim::name_of(tensor))) ==
            (s.launch().reads(tensor) || s.launch().writes(tensor)));
    }
    std::size_t tiles = 0, boxes = 0;
    for (const explorer::ChipTile& tile : s.replay->memory.tiles.tiles()) {
      if (!tile.is_vector && tile.begin <= s.time && s.time < tile.end) ++tiles;
    }
    for (const auto& [name, rect] : window.driver.screen.state.probes) {
      const bool tile = name.starts_with("smem/") || name.starts_with("registers/");
      if (tile && !name.ends_with("/line") && !name.ends_with("/rows")) ++boxes;
    }
    CHECK(tiles == boxes);
  });
}

TEST_CASE("the bytes next to the levels are those of the copies that have ended") {
  each_small_moment([](const Headless& window) {
    const explorer::Subject& s = subject_of(window);
    std::int64_t read = 0, written = 0;
    for (const sim::Event& event : s.replay->trace.events) {
      if (event.end > s.time || event.direction == sim::Direction::none) continue;
      if (event.direction != sim::Direction::write) read += event.bytes;
      if (event.direction != sim::Direction::read) written += event.bytes;
    }
    CHECK(shown(window, "memory/tile/read") == "this CTA read " + report::bytes(read));
    CHECK(shown(window, "memory/tile/written") == "written " + report::bytes(written));
  });
}

TEST_CASE("shared memory shows the bytes of loads that are held until their last use") {
  Headless window("seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0", {});
  const explorer::Subject& s = subject_of(window);
  for (std::int64_t part = 0; part < 20; ++part) {
    seek(window, sim::Cycles(s.replay->index.end().count() * part / 20));
    std::int64_t bytes = 0;
    const auto& events = s.replay->trace.events;
    for (std::size_t n = 0; n < events.size(); ++n) {
      if (events[n].verb != sim::Verb::load || sim::is_statistic(events[n].tensor)) continue;
      sim::Cycles last_use = events[n].end;
      for (const sim::Event& user : events) {
        const auto& used = user.operands;
        if (std::find(used.begin(), used.end(), static_cast<std::int32_t>(n)) != used.end())
          last_use = std::max(last_use, user.end);
      }
      if (events[n].begin <= s.time && s.time < last_use) bytes += events[n].bytes;
    }
    CHECK(shown(window, "memory/smem") == report::kibibytes(bytes) + " of 227.0 KiB");
  }
}

TEST_CASE("a click on a tile goes to the event that makes it and explains its bytes") {
  Headless window("seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000", {});
  window.driver.click("smem/K9");
  const explorer::Subject& s = subject_of(window);
  bool found = false;
  for (const sim::Event& event : s.replay->trace.events) {
    found = found || (event.verb == sim::Verb::load && event.tensor == sim::Tensor::K && event.rows.index == 9 &&
                      event.begin == s.time);
  }
  CHECK(found);
  CHECK(window.explorer.model.state.look.selection == "tile_traffic.by_tensor.K.read_bytes");
  CHECK_FALSE(sim::derive(s.simulation(), window.explorer.model.state.look.selection).formula.empty());
}

TEST_CASE("a click on a block in HBM moves to its first copy, and one on an untouched block does nothing") {
  Headless window("seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000", {});
  const sim::Cycles before = subject_of(window).time;
  window.driver.click("hbm/V", 0.99f);
  CHECK(subject_of(window).time == before);
  window.driver.click("hbm/V", 2.5f / 32);
  const explorer::Subject& s = subject_of(window);
  sim::Cycles first(-1);
  for (const sim::Event& event : s.replay->trace.events) {
    if (event.verb == sim::Verb::load && event.tensor == sim::Tensor::V && event.rows.index == 2) first = event.begin;
  }
  CHECK(s.time == first);
}

TEST_CASE("a click on a lifetime in shared memory moves to its start") {
  Headless window("seqlen=2048&causal=1&br=64&bc=128&cta=0,0,30,0&time=33000", {});
  window.driver.click("memory/lifetimes", 0.7f);
  const explorer::Subject& s = subject_of(window);
  CHECK(s.time > sim::whole_cycles(30000));
  bool begins = false;
  for (const sim::Event& event : s.replay->trace.events) {
    begins = begins || (event.verb == sim::Verb::load && event.tensor == sim::Tensor::K && event.begin == s.time);
  }
  CHECK(begins);
}

TEST_CASE("an animated copy depends only on the playhead") {
  Headless window("seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0", {});
  const explorer::Replay& replay = *subject_of(window).replay;
  const sim::Event& copy = replay.trace.events[4];
  REQUIRE(copy.verb == sim::Verb::load);
  const auto at = [&](std::int64_t part) {
    seek(window, copy.begin + sim::Cycles((copy.end - copy.begin).count() * part / 10));
    return window.driver.picture();
  };
  const platform::Picture early = at(3), late = at(7), again = at(3);
  const bool moved = early != late, same = early == again;
  CHECK(moved);
  CHECK(same);
}

TEST_CASE("boxes of tiles stay in the panel and never cover each other") {
  const auto check = [](const Headless& window) {
    const ui::Rect panel = ui::make_layout(1600, 1000, 1).memory;
    std::vector<ui::Rect> boxes;
    bool inside = true, apart = true;
    for (const auto& [name, rect] : window.driver.screen.state.probes) {
      if (!name.starts_with("smem/") && !name.starts_with("registers/") && !name.starts_with("hbm/")) continue;
      inside = inside && rect.x >= panel.x && rect.right() <= panel.right() + 1 && rect.y >= panel.y &&
               rect.bottom() <= panel.bottom() + 1;
      if (name.ends_with("/line")) continue;
      for (const ui::Rect& other : boxes) {
        const ui::Rect both = ui::common(rect, other);
        apart = apart && (both.width < 1 || both.height < 1);
      }
      boxes.push_back(rect);
    }
    CHECK(inside);
    CHECK(apart);
  };
  each_small_moment(check);
}

TEST_CASE("the papers' two-level model shows one on-chip memory and no L2") {
  const Headless paper("algorithm=flash1&tiling=paper&sram=65536&l2=0&seqlen=500&gpu=a100-sxm-40gb&time=33000", {});
  CHECK_FALSE(paper.driver.shows("registers/line"));
  CHECK_FALSE(paper.driver.shows("l2"));
  CHECK(shown(paper, "memory/smem").ends_with(" of 64.0 KiB"));
  const explorer::Subject& s = subject_of(paper);
  const explorer::Crossed moved = s.replay->memory.moved.at(s.time);
  CHECK(moved.hbm == moved.tile);
}

TEST_CASE("a tooltip describes what is under the pointer") {
  Headless window("seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=33000", {});
  const platform::Picture before = window.driver.picture();
  for (const char* name : {"smem/K9", "smem/line", "registers/O6", "registers/rows", "l2", "hbm", "hbm/K",
                           "memory/from_hbm", "memory/from_l2", "memory/from_smem"}) {
    INFO(name);
    window.driver.hover(name, 0.1f);
    keep(window, "memory-over-" + std::string(name).substr(0, 3) + std::to_string(std::string(name).size()));
    const bool told = window.driver.picture() != before;
    CHECK(told);
  }
}

TEST_CASE("a tooltip stays in the window and next to the pointer") {
  const ui::Rect window{4, 4, 392, 292};
  for (float x = 0; x <= 400; x += 20) {
    for (float y = 0; y <= 300; y += 20) {
      const ui::Rect box = explorer::place_of_tooltip({x, y}, 150, 80, 14, window);
      CHECK(box.x >= window.x);
      CHECK(box.y >= window.y);
      CHECK(box.right() <= window.right());
      CHECK(box.bottom() <= window.bottom());
      CHECK_FALSE(box.contains({x, y}));
    }
  }
  const ui::Rect large = explorer::place_of_tooltip({200, 100}, 900, 700, 14, window);
  CHECK(large.width == window.width);
  CHECK(large.height == window.height);
}

TEST_CASE("on a phone the levels scroll") {
  Headless window("seqlen=2048&head-dim=128&causal=1&tab=memory&time=9000", {780, 1688, 2});
  const float before = window.driver.rect("l2").y;
  window.driver.wheel("l2", -2);
  CHECK(window.driver.rect("l2").y < before);
}

TEST_CASE("the memory panel counts the CTAs that are on the SM, not those that would fit") {
  const auto says = [](const std::string& link, std::string_view words) {
    Headless window(link, {});
    window.driver.screen.texts.emplace();
    window.driver.frame();
    const auto& texts = *window.driver.screen.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return text.text == words; });
  };
  CHECK(says("seqlen=1024", "one SM of 132"));  // 8 CTAs on 132 SMs, each with capacity for two
  CHECK(says("seqlen=2048&batch=4&heads=32", "one SM of 132, one CTA of 2 on it"));
}

TEST_CASE("a tile has its bytes in one unit at all levels, and a memory its nominal size") {
  CHECK(report::kibibytes(4) == "4 B");
  CHECK(report::kibibytes(0) == "0.0 KiB");
  CHECK(report::kibibytes(16384) == "16.0 KiB");
  CHECK(report::capacity(85'899'345'920) == "80 GiB");
  CHECK(report::capacity(52'428'800) == "50 MiB");
  CHECK(report::capacity(37'224'448) == "35.5 MiB");
  CHECK(report::capacity(1000) == "1.00 kB");
  Headless window("seqlen=2048&batch=4&heads=32&time=8000", {});
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const auto& texts = *window.driver.screen.texts;
  const auto is_shown = [&](std::string_view words) {
    return std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return text.text == words; });
  };
  CHECK(is_shown("80 GiB"));
  CHECK(is_shown("50 MiB"));
  CHECK(is_shown("234.2 GB/s"));  // the SM's own shared memory: 128 B x 1.83 GHz
}
