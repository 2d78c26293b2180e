// Movement between HBM and the SM, and what every verb shares: events, clocks, values.
#include "sim/machine/cta.h"

#include <algorithm>
#include <cmath>

#include "sim/base/interrupt.h"
#include "sim/machine/roles.h"
#include "sim/trace/tensors.h"

namespace sim {
namespace {

/// The rows of a block that are in memory.
Interval rows_there(const HbmBlock& block) {
  const Interval rows{block.rows.begin, block.rows.begin + block.rows.size};
  return block.tensor->kept.empty() ? rows : overlap(rows, block.tensor->kept);
}

/// Walks a block of a row-major tensor with a dense tile: visit(offset in the tile, row of the tensor). `head` is the
/// query head of the CTA's group; what belongs to the KV head has one copy. Rows that are not there are left out.
template <class Visit>
void each_row_of(const HbmBlock& block, std::int32_t head, Visit visit) {
  const HbmTensor& tensor = *block.tensor;
  if (tensor.values == nullptr) return;
  const bool one_copy = tensor.per_kv_head() || !tensor.kept.empty();
  float* const values = tensor.values + (one_copy ? 0 : head * tensor.elements());
  const Interval rows = rows_there(block);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const std::int64_t stored = tensor.pages == nullptr ? row - tensor.kept.begin : tensor.pages->physical_row(row);
    visit((row - block.rows.begin) * block.cols.size, values + stored * tensor.cols + block.cols.begin);
  }
}

std::vector<float> read_source(const HbmBlock& from) {
  const Interval rows = rows_there(from);
  const auto size = [&](std::int64_t count) { return static_cast<std::size_t>(count * from.cols.size); };
  std::vector<float> values;
  values.reserve(size(from.rows.size));
  values.resize(size(rows.empty() ? 0 : rows.begin - from.rows.begin));
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const float* const first = from.tensor->source->row(row) + from.cols.begin;
    values.insert(values.end(), first, first + from.cols.size);
  }
  values.resize(size(from.rows.size));
  return values;
}

}  // namespace

std::vector<float> Cta::read_values(const HbmBlock& from) const {
  if (from.tensor->source != nullptr) return read_source(from);
  const Tensor name = from.tensor->name;
  if (name == Tensor::slopes && setup_.score_steps != nullptr) return of_heads(name, from.rows);
  if (name == Tensor::sinks && setup_.sinks != nullptr) return of_heads(name, from.rows);
  std::vector<float> values(static_cast<std::size_t>(from.rows.size * from.cols.size));
  if (is_table(name)) return values;  // kernels compute nothing of it
  each_row_of(from, role_->head,
              [&](std::int64_t at, const float* row) { std::copy_n(row, from.cols.size, values.data() + at); });
  return values;
}

void Cta::write_values(const HbmBlock& to, const std::vector<float>& values) const {
  each_row_of(to, role_->head, [&](std::int64_t at, float* row) {
    std::copy_n(values.data() + at, to.cols.size, row);
    round_all(to.tensor->dtype, {row, static_cast<std::size_t>(to.cols.size)});
  });
}

Cta::Cta(const CtaSetup& setup, Space& space, Trace& trace)
    : setup_(setup), space_(space), trace_(trace), main_role_(IterationCounter(setup.cut, space)) {
  main_role_.in.times = setup.times;
  setup_.row.in.times = setup.times;
}

void Cta::check_events(std::size_t events) const {
  require(events < setup_.most_events, "replay: one CTA has more than ", setup_.most_events,
          " events: use larger tiles or a shorter --seqlen");
}

/// Notes the first value that is not finite.
void Cta::look_for_nonfinite(Tensor tensor, int line, const std::vector<float>& values) const {
  if (setup_.watch == nullptr || setup_.watch->found() || counter().stops()) return;
  using enum Tensor;
  const bool may_be_hidden = is_scores(tensor) || tensor == m || tensor == m_part || tensor == L || tensor == L_part;
  const auto wrong = [=](float x) { return !std::isfinite(x) && !(may_be_hidden && x < 0); };
  if (std::any_of(values.begin(), values.end(), wrong)) *setup_.watch = {line, tensor};
}

std::int32_t Cta::issue(Event event, std::initializer_list<std::int32_t> operands, const std::vector<float>& values,
                        std::int64_t cols) {
  if (!values.empty()) check_interrupt();
  look_for_nonfinite(event.tensor, event.line, values);
  if (counter().stops() || (event.direction == Direction::write && counter().cut_short())) return no_event;
  if (setup_.counted_events != nullptr) check_events((*setup_.counted_events)++);
  if (!setup_.keep_events) return no_event;
  check_events(trace_.events.size());
  std::copy(operands.begin(), operands.end(), event.operands.begin());
  const InLoop& in = other_iteration_.times > 0 ? other_iteration_ : role_->in;
  event.times = in.times;
  event.role = role_->id;
  event.head = role_->head;
  event.loop = in.line;
  event.iteration = in.number;
  if (!event.asynchronous) check_products(event);
  const bool wanted = setup_.keep == KeepValues::all || (setup_.keep == KeepValues::of_rows && cols == 1);
  if (wanted && !counter().passed(in.number) && !values.empty()) {
    kept_values_ += values.size();
    require(kept_values_ <= setup_.most_kept_values, "replay: the values of one CTA need more than ",
            setup_.most_kept_values * sizeof(float) >> 20, " MiB: use a shorter --seqlen");
    event.value = static_cast<std::int32_t>(trace_.values.size());
    trace_.values.push_back({static_cast<std::int64_t>(values.size()) / cols, cols, values});
  }
  trace_.events.push_back(event);
  return static_cast<std::int32_t>(trace_.events.size() - 1);
}

