#include "sim/model/softmax_row.h"

#include <algorithm>
#include <cmath>

#include "sim/programs/ragged.h"

namespace sim {
namespace {

bool combines(const Launch& launch) { return launch.reads(Tensor::O_part) && launch.writes(Tensor::O); }

/// Returns exp(s - m); 0 if hidden.
double weight(float score, double m) { return score == unseen_max ? 0.0 : std::exp(static_cast<double>(score) - m); }

/// Returns the query's row of the values after an event; empty if there are none.
std::vector<float> row_of(const Trace& trace, std::int32_t n, std::int64_t query) {
  const std::vector<float>* const values = values_of(trace, n);
  if (values == nullptr) return {};
  const Axis& rows = trace.events[static_cast<std::size_t>(n)].rows;
  const auto each = std::ssize(*values) / rows.size;
  const auto first = values->begin() + (query - rows.begin) * each;
  return {first, first + each};
}

/// Returns the query's row of the newest event in `among` that passes a test; empty if there is none.
template <class Test>
std::vector<float> newest_row(const Trace& trace, Interval among, std::int64_t query, Test test) {
  for (std::int64_t n = among.end; n-- > among.begin;) {
    const Event& event = trace.events[static_cast<std::size_t>(n)];
    const bool has_row = event.rows.begin <= query && query < event.rows.begin + event.rows.size;
    if (event.value >= 0 && has_row && test(event)) return row_of(trace, static_cast<std::int32_t>(n), query);
  }
  return {};
}

Interval all_of(const Trace& trace) { return {0, std::ssize(trace.events)}; }

auto is(Verb verb, Tensor tensor) {
  return [=](const Event& event) { return event.verb == verb && event.tensor == tensor; };
}

float front_or(const std::vector<float>& values, float otherwise) {
  return values.empty() ? otherwise : values.front();
}

float total(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value);
  return static_cast<float>(sum);
}

void scale(std::vector<float>& values, float factor) {
  for (float& value : values) value *= factor;
}

}  // namespace

std::int64_t SoftmaxTile::bytes() const {
  const std::size_t floats = scores.size() + weights.size() + O_before.size() + O_scaled.size() + O.size();
  return static_cast<std::int64_t>(sizeof(SoftmaxTile) + 4 * floats + 8 * exact_added.size());
}

bool has_softmax_row(const Plan& plan) {
  return plan.has_forward() && !plan.code->unified_max &&
         std::any_of(plan.launches.begin(), plan.launches.end(), computes_softmax);
}

SoftmaxRow::SoftmaxRow(std::shared_ptr<const Plan> plan, std::int64_t head, std::int64_t query,
                       std::shared_ptr<DrawnInputs> inputs)
    : asked_(std::move(plan)), head_(head) {
  require(!asked_->code->unified_max, "row: ", asked_->code->name,
          " has one maximum for all rows, so no row has a running one to follow: use --algorithm flash-decoding");
  require(has_softmax_row(*asked_), "row: --pass ", name_of(asked_->scenario.pass),
          " computes P again from the statistics that a forward pass saved, so it has no softmax to follow: use "
          "--pass forward or forward+backward");
  const HeadInClass at = head_in_class(*asked_, head);
  plan_ = {asked_, &at.plan};
  const Shape& shape = plan_->problem.shape;
  require(query >= 0 && query < shape.seqlen_q, "row: ", query, " is not a query from 0 to ", shape.seqlen_q - 1);
  require(shape.seqlen_k <= most_keys, "row: ", shape.seqlen_k, " keys are more than ", most_keys,
          ", the most that a row is followed through");
  if (inputs == nullptr) inputs = std::make_shared<DrawnInputs>(*asked_, head);
  window_ = std::make_shared<RowWindow>(*plan_, at.head, Interval{query, query + 1}, std::move(inputs));
  plan_jobs();
}

/// Lists the CTAs of the forward pass that work on the row.
void SoftmaxRow::plan_jobs() {
  for (std::size_t k = 0; k < plan_->launches.size(); ++k) {
    const Launch& launch = plan_->launches[k];
    const GridAxes axes = grid_axes(plan_->problem.shape, launch.grid);
    const Job::Kind kind = combines(launch)           ? Job::Kind::combination
                           : computes_softmax(launch) ? Job::Kind::softmax
                                                      : Job::Kind::whole;
    const Interval rows = axes.rows.touching(window_->queries());
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t j = 0; j < axes.cols.count(); ++j) jobs_.push_back({k, i, j, kind});
    }
    if (launch.writes(Tensor::O)) return;
  }
}

double SoftmaxRow::share() const {
  if (done()) return 1;
  const double steps = steps_ && steps_->steps() > 0 ? static_cast<double>(steps_->steps()) : 1;
  return (static_cast<double>(at_) + static_cast<double>(step_) / steps) / static_cast<double>(jobs_.size());
}

