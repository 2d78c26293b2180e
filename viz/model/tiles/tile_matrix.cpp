#include "viz/model/tiles/tile_matrix.h"

#include <algorithm>

#include "sim/base/block_mask.h"

namespace explorer {
namespace {

constexpr std::int64_t blocks_per_slice = 1 << 15;

std::int64_t count_of(const sim::Visit& visit, bool masked_only) {
  return visit.count() - (masked_only ? visit.count_full() : 0);
}

}  // namespace

TileMatrix::TileMatrix(const Subject& subject) : shape_(&subject.problem().shape), grid_(subject.launch().grid) {
  rows = {shape_->seqlen_q, std::min(grid_.br, shape_->seqlen_q)};
  cols = {shape_->seqlen_k, std::min(grid_.bc, shape_->seqlen_k)};
  by_columns = !grid_.cuts_rows();
  const auto& visits = subject.replay->index.visits();
  touched = grid_.skips || !visits.empty();
  row = subject.replay->place.row;
  col = subject.replay->place.col;
  if (grid_.is_split()) {
    part = col;
    col = std::min(part * grid_.key_blocks(), cols.count() - 1);
  }
  if (visits.empty()) return;
  visit = subject.replay->index.visit_at(subject.time);
  const Visit& at = visits[static_cast<std::size_t>(std::max(visit, 0))];
  row = at.row;
  col = at.col;
  working = visit >= 0 && subject.time < at.end;
  down = grid_.cuts_rows() && visits.size() > 1 && visits[1].row == visits[0].row && visits[1].col < visits[0].col;
  if (grid_.cuts_rows() == grid_.cuts_columns()) return;  // each CTA takes one tile, or all
  const std::int64_t of_column = grid_.skips ? visit_queries(*shape_, grid_, col).count() : rows.count();
  const std::int64_t iteration = grid_.cuts_rows() ? visit_of(row).count() : of_column;
  if (iteration > 0) passes = static_cast<std::int64_t>(visits.size()) / iteration;
  if (iteration > 0) pass = std::max(visit, 0) / iteration;
}

sim::Visit TileMatrix::visit_of(std::int64_t i) const {
  sim::Visit found = visit_keys(*shape_, grid_, i);
  if (grid_.skips) return found;
  if (shape_->mask.blocks) found.full = {};  // not needed: the blocks that it hides in part
  found.live = {0, cols.count()};
  return found;
}

sim::Interval TileMatrix::live(std::int64_t i) const { return visit_of(i).live; }

sim::Interval TileMatrix::full(std::int64_t i) const { return visit_of(i).full; }

std::vector<sim::Interval> TileMatrix::visited(std::int64_t i, sim::Interval range) const {
  std::vector<sim::Interval> pieces;
  visit_of(i).each_piece([&](sim::Interval piece) {
    if (!overlap(piece, range).empty()) pieces.push_back(overlap(piece, range));
  });
  return pieces;
}

sim::Interval TileMatrix::live_here() const {
  if (!grid_.is_split()) return live(row);
  return overlap(live(row), {part * grid_.key_blocks(), (part + 1) * grid_.key_blocks()});
}

std::int64_t TileMatrix::visited_before() const {
  std::int64_t blocks = 0;
  const sim::Interval all = live_here(),
                      before = down ? sim::Interval{col + 1, all.end} : sim::Interval{all.begin, col};
  for (const sim::Interval piece : visited(row, before)) blocks += piece.size();
  return blocks;
}

TileState TileMatrix::state(std::int64_t i, std::int64_t j) const {
  if (i == row && j == col) return visit < 0 ? TileState::to_do : working ? TileState::current : TileState::done;
  const bool in_row = i == row && (down ? j > col : j < col);
  const bool before = by_columns ? j < col || (j == col && i < row) : i < row || in_row;
  return before ? TileState::done : TileState::to_do;
}

std::array<TileRun, 3> TileMatrix::runs(std::int64_t i) const {
  const sim::Interval all = live(i);
  if (!by_columns && i != row) return {{{i < row ? TileState::done : TileState::to_do, all}, {}, {}}};
  const std::int64_t cut = std::clamp(col, all.begin, all.end), next = std::min(cut + (cut == col ? 1 : 0), all.end);
  const TileState below = down ? TileState::to_do : TileState::done, above = down ? TileState::done : TileState::to_do;
  return {{{below, {all.begin, cut}}, {state(i, col), {cut, next}}, {above, {next, all.end}}}};
}

sim::CtaPlace TileMatrix::cta_of(const sim::CtaPlace& here, std::int64_t i, std::int64_t j) const {
  return {here.batch, here.head, grid_.cuts_rows() ? i : 0, grid_.cta_column_of(j)};
}

std::int64_t TileMatrix::visible_pairs(std::int64_t i, std::int64_t j) const {
  const sim::Interval queries = rows.elements(i), keys = cols.elements(j);
  std::int64_t pairs = 0;
  for (std::int64_t query = queries.begin; query < queries.end; ++query) {
    for (const sim::Interval seen : shape_->visible_parts(query, keys)) pairs += seen.size();
  }
  return pairs;
}

TileCounts::TileCounts(const TileMatrix& matrix)
    : shape_(matrix.shape()),
      grid_(matrix.grid()),
      along_(matrix.by_columns ? matrix.cols : matrix.rows),
      across_(matrix.by_columns ? matrix.rows : matrix.cols),
      by_columns_(matrix.by_columns) {
  before_.reserve(static_cast<std::size_t>(along_.count()) + 1);
}

sim::Visit TileCounts::visit(std::int64_t block) const {
  sim::Visit found = by_columns_ ? visit_queries(shape_, grid_, block) : visit_keys(shape_, grid_, block);
  if (!grid_.skips) found.live = {0, across_.count()};
  return found;
}

bool TileCounts::advance() {
  for (std::int64_t n = 0; n < blocks_per_slice && !complete(); ++n) {
    const sim::Visit found = visit(static_cast<std::int64_t>(before_.size()) - 1);
    before_.push_back(before_.back() + count_of(found, false));
    masked_ += count_of(found, true);
  }
  return !complete();
}

std::int64_t TileCounts::done(const TileMatrix& now) const {
  const std::int64_t block = now.by_columns ? now.col : now.row, at = now.by_columns ? now.row : now.col;
  const sim::Visit found = visit(block);
  std::int64_t here = 0;
  const sim::Interval before = now.down ? sim::Interval{at + 1, found.live.end} : sim::Interval{found.live.begin, at};
  found.each_piece([&](sim::Interval piece) { here += overlap(piece, before).size(); });
  const bool finished = found.visits(at) && now.state(now.row, now.col) == TileState::done;
  return before_[static_cast<std::size_t>(block)] + here + (finished ? 1 : 0);
}

std::string key_of(const TileMatrix& matrix) {
  const sim::Shape& s = matrix.shape();
  std::string documents;
  if (s.mask.documents) documents = sim::text_of_documents(*s.mask.documents);
  return sim::text(s.seqlen_q, " ", s.seqlen_k, " ", s.mask.causal, " ", s.mask.padding, " ",
                   s.mask.window.value_or(-1), " ", s.mask.window_right.value_or(-1), " ", s.mask.prefix, " ",
                   sim::name_of(s.mask.diagonal), " ", documents, " ",
                   s.mask.blocks ? s.mask.blocks->name() : std::string(), " ", matrix.rows.size, " ", matrix.cols.size,
                   " ", matrix.by_columns, " ", matrix.grid().skips);
}

}  // namespace explorer
