// KV caches of published models by their config.json: the facts of each, in short texts of our own, and where they were
// read. The number is that of the model's own code: K and V in 2 bytes of every layer that keeps them.
#include "viz/results/model_families.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/model/kv_cache.h"
#include "tests/support/program.h"
#include "viz/results/model_config.h"

using Catch::Contains;
using results::ModelConfig;

namespace {

ModelConfig config(const std::string& json) { return results::parse_model_config(json, "config.json"); }

/// KV cache of one sequence of `keys` tokens in fp16.
std::int64_t cache_of(const ModelConfig& model, std::int64_t keys) {
  sim::Scenario scenario;
  scenario.shape.kv_heads = model.kv_heads;
  scenario.shape.head_dim = model.head_dim;
  scenario.shape.seqlen_k = keys;
  scenario.layers = model.layers;
  return sim::kv_cache_of(scenario)->bytes_per_sequence;
}

struct Published {
  const char* name;
  const char* json;
  std::int64_t token;  ///< bytes of one token
  std::int64_t full;   ///< bytes of a token in the layers that keep all keys
  std::int64_t rest;   ///< bytes in the others at 131,072 tokens
  const char* place;
};

// Repositories on GitHub, and files in them. "class X": src/transformers/models/X/configuration_X.py of
// huggingface/transformers, whose defaults are those of the model that it names, or fill what the file leaves out.
const Published published[] = {
    {"Llama 2 7B", R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"num_hidden_layers":32})",
     524'288, 524'288, 0, "Lightning-AI/litgpt, litgpt/config.py: Llama-2-7b-hf; class llama"},
    {"Llama 3.1 8B",
     R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,"num_hidden_layers":32,
         "rope_scaling":{"factor":8.0,"rope_type":"llama3"}})",
     131'072, 131'072, 0, "Lightning-AI/litgpt, litgpt/config.py: Llama-3.1-8B"},
    {"Llama 3.1 405B",
     R"({"model_type":"llama","hidden_size":16384,"num_attention_heads":128,"num_key_value_heads":8,
         "num_hidden_layers":126})",
     516'096, 516'096, 0, "Lightning-AI/litgpt, litgpt/config.py: Llama-3.1-405B"},
    {"LLaVA 1.5 7B",
     R"({"model_type":"llava","text_config":{"model_type":"llama"},"vision_config":{"hidden_size":1024}})", 524'288,
     524'288, 0, "class llava: its text model is of class llama with that class's defaults"},
    {"Mistral 7B v0.1",
     R"({"model_type":"mistral","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
         "num_hidden_layers":32,"sliding_window":4096})",
     131'072, 0, 131'072LL * 4096, "Lightning-AI/litgpt, litgpt/config.py: Mistral-7B-v0.1; class mistral"},
    {"Mistral 7B v0.3",
     R"({"model_type":"mistral","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
         "num_hidden_layers":32,"sliding_window":null})",
     131'072, 131'072, 0, "Lightning-AI/litgpt, litgpt/config.py: Mistral-7B-v0.3, without a window"},
    {"Mixtral 8x7B",
     R"({"model_type":"mixtral","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
         "num_hidden_layers":32,"num_local_experts":8,"sliding_window":null})",
     131'072, 131'072, 0, "Lightning-AI/litgpt, litgpt/config.py: Mixtral-8x7B-v0.1; class mixtral"},
    {"Qwen2.5 7B",
     R"({"model_type":"qwen2","hidden_size":3584,"num_attention_heads":28,"num_key_value_heads":4,"num_hidden_layers":28,
         "sliding_window":131072,"max_window_layers":28,"use_sliding_window":false})",
     57'344, 57'344, 0, "Lightning-AI/litgpt, litgpt/config.py: Qwen2.5-7B"},
    {"Qwen3 8B",
     R"({"model_type":"qwen3","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,
         "num_hidden_layers":36,"sliding_window":null})",
     147'456, 147'456, 0, "Lightning-AI/litgpt, litgpt/config.py: Qwen3-8B"},
    {"Qwen3-Next 80B",
     R"({"model_type":"qwen3_next","hidden_size":2048,"num_attention_heads":16,"num_key_value_heads":2,"head_dim":256,
         "num_hidden_layers":48,"linear_num_key_heads":16,"linear_num_value_heads":32})",
     24'576, 24'576, 0, "class qwen3_next: every fourth layer has full attention"},
    {"Gemma 2 9B",
     R"({"model_type":"gemma2","hidden_size":3584,"num_attention_heads":16,"num_key_value_heads":8,"head_dim":256,
         "num_hidden_layers":42,"sliding_window":4096,"query_pre_attn_scalar":256,"attn_logit_softcapping":50.0,
         "final_logit_softcapping":30.0})",
     344'064, 172'032, 172'032LL * 4096,
     "google/gemma_pytorch, gemma/config.py: 9b; class gemma2: every second layer full"},
    {"Gemma 3 4B",
     R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,"num_hidden_layers":34,
         "sliding_window":1024}})",
     139'264, 20'480, 118'784LL * 1024,
     "Lightning-AI/litgpt, litgpt/config.py: Gemma-3-4b-it; class gemma3: every sixth layer full"},
    {"Gemma 3n E4B", R"({"model_type":"gemma3n","text_config":{"model_type":"gemma3n_text","num_hidden_layers":35}})",
     40'960, 8'192, 32'768LL * 512,
     "class gemma3n: the last 15 layers read K and V of others, every fifth layer is full"},
    {"gpt-oss 20B",
     R"({"model_type":"gpt_oss","hidden_size":2880,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,
         "num_hidden_layers":24,"sliding_window":128})",
     49'152, 24'576, 24'576LL * 128,
     "ParagEkbote/hf-model-inspector, model_inspection_report.md; class gpt_oss: every second layer full"},
    {"Llama 4 Scout",
     R"({"model_type":"llama4","text_config":{"model_type":"llama4_text","num_hidden_layers":48,"no_rope_layers":[],
         "attention_chunk_size":8192}})",
     196'608, 49'152, 147'456LL * 8192, "class llama4: three of four layers see chunks"},
    {"Falcon 7B",
     R"({"model_type":"falcon","hidden_size":4544,"num_attention_heads":71,"num_hidden_layers":32,"multi_query":true,
         "new_decoder_architecture":false})",
     8'192, 8'192, 0, "Lightning-AI/litgpt, litgpt/config.py: falcon-7b; class falcon"},
    {"Falcon 40B",
     R"({"model_type":"falcon","hidden_size":8192,"num_attention_heads":128,"num_kv_heads":8,"num_hidden_layers":60,
         "multi_query":true,"new_decoder_architecture":true})",
     122'880, 122'880, 0, "Lightning-AI/litgpt, litgpt/config.py: falcon-40b"},
    {"StarCoder", R"({"model_type":"gpt_bigcode","n_embd":6144,"n_head":48,"n_layer":40,"multi_query":true})", 20'480,
     20'480, 0, "NVIDIA/NeMo, nemo/collections/llm/gpt/model/starcoder.py: StarcoderConfig15B"},
    {"StarCoder2 15B",
     R"({"model_type":"starcoder2","hidden_size":6144,"num_attention_heads":48,"num_key_value_heads":4,
         "num_hidden_layers":40,"sliding_window":4096})",
     81'920, 0, 81'920LL * 4096,
     "NVIDIA/NeMo, nemo/collections/llm/gpt/model/starcoder2.py: Starcoder2Config15B; huggingface/transformers, "
     "docs/source/en/model_doc/starcoder2.md: a window of 4,096"},
    {"MPT 7B", R"({"model_type":"mpt","d_model":4096,"n_heads":32,"n_layers":32,"attn_config":{"alibi":true}})",
     524'288, 524'288, 0, "mosaicml/llm-foundry, scripts/train/yamls/pretrain/mpt-7b.yaml; class mpt: ALiBi"},
    {"DBRX",
     R"({"model_type":"dbrx","d_model":6144,"n_heads":48,"n_layers":40,"attn_config":{"kv_n_heads":8,"clip_qkv":8}})",
     163'840, 163'840, 0, "erfanzar/easymlx, easymlx/modules/dbrx/dbrx_configuration.py"},
    {"BLOOM 176B", R"({"model_type":"bloom","n_embed":14336,"num_attention_heads":112,"n_layer":70})", 4'014'080,
     4'014'080, 0, "bigscience-workshop/bigscience, train/tr11-176B-ml/tr11-176B-ml.slurm"},
    {"OPT 30B", R"({"model_type":"opt","hidden_size":7168,"num_attention_heads":56,"num_hidden_layers":48})", 1'376'256,
     1'376'256, 0, "facebookresearch/metaseq, metaseq/launcher/opt_job_constants.py"},
    {"GPT-NeoX 20B", R"({"model_type":"gpt_neox"})", 1'081'344, 1'081'344, 0,
     "EleutherAI/gpt-neox, configs/20B.yml; class gpt_neox"},
    {"GPT-J 6B", R"({"model_type":"gptj","n_embd":4096,"n_head":16,"n_layer":28})", 458'752, 458'752, 0, "class gptj"},
    {"GPT-Neo 1.3B",
     R"({"model_type":"gpt_neo","hidden_size":2048,"num_heads":16,"num_layers":24,"window_size":256,
         "attention_types":[[["global","local"],12]]})",
     196'608, 98'304, 98'304LL * 256, "class gpt_neo"},
    {"Phi-3 mini 4k",
     R"({"model_type":"phi3","hidden_size":3072,"num_attention_heads":32,"num_key_value_heads":32,"num_hidden_layers":32,
         "sliding_window":2047})",
     393'216, 0, 393'216LL * 2047, "NVIDIA/TensorRT-LLM, tests/unittest/_torch/modeling/test_modeling_phi3.py"},
    {"ChatGLM2 6B",
     R"({"model_type":"chatglm","hidden_size":4096,"num_attention_heads":32,"kv_channels":128,"num_layers":28,
         "multi_query_attention":true,"multi_query_group_num":2,"attention_softmax_in_fp32":true})",
     28'672, 28'672, 0,
     "mindspore-lab/mindformers, docs/api/api_python/models/mindformers.models.glm2.ChatGLM2Config.rst"},
    {"Jamba v0.1",
     R"({"model_type":"jamba","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,"num_hidden_layers":32,
         "attn_layer_offset":4,"attn_layer_period":8,"mamba_d_state":16})",
     16'384, 16'384, 0, "class jamba: layer 4 of each 8"},
    {"Nemotron 3 Nano 30B",
     R"({"model_type":"nemotron_h","num_attention_heads":32,"num_key_value_heads":2,"head_dim":128,"num_hidden_layers":52,
         "hybrid_override_pattern":"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME","mamba_head_dim":64})",
     6'144, 6'144, 0,
     "NVIDIA-NeMo/Megatron-Bridge, src/megatron/bridge/models/nemotronh/nemotron_h_provider.py: Nemotron3NanoProvider"},
    {"Zamba2 2.7B", R"({"model_type":"zamba2","hidden_size":2560,"num_attention_heads":32,"num_hidden_layers":54})",
     184'320, 184'320, 0, "class zamba2: 9 layers of attention over 2 x hidden_size"},
    {"RecurrentGemma 2B",
     R"({"model_type":"recurrent_gemma","hidden_size":2560,"num_attention_heads":10,"num_key_value_heads":1,"head_dim":256,
         "num_hidden_layers":26,"attention_window_size":2048})",
     8'192, 0, 8'192LL * 2048,
     "google-deepmind/recurrentgemma, recurrentgemma/common.py: RECURRENT_GEMMA_2B_V1, whose K is of one head; class "
     "recurrent_gemma"},
    {"Command R7B",
     R"({"model_type":"cohere2","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
         "num_hidden_layers":32,"sliding_window":4096,"sliding_window_pattern":4,"position_embedding_type":"rope_gptj"})",
     131'072, 32'768, 98'304LL * 4096,
     "ml-explore/mlx-lm, mlx_lm/models/cohere2.py; class cohere2: every fourth layer full"},
    {"EXAONE 4.0 32B",
     R"({"model_type":"exaone4","hidden_size":5120,"num_attention_heads":40,"num_key_value_heads":8,"head_dim":128,
         "num_hidden_layers":64,"sliding_window":4096,"sliding_window_pattern":"LLLG"})",
     262'144, 65'536, 196'608LL * 4096,
     "NVIDIA/TensorRT-LLM, tests/unittest/_torch/modeling/test_modeling_exaone4.py, with its notes on layers and "
     "window; class exaone4: the letters of the pattern"},
    {"SmolLM3 3B", R"({"model_type":"smollm3"})", 73'728, 73'728, 0, "class smollm3"},
    {"Granite 3.1 8B",
     R"({"model_type":"granite","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
         "num_hidden_layers":40,"attention_multiplier":0.0078125})",
     163'840, 163'840, 0, "leok7v/nano-lamma, models/granite-3.1-1b-a400m-instruct/README.md: 8B Dense"},
    {"T5 large",
     R"({"model_type":"t5","d_model":1024,"d_kv":64,"num_heads":16,"num_layers":24,"is_encoder_decoder":true})", 98'304,
     98'304, 0,
     "KwangryeolPark/Model.Summary, legacy/docs/image_model_info/t5-large.md: the decoder's 24 layers; class t5"},
    {"Whisper large v3 turbo",
     R"({"model_type":"whisper","d_model":1280,"encoder_layers":32,"num_hidden_layers":32,"decoder_layers":4,
         "encoder_attention_heads":20,"decoder_attention_heads":20})",
     20'480, 20'480, 0,
     "ooples/AiDotNet, src/SpeechRecognition/WhisperFamily/WhisperLargeV3TurboOptions.cs: the decoder's 4 layers"},
};

}  // namespace