std::int64_t SoftmaxRow::bytes() const {
  std::int64_t sum = window_->bytes();
  for (const SoftmaxTile& tile : tiles_) sum += tile.bytes();
  return sum;
}

CtaPart SoftmaxRow::run(const Job& job, KeepValues keep) {
  const GridAxes axes = grid_axes(plan_->problem.shape, launch(job).grid);
  CtaPart part = window_->resume(launch(job), axes.row(job.row), axes.col(job.col), {},
                                 std::numeric_limits<std::int64_t>::max(), keep);
  nanoseconds_ = part.nanoseconds;
  return part;
}

bool SoftmaxRow::advance() {
  nanoseconds_ = 0;
  if (done()) return false;
  const Job& job = jobs_[at_];
  if (job.kind == Job::Kind::softmax) {
    step();
  } else {
    if (job.kind == Job::Kind::combination)
      combine(job);
    else
      run(job, KeepValues::none);
    ++at_;
  }
  if (!done()) return true;
  const std::span<const float> stored = window_->stored(Tensor::O);
  O_.assign(stored.begin(), stored.end());
  return false;
}

/// Runs the next tile of a kernel with a softmax. A CTA that sees no key runs as well: it writes zeros.
void SoftmaxRow::step() {
  const Job& job = jobs_[at_];
  if (!steps_) {
    steps_.emplace(plan_, job.kernel, job.col, window_);
    step_ = 0;
    state_ = steps_->start();
    if (steps_->steps() == 0) run(job, KeepValues::none);
  }
  if (step_ < steps_->steps()) {
    TileStep tile = steps_->step(step_, std::move(state_), RowSteps::Keep::all);
    nanoseconds_ = tile.nanoseconds;
    read_tile(tile);
    state_ = std::move(tile.after);
    ++step_;
  }
  if (step_ < steps_->steps()) return;
  steps_.reset();
  step_ = 0;
  ++at_;
}

/// Reads the scores of the tile, and their weights, as the program computed them.
void SoftmaxRow::read_scores(SoftmaxTile& tile, const TileStep& step) const {
  const Interval all = all_of(step.trace);
  const auto now = [&](const Event& event) {
    return step.visit.iterations.contains({event.iteration, event.iteration + 1});
  };
  const auto within = [&](const Event& event) { return event.cols.index == step.visit.col && now(event); };
  tile.scores = newest_row(step.trace, all, query(), [&](const Event& event) {
    return within(event) && is_scores(event.tensor) && event.verb != Verb::fill;
  });
  tile.weights = newest_row(step.trace, all, query(),
                            [&](const Event& event) { return within(event) && is(Verb::exp, Tensor::P)(event); });
  // A program that takes the maximum of a tile first scales the tile's weights by beta = exp(m~ - m').
  const auto beta = [&](const Event& event) { return now(event) && is(Verb::exp, Tensor::beta)(event); };
  scale(tile.weights, front_or(newest_row(step.trace, all, query(), beta), 1.0f));
  tile.score_max = tile.scores.empty() ? unseen_max : *std::max_element(tile.scores.begin(), tile.scores.end());
  tile.sum = total(tile.weights);
}

void SoftmaxRow::read_tile(const TileStep& step) {
  SoftmaxTile tile;
  tile.kernel = jobs_[at_].kernel;
  tile.part = jobs_[at_].col;
  tile.sink = sink_of(plan_->problem, launch(jobs_[at_]), window_->head(), query());
  tile.pass = step_ / steps_->tiles();
  tile.keys = steps_->keys_of(step_);
  read_scores(tile, step);
  const bool first = step_ % steps_->tiles() == 0;
  tile.m_before = step.before.m.front();
  tile.m = step.after.m.front();
  tile.l_before = step.before.l.front();
  tile.l = step.after.l.front();
  tile.max_runs = step.max_runs;
  tile.sum_runs = step.sum_runs;
  tile.of_log_sum = step.of_log_sum;
  tile.divided = step.divided;
  tile.rescales = step.max_runs && steps_->tiles() > 1;
  if (step.max_runs) tile.alpha = tile.m_before == unseen_max ? 0.0f : std::exp(tile.m_before - tile.m);
  if (!step.O.empty()) {
    tile.O = step.O;
    if (step.divided) scale(tile.O, tile.l);
    tile.O_before = first || tiles_.empty() ? std::vector<float>(tile.O.size()) : tiles_.back().O;
    tile.O_scaled = tile.O_before;
    scale(tile.O_scaled, tile.alpha);
  }
  follow_exactly(tile);
  tiles_.push_back(std::move(tile));
}

