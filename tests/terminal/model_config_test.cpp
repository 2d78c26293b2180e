// Models from a config.json: the attention it describes, the options of the run, and rejected files.
#include "viz/results/model_config.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/run.h"
#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using program::good;
using results::ModelConfig;
using results::parse_model_config;

namespace {

ModelConfig config(const std::string& json) { return parse_model_config(json, "config.json"); }

std::string refusal(const std::string& json) {
  try {
    config(json);
  } catch (const sim::Error& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("model: config.json: "));
    return error.what();
  }
  return "accepted";
}

const std::string llama =
    R"({"model_type": "llama", "num_attention_heads": 32, "num_key_value_heads": 8, "hidden_size": 4096,
        "num_hidden_layers": 32})";
const std::string gemma2 =
    R"({"model_type": "gemma2", "num_attention_heads": 8, "num_key_value_heads": 4, "hidden_size": 2304,
        "head_dim": 256, "query_pre_attn_scalar": 144, "sliding_window": 4096, "num_hidden_layers": 26,
        "attn_logit_softcapping": 50.0})";

/// Options of a run with this text as its model file and the options `more`.
sim::OptionValues options_of(const std::string& json, sim::OptionValues more,
                             std::vector<std::string>* said = nullptr) {
  const Folder folder;
  program::write_file(folder / "config.json", json);
  more["model"] = folder / "config.json";
  std::vector<std::string> notes;
  results::expand_model_file(more, notes);
  if (said != nullptr) *said = notes;
  return more;
}

}  // namespace

TEST_CASE("a config gives heads, KV heads and the head dim") {
  CHECK(options_of(llama, {}) ==
        sim::OptionValues{{"heads", "32"}, {"kv-heads", "8"}, {"head-dim", "128"}, {"layers", "32"}});
}

TEST_CASE("an explicit head_dim takes precedence over hidden / heads, and null is ignored") {
  CHECK(config(gemma2).head_dim == 256);
  CHECK(config(R"({"num_attention_heads": 4, "hidden_size": 512, "head_dim": null})").head_dim == 128);
}

TEST_CASE("a query scalar that differs from the head dim becomes the scale") {
  CHECK(config(gemma2).scale == 1.0 / 12);
  CHECK_FALSE(config(R"({"num_attention_heads": 1, "hidden_size": 64, "query_pre_attn_scalar": 64})").scale);
}

TEST_CASE("older configs with other keys are read, and text models inside multimodal ones") {
  const ModelConfig gpt2 = config(R"({"model_type": "gpt2", "n_head": 12, "n_embd": 768, "n_layer": 6})");
  CHECK(gpt2.heads == 12);
  CHECK(gpt2.kv_heads == 12);
  CHECK(gpt2.head_dim == 64);
  CHECK(sim::text_of(gpt2.layers) == "6");
  CHECK(config(R"({"model_type": "gemma3", "text_config": )" + llama + "}").kv_heads == 8);
}

TEST_CASE("a sliding window includes the query itself, and is ignored if turned off") {
  const std::string start =
      R"({"num_attention_heads": 8, "hidden_size": 512, "num_hidden_layers": 4, "sliding_window": )";
  CHECK(options_of(start + "4096}", {}).at("window") == "4095");
  CHECK(options_of(start + "4096}", {}).at("layers") == "0+4:4095");
  CHECK(options_of(start + "4096, \"use_sliding_window\": false}", {}).count("window") == 0);
  CHECK(options_of(start + "null}", {}).count("window") == 0);
}

TEST_CASE("with two kinds of layers, full attention is simulated and the other is named") {
  std::vector<std::string> notes;
  const sim::OptionValues options = options_of(gemma2, {}, &notes);
  CHECK(options.count("window") == 0);
  CHECK(options.at("layers") == "13+13:4095");
  REQUIRE(notes.size() == 2);
  CHECK(notes[1] == "model: layers: 13 full, 13 windowed (--window 4095); a layer of full attention is simulated");
  const ModelConfig listed = config(R"({"model_type": "gpt_oss", "num_attention_heads": 64, "head_dim": 64,
      "sliding_window": 128, "num_hidden_layers": 3,
      "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]})");
  CHECK(sim::text_of(listed.layers) == "1+2:127");
  CHECK(listed.beyond == std::vector<std::string>{"its attention sinks"});
}

