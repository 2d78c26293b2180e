// The verbs of dropout and of the backward pass.
#include "sim/machine/cta.h"
#include "sim/machine/tile_math.h"

namespace sim {

void Cta::dropout(AnyTile& P, const Block& i, const Block& j, Line line) {
  Event event = worked(Verb::dropout, Engine::fp32, P, line);
  event.other_flops = P.elements();  // the product; drawing the mask is integer work
  if (values()) {
    const std::vector<float> keep =
        math::keep_mask(setup_.dropout, setup_.head + role_->head, i.elements(), j.elements());
    math::apply_keep(P.values, keep, setup_.dropout.factor());
  }
  P.event = issue(event, {P.event}, P.values, P.cols.size);
}

RegTile Cta::dropped(const RegTile& P, const Block& i, const Block& j, Line line) {
  RegTile result(space_, Tensor::P_dropped, P.rows, P.cols, line);
  result.values = P.values;
  result.event = P.event;
  dropout(result, i, j, line);
  return result;
}

void Cta::dropout(AnyTile& P, const SmemTile& Z, Line line) {
  Event event = worked(Verb::dropout, Engine::fp32, P, line);
  event.other_flops = P.elements();
  if (values()) math::apply_keep(P.values, Z.values, setup_.dropout.factor());
  P.event = issue(event, {P.event, Z.event}, P.values, P.cols.size);
}

SmemTile Cta::keep_mask(const Block& i, const Block& j, Line line) {
  SmemTile Z(space_, Tensor::mask, i.axis, j.axis, line);
  if (values()) Z.values = math::keep_mask(setup_.dropout, setup_.head + role_->head, i.elements(), j.elements());
  Z.event = issue(worked(Verb::fill, Engine::fp32, Z, line), {}, Z.values, Z.cols.size);
  return Z;
}

RegVec Cta::row_dot(const AnyTile& dO, const AnyTile& O, Line line) {
  return add_row_dot(row_result(Tensor::D, dO.rows), dO, O, line);
}

RegVec Cta::add_row_dot(const RegVec& D, const AnyTile& P, const AnyTile& dP, Line line) {
  Event event = worked(Verb::dot, Engine::fp32, P, line);
  event.tensor = D.tensor;
  event.level = Level::registers;
  event.other_flops = product(2, P.elements());
  RegVec D_new = D;
  if (values()) math::row_dot(D_new.values, P.values, dP.values, P.cols.size, setup_.nonfinite);
  D_new.event = issue(event, {D.event, P.event, dP.event}, D_new.values, 1);
  return D_new;
}

void Cta::jacobian_in_place(const AnyTile& P, AnyTile& dP, const RegVec& D, Line line) {
  dP.tensor = Tensor::dS;
  Event event = worked(Verb::jacobian, Engine::fp32, dP, line);
  event.other_flops = product(2, dP.elements());
  if (values()) math::jacobian(dP.values, P.values, D.values, dP.cols.size);
  dP.event = issue(event, {P.event, dP.event, D.event}, dP.values, dP.cols.size);
}

void Cta::multiply_in_place(Tensor name, const AnyTile& P, AnyTile& dP, Line line) {
  dP.tensor = name;
  Event event = worked(Verb::multiply, Engine::fp32, dP, line);
  event.other_flops = dP.counted();
  if (values()) math::multiply(dP.values, P.values);
  dP.event = issue(event, {dP.event, P.event}, dP.values, dP.cols.size);
}

void Cta::jacobian_of_product_in_place(const AnyTile& P, AnyTile& T, const RegVec& D, Line line) {
  T.tensor = Tensor::dS;
  Event event = worked(Verb::jacobian, Engine::fp32, T, line);
  event.other_flops = product(2, T.elements());
  if (values()) math::jacobian_of_product(T.values, P.values, D.values, T.cols.size);
  T.event = issue(event, {P.event, T.event, D.event}, T.values, T.cols.size);
}

}  // namespace sim
