// The worked example of the literature notes: N = 4, d = 2, Br = Bc = 2, Q = V. Values to six decimals.
#pragma once
#include "sim/programs/drawn_rows.h"
#include "sim/programs/run.h"

namespace example {

using Matrix = std::vector<std::vector<double>>;

inline sim::Scenario scenario(const char* algorithm, double scale, bool causal = false) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = 4;
  s.shape.head_dim = 2;
  s.shape.mask.causal = causal;
  s.dtype = sim::Dtype::fp32;
  s.scale = scale;
  s.br = s.bc = 2;
  s.inputs = sim::InputRule::worked;
  return s;
}

/// Returns the values after each event of one verb and tensor, in order.
inline std::vector<Matrix> values_of(const sim::Trace& trace, sim::Verb verb, sim::Tensor tensor) {
  std::vector<Matrix> all;
  for (const sim::Event& event : trace.events) {
    if (event.verb != verb || event.tensor != tensor || event.value < 0) continue;
    const sim::TileValues& tile = trace.values[static_cast<std::size_t>(event.value)];
    Matrix matrix;
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      const auto row = tile.values.begin() + r * tile.cols;
      matrix.emplace_back(row, row + tile.cols);
    }
    all.push_back(matrix);
  }
  return all;
}

/// One step of flash1 or flash2, as printed in the notes.
struct Step {
  Matrix S;
  std::vector<double> m_tilde;
  Matrix P;
  std::vector<double> l_tilde, m, alpha, beta, l;
  Matrix PV, O;
};

struct Golden {
  double scale;
  Matrix O;
  std::vector<double> m, l, L;
  std::vector<Step> flash1, flash2;  ///< flash1: (j, i) = 11, 12, 21, 22; flash2: (i, j) = 11, 12, 21, 22
  Matrix causal_O;
  std::vector<double> causal_L;
};

extern const Golden golden[2];

}  // namespace example
