// Values of tiles in every kernel, against the definition in double.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "sim/model/numerics_rule.h"
#include "tests/model/kernel_cases.h"

namespace {

using explorer::Subject;
using explorer::TileLayers;
using explorer::TileMatrix;
using sim::Tensor;

/// The matrices of one head in double, computed independently from the definition, without tiles.
struct InDouble {
  std::vector<double> S, P, dP, dS, L, D, m, l;
};

double dot(const std::vector<float>& a, std::int64_t row, const std::vector<float>& b, std::int64_t key,
           std::int64_t d) {
  double sum = 0;
  for (std::int64_t c = 0; c < d; ++c)
    sum += static_cast<double>(a[static_cast<std::size_t>(row * d + c)]) *
           static_cast<double>(b[static_cast<std::size_t>(key * d + c)]);
  return sum;
}

/// Computes the softmax of the newest row of S, and the quantities derived from it.
void finish_row(InDouble& x, const sim::Shape& s, std::int64_t i) {
  const auto first = static_cast<std::size_t>(i * s.seqlen_k), last = x.S.size();
  const double m = *std::max_element(x.S.begin() + static_cast<std::ptrdiff_t>(first), x.S.end());
  double l = 0, D = 0;
  for (std::size_t n = first; n < last; ++n) l += std::isfinite(m) ? std::exp(x.S[n] - m) : 0;
  for (std::size_t n = first; n < last; ++n) {
    x.P.push_back(l > 0 ? std::exp(x.S[n] - m) / l : 0);
    D += x.P[n] * x.dP[n];
  }
  for (std::size_t n = first; n < last; ++n) x.dS.push_back(x.P[n] * (x.dP[n] - D));
  x.m.push_back(m);
  x.l.push_back(l);
  x.L.push_back(m + std::log(l));
  x.D.push_back(D);
}

/// Computes query head `head`, counted over all batch entries, without dropout.
InDouble in_double(const sim::Plan& plan, std::int64_t head) {
  const sim::Shape& s = plan.problem.shape;
  const std::int64_t d = s.head_dim, kv = head / s.heads * s.kv_heads + s.kv_head_of(head % s.heads);
  const auto inputs = sim::draw_inputs(s, plan.problem.dtype, plan.scenario.seed);
  const auto dO = sim::draw_output_gradient(s, plan.problem.dtype, plan.scenario.seed);
  InDouble x;
  for (std::int64_t i = 0; i < s.seqlen_q; ++i) {
    const std::int64_t row = head * s.seqlen_q + i;
    for (std::int64_t j = 0; j < s.seqlen_k; ++j) {
      const std::int64_t key = kv * s.seqlen_k + j;
      const double score = static_cast<double>(plan.problem.scale) * dot(inputs.q, row, inputs.k, key, d);
      x.S.push_back(s.visible(i, j) ? score : -INFINITY);
      x.dP.push_back(dot(dO, row, inputs.v, key, d));
    }
    finish_row(x, s, i);
  }
  return x;
}

/// Returns the largest error over visible pairs. Scores of hidden pairs may exist before they are masked.
double largest_error(const sim::Shape& shape, const TileLayers& tile, const explorer::TileLayer& layer,
                     const std::vector<double>& want, double factor) {
  double largest = 0;
  std::size_t at = 0;
  for (std::int64_t i = tile.queries.begin; i < tile.queries.end; ++i) {
    for (std::int64_t j = tile.keys.begin; j < tile.keys.end; ++j, ++at) {
      if (!shape.visible(i, j)) continue;
      const double exact = factor * want[static_cast<std::size_t>(i * shape.seqlen_k + j)];
      largest = std::max(largest, std::abs(static_cast<double>(layer.values[at]) - exact));
    }
  }
  return largest;
}

/// Returns the matrices with each rounded to the dtype where a framework stores it: the baseline of the numerics rule.
InDouble in_plain(const InDouble& exact, const sim::Shape& shape, sim::Dtype dtype) {
  const auto rounded = [&](std::vector<double> values) {
    for (double& value : values) value = static_cast<double>(sim::round_to(dtype, static_cast<float>(value)));
    return values;
  };
  InDouble x;
  x.S = rounded(exact.S);
  x.P = rounded(exact.P);
  x.dP = rounded(exact.dP);
  for (std::size_t n = 0; n < x.P.size(); ++n) {
    const std::size_t row = n / static_cast<std::size_t>(shape.seqlen_k);
    x.dS.push_back(x.P[n] * (x.dP[n] - exact.D[row]));
  }
  x.dS = rounded(x.dS);
  return x;
}

struct Rule {
  const sim::Problem& problem;
  double k;  ///< 2 forward, 3 for gradients

  double allowed(const std::vector<double>& exact, const std::vector<double>& plain) const {
    double error = 0;
    for (std::size_t n = 0; n < exact.size(); ++n)
      error = std::isfinite(exact[n]) ? std::max(error, std::abs(exact[n] - plain[n])) : error;
    return sim::numerics::bound(k, error, exact, problem.dtype);
  }
};

/// The matrices of heads, computed once for each.
struct Heads {
  const sim::Plan& plan;
  std::map<std::int64_t, std::pair<InDouble, InDouble>> made = {};