TEST_CASE("the KV caches of published models follow from their configs") {
  CHECK(std::size(published) >= 30);
  for (const Published& model : published) {
    INFO(model.name << ", " << model.place);
    const ModelConfig read = config(model.json);
    CHECK(cache_of(read, 1) == model.token);
    CHECK(cache_of(read, 131'072) == model.full * 131'072 + model.rest);
    CHECK(read.unknown == std::vector<std::string>());
  }
}

TEST_CASE("layers of other KV heads and head dims are counted by their own") {
  const ModelConfig nas = config(
      R"({"model_type":"nemotron-nas","hidden_size":8192,"num_attention_heads":64,"num_hidden_layers":4,
          "num_key_value_heads":null,"block_configs":[
          {"attention":{"n_heads_in_group":8,"no_op":false}},{"attention":{"n_heads_in_group":null,"no_op":true}},
          {"attention":{"n_heads_in_group":16,"no_op":false}},{"attention":{"n_heads_in_group":8,"no_op":false}}]})");
  CHECK(nas.kv_heads == 8);
  CHECK(sim::text_of(nas.layers) == "2+1@4");
  CHECK(nas.mix == "2 full (8 KV heads of d 128), 1 full (4 KV heads of d 128), 1 without attention");
  CHECK(cache_of(nas, 1) == 10'240);
  const ModelConfig gemma = config(
      R"({"model_type":"gemma4","text_config":{"model_type":"gemma4_text","hidden_size":3840,"num_hidden_layers":48,
          "num_attention_heads":16,"num_key_value_heads":8,"num_global_key_value_heads":1,"head_dim":256,
          "global_head_dim":512,"attention_k_eq_v":true,"sliding_window":1024}})");
  CHECK(gemma.kv_heads == 1);
  CHECK(gemma.head_dim == 512);
  CHECK(gemma.scale == 1.0);
  CHECK(sim::text_of(gemma.layers) == "8+40:1023@8x256");
  CHECK(cache_of(gemma, 1) == 344'064);
  const ModelConfig elm = config(
      R"({"model_type":"openelm","model_dim":1280,"head_dim":64,"num_transformer_layers":3,"num_kv_heads":[3,3,4],
          "num_query_heads":[12,12,16]})");
  CHECK(elm.heads == 12);
  CHECK(sim::text_of(elm.layers) == "2+1@4");
  const ModelConfig overridden = config(
      R"({"num_attention_heads":8,"hidden_size":512,"num_hidden_layers":3,
          "per_layer_config":{"1":{"num_key_value_heads":2,"attention_rule":7}}})");
  CHECK(sim::text_of(overridden.layers) == "2+1@2");
  CHECK(overridden.beyond == std::vector<std::string>{"attention_rule of per_layer_config"});
}

