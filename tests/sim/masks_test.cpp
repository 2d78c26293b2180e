// Masks beyond causal, padding and one-sided windows: their values, the options that set them, and equal scenarios.
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;

std::shared_ptr<const DeviceSpec> find_gpu(const std::string& name) { return built_in_gpu(name); }

Scenario scenario(const OptionValues& options) { return scenario_from(options, find_gpu); }

std::string refusal(const OptionValues& options) {
  try {
    make_plan(scenario(options));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::shared_ptr<const Documents> documents(Documents bounds) {
  return std::make_shared<const Documents>(std::move(bounds));
}

/// Masks of queries that are at most as many as the keys, of which there are 203.
std::vector<Mask> masks() {
  return {Mask{.window = 20, .window_right = 9},
          Mask{.window_right = 0},
          Mask{.window_right = 70},
          Mask{.causal = true, .prefix = 77},
          Mask{.padding = 100, .window_right = 5, .prefix = 130},
          Mask{.causal = true, .diagonal = DiagonalFrom::top_left},
          Mask{.window = 30, .window_right = 40, .diagonal = DiagonalFrom::top_left},
          Mask{.documents = documents({0, 64, 65, 150, 203})},
          Mask{.causal = true, .documents = documents({0, 1, 90, 203})},
          Mask{.padding = 20, .window = 25, .documents = documents({0, 50, 120, 200, 203})}};
}

Scenario with_mask(const std::string& algorithm, std::int64_t queries, const Mask& mask) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = all_passes(algorithm);
  s.shape = {2, 4, 2, queries, 203, 32, mask};
  s.dtype = Dtype::fp32;
  return within_limits(s);
}

/// FLOPs and exps of all launches, without their names.
std::pair<Flops, Exps> work_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return {totals.matmul_flops, totals.exps};
}

}  // namespace

TEST_CASE("O and the gradients meet the numerics rule under right windows, prefixes, documents and another corner") {
  for (const std::string& name : names_with_queries()) {
    for (const std::int64_t queries : {203, 113, 1}) {
      for (const Mask& mask : masks()) {
        const Scenario s = with_mask(name, queries, mask);
        INFO(describe(s));
        check_values_by_rule(s, 7);
      }
    }
  }
}

TEST_CASE(
    "the option window takes window_size of FlashAttention: -1 is without limit, and causal is the nearer bound") {
  const auto mask = [](const std::string& window, bool causal = false) {
    return scenario({{"window", window}, {"causal", causal ? "1" : "0"}}).shape.mask;
  };
  CHECK(mask("256") == Mask{.window = 256});
  CHECK(mask("256,-1") == mask("256"));
  CHECK(mask("256,0") == Mask{.causal = true, .window = 256});
  CHECK(mask("-1,0") == Mask{.causal = true});
  CHECK(mask("-1,-1") == Mask{});
  CHECK(mask("-1, 9") == Mask{.window_right = 9});
  CHECK(mask("256,9") == Mask{.window = 256, .window_right = 9});
  CHECK(mask("256,9", true) == mask("256", true));
  CHECK(text_of(option_called("window").asked(scenario({{"window", "256,9"}}))) == "256,9");
  CHECK(text_of(option_called("window").asked(scenario({{"window", "-1,9"}}))) == "-1,9");
  CHECK(option_called("window").asked(scenario({{"window", "256,0"}})) == OptionValue(std::int64_t{256}));
}

TEST_CASE("a window of W,0 is a causal window of W in every number of a run") {
  for (const std::string& name : names_with_queries()) {
    OptionValues pair = {{"algorithm", name}, {"seqlen", "500"}, {"heads", "4"}, {"window", "90,0"}};
    if (name == "fmha") pair["seqlen"] = "256";
    OptionValues causal = pair;
    causal["window"] = "90";
    causal["causal"] = "1";
    INFO(name);
    const Simulation a = simulate(scenario(pair)), b = simulate(scenario(causal));
    const std::vector<PathValue> first = values_of(a), second = values_of(b);
    REQUIRE(first.size() == second.size());
    for (std::size_t n = 0; n < first.size(); ++n) {
      INFO(first[n].path);
      CHECK((first[n].path == second[n].path && first[n].value == second[n].value));
    }
  }
}

