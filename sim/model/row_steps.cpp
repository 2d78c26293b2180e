#include "sim/model/row_steps.h"

#include <algorithm>
#include <limits>

namespace sim {
namespace {

constexpr std::int64_t until_the_end = std::numeric_limits<std::int64_t>::max();

Interval rows_of(const Plan& plan, std::size_t kernel, std::int64_t row) {
  const Blocking rows{plan.problem.shape.seqlen_q, plan.launches[kernel].grid.br};
  require(row >= 0 && row < rows.count(), "values: row block ", row, " is outside 0 to ", rows.count() - 1);
  return rows.elements(row);
}

/// True for the rows of O, which are in HBM between two tiles as well.
bool of_output(const Event& event) { return is_output(event.tensor) && event.tensor != Tensor::PV; }

/// Returns the newest event of these iterations that passes a test, or no_event.
template <class Test>
std::int32_t newest(const Trace& trace, Interval iterations, Test test) {
  for (std::size_t n = trace.events.size(); n > 0; --n) {
    const Event& event = trace.events[n - 1];
    if (iterations.contains({event.iteration, event.iteration + 1}) && test(event))
      return static_cast<std::int32_t>(n - 1);
  }
  return no_event;
}

/// Returns the second operand of the newest event of these iterations that passes a test.
template <class Test>
std::int32_t second_operand(const Trace& trace, Interval iterations, Test test) {
  std::int32_t found = no_event;
  for (const Event& event : trace.events) {
    if (iterations.contains({event.iteration, event.iteration + 1}) && test(event)) found = event.operands[1];
  }
  return found;
}

/// True if an event loads L of the rows from HBM. Values computed before a resumed part are not known there.
bool loads_log_sum(const Trace& trace, std::int32_t event) {
  if (event == no_event) return false;
  const Event& found = trace.events[static_cast<std::size_t>(event)];
  return found.verb == Verb::load && found.tensor == Tensor::L;
}

}  // namespace

bool is_fused_forward(const Launch& launch) {
  const bool makes_output = (launch.writes(Tensor::O) && !launch.writes(Tensor::P)) || launch.grid.is_split();
  return launch.reads(Tensor::Q) && launch.reads(Tensor::K) && launch.reads(Tensor::V) && makes_output;
}

bool computes_softmax(const Launch& launch) {
  const bool makes_part = launch.reads(Tensor::K) && launch.writes(Tensor::O_part);
  return is_fused_forward(launch) || makes_part || launch.writes(Tensor::P);
}

RowSteps::RowSteps(const std::shared_ptr<const Plan>& plan, std::size_t kernel, std::int64_t head, std::int64_t row,
                   std::int64_t part, std::shared_ptr<DrawnInputs> inputs)
    : RowSteps(plan, kernel, part,
               std::make_shared<RowWindow>(*plan, head, rows_of(*plan, kernel, row), std::move(inputs))) {}

RowSteps::RowSteps(std::shared_ptr<const Plan> plan, std::size_t kernel, std::int64_t part,
                   std::shared_ptr<RowWindow> window)
    : plan_(std::move(plan)), kernel_(kernel), window_(std::move(window)) {
  require(computes_softmax(launch()), "values: ", launch().name, " does not compute a softmax along the keys");
  const GridAxes axes = grid_axes(problem().shape, launch().grid);
  const Interval blocks = Blocking{problem().shape.seqlen_q, launch().grid.br}.touching(queries());
  require(blocks.size() == 1, "values: queries ", queries().begin, " to ", queries().end - 1,
          " are in more than one row block of ", launch().name);
  row_ = axes.row(blocks.begin);
  col_ = axes.col(part);
  const Trace outline = window_->outline(launch(), row_, col_);
  visits_ = visits_of(outline, computing_events(outline));
  std::erase_if(visits_, [&](const TileVisit& visit) { return visit.row != blocks.begin; });  // chunks of other rows
  while (tiles_ < steps() && (tiles_ == 0 || col_of(tiles_) != col_of(0))) ++tiles_;  // until another pass begins
  for (const Event& event : outline.events) {
    const bool writes = event.direction == Direction::write;
    if (writes && (visits_.empty() || event.iteration >= visits_.back().iterations.end)) writes_at_end_ = true;
  }
}

Interval RowSteps::keys_of(std::int64_t step) const {
  return Blocking{problem().shape.seqlen_k, launch().grid.bc}.elements(col_of(step));
}

RowState RowSteps::start() const {
  const auto rows = static_cast<std::size_t>(queries().size());
  return {{std::vector<float>(rows, unseen_max), std::vector<float>(rows, 0.0f)}, {}};
}

std::vector<float> RowSteps::stored() const {
  const Hbm& hbm = problem().hbm;
  const HbmTensor& tensor = launch().writes(Tensor::O) ? hbm.O : hbm.O_part;
  const std::span<const float> all = window_->stored(tensor.name);
  const std::int64_t first = launch().writes(Tensor::O) ? 0 : col_.index() * tensor.part_cols;
  std::vector<float> rows;
  for (std::int64_t begin = first; begin < static_cast<std::int64_t>(all.size()); begin += tensor.cols) {
    const auto row = all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(tensor.part_cols));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

/// Returns the iteration before which a step ends.
std::int64_t RowSteps::end_of(std::size_t step) const {
  if (step + 1 < visits_.size()) return visits_[step + 1].iterations.begin;
  return writes_at_end_ ? until_the_end : visits_[step].iterations.end;
}

void RowSteps::read_rows(const Trace& trace, const TileVisit& visit, TileStep& step) const {
  const auto take = [&](std::vector<float>& into, std::int32_t event) {  // takes the window's rows of an event's values
    const std::vector<float>* const values = values_of(trace, event);
    if (values == nullptr) return false;
    const Axis& rows = trace.events[static_cast<std::size_t>(event)].rows;
    const auto each = std::ssize(*values) / rows.size;
    const auto first = values->begin() + (queries().begin - rows.begin) * each;
    into.assign(first, first + queries().size() * each);
    return true;
  };
  const auto of = [](Verb verb, Tensor tensor) {
    return [=](const Event& event) { return event.verb == verb && event.tensor == tensor; };
  };
  const auto rescales = [](const Event& event) { return event.verb == Verb::rescale && of_output(event); };
  step.max_runs = take(step.after.m, newest(trace, visit.iterations, of(Verb::max, Tensor::m)));
  const std::int32_t subtracted = second_operand(trace, visit.iterations, of(Verb::exp, Tensor::P));
  step.of_log_sum = !step.max_runs && loads_log_sum(trace, subtracted);
  if (step.of_log_sum && take(step.after.m, subtracted)) step.before.m = step.after.m;
  step.sum_runs = take(step.after.l, newest(trace, visit.iterations, of(Verb::sum, Tensor::l)));
  if (!take(step.alpha, newest(trace, visit.iterations, of(Verb::exp, Tensor::alpha))))
    take(step.alpha, second_operand(trace, visit.iterations, rescales));
  if (step.alpha.empty() && step.max_runs) step.alpha.assign(step.after.l.size(), 0.0f);  // no earlier sums exist
  const std::int32_t sum = newest(trace, visit.iterations, [](const Event& event) {
    return of_output(event) && (event.verb == Verb::gemm || event.verb == Verb::rescale);
  });
  take(step.O, sum);
  step.divided = sum != no_event && trace.events[static_cast<std::size_t>(sum)].operands[5] != no_event;  // by blend
  step.reads_values = std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& event) {
    return event.verb == Verb::load && event.tensor == Tensor::V &&
           visit.iterations.contains({event.iteration, event.iteration + 1});
  });
}

/// Starts another pass over the keys: running values start as in the first pass.
void RowSteps::begin_again(TileStep& step) const {
  RowState first = start();
  if (step.max_runs) step.before.m = std::move(first.m);
  if (step.sum_runs) step.before.l = std::move(first.l);
}

TileStep RowSteps::step(std::int64_t n, RowState before, Keep keep) {
  const TileVisit& visit = visits_[static_cast<std::size_t>(n)];
  TileStep step;
  step.col = visit.col;
  step.visit = visit;
  step.before = before;
  static_cast<RowSums&>(step.after) = step.before;
  Keyframe& from = before.keyframe;
  window_->put_back(from);
  CtaPart part =
      window_->resume(launch(), row_, col_, {from.iteration, std::move(from.held), {}},
                      end_of(static_cast<std::size_t>(n)), keep == Keep::all ? KeepValues::all : KeepValues::of_rows);
  window_->keep_stored(part, from);
  read_rows(part.trace, visit, step);
  if (n > 0 && n % tiles_ == 0) begin_again(step);
  if (!part.finished) step.after.keyframe = std::move(part.next);
  step.nanoseconds = part.nanoseconds;
  if (keep == Keep::all) step.trace = std::move(part.trace);
  return step;
}

}  // namespace sim
