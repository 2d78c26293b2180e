#include "viz/model/values/head_values.h"

#include <algorithm>

namespace explorer {
namespace {

HeadValues& head_seen(const Model& model, std::size_t run, const TileMatrix& matrix) {
  const Subject& subject = model.world.subject(run);
  return model.world.tasks.get<HeadValues>(run, subject.run, subject.replay->kernel, place_of(subject, matrix).head);
}

/// A task cached elsewhere, as a task of its own: it resumes from the cached state.
struct Resumed : Task {
  explicit Resumed(std::shared_ptr<Task> of) : task(std::move(of)) {}
  bool advance() override { return task->advance(); }
  std::shared_ptr<Task> task;
};

}  // namespace

/// Memory budget per row block: if one CTA visits all row blocks, they share it, so that each can be resumed.
std::shared_ptr<RowHistory> HeadValues::row(std::int64_t row, std::int64_t part) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::GridShape grid = plan.launches[kernel_].grid;
  const std::int64_t blocks = grid.cuts_rows() ? 1 : sim::ceil_div(plan.problem.shape.seqlen_q, grid.br);
  const std::int64_t most = std::min(RowHistory::most_bytes, most_bytes / blocks);
  const std::int64_t key = row * std::max<std::int64_t>(1, plan.problem.parts) + part;
  return rows_.get(key, [&] {
    return std::make_shared<RowHistory>(RowSteps(plan_of(run_), kernel_, head_, row, part, inputs_), most);
  });
}

/// The numbers for a tile. Kernels of single tiles only need the rows of their tile.
std::shared_ptr<RowsTask> HeadValues::numbers(const TilePlace& place) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::GridShape& grid = plan.launches[kernel_].grid;
  const bool of_tile = grid.of_tiles();
  const std::int64_t key = place.row * plan.problem.shape.seqlen_k + (of_tile ? place.col : 0);
  const KernelRows of{kernel_, head_, place.row, place.col};
  return numbers_.get(key, [&] { return std::make_shared<RowsTask>(run_, of, inputs_); });
}

const TileLayers* layers_seen(const Model& model, std::size_t run, const TileMatrix& matrix) {
  const Subject& subject = model.world.subject(run);
  if (is_fused_forward(subject.launch())) {
    if (matrix.live_here().empty()) return nullptr;
    const std::shared_ptr<RowHistory> row = head_seen(model, run, matrix).row(matrix.row, matrix.part);
    const std::int64_t step = matrix.pass * row->block.tiles() + matrix.visited_before();
    const TileStep* const found = model.world.tasks.get<TileValues>(run, row, step).found();
    return found == nullptr ? nullptr : &found->layers;
  }
  const std::shared_ptr<RowsTask> rows = numbers_seen(model, run, matrix);
  if (rows == nullptr || matrix.visit < 0 || !has_tiles(*subject.run, subject.replay->kernel)) return nullptr;
  return model.world.tasks.get<KernelTile>(run, subject.run, subject.replay->kernel, place_of(subject, matrix), rows)
      .found();
}

std::shared_ptr<RowsTask> numbers_seen(const Model& model, std::size_t run, const TileMatrix& matrix) {
  const Subject& subject = model.world.subject(run);
  const std::size_t kernel = subject.replay->kernel;
  if (!has_tiles(*subject.run, kernel) && !computes_rows(*subject.run, kernel)) return nullptr;
  const std::shared_ptr<RowsTask> rows = head_seen(model, run, matrix).numbers(place_of(subject, matrix));
  model.world.tasks.get<Resumed>(run, rows);
  return rows;
}

}  // namespace explorer
