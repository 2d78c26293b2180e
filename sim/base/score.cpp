#include "sim/base/score.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::int64_t keys_at_a_time = 256;  // so that the values of the nodes stay in a cache

double value_of(ScoreName name, const ScoreRow& row) {
  switch (name) {
    case ScoreName::q:
      return row.q;
    case ScoreName::h:
      return row.h;
    case ScoreName::Nq:
      return row.Nq;
    case ScoreName::Nk:
      return row.Nk;
    case ScoreName::d:
      return row.d;
    case ScoreName::slope:
      return row.slope;
    case ScoreName::s:
    case ScoreName::k:
      break;
  }
  return 0;  // differ along the row
}

double value_of(const ScoreNode& node, double a, double b, const ScoreRow& row) {
  switch (node.kind) {
    case ScoreNode::Kind::number:
      return node.number;
    case ScoreNode::Kind::name:
      return value_of(node.name, row);
    case ScoreNode::Kind::operation:
      return operate(node.of, a, b);
    case ScoreNode::Kind::factor:
      return node.number * a / node.divisor;
    case ScoreNode::Kind::sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case ScoreNode::Kind::not_above:
      return a <= b ? 1 : 0;
  }
  return 0;
}

/// Values of the nodes of a graph over a part of a row: `size` for each node, or 1 if it is equal for all keys.
class NodeValues {
 public:
  NodeValues(const std::vector<ScoreNode>& nodes, std::size_t size, std::vector<double>& room)
      : nodes_(nodes), size_(size), room_(room) {
    room_.resize(std::max(room_.size(), nodes.size() * size));
  }

  void compute(int n, const ScoreRow& row, std::int64_t first_key, const std::vector<double>& s) {
    const ScoreNode& node = nodes_[static_cast<std::size_t>(n)];
    double* const result = room_.data() + start(n);
    if (node.kind == ScoreNode::Kind::name && node.name == ScoreName::s) {
      std::copy(s.begin(), s.end(), result);
    } else if (node.kind == ScoreNode::Kind::name && node.name == ScoreName::k) {
      for (std::size_t at = 0; at < size_; ++at) result[at] = static_cast<double>(first_key) + static_cast<double>(at);
    } else {
      for (std::size_t at = 0; at < (node.of_key ? size_ : 1); ++at)
        result[at] = value_of(node, operand(node.a, at), operand(node.b, at), row);
    }
  }

  double operand(int n, std::size_t at) const {
    return n < 0 ? 0 : room_[start(n) + (nodes_[static_cast<std::size_t>(n)].of_key ? at : 0)];
  }

 private:
  std::size_t start(int n) const { return static_cast<std::size_t>(n) * size_; }
  const std::vector<ScoreNode>& nodes_;
  std::size_t size_;
  std::vector<double>& room_;
};

}  // namespace

ScoreStep ScoreStep::parse(std::string_view formula) {
  ScoreStep step;
  step.source_ = std::string(formula);
  ScoreGraph& graph = step.graph_;
  step.value_ = graph.value(Expression::parse(formula, score_names()));
  step.value_nodes_ = static_cast<int>(graph.nodes().size());
  step.slope_ = graph.derivative(step.value_);
  step.slope_cost_ = graph.cost_beyond(step.slope_, step.value_nodes_);
  return step;
}

bool ScoreStep::has_slope() const {
  const ScoreNode& node = graph_.nodes()[static_cast<std::size_t>(slope_)];
  return node.kind != ScoreNode::Kind::number || node.number != 1;
}

void ScoreStep::modify(const ScoreRow& row, std::int64_t first_key, std::vector<double>& s, std::vector<double>* slopes,
                       std::vector<double>& room) const {
  NodeValues values(graph_.nodes(), s.size(), room);
  const int end = slopes == nullptr ? value_nodes_ : static_cast<int>(graph_.nodes().size());
  for (int n = 0; n < end; ++n) values.compute(n, row, first_key, s);
  for (std::size_t at = 0; at < s.size(); ++at) {
    s[at] = values.operand(value_, at);
    if (slopes != nullptr) (*slopes)[at] *= values.operand(slope_, at);
  }
}

ScoreSteps::ScoreSteps(const std::vector<std::string>& formulas, const ScoreFrame& frame) : frame_(frame) {
  for (const std::string& formula : formulas) steps_.push_back(ScoreStep::parse(formula));
}

ScoreSteps ScoreSteps::only(std::size_t step) const { return {{steps_[step].source()}, frame_}; }

ScoreCost ScoreSteps::cost() const {
  ScoreCost sum;
  for (const ScoreStep& step : steps_) sum += step.cost();
  return sum;
}

ScoreCost ScoreSteps::slope_cost() const {
  ScoreCost sum;
  for (const ScoreStep& step : steps_) sum += step.slope_cost();
  const std::int64_t factors = std::count_if(steps_.begin(), steps_.end(), [](auto& step) { return step.has_slope(); });
  sum.operations += std::max<std::int64_t>(0, factors - 1);
  return sum;
}

bool ScoreSteps::has_slope() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const ScoreStep& step) { return step.has_slope(); });
}

bool ScoreSteps::reads_slopes() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const ScoreStep& step) { return step.reads_slopes(); });
}

double ScoreSteps::slope_of(std::int64_t head, std::int64_t row) const {
  return alibi_slope(frame_.head_of(head, row), frame_.heads);
}

std::string ScoreSteps::place(std::int64_t head, std::int64_t row, std::int64_t key) const {
  return text("q ", row / frame_.heads_in_rows, ", k ", key, ", h ", frame_.head_of(head, row));
}

template <class Scalar>
void ScoreSteps::modify(std::int64_t head, std::int64_t row, Interval keys, Scalar* scores, Scalar* slopes) const {
  const ScoreRow names = {static_cast<double>(row / frame_.heads_in_rows),
                          static_cast<double>(frame_.head_of(head, row)),
                          static_cast<double>(frame_.seqlen_q),
                          static_cast<double>(frame_.seqlen_k),
                          static_cast<double>(frame_.head_dim),
                          slope_of(head, row)};
  std::vector<double> s, of_s, room;
  for (std::int64_t first = keys.begin; first < keys.end; first += keys_at_a_time) {
    const std::int64_t size = std::min(keys_at_a_time, keys.end - first), at = first - keys.begin;
    s.assign(scores + at, scores + at + size);
    of_s.assign(static_cast<std::size_t>(size), 1);
    for (const ScoreStep& step : steps_) step.modify(names, first, s, slopes == nullptr ? nullptr : &of_s, room);
    std::transform(s.begin(), s.end(), scores + at, [](double x) { return static_cast<Scalar>(x); });
    if (slopes == nullptr) continue;
    std::transform(of_s.begin(), of_s.end(), slopes + at, [](double x) { return static_cast<Scalar>(x); });
  }
}

template void ScoreSteps::modify(std::int64_t, std::int64_t, Interval, float*, float*) const;
template void ScoreSteps::modify(std::int64_t, std::int64_t, Interval, double*, double*) const;

double alibi_slope(std::int64_t head, std::int64_t heads) {
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  if (head < power) return std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(power));
  return std::exp2(-4.0 * static_cast<double>(2 * (head - power) + 1) / static_cast<double>(power));
}

}  // namespace sim
