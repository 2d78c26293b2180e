// Head layouts of published models: sources in models.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sim {

struct ModelHeads {
  std::string name;
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::string layers;  ///< as --layers
  std::string source;
  std::string note = {};  ///< version that the name means, and features that are not modelled; "" if there are none
  std::int64_t head_dim_v = 0;  ///< V has this one where it differs; else 0
};
const std::vector<ModelHeads>& model_heads();

}  // namespace sim
