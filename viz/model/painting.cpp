#include "viz/model/painting.h"

#include <algorithm>

#include "sim/base/block_mask.h"
#include "sim/base/painted.h"

namespace explorer {
namespace {

sim::BlockedMatrix blocks_of(const sim::Plan& plan) {
  const sim::Shape& shape = plan.problem.shape;
  const bool has_them = plan.code->pattern != sim::PatternUse::if_given;
  const sim::Tiling own = has_them ? plan.problem.tiling : sim::pattern_tiling(plan.scenario);
  const sim::Tiling tiles = plan.scenario.pattern_tiles.value_or(own);
  return {shape.seqlen_q, shape.seqlen_k, tiles.br, tiles.bc};
}

void check_paintable(const sim::BlockedMatrix& m) {
  sim::require(is_paintable(m), "pattern: ", m.rows(), " x ", m.cols(), " blocks are more than the ", sim::most_painted,
               " that are painted: use larger blocks, --br and --bc");
}

}  // namespace

PatternBlocks::PatternBlocks(const Subject& subject)
    : matrix_(blocks_of(subject.simulation().plan)), shape_(&subject.problem().shape) {}

bool PatternBlocks::holds(BlockPlace at) const {
  return at.row >= 0 && at.col >= 0 && at.row < matrix_.rows() && at.col < matrix_.cols();
}

bool PatternBlocks::shown(BlockPlace at) const {
  return !shape_->mask.blocks || shape_->mask.blocks->visible(at.row, at.col);
}

BlockState PatternBlocks::state(BlockPlace at) const {
  const sim::Interval queries{at.row * matrix_.br, std::min((at.row + 1) * matrix_.br, matrix_.queries)};
  const sim::Interval keys{at.col * matrix_.bc, std::min((at.col + 1) * matrix_.bc, matrix_.keys)};
  if (!shown(at) || overlap(shape_->live_keys(queries), keys).empty()) return BlockState::skipped;
  return shape_->full_keys(queries).contains(keys) ? BlockState::full : BlockState::partial;
}

BlockCounts PatternBlocks::counts() const {
  BlockCounts counts;
  for (std::int64_t i = 0; i < matrix_.rows(); ++i) {
    for (std::int64_t j = 0; j < matrix_.cols(); ++j) {
      const BlockState now = state({i, j});
      ++(now == BlockState::full ? counts.full : now == BlockState::partial ? counts.partial : counts.skipped);
    }
  }
  return counts;
}

sim::Picture PatternBlocks::picture() const {
  const std::int64_t rows = matrix_.rows(), cols = matrix_.cols();
  sim::require(cols <= sim::most_pixels / rows, "pattern: ", rows, " x ", cols, " blocks are more than the ",
               sim::most_pixels, " pixels of a picture: use larger blocks, --br and --bc");
  sim::Picture picture{cols, rows, {}};
  picture.black.reserve(static_cast<std::size_t>(rows * cols));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) picture.black.push_back(shown({i, j}));
  }
  return picture;
}

bool is_paintable(const sim::BlockedMatrix& m) { return m.rows() <= sim::most_painted / m.cols(); }

bool takes_pattern(const Subject& subject) { return subject.simulation().plan.code->pattern != sim::PatternUse::none; }

bool is_too_long_for_link(const Model& model) {
  return model.state.options.contains("pattern") && model.link().find("pattern=") == std::string::npos;
}

void paint(Model& model, BlockPlace from, BlockPlace to, bool shows) {
  const PatternBlocks blocks(model.world.subject(0));
  check_paintable(blocks.matrix());
  sim::Picture picture = blocks.picture();
  const std::int64_t steps = std::max({std::abs(to.row - from.row), std::abs(to.col - from.col), std::int64_t{1}});
  for (std::int64_t n = 0; n <= steps; ++n) {
    const BlockPlace at{from.row + (to.row - from.row) * n / steps, from.col + (to.col - from.col) * n / steps};
    if (blocks.holds(at)) picture.black[static_cast<std::size_t>(at.row * picture.width + at.col)] = shows;
  }
  model.drag_option("pattern", sim::painted_text(picture));
}

void begin_stroke(Model& model, BlockPlace at) {
  const PatternBlocks blocks(model.world.subject(0));
  if (!blocks.holds(at)) return;
  const bool shows = !blocks.shown(at);
  model.apply(EndDrag{});
  paint(model, at, at, shows);
  model.state.brush.block = at;
  model.state.brush.stroke = shows;
}

void go_on_with_stroke(Model& model, BlockPlace at) {
  const PatternBlocks blocks(model.world.subject(0));
  if (!model.state.brush.stroke || at == model.state.brush.block || !blocks.holds(at)) return;
  paint(model, model.state.brush.block, at, *model.state.brush.stroke);
  model.state.brush.block = at;
}

std::optional<std::string> fitting_pattern(const Model& model) {
  sim::OptionValues options = model.state.options;
  const auto given = options.find("pattern");
  if (given == options.end() || model.world.error().empty()) return std::nullopt;
  try {
    const sim::Pattern pattern = sim::read_pattern(given->second);
    if (!pattern.picture) return std::nullopt;
    options.erase(given);
    const sim::BlockedMatrix blocks = blocks_of(sim::make_plan(sim::scenario_from(options, model.world.gpu())));
    const sim::Picture& now = *pattern.picture;
    if (now.width == blocks.cols() && now.height == blocks.rows()) return std::nullopt;
    check_paintable(blocks);
    return sim::painted_text(sim::resized(now, blocks.cols(), blocks.rows()));
  } catch (const sim::Error&) {  // the error has another cause
    return std::nullopt;
  }
}

}  // namespace explorer
