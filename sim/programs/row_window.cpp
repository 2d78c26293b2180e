#include "sim/programs/row_window.h"

#include <algorithm>
#include <set>

#include "sim/programs/fp8.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

/// Approximate time of the events of a part on one core; measured, rounded up.
double nanoseconds_of(const Trace& trace) {
  constexpr double per_flop = 0.1, per_element = 1.2, per_event = 200;
  double sum = 0;
  for (const Event& event : trace.events) {
    sum += per_event + per_flop * static_cast<double>(event.matmul_flops) +
           per_element * static_cast<double>(event.other_flops + event.exps + event.tanhs);
  }
  return sum;
}

constexpr double ns_per_drawn = 12;

}  // namespace

std::int64_t Keyframe::bytes() const {
  std::size_t floats = 0;
  for (const auto& values : held) floats += values.size();
  for (const auto& [tensor, values] : stored) floats += values.size();
  return static_cast<std::int64_t>(4 * floats);
}

RowWindow::RowWindow(const Plan& plan, std::int64_t head, Interval queries, std::shared_ptr<DrawnInputs> inputs)
    : plan_(plan), head_(head), queries_(queries), inputs_(std::move(inputs)), problem_(plan.problem) {
  require_alike(plan.scenario, "row");
  const Shape& shape = plan.problem.shape;
  require(head >= 0 && head < shape.batch * shape.heads, "values: head ", head, " is outside 0 to ",
          shape.batch * shape.heads - 1);
  require(queries.begin >= 0 && queries.end <= shape.seqlen_q && !queries.empty(), "values: queries ", queries.begin,
          " to ", queries.end - 1, " are outside 0 to ", shape.seqlen_q - 1);
  Hbm& hbm = problem_.hbm;
  hbm.Q.source = &inputs_->Q;
  hbm.K.source = &inputs_->K;
  hbm.V.source = &inputs_->V;
  hbm.dO.source = &inputs_->dO;
  hbm.Q.kept = hbm.dO.kept = queries;
  Fp8Head* const fp8 = inputs_->fp8.get();
  if (fp8 == nullptr) return;
  const auto read = [](HbmTensor& tensor, HbmTensor& scales, Fp8Rows& rows) {
    tensor.source = &rows;
    scales.source = &rows.scales();
  };
  read(hbm.Q, hbm.q_scale, fp8->Q);
  read(hbm.K, hbm.k_scale, fp8->K);
  read(hbm.V, hbm.v_scale, fp8->V);
}

/// Memory for the rows of a tensor; initially 0, as in HeadTensors.
std::vector<float>& RowWindow::room(Tensor name) {
  HbmTensor& tensor = problem_.hbm[name];
  std::vector<float>& rows = rows_[name];
  rows.resize(static_cast<std::size_t>(product(queries_.size(), tensor.cols)));
  tensor.values = rows.data();
  tensor.kept = queries_;
  return rows;
}

/// Allocates the rows of queries that a launch writes, and all rows of keys that some launch reads.
void RowWindow::make_room(const Launch& launch) {
  const auto is_read = [&](Tensor tensor) {
    return std::any_of(plan_.launches.begin(), plan_.launches.end(), [&](const Launch& l) { return l.reads(tensor); });
  };
  for (const auto* tensors : {&launch.outputs, &launch.scratch}) {
    for (const Tensor tensor : *tensors) {
      HbmTensor& in_hbm = problem_.hbm[tensor];
      if (!in_hbm.per_kv_head()) {
        room(tensor);
      } else if (is_read(tensor)) {
        rows_[tensor].resize(static_cast<std::size_t>(in_hbm.elements()));
        in_hbm.values = rows_[tensor].data();
      }
    }
  }
}

void RowWindow::drop(Tensor tensor) {
  rows_[tensor] = {};
  problem_.hbm[tensor].values = nullptr;
}

Cut RowWindow::cut(const Launch& launch) const {
  Cut cut;
  cut.queries = queries_;
  const Shape& shape = plan_.problem.shape;
  if (launch.grid.by_kv_head()) cut.head = head_ % (shape.heads / shape.kv_heads);
  return cut;
}

CtaSetup RowWindow::setup(const Launch& launch, const Block& row, const Block& col, const Cut& cut) const {
  CtaSetup setup = replay_setup(plan_, launch, row, col);
  setup.cut = &cut;
  setup.head = head_ - cut.head;
  return setup;
}

Trace RowWindow::outline(const Launch& launch, Block row, Block col) const {
  const Cut all = cut(launch);
  Trace trace = empty_trace(launch);
  run_cta(plan_, launch, setup(launch, row, col, all), problem_, trace);
  return trace;
}

CtaPart RowWindow::resume(const Launch& launch, Block row, Block col, Keyframe from, std::int64_t until,
                          KeepValues keep) {
  make_room(launch);
  Cut some = cut(launch);
  some.iterations = {from.iteration, until};
  some.from = from.iteration > 0 ? &from.held : nullptr;
  CtaSetup set = setup(launch, row, col, some);
  set.values = true;
  set.keep = keep;
  CtaPart part;
  part.trace = empty_trace(launch);
  const std::int64_t drawn = inputs_->drawn();
  part.finished = run_cta(plan_, launch, set, problem_, part.trace, &part.next.held);
  part.next.iteration = until;
  part.nanoseconds = nanoseconds_of(part.trace) + ns_per_drawn * static_cast<double>(inputs_->drawn() - drawn);
  return part;
}

void RowWindow::keep_stored(CtaPart& part, const Keyframe& from) const {
  auto& stored = part.next.stored;
  for (const auto& [tensor, values] : from.stored) stored[tensor];
  for (const Event& event : part.trace.events) {
    if (event.moves(Direction::write) && rows_.count(event.tensor) > 0) stored[event.tensor];
  }
  for (auto& [tensor, values] : stored) values = rows_.at(tensor);
}

void RowWindow::put_back(const Keyframe& keyframe) {
  for (const auto& [tensor, values] : keyframe.stored) std::copy(values.begin(), values.end(), room(tensor).begin());
}

std::span<const float> RowWindow::stored(Tensor tensor) const {
  const auto known = rows_.find(tensor);
  return known == rows_.end() ? std::span<const float>{} : known->second;
}

std::int64_t RowWindow::bytes() const {
  std::size_t floats = 0;
  for (const auto& [tensor, rows] : rows_) floats += rows.size();
  return static_cast<std::int64_t>(4 * floats);
}

std::vector<const Launch*> makers_of(const Plan& plan, const Launch& launch) {
  std::vector<const Launch*> before, makers;
  for (const auto* sequence : {&plan.before, &plan.launches}) {
    for (const Launch& other : *sequence) before.push_back(&other);
  }
  before.erase(std::find_if(before.begin(), before.end(), [&](const Launch* l) { return l->name == launch.name; }),
               before.end());
  std::set<Tensor> wanted(launch.inputs.begin(), launch.inputs.end());
  std::reverse(before.begin(), before.end());
  for (const Launch* other : before) {
    if (std::none_of(wanted.begin(), wanted.end(), [&](Tensor tensor) { return other->writes(tensor); })) continue;
    makers.insert(makers.begin(), other);
    wanted.insert(other->inputs.begin(), other->inputs.end());
  }
  return makers;
}

}  // namespace sim
