#include "sim/model/approximate.h"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/model/formula_symbols.h"
#include "sim/model/roofline.h"

namespace sim {
namespace {

// Scores and weights of a query with c keys: 2 d FLOPs for each score and for each weight, and 4 c elements written and
// read.
constexpr std::array<ApproximateFamily, 11> families = {{
    {"dense", "b*h*4*N^2*d", "b*h*e*4*N*d", "all N keys, exactly", "Dao et al. 2022, section 3.2"},
    {"linformer", "b*h*8*N*min(N/8,256)*d",  // E K, F V, scores, product with V: 2 N c d each
     "b*h*e*(4*N*d + 4*min(N/8,256)*d + 4*N*min(N/8,256)) + 2*e*N*min(N/8,256)",
     "c keys that all N are projected to, by E and F of N x c", "Wang et al. 2020, equation 7"},
    {"performer", "b*h*8*N*min(N/8,256)*d",  // features of Q and of K, K'^T V, Q' (K'^T V): 2 N c d each
     "b*h*e*(4*N*d + 4*N*min(N/8,256) + 2*min(N/8,256)*d)", "c random features instead of keys",
     "Choromanski et al. 2021, section 2"},
    {"reformer", "b*h*4*N*min(N/8,256)*d", "b*h*e*(8*N*d + 4*N*min(N/8,256))",  // Q, V and O go through sorted copies
     "c keys of its bucket and the one before, in one round of hashing", "Kitaev et al. 2020, section 2"},
    {"smyrf", "b*h*4*N*min(N/8,256)*d", "b*h*e*(12*N*d + 4*N*min(N/8,256))",  // Q, K, V and O go through sorted copies
     "c keys of its cluster of c queries, in one round of hashing", "Daras et al. 2020, section 3"},
    {"local", "b*h*4*N*min(N/8,256)*d", "b*h*e*(4*N*d + 4*N*min(N/8,256))", "c keys around it",
     "Dao et al. 2022, appendix E.6"},
    {"longformer", "b*h*4*N*min(N,512)*d", "b*h*e*(4*N*d + 4*N*min(N,512))",
     "512 keys around it; its few tokens that attend to all are left out", "Beltagy et al. 2020, section 3"},
    // K W, then its softmax over N times K and times V: 2 N c d each; a query has c keys of either kind.
    {"lsformer", "b*h*14*N*min(N/8,256)*d", "b*h*e*(7*N*d + 13*N*min(N/8,256) + 4*min(N/8,256)*d) + h*e*min(N/8,256)*d",
     "c keys around it, and c that all N are projected to by weights of their own", "Zhu et al. 2021, section 3"},
    // A span of 2, 4, 8 ... tokens has a mean of its keys and one of its values: N spans of each in all.
    {"hierarchical", "b*h*4*N*min(N,64*(1+log2(max(N,64)/64)))*d",
     "b*h*e*(8*N*d + 4*N*min(N,64*(1+log2(max(N,64)/64))))",
     "64 keys around it, then 64 spans of keys at each level, of twice the length", "Ye et al. 2019, section 3"},
    {"strided", "b*h*8*N*sqrt(N)*d", "b*h*e*(4*N*d + 8*N*sqrt(N))", "sqrt(N) keys before it and every sqrt(N)-th",
     "Child et al. 2019, section 4.2"},
    {"bigbird", "b*h*4*N*min(N,512)*d", "b*h*e*(4*N*d + 4*N*min(N,512))",
     "8 blocks of 64 keys: 3 around it, 3 at random, 2 for all", "Zaheer et al. 2020, appendix E"},
}};

}  // namespace

std::span<const ApproximateFamily> approximate_families() { return families; }

NamedFormula named_formula(const std::string& typed) {
  const std::size_t colon = typed.find(':');
  if (colon == std::string::npos) return {typed, {}};
  const std::string name = typed.substr(0, colon), part = typed.substr(colon + 1);
  std::vector<std::string> names;
  for (const ApproximateFamily& family : families) names.emplace_back(family.name);
  const auto found = std::find(names.begin(), names.end(), name);
  require(found != names.end(), "formula: ", unknown_name_message("family", name, names));
  require(part == "flops" || part == "bytes", "formula: ", name, " has flops and bytes, not \"", part.substr(0, 50),
          "\"");
  const ApproximateFamily& family = families[static_cast<std::size_t>(found - names.begin())];
  if (part == "flops") return {std::string(family.flops), "work.matmul_flops"};
  return {std::string(family.bytes), "hbm_traffic"};
}

double least_microseconds(const ApproximateFamily& family, const Plan& plan) {
  const Roofs roofs = roofs_of(*plan.scenario.gpu, plan.scenario.dtype);
  const double flops = formula_value(std::string(family.flops), plan);
  const double bytes = formula_value(std::string(family.bytes), plan);
  return std::max(flops / roofs.matrix_peak, bytes / roofs.hbm) * 1e6;
}

}  // namespace sim