TEST_CASE("documents are lengths or begin with 0, separated by blanks, commas or lines, and are written as lengths") {
  const auto bounds = [](const std::string& typed) { return read_documents(typed); };
  CHECK(bounds("300 724") == Documents{0, 300, 1024});
  CHECK(bounds("300, 724,") == Documents{0, 300, 1024});
  CHECK(bounds("0 300 1k") == Documents{0, 300, 1024});
  CHECK(bounds("[0, 300, 300, 1024]") == Documents{0, 300, 1024});
  CHECK(bounds("1024") == Documents{0, 1024});
  CHECK(bounds("5 # the first\n6 7") == Documents{0, 5, 11, 18});
  CHECK(text_of_documents({0, 300, 1024}) == "300 724");
  CHECK(bounds(text_of_documents({0, 1024})) == Documents{0, 1024});
  CHECK_FALSE(names_document_file("1024"));
  CHECK(names_document_file("lengths.txt"));
}

TEST_CASE("a scenario is rebuilt from the masks that its rows read") {
  const OptionValues all[] = {{{"causal", "1"}, {"prefix", "100"}, {"causal-from", "top-left"}},
                              {{"causal", "0"}, {"window", "5,7"}, {"documents", "300 724"}, {"padding", "3"}}};
  for (const OptionValues& options : all) {
    const Scenario s = scenario(options);
    for (const auto& [name, value] : options) {
      INFO(name);
      CHECK(text_of(option_called(name).asked(s)) == value);
      CHECK(is_reported(option_called(name), s));
    }
  }
  for (const char* name : {"prefix", "documents", "causal-from"}) CHECK_FALSE(is_reported(option_called(name), {}));
}

TEST_CASE("documents of one length, a multiple of both tiles, compute what --seqlens computes") {
  for (const char* name : {"flash1", "flash2", "flash-decoding"}) {
    for (const bool causal : {false, true}) {
      Scenario packed;
      packed.algorithm = name;
      packed.shape.seqlen_q = packed.shape.seqlen_k = 256;
      packed.shape.head_dim = 32;
      packed.shape.mask.causal = causal;
      packed.br = 32, packed.bc = 16;
      Scenario ragged = packed;
      packed.shape.mask.documents = documents({0, 64, 128, 192, 256});
      ragged.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{4, 64, 64}});
      const Plan one = make_plan(packed), many = make_plan(ragged);
      INFO(name << causal);
      CHECK(work_of(one) == work_of(many));
      const AttentionInputs inputs = inputs_of(packed);  // one head: its rows are those of the entries, in order
      CHECK(compute(one, inputs).o == compute(classes_of(many)[0], inputs).o);
    }
  }
}

TEST_CASE("each entry of a ragged batch has the window, prefix and corner of the scenario") {
  for (const Mask& mask : {Mask{.window = 5, .window_right = 9}, Mask{.causal = true, .prefix = 11},
                           Mask{.causal = true, .diagonal = DiagonalFrom::top_left}}) {
    for (const char* name : {"flash1", "flash2", "flash-decoding"}) {
      Scenario s;
      s.algorithm = name;
      s.shape.mask = mask;
      s.br = s.bc = 16;
      Scenario ragged = s;
      ragged.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{1, 20, 33}, {1, 50, 40}});
      Totals apart, together;
      for (const auto& [queries, keys] : {std::pair{20, 33}, std::pair{50, 40}}) {
        s.shape.seqlen_q = queries, s.shape.seqlen_k = keys;
        for (const Trace& trace : count(make_plan(s))) add_to(apart, trace);
      }
      for (const Trace& trace : count(make_plan(ragged))) add_to(together, trace);
      INFO(name);
      CHECK(together.matmul_flops == apart.matmul_flops);
      CHECK(together.exps == apart.exps);
      CHECK(together.tensor(Tensor::K).read == apart.tensor(Tensor::K).read);
    }
  }
}

