// Descriptions of a moment, against a search over all events.
#include "viz/model/description.h"

#include <catch2/catch.hpp>

#include "viz/model/event_label.h"
#include "viz/model/model.h"

TEST_CASE("the bytes moved at any time are those of the copies that have ended") {
  for (const char* link : {"#seqlen=512&causal=1&cta=0,0,3,0", "#pass=backward&seqlen=512&kernel=1",
                           "#algorithm=flash1&seqlen=512", "#algorithm=standard&seqlen=512"}) {
    explorer::Model model([](const std::string& name) { return sim::built_in_gpu(name); });
    model.follow(link);
    const auto& events = model.world.replay().trace.events;
    for (std::int64_t n = 0; n <= 60; ++n) {
      model.seek(sim::Cycles(model.world.replay().index.end().count() * n / 60));
      std::int64_t read = 0, written = 0;
      for (const sim::Event& event : events) {
        if (event.end > model.world.time()) continue;
        read += event.direction == sim::Direction::read || event.direction == sim::Direction::both ? event.bytes : 0;
        written +=
            event.direction == sim::Direction::write || event.direction == sim::Direction::both ? event.bytes : 0;
      }
      const explorer::Description now = explorer::describe(model.world.subject(0));
      CHECK(now.moved.read_bytes == read);
      CHECK(now.moved.write_bytes == written);
      for (const std::int32_t copy : now.copies) {
        const sim::Event& event = events[static_cast<std::size_t>(copy)];
        CHECK((event.direction != sim::Direction::none && event.begin <= model.world.time() &&
               event.released > model.world.time()));
      }
      if (now.wait >= 0) {
        const sim::WaitSpan& wait = model.world.replay().trace.waits[static_cast<std::size_t>(now.wait)];
        CHECK((wait.begin <= model.world.time() && model.world.time() < wait.end));
        CHECK(now.event == wait.event);
      }
    }
    CHECK(explorer::describe(model.world.subject(0)).event == -1);
  }
}

TEST_CASE("products and tiles are named as the paper names them") {
  CHECK(explorer::product_in("S = S + Q_ic K_jc^T") == "QK^T");
  CHECK(explorer::product_in("O = O + P V_j") == "PV");
  CHECK(explorer::product_in("no equation").empty());
  CHECK(explorer::letter_of(sim::Tensor::dQ_acc) == 'Q');
  CHECK(explorer::letter_of(sim::Tensor::S_masked) == 'S');
  CHECK(explorer::letter_of(sim::Tensor::dP_dropped) == 'P');
  CHECK(explorer::letter_of(sim::Tensor::alpha) == 0);
  explorer::Model model([](const std::string& name) { return sim::built_in_gpu(name); });
  model.follow("#seqlen=512&cta=0,0,3,0");
  std::string labels;
  for (std::size_t n = 0; n < 6; ++n) {
    const sim::Event& event = model.world.replay().trace.events[n];
    if (event.direction == sim::Direction::read) labels += explorer::label_of(event) + " ";
  }
  CHECK(labels == "Q_{3} K_{0} ");
}
