// Head layouts of published models: sources in models.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/programs/scenario.h"

namespace sim {

struct ModelHeads {
  std::string name;
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  Layers layers;
  std::string source;
};
const std::vector<ModelHeads>& model_heads();

}  // namespace sim
