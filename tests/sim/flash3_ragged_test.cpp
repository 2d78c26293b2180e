// Ragged batches of flash3: its counts, values, times and HBM traffic, and its note on few queries.
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/ragged.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

using namespace sim;
using Catch::Contains;

namespace {

const std::string r1 = "1 1024 1024, 1 512 512, 2 128 128", r2 = "3 1 777, 1 300 1000";
const std::vector<std::string> schedules = {"overlapped", "ping-pong", "warp-specialised", "serial"};

Scenario scenario(OptionValues values) {
  values.emplace("algorithm", "flash3");
  return scenario_from(values, built_in_gpu);
}

Scenario with(Scenario s, SequenceClasses classes) {
  s.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
  return s;
}

std::string describe_ragged(const Scenario& s) { return describe(s) + " seqlens " + text_of(*s.sequences); }

/// Tiles of a row block of an entry that a causal mask leaves, each with all of its keys.
std::int64_t causal_keys(std::int64_t queries, std::int64_t keys, std::int64_t br, std::int64_t bc) {
  std::int64_t all = 0;
  for (std::int64_t end = br; end < queries + br; end += br) {
    const std::int64_t seen = std::max<std::int64_t>(0, keys - queries + std::min(end, queries));
    all += std::min(keys, ceil_div(seen, bc) * bc);
  }
  return all;
}

/// Options and lengths as people type them: heads to 128 in groups, all head dimensions, masks, any schedule.
Scenario drawn(Dice& dice) {
  Scenario s = scenario({{"schedule", schedules[static_cast<std::size_t>(dice.between(0, 3))]},
                         {"head-dim", std::array{"64", "128", "256"}[static_cast<std::size_t>(dice.between(0, 2))]},
                         {"dtype", dice.one_in(2) ? "fp16" : "bf16"},
                         {"grid", dice.one_in(2) ? "persistent" : "one"}});
  s.shape.kv_heads = std::int64_t{1} << dice.between(0, 4);
  s.shape.heads = s.shape.kv_heads * (std::int64_t{1} << dice.between(0, 3));
  s.shape.mask.causal = dice.one_in(2);
  if (dice.one_in(4)) s.shape.mask.window = dice.between(0, 5000);
  if (dice.one_in(4)) s.issue = IssueOrder::longest;
  return s;
}

/// Draws entries whose 16 operations a score and element stay below 2^62: lengths to `longest`, counts to `most`.
SequenceClasses drawn_lengths(Dice& dice, const Shape& shape, std::int64_t longest, std::int64_t most) {
  SequenceClasses classes;
  double room = 0x1p58 / static_cast<double>(shape.heads * shape.head_dim);
  std::int64_t entries = 1 << 20;
  for (std::int64_t n = dice.between(1, 5); n > 0; --n) {
    const std::int64_t queries = dice.near_an_end(1, longest);
    SequenceClass c{std::min(dice.near_an_end(1, most), entries), queries,
                    dice.one_in(2) ? queries : dice.near_an_end(1, longest)};
    const double scores = static_cast<double>(c.seqlen_q) * static_cast<double>(c.seqlen_k);
    c.count = std::min(c.count, static_cast<std::int64_t>(room / scores));
    if (c.count < 1) break;
    entries -= c.count;
    room -= scores * static_cast<double>(c.count);
    classes.push_back(c);
    if (entries == 0) break;
  }
  return classes;
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

/// Draws `typed` batches of long entries, and as many short ones that a walk over every CTA counts as well.
void check_counts(std::uint64_t seed, int typed) {
  Dice dice(seed);
  for (int n = 0; n < typed; ++n) {
    const Scenario options = drawn(dice);
    const Scenario s = with(options, drawn_lengths(dice, options.shape, 131'072, dice.one_in(2) ? 1 << 20 : 3));
    INFO(describe_ragged(s));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    Scenario small = options;
    small.shape.kv_heads = std::min<std::int64_t>(2, small.shape.kv_heads);
    small.shape.heads = small.shape.kv_heads * dice.between(1, 3);
    small = with(small, drawn_lengths(dice, small.shape, 700, 2));
    INFO(describe_ragged(small));
    const Plan walked = make_plan(small);
    REQUIRE(counted(walked) == closed_form(walked));
    REQUIRE(totals_of(walked) == count_by_brute_force(walked));
  }
}

double microseconds_of(OptionValues values, const std::string& seqlens) {
  values["seqlens"] = seqlens;
  return simulate(scenario(values)).microseconds;
}

std::string note_of(const OptionValues& values) {
  for (const std::string& warning : simulate(scenario(values)).warnings)
    if (warning.find("few queries") == 0) return warning;
  return "";
}

}  // namespace

TEST_CASE("the reference batches R1 and R2 by flash3 have the bytes of its tiles, counted by hand") {
  for (const bool causal : {false, true}) {
    for (const std::string& schedule : schedules) {
      OptionValues values = {{"seqlens", r1}, {"heads", "8"}, {"schedule", schedule}};
      if (causal) values["causal"] = "1";
      const Simulation first = simulate(scenario(values));  // tiles of 192 x 192, causal 192 x 128
      const std::int64_t row_blocks = 6 + 3 + 2 * 1;
      std::int64_t keys = 6 * 1024 + 3 * 512 + 2 * 128;
      if (causal)
        keys =
            causal_keys(1024, 1024, 192, 128) + causal_keys(512, 512, 192, 128) + 2 * causal_keys(128, 128, 192, 128);
      CHECK(keys == (causal ? 5'504 : 7'936));
      CHECK(first.totals.tensor(Tensor::K).read.count() == 8 * keys * 64 * 2);
      CHECK(first.totals.tensor(Tensor::V).read.count() == 8 * keys * 64 * 2);
      CHECK(first.totals.tensor(Tensor::Q).read.count() == 1'835'008);
      CHECK(first.totals.tensor(Tensor::O).written.count() == 1'835'008);
      CHECK(first.totals.tensor(Tensor::L).written.count() == 57'344);
      CHECK(first.totals.tensor(Tensor::sequences).read.count() == 16 * 8 * row_blocks);
      CHECK(first.kernels[0].ctas == 8 * row_blocks);

      values["seqlens"] = r2;
      values["heads"] = "4";
      values["kv-heads"] = "2";
      values["head-dim"] = "128";
      const Simulation second = simulate(scenario(values));  // 128 x 176, causal 128 x 128
      keys = 3 * 777 + 3 * 1000;
      if (causal) keys = 3 * causal_keys(1, 777, 128, 128) + causal_keys(300, 1000, 128, 128);
      CHECK(second.totals.tensor(Tensor::K).read.count() == (causal ? 5'352'448 : 5'458'944));
      CHECK(second.totals.tensor(Tensor::K).read.count() == 4 * keys * 128 * 2);
      CHECK(second.totals.tensor(Tensor::Q).read.count() == 310'272);
      CHECK(second.totals.tensor(Tensor::L).written.count() == 4'848);
      CHECK(second.totals.tensor(Tensor::sequences).read.count() == 16 * 4 * (3 + 3));
      if (!causal) CHECK(second.totals.matmul_flops.count() == 619'173'888);
      if (!causal) CHECK(second.totals.exps.count() == 1'209'324);
    }
  }
}

TEST_CASE("one role of a CTA of flash3 reads the table, before its tiles: the producer, or the first warpgroup") {
  for (const std::string& schedule : schedules) {
    const Plan plan = make_plan(scenario({{"seqlens", r1}, {"schedule", schedule}}));
    const Trace trace = replay(plan, plan.launches[0], {});
    int reads = 0;
    std::vector<Tensor> loaded;
    for (const Event& event : trace.events) {
      if (event.direction != Direction::read || event.role != 0) continue;
      loaded.push_back(event.tensor);
      reads += event.tensor == Tensor::sequences ? 1 : 0;
    }
    INFO(schedule);
    CHECK(reads == 1);
    CHECK(loaded.front() == Tensor::sequences);
  }
}

TEST_CASE("walk == closed form == count on 200 random ragged batches of flash3, and 100 to 131,072 tokens") {
  check_counts(61, 100);
}

TEST_CASE("walk == closed form == count on 2,000 random ragged batches of flash3 to 131,072 tokens", "[slow]") {
  check_counts(62, 2000);
}

TEST_CASE("an entry of a ragged batch of flash3 has the values of a separate attention, bit for bit") {
  const SequenceClasses classes = {{2, 200, 333}, {1, 70, 500}, {1, 1, 260}};
  for (const std::string& schedule : schedules) {
    for (const char* causal : {"0", "1"}) {
      const Scenario s =
          with(scenario({{"heads", "4"}, {"kv-heads", "2"}, {"causal", causal}, {"schedule", schedule}}), classes);
      const Plan plan = make_plan(s);
      const AttentionInputs all = inputs_of(s);
      INFO(schedule << ", causal " << causal);
      for (std::size_t n = 0; n < classes.size(); ++n) {
        const Plan& of_class = classes_of(plan)[n];
        const AttentionInputs own = inputs_of_class(plan, all, of_class);
        Scenario alone = s;
        alone.sequences = nullptr;
        alone.shape = shape_of(s, classes[n]);
        const AttentionOutputs together = compute(of_class, own), apart = compute(make_plan(alone), own);
        CHECK(together.o == apart.o);
        CHECK(together.log_sum_exp == apart.log_sum_exp);
      }
    }
  }
}

TEST_CASE("equal entries of flash3 take the same time as one class and as several") {
  for (const char* causal : {"0", "1"}) {
    for (const char* grid : {"persistent", "one"}) {
      for (const char* issue : {"file", "longest"}) {
        const OptionValues values = {{"heads", "8"}, {"causal", causal}, {"grid", grid}, {"issue", issue}};
        INFO("causal " << causal << ", grid " << grid << ", issue " << issue);
        for (const char* n : {"128", "1024", "3000", "9000"}) {
          const std::string size = text(n, " ", n);
          const double one = microseconds_of(values, "2 " + size);
          CHECK(microseconds_of(values, "1 " + size + ", 1 " + size) == Approx(one).epsilon(1e-4));
        }
        const double many = microseconds_of(values, "40 4096 4096");  // sampled
        CHECK(microseconds_of(values, "25 4096 4096, 15 4096 4096") == Approx(many).epsilon(0.01));
      }
    }
  }
}

TEST_CASE("a ragged batch of flash3 takes the time of its largest entry to that of all entries, one after the other") {
  Dice dice(63);
  for (int n = 0; n < 60; ++n) {
    Scenario s = drawn(dice);
    s.shape.kv_heads = std::min<std::int64_t>(4, s.shape.kv_heads);
    s.shape.heads = std::min<std::int64_t>(8, s.shape.heads);
    s.shape.heads -= s.shape.heads % s.shape.kv_heads;
    const SequenceClasses classes =
        n == 0 ? read_sequences(r1) : drawn_lengths(dice, s.shape, dice.one_in(2) ? 4000 : 20'000, 3);
    s = with(s, classes);
    INFO(describe_ragged(s));
    double longest = 0, sum = 0;
    for (SequenceClass c : classes) {
      const double entries = static_cast<double>(c.count);
      c.count = 1;
      const double one = simulate(with(s, {c})).microseconds;
      longest = std::max(longest, one);
      sum += entries * one;
    }
    const double all = simulate(s).microseconds;
    CHECK(all >= 0.99 * longest);  // its CTAs take part of the time of a common average
    CHECK(all <= 1.01 * sum);
  }
}

TEST_CASE("a ragged batch of flash3 keeps compulsory <= HBM <= tile traffic in each direction and tensor") {
  Dice dice(64);
  for (int n = 0; n < 60; ++n) {
    Scenario s = drawn(dice);
    s = with(s, drawn_lengths(dice, s.shape, dice.one_in(3) ? 100'000 : 8000, 3));
    if (dice.one_in(2)) s.l2 = dice.between(1, 40) << 20;
    INFO(describe_ragged(s));
    const Simulation run = simulate(s);
    const KernelMeters& kernel = run.kernels[0];
    for (const auto& [tensor, least] : kernel.compulsory_by_tensor) {
      INFO(name_of(tensor));
      const Traffic hbm = kernel.hbm.at(tensor), tile = kernel.totals.by_tensor.at(tensor);
      CHECK(least.read <= hbm.read);
      CHECK(least.written <= hbm.written);
      CHECK(hbm.read <= tile.read);
      CHECK(hbm.written <= tile.written);
    }
  }
}

TEST_CASE("causal, flash3 issues entries by the file or the longest first, each from its last row block") {
  const OptionValues values = {{"heads", "8"}, {"causal", "1"}, {"head-dim", "128"}};
  OptionValues longest = values;
  longest["issue"] = "longest";
  const std::string late = "200 128 128, 1 8192 8192", early = "1 8192 8192, 200 128 128";
  CHECK(microseconds_of(longest, late) < microseconds_of(values, late));
  CHECK(microseconds_of(longest, late) == Approx(microseconds_of(values, early)).epsilon(1e-3));
}

TEST_CASE("2^20 entries of one class of flash3 are counted with as many events as one") {
  const Scenario options = scenario({{"causal", "1"}, {"head-dim", "128"}});
  const Simulation one = simulate(with(options, {{1, 512, 512}})), all = simulate(with(options, {{1 << 20, 512, 512}}));
  CHECK(all.totals.total.read == one.totals.total.read * (1 << 20));
  CHECK(all.kernels[0].ctas == one.kernels[0].ctas * (1 << 20));
  CHECK(all.traces[0].events.size() == one.traces[0].events.size());
}

TEST_CASE("a ragged flash3 refuses what a ragged flash2 refuses") {
  for (const char* other : {"batch", "seqlen", "seqlen-q", "seqlen-k", "padding", "layers"}) {
    CHECK_THROWS_WITH(make_plan(scenario({{"seqlens", r1}, {other, "2"}})),
                      Contains(text(other, ": is for entries of one length, but --seqlens gives each its own")));
  }
  CHECK_THROWS_WITH(make_plan(scenario({{"seqlens", r1}, {"inputs", "worked"}})), Contains("leave out --inputs"));
  CHECK_THROWS_WITH(make_plan(scenario({{"seqlens", r1}, {"pattern", "causal"}})), Contains("pattern"));
  CHECK_THROWS_WITH(make_plan(scenario({{"issue", "longest"}})), Contains("order of the lines of --seqlens"));
}

TEST_CASE("few queries of flash3 have a note on what the released code does with them, in the order of its rules") {
  const std::string neither =
      "packs query heads and splits the keys here, this program does neither: see flash-decoding";
  const OptionValues decode = {{"seqlen-q", "1"}, {"seqlen-k", "8192"}, {"heads", "32"}, {"kv-heads", "8"}};
  const auto changed = [&](const OptionValues& changes) {
    OptionValues values = decode;
    for (const auto& [name, value] : changes) values[name] = value;
    return note_of(values);
  };
  CHECK_THAT(note_of(decode), Contains(neither));
  CHECK_THAT(changed({{"seqlen-q", "16"}}), Contains(neither));  // 16 x 4 = 64 rows
  CHECK(changed({{"seqlen-q", "17"}}).empty());
  CHECK_THAT(changed({{"kv-heads", "32"}}), Contains("splits the keys here, this program does not"));
  CHECK_THAT(changed({{"batch", "16"}}), Contains("packs query heads here, this program does not"));  // 128 of 132 SMs
  CHECK_THAT(changed({{"seqlen-k", "768"}}), Contains("packs query heads here"));                     // 4 tiles of 192
  CHECK_THAT(changed({{"seqlen-k", "769"}}), Contains(neither));
  CHECK_THAT(changed({{"window", "500"}, {"causal", "1"}}), Contains("packs query heads here"));  // 501 keys in reach
  CHECK(changed({{"kv-heads", "32"}, {"batch", "4"}}).empty());
  CHECK(changed({{"algorithm", "flash2"}}).empty());
  CHECK(note_of({{"seqlen", "1024"}, {"heads", "8"}}).empty());
  CHECK_THAT(note_of({{"seqlens", "1 1 65536, 63 1 128"}, {"heads", "8"}}), Contains("splits the keys"));
  CHECK(note_of({{"seqlens", r1}, {"heads", "8"}}).empty());
}