/// Computes the tile's sums in double, in the first pass. Dropout is omitted: it does not affect m, l and alpha.
void SoftmaxRow::follow_exactly(SoftmaxTile& tile) {
  if (!tile.max_runs) return;
  const auto d = static_cast<std::size_t>(plan_->problem.shape.value_dim());
  tile.exact_m = static_cast<double>(tile.m);
  tile.exact_added.assign(d, 0.0);
  for (std::int64_t key = tile.keys.begin; key < tile.keys.end; ++key) {
    const double p = weight(tile.scores[static_cast<std::size_t>(key - tile.keys.begin)], tile.exact_m);
    if (p == 0) continue;
    tile.exact_sum += p;
    const std::vector<float> v = window_->inputs().value(key);
    for (std::size_t c = 0; c < d; ++c) tile.exact_added[c] += p * static_cast<double>(v[c]);
  }
}

/// Combines the parts of the keys; each iteration takes one part.
void SoftmaxRow::combine(const Job& job) {
  const CtaPart part = run(job, KeepValues::all);
  const std::vector<Event>& events = part.trace.events;
  const auto iteration = [&](std::int64_t n) { return events[static_cast<std::size_t>(n)].iteration; };
  Interval before;
  for (std::int64_t begin = 0; begin < std::ssize(events);) {
    std::int64_t end = begin + 1;
    while (end < std::ssize(events) && iteration(end) == iteration(begin)) ++end;
    if (iteration(begin) == 0) before = {begin, end};
    if (iteration(begin) > 0) add_part(part.trace, before, {begin, end}, job);
    begin = end;
  }
}

/// Adds a part when the statistics of all parts are known before the first is added: nothing is rescaled.
void SoftmaxRow::weigh_at_once(SoftmaxTile& tile, const Trace& trace, Interval before) const {
  const auto row = [&](Verb verb, Tensor tensor) { return newest_row(trace, before, query(), is(verb, tensor)); };
  const auto part = static_cast<std::size_t>(tile.part);
  tile.max_runs = tile.sum_runs = false;
  tile.scores = {row(Verb::load, Tensor::L_part).at(part)};
  tile.weights = {row(Verb::exp, Tensor::beta).at(part)};
  tile.m_before = tile.m = row(Verb::max, Tensor::m).front();
  tile.l_before = tile.l = row(Verb::sum, Tensor::l).front();
  tile.exact_sum = weight(tile.scores.front(), static_cast<double>(tile.m));
}

/// Adds a part whose statistics arrive with it and change m and l. `before`: the previous part; null if there is none.
void SoftmaxRow::weigh_in_turn(SoftmaxTile& tile, const Trace& trace, Interval events,
                               const SoftmaxTile* before) const {
  const auto row = [&](Verb verb, Tensor tensor) { return newest_row(trace, events, query(), is(verb, tensor)); };
  const float mass = front_or(row(Verb::load, Tensor::l_part), 0.0f);
  tile.scores = row(Verb::load, Tensor::m_part);
  tile.weights = row(Verb::exp, Tensor::beta);
  scale(tile.weights, mass);
  tile.m_before = before == nullptr ? unseen_max : before->m;
  tile.l_before = before == nullptr ? 0.0f : before->l;
  tile.m = front_or(row(Verb::max, Tensor::m), tile.m_before);
  tile.l = front_or(row(Verb::sum, Tensor::l), tile.l_before);
  tile.alpha = front_or(row(Verb::exp, Tensor::alpha), 0.0f);
  tile.rescales = true;
  if (!tile.scores.empty()) {
    tile.exact_sum = static_cast<double>(mass) * weight(tile.scores.front(), static_cast<double>(tile.m));
  }
}

void SoftmaxRow::add_part(const Trace& trace, Interval before, Interval events, const Job& job) {
  const SoftmaxTile* const last = tiles_.empty() || !tiles_.back().of_parts ? nullptr : &tiles_.back();
  SoftmaxTile tile;
  tile.kernel = job.kernel;
  tile.of_parts = true;
  tile.sink = sink_of(plan_->problem, launch(job), window_->head(), query());
  tile.part = last == nullptr ? 0 : last->part + 1;
  for (std::int64_t n = events.begin; n < events.end; ++n) {
    const Event& event = trace.events[static_cast<std::size_t>(n)];
    if (event.tensor == Tensor::O_part) tile.part = event.cols.index;
  }
  tile.keys = {tile.part, tile.part + 1};
  if (launch(job).reads(Tensor::L_part)) {
    weigh_at_once(tile, trace, before);
  } else {
    weigh_in_turn(tile, trace, events, last);
  }
  if (tile.scores.empty()) return;
  tile.exact_m = static_cast<double>(tile.m);
  tile.score_max = tile.scores.front();
  tile.sum = total(tile.weights);
  tile.divided = true;
  tile.O = newest_row(trace, events, query(), is(Verb::rescale, Tensor::O));
  scale(tile.O, tile.l);
  tile.O_before = last == nullptr ? std::vector<float>(tile.O.size()) : last->O;
  tile.O_scaled = tile.O_before;
  scale(tile.O_scaled, tile.alpha);
  tiles_.push_back(std::move(tile));
}

}  // namespace sim
