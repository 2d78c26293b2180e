// The lanes of the view "batch": classes of entries on the SMs, and padding.
#include <algorithm>

#include "viz/model/batch.h"

namespace explorer {
namespace {

constexpr std::size_t steps = order_steps + 1;
constexpr double least_apart = 8;    // in columns: a longer CTA is drawn with a gap before it
constexpr double least_busy = 0.25;  // a cell counts as busy if its SMs work for at least a quarter of it

/// Number of tiles of each block of a head.
std::vector<std::int64_t> tiles_of_blocks(const sim::Shape& shape, const sim::GridShape& grid) {
  std::vector<std::int64_t> tiles;
  for (const sim::Run& run : sim::make_grid(shape, grid).runs)
    tiles.insert(tiles.end(), static_cast<std::size_t>(run.count), run.key.full_tiles + run.key.masked_tiles);
  return tiles;
}

}  // namespace

UsefulParts::UsefulParts(const sim::Simulation& padded, const sim::Simulation& packed, std::size_t kernel) {
  const sim::Launch& launch = padded.plan.launches.at(kernel);
  const bool loops = padded.kernels.at(kernel).iterations > 1;
  const sim::CtaPlace size = grid_of(padded, kernel);
  const std::vector<std::int64_t> all = tiles_of_blocks(padded.plan.problem.shape, launch.grid);
  cols_ = size.col;
  std::int64_t entries = 0;
  for (const sim::Plan& c : sim::classes_of(packed.plan)) {
    const sim::GridShape& grid = sim::launch_of(c, launch).grid;
    const sim::CtaPlace own = grid_of(c.problem.shape, grid);
    const std::vector<std::int64_t> tiles = tiles_of_blocks(c.problem.shape, grid);
    std::vector<float> parts(all.size());
    for (std::int64_t row = 0; row < std::min(own.row, size.row); ++row) {
      for (std::int64_t col = 0; col < std::min(own.col, size.col); ++col) {
        const auto at = static_cast<std::size_t>(row * cols_ + col);
        const auto useful = static_cast<float>(tiles[static_cast<std::size_t>(row * own.col + col)]);
        parts[at] = !loops ? 1 : all[at] == 0 ? 0 : std::min(1.f, useful / static_cast<float>(all[at]));
      }
    }
    first_entry_.push_back(entries);
    parts_.push_back(std::move(parts));
    entries += c.problem.shape.batch;
  }
}

std::size_t UsefulParts::class_of(std::int64_t entry) const {
  return static_cast<std::size_t>(std::upper_bound(first_entry_.begin(), first_entry_.end(), entry) -
                                  first_entry_.begin()) -
         1;
}

double UsefulParts::of(const sim::CtaPlace& place) const {
  return static_cast<double>(parts_[class_of(place.batch)].at(static_cast<std::size_t>(place.row * cols_ + place.col)));
}

BatchLanes::BatchLanes(std::shared_ptr<RaceRun> run, std::shared_ptr<const Run> packed, LaneGrid grid)
    : run_(std::move(run)),
      packed_(std::move(packed)),
      grid_(grid),
      ranks_(ranks_of(sequences_of(packed_->simulation))) {}

bool BatchLanes::one_by_one() const {
  const auto& kernels = run_->kernels();
  return std::all_of(kernels.begin(), kernels.end(), [](const auto& kernel) { return kernel.grid.one_by_one(); });
}

void BatchLanes::begin() {
  const sim::Simulation& s = run_->run().simulation;
  const bool padded = s.plan.classes == nullptr && packed_->simulation.plan.classes != nullptr && one_by_one();
  for (std::size_t k = 0; k < s.plan.launches.size(); ++k) {
    kernels_.push_back({CtaNumbers(s, k), std::nullopt});
    if (padded) kernels_.back().useful.emplace(s, packed_->simulation, k);
  }
  steps_.assign(grid_.columns * grid_.bands, -1);
}

bool BatchLanes::advance() {
  if (!run_->ready()) return run_->advance() || true;
  if (kernels_.empty()) begin();
  const std::int64_t sms = run_->run().simulation.plan.scenario.gpu->sm_count, each = sms_per_band(sms, grid_.bands);
  if (next_ < grid_.bands) {
    weights_.assign(grid_.columns * steps, 0);
    const std::int64_t first = static_cast<std::int64_t>(next_) * each, last = std::min(sms, first + each);
    for (std::int64_t sm = first; sm < last; ++sm) {
      for (std::size_t k = 0; k < kernels_.size(); ++k) add_sm(k, sm);
    }
    close_band(last - first);
    ++next_;
    return true;
  }
  rects_ = merged_cells(grid_.columns, grid_.bands,
                        [&](std::size_t x, std::size_t y) { return static_cast<int>(steps_[y * grid_.columns + x]); });
  ready_ = true;
  return false;
}

std::size_t BatchLanes::step_of_class(std::size_t n) const {
  return static_cast<std::size_t>(ranks_.at(n) * (order_steps - 1));
}

void BatchLanes::add_sm(std::size_t k, std::int64_t sm) {
  const GridTimeline& grid = run_->kernels()[k].grid;
  const std::int64_t slots = grid.grid().ctas_per_sm;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    for (const CtaSpan& span : grid.row(sm, slot))
      add_cta(kernels_[k], span, {run_->on_clock(k, span.begin), run_->on_clock(k, span.end)},
              1 / static_cast<double>(slots));
  }
}

void BatchLanes::add_cta(const Kernel& of, const CtaSpan& span, CtaTimes times, double weight) {
  const double column = grid_.end / static_cast<double>(grid_.columns);
  if (times.end - times.begin > least_apart * column) times.begin += column;  // leaves a gap after the previous one
  if (!of.useful) return add(times.begin, times.end, step_of_class(of.numbers.class_of(span.cta)), weight);
  const sim::CtaPlace place = of.numbers.place(span.cta);
  const double until = times.begin + of.useful->of(place) * (times.end - times.begin);
  add(times.begin, until, step_of_class(of.useful->class_of(place.batch)), weight);
  add(until, times.end, padding_step, weight);
}

void BatchLanes::add(double begin, double end, std::size_t step, double weight) {
  const double width = grid_.end / static_cast<double>(grid_.columns);
  const auto column = [&](double time) {
    return std::min(grid_.columns - 1, static_cast<std::size_t>(std::max(0., time / width)));
  };
  for (std::size_t x = column(begin), last = column(end); x <= last; ++x) {
    const double from = static_cast<double>(x) * width;
    const double part = (std::min(end, from + width) - std::max(begin, from)) / width;
    if (part > 0) weights_[x * steps + step] += static_cast<float>(part * weight);
  }
}

void BatchLanes::close_band(std::int64_t sms) {
  for (std::size_t x = 0; x < grid_.columns; ++x) {
    const auto first = weights_.begin() + static_cast<std::ptrdiff_t>(x * steps), last = first + steps;
    double all = 0;
    for (auto weight = first; weight != last; ++weight) all += static_cast<double>(*weight);
    if (sms == 0 || all < least_busy * static_cast<double>(sms)) continue;
    steps_[next_ * grid_.columns + x] = static_cast<std::int8_t>(std::max_element(first, last) - first);
  }
}

}  // namespace explorer
