// Option values in the spellings that users type.
#include "sim/catalogue/typed_values.h"

#include <catch2/catch.hpp>

#include "sim/programs/program.h"

namespace {

using sim::exact_value;
using Pairs = std::vector<std::pair<std::string, std::string>>;

void check(const std::string& option, const Pairs& typed_and_exact) {
  for (const auto& [typed, exact] : typed_and_exact) {
    INFO(option << " " << typed);
    CHECK(exact_value(option, typed) == exact);
    CHECK(exact_value(option, exact) == exact);
  }
}

}  // namespace

TEST_CASE("GPUs are known by short names, in any case, and by the driver's names") {
  check("gpu", {{"A100", "a100-sxm-40gb"},
                {"a100-80gb", "a100-sxm-80gb"},
                {"A100 80GB", "a100-sxm-80gb"},
                {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
                {"h100", "h100-sxm"},
                {"H100_SXM", "h100-sxm"},
                {"NVIDIA H100 80GB HBM3", "h100-sxm"},
                {"3090", "rtx-3090"},
                {"RTX3090", "rtx-3090"},
                {"T4", "t4"},
                {"B200", "b200"},
                {"H200", "h200"}});
}

TEST_CASE("algorithms, models and dtypes are known by the names that papers and libraries use") {
  check("algorithm", {{"fa1", "flash1"},
                      {"FlashAttention-2", "flash2"},
                      {"flash-attention-2", "flash2"},
                      {"FA2", "flash2"},
                      {"flash_1", "flash1"},
                      {"naive", "standard"}});
  check("model", {{"GPT2-medium", "gpt2-medium"}, {"llama3-8b", "llama-3-8b"}, {"Llama-3.1-70B", "llama-3-70b"}});
  check("dtype", {{"float16", "fp16"},
                  {"half", "fp16"},
                  {"bfloat16", "bf16"},
                  {"BF16", "bf16"},
                  {"float32", "fp32"},
                  {"float", "fp32"}});
  check("pass", {{"fwd", "forward"}, {"Backward", "backward"}, {"fwd+bwd", "forward+backward"}});
}

TEST_CASE("whole numbers may be k, M and G of 1,024, and in groups of three") {
  check("seqlen", {{"8k", "8192"},
                   {"64K", "65536"},
                   {"2Ki", "2048"},
                   {"1M", "1048576"},
                   {"1Mi", "1048576"},
                   {"8_192", "8192"},
                   {"8 k", "8192"},
                   {"1.5k", "1536"},
                   {"1e6", "1000000"},
                   {"1_048_576", "1048576"}});
  check("sram", {{"192k", "196608"}, {"1G", "1073741824"}, {"227KiB", "232448"}});
  check("l2", {{"50MB", "52428800"}, {"50MiB", "52428800"}});
  check("clock", {{"1.5GHz", "1500000000"}, {"1500MHz", "1500000000"}});
}

TEST_CASE("a text without a meaning, or with more than one, stays as it was typed") {
  for (const char* typed : {"", "h", "sxm", "40gb", "100", "a100-pcie", "l40", "rtx", "my.toml", "a100.toml"})
    CHECK(exact_value("gpu", typed) == typed);
  for (const char* typed : {"", "k", "8kk", "8m", "8kB", "0.3k", "-8k", "8,192", "8_19", "1_0000", "_100", "8_", "0x8",
                            "9999999999999999G", "18446744073709551616"})
    CHECK(exact_value("seqlen", typed) == typed);
  CHECK(exact_value("algorithm", "flash") == "flash");
  CHECK(exact_value("scale", "8k") == "8k");
  CHECK(exact_value("causal", "maybe") == "maybe");
  CHECK(exact_value("no-such", "A100") == "A100");
}

TEST_CASE("exact names are unchanged, and no two names have the same typed form") {
  for (const std::string& name : sim::device_names()) {
    CHECK(exact_value("gpu", name) == name);
    for (const std::string_view alias : sim::split(sim::device(name).aliases, ","))
      if (!alias.empty()) CHECK(exact_value("gpu", std::string(sim::trimmed(alias))) == name);
  }
  for (const std::string& name : sim::program_names()) CHECK(exact_value("algorithm", name) == name);
  for (const sim::ModelHeads& model : sim::model_heads()) CHECK(exact_value("model", model.name) == model.name);
  for (const char* name : {"kernel", "paper", "released", "released-1"}) CHECK(exact_value("tiling", name) == name);
}

TEST_CASE("the sign of a number counts where names are read without their dashes") {
  CHECK(exact_value("sink", "-1") == "-1");
  CHECK(exact_value("range", "3,-3") == "3,-3");
  CHECK(exact_value("gpu", "4090") == "rtx-4090");
}

TEST_CASE("a name replaced by another is noted, a number is not") {
  sim::OptionValues values = {{"gpu", "A100"}, {"seqlen", "8k"}, {"dtype", "fp16"}};
  CHECK(sim::make_exact(values) == std::vector<std::string>{"gpu: \"A100\" taken as a100-sxm-40gb"});
  CHECK(values == sim::OptionValues{{"gpu", "a100-sxm-40gb"}, {"seqlen", "8192"}, {"dtype", "fp16"}});
}

TEST_CASE("a flag takes the words for yes and no") {
  check("causal", {{"True", "1"}, {"on", "1"}, {"yes", "1"}, {"false", "0"}, {"OFF", "0"}, {"no", "0"}});
}

TEST_CASE("names of the field are those of options") {
  const auto is = [](const char* typed, const char* option, const char* value = "") {
    INFO(typed);
    CHECK(sim::known_as(typed).option == option);
    CHECK(sim::known_as(typed).value == value);
  };
  for (const char* typed : {"-N", "--seq-len", "seq_len", "--sequence-length", "seqlen"}) is(typed, "seqlen");
  for (const char* typed : {"-d", "--headdim", "head_dim", "--head-size"}) is(typed, "head-dim");
  for (const char* typed : {"--num-heads", "nheads", "num_attention_heads"}) is(typed, "heads");
  for (const char* typed : {"--num-kv-heads", "num_key_value_heads", "--nheads-k"}) is(typed, "kv-heads");
  for (const char* typed : {"--batch-size", "-B", "bsz"}) is(typed, "batch");
  is("--window-size", "window");
  is("--bf16", "dtype", "bf16");
  is("--no-such", "");
  CHECK_THAT(sim::why_no_option("hidden_size"), Catch::Contains("--heads and --head-dim"));
  CHECK(sim::why_no_option("seqlen").empty());
  check("model", {{"llama3", "llama-3-8b"}, {"Llama-3", "llama-3-8b"}});
}

TEST_CASE("an option that is given under two names is refused, one name of the field is noted") {
  sim::OptionValues two = {{"batch", "2"}, {"batch-size", "4"}}, one = {{"num-heads", "8"}};
  CHECK_THROWS_WITH(sim::make_exact(two), Catch::Contains("batch: is also given as batch-size"));
  CHECK(sim::make_exact(one) == std::vector<std::string>{"num-heads: taken as heads"});
  CHECK(one == sim::OptionValues{{"heads", "8"}});
}

TEST_CASE("a size of a memory without a suffix that no GPU has is noted") {
  const auto notes = [](const char* option, const char* typed) {
    sim::OptionValues values = {{option, typed}};
    return sim::make_exact(values);
  };
  CHECK(notes("l2", "50") == std::vector<std::string>{"l2: 50 is 50 bytes, less than any GPU has (512k): write 50M"});
  CHECK(notes("sram", "228").size() == 1);
  for (const char* meant : {"0", "50M", "50B", "50k", "52428800"}) CHECK(notes("l2", meant).empty());
}

TEST_CASE("Llama 3 70B has the heads of its report") {
  for (const sim::ModelHeads& model : sim::model_heads()) {
    if (model.name != "llama-3-70b") continue;
    CHECK((model.heads == 64 && model.kv_heads == 8 && model.head_dim == 128));
    return;
  }
  FAIL("no llama-3-70b");
}
