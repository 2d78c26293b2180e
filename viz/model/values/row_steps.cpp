#include "viz/model/values/row_steps.h"

#include <algorithm>
#include <limits>

namespace explorer {
namespace {

using sim::Event;
using sim::Tensor;
using sim::Verb;

constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

sim::Interval rows_of(const Run& run, std::size_t kernel, std::int64_t row) {
  const sim::Launch& launch = run.simulation.plan.launches[kernel];
  sim::require(is_fused_forward(launch), "values: ", launch.name,
               " does not make O along the keys; fused forward kernels do");
  const sim::Blocking rows{run.simulation.plan.problem.shape.seqlen_q, launch.grid.br};
  sim::require(row >= 0 && row < rows.count(), "values: row block ", row, " is outside 0 to ", rows.count() - 1);
  return rows.elements(row);
}

/// The rows of O, in HBM also between two tiles.
bool of_output(const Event& event) { return event.tensor == Tensor::O || event.tensor == Tensor::O_tmp; }

/// The values of the newest event of an iteration that passes; null where there is none.
template <class Test>
const std::vector<float>* newest(const sim::Trace& trace, sim::Interval iterations, Test test) {
  for (std::size_t n = trace.events.size(); n > 0; --n) {
    const Event& event = trace.events[n - 1];
    if (!iterations.contains({event.iteration, event.iteration + 1}) || !test(event)) continue;
    return values_of(trace, static_cast<std::int32_t>(n - 1));
  }
  return nullptr;
}

/// The second operand of the newest event of an iteration that passes.
template <class Test>
std::int32_t second_operand(const sim::Trace& trace, sim::Interval iterations, Test test) {
  std::int32_t found = sim::no_event;
  for (const Event& event : trace.events) {
    if (iterations.contains({event.iteration, event.iteration + 1}) && test(event)) found = event.operands[1];
  }
  return found;
}

/// Whether an event brings L of the rows back from HBM. What was computed before a resumed part is not known there.
bool loads_log_sum(const sim::Trace& trace, std::int32_t event) {
  if (event == sim::no_event) return false;
  const Event& found = trace.events[static_cast<std::size_t>(event)];
  return found.verb == Verb::load && found.tensor == Tensor::L;
}

}  // namespace

RowSteps::RowSteps(std::shared_ptr<const Run> run, std::size_t kernel, std::int64_t head, std::int64_t row,
                   std::int64_t part, std::shared_ptr<sim::DrawnInputs> inputs)
    : run_(std::move(run)),
      kernel_(kernel),
      head_(head),
      window_(run_->simulation.plan, head, rows_of(*run_, kernel, row), std::move(inputs)) {
  const sim::GridAxes axes = sim::grid_axes(problem().shape, launch().grid);
  row_ = axes.row(row);
  col_ = axes.col(part);
  const sim::Trace outline = window_.outline(launch(), row_, col_);
  visits_ = TraceIndex(outline).visits();
  while (tiles_ < steps() && (tiles_ == 0 || col_of(tiles_) != col_of(0))) ++tiles_;  // until a pass begins again
  for (const Event& event : outline.events) {
    const bool writes = event.direction == sim::Direction::write;
    if (writes && (visits_.empty() || event.iteration >= visits_.back().iterations.end)) writes_at_end_ = true;
  }
}

sim::Interval RowSteps::keys_of(std::int64_t step) const {
  return sim::Blocking{problem().shape.seqlen_k, launch().grid.bc}.elements(col_of(step));
}

RowState RowSteps::start() const {
  const auto rows = static_cast<std::size_t>(queries().size());
  return {{std::vector<float>(rows, minus_infinity), std::vector<float>(rows, 0.0f)}, {}};
}

std::vector<float> RowSteps::stored() const {
  const sim::Hbm& hbm = problem().hbm;
  const sim::HbmTensor& tensor = launch().writes(Tensor::O) ? hbm.O : hbm.O_part;
  const std::span<const float> all = window_.stored(tensor.name);
  const std::int64_t first = launch().writes(Tensor::O) ? 0 : col_.index() * tensor.part_cols;
  std::vector<float> rows;
  for (std::int64_t begin = first; begin < static_cast<std::int64_t>(all.size()); begin += tensor.cols) {
    const auto row = all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(tensor.part_cols));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

/// The iteration before which a step ends.
std::int64_t RowSteps::end_of(std::size_t step) const {
  if (step + 1 < visits_.size()) return visits_[step + 1].iterations.begin;
  return writes_at_end_ ? to_the_end : visits_[step].iterations.end;
}

void RowSteps::read_rows(const sim::Trace& trace, const Visit& visit, TileStep& step) {
  const auto take = [](std::vector<float>& into, const std::vector<float>* values) {
    if (values != nullptr) into = *values;
    return values != nullptr;
  };
  const auto of = [](Verb verb, Tensor tensor) {
    return [=](const Event& event) { return event.verb == verb && event.tensor == tensor; };
  };
  const auto rescales = [](const Event& event) { return event.verb == Verb::rescale && of_output(event); };
  step.max_runs = take(step.after.m, newest(trace, visit.iterations, of(Verb::max, Tensor::m)));
  const std::int32_t subtracted = second_operand(trace, visit.iterations, of(Verb::exp, Tensor::P));
  step.of_log_sum = !step.max_runs && loads_log_sum(trace, subtracted);
  if (step.of_log_sum && take(step.after.m, values_of(trace, subtracted))) step.before.m = step.after.m;
  step.sum_runs = take(step.after.l, newest(trace, visit.iterations, of(Verb::sum, Tensor::l)));
  if (!take(step.alpha, newest(trace, visit.iterations, of(Verb::exp, Tensor::alpha))))
    take(step.alpha, values_of(trace, second_operand(trace, visit.iterations, rescales)));
  if (step.alpha.empty() && step.max_runs) step.alpha.assign(step.after.l.size(), 0.0f);  // nothing is there yet
  take(step.O, newest(trace, visit.iterations, [](const Event& event) {
         return of_output(event) && (event.verb == Verb::gemm || event.verb == Verb::rescale);
       }));
  step.reads_values = std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& event) {
    return event.verb == Verb::load && event.tensor == Tensor::V &&
           visit.iterations.contains({event.iteration, event.iteration + 1});
  });
}

/// The first step of another pass over the keys: what runs along them starts as in the first.
void RowSteps::begin_again(TileStep& step) const {
  RowState first = start();
  if (step.max_runs) step.before.m = std::move(first.m);
  if (step.sum_runs) step.before.l = std::move(first.l);
}

TileStep RowSteps::step(std::int64_t n, RowState before, Layers layers) {
  const Visit& visit = visits_[static_cast<std::size_t>(n)];
  TileStep step;
  step.col = visit.col;
  step.before = before;
  static_cast<RowSums&>(step.after) = step.before;
  const auto keep = layers == Layers::kept ? sim::KeepValues::all : sim::KeepValues::of_rows;
  sim::Keyframe& from = before.keyframe;
  window_.put_back(from);
  sim::CtaPart part = window_.resume(launch(), row_, col_, {from.iteration, std::move(from.held), {}},
                                     end_of(static_cast<std::size_t>(n)), keep);
  window_.keep_stored(part, from);
  read_rows(part.trace, visit, step);
  if (n > 0 && n % tiles_ == 0) begin_again(step);
  if (!part.finished) step.after.keyframe = std::move(part.next);
  if (layers == Layers::kept) step.layers = layers_of(part.trace, visit, queries(), keys_of(n));
  step.nanoseconds = part.nanoseconds;
  return step;
}

}  // namespace explorer