  const std::pair<InDouble, InDouble>& of(std::int64_t head) {
    if (made.count(head) == 0) {
      InDouble exact = in_double(plan, head);
      InDouble plain = in_plain(exact, plan.problem.shape, plan.problem.dtype);
      made.emplace(head, std::pair(std::move(exact), std::move(plain)));
    }
    return made.at(head);
  }
};

void check_layers(const Subject& subject, const TileLayers& tile, const InDouble& exact, const InDouble& plain) {
  const sim::Problem& problem = subject.problem();
  const auto check = [&](Tensor tensor, const auto member, double k, double factor) {
    const explorer::TileLayer* const layer = tile.newest(tensor);
    if (layer == nullptr) return;
    INFO(name_of(tensor));
    CHECK(largest_error(problem.shape, tile, *layer, exact.*member, factor) <=
          Rule{problem, k}.allowed(exact.*member, plain.*member));
  };
  check(Tensor::S, &InDouble::S, 2, 1);
  check(Tensor::S_masked, &InDouble::S, 2, 1);
  check(Tensor::dP, &InDouble::dP, 3, 1);
  const std::string& name = subject.launch().name;
  const bool scaled = name == "flash1_backward" || name == "block_sparse_backward" || name == "fmha_backward";
  check(Tensor::dS, &InDouble::dS, 3, scaled ? static_cast<double>(problem.scale) : 1);
  // Kernels other than the forward passes hold P divided by the sum of its row.
  const sim::Launch& launch = subject.launch();
  const bool forward = explorer::is_fused_forward(launch) || launch.writes(Tensor::O_part);
  const bool divided = !forward && !launch.writes(Tensor::P);
  if (divided) check(Tensor::P, &InDouble::P, 2, 1);
}

void check_against_double(const std::shared_ptr<const explorer::Run>& run, std::size_t kernel, Heads& heads) {
  Subject subject = subject_of(run, kernel);
  const auto count = static_cast<std::int32_t>(subject.replay->index.visits().size());
  for (std::int32_t visit = 0; visit < count; visit += std::max(1, count / 3)) {
    INFO("visit " << visit);
    subject.time = subject.replay->index.visits()[static_cast<std::size_t>(visit)].begin;
    const TileMatrix matrix(subject);
    const std::int64_t index = place_of(subject, matrix).head;
    explorer::HeadValues head(run, kernel, index);
    const auto& [exact, plain] = heads.of(index);
    check_layers(subject, layers_at(subject, head, matrix), exact, plain);
  }
}

}  // namespace

TEST_CASE("the values of tiles in every kernel are within the numerics rule of those in double", "[repeats]") {
  for (const Case& c : all_cases()) {
    for (const sim::Dtype dtype : {sim::Dtype::fp32, sim::Dtype::fp16, sim::Dtype::bf16}) {
      if (c.tiling == sim::TilingRule::released && dtype == sim::Dtype::fp32) continue;
      sim::Scenario scenario = scenario_of(c);
      scenario.dtype = dtype;
      if (!takes(scenario)) continue;
      const auto run = explorer::make_run(scenario);
      Heads heads{run->simulation.plan};
      for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
        INFO(c.algorithm << " " << name_of(c.pass) << " " << name_of(c.tiling) << " " << name_of(dtype) << " "
                         << run->simulation.plan.launches[kernel].name);
        check_against_double(run, kernel, heads);
      }
    }
  }
}

TEST_CASE("the row statistics of backward kernels equal those in double") {
  for (const Case& c : all_cases()) {
    if (c.pass != sim::Pass::backward) continue;
    sim::Scenario scenario = scenario_of(c);
    scenario.dtype = sim::Dtype::fp32;
    if (c.tiling == sim::TilingRule::released || !takes(scenario)) scenario.dtype = sim::Dtype::fp16;
    const auto run = explorer::make_run(scenario);
    const sim::Plan& plan = run->simulation.plan;
    const std::int64_t index = 5;
    const InDouble exact = in_double(plan, index);
    for (std::size_t kernel = 0; kernel < plan.launches.size(); ++kernel) {
      const sim::Launch& launch = plan.launches[kernel];
      if (!explorer::has_tiles(*run, kernel)) continue;
      INFO(c.algorithm << " " << name_of(c.tiling) << " " << launch.name);
      explorer::HeadValues head(run, kernel, index);
      const auto rows = head.numbers({index, 1, 0, 0});
      while (rows->advance()) {
      }
      const explorer::RowNumbers& numbers = rows->numbers();
      const bool fused = !launch.unfused && !launch.reads(Tensor::P);  // recomputes P
      CHECK(numbers.L.size() + numbers.m.size() >= (fused ? static_cast<std::size_t>(numbers.queries.size()) : 0));
      const auto near = [&](const std::vector<float>& found, const std::vector<double>& want) {
        for (std::size_t n = 0; n < found.size(); ++n) {
          const double exactly = want[static_cast<std::size_t>(numbers.queries.begin) + n];
          if (!std::isfinite(exactly)) continue;
          CHECK(static_cast<double>(found[n]) ==
                Approx(exactly).margin(scenario.dtype == sim::Dtype::fp32 ? 1e-4 : 0.02));
        }
      };
      near(numbers.m, exact.m);
      near(numbers.l, exact.l);
      near(numbers.L, exact.L);
      near(numbers.D, exact.D);
    }
  }
}
