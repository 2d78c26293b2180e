#include "viz/model/microscope.h"

#include <algorithm>
#include <cmath>

#include "sim/base/text_inputs.h"
#include "sim/model/sampled_cta.h"
#include "sim/programs/launch_cta.h"

namespace explorer {
namespace {

using sim::SoftmaxTile;

constexpr double no_max = static_cast<double>(sim::unseen_max), least_step_ns = 2e4;

std::shared_ptr<const sim::Plan> plan_in(const std::shared_ptr<const Run>& run) { return {run, &run->simulation.plan}; }

/// The score of a key such that its weight is exp(s - m); for a combination of parts it includes the part's sum.
double effective_score(const SoftmaxTile& tile, std::size_t key) {
  if (!tile.of_parts) return static_cast<double>(tile.scores[key]);
  return static_cast<double>(tile.m) + std::log(static_cast<double>(tile.weights[key]));
}

void add_key(KeyBin& bin, const SoftmaxTile& tile, std::size_t key) {
  ++bin.keys;
  const double score = effective_score(tile, key);
  if (score == no_max) return;
  const bool first = bin.max == sim::unseen_max;
  const double top = first ? score : std::max(bin.top, score);
  bin.sum = (first ? 0 : bin.sum * std::exp(bin.top - top)) + std::exp(score - top);
  bin.top = top;
  bin.max = std::max(bin.max, tile.scores[key]);
  bin.mean += static_cast<double>(tile.scores[key]);
}

/// True if both tiles are in one sequence of running maxima.
bool same_part(const SoftmaxTile& a, const SoftmaxTile& b) {
  return a.kernel == b.kernel && a.of_parts == b.of_parts && (a.of_parts || a.part == b.part) && a.pass == b.pass;
}

/// Order of a tile's CTA relative to the CTA in view: 0 if they are the same, -1 if it precedes, 1 if it follows.
int order_of(const SoftmaxTile& tile, const Replay& replay) {
  if (tile.kernel != replay.kernel) return tile.kernel < replay.kernel ? -1 : 1;
  if (tile.of_parts || tile.part == replay.place.col) return 0;
  return tile.part < replay.place.col ? -1 : 1;
}

/// The playhead's position among the tiles computed so far.
RowMoment moment_of(const Subject& subject, const std::vector<SoftmaxTile>& tiles, const RowClock& clock) {
  RowMoment moment;
  if (tiles.empty()) return moment;
  const Replay& replay = *subject.replay;
  const auto before = [&](const SoftmaxTile& tile) { return order_of(tile, replay) < 0; };
  const auto here = [&](const SoftmaxTile& tile) { return order_of(tile, replay) <= 0; };
  const auto at = [&](auto test) {
    return static_cast<std::size_t>(std::partition_point(tiles.begin(), tiles.end(), test) - tiles.begin());
  };
  moment.first = at(before);
  moment.last = std::min(at(here), moment.first + clock.tiles());
  const std::size_t passed = clock.passed(subject.time);
  const bool over = moment.first == tiles.size();  // all its CTAs precede the CTA in view
  moment.tile = over ? tiles.size() - 1 : moment.first;
  if (passed > 0) moment.tile = std::min(moment.first + clock.stops()[passed - 1].tile, tiles.size() - 1);
  const std::size_t first_stop = passed > row_stages ? passed - row_stages : 0;
  for (std::size_t n = first_stop; n < std::min(passed + row_stages, clock.stops().size()); ++n) {
    const RowClock::Stop& stop = clock.stops()[n];
    if (moment.first + stop.tile != moment.tile) continue;
    moment.has[static_cast<std::size_t>(stop.stage)] = true;
    moment.done[static_cast<std::size_t>(stop.stage)] = n < passed;
    ++moment.steps;
    if (n < passed) ++moment.steps_done;
  }
  if (over) {
    moment.done.fill(true);
    moment.steps = moment.steps_done = 1;
  }
  const SoftmaxTile& now = tiles[moment.tile];
  const auto rank = [](const SoftmaxTile& tile) { return std::pair(tile.kernel, tile.pass); };  // in run order
  moment.begin = at([&](const SoftmaxTile& tile) { return rank(tile) < rank(now); });
  moment.end = at([&](const SoftmaxTile& tile) { return rank(tile) <= rank(now); });
  return moment;
}

/// Inputs of a head, shared by its rows.
struct HeadInputs : Task {
  HeadInputs(const std::shared_ptr<const Run>& run, std::int64_t head)
      : inputs(std::make_shared<sim::DrawnInputs>(run->simulation.plan, head)) {}
  bool advance() override { return false; }
  std::shared_ptr<sim::DrawnInputs> inputs;
};

/// A task that stays alive while a frame shows it.
template <class T>
struct Shared : Task {
  template <class... Arguments>
  explicit Shared(const Arguments&... arguments) : task(std::make_shared<T>(arguments...)) {}
  bool advance() override { return task->advance(); }
  std::shared_ptr<T> task;
};

std::shared_ptr<sim::DrawnInputs> inputs_of_head(const Model& model, std::int64_t head) {
  const Subject& subject = model.world.subject(0);
  return model.world.tasks.get<HeadInputs>(0, subject.run, head).inputs;
}

}  // namespace

RowTask::RowTask(const std::shared_ptr<const Run>& run, std::int64_t head, std::int64_t query,
                 const std::shared_ptr<sim::DrawnInputs>& inputs) {
  try {
    row_ = std::make_unique<sim::SoftmaxRow>(plan_in(run), head, query, inputs);
  } catch (const sim::Error& error) {
    error_ = error.sentence();
  }
}

const std::vector<SoftmaxTile>& RowTask::tiles() const {
  static const std::vector<SoftmaxTile> none;
  return row_ == nullptr ? none : row_->tiles();
}

bool RowTask::advance() {
  if (row_ == nullptr) return false;
  for (double ns = 0; ns < ns_per_slice && row_->advance();) ns += std::max(row_->nanoseconds(), least_step_ns);
  const auto rescaled = [](const SoftmaxTile& tile) { return tile.rescales; };
  rescales_ = std::any_of(tiles().begin(), tiles().end(), rescaled);
  return !row_->done();
}

const RowShares& RowTask::shares(std::size_t count) {
  if (has_shares_ && shares_.count == count) return shares_;
  has_shares_ = true;
  shares_ = {count, answer_of(tiles(), count, sim::Rescaling::kept), answer_of(tiles(), count, sim::Rescaling::skipped),
             largest_shares(tiles(), count, RowShares::most), 0};
  shares_.error = sim::relative_error(shares_.skipped.O, shares_.kept.O);
  return shares_;
}

const std::vector<KeyBin>& RowTask::bins(std::size_t begin, std::size_t end) {
  if (!bins_.empty() && begin == bins_begin_ && end == bins_end_) return bins_;
  bins_begin_ = begin;
  bins_end_ = end;
  bins_.clear();
  std::int64_t keys = 0;
  for (std::size_t t = begin; t < end; ++t) keys += std::ssize(tiles()[t].scores);
  const std::int64_t each = std::max<std::int64_t>(1, sim::ceil_div(keys, most_bins));
  for (std::size_t t = begin; t < end; ++t) {
    for (std::size_t key = 0; key < tiles()[t].scores.size(); ++key) {
      if (bins_.empty() || bins_.back().keys == each) bins_.push_back({.tile = t, .key = key});
      add_key(bins_.back(), tiles()[t], key);
    }
  }
  for (KeyBin& bin : bins_) bin.mean /= static_cast<double>(std::max<std::int64_t>(1, bin.keys));
  return bins_;
}

sim::CtaPlace place_of_row(const sim::Simulation& simulation, std::size_t kernel, std::int64_t head, std::int64_t query,
                           std::int64_t part) {
  const sim::Shape& shape = simulation.plan.problem.shape;
  const sim::GridShape& grid = simulation.plan.launches[kernel].grid;
  const std::int64_t row = grid.cuts_rows() ? query / grid.br : 0;
  return {head / shape.heads, head % shape.heads / sim::heads_of_cta(shape, grid), row, part};
}

std::optional<std::int64_t> row_with_tiles(const sim::Simulation& simulation, std::size_t kernel) {
  const sim::Shape& shape = simulation.plan.problem.shape;
  const sim::GridShape& grid = simulation.plan.launches[kernel].grid;
  const auto has_more = [&](std::int64_t block) { return sim::visit_keys(shape, grid, block).count() > 1; };
  if (!grid.cuts_rows() || has_more(0)) return std::nullopt;
  const sim::Blocking rows{shape.seqlen_q, grid.br};
  for (std::int64_t block = rows.count() - 1; block > 0; --block) {
    if (has_more(block)) return (rows.elements(block).begin + rows.elements(block).end) / 2;
  }
  return std::nullopt;
}

ShownRow shown_row(const Model& model) {
  const Subject& subject = model.world.subject(0);
  const sim::Shape& shape = subject.problem().shape;
  const sim::CtaPlace& place = subject.replay->place;
  const sim::GridShape& grid = subject.launch().grid;
  ShownRow row;
  row.head = (place.batch * shape.heads) + (place.head * sim::heads_of_cta(shape, grid));
  row.time = subject.time;
  row.queries = {0, shape.seqlen_q};
  if (grid.cuts_rows()) row.queries = sim::Blocking{shape.seqlen_q, grid.br}.elements(place.row);
  const std::int64_t named = model.state.look.row;
  row.query = row.queries.contains({named, named + 1}) ? named : row.queries.end - 1;
  row.task =
      model.world.tasks.get<Shared<RowTask>>(0, subject.run, row.head, row.query, inputs_of_head(model, row.head)).task;
  const auto of_cta = std::tuple(subject.run, subject.replay, row.query);
  row.clock = model.world.tasks.get_for<Shared<RowClock>>(0, of_cta, subject, row.query).task;
  if (row.task->done()) row.moment = moment_of(subject, row.tiles(), *row.clock);
  return row;
}

double max_before(const ShownRow& row, std::size_t t) {
  const SoftmaxTile &now = row.tiles()[row.moment.tile], &tile = row.tiles()[t];
  return same_part(now, tile) ? static_cast<double>(now.m_before) : max_now(row, t);
}

double max_now(const ShownRow& row, std::size_t t) {
  const auto& tiles = row.tiles();
  const std::size_t at = row.moment.tile;
  if (same_part(tiles[t], tiles[at])) {
    const RowStage stage = row.moment.has[static_cast<std::size_t>(RowStage::alpha)] ? RowStage::alpha : RowStage::max;
    const bool known = row.moment.is(stage) || !tiles[at].max_runs;
    return static_cast<double>(known ? tiles[at].m : tiles[at].m_before);
  }
  while (t + 1 < tiles.size() && same_part(tiles[t + 1], tiles[t])) ++t;
  return static_cast<double>(tiles[t].m);
}

double weight_now(const ShownRow& row, std::size_t t, std::size_t key) {
  const SoftmaxTile& tile = row.tiles()[t];
  const auto own = static_cast<double>(tile.weights[key]);
  if (!tile.max_runs || own == 0 || t == row.moment.tile) return own;
  return own * std::exp(static_cast<double>(tile.m) - max_now(row, t));
}

std::span<const std::string_view> words_of(const Subject& subject) {
  const sim::Scenario& scenario = subject.scenario();
  if (scenario.inputs != sim::InputRule::text) return {};
  return sim::text_called(scenario.text).words;
}

const Thumbnail& thumbnail_of(const Model& model, const ShownRow& row) {
  const Subject& subject = model.world.subject(0);
  return model.world.tasks.get<Thumbnail>(0, subject.run, row.head, inputs_of_head(model, row.head));
}

}  // namespace explorer
