// Head layouts of published models, with their sources.
#include "sim/programs/models.h"

namespace sim {

const std::vector<ModelHeads>& model_heads() {
  static const std::vector<ModelHeads> models = {
      {"gpt2-medium", 16, 16, 64, "24",
       "Radford et al. 2019, Language Models are Unsupervised Multitask Learners, table 2"},
      {"bert-large", 16, 16, 64, "24", "Devlin et al. 2019, BERT, section 3"},
      {"llama-2-7b", 32, 32, 128, "32", "Touvron et al. 2023, Llama 2; hidden 4096"},
      {"llama-3-8b", 32, 8, 128, "32", "Grattafiori et al. 2024, The Llama 3 Herd of Models, table 3"},
      {"llama-3-70b", 64, 8, 128, "80", "Grattafiori et al. 2024, The Llama 3 Herd of Models, table 3"},
      {"llama-3.1-405b", 128, 8, 128, "126", "Grattafiori et al. 2024, The Llama 3 Herd of Models, table 3"},
      {"llama-13b", 40, 40, 128, "40", "Touvron et al. 2023, LLaMA, table 2"},
      {"mistral-7b", 32, 8, 128, "32",
       "Jiang et al. 2023, Mistral 7B, table 1; its window of 4096 is gone since version 0.2",
       "mistral-7b is version 0.2 or 0.3, which have no window; version 0.1 has --window 4095 --layers 0+32:4095"},
      {"qwen2.5-7b", 28, 4, 128, "28", "Yang et al. 2024, Qwen2.5 Technical Report, table 1; hidden 3584"},
      {"gemma-2-9b",
       16,
       8,
       256,
       "21+21:4095",
       "Riviere et al. 2024, Gemma 2, table 1: local layers of 4096 and global layers by turns; a softcap of 50",
       "a layer of full attention is simulated, with the softcap of its scores",
       0,
       {},
       "50"},
      {"gpt-oss-20b", 64, 8, 64, "12+12:127",
       "OpenAI 2025, gpt-oss-120b and gpt-oss-20b Model Card: banded layers of 128 and dense ones by turns; sinks",
       "a layer of full attention is simulated; its attention sinks are not modelled"},
      {"deepseek-v3",
       128,
       128,
       192,
       "61~576",
       "DeepSeek-AI 2024, DeepSeek-V3 Technical Report, section 4.2: 61 layers, 128 heads of 128, 64 more elements of "
       "Q "
       "and K for positions, a latent row of 512 and these 64",
       "prefill has K and V of all heads, mla-decode the absorbed form, in which all heads read the latent rows that "
       "the KV cache holds",
       128,
       {576, 512}},
  };
  return models;
}

}  // namespace sim
