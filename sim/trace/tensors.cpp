#include "sim/trace/tensors.h"

#include <algorithm>

namespace sim {
namespace {

using Row = TensorFacts;
constexpr std::nullopt_t asked = std::nullopt;  ///< dtype: that of the scenario
constexpr bool gradient = true, of_caller = true, no = false;

// clang-format off
constexpr auto make_tensor_table() {
  using enum Tensor;
  using enum Extent;
  using enum Dtype;
  return std::array{
      Row{Q,          "Q",          queries,     asked, Q,    no,       of_caller},
      Row{K,          "K",          keys,        asked, K,    no,       of_caller},
      Row{V,          "V",          keys,        asked, V,    no,       of_caller},
      Row{O,          "O",          queries,     asked, O,    no,       of_caller},
      Row{S,          "S",          scores,      asked, S,    no,       no},
      Row{P,          "P",          scores,      asked, P,    no,       no},
      Row{L,          "L",          rows,        fp32,  none, no,       no},
      Row{m,          "m",          rows,        fp32,  none, no,       no},
      Row{l,          "l",          rows,        fp32,  none, no,       no},
      Row{D,          "D",          rows,        fp32,  none, no,       no},
      Row{dO,         "dO",         queries,     asked, O,    gradient, of_caller},
      Row{dQ,         "dQ",         queries,     asked, Q,    gradient, of_caller},
      Row{dK,         "dK",         keys,        asked, K,    gradient, of_caller},
      Row{dV,         "dV",         keys,        asked, V,    gradient, of_caller},
      Row{dS,         "dS",         scores,      asked, S,    gradient, no},
      Row{dP,         "dP",         scores,      asked, P,    gradient, no},
      Row{dQ_acc,     "dQ_acc",     queries,     fp32,  Q,    gradient, no},
      Row{O_tmp,      "O_tmp",      queries,     fp32,  O,    no,       no},
      Row{dQ_tmp,     "dQ_tmp",     queries,     fp32,  Q,    gradient, no},
      Row{S_masked,   "S_masked",   scores,      asked, S,    no,       no},
      Row{P_dropped,  "P_dropped",  scores,      asked, P,    no,       no},
      Row{dP_dropped, "dP_dropped", scores,      asked, P,    gradient, no},
      Row{mask,       "mask",       scores,      u8,    none, no,       no},
      Row{O_part,     "O_part",     query_parts, fp32,  O,    no,       no},
      Row{L_part,     "L_part",     row_parts,   fp32,  none, no,       no},
      Row{m_part,     "m_part",     row_parts,   fp32,  none, no,       no},
      Row{l_part,     "l_part",     row_parts,   fp32,  none, no,       no},
      Row{mask_blocks, "mask_blocks", blocks,    u8,    none, no,       no},
      Row{sequences,  "sequences",  entries,     i32,   none, no,       no},
      Row{PV,         "PV",         queries,     fp32,  O,    no,       no},
      Row{alpha,      "alpha",      rows,        fp32,  none, no,       no},
      Row{beta,       "beta",       rows,        fp32,  none, no,       no},
      Row{none,       "-",          nothing,     asked, none, no,       no}};
}
// clang-format on
constexpr auto tensor_table = make_tensor_table();

constexpr bool in_order_of_enum() {
  for (std::size_t n = 0; n < tensor_table.size(); ++n) {
    if (static_cast<std::size_t>(tensor_table[n].tensor) != n) return false;
  }
  return tensor_table.size() == tensor_count + 1;
}
static_assert(in_order_of_enum(), "one row for each tensor, in the order of the enumeration");

}  // namespace

const TensorFacts& facts_of(Tensor tensor) { return tensor_table.at(static_cast<std::size_t>(tensor)); }

std::string_view name_of(Tensor tensor) { return facts_of(tensor).name; }

bool is_statistic(Tensor tensor) { return is_per_row(tensor) && static_cast<int>(tensor) < hbm_tensor_count; }

std::string_view stem_of(Tensor tensor) {
  const std::string_view name = name_of(tensor);
  return name.substr(0, name.find('_'));
}

std::string_view stage_of(Tensor tensor) {
  const std::string_view name = name_of(tensor), stem = stem_of(tensor);
  return name.substr(std::min(stem.size() + 1, name.size()));
}

}  // namespace sim