TEST_CASE("the mix of a model names layers without attention, and those that read other caches") {
  CHECK(config(R"({"model_type":"qwen3_next"})").mix == "12 full, 36 linear");
  CHECK(config(R"({"model_type":"llama4_text"})").mix == "12 full, 36 chunked (chunks of 8192 keys)");
  CHECK(config(R"({"model_type":"minimax","num_hidden_layers":8,"attn_type_list":[0,0,0,1,0,0,0,1]})").mix ==
        "2 full, 6 linear");
  CHECK(config(R"({"model_type":"lfm2","num_hidden_layers":4,"full_attn_idxs":[2]})").mix == "1 full, 3 convolution");
  CHECK_THAT(config(R"({"model_type":"gemma3n"})").mix,
             Contains("; 15 of them read the keys and values of other layers"));
  CHECK(sim::text_of(
            config(R"({"model_type":"hunyuan","num_hidden_layers":6,"use_cla":true,"cla_share_factor":2})").layers) ==
        "3");
  CHECK(config(R"({"model_type":"mllama_text_model"})").mix == "32 full, 8 cross-attention");
  CHECK(config(R"({"model_type":"llama"})").mix.empty());
}

TEST_CASE("keys of windows count from where their class counts") {
  const auto text = [](const char* json) { return sim::text_of(config(json).layers); };
  CHECK(text(R"({"model_type":"qwen2","num_hidden_layers":8,"use_sliding_window":true,"max_window_layers":5,
                 "sliding_window":64})") == "5+3:63");
  CHECK(text(R"({"model_type":"qwen2","num_hidden_layers":8,"sliding_window":64})") == "8");
  CHECK(text(R"({"model_type":"qwen2","num_hidden_layers":8,"use_sliding_window":true,"max_window_layers":0,
                 "sliding_window":64})") == "0+8:63");
  CHECK(text(R"({"model_type":"olmo3","num_hidden_layers":8})") == "2+6:4095");
  CHECK(text(R"({"model_type":"smollm3","use_sliding_window":true,"sliding_window":64})") == "27+9:63");
  CHECK(text(R"({"model_type":"modernbert"})") == "8+14:128");
  CHECK(text(R"({"num_attention_heads":8,"hidden_size":512,"num_hidden_layers":4,"attention_chunk_size":64})") ==
        "0+4/64");
  CHECK(config(R"({"model_type":"mistral"})").window == 4095);
  CHECK(config(R"({"model_type":"recurrent_gemma"})").window == 2047);
}