Event Cta::moved(Verb verb, Direction direction, const HbmBlock& block, Level level, Line line) const {
  Event event;
  event.verb = verb;
  event.level = level;
  event.engine = direction == Direction::read ? Engine::copy_in : Engine::copy_out;  // reductions go out
  event.direction = direction;
  event.tensor = block.tensor->name;
  event.bucket =
      verb == Verb::fill ? Bucket::initialisation : (is_statistic(event.tensor) ? Bucket::statistics : Bucket::matrix);
  event.line = line.number;
  event.rows = block.rows;
  event.cols = block.cols;
  event.bytes = product(block.rows.size, block.cols.size, size_of(block.tensor->dtype));
  return event;
}

/// Notes that the role knows where the keys of these pages lie.
void Cta::look_up(const HbmBlock& entries) {
  if (entries.tensor->name != Tensor::block_table) return;
  const std::int64_t rows = entries.tensor->pages->rows;
  const Interval keys{entries.rows.begin * rows, (entries.rows.begin + entries.rows.size) * rows};
  Interval& known = role_->looked_up;
  known = known.empty() ? keys : Interval{std::min(known.begin, keys.begin), std::max(known.end, keys.end)};
}

/// A part of a replay (CtaSetup::cut) may begin after its role has read entries.
void Cta::check_pages(const HbmBlock& from, Line line) const {
  if (from.tensor->pages == nullptr || setup_.cut != nullptr) return;
  const Interval rows{from.rows.begin, from.rows.begin + from.rows.size};
  require(role_->looked_up.contains(rows), space_.capacity().listing, ":", line.number, ": ",
          name_of(from.tensor->name), " of the keys ", rows.begin, " to ", rows.end - 1,
          " is loaded from pages that were not looked up: read their entries first, by "
          "cta.load_vec(pages_of(hbm.block_table, j))");
}

template <class SomeTile>
SomeTile Cta::load_as(const HbmBlock& from, Line line) {
  check_pages(from, line);
  SomeTile tile(space_, from.tensor->name, from.rows, from.cols, line);
  if (values()) tile.values = read_values(from);
  tile.event = issue(moved(Verb::load, Direction::read, from, tile.level, line), {}, tile.values, from.cols.size);
  return tile;
}

SmemTile Cta::load(const HbmBlock& from, Line line) { return load_as<SmemTile>(from, line); }
RegTile Cta::load_registers(const HbmBlock& from, Line line) { return load_as<RegTile>(from, line); }

RegVec Cta::load_vec(const HbmBlock& from, Line line) {
  look_up(from);
  RegVec vec(space_, from.tensor->name, from.rows);
  if (values()) vec.values = read_values(from);
  vec.event = issue(moved(Verb::load, Direction::read, from, Level::registers, line), {}, vec.values, 1);
  return vec;
}

void Cta::store(const AnyTile& tile, const HbmBlock& to, Line line) {
  if (writes()) {
    write_values(to, tile.values);
    if (setup_.watch != nullptr) look_for_nonfinite(to.tensor->name, line.number, read_values(to));  // as rounded
  }
  issue(moved(Verb::store, Direction::write, to, tile.level, line), {tile.event}, tile.values, to.cols.size);
}

void Cta::store(const RegVec& vec, const HbmBlock& to, Line line) {
  if (writes()) write_values(to, vec.values);
  issue(moved(Verb::store, Direction::write, to, Level::registers, line), {vec.event}, vec.values, 1);
}

void Cta::initialise(const HbmBlock& to, float value, Line line) {
  if (writes()) {
    each_row_of(to, role_->head, [&](std::int64_t, float* row) { std::fill_n(row, to.cols.size, value); });
  }
  issue(moved(Verb::fill, Direction::write, to, Level::none, line), {}, {}, 1);
}

void Cta::add_values(const std::vector<float>& values, const HbmBlock& to) const {
  each_row_of(to, role_->head, [&](std::int64_t at, float* row) {
    std::transform(row, row + to.cols.size, values.data() + at, row, std::plus<>());
  });
}

void Cta::atomic_add(const RegTile& tile, const HbmBlock& to, Line line) {
  if (writes()) add_values(tile.values, to);
  issue(moved(Verb::atomic_add, Direction::both, to, tile.level, line), {tile.event}, tile.values, to.cols.size);
}

void Cta::reduce(const AnyTile& tile, const HbmBlock& to, Phase read, Line line) {
  if (writes()) add_values(tile.values, to);
  Event event = moved(Verb::atomic_add, Direction::both, to, tile.level, line);
  event.sync = {read.barrier->index(), -1, static_cast<std::int32_t>(read.number)};
  read.barrier->arrive(read.number, issue(event, {tile.event}, tile.values, to.cols.size));
}

}  // namespace sim
