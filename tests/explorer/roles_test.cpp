// The view "roles", as users operate it: its choices are options of the scenario, its words follow from barriers, and
// nothing overlaps in any window.
#include "viz/panels/roles/roles.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/programs/programs.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/center_view.h"
#include "viz/model/edit.h"
#include "viz/ui/rich_text.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string flash3 = "algorithm=" + std::string(sim::programs::flash3.name) + "&center=roles";
const std::string published = flash3 + "&batch=4&heads=16&seqlen=8448&head-dim=128&time=30250";

const std::string backward = flash3 + "&pass=backward&heads=4&seqlen=1000&head-dim=128&time=9000";

/// Runs with 1, 2 and 3 consumers, each schedule, few tiles, P through shared memory, three stages, a causal mask.
const std::vector<std::string> scenarios = {
    published,
    published + "&arrive=issued&schedule=ping-pong",
    flash3 + "&seqlen=512&head-dim=128&br=64&time=2000&schedule=serial",
    flash3 + "&seqlen=1000&head-dim=64&time=3000",
    flash3 + "&seqlen=1000&head-dim=64&causal=1&schedule=warp-specialised&time=2500&stages=3",
    flash3 + "&seqlen=300&head-dim=256&time=4000&gpu=b200",
    flash3 + "&seqlen=1&head-dim=128",
    backward,
    flash3 + "&pass=backward&heads=2&seqlen=500&head-dim=192&time=4000"};

/// Texts of the boxes "Now, each waits for".
std::vector<std::string> boxes(const Headless& window) {
  std::vector<std::string> texts;
  for (std::size_t n = 0; window.driver.screen.state.shown.contains(sim::text("roles/now/", n)); ++n)
    texts.push_back(shown(window, sim::text("roles/now/", n)));
  return texts;
}

}  // namespace

TEST_CASE("nothing of the view of roles overlaps in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1440, 900, 1}, {960, 600, 1}, {390, 844, 1}};
  std::vector<std::string> all = scenarios;
  all.push_back("seqlen=512&center=roles");
  for (std::size_t n = 0; n < all.size(); ++n) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light&source=1"}) {
        INFO(size.width << " x " << size.height << " #" << all[n] << look);
        Headless window(all[n] + look, size);
        REQUIRE(window.explorer.model.world.error().empty());
        window.driver.screen.texts.emplace();
        finish(window);
        CHECK(layout::text_of_faults(window) == "");
        keep(window, sim::text("roles-", n, "-", size.width, look.empty() ? "" : "-zh"));
      }
    }
  }
}

TEST_CASE("schedule and arrive are selected above the view, and are options of the run and the link") {
  Headless window(published, {});
  finish(window);
  const auto& model = window.explorer.model;
  CHECK_THAT(shown(window, "roles/grid"), Contains("4,224 row blocks, 132 resident CTAs"));
  const auto end = model.world.replay().index.end();
  window.driver.click("schedule/ping-pong");
  CHECK(model.world.run().simulation.plan.problem.own("schedule") == 1);
  CHECK(model.world.replay().index.end() > end);
  CHECK_THAT(model.link(), Contains("schedule=ping-pong"));
  window.driver.click("arrive/issued");
  CHECK_THAT(model.link(), Contains("arrive=issued"));
  Headless again(model.link(), {});
  CHECK(again.explorer.model.link() == model.link());
}

TEST_CASE("a program without roles says who has them, and offers it") {
  Headless window("center=roles", {});
  CHECK_THAT(shown(window, "no roles"), Contains("FlashAttention-2 has no roles") && Contains("FlashAttention-3"));
  window.driver.click("roles/show/flash3");
  CHECK(window.explorer.model.world.run().simulation.plan.code->name == sim::programs::flash3.name);
  CHECK(boxes(window).size() == 4);  // a producer, and a consumer for each 64 of 192 rows
}