TEST_CASE("the scale of a config is that of its class") {
  CHECK(config(R"({"model_type":"granite","attention_multiplier":0.0078125})").scale == 0.0078125);
  CHECK(config(R"({"model_type":"granite"})").scale == 1.0);
  CHECK(config(R"({"model_type":"t5"})").scale == 1.0);
  CHECK(config(R"({"model_type":"gpt2","scale_attn_weights":false})").scale == 1.0);
  CHECK(config(R"({"model_type":"mpt","attn_config":{"softmax_scale":0.5}})").scale == 0.5);
  CHECK_FALSE(config(R"({"model_type":"mpt","attn_config":{"softmax_scale":null}})").scale);
  CHECK(config(R"({"model_type":"zamba2"})").scale == 1 / std::sqrt(80.0));
  CHECK_FALSE(config(R"({"model_type":"gemma3_text"})").scale);
}

TEST_CASE("one KV head is taken by multi_query, unless the new decoder has its own number") {
  CHECK(config(R"({"model_type":"RefinedWebModel","n_head":71,"n_layer":32,"hidden_size":4544,"multi_query":true})")
            .kv_heads == 1);
  CHECK(config(R"({"model_type":"RefinedWebModel","n_head":32,"n_layer":24,"hidden_size":2048,"multi_query":false})")
            .kv_heads == 32);
  CHECK(config(R"({"model_type":"RefinedWeb","n_head":128,"n_head_kv":8,"n_layer":60,"hidden_size":8192})").kv_heads ==
        8);
  CHECK(config(R"({"model_type":"gpt_bigcode","multi_query":false})").kv_heads == 12);
  CHECK(config(R"({"model_type":"mpt","attn_config":{"attn_type":"multiquery_attention"}})").kv_heads == 1);
}

