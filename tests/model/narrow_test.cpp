// What the view "numbers" is drawn from: a tile of Q, errors of O, and lanes, against whole runs and closed forms.
#include "viz/model/narrow.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "viz/model/action.h"

namespace {

using Catch::Contains;
using Catch::Matchers::WithinRel;
using explorer::Language;

const std::string e4m3 = "algorithm=flash3&dtype=e4m3&inputs=outliers&head-dim=128&center=numbers";

explorer::Model narrow_model(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  INFO(link);
  REQUIRE(model.link_errors.empty());
  REQUIRE(model.world.error().empty());
  return model;
}

/// Numbers with everything computed.
explorer::NarrowNumbers numbers_of(const explorer::Model& model) {
  for (int n = 0; n < 3; ++n) {  // inputs, then what needs them
    explorer::narrow_numbers(model.state, model.world);
    explorer::narrow_lanes(model.world);
    while (model.world.tasks.advance()) {
    }
  }
  return explorer::narrow_numbers(model.state, model.world);
}

}  // namespace

TEST_CASE("the tile in view has the largest value of Q, or is that of the link, and keys choose its neighbours") {
  explorer::Model model = narrow_model(e4m3 + "&seqlen=1024&seed=5");
  const explorer::NarrowNumbers numbers = numbers_of(model);
  REQUIRE(numbers.tile != nullptr);
  const std::vector<float>& q = numbers.inputs.inputs()->q;
  REQUIRE(q.size() == 1024 * 128);
  float largest = 0;
  std::size_t at = 0;
  for (std::size_t n = 0; n < q.size(); ++n) {
    if (std::abs(q[n]) > largest) largest = std::abs(q[n]), at = n;
  }
  CHECK(numbers.row == static_cast<std::int64_t>(at / 128 / 128));
  CHECK(numbers.tile->before().largest() == largest);
  CHECK(numbers.inputs.tiles() == 8);
  model.apply(explorer::Act{"step-back"});
  CHECK(model.state.look.q_tile == std::max<std::int64_t>(0, numbers.row - 1));
  model.apply(explorer::Act{"step"});
  model.apply(explorer::Act{"step"});
  CHECK(model.state.look.q_tile == std::min<std::int64_t>(7, std::max<std::int64_t>(0, numbers.row - 1) + 2));
  CHECK_THAT(model.link(), Contains("q-tile="));
  explorer::Model last = narrow_model(e4m3 + "&seqlen=1024&q-tile=1000000");
  CHECK(numbers_of(last).row == 7);
}

TEST_CASE("scales and rotation change the errors, and keep the inputs that are drawn") {
  explorer::Model model = narrow_model(e4m3 + "&seqlen=8192");
  const auto inputs = numbers_of(model).inputs.inputs();
  const std::vector<explorer::OutputError> all = numbers_of(model).errors->all();
  REQUIRE(all.size() == 4);
  CHECK(all[0].value.value() > 2 * all[3].value.value());
  CHECK(numbers_of(model).errors->in_fp16().value() < 0.1 * all[3].value.value());
  const float of_block = numbers_of(model).tile->before().scale();
  model.set_option("fp8-scales", "tensor");
  CHECK(numbers_of(model).inputs.inputs() == inputs);
  CHECK(numbers_of(model).tile->before().scale() >= of_block);
  model.set_option("rotate", "0");
  CHECK(numbers_of(model).inputs.inputs() == inputs);
  for (std::size_t n = 0; n < 4; ++n) CHECK(numbers_of(model).errors->all()[n].value == all[n].value);
  model.set_option("seed", "1");
  CHECK(numbers_of(model).inputs.inputs() != inputs);
}

TEST_CASE("the sentence says what rotation changes, that normal inputs have no outliers, and which d has no rotation") {
  const auto sentence = [](const std::string& link) {
    const explorer::Model model = narrow_model(link);
    return explorer::narrow_sentence(Language::en, numbers_of(model));
  };
  CHECK_THAT(sentence(e4m3 + "&seqlen=8192"), Contains("become 1.9 times smaller"));
  CHECK_THAT(sentence(e4m3 + "&seqlen=600"), Contains("no spike of Q meets one of K"));
  CHECK_THAT(sentence("algorithm=flash3&dtype=e4m3&head-dim=128&seqlen=300&center=numbers"), Contains("no outliers"));
  const explorer::Model odd =
      narrow_model("algorithm=flash3&dtype=e4m3&inputs=outliers&head-dim=96&seqlen=300&center=numbers");
  CHECK(numbers_of(odd).tile->rotated() == nullptr);
  CHECK(numbers_of(odd).errors->all().size() == 2);
  CHECK_THAT(explorer::narrow_sentence(Language::en, numbers_of(odd)), Contains("No rotation has 96 columns"));
}

TEST_CASE("in 8 bits a tile's products take half the cycles of a key, exponentials as many, and a key less than half") {
  const explorer::Model model = narrow_model(e4m3 + "&seqlen=8192&batch=4&heads=16");
  numbers_of(model);
  const explorer::NarrowLanes& lanes = explorer::narrow_lanes(model.world);
  REQUIRE(lanes.narrow() != nullptr);
  REQUIRE(lanes.wide() != nullptr);
  const explorer::NarrowRun& narrow = *lanes.narrow();
  const explorer::NarrowRun& wide = *lanes.wide();
  CHECK((narrow.tiling.bc == 224 && wide.tiling.bc == 176));
  // 4 Br Bc d FLOPs at 8,192 and 4,096 a cycle, Br Bc exponentials at 16 a cycle.
  CHECK_THAT(narrow.products, WithinRel(4. * 128 * 224 * 128 / 8192, 1e-9));
  CHECK_THAT(wide.products, WithinRel(4. * 128 * 176 * 128 / 4096, 1e-9));
  CHECK_THAT(narrow.exps, WithinRel(128. * 224 / 16, 1e-9));
  CHECK_THAT(wide.exps, WithinRel(128. * 176 / 16, 1e-9));
  CHECK(narrow.tile >= narrow.exps);
  CHECK(wide.tile >= wide.products);
  CHECK(wide.per_key() / narrow.per_key() > 1);
  CHECK(wide.per_key() / narrow.per_key() < 2);
  CHECK(lanes.transposed_bytes() == 2 * 224 * 128);
  CHECK(narrow.roles->trace().peak_smem.count() == 188'416);
  CHECK(wide.roles->trace().peak_smem.count() == 212'992);
}

TEST_CASE("keys of V transposed are in the order of the registers of S, each once") {
  const std::int64_t first[] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 16, 17, 24, 25};
  for (std::int64_t place = 0; place < 20; ++place) CHECK(explorer::key_of_transposed(place) == first[place]);
  // wgmma's C fragment gives a thread keys 2t, 2t + 1 of each 8; its A fragment in 8 bits takes 4 consecutive ones
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    for (std::int64_t n = 0; n < 4; ++n)
      CHECK(explorer::key_of_transposed(4 * thread + n) == 2 * thread + n % 2 + 8 * (n / 2));
  }
  std::set<std::int64_t> keys;
  for (std::int64_t place = 0; place < 224; ++place) keys.insert(explorer::key_of_transposed(place));
  CHECK((keys.size() == 224 && *keys.rbegin() == 223));
}