TEST_CASE("softcap and ALiBi of a config are options of the run, where its program takes them") {
  CHECK(options_of(gemma2, {}).at("softcap") == "50");
  CHECK(options_of(gemma2, {{"softcap", "30"}}).at("softcap") == "30");
  std::vector<std::string> notes;
  CHECK(options_of(gemma2, {{"algorithm", "fmha"}}, &notes).count("softcap") == 0);
  CHECK(notes.front() == "model: not modelled: the softcap of its scores, which fmha does not take");
  CHECK(options_of(R"({"model_type": "gemma2", "attn_logit_softcapping": null})", {}).count("softcap") == 0);
  CHECK(options_of(R"({"model_type": "bloom", "n_head": 4, "hidden_size": 256, "n_layer": 2})", {}).at("alibi") == "1");
  const std::string mpt =
      R"({"model_type": "mpt", "n_heads": 4, "d_model": 256, "n_layers": 2, "attn_config": {"alibi": )";
  CHECK(options_of(mpt + "true}}", {}).at("alibi") == "1");
  CHECK(options_of(mpt + "false}}", {}).count("alibi") == 0);
  CHECK(options_of(R"({"position_embedding_type": "alibi", "num_attention_heads": 8, "hidden_size": 512})", {})
            .at("alibi") == "1");
  const sim::OptionValues falcon =
      options_of(R"({"model_type": "falcon", "num_attention_heads": 64, "hidden_size": 4096, "alibi": true})", {});
  CHECK(falcon.count("alibi") == 0);
  CHECK(falcon.at("score") == "s-slope*abs(q+Nk-Nq-k)/sqrt(d)");
  CHECK(options_of(R"({"model_type": "falcon"})", {}).count("score") == 0);
}

TEST_CASE("ALiBi of Falcon has slopes that are scaled as its scores are") {
  sim::Scenario scaled, plain;
  for (sim::Scenario* s : {&scaled, &plain}) {
    s->shape.heads = s->shape.kv_heads = 2;
    s->shape.seqlen_q = s->shape.seqlen_k = 40;
    s->shape.head_dim = 16;
    s->dtype = sim::Dtype::fp32;
  }
  scaled.score_steps = {{"score", "s-slope*abs(q+Nk-Nq-k)/sqrt(d)"}};
  plain.scale = 1;  // (s + ALiBi) / sqrt(d), as its code has it
  plain.score_steps = {{"score", "s-slope*abs(q+Nk-Nq-k);s/sqrt(d)"}};
  const sim::AttentionInputs inputs = sim::inputs_of(scaled);
  const std::vector<float> a = sim::compute(sim::make_plan(scaled), inputs).o,
                           b = sim::compute(sim::make_plan(plain), inputs).o;
  REQUIRE(a.size() == b.size());
  for (std::size_t n = 0; n < a.size(); ++n) CHECK(a[n] == Approx(b[n]).margin(2e-6));
}

TEST_CASE("chunks of a config are documents of equal length") {
  const std::string chunked =
      R"({"num_attention_heads": 8, "hidden_size": 512, "num_hidden_layers": 4, "attention_chunk_size": 64})";
  std::vector<std::string> notes;
  CHECK(options_of(chunked, {{"seqlen", "160"}}, &notes).at("documents") == "64 64 32");
  CHECK_THAT(notes.back(), Contains("chunks of 64 keys: each is a document"));
  CHECK(options_of(chunked, {}).at("documents").size() == 16 * 3 - 1);  // of the 1,024 keys that are the default
  CHECK(options_of(chunked, {{"seqlen-q", "1"}, {"seqlen-k", "130"}}).at("documents") == "64 64 2");
  CHECK(options_of(chunked, {{"seqlen", "64"}}, &notes).count("documents") == 0);
  CHECK(notes.back() == "model: chunks of 64 keys: one has all keys");
  CHECK(options_of(chunked, {{"seqlens", "1 64 64"}}, &notes).count("documents") == 0);
  CHECK(notes.back() == "model: chunks of 64 keys: not modelled, the simulated layer sees all keys");
  CHECK(options_of(R"({"model_type": "llama4_text"})", {{"seqlen", "16384"}}).count("documents") == 0);  // a full layer
}