TEST_CASE("keys that change attention and are not modelled are named, and unknown ones as well") {
  const std::string start = R"({"model_type":"llama","num_hidden_layers":4,)";
  const auto beyond = [&](const std::string& key) {
    const ModelConfig model = config(start + key + "}");
    CHECK(model.unknown.empty());
    return model.beyond.empty() ? std::string() : model.beyond.front();
  };
  CHECK_THAT(beyond(R"("position_embedding_type":"relative_key")"),
             Contains("position_embedding_type \"relative_key\""));
  CHECK(beyond(R"("alibi":true)").empty());  // an option
  CHECK_THAT(beyond(R"("clip_qkv":8)"), Contains("clip_qkv"));
  CHECK_THAT(beyond(R"("rope_scaling":{"type":"yarn","factor":4})"), Contains("yarn"));
  CHECK_THAT(beyond(R"("rope_parameters":{"full_attention":{"rope_type":"longrope"}})"), Contains("longrope"));
  CHECK_THAT(beyond(R"("quantization_config":{"kv_cache_scheme":{"num_bits":8}})"), Contains("kv_cache_scheme"));
  CHECK_THAT(beyond(R"("is_encoder_decoder":true)"), Contains("cross attention"));
  CHECK(beyond(R"("alibi":false,"position_embedding_type":"absolute","attention_dropout":0.1,"pruned_heads":{})")
            .empty());
  CHECK(config(start + R"("my_attention_rule":1,"window_shape":"x","chunk_rule":false,"hybrid_x":2,"kv_y":3,"z_head":4,
                         "block_sparsity":5,"sparse_topk":6,"plain":7,"vision_heads":8,"other_block":null})")
            .unknown == std::vector<std::string>{"block_sparsity", "chunk_rule", "hybrid_x", "kv_y",
                                                 "my_attention_rule", "sparse_topk", "window_shape", "z_head"});
  CHECK(config(R"({"attention_rule":1,"text_config":{"model_type":"llama"}})").unknown ==
        std::vector<std::string>{"attention_rule"});
  CHECK_THAT(config(R"({"num_attention_heads":8,"hidden_size":512,"num_hidden_layers":1,
                        "layer_types":["deepseek_sparse_attention"]})")
                 .beyond.at(0),
             Contains("sparse attention (deepseek_sparse_attention)"));
}