TEST_CASE("views offer roles for programs that have them, or while they are shown") {
  for (const auto& [link, offered] : {std::pair("seqlen=512&center=wall", false),
                                      {"algorithm=flash3&seqlen=512&center=wall", true},
                                      {"center=roles&seqlen=512", true}}) {
    Headless window(link, {1600, 1000, 1});
    CHECK(window.driver.shows("center/roles") == offered);
  }
}

TEST_CASE("each role has three lines at every stop, and they are those of its state") {
  for (const std::string& scenario : scenarios) {
    Headless window(scenario, {1600, 1000, 1});
    finish(window);
    const explorer::RoleTrace& roles = window.explorer.model.world.replay().roles;
    const auto& stops = roles.stops();
    const std::size_t step = std::max<std::size_t>(1, stops.size() / 40);
    for (std::size_t n = 0; n < stops.size(); n += step) {
      for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
        INFO(scenario << " role " << role << " at " << stops[n].count());
        const auto words = explorer::role_words(explorer::Language::en, roles, role, stops[n]);
        const explorer::RoleSpan* span = roles.at(role, stops[n]);
        CHECK(words.does.starts_with(span == nullptr                          ? "is done"
                                     : span->does == explorer::RoleDoes::work ? "works"
                                                                              : "waits"));
        CHECK(words.cause.has_value() == (span != nullptr));
        if (span != nullptr && span->does == explorer::RoleDoes::wait) CHECK_FALSE(words.why.empty());
      }
    }
  }
}

TEST_CASE("words on a turn name the product at whose end it passes, unless it passes at once") {
  for (const auto& [arrive, schedule] :
       {std::pair("ended", "overlapped"), {"ended", "ping-pong"}, {"issued", "ping-pong"}}) {
    Headless window(published + "&arrive=" + arrive + "&schedule=" + schedule, {});
    finish(window);
    const explorer::RoleTrace& roles = window.explorer.model.world.replay().roles;
    std::size_t turns = 0, products = 0;
    for (const sim::Cycles time : roles.stops()) {
      for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
        const explorer::RoleSpan* span = roles.at(role, time);
        if (span == nullptr || span->does != explorer::RoleDoes::wait || span->cause != sim::Cause::turn) continue;
        ++turns;
        if (explorer::role_words(explorer::Language::en, roles, role, time).why.ends_with(" to end")) ++products;
      }
    }
    INFO(arrive << " " << schedule << ": " << turns << " waits, " << products << " for products");
    const bool ended = std::string(arrive) == "ended";
    CHECK((turns > 0) >= ended);
    CHECK((products > 0) == ended);
  }
}

TEST_CASE("the badge of each role is at the line of its event, and a click on a line goes to it") {
  Headless window(published, {1600, 1000, 1});
  finish(window);
  const auto& model = window.explorer.model;
  const auto badges = [&] {
    std::string all;
    for (const auto& [name, text] : window.driver.screen.state.shown) {
      if (name.starts_with("roles/line/")) all += text;
    }
    return all;
  };
  const std::string all = badges();
  for (const char* badge : {"P", "1", "2"}) CHECK_THAT(all, Contains(badge));
  std::string softmax;
  for (const explorer::ListingLine& line : model.world.run().listings.front().lines) {
    if (line.code.find("softmax(cta") != std::string::npos && !line.called) softmax = std::to_string(line.number);
  }
  window.driver.click("roles/line/" + softmax);
  CHECK(model.world.time() != sim::whole_cycles(30250));
  CHECK(shown(window, "roles/line/" + softmax) != "");
}

TEST_CASE("stages of the ring and registers show what the CTA holds") {
  Headless window(published, {1600, 1000, 1});
  finish(window);
  for (const char* stage : {"Q 0", "K 0", "K 1", "V 0", "V 1"})
    CHECK(shown(window, std::string("roles/stage/") + stage) != "");
  CHECK(shown(window, "roles/registers") == "64,512 of 65,536");
  CHECK(shown(window, "roles/registers/0") == "24");
  for (const char* consumer : {"1", "2"})
    CHECK(shown(window, std::string("roles/registers/") + consumer) == "196 of 240");
}