TEST_CASE("typed options take precedence over the config, whose KV heads stay") {
  const sim::OptionValues options = options_of(llama, {{"heads", "64"}, {"head-dim", "64"}});
  CHECK(options.at("heads") == "64");
  CHECK(options.at("kv-heads") == "8");
  CHECK(options.at("head-dim") == "64");
  program::check_refused({"simulate", "--model", "llama-3-8b", "--heads", "30"}, {"kv-heads"});
}

TEST_CASE("configs that cannot be read are refused by file and key") {
  CHECK_THAT(refusal("not json"), Contains("is not a JSON object"));
  CHECK_THAT(refusal("[1]"), Contains("is not a JSON object"));
  CHECK_THAT(refusal("{}"), Contains("has none of these keys: decoder_attention_heads, num_attention_heads, n_head, "));
  CHECK_THAT(refusal(R"({"num_attention_heads": 8})"), Contains("has none of these keys: hidden_size, n_embd, "));
  CHECK_THAT(refusal(R"({"model_type": "mamba", "hidden_size": 768})"), Contains("a model with attention?"));
  CHECK_THAT(refusal(R"({"num_attention_heads": "32", "hidden_size": 64})"), Contains("is not a whole number"));
  CHECK_THAT(refusal(R"({"num_attention_heads": -1, "hidden_size": 64})"), Contains("is not a whole number"));
  CHECK_THAT(refusal(R"({"num_attention_heads": 1e400, "hidden_size": 64})"), Contains("JSON"));
  CHECK_THAT(refusal(R"({"num_attention_heads": [[32]], "hidden_size": 64})"), Contains("is not a whole number"));
  CHECK_THAT(refusal(R"({"num_attention_heads": 3, "hidden_size": 64})"), Contains("is not a multiple of the 3 heads"));
  CHECK_THAT(refusal(R"({"num_attention_heads": 8, "num_key_value_heads": 3, "hidden_size": 64})"),
             Contains("is not a multiple of num_key_value_heads 3"));
  CHECK_THAT(refusal(R"({"model_type": "deepseek_v3", "num_attention_heads": 128, "kv_lora_rank": 512})"),
             Contains("has none of these keys: qk_rope_head_dim"));
  CHECK_THAT(refusal(R"({"num_attention_heads": 1, "hidden_size": 64, "query_pre_attn_scalar": "x"})"),
             Contains("query_pre_attn_scalar"));
  CHECK_THAT(refusal(R"({"num_attention_heads": 1, "hidden_size": 64, "sliding_window": 8, "num_hidden_layers": 2,
                         "layer_types": ["full_attention"]})"),
             Contains("layer_types does not name each of the 2 layers"));
  CHECK_THAT(refusal(std::string(200'000, '[')), Contains("is not a JSON object"));
}

TEST_CASE("a config that is missing, a folder or far too large is refused") {
  const Folder folder;
  program::write_file(folder / "large.json", std::string((1 << 20) + 1, ' '));
  for (const char* name : {"none.json", "large.json"})
    program::check_refused({"simulate", "--model", folder / name}, {"model: "});
}

TEST_CASE("configs whose layers cannot be read are refused by key") {
  const std::string start = R"({"num_attention_heads": 8, "hidden_size": 512, "num_hidden_layers": 4, )";
  CHECK_THAT(refusal(start + R"("layer_types": ["full_attention", "a", "b", "c"]})"),
             Contains("layer_types names a kind of layer that is not known: \"a\""));
  CHECK_THAT(refusal(start + R"("layer_types": "full_attention"})"), Contains("does not name each of the 4 layers"));
  CHECK_THAT(refusal(start + R"("hybrid_override_pattern": "M-M?"})"), Contains("is not known: \"?\""));
  CHECK_THAT(refusal(start + R"("hybrid_override_pattern": "MMMM"})"), Contains("none of its 4 layers has attention"));
  CHECK_THAT(refusal(start + R"("attn_layer_period": 0})"), Contains("attn_layer_period \"0\" is not a whole number"));
  CHECK_THAT(refusal(start + R"("layer_types": ["full_attention", "full_attention", "full_attention",
                                                "sliding_attention"]})"),
             Contains("sliding_window is missing"));
  CHECK_THAT(refusal(start + R"("num_key_value_heads": [1, 2, 3]})"), Contains("does not name each of the 4 layers"));
  CHECK_THAT(refusal(start + R"("per_layer_config": {"4": {"head_dim": 8}}})"), Contains("\"4\" is not a layer"));
  CHECK_THAT(refusal(start + R"("block_configs": [{}, {}, {}, {}]})"), Contains("no attention for layer 0"));
}

TEST_CASE("a bare Infinity or NaN in a config is read, except as a size") {
  CHECK(
      config(R"({"num_attention_heads": 4, "hidden_size": 256, "a": [0.0, Infinity, -Infinity, NaN], "b": "Infinity"})")
          .heads == 4);
  CHECK_THAT(refusal(R"({"num_attention_heads": Infinity, "hidden_size": 256})"), Contains("is not a whole number"));
  CHECK_THAT(refusal(R"({"num_attention_heads": 4, "hidden_size": 256} Infinity)"), Contains("is not a JSON object"));
}

TEST_CASE("layers multiply the KV cache and change nothing else") {
  const auto run = [](std::vector<std::string> words) {
    words.insert(words.begin(), "simulate");
    words.insert(words.end(), {"--format", "json"});
    return nlohmann::json::parse(good(words).out);
  };
  nlohmann::json with = run({"--model", "llama-3-8b", "--seqlen", "8k", "--batch", "2"});
  const nlohmann::json cache = with["memory"]["kv_cache"];
  CHECK(cache["layers"] == 32);
  CHECK(cache["bytes_per_token"] == 131'072);
  CHECK(cache["bytes_per_sequence"] == 1'073'741'824);
  CHECK(cache["bytes"] == 2'147'483'648);
  CHECK(cache["sequences_that_fit"] == 80);
  nlohmann::json without =
      run({"--heads", "32", "--kv-heads", "8", "--head-dim", "128", "--seqlen", "8k", "--batch", "2"});
  CHECK(without["memory"].count("kv_cache") == 0);
  with["memory"].erase("kv_cache");
  with["scenario"].erase("layers");
  CHECK(with == without);
}

TEST_CASE("each kind of layers caches the keys that it sees, with its own KV heads and head dim") {
  const auto cache = [](const char* layers, const char* seqlen) {
    const auto out =
        good({"simulate", "--layers", layers, "--seqlen", seqlen, "--head-dim", "128", "--format", "json"}).out;
    return nlohmann::json::parse(out)["memory"]["kv_cache"]["bytes"].get<std::int64_t>();
  };
  CHECK(cache("21+21:4095", "8192") == 2 * 128 * 2 * (21 * 8192 + 21 * 4096));
  CHECK(cache("21+21:4095", "1000") == 2 * 128 * 2 * 42 * 1000);
  CHECK(cache("12+36/8192", "10000") == 2 * 128 * 2 * (12 * 10000 + 36 * 8192));
  CHECK(cache("8+40:1023@8x256", "8192") == 2 * 2 * (8 * 128 * 8192 + 40 * 8 * 256 * 1024));
  CHECK(cache("2@4+1@2x64", "1000") == 2 * 2 * (2 * 4 * 128 + 2 * 64) * 1000);
  for (const char* wrong : {"0", "-1", "0+0:1", "1+1", "1+1:x", "+1:1", "1:1", "200000", "1/2", "1+1/0", "1+1@", "1@0",
                            "1@1x", "1@x8", "1+1:2@1x0", "1++1:2", "1+1:2+", "1@-1"})
    program::check_refused({"simulate", "--layers", wrong}, {"layers: "});
}

TEST_CASE("kinds of layers are the same in JSON, and in a link that is written again") {
  for (const char* layers : {"32", "21+21:4095", "0+32:4095", "12+36/8192", "8+40:1023@8x256", "2+1@4", "3@2x64+1:7"}) {
    const auto json = nlohmann::json::parse(good({"simulate", "--layers", layers, "--format", "json"}).out);
    CHECK(json["scenario"]["layers"] == layers);
  }
}

TEST_CASE("a published name says which version it means and what is not modelled") {
  const auto notes_of = [](const char* name) {
    sim::OptionValues options = {{"model", name}};
    std::vector<std::string> notes;
    results::expand_model_file(options, notes);
    CHECK(options.at("model") == name);
    return notes;
  };
  REQUIRE(notes_of("mistral-7b").size() == 1);
  CHECK_THAT(notes_of("mistral-7b")[0], Contains("0.2 or 0.3") && Contains("--window 4095 --layers 0+32:4095"));
  CHECK_THAT(notes_of("gpt-oss-20b")[0], Contains("sinks"));
  CHECK(notes_of("llama-3-8b").empty());
}
