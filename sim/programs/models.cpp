// Head layouts of published models, with where each comes from.
#include "sim/programs/models.h"

namespace sim {

const std::vector<ModelHeads>& model_heads() {
  static const std::vector<ModelHeads> models = {
      {"gpt2-medium", 16, 16, 64, "Radford et al. 2019, Language Models are Unsupervised Multitask Learners, table 2"},
      {"bert-large", 16, 16, 64, "Devlin et al. 2019, BERT, section 3"},
      {"llama-2-7b", 32, 32, 128, "Touvron et al. 2023, Llama 2; hidden 4096"},
      {"llama-3-8b", 32, 8, 128, "Grattafiori et al. 2024, The Llama 3 Herd of Models, table 3"},
      {"llama-3-70b", 64, 8, 128, "Grattafiori et al. 2024, The Llama 3 Herd of Models, table 3"},
      {"llama-13b", 40, 40, 128, "Touvron et al. 2023, LLaMA, table 2"},
  };
  return models;
}

}  // namespace sim
