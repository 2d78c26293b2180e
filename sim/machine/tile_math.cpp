#include "sim/machine/tile_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/eigen.h"
#include "sim/machine/tile_product.h"

namespace sim::math {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

std::int64_t rows_of(const Values& values, std::int64_t cols) {
  return cols == 0 ? 0 : static_cast<std::int64_t>(values.size()) / cols;
}

template <class Function>
void each_row(Values& values, std::int64_t cols, Function function) {
  for (std::int64_t r = 0, rows = rows_of(values, cols); r < rows; ++r) {
    function(static_cast<std::size_t>(r), values.data() + r * cols, values.data() + (r + 1) * cols);
  }
}

template <class Function>
void each_row(const Values& values, std::int64_t cols, Function function) {
  for (std::int64_t r = 0, rows = rows_of(values, cols); r < rows; ++r) {
    function(static_cast<std::size_t>(r), values.data() + r * cols, values.data() + (r + 1) * cols);
  }
}

/// C (m, n) += A B, eight elements at a time where the processor can, with the bits of Eigen's product.
template <class Left, class Right>
void add_product(Values& c, const Left& a, const Right& b) {
  const auto strided = [](const auto& matrix) -> Strided {
    return {matrix.data(), matrix.rowStride(), matrix.colStride()};
  };
  if (add_product_in_order(c.data(), strided(a), strided(b), a.rows(), b.cols(), a.cols())) return;
  Eigen::Map<Matrix>(c.data(), a.rows(), b.cols()).noalias() += a * b;
}

}  // namespace

void gemm_nt(Values& c, const Values& a, const Values& b, std::int64_t m, std::int64_t n, std::int64_t k, bool add) {
  if (!add) Eigen::Map<Matrix>(c.data(), m, n).setZero();
  add_product(c, View(a.data(), m, k), View(b.data(), n, k).transpose());
}

void gemm_nn(Values& c, const Values& a, const Values& b, std::int64_t m, std::int64_t n, std::int64_t k, bool add,
             bool skip_zeros) {
  Eigen::Map<Matrix> result(c.data(), m, n);
  if (!add) result.setZero();
  const View left(a.data(), m, k), right(b.data(), k, n);
  if (!skip_zeros) return add_product(c, left, right);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t inner = 0; inner < k; ++inner) {
      if (left(i, inner) != 0.0f) result.row(i) += left(i, inner) * right.row(inner);
    }
  }
}

void gemm_tn(Values& c, const Values& a, const Values& b, std::int64_t m, std::int64_t n, std::int64_t k,
             bool skip_zeros) {
  Eigen::Map<Matrix> result(c.data(), m, n);
  const View left(a.data(), k, m), right(b.data(), k, n);
  if (!skip_zeros) return add_product(c, left.transpose(), right);
  for (std::int64_t inner = 0; inner < k; ++inner) {
    for (std::int64_t i = 0; i < m; ++i) {
      if (left(inner, i) != 0.0f) result.row(i) += left(inner, i) * right.row(inner);
    }
  }
}

void row_dot(Values& result, const Values& a, const Values& b, std::int64_t cols, bool skip_zeros) {
  each_row(a, cols, [&](std::size_t r, const float* begin, const float* end) {
    const float* other = b.data() + static_cast<std::int64_t>(r) * cols;
    if (!skip_zeros) {
      result[r] += Eigen::Map<const Eigen::VectorXf>(begin, cols).dot(Eigen::Map<const Eigen::VectorXf>(other, cols));
      return;
    }
    for (; begin != end; ++begin, ++other) result[r] += *begin == 0.0f ? 0.0f : *begin * *other;
  });
}

void jacobian(Values& dp, const Values& p, const Values& d, std::int64_t cols) {
  each_row(dp, cols, [&](std::size_t r, float* begin, float* end) {
    const float* probability = p.data() + static_cast<std::int64_t>(r) * cols;
    std::transform(begin, end, probability, begin,
                   [row = d[r]](float x, float weight) { return weight == 0.0f ? 0.0f : weight * (x - row); });
  });
}

void multiply(Values& dp, const Values& p) {
  std::transform(dp.begin(), dp.end(), p.begin(), dp.begin(),
                 [](float x, float weight) { return weight == 0.0f ? 0.0f : weight * x; });
}

void jacobian_of_product(Values& t, const Values& p, const Values& d, std::int64_t cols) {
  each_row(t, cols, [&](std::size_t r, float* begin, float* end) {
    const float* probability = p.data() + static_cast<std::int64_t>(r) * cols;
    std::transform(begin, end, probability, begin, [row = d[r]](float x, float weight) { return x - weight * row; });
  });
}

