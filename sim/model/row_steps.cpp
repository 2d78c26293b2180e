#include "sim/model/row_steps.h"

#include <algorithm>
#include <limits>

#include "sim/trace/tensors.h"

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

using Events = std::vector<std::int32_t>;

const Event& at(const Trace& trace, std::int32_t event) { return trace.events[static_cast<std::size_t>(event)]; }

/// Returns the newest event of each role in these iterations that passes a test.
template <class Test>
Events newest(const Trace& trace, Interval iterations, Test test) {
  Events found(std::max<std::size_t>(1, trace.roles.size()), no_event);
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const Event& event = trace.events[n];
    if (iterations.contains({event.iteration, event.iteration + 1}) && test(event))
      found[event.role] = static_cast<std::int32_t>(n);
  }
  std::erase(found, no_event);
  return found;
}

Events second_operands(const Trace& trace, Events events) {
  for (std::int32_t& event : events) event = at(trace, event).operands[1];
  std::erase(events, no_event);
  return events;
}

/// True if an event loads L of the rows from HBM. Values computed before a resumed part are not known there.
bool loads_log_sum(const Trace& trace, const Events& events) {
  return std::any_of(events.begin(), events.end(), [&](std::int32_t event) {
    return at(trace, event).verb == Verb::load && at(trace, event).tensor == Tensor::L;
  });
}

/// Takes the rows `queries` of the values that events left, each of its rows of them. Returns false if there are none.
bool take(const Trace& trace, Interval queries, std::vector<float>& into, const Events& events) {
  bool any = false;
  for (const std::int32_t event : events) {
    const std::vector<float>* const values = values_of(trace, event);
    const Axis& rows = at(trace, event).rows;
    const Interval there = overlap(queries, {rows.begin, rows.begin + rows.size});
    if (values == nullptr || there.empty()) continue;
    const auto each = std::ssize(*values) / rows.size;
    into.resize(static_cast<std::size_t>(queries.size() * each));
    std::copy_n(values->begin() + (there.begin - rows.begin) * each, there.size() * each,
                into.begin() + (there.begin - queries.begin) * each);
    any = true;
  }
  return any;
}

}  // namespace

bool is_fused_forward(const Launch& launch) {
  const bool makes_output = (launch.writes(Tensor::O) && !launch.writes(Tensor::P)) || launch.grid.is_split();
  return launch.reads(Tensor::Q) && launch.reads(Tensor::K) && makes_output;
}

bool computes_softmax(const Launch& launch) {
  const bool makes_part = launch.reads(Tensor::K) && launch.writes(Tensor::O_part);
  return is_fused_forward(launch) || makes_part || launch.writes(Tensor::P);
}

float sink_of(const Problem& problem, const Launch& launch, std::int64_t head, std::int64_t row) {
  return launch.reads(Tensor::sinks) ? problem.sinks->of(head, row) : unseen_max;
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
  has_roles_ = !outline.roles.empty();
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
  RowState state;
  for (std::int64_t row = queries().begin; row < queries().end; ++row) {
    const float sink = sink_of(problem(), launch(), window_->head(), row);
    state.m.push_back(sink);
    state.l.push_back(sink == unseen_max ? 0.0f : 1.0f);
  }
  return state;
}

std::vector<float> RowSteps::stored() const {
  const std::vector<Tensor>& outputs = launch().outputs;
  const auto made =
      std::find_if(outputs.begin(), outputs.end(), [](Tensor t) { return facts_of(t).family == Tensor::O; });
  const HbmTensor& tensor = problem().hbm[made == outputs.end() ? Tensor::O : *made];
  const std::span<const float> all = window_->stored(tensor.name);
  const std::int64_t first = is_in_parts(tensor.name) ? col_.index() * tensor.part_cols : 0;
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
  const auto take = [&](std::vector<float>& into, const Events& events) {
    return sim::take(trace, queries(), into, events);
  };
  const auto of = [](Verb verb, Tensor tensor) {
    return [=](const Event& event) { return event.verb == verb && event.tensor == tensor; };
  };
  const auto rescales = [](const Event& event) { return event.verb == Verb::rescale && of_output(event); };
  step.max_runs = take(step.after.m, newest(trace, visit.iterations, of(Verb::max, Tensor::m)));
  const Events subtracted = second_operands(trace, newest(trace, visit.iterations, of(Verb::exp, Tensor::P)));
  step.of_log_sum = !step.max_runs && loads_log_sum(trace, subtracted);
  if (step.of_log_sum && take(step.after.m, subtracted)) step.before.m = step.after.m;
  step.sum_runs = take(step.after.l, newest(trace, visit.iterations, of(Verb::sum, Tensor::l)));
  if (!take(step.alpha, newest(trace, visit.iterations, of(Verb::exp, Tensor::alpha))))
    take(step.alpha, second_operands(trace, newest(trace, visit.iterations, rescales)));
  if (step.alpha.empty() && step.max_runs) step.alpha.assign(step.after.l.size(), 0.0f);  // no earlier sums exist
  const Events sums = newest(trace, visit.iterations, [](const Event& event) {
    return of_output(event) && (event.verb == Verb::gemm || event.verb == Verb::rescale);
  });
  take(step.O, sums);
  const float unit = window_->inputs().unit_of_output(visit.col * launch().grid.bc);
  for (float& value : step.O) value *= unit;
  step.divided = !sums.empty() && at(trace, sums.front()).operands[5] != no_event;  // by blend
  const Tensor of_values = plan_->problem.shape.kv_shared ? Tensor::K : Tensor::V;
  step.reads_values = std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& event) {
    return event.verb == Verb::load && event.tensor == of_values &&
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
  if (has_roles_) {
    run_ahead(static_cast<std::size_t>(n), keep);
    read_rows(ahead_->trace, visit, step);
    step.nanoseconds = ahead_->nanoseconds;
    if (keep == Keep::all) step.trace = ahead_->trace;
    return step;
  }
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

/// Runs a CTA with roles from its start: with numbers to its end, with all values a few steps ahead. What ran before is
/// used again if it has the step.
void RowSteps::run_ahead(std::size_t step, Keep keep) {
  constexpr std::size_t with_all_values = 8;
  if (ahead_ && (keep == Keep::numbers || ahead_->keep == Keep::all) && ahead_->begin <= step && step < ahead_->end)
    return;
  const std::size_t end = keep == Keep::numbers ? visits_.size() : std::min(step + with_all_values, visits_.size());
  CtaPart part = window_->resume(launch(), row_, col_, {visits_[step].iterations.begin, {}, {}}, end_of(end - 1),
                                 keep == Keep::all ? KeepValues::all : KeepValues::of_rows);
  ahead_ = Ahead{step, end, keep, std::move(part.trace), part.nanoseconds / static_cast<double>(end - step)};
}

}  // namespace sim