TEST_CASE("the description of the view of roles has a sentence for each role") {
  Headless window(published, {});
  const std::string text = window.explorer.description();
  CHECK_THAT(text, Contains("FlashAttention-3: one CTA with 3 roles, cycle 30,250 of"));
  for (const char* role : {" producer ", " consumer 1 ", " consumer 2 "}) CHECK_THAT(text, Contains(role));
}

TEST_CASE("a comparison shows the roles of its first run, and a badge selects whose events steps stop at") {
  Headless window(published + "&compare=flash2", {1600, 1000, 1});
  finish(window);
  CHECK(boxes(window).size() == 3);
  auto& model = window.explorer.model;
  window.driver.click("roles/now/badge/2");
  CHECK(model.state.look.role == 2);
  CHECK(model.state.look.unit == explorer::Step::event);
  const sim::Cycles before = model.world.time();
  window.driver.click("step");
  const auto& stops = model.world.replay().roles.stops(2);
  CHECK(model.world.time() > before);
  CHECK(std::find(stops.begin(), stops.end(), model.world.time()) != stops.end());
}

TEST_CASE("a click on a button reaches the roles of an algorithm that has them, in windows of any size") {
  for (const explorer::Size& size : {explorer::Size{1600, 1000}, {1440, 900}, {960, 600}, {390, 844}}) {
    for (const std::string lang : {"en", "zh"}) {
      INFO(size.width << " x " << size.height << " " << lang);
      Headless window("algorithm=flash3&seqlen=1024&lang=" + lang, size);
      window.driver.settle();
      const bool listed = window.driver.shows("show/roles");
      REQUIRE((listed || window.driver.shows("center/roles")));
      window.driver.click(listed ? "show/roles" : "center/roles");
      CHECK(window.explorer.model.state.look.center == explorer::Center::roles);
      Headless without("algorithm=flash2&seqlen=1024&lang=" + lang, size);
      without.driver.settle();
      CHECK(!without.driver.shows("show/roles"));
    }
  }
}

TEST_CASE("the roles of few queries have a sentence on what the released code does with them, in two languages") {
  const std::string few = flash3 + "&seqlen-q=1&seqlen-k=8192&heads=32&kv-heads=8";
  for (const auto& [lang, words] : {std::pair{"en", "splits the keys here"}, std::pair{"zh", "查询很少"}}) {
    Headless window(few + "&lang=" + lang, {1440, 900});
    window.driver.settle();
    CHECK_THAT(shown(window, "roles/few queries"), Contains(words));
  }
  Headless many(flash3 + "&seqlen=1024", {1440, 900});
  many.driver.settle();
  CHECK(!many.driver.screen.state.shown.contains("roles/few queries"));
}

TEST_CASE("the view of roles shows the kernel of a backward pass that has roles, from a link and when it is chosen") {
  Headless window(backward, {1600, 1000, 1});
  auto& model = window.explorer.model;
  CHECK(model.world.replay().kernel == 1);
  CHECK(boxes(window).size() == 4);  // a producer, the dQ writer and two consumers
  CHECK_FALSE(window.driver.shows("schedule/overlapped"));
  CHECK_FALSE(window.driver.shows("arrive/issued"));
  Headless other("algorithm=flash3&pass=backward&heads=4&seqlen=1000&head-dim=128&center=matrix", {1600, 1000, 1});
  CHECK(other.explorer.model.world.replay().kernel == 0);
  other.explorer.model.apply(explorer::SetLook{"center", "roles"});
  CHECK(other.explorer.model.world.replay().kernel == 1);
  Headless first(backward + "&kernel=0", {1600, 1000, 1});
  CHECK_THAT(shown(first, "no roles"), Contains("flash3_backward"));
  first.driver.click("roles/show/kernel");
  CHECK(first.explorer.model.world.replay().kernel == 1);
}

