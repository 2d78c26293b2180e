#include "viz/model/values/row_numbers.h"

#include <algorithm>
#include <set>

namespace explorer {
namespace {

using sim::Event;
using sim::Tensor;

sim::Interval rows_of(const Run& run, const KernelRows& of) {
  const sim::Blocking rows{run.simulation.plan.problem.shape.seqlen_q, run.simulation.plan.launches[of.kernel].grid.br};
  return rows.elements(of.row);
}

std::vector<float>* number_of(RowNumbers& numbers, Tensor tensor) {
  if (tensor == Tensor::m) return &numbers.m;
  if (tensor == Tensor::l) return &numbers.l;
  if (tensor == Tensor::L) return &numbers.L;
  return tensor == Tensor::D ? &numbers.D : nullptr;
}

}  // namespace

RowsTask::RowsTask(std::shared_ptr<const Run> run, const KernelRows& of, std::shared_ptr<sim::DrawnInputs> inputs)
    : run_(std::move(run)), of_(of), window_(run_->simulation.plan, of.head, rows_of(*run_, of), std::move(inputs)) {
  numbers_.queries = window_.queries();
  const sim::Interval all_keys{0, plan().problem.shape.seqlen_k};
  std::vector<const sim::Launch*> makers = sim::makers_of(plan(), launch());
  std::reverse(makers.begin(), makers.end());  // from this kernel backwards, as its tiles are read
  // A kernel of single tiles only reads the same tile of other such kernels' results.
  bool of_tile = launch().grid.of_tiles();
  std::vector<sim::Interval> keys;
  for (const sim::Launch* maker : makers) {
    of_tile = of_tile && maker->grid.of_tiles();
    keys.push_back(of_tile ? sim::Blocking{all_keys.end, launch().grid.bc}.elements(of.col) : all_keys);
  }
  for (std::size_t n = makers.size(); n-- > 0;) add_maker(*makers[n], keys[n]);
  if (computes_rows(*run_, of.kernel)) add_kernel();
}

/// Adds the CTAs of a kernel that work on the rows.
void RowsTask::add_maker(const sim::Launch& launch, sim::Interval keys) {
  const sim::GridAxes axes = sim::grid_axes(plan().problem.shape, launch.grid);
  const sim::Interval rows = axes.rows.touching(window_.queries());
  sim::Interval cols = axes.cols.touching(keys);
  if (keys.end == axes.cols.extent) cols.end = axes.cols.count();  // parts without keys write as well
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    for (std::int64_t j = cols.begin; j < cols.end; ++j) parts_.emplace_back(launch, axes.row(i), axes.col(j));
  }
}

/// Adds the kernel itself, up to the numbers of its last tile.
void RowsTask::add_kernel() {
  const sim::GridAxes axes = sim::grid_axes(plan().problem.shape, launch().grid);
  const sim::Block row = axes.row(of_.row), col = axes.col(launch().grid.cta_column_of(of_.col));
  const sim::Trace outline = window_.outline(launch(), row, col);
  const TraceIndex index(outline);
  if (index.visits().empty()) {
    parts_.emplace_back(launch(), row, col);
  } else {
    const std::vector<Visit>& visits = index.visits();
    const auto of_row = std::find_if(visits.rbegin(), visits.rend(), [&](const Visit& v) { return v.row == of_.row; });
    const Visit& last = of_row == visits.rend() ? visits.back() : *of_row;
    std::set<std::int64_t> iterations;
    for (const Visit& visit : visits) {  // in each pass: a kernel may compute a number in an earlier one
      if (visit.row != last.row || visit.col != last.col || visit.head != last.head) continue;
      iterations.merge(iterations_before(outline, visit));
      for (std::int64_t iteration = visit.iterations.begin; iteration < visit.iterations.end; ++iteration)
        iterations.insert(iteration);
    }
    parts_.emplace_back(launch(), row, col, iterations);
  }
}

double RowsTask::share() const {
  return parts_.empty() ? 1 : static_cast<double>(done_parts_) / static_cast<double>(parts_.size());
}

/// Stores the numbers that events have left on chip, the newest of each row; finish() prefers those in HBM.
void RowsTask::note(const sim::Trace& trace) {
  const sim::Interval queries = window_.queries();
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const Event& event = trace.events[n];
    std::vector<float>* const into = number_of(numbers_, event.tensor);
    const std::vector<float>* const values = values_of(trace, static_cast<std::int32_t>(n));
    if (into == nullptr || values == nullptr || event.direction != sim::Direction::none) continue;
    const sim::Interval rows = overlap(queries, {event.rows.begin, event.rows.begin + event.rows.size});
    if (rows.empty()) continue;
    into->resize(static_cast<std::size_t>(queries.size()));
    for (std::int64_t row = rows.begin; row < rows.end; ++row)
      (*into)[static_cast<std::size_t>(row - queries.begin)] =
          (*values)[static_cast<std::size_t>(row - event.rows.begin)];
  }
}

/// Frees the matrices that no remaining kernel reads: they are large.
void RowsTask::forget() {
  std::set<Tensor> wanted(launch().inputs.begin(), launch().inputs.end());
  for (std::size_t n = first_; n < parts_.size(); ++n)
    wanted.insert(parts_[n].launch().inputs.begin(), parts_[n].launch().inputs.end());
  window_.forget([&](Tensor tensor) { return holds_matrix(tensor) && wanted.count(tensor) == 0; });
}

/// Advances to the next CTA of the current kernel that has iterations left, then to the next kernel. CTAs alternate, so
/// that keys read by one are cached for the others.
void RowsTask::next() {
  const auto same = [&](std::size_t part) {
    return part < parts_.size() && &parts_[part].launch() == &parts_[first_].launch();
  };
  if (!same(++at_)) at_ = first_;
  while (first_ < parts_.size() && parts_[first_].done()) {
    const bool more = same(first_ + 1);
    ++first_;
    if (!more) forget();
  }
  at_ = std::max(at_, first_);
}

bool RowsTask::slice() {
  for (double ns = 0; ns < ns_per_slice && first_ < parts_.size(); next()) {
    CtaIterations& part = parts_[at_];
    if (part.done()) continue;
    const sim::CtaPart some = part.next(window_, sim::KeepValues::of_rows);
    ns += some.nanoseconds;
    note(some.trace);
    if (part.done()) ++done_parts_;
  }
  if (first_ < parts_.size()) return true;
  finish();
  return false;
}

/// Stores L, or m and l, as the kernel reads them; its own m and l if it reads neither.
void RowsTask::finish() {
  for (const Tensor tensor : {Tensor::m, Tensor::l, Tensor::L, Tensor::D}) {
    const auto stored = window_.stored(tensor);
    if (!stored.empty()) number_of(numbers_, tensor)->assign(stored.begin(), stored.end());
  }
  if (launch().unfused) return;
  if (launch().reads(Tensor::L)) numbers_.m = numbers_.l = {};
  if (!launch().reads(Tensor::L)) numbers_.L = {};
}

}  // namespace explorer