TEST_CASE("flash-decoding packs heads as rows only if the mask shows the query every key") {
  const auto rows = [](const OptionValues& mask) {
    OptionValues options = {{"algorithm", "flash-decoding"}, {"heads", "8"}, {"kv-heads", "2"}, {"seqlen-q", "1"}};
    options.insert(mask.begin(), mask.end());
    return make_plan(scenario(options)).problem.shape.seqlen_q;
  };
  CHECK(rows({}) == 4);
  CHECK(rows({{"causal", "1"}}) == 4);
  CHECK(rows({{"causal-from", "top-left"}}) == 4);
  CHECK(rows({{"causal", "1"}, {"causal-from", "top-left"}}) == 1);
  CHECK(rows({{"window", "-1,5"}}) == 1);
  CHECK(rows({{"causal", "1"}, {"prefix", "5"}}) == 1);
  CHECK(rows({{"documents", "1000 24"}}) == 1);
}

TEST_CASE("masks that cannot be are refused by name") {
  CHECK_THAT(refusal({{"window", "5,x"}}),
             Contains("window: \"x\" is not a whole number") && Contains("-1 is no limit"));
  CHECK_THAT(refusal({{"window", "-2,5"}}), Contains("window: \"-2\""));
  CHECK_THAT(refusal({{"window", "1,2,3"}}), Contains("window: \"1,2,3\" has 3 numbers"));
  CHECK_THAT(refusal({{"prefix", "9"}}), Contains("prefix: every key is visible already: add --causal"));
  CHECK_THAT(refusal({{"prefix", "2000"}, {"causal", "1"}}),
             Contains("prefix is 2000: allowed are 0 to seqlen-k = 1024"));
  CHECK_THAT(refusal({{"prefix", "9"}, {"window", "9,0"}}), Contains("prefix: a window hides"));
  CHECK_THAT(refusal({{"prefix", "9"}, {"causal", "1"}, {"documents", "512 512"}}), Contains("prefix: is one for all"));
  CHECK_THAT(refusal({{"documents", "512 500"}}), Contains("their lengths add up to 1012, not to seqlen-k = 1024"));
  CHECK_THAT(refusal({{"documents", "512 512"}, {"seqlen-q", "2000"}, {"seqlen-k", "1024"}}),
             Contains("seqlen-q = 2000 is more than seqlen-k = 1024"));
  CHECK_THAT(refusal({{"documents", "512 0 512"}}), Contains("documents: line 1: length \"0\" is not"));
  CHECK_THAT(refusal({{"documents", "0 512 100"}}), Contains("falls from 512 to 100"));
  CHECK_THAT(refusal({{"documents", "0"}}), Contains("documents: holds no lengths"));
  CHECK_THAT(refusal({{"documents", "no-such-file"}}), Contains("documents: no-such-file: no such file can be read"));
  CHECK_THAT(refusal({{"documents", "64 64"}, {"seqlens", "128,"}}),
             Contains("documents: is for entries of one length"));
  CHECK_THAT(refusal({{"prefix", "100"}, {"causal", "1"}, {"seqlens", "128, 64"}}), Contains("seqlen-k = 64"));
  CHECK_THAT(refusal({{"causal-from", "left"}}), Contains("causal-from") && Contains("bottom-right, top-left"));
  for (const char* option : {"prefix", "documents"}) {
    OptionValues options = {{"causal", "1"}, {option, option == std::string("prefix") ? "9" : "512 512"}};
    for (const char* algorithm : {"flash1", "flash2", "standard"}) {
      options["algorithm"] = algorithm, options["tiling"] = "released";
      CHECK_THAT(refusal(options), Contains(text(option, ": ")));
    }
  }
}

}  // namespace sim
