#include "sim/model/closed_form.h"

#include <algorithm>
#include <cctype>

#include "sim/model/kernel_form.h"
#include "sim/model/live_tiles.h"

namespace sim {
namespace {

/// The symbols of a plan. Without a mask the sums over live tiles are products of plain symbols.
class Symbols {
 public:
  explicit Symbols(const Problem& p) : masked_(p.shape.mask.any()) {
    const Shape& s = p.shape;
    values_ = {{"B", s.batch},
               {"H", s.heads},
               {"Nq", s.seqlen_q},
               {"Nk", s.seqlen_k},
               {"d", s.head_dim},
               {"e", size_of(p.dtype)},
               {"Tr", ceil_div(s.seqlen_q, p.tiling.br)},
               {"Tc", ceil_div(s.seqlen_k, p.tiling.bc)}};
    if (!masked_) return;
    const LiveTiles live = sum_live_tiles(s, p.tiling.br, p.tiling.bc);
    const SymbolValues sums = {{"Rq", live.live_queries},
                               {"Ck", live.live_keys},
                               {"Aq", live.query_visits},
                               {"Ak", live.key_visits},
                               {"A", live.elements}};
    values_.insert(values_.end(), sums.begin(), sums.end());
  }

  /// The symbol, or what it is without a mask.
  std::string plain(const std::string& symbol) const {
    static const std::vector<std::pair<std::string, std::string>> unmasked = {
        {"Rq", "Nq"}, {"Ck", "Nk"}, {"Aq", "Tc Nq"}, {"Ak", "Tr Nk"}, {"A", "Nq Nk"}};
    for (const auto& [sum, product] : unmasked) {
      if (!masked_ && sum == symbol) return product;
    }
    return symbol;
  }

  std::int64_t operator[](const std::string& symbol) const {
    for (const auto& [name, value] : values_) {
      if (name == symbol) return value;
    }
    throw Error("closed form: unknown symbol " + symbol);
  }

 private:
  bool masked_;
  SymbolValues values_;
};

template <class Visitor>
void each_factor(std::string_view equation, Visitor visit) {
  while (!equation.empty()) {
    const std::size_t end = std::min(equation.find(' '), equation.size());
    visit(std::string(equation.substr(0, end)));
    equation.remove_prefix(std::min(end + 1, equation.size()));
  }
}

/// An equation in plain symbols, multiplied out: what is printed is what is computed.
struct Product {
  std::string equation;
  SymbolValues values;
  std::int64_t result = 1;
};

Product multiply_out(std::string_view equation, const Symbols& symbols) {
  Product product;
  each_factor(equation, [&](const std::string& factor) {
    product.equation += (product.equation.empty() ? "" : " ") + symbols.plain(factor);
  });
  each_factor(product.equation, [&](const std::string& factor) {
    const bool number = std::isdigit(static_cast<unsigned char>(factor.front())) != 0;
    const std::int64_t value = number ? std::stoll(factor) : symbols[factor];
    if (!number) product.values.emplace_back(factor, value);
    product.result = checked_multiply(product.result, value);
  });
  return product;
}

}  // namespace

KernelForm form_of_kernel(std::string_view kernel, const Problem& p) {
  if (kernel == "qk_gemm") return qk_gemm_form(p);
  if (kernel == "mask") return mask_form(p);
  if (kernel == "softmax") return softmax_form(p);
  if (kernel == "pv_gemm") return pv_gemm_form(p);
  if (kernel == "memory_efficient_forward") return memory_efficient_forward_form(p);
  if (kernel == "flash1_forward") return flash1_forward_form(p);
  if (kernel == "flash2_forward") return flash2_forward_form(p);
  throw Error(text("closed form: kernel ", kernel, " has no equations yet"));
}

std::vector<TrafficTerm> closed_form_traffic(const Plan& plan) {
  const Symbols symbols(plan.problem);
  std::vector<TrafficTerm> terms;
  for (const Launch& launch : plan.launches) {
    for (const TrafficRule& rule : form_of_kernel(launch.name, plan.problem).traffic) {
      const Product p = multiply_out(rule.equation, symbols);
      if (p.result == 0) continue;
      terms.push_back({launch.name, rule.tensor, rule.direction, rule.bucket, p.equation, p.values, Bytes(p.result)});
    }
  }
  return terms;
}

std::vector<WorkTerm> closed_form_work(const Plan& plan) {
  const Symbols symbols(plan.problem);
  std::vector<WorkTerm> terms;
  for (const Launch& launch : plan.launches) {
    for (const WorkRule& rule : form_of_kernel(launch.name, plan.problem).work) {
      const Product p = multiply_out(rule.equation, symbols);
      if (p.result == 0) continue;
      terms.push_back(
          {launch.name, std::string(rule.quantity), std::string(rule.what), p.equation, p.values, p.result});
    }
  }
  return terms;
}

std::string_view symbol_meaning(std::string_view symbol) {
  static constexpr std::pair<std::string_view, std::string_view> meanings[] = {
      {"B", "batch entries"},
      {"H", "query heads"},
      {"Nq", "queries"},
      {"Nk", "keys"},
      {"d", "head dimension"},
      {"e", "bytes per element"},
      {"Tr", "row blocks"},
      {"Tc", "column blocks"},
      {"Rq", "query rows in row blocks that see a key"},
      {"Ck", "key rows in column blocks that a query sees"},
      {"Aq", "query rows met by each live column block, summed"},
      {"Ak", "key rows met by each live row block, summed"},
      {"A", "elements of all live tiles of one head"}};
  for (const auto& [name, meaning] : meanings) {
    if (name == symbol) return meaning;
  }
  return "";
}

}  // namespace sim
