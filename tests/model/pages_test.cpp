// What the view "pages" is drawn from: the allocator after each step, against its history, its closed forms, and the
// values of the command line.
#include "viz/model/pages.h"

#include <catch2/catch.hpp>

#include "sim/catalogue/run_values.h"
#include "sim/programs/key_sections.h"
#include "sim/report/numbers.h"
#include "viz/model/action.h"

namespace {

using Catch::Contains;
using explorer::Language;
using explorer::PageMoment;

const std::string decode = "algorithm=paged-attention&heads=8&seqlen-q=1&page-size=16&center=pages";
const std::string four = decode + "&seqlen-k=500&steps=128&samples=4";

explorer::Model model_at(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  INFO(link);
  REQUIRE(model.link_errors.empty());
  REQUIRE(model.world.error().empty());
  return model;
}

const PageMoment& moment_of(const explorer::Model& model) { return explorer::page_moment(model.state, model.world); }

std::string sentence(explorer::Model& model, int token) {
  model.state.look.token = token;
  return explorer::pages_sentence(Language::en, moment_of(model));
}

}  // namespace

TEST_CASE("four samples of a prompt of 500 tokens have 35 pages after a token and 67 at the end, after 3 copies") {
  explorer::Model model = model_at(four);
  const std::pair<int, std::int64_t> golden[] = {{0, 32}, {1, 35}, {12, 35}, {13, 39}, {29, 43}, {128, 67}};
  for (const auto& [token, pages] : golden) {
    model.state.look.token = token;
    CHECK(moment_of(model).pool()->used() == pages);
    CHECK(moment_of(model).used(token) == pages);
    CHECK(moment_of(model).pool()->copies() == (token == 0 ? 0 : 3));
  }
  const PageMoment& end = moment_of(model);
  CHECK(end.blocks_unshared() == 160);
  CHECK(report::percent(end.mean_filled()) == "96.2 %");
  CHECK_THAT(end.mean_filled(), Catch::WithinAbs(0.9617, 5e-5));
  const std::vector<explorer::PageSlots> slots = end.slots();
  const std::int64_t kept[] = {8192, 4096, 2512, 2560, 1072};
  for (std::size_t n = 0; n < 5; ++n) CHECK(slots[n].slots == kept[n]);
  CHECK(slots[4].filled == 1024);
  CHECK(slots[4].last_page == 48);
  CHECK(slots[0].reserved() == 8192 - 2512);
}

TEST_CASE("with a prompt of 512 tokens there are 64 pages and no copies") {
  explorer::Model model = model_at(decode + "&seqlen-k=512&steps=128&samples=4&token=128");
  CHECK(moment_of(model).pool()->used() == 64);
  CHECK(moment_of(model).pool()->copies() == 0);
  CHECK_THAT(sentence(model, 1), Contains("new pages 4, 36 in use"));
  CHECK_THAT(sentence(model, 2), Contains("filled to 2 of 16"));
}

TEST_CASE("the bytes of a step of four samples are those of the closed forms for 501 keys") {
  const explorer::Model model = model_at(four);
  const explorer::PageBytes& bytes = moment_of(model).bytes();
  CHECK(bytes.keys_and_values == 4'104'192);
  CHECK(bytes.table == 8192);
  CHECK(bytes.ctas == 32);
}

TEST_CASE("the sentence of a step says what the allocator did") {
  explorer::Model model = model_at(four);
  CHECK(sentence(model, 0) == "500 tokens are in the cache, in 32 pages. A step appends one to each sequence.");
  const std::string page = std::to_string(moment_of(model).sequences()[0].pages.back());
  CHECK(sentence(model, 1) == "Samples 0 to 2 find page " + page +
                                  " held by others and copy it. Sample 3 finds itself alone and writes in place: 3 "
                                  "copies, not 4.");
  CHECK_THAT(sentence(model, 2), Contains("now filled to 6 of 16: no page is taken"));
  CHECK(sentence(model, 13) == "The last page of each sequence is full: new pages 4, 39 in use.");
  CHECK(explorer::pages_headline(Language::en, moment_of(model)) ==
        "500 prompt and 128 generated tokens, 4 samples: 67 pages instead of 160");
  CHECK(explorer::pages_lesson(Language::en, moment_of(model)).first == "Sharing saves 58.1 % of the pages");
  CHECK_THAT(explorer::pages_lesson(Language::en, moment_of(model)).second,
             Contains("at the end 95.5 %, tokens of all sequences by slots 2.34") && Contains("96.2 %"));
  explorer::Model two = model_at(decode + "&seqlen-k=500&steps=8&samples=2");
  CHECK_THAT(sentence(two, 1), Contains("1 copy, not 2"));
  explorer::Model prompts = model_at(decode + "&seqlen-k=500&steps=8&samples=2&batch=3");
  CHECK_THAT(sentence(prompts, 1), Contains("3 copies, not 6"));
  explorer::Model one = model_at(decode + "&seqlen-k=628");
  CHECK(explorer::pages_headline(Language::en, moment_of(one)) == "628 tokens in 40 pages of 16");
  CHECK_THAT(sentence(one, 1), Contains("appends no token"));
}