Values keep_mask(const Dropout& dropout, std::int64_t head, Interval queries, Interval keys) {
  Values keep(static_cast<std::size_t>(queries.size() * keys.size()));
  for (std::int64_t query = queries.begin; query < queries.end; ++query) {
    float* const row = keep.data() + (query - queries.begin) * keys.size();
    keep_row(dropout, head, query, keys, {row, static_cast<std::size_t>(keys.size())});
  }
  return keep;
}

void apply_keep(Values& p, const Values& keep, float factor) {
  std::transform(p.begin(), p.end(), keep.begin(), p.begin(),
                 [factor](float x, float kept) { return kept == 0.0f ? 0.0f : x * factor; });
}

void row_max(Values& result, const Values& s, std::int64_t cols) {
  each_row(s, cols, [&](std::size_t r, const float* begin, const float* end) {
    result[r] = std::max(result[r], Eigen::Map<const Eigen::ArrayXf>(begin, end - begin).maxCoeff());
  });
}

void row_sum(Values& result, const Values& p, std::int64_t cols) {
  each_row(p, cols, [&](std::size_t r, const float* begin, const float* end) {
    result[r] += Eigen::Map<const Eigen::ArrayXf>(begin, end - begin).sum();
  });
}

void exp_sub(Values& s, const Values& v, std::int64_t cols) {
  each_row(s, cols, [&](std::size_t r, float* begin, float* end) {
    const float shift = v[r];
    std::for_each(begin, end, [shift](float& x) { x = x == minus_infinity ? 0.0f : std::exp(x - shift); });
  });
}

Values gaussian(const Values& X, const Values& Z, std::int64_t d, float factor) {
  Values weights;
  const auto width = static_cast<std::ptrdiff_t>(d);
  for (auto x = X.begin(); x != X.end(); x += width) {
    for (auto z = Z.begin(); z != Z.end(); z += width) {
      const float square =
          std::inner_product(x, x + width, z, 0.0f, std::plus<>(), [](float a, float b) { return (a - b) * (a - b); });
      weights.push_back(std::exp(-factor * square));
    }
  }
  return weights;
}

void row_all(Values& result, const Values& z, std::int64_t cols) {
  each_row(z, cols, [&](std::size_t r, const float* begin, const float* end) {
    if (std::find(begin, end, 0.0f) != end) result[r] = 0;
  });
}

void clear_rows(Values& p, const Values& v, std::int64_t cols) {
  each_row(p, cols, [&](std::size_t r, float* begin, float* end) {
    if (v[r] != 0.0f) std::fill(begin, end, 0.0f);
  });
}

void scale_rows(Values& o, const Values& v, std::int64_t cols) {
  each_row(o, cols, [&](std::size_t r, float* begin, float* end) {
    std::for_each(begin, end, [factor = v[r]](float& x) { x *= factor; });
  });
}

void divide_rows(Values& o, const Values& v, std::int64_t cols) {
  each_row(o, cols, [&](std::size_t r, float* begin, float* end) {
    const float inverse = v[r] == 0.0f ? 0.0f : 1.0f / v[r];
    std::for_each(begin, end, [inverse](float& x) { x *= inverse; });
  });
}

void blend(Values& o, const Values& alpha, const Values& l, const Values& pv, const Values& beta, const Values& l_new,
           std::int64_t cols) {
  each_row(o, cols, [&](std::size_t r, float* begin, float* end) {
    const float inverse = l_new[r] == 0.0f ? 0.0f : 1.0f / l_new[r];
    const float keep = alpha[r] * l[r] * inverse, add = beta[r] * inverse;
    const float* product = pv.data() + static_cast<std::int64_t>(r) * cols;
    std::transform(begin, end, product, begin, [=](float old, float now) { return keep * old + add * now; });
  });
}

void add_scaled(Values& o, const Values& v, const Values& part, std::int64_t cols) {
  each_row(o, cols, [&](std::size_t r, float* begin, float* end) {
    const float* other = part.data() + static_cast<std::int64_t>(r) * cols;
    std::transform(begin, end, other, begin, [factor = v[r]](float x, float more) { return x + factor * more; });
  });
}

void apply_mask(Values& s, const Shape& shape, Interval queries, Interval keys) {
  each_row(s, keys.size(), [&](std::size_t r, float* begin, float* end) {
    float* hidden = begin;  // from here on nothing was seen yet
    for (const Interval seen : shape.visible_parts(queries.begin + static_cast<std::int64_t>(r), keys)) {
      std::fill(hidden, begin + (seen.begin - keys.begin), minus_infinity);
      hidden = begin + (seen.end - keys.begin);
    }
    std::fill(hidden, end, minus_infinity);
  });
}

}  // namespace sim::math
