// The verbs of masks that are matrices of their own, as frameworks keep them.
#include <algorithm>

#include "sim/machine/cta.h"
#include "sim/machine/tile_math.h"

namespace sim {

void Cta::add_mask(AnyTile& S, const SmemTile& M, const Block& i, const Block& j, Line line) {
  Event event = worked(Verb::add, Engine::fp32, S, line);
  event.other_flops = S.elements();
  if (values()) math::apply_mask(S.values, *setup_.shape, i.elements(), j.elements());
  S.event = issue(event, {S.event, M.event}, S.values, S.cols.size);
}

SmemTile Cta::equals(Tensor name, const AnyTile& S, float value, Line line) {
  SmemTile Z(space_, name, S.rows, S.cols, line);
  Event event = worked(Verb::compare, Engine::fp32, Z, line);
  event.other_flops = Z.elements();
  if (values()) {
    Z.values.resize(S.values.size());
    std::transform(S.values.begin(), S.values.end(), Z.values.begin(),
                   [value](float s) { return s == value ? 1.0f : 0.0f; });
  }
  Z.event = issue(event, {S.event}, Z.values, Z.cols.size);
  return Z;
}

RegVec Cta::row_all(const RegVec& e, const AnyTile& Z, Line line) {
  Event event = worked(Verb::all, Engine::fp32, Z, line);
  event.tensor = e.tensor;
  event.level = Level::registers;
  RegVec e_new = e;
  if (values()) math::row_all(e_new.values, Z.values, Z.cols.size);
  e_new.event = issue(event, {e.event, Z.event}, e_new.values, 1);
  return e_new;
}

void Cta::clear_rows(AnyTile& P, const RegVec& e, Line line) {
  if (values()) math::clear_rows(P.values, e.values, P.cols.size);
  P.event = issue(worked(Verb::select, Engine::fp32, P, line), {P.event, e.event}, P.values, P.cols.size);
}

}  // namespace sim