TEST_CASE("the chip of a backward pass shows all of its shared memory, and registers up to what its roles hold") {
  for (const auto& [d, stages] :
       {std::pair<std::string, std::vector<std::string>>{
            "128", {"K 0", "V 0", "Q 0", "Q 1", "dO 0", "dO 1", "dQ 1", "dQ 2", "dS 0", "dS 1"}},
        {"192", {"K 0", "V 0", "Q 0", "Q 1", "dO 0", "dQ 1", "dQ 2", "dQ 3", "P 0", "dS 0"}},
        {"256", {"K 0", "V 0", "Q 0", "Q 1", "dO 0", "P 0", "dS 0"}}}) {
    INFO(d);
    Headless window(flash3 + "&pass=backward&heads=4&seqlen=960&time=9000&head-dim=" + d, {1600, 1000, 1});
    finish(window);
    const explorer::RoleTrace& roles = window.explorer.model.world.replay().roles;
    std::int64_t bytes = 0;
    for (const explorer::RingStage& stage : roles.stages()) bytes += stage.bytes;
    for (const std::string& stage : stages) CHECK(shown(window, "roles/stage/" + stage) != "");
    CHECK(roles.stages().size() == stages.size());
    const std::int64_t rows = window.explorer.model.world.run().simulation.plan.problem.tiling.br;
    const std::int64_t statistics = 2 * 2 * 4 * (rows + 63) / 64 * 64;  // L and D: two stages each, in whole 64 rows
    CHECK(roles.trace().peak_smem.count() >= bytes);
    CHECK(roles.trace().peak_smem.count() <= bytes + statistics + 1024);
    std::int64_t most = 0;
    const std::size_t last = roles.lanes().size() - 1;
    for (const sim::Cycles time : roles.stops()) {
      std::int64_t sum = 0;
      for (const explorer::RegisterTile& tile : explorer::registers_at(roles, last, time)) sum += tile.registers;
      most = std::max(most, sum);
    }
    CHECK(most == roles.trace().roles[last].held.count() / (4 * 128));
  }
}

TEST_CASE("each part of dQ goes through a stage of its consumer, and the writer adds it before the next one comes") {
  Headless window(backward, {1600, 1000, 1});
  finish(window);
  const explorer::RoleTrace& roles = window.explorer.model.world.replay().roles;
  int parts = 0;
  for (const explorer::RingStage& stage : roles.stages()) {
    if (stage.tensor != sim::Tensor::dQ_acc) continue;
    ++parts;
    CHECK(stage.fillings.size() == roles.blocks().size());
    sim::Cycles free;
    for (const explorer::StageFilling& filling : stage.fillings) {
      CHECK(roles.lanes()[filling.reader].badge == "W");
      CHECK(filling.begin >= free);
      CHECK(filling.full <= filling.read);
      CHECK(filling.read < filling.released);
      free = filling.released;
    }
  }
  CHECK(parts == 2);
  for (const explorer::RoleSpan& product : roles.lanes().back().products)
    CHECK(product.block == roles.blocks()[static_cast<std::size_t>(product.block)]);
}

TEST_CASE("words on a backward pass name what a role waits for: a part of dQ, a meeting, a tile by its tensor") {
  Headless window(backward, {1600, 1000, 1});
  finish(window);
  const explorer::RoleTrace& roles = window.explorer.model.world.replay().roles;
  std::string all;
  for (const sim::Cycles time : roles.stops()) {
    for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
      const auto words = explorer::role_words(explorer::Language::en, roles, role, time);
      all += ui::plain(words.does + "; " + words.why + "; " + words.meanwhile) + "\n";
    }
  }
  for (const char* part : {"for dQ3 of consumer 1: it is not computed yet", "which consumer 2 writes to shared memory",
                           "its part of dS is not in shared memory", "dQ3 to shared memory", "its own dP3",
                           "its reduction of 1: dQ3 is on its way to HBM"})
    CHECK_THAT(all, Contains(part));
  for (const char* wrong : {"acc", "QK", "dOV", "all warpgroups", "has not issued its copy of dQ", "turn"})
    CHECK_THAT(all, !Contains(wrong));
}