TEST_CASE("values of the class that a file leaves out are named in a note") {
  const program::Folder folder;
  program::write_file(folder / "config.json",
                      R"({"model_type":"gemma3_text","num_hidden_layers":12,"sliding_window":8})");
  sim::OptionValues options = {{"model", folder / "config.json"}};
  std::vector<std::string> notes;
  results::expand_model_file(options, notes);
  CHECK(options.at("kv-heads") == "4");
  CHECK(options.at("layers") == "2+10:7");
  REQUIRE(notes.size() == 3);
  CHECK_THAT(notes[2], Contains("class of gemma3_text are taken: head_dim 256, num_attention_heads 8, "
                                "num_key_value_heads 4, query_pre_attn_scalar 256, sliding_window_pattern 6"));
  program::write_file(folder / "config.json", R"({"model_type":"mymodel","num_attention_heads":2,"head_dim":8})");
  options = {{"model", folder / "config.json"}};
  notes.clear();
  results::expand_model_file(options, notes);
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[1], Contains("model_type \"mymodel\" is not known"));
}

TEST_CASE("multi-head latent attention is its form of prefill, and its latent rows are the KV cache") {
  const ModelConfig model = config(R"({"model_type":"deepseek_v3","num_hidden_layers":61,"num_attention_heads":128,
      "num_key_value_heads":128,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128})");
  CHECK(model.heads == 128);
  CHECK(model.kv_heads == 128);
  CHECK(model.head_dim == 192);
  CHECK(model.head_dim_v == 128);
  CHECK(sim::text_of(model.layers) == "61~576");
  CHECK(model.beyond.empty());
  CHECK(model.unknown.empty());
}

TEST_CASE("multi-head latent attention is refused where its widths are missing, and beside layers of other kinds") {
  CHECK_THROWS_WITH(config(R"({"model_type":"deepseek_v3","num_attention_heads":128})"), Contains("qk_rope_head_dim"));
  CHECK_THROWS_WITH(config(R"({"model_type":"kimi_linear","num_attention_heads":32})"),
                    Contains("multi-head latent attention (kv_lora_rank) beside layers of other kinds"));
}

TEST_CASE("a head dim of V that is another is taken, also in the KV cache") {
  const std::string start = R"({"model_type":"llama","num_hidden_layers":4,"num_attention_heads":8,"head_dim":192,)";
  CHECK(config(start + R"("v_head_dim":128})").head_dim_v == 128);
  CHECK_FALSE(config(start + R"("v_head_dim":192})").head_dim_v);
}
