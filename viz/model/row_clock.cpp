// Ends of the stages of a row's tiles, from the events of the CTA; and P of all rows as a thumbnail.
#include <algorithm>
#include <optional>

#include "viz/model/microscope.h"

namespace explorer {
namespace {

using sim::Tensor;
using sim::Verb;

constexpr sim::Cycles absent{-1};
constexpr double least_thumbnail_step = 2e4;  // ns

/// The stage that an event belongs to; empty for Q, V, and fills.
std::optional<RowStage> stage_of_event(const sim::Event& event) {
  if (event.verb == Verb::fill || event.direction == sim::Direction::write) return std::nullopt;
  switch (event.tensor) {
    case Tensor::K:
    case Tensor::O_part:
      return RowStage::keys;
    case Tensor::L_part:
    case Tensor::m_part:
      return RowStage::scores;
    case Tensor::m:
      return event.verb == Verb::load ? std::nullopt : std::optional(RowStage::max);
    case Tensor::alpha:
      return RowStage::alpha;
    case Tensor::P:
    case Tensor::P_dropped:
    case Tensor::beta:
      return RowStage::weights;
    case Tensor::l:
      return event.verb == Verb::load ? std::nullopt : std::optional(RowStage::sum);
    default:
      if (is_scores(event.tensor)) return RowStage::scores;
      if (!is_output(event.tensor) || event.verb == Verb::load || event.verb == Verb::divide) return std::nullopt;
      return RowStage::output;
  }
}

template <class Ends>
void note_end(Ends& ends, const sim::Event& event) {
  const std::optional<RowStage> stage = stage_of_event(event);
  if (!stage) return;
  sim::Cycles& end = ends[static_cast<std::size_t>(*stage)];
  end = std::max(end, event.end);
}

}  // namespace

RowClock::RowClock(const Subject& subject, std::int64_t query) {
  const Replay& replay = *subject.replay;
  add_visits(subject, query);
  const bool combines = subject.launch().reads(Tensor::O_part);
  if (tiles_ == 0 && combines) add_parts(replay);
}

void RowClock::add_visits(const Subject& subject, std::int64_t query) {
  const Replay& replay = *subject.replay;
  const std::int64_t row = query / std::max<std::int64_t>(1, subject.launch().grid.br);
  for (const Visit& visit : replay.index.visits()) {
    if (visit.row != row || visit.head != 0) continue;
    Ends ends;
    ends.fill(absent);
    for (const Lane& lane : replay.index.lanes()) {
      const auto [first, last] = replay.index.within(lane, visit.begin, visit.end + sim::Cycles(1));
      for (std::size_t n = first; n < last; ++n) {
        const sim::Event& event = replay.trace.events[static_cast<std::size_t>(lane.events[n])];
        const bool in = event.begin >= visit.begin && event.end <= visit.end && event.rows.index == visit.row;
        if (!in || event.direction == sim::Direction::read) continue;
        note_end(ends, event);
        for (const std::int32_t operand : event.operands) {
          if (operand == sim::no_event) continue;
          const sim::Event& made = replay.trace.events[static_cast<std::size_t>(operand)];
          if (made.verb == Verb::load) note_end(ends, made);
        }
      }
    }
    add_tile(ends);
  }
}

/// Adds the stages of a combination of parts: each part ends when it is added to O.
void RowClock::add_parts(const Replay& replay) {
  Ends ends;
  ends.fill(absent);
  for (const sim::Event& event : replay.trace.events) {
    note_end(ends, event);
    if (event.verb != Verb::rescale || event.tensor != Tensor::O) continue;
    add_tile(ends);
    ends.fill(absent);
  }
}

void RowClock::add_tile(const Ends& ends) {
  const auto first = std::ssize(stops_);
  for (std::size_t stage = 0; stage < row_stages; ++stage) {
    if (ends[stage] != absent) stops_.push_back({tiles_, static_cast<RowStage>(stage), ends[stage]});
  }
  const auto earlier = [](const Stop& a, const Stop& b) { return a.end < b.end; };
  std::stable_sort(stops_.begin() + first, stops_.end(), earlier);
  // Stages that end together are a tick apart, so that a step stops at each; the last one has the time of their events,
  // where all of them are over.
  for (auto n = stops_.size(); n-- > static_cast<std::size_t>(first) + 1;)
    stops_[n - 1].end = std::min(stops_[n - 1].end, stops_[n].end - sim::Cycles(1));
  for (auto stop = stops_.begin() + first; stop != stops_.end(); ++stop) {
    if (stop != stops_.begin()) stop->end = std::max(stop->end, std::prev(stop)->end + sim::Cycles(1));
  }
  ++tiles_;
}

std::size_t RowClock::passed(sim::Cycles time) const {
  const auto after = [](sim::Cycles at, const Stop& stop) { return at < stop.end; };
  return static_cast<std::size_t>(std::upper_bound(stops_.begin(), stops_.end(), time, after) - stops_.begin());
}

Thumbnail::Thumbnail(const std::shared_ptr<const Run>& run, std::int64_t head, std::shared_ptr<sim::DrawnInputs> inputs)
    : run_(run), head_(head), inputs_(std::move(inputs)) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::Shape& shape = plan.problem.shape;
  const std::int64_t rows = std::min({shape.seqlen_q, most_side, most_scores / shape.seqlen_k});
  if (!sim::has_softmax_row(plan) || rows < std::min(shape.seqlen_q, least_rows)) return;
  for (std::int64_t n = 0; n < rows; ++n)
    queries_.push_back(rows == 1 ? shape.seqlen_q - 1 : n * (shape.seqlen_q - 1) / (rows - 1));
  keys_per_cell_ = sim::ceil_div(shape.seqlen_k, most_side);
  columns_ = sim::ceil_div(shape.seqlen_k, keys_per_cell_);
  scores_.assign(queries_.size() * static_cast<std::size_t>(columns_), sim::unseen_max);
}

void Thumbnail::take(const sim::SoftmaxRow& row) {
  float* const line = scores_.data() + at_ * static_cast<std::size_t>(columns_);
  for (const sim::SoftmaxTile& tile : row.tiles()) {
    if (tile.of_parts || tile.pass > 0) continue;
    for (std::size_t key = 0; key < tile.scores.size(); ++key) {
      float& cell = line[(tile.keys.begin + static_cast<std::int64_t>(key)) / keys_per_cell_];
      cell = std::max(cell, tile.scores[key]);
    }
  }
}

bool Thumbnail::advance() {
  for (double ns = 0; ns < ns_per_slice && at_ < queries_.size();) {
    if (row_ == nullptr) {
      const std::shared_ptr<const sim::Plan> plan(run_, &run_->simulation.plan);
      row_ = std::make_unique<sim::SoftmaxRow>(plan, head_, queries_[at_], inputs_);
    }
    const bool more = row_->advance();
    ns += std::max(row_->nanoseconds(), least_thumbnail_step);
    if (more) continue;
    take(*row_);
    row_.reset();
    ++at_;
  }
  return at_ < queries_.size();
}

}  // namespace explorer
