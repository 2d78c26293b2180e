// Actions of the microscope: go to a step, another row, another head, a text.
#include <algorithm>

#include "viz/model/microscope.h"

namespace explorer {

void go_to_stop(Model& model, RowStop stop) {
  const ShownRow row = shown_row(model);
  if (!row.task->done() || stop.tile >= row.tiles().size()) return;
  const sim::SoftmaxTile& tile = row.tiles()[stop.tile];
  const Subject& subject = model.world.subject(0);
  model.state.look.row = static_cast<int>(row.query);
  model.play(false);
  model.look_at(tile.kernel,
                place_of_row(subject.simulation(), tile.kernel, row.head, row.query, tile.of_parts ? 0 : tile.part));
  const ShownRow there = shown_row(model);
  if (!there.task->done()) return;
  for (const RowClock::Stop& end : there.clock->stops()) {
    if (there.moment.first + end.tile > stop.tile) break;
    model.seek(end.end);
    if (there.moment.first + end.tile == stop.tile && end.stage == stop.stage) break;
  }
}

void step_row(Model& model, int direction) {
  const ShownRow row = shown_row(model);
  if (!row.task->done() || row.tiles().empty()) return model.step(model.state.look.unit, direction);
  const auto& stops = row.clock->stops();
  const std::size_t passed = row.clock->passed(model.world.time());
  model.play(false);
  if (direction > 0 && passed < stops.size()) return model.seek(stops[passed].end);
  if (direction < 0 && passed > 1) return model.seek(stops[passed - 2].end);
  const std::size_t next = direction > 0 ? row.moment.last : row.moment.first - 1;
  if (direction > 0 && next < row.tiles().size()) {
    go_to_stop(model, {next, RowStage::output});
    const auto& there = shown_row(model).clock->stops();
    if (!there.empty()) model.seek(there.front().end);
  } else if (direction < 0 && row.moment.first > 0) {
    go_to_stop(model, {next, RowStage::output});
  } else if (direction < 0) {
    model.seek({});
  }
}

namespace {

/// Shows a row at the same time, in the CTA that computes it.
void show_row(Model& model, std::int64_t head, std::int64_t query) {
  const Subject& subject = model.world.subject(0);
  const Replay& replay = *subject.replay;
  model.state.look.row = static_cast<int>(query);
  const std::int64_t part = subject.launch().grid.is_split() ? replay.place.col : 0;
  model.look_at(replay.kernel, place_of_row(subject.simulation(), replay.kernel, head, query, part));
}

}  // namespace

void show_query(Model& model, std::int64_t query) {
  const ShownRow row = shown_row(model);
  const std::int64_t last = model.world.subject(0).problem().shape.seqlen_q - 1;
  show_row(model, row.head, std::clamp<std::int64_t>(query, 0, last));
}

void show_head(Model& model, std::int64_t head) {
  const ShownRow row = shown_row(model);
  const sim::Shape& shape = model.world.subject(0).problem().shape;
  show_row(model, std::clamp<std::int64_t>(head, 0, (shape.batch * shape.heads) - 1), row.query);
}

namespace {

/// Options that a text sets or ignores.
constexpr std::string_view text_sizes[] = {"batch",    "heads",  "kv-heads",  "seqlen-q",   "seqlen-k",
                                           "head-dim", "br",     "bc",        "model",      "padding",
                                           "window",   "prefix", "documents", plotted_first};

}  // namespace

void choose_text(Model& model, const std::string& name) {
  sim::OptionValues changes = {{"inputs", name.empty() ? "" : "text:" + name}};
  for (const std::string_view size : text_sizes) changes[std::string(size)] = "";
  model.change_options(changes);
  if (name.empty() || !model.world.error().empty()) return;
  const sim::Shape& shape = model.world.subject(0).problem().shape;
  model.look_at(0, {});
  show_row(model, shape.heads - 1, shape.seqlen_q - 1);
  show_telling_moment(model);
}

void show_telling_moment(Model& model) {
  constexpr int most_slices = 64;
  const ShownRow row = shown_row(model);
  for (int n = 0; n < most_slices && row.task->advance(); ++n) {
  }
  const auto& tiles = row.task->tiles();
  if (!row.task->done()) return model.seek(model.world.subject(0).replay->index.end());
  if (tiles.empty()) return;
  std::size_t telling = tiles.size() - 1;
  float least = 1;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const bool falls = tiles[t].rescales && tiles[t].m_before != sim::unseen_max && tiles[t].alpha < least;
    if (!falls) continue;
    least = tiles[t].alpha;
    telling = t;
  }
  const int named = model.state.look.row;
  const sim::CtaPlace place = model.world.subject(0).replay->place;
  go_to_stop(model, {telling, RowStage::output});
  if (model.world.subject(0).replay->place == place) model.state.look.row = named;
}

}  // namespace explorer
