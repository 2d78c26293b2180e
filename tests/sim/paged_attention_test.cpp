// paged-attention: bytes, work, the choice of its version, values, the FP32 pipe, and what is refused.
#include "sim/programs/paged_attention/paged_attention.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/model/closed_form.h"
#include "sim/model/simulation.h"
#include "sim/model/softmax_row.h"
#include "sim/programs/paged_attention/tensors.h"
#include "sim/programs/ragged.h"
#include "tests/support/independent_count.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

using namespace sim;
using Catch::Contains;

namespace {

/// Sequences that read a token each.
Scenario decoding(SequenceClasses sequences, std::int64_t heads, std::int64_t kv_heads, std::int64_t d,
                  std::optional<std::int64_t> partition = {}) {
  Scenario s;
  s.algorithm = "paged-attention";
  s.shape = {.heads = heads, .kv_heads = kv_heads, .seqlen_q = 1, .head_dim = d};
  if (partition) s.own["partition"] = *partition;
  if (sequences.size() > 1) {
    s.sequences = std::make_shared<const SequenceClasses>(std::move(sequences));
    return s;
  }
  s.shape.batch = sequences.front().count;
  s.shape.seqlen_k = sequences.front().seqlen_k;
  return s;
}

Scenario of_pages(Scenario s, std::int64_t rows) {
  s.page_size = rows;
  return s;
}

/// Bytes and CTAs of a run, as tests/golden of the reference names them.
struct Moved {
  std::int64_t q = 0, table = 0, lengths = 0, k = 0, v = 0, o = 0;
  std::int64_t o_part_written = 0, m_part_written = 0, l_part_written = 0;
  std::int64_t o_part_read = 0, m_part_read = 0, l_part_read = 0;
  std::int64_t ctas = 0, reduce_ctas = 0;
  friend bool operator==(const Moved&, const Moved&) = default;
};

std::int64_t ctas_of(const Plan& plan, std::size_t kernel) {
  std::int64_t ctas = 0;
  if (kernel < plan.launches.size()) {
    for (const Grid& grid : segments_of(plan, plan.launches[kernel])) ctas += grid.ctas();
  }
  return ctas;
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

Moved moved_by(const Plan& plan) {
  const Totals totals = totals_of(plan);
  const auto read = [&](Tensor t) { return totals.tensor(t).read.count(); };
  const auto written = [&](Tensor t) { return totals.tensor(t).written.count(); };
  using enum Tensor;
  return {read(Q),      read(block_table), read(seq_lens),   read(K),         read(V),
          written(O),   written(O_part16), written(m_part),  written(l_part), read(O_part16),
          read(m_part), read(l_part),      ctas_of(plan, 0), ctas_of(plan, 1)};
}

/// The same by a walk of every sequence and part; all heads move alike.
Moved walked(const SequenceClasses& sequences, std::int64_t heads, std::int64_t row_bytes, std::int64_t page,
             std::int64_t partition) {
  Moved sum;
  for (const SequenceClass& c : sequences) {
    for (std::int64_t head = 0; head < c.count * heads; ++head) {
      const std::int64_t of_part = partition == 0 ? c.seqlen_k : partition, parts = ceil_div(c.seqlen_k, of_part);
      for (std::int64_t begin = 0; begin < c.seqlen_k; begin += of_part) {
        const std::int64_t end = std::min(c.seqlen_k, begin + of_part);
        ++sum.ctas;
        sum.lengths += 4;
        sum.q += row_bytes;
        sum.table += 2 * 4 * (ceil_div(end, page) - begin / page);
        sum.k += (end - begin) * row_bytes;
        sum.v += (end - begin) * row_bytes;
        if (partition == 0) continue;
        sum.o_part_written += row_bytes;
        sum.m_part_written += 4;
        sum.l_part_written += 4;
      }
      sum.o += row_bytes;
      if (partition == 0) continue;
      ++sum.reduce_ctas;
      sum.lengths += 4;
      sum.o_part_read += parts * row_bytes;
      if (parts == 1) continue;  // copied
      sum.m_part_read += 4 * parts;
      sum.l_part_read += 4 * parts;
    }
  }
  return sum;
}

/// Lengths of up to `longest` tokens, all or some of them short.
SequenceClasses random_sequences(Dice& dice, std::int64_t longest, std::int64_t most_entries) {
  SequenceClasses sequences;
  for (std::int64_t n = dice.between(1, 4); n > 0; --n) {
    const std::int64_t most = dice.one_in(2) ? longest : std::min<std::int64_t>(longest, 1500);
    sequences.push_back({dice.between(1, most_entries), 1, dice.near_an_end(1, most)});
  }
  return sequences;
}

/// A page size that divides the parts, which are whole multiples of it; 0: version 1; none: vLLM's rule.
struct RandomParts {
  std::int64_t page;
  std::optional<std::int64_t> partition;
};

RandomParts random_parts(Dice& dice) {
  const std::int64_t page = std::int64_t{1} << dice.between(0, 7);
  const std::int64_t kind = dice.between(0, 3);
  if (kind == 0) return {page, std::nullopt};
  if (kind == 1) return {dice.between(1, 100), 0};
  return {page, kind == 2 ? 512 : page * dice.between(1, 40)};
}

/// Draws `cases` batches as users have them: up to 64 sequences of a length, 131,072 tokens and 128 heads.
void check_random_batches(std::uint64_t seed, int cases) {
  Dice dice(seed);
  int ragged = 0, of_version_1 = 0;
  for (int n = 0; n < cases;) {
    const SequenceClasses sequences = random_sequences(dice, 131'072, 64);
    const std::int64_t kv_heads = dice.between(1, 8), heads = kv_heads * dice.between(1, 16),
                       d = 8 * dice.between(1, 32);
    const RandomParts parts = random_parts(dice);
    Scenario s = of_pages(decoding(sequences, heads, kv_heads, d, parts.partition), parts.page);
    s.dtype = static_cast<Dtype>(dice.between(0, 2));
    if (!scenario_error(s).empty()) continue;
    INFO(text_of(sequences) << " heads " << heads << " d " << d << " page " << parts.page);
    const Plan plan = make_plan(s);
    const std::int64_t partition = value_of(plan.program->options.front(), plan);
    REQUIRE(moved_by(plan) == walked(sequences, heads, d * size_of(s.dtype), parts.page, partition));
    REQUIRE(counted(plan) == closed_form(plan));
    ++n;
    ragged += sequences.size() > 1 ? 1 : 0;
    of_version_1 += partition == 0 ? 1 : 0;
  }
  CHECK(ragged > cases / 2);
  CHECK(of_version_1 > cases / 10);
}

}  // namespace

TEST_CASE("a step of paged-attention moves the bytes of the reference's five cases and one more") {
  struct Case {
    SequenceClasses sequences;
    std::int64_t heads, kv_heads, d, page, partition;
    Moved moved;
  };
  const SequenceClasses four = {{4, 1, 628}}, llama = {{1, 1, 4096}};
  const SequenceClasses ragged = {{2, 1, 100}, {1, 1, 513}, {1, 1, 2000}};
  const Case cases[] = {
      {four, 8, 8, 64, 16, 0, {4'096, 10'240, 128, 2'572'288, 2'572'288, 4'096, 0, 0, 0, 0, 0, 0, 32, 0}},
      {four,
       8,
       8,
       64,
       16,
       512,
       {8'192, 10'240, 384, 2'572'288, 2'572'288, 4'096, 8'192, 256, 256, 8'192, 256, 256, 64, 32}},
      {llama, 64, 8, 128, 16, 0, {16'384, 131'072, 256, 67'108'864, 67'108'864, 16'384, 0, 0, 0, 0, 0, 0, 64, 0}},
      {llama,
       64,
       8,
       128,
       16,
       512,
       {131'072, 131'072, 2'304, 67'108'864, 67'108'864, 16'384, 131'072, 2'048, 2'048, 131'072, 2'048, 2'048, 512,
        64}},
      {ragged,
       32,
       8,
       128,
       16,
       512,
       {65'536, 44'032, 1'536, 22'224'896, 22'224'896, 32'768, 65'536, 1'024, 1'024, 65'536, 768, 768, 256, 128}},
      {{{1, 1, 33}}, 1, 1, 64, 32, 0, {128, 16, 4, 4'224, 4'224, 128, 0, 0, 0, 0, 0, 0, 1, 0}}};
  for (const Case& c : cases) {
    INFO(text_of(c.sequences) << " partition " << c.partition);
    const Scenario s = of_pages(decoding(c.sequences, c.heads, c.kv_heads, c.d, c.partition), c.page);
    CHECK(moved_by(make_plan(s)) == c.moved);
    CHECK(walked(c.sequences, c.heads, 2 * c.d, c.page, c.partition) == c.moved);
  }
}

TEST_CASE("version 1 runs for up to 8,192 keys if they are one part or if batch x heads is above 512") {
  struct Case {
    std::int64_t batch, keys;
    bool first;
  };
  for (const Case& c : {Case{1, 4096, false},
                        {8, 4096, false},
                        {9, 4096, true},
                        {64, 16384, false},
                        {1, 512, true},
                        {1, 513, false},
                        {256, 512, true},
                        {9, 8192, true},
                        {9, 8193, false}}) {
    INFO(c.batch << " sequences of " << c.keys);
    const Plan plan = make_plan(decoding({{c.batch, 1, c.keys}}, 64, 8, 128));
    CHECK((plan.launches.front().name == "paged_attention_v1") == c.first);
    CHECK(value_of(plan.program->options.front(), plan) == (c.first ? 0 : 512));
    CHECK(plan.problem.parts == (c.first ? 0 : ceil_div(c.keys, 512)));
  }
  const Plan ragged = make_plan(decoding({{8, 1, 100}, {1, 1, 2000}}, 64, 8, 128));  // 9 sequences, the longest counts
  CHECK(ragged.launches.size() == 1);
}

TEST_CASE("counts, closed forms and a walk of every part agree on random batches, long and short") {
  check_random_batches(61, 200);
}

TEST_CASE("counts, closed forms and a walk of every part agree on 2,000 random batches", "[slow]") {
  check_random_batches(60, 2000);
}

TEST_CASE("counts of paged-attention are those of every page of every CTA") {
  Dice dice(62);
  for (int n = 0; n < 150; ++n) {
    const SequenceClasses sequences = random_sequences(dice, 300, 2);
    const std::int64_t page = dice.between(1, 40), of_part = page * dice.between(1, 6);
    Scenario s = of_pages(decoding(sequences, 4, 2, 8, dice.one_in(3) ? 0 : of_part), page);
    INFO(text_of(sequences) << " page " << page << " of part " << of_part);
    const Plan plan = make_plan(s);
    REQUIRE(totals_of(plan) == count_by_brute_force(plan));
    for (const Plan& c : classes_of(plan)) REQUIRE(IndependentCount(c).ledger() == closed_form(c));
  }
}

TEST_CASE("a class of two sequences moves what two classes of one do, and pages of all keys one entry a loop") {
  const Scenario joined = decoding({{2, 1, 700}, {1, 1, 90}}, 4, 2, 64, 512);
  const Scenario apart = decoding({{1, 1, 700}, {1, 1, 90}, {1, 1, 700}}, 4, 2, 64, 512);
  CHECK(totals_of(make_plan(joined)) == totals_of(make_plan(apart)));
  const Plan one = make_plan(of_pages(decoding({{2, 1, 700}}, 4, 2, 64, 0), 700));
  CHECK(moved_by(one).table == 2 * 4 * 4 * 2);
}

TEST_CASE("K and V are read for each query head, however many share a KV head") {
  for (const std::int64_t kv_heads : {1, 2, 8}) {
    const Moved moved = moved_by(make_plan(decoding({{3, 1, 1000}}, 8, kv_heads, 64)));
    CHECK(moved.k == 3 * 8 * 1000 * 64 * 2);
    CHECK(moved.v == moved.k);
  }
}

TEST_CASE("work of paged-attention is that of every key, and of every part if there are several") {
  const auto work = [](std::int64_t partition) {
    return totals_of(make_plan(decoding({{2, 1, 1100}}, 4, 4, 64, partition)));
  };
  const std::int64_t scores = 2 * 4 * 1100;
  CHECK(work(0).matmul_flops == Flops(4 * scores * 64));
  CHECK(work(0).other_flops == Flops(5 * scores));
  CHECK(work(0).exps == Exps(scores));
  CHECK(work(512).other_flops == Flops(5 * scores + 2 * 2 * 4 * 3 * 64));
  CHECK(work(2048).other_flops == work(0).other_flops);  // the only part is copied
}

TEST_CASE("products of paged-attention take the FP32 pipe in every dtype") {
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
    Scenario s = decoding({{64, 1, 4096}}, 64, 8, 128);
    s.dtype = dtype;
    const Simulation run = simulate(s);
    for (const Trace& trace : count(run.plan)) {
      for (const Event& event : trace.events) CHECK((event.matmul_flops == 0 || event.engine == Engine::fp32));
    }
    const auto& resources = run.kernels.front().time.resources;
    const auto of = [&](const std::string& name) {
      return std::find_if(resources.begin(), resources.end(), [&](const auto& r) { return r.first == name; })->second;
    };
    CHECK(of("tensor") == 0);
    CHECK(of("fp32") > of("exp"));
  }
}

TEST_CASE("few long sequences are faster in parts, and the scores of version 1 fill shared memory") {
  const auto run = [](std::int64_t batch, std::int64_t partition) {
    return simulate(decoding({{batch, 1, 4096}}, 64, 8, 128, partition));
  };
  CHECK(run(1, 512).microseconds < 0.8 * run(1, 0).microseconds);
  CHECK(run(1, 0).memory.peak_sram == Bytes(4 * 4096 + 128 * 2));
  CHECK(run(1, 512).memory.peak_sram == Bytes(4 * 512 + 128 * 2));
}

TEST_CASE("O of both versions meets the numerics rule, for any page table with the same bits") {
  Dice dice(63);
  for (int n = 0; n < 24; ++n) {
    Scenario s = decoding({{2, 1, dice.between(1, 150)}}, 4, 2, 8 * dice.between(1, 4));
    s.dtype = static_cast<Dtype>(dice.between(0, 2));
    s.page_size = std::int64_t{1} << dice.between(0, 5);
    s.own["partition"] = dice.one_in(3) ? 0 : *s.page_size * dice.between(1, 3);
    INFO(describe(s) << " page " << *s.page_size);
    const AttentionInputs inputs = draw_with_gradient(s, 5);
    const RuledValues values = check_values_by_rule(s, 5);
    CHECK(values.got.log_sum_exp.empty());
    s.seed = 17 + static_cast<std::uint64_t>(n);  // another permutation of the pages, of the same inputs
    CHECK(compute(make_plan(s), inputs).o == values.got.o);
  }
}

TEST_CASE("a followed row of paged-attention ends with its O, after three loops over the pages of each part") {
  for (const std::int64_t partition : {0, 64}) {
    const Scenario s = decoding({{2, 1, 150}}, 4, 2, 16, partition);
    const auto plan = std::make_shared<const Plan>(make_plan(s));
    const AttentionInputs inputs = draw_inputs(plan->problem.shape, s.dtype, s.seed);
    SoftmaxRow row(plan, 5, 0);
    row.finish();
    const std::vector<float> all = compute(*plan, inputs).o;
    CHECK(row.O() == std::vector<float>(all.begin() + 5 * 16, all.begin() + 6 * 16));
    CHECK(row.tiles().size() == 3 * ceil_div(150, 16));
    CHECK(row.tiles().back().pass == 2);
  }
}

TEST_CASE("O of each sequence of a ragged batch meets the numerics rule, a short one as its only part") {
  const Scenario s = decoding({{2, 1, 20}, {1, 1, 33}, {1, 1, 120}}, 4, 2, 16, 32);
  const Plan plan = make_plan(s);
  REQUIRE(plan.problem.parts == 4);
  std::vector<std::int64_t> parts;
  AttentionInputs all;
  for (const Plan& c : classes_of(plan)) {
    parts.push_back(c.problem.parts);
    const AttentionInputs own = draw_inputs(c.problem.shape, s.dtype, 3 + parts.size());
    all.q.insert(all.q.end(), own.q.begin(), own.q.end());
    all.k.insert(all.k.end(), own.k.begin(), own.k.end());
    all.v.insert(all.v.end(), own.v.begin(), own.v.end());
  }
  CHECK(parts == std::vector<std::int64_t>{1, 2, 4});
  check_classes_by_rule(plan, all);
}

TEST_CASE("a row of scores beyond shared memory is refused, with the largest that fits") {
  const auto refusal = [](const char* gpu, std::int64_t keys) {
    Scenario s = decoding({{1, 1, keys}}, 8, 8, 128, 0);
    s.gpu = built_in_gpu(gpu);
    return scenario_error(s);
  };
  CHECK(refusal("a100-sxm-80gb", 60'000) ==
        "partition: a CTA of paged-attention keeps the scores of its 60000 keys in shared memory, 4 bytes each: on "
        "a100-sxm-80gb at most 41728 fit, 41664 beside the query; use --partition 512, or fewer keys");
  CHECK_THAT(refusal("t4", 60'000), Contains("at most 16384 fit, 16320 beside the query"));
  CHECK_THAT(refusal("h100-sxm", 60'000), Contains("at most 58112 fit, 58048 beside the query"));
  CHECK(refusal("a100-sxm-80gb", 41'664).empty());
  CHECK_FALSE(refusal("a100-sxm-80gb", 41'665).empty());
}

TEST_CASE("paged-attention refuses by name what vLLM's kernel does not do") {
  const auto refusal = [](auto change) {
    Scenario s = decoding({{1, 1, 1000}}, 8, 8, 64);
    change(s);
    return scenario_error(s);
  };
  CHECK(refusal([](Scenario&) {}).empty());
  CHECK(refusal([](Scenario& s) { s.shape.mask.causal = true; }).empty());  // the last query sees all keys
  CHECK(refusal([](Scenario& s) { s.shape.seqlen_q = 2; }) ==
        "seqlen-q: paged-attention has one query of each sequence: use --seqlen-q 1");
  CHECK(refusal([](Scenario& s) { s.br = 16; }) ==
        "br: 16 is not 1: a CTA of paged-attention has the query of one head; leave it out");
  CHECK(refusal([](Scenario& s) { s.bc = 32; }) ==
        "bc: 32 is not 16, the tokens of a page: key blocks of paged-attention are pages; use --page-size");
  CHECK(refusal([](Scenario& s) { s.bc = s.page_size = 32; }).empty());
  CHECK(refusal([](Scenario& s) { s.dropout = 0.1; }) == "dropout: paged-attention has none: leave it out");
  CHECK(refusal([](Scenario& s) { s.shape.mask.window = 5; }) ==
        "window: the query of paged-attention sees all keys: leave it out");
  CHECK(refusal([](Scenario& s) { s.shape.mask.causal = true, s.shape.mask.prefix = 5; }) ==
        "prefix: the query of paged-attention sees all keys: leave it out");
  CHECK(refusal([](Scenario& s) { s.shape.mask.padding = 5; }) ==
        "padding: a sequence of paged-attention ends with its last key: use a shorter --seqlen-k");
  CHECK(refusal([](Scenario& s) { s.shape.head_dim_v = 32; }) ==
        "head-dim-v: 32 is not head-dim, 64, and paged-attention has one head dim: leave it out");
  CHECK(refusal([](Scenario& s) { s.pass = Pass::backward; }) == "pass: paged-attention has no backward pass: forward");
  CHECK(refusal([](Scenario& s) { s.page_size = 48; }) ==
        "partition: parts of 512 keys are not whole pages of 48: use a multiple of --page-size, or 0");
  CHECK(
      refusal([](Scenario& s) { s.shape.seqlen_k = 100'000, s.page_size = 1, s.own["partition"] = 2; }) ==
      "partition: parts of 2 keys make 50000 parts of 100000 keys, and m and l of at most 29056 fit in shared memory: "
      "use larger ones");
  CHECK_THAT(refusal([](Scenario& s) { s.score_steps = {{"softcap", "7"}}; }), Contains("paged-attention has none"));
  CHECK_THAT(refusal([](Scenario& s) { s.shape.kv_shared = true; }), Contains("paged-attention has none"));
  CHECK_THAT(refusal([](Scenario& s) { s.algorithm = "flash2", s.own["partition"] = 512; }),
             Contains("partition: is an option of paged-attention; flash2 has none"));
}