TEST_CASE("the tables of every step are those of the allocator's history") {
  for (const auto& [prompt, steps, samples, rows] :
       {std::array{500, 128, 4, 16}, {7, 40, 3, 4}, {0, 30, 2, 8}, {64, 64, 1, 1}, {25, 60, 6, 32}}) {
    explorer::Model model =
        model_at(sim::text("algorithm=flash-decoding&seqlen-q=1&center=pages&seed=7&seqlen-k=", prompt,
                           "&steps=", steps, "&samples=", samples, "&page-size=", rows));
    const sim::Continuations of{prompt, steps, samples, rows, 7};
    for (int token = 0; token <= steps; token += 1 + token / 5) {
      model.state.look.token = token;
      const PageMoment& m = moment_of(model);
      sim::Continuations until = of;
      until.steps = token;
      until.pool = m.pool()->pages();
      const sim::PageHistory history = sim::history_of(until);
      INFO(prompt << " " << samples << " " << rows << " after " << token);
      for (std::size_t s = 0; s < history.sequences.size(); ++s) {
        CHECK(m.sequences()[s].pages == history.sequences[s].pages);
        CHECK(m.sequences()[s].tokens == history.sequences[s].tokens);
      }
      CHECK(m.pool()->used() == history.steps.back().used);
      CHECK(m.pool()->filled() == history.steps.back().filled);
      if (token > 0) CHECK(m.writes() == history.steps.back().writes);
      CHECK(m.used(token) == m.pool()->used());
    }
    CHECK(moment_of(model).pool()->pages() == sim::history_of(of).pool.pages());
  }
}

TEST_CASE("pages laid out are as many as the run counts, with prefixes, prompts, samples and ragged lengths") {
  for (const std::string& link :
       {four + "&token=128", decode + "&seqlen-k=628&batch=4&shared-prefix=500&samples=3",
        decode + "&seqlen-k=100&batch=30&samples=2&shared-prefix=50&steps=20&token=20",
        std::string("algorithm=paged-attention&center=pages&heads=2&seqlens=1 1 25,3 1 40,2 1 700"),
        std::string("algorithm=flash2&seqlen=1000&page-size=32&batch=3&center=pages")}) {
    const explorer::Model model = model_at(link);
    const PageMoment& m = moment_of(model);
    INFO(link);
    const auto values = sim::values_of(model.world.run().simulation);
    if (m.steps() == 0) CHECK(sim::number_at(values, "pages.blocks") == static_cast<double>(m.pool()->used()));
    CHECK(m.blocks() == m.pool()->used());
    CHECK(m.all_sequences() == std::ssize(m.sequences()));
    std::int64_t held = 0;
    for (std::int64_t page = 0; page < m.pool()->pages(); ++page) {
      const explorer::PageHome& home = m.home(page);
      CHECK((home.block >= 0) == (m.pool()->holders(static_cast<std::int32_t>(page)) > 0));
      if (home.block < 0) continue;
      ++held;
      CHECK(m.sequences()[static_cast<std::size_t>(home.sequence)].pages[static_cast<std::size_t>(home.block)] == page);
    }
    CHECK(held == m.used_before(m.pool()->pages()));
    for (const sim::PagedSequence& sequence : m.sequences()) {
      for (std::size_t block = 0; block < sequence.pages.size(); ++block)
        CHECK((m.pool()->holders(sequence.pages[block]) > 1) ==
              (static_cast<std::int64_t>(block) < m.shared_of(sequence)));
    }
  }
}

TEST_CASE("of very many sequences the first ones are laid out, and a table that is too long is not") {
  const explorer::Model many = model_at(decode + "&seqlen-k=131072&batch=1000");
  CHECK(std::ssize(moment_of(many).sequences()) == PageMoment::most_entries / 8192);
  CHECK(moment_of(many).all_sequences() == 1000);
  CHECK(moment_of(many).blocks() == 8'192'000);
  const explorer::Model huge =
      model_at("algorithm=flash-decoding&center=pages&seqlen-q=1&seqlen-k=16777216&page-size=1&heads=1");
  CHECK_FALSE(moment_of(huge).pool().has_value());
  CHECK(explorer::chosen_page(huge.state.look, moment_of(huge)).page == sim::no_page);
}

TEST_CASE("keys step tokens, choose sequences and their pages, and play") {
  explorer::Model model = model_at(four);
  const auto act = [&](const char* name) { model.apply(explorer::Act{name}); };
  const explorer::Look& look = model.state.look;
  act("step");
  CHECK(look.token == 2);
  act("step-back");
  act("step-back");
  act("step-back");
  CHECK(look.token == 0);
  act("to-end");
  CHECK(look.token == 128);
  act("step");
  CHECK(look.token == 128);
  act("smaller-step");
  CHECK(look.sequence == 1);
  for (int n = 0; n < 9; ++n) act("smaller-step");
  CHECK(look.sequence == 3);
  act("larger-step");
  CHECK(look.sequence == 2);
  act("row-block-back");
  CHECK(look.page == 38);
  act("row-block");
  CHECK(look.page == 39);
  CHECK_THAT(model.link(), Contains("token=128") && Contains("sequence=2") && Contains("page=39"));
  act("play");  // from the end: begins again
  CHECK((model.playing() && look.token == 0));
  int ticks = 0;
  while (model.playing() && ++ticks < 300) model.tick(0.1);
  CHECK((look.token == 128 && ticks > 60 && ticks < 140));
  act("to-start");
  CHECK(look.token == 0);
}
