// Replays a body on a CTA.
#include "sim/programs/recorded/questions.h"
#include "sim/programs/recorded/verbs.h"
#include "sim/trace/tensors.h"

namespace sim::recorded {

Player::Player(Cta& cta, const Problem& problem, const Body& body)
    : cta_(cta), problem_(problem), held_(static_cast<std::size_t>(body.registers)) {
  blocks_[0] = cta.row();
  blocks_[1] = cta.col();
}

AnyTile& Player::tile(const Operand& operand) {
  Held& held = held_[static_cast<std::size_t>(std::get<Register>(operand).index)];
  if (auto* const in_smem = std::get_if<SmemTile>(&held)) return *in_smem;
  return std::get<RegTile>(held);
}

float Player::number(const Operand& operand) const {
  const auto* const number = std::get_if<Number>(&operand);
  return number == nullptr ? problem_.scale : number->value;
}

std::int64_t Player::extent(const Operand& operand) const {
  switch (std::get<Value>(operand).of) {
    case Value::Of::head_dim:
      return problem_.shape.head_dim;
    case Value::Of::head_dim_v:
      return problem_.shape.value_dim();
    case Value::Of::slice:
      return problem_.tiling.slice;
    case Value::Of::keys:
      return problem_.shape.seqlen_k;
    default:
      return problem_.tiling.bc;
  }
}

namespace {

void check_inside(const Axis& axis, std::int64_t extent, std::string_view what, Tensor tensor) {
  if (axis.begin + axis.size <= extent) return;
  throw WrongSize(text(what, " ", axis.begin, " to ", axis.begin + axis.size - 1, " are outside of the ", extent,
                       " of ", name_of(tensor)));
}

void check_width(const Place& place, const Shape& shape) {
  if (!place.of_other_width || shape.head_dims().are_equal()) return;
  const bool of_v = facts_of(place.tensor).cols == extents::dv;
  throw WrongSize(text(name_of(place.tensor), " has the ", of_v ? shape.value_dim() : shape.head_dim, " columns of ",
                       of_v ? "head_dim_v" : "head_dim", ", but its chunks are of ", of_v ? "head_dim" : "head_dim_v"));
}

}  // namespace

/// The entries of the pages of a key block, or of all keys.
HbmBlock Player::place_of_pages(const Place& p) const {
  if (!problem_.paged()) throw WrongSize("there are no pages without --page-size");
  const HbmTensor& table = problem_.hbm.block_table;
  return p.shape == Place::Shape::rows ? pages_of(table, block(p.rows)) : whole(table);
}

HbmBlock Player::place(const Operand& operand) const {
  const Place& p = std::get<Place>(operand);
  const HbmTensor& tensor = problem_.hbm[p.tensor];
  check_width(p, problem_.shape);
  if (p.tensor == Tensor::sinks && !problem_.has_sinks()) throw WrongSize("there are no sinks without --sink");
  if (p.tensor == Tensor::block_table) return place_of_pages(p);
  HbmBlock found = p.shape == Place::Shape::whole  ? whole(tensor)
                   : p.shape == Place::Shape::rows ? sim::block(tensor, block(p.rows))
                   : p.shape == Place::Shape::tile ? sim::block(tensor, block(p.rows), block(p.cols))
                                                   : part(tensor, block(p.rows), block(p.cols));
  if (tensor.values == nullptr && tensor.source == nullptr) return found;  // no values are read or written
  check_inside(found.rows, tensor.rows, "rows", p.tensor);
  check_inside(found.cols, tensor.cols, "columns", p.tensor);
  return found;
}

void Player::play(const Turn& turn) {
  for (const Op& op : turn.ops) {
    now_ = &op;
    if (op.verb->loop != nullptr) {
      repeat(op);
    } else {
      op.verb->play(*this, op);
    }
  }
  carry(turn.carries);
  for (std::size_t n = turn.made.size(); n > 0; --n) end(turn.made[n - 1]);
}

void Player::repeat(const Op& op) {
  for (const Block& block : op.verb->loop(*this, op)) {
    blocks_[static_cast<std::size_t>(op.block)] = block;
    const std::size_t kind = 2 * static_cast<std::size_t>(block.masked) + static_cast<std::size_t>(block.last);
    play(op.turns[op.turn_of[kind]]);
  }
}

/// Assigns all vectors at once: a, b = b, a.
void Player::carry(const std::vector<Carry>& carries) {
  std::vector<RegVec> values;
  values.reserve(carries.size());
  const auto vector_at = [&](int index) -> RegVec& { return std::get<RegVec>(held_[static_cast<std::size_t>(index)]); };
  for (const Carry& one : carries) values.push_back(vector_at(one.from));
  for (std::size_t n = 0; n < carries.size(); ++n) vector_at(carries[n].to) = std::move(values[n]);
}

void replay(const Recording& recording, const Kernel& kernel, Cta& cta, const Problem& problem) {
  for (const Body& body : kernel.bodies) {
    if (!holds(body.when, &cta, problem)) continue;
    Player player(cta, problem, body);
    try {
      player.play(body.all);
    } catch (const WrongSize& wrong) {
      const Op& op = player.now();
      throw Error(recording.file, ":", op.line, ": ", op.verb->name, ": ", wrong);
    }
    return;
  }
  throw Error(recording.name, ": kernel ", kernel.name, " was not recorded for ",
              answers_now(kernel.bodies.front().when, cta, problem), ": record it again");
}

}  // namespace sim::recorded
