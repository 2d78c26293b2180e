// The table of verbs: the requirements on their operands, and their actions.
#include "sim/programs/recorded/verb_row.h"

namespace sim::recorded {
namespace {

void same(std::string_view what, std::int64_t one, std::int64_t other) {
  if (one != other) throw WrongSize(text(what, ": ", one, " and ", other, " differ"));
}

void same_size(const AnyTile& tile, const Axis& rows, const Axis& cols) {
  same("rows of the tile and of its place", tile.rows.size, rows.size);
  same("columns of the tile and of its place", tile.cols.size, cols.size);
}
void same_rows(const AnyTile& tile, const RegVec& vec) {
  same("rows of tile and vector", tile.rows.size, vec.rows.size);
}
void same_rows(const RegVec& a, const RegVec& b) { same("rows of the vectors", a.rows.size, b.rows.size); }
/// True for the sink of a head, which counts for all rows.
bool is_sink(const RegVec& vec) { return vec.tensor == Tensor::sinks && vec.rows.size == 1; }
void vector_in(const HbmBlock& place) { same("columns of a vector in HBM, and 1", place.cols.size, 1); }

void fit_nt(const AnyTile& Q, const AnyTile& K) { same("columns of the factors", Q.cols.size, K.cols.size); }
void fit_nn(const AnyTile& P, const AnyTile& V) {
  same("columns of the first factor and rows of the second", P.cols.size, V.rows.size);
}
void fit_product(const AnyTile& sum, std::int64_t rows, std::int64_t cols) {
  same("rows of the sum and of the product", sum.rows.size, rows);
  same("columns of the sum and of the product", sum.cols.size, cols);
}

template <Level level>
Tile<level> exp_sub(Cta& cta, Line at, Tile<level>&& S, const RegVec& m) {
  same_rows(S, m);
  return cta.exp_sub(std::move(S), m, at);
}
template <Level level>
Tile<level> jacobian(Cta& cta, Line at, const AnyTile& P, Tile<level>&& dP, const RegVec& D) {
  same_size(P, dP.rows, dP.cols);
  same_rows(dP, D);
  return cta.jacobian(P, std::move(dP), D, at);
}
constexpr Verb all_verbs[] = {
    // Loops and their axes.
    row<[](Cta& cta, Line at, QueryBlock i) { return cta.key_blocks(i, at); }>("key_blocks"),
    row<[](Cta& cta, Line at, QueryBlock i) { return cta.key_blocks_down(i, at); }>("key_blocks_down"),
    row<[](Cta& cta, Line at, KeyBlock j) { return cta.query_blocks(j, at); }>("query_blocks"),
    row<[](Cta& cta, Line at, KeyBlock j) { return cta.query_visits(j, at); }>("query_visits"),
    row<[](Cta& cta, Line at) { return cta.live_key_blocks(at); }>("live_key_blocks"),
    row<[](Cta& cta, Line at) { return cta.all_key_blocks(at); }>("all_key_blocks"),
    row<[](Cta& cta, Line at) { return cta.query_heads(at); }>("query_heads"),
    row<[](Cta& cta, Line at, std::int64_t extent, std::int64_t size) { return cta.chunks(extent, size, at); }>(
        "chunks"),

    // Movement.
    row<[](Cta& cta, Line at, const HbmBlock& from) { return cta.load(from, at); }>("load"),
    row<[](Cta& cta, Line at, const HbmBlock& from) { return cta.load_registers(from, at); }>("load_registers"),
    row<[](Cta& cta, Line at, const HbmBlock& from) {
      vector_in(from);
      return cta.load_vec(from, at);
    }>("load_vec"),
    row<[](Cta& cta, Line at, const AnyTile& tile, const HbmBlock& to) {
      same_size(tile, to.rows, to.cols);
      cta.store(tile, to, at);
    }>("store", true),
    row<[](Cta& cta, Line at, const RegVec& vec, const HbmBlock& to) {
      vector_in(to);
      same("rows of the vector and of its place", vec.rows.size, to.rows.size);
      cta.store(vec, to, at);
    }>("store", true),
    row<[](Cta& cta, Line at, const HbmBlock& to, float value) { cta.initialise(to, value, at); }>("initialise", true),
    row<[](Cta& cta, Line at, const RegTile& tile, const HbmBlock& to) {
      same_size(tile, to.rows, to.cols);
      cta.atomic_add(tile, to, at);
    }>("atomic_add", true),

    // Registers.
    row<[](Cta& cta, Line at, Tensor name, const Block& i, const HbmTensor& like) {
      return cta.zeros(name, i, like, at);
    }>("zeros"),
    row<[](Cta& cta, Line at, Tensor name, const Block& i, const Block& j) { return cta.zeros(name, i, j, at); }>(
        "zeros"),
    row<[](Cta& cta, Line at, Tensor name, const Block& i, float value) { return cta.vec(name, i, value, at); }>("vec"),

    // Matrix products.
    row<[](Cta& cta, Line at, const SmemTile& Q, const AnyTile& K) {
      fit_nt(Q, K);
      return cta.gemm_nt(Q, K, at);
    }>("gemm_nt"),
    row<[](Cta& cta, Line at, Tensor name, const SmemTile& Q, const AnyTile& K) {
      fit_nt(Q, K);
      return cta.gemm_nt(name, Q, K, at);
    }>("gemm_nt"),
    row<[](Cta& cta, Line at, RegTile& S, const SmemTile& Q, const AnyTile& K) {
      fit_nt(Q, K);
      fit_product(S, Q.rows.size, K.rows.size);
      cta.gemm_nt_add(S, Q, K, at);
    }>("gemm_nt_add"),
    row<[](Cta& cta, Line at, const AnyTile& P, const AnyTile& V) {
      fit_nn(P, V);
      return cta.gemm_nn(P, V, at);
    }>("gemm_nn"),
    row<[](Cta& cta, Line at, Tensor name, const AnyTile& P, const AnyTile& V) {
      fit_nn(P, V);
      return cta.gemm_nn(name, P, V, at);
    }>("gemm_nn"),
    row<[](Cta& cta, Line at, AnyTile& O, const AnyTile& P, const AnyTile& V) {
      fit_nn(P, V);
      fit_product(O, P.rows.size, V.cols.size);
      cta.gemm_nn_add(O, P, V, at);
    }>("gemm_nn_add"),
    row<[](Cta& cta, Line at, RegTile& dV, const AnyTile& P, const SmemTile& dO) {
      same("rows of the factors", P.rows.size, dO.rows.size);
      fit_product(dV, P.cols.size, dO.cols.size);
      cta.gemm_tn_add(dV, P, dO, at);
    }>("gemm_tn_add"),

    // Per element of a tile.
    row<[](Cta& cta, Line at, RegTile& S, float factor) { cta.scale(S, factor, at); }>("scale"),
    row<[](Cta& cta, Line at, AnyTile& S, QueryBlock i, KeyBlock j) {
      same_size(S, i.block.axis, j.block.axis);
      cta.modify(S, i, j, at);
    }>("modify"),
    row<[](Cta& cta, Line at, AnyTile& S, QueryBlock i, KeyBlock j) {
      same_size(S, i.block.axis, j.block.axis);
      cta.mask(S, i, j, at);
    }>("mask"),
    row<[](Cta& cta, Line at, const AnyTile& S) { return cta.row_max(S, at); }>("row_max"),
    row<[](Cta& cta, Line at, const AnyTile& S, const RegVec& m) {
      same_rows(S, m);
      return cta.row_max(S, m, at);
    }>("row_max"),
    row<exp_sub<Level::smem>>("exp_sub"),
    row<exp_sub<Level::registers>>("exp_sub"),
    row<[](Cta& cta, Line at, AnyTile& P, QueryBlock i, KeyBlock j) {
      same_size(P, i.block.axis, j.block.axis);
      cta.dropout(P, i, j, at);
    }>("dropout"),
    row<[](Cta& cta, Line at, AnyTile& P, const SmemTile& Z) {
      same_size(P, Z.rows, Z.cols);
      cta.dropout(P, Z, at);
    }>("dropout"),
    row<[](Cta& cta, Line at, const RegTile& P, QueryBlock i, KeyBlock j) {
      same_size(P, i.block.axis, j.block.axis);
      return cta.dropped(P, i, j, at);
    }>("dropped"),
    row<[](Cta& cta, Line at, QueryBlock i, KeyBlock j) { return cta.keep_mask(i, j, at); }>("keep_mask"),
    row<[](Cta& cta, Line at, const AnyTile& dO, const AnyTile& O) {
      same_size(dO, O.rows, O.cols);
      return cta.row_dot(dO, O, at);
    }>("row_dot"),
    row<[](Cta& cta, Line at, const RegVec& D, const AnyTile& P, const AnyTile& dP) {
      same_size(P, dP.rows, dP.cols);
      same_rows(P, D);
      return cta.add_row_dot(D, P, dP, at);
    }>("add_row_dot"),
    row<jacobian<Level::smem>>("jacobian"),
    row<jacobian<Level::registers>>("jacobian"),
    row<[](Cta& cta, Line at, const AnyTile& P) { return cta.row_sum(P, at); }>("row_sum"),
    row<[](Cta& cta, Line at, const RegVec& l, const AnyTile& P) {
      same_rows(P, l);
      return cta.add_row_sum(l, P, at);
    }>("add_row_sum"),
    row<[](Cta& cta, Line at, const RegVec& l, const RegVec& alpha, const AnyTile& P) {
      same_rows(P, l);
      same_rows(l, alpha);
      return cta.add_row_sum(l, alpha, P, at);
    }>("add_row_sum"),
    row<[](Cta& cta, Line at, RegTile& O, const RegVec& alpha) {
      same_rows(O, alpha);
      cta.scale_rows(O, alpha, at);
    }>("scale_rows"),
    row<[](Cta& cta, Line at, AnyTile& O, const RegVec& l) {
      same_rows(O, l);
      cta.divide_rows(O, l, at);
    }>("divide_rows"),
    row<[](Cta& cta, Line at, AnyTile& O, const RegVec& alpha, const RegVec& l, const RegTile& PV, const RegVec& beta,
           const RegVec& l_new) {
      same_size(O, PV.rows, PV.cols);
      for (const RegVec* vec : {&alpha, &l, &beta, &l_new}) same_rows(O, *vec);
      cta.blend(O, alpha, l, PV, beta, l_new, at);
    }>("blend"),

    // Per row.
    row<[](Cta& cta, Line at, const RegVec& m, const RegVec& m_new, Tensor name) {
      if (!is_sink(m)) same_rows(m, m_new);
      return cta.exp_sub(m, m_new, name, at);
    }>("exp_sub"),
    row<[](Cta& cta, Line at, const RegVec& a, const RegVec& b) {
      if (!is_sink(b)) same_rows(a, b);
      return cta.max(a, b, at);
    }>("max"),
    row<[](Cta& cta, Line at, const RegVec& alpha, const RegVec& l, const RegVec& beta, const RegVec& l_tilde) {
      for (const RegVec* vec : {&alpha, &beta, &l_tilde}) same_rows(l, *vec);
      return cta.blend(alpha, l, beta, l_tilde, at);
    }>("blend"),
    row<[](Cta& cta, Line at, const RegVec& m, const RegVec& l) {
      same_rows(m, l);
      return cta.log_sum_exp(m, l, at);
    }>("log_sum_exp"),

    // Ends before the end of an iteration.
    row<[](Cta&, Line, SmemTile&&) {}>("free"),
    row<[](Cta&, Line, RegTile&&) {}>("free"),
    row<[](Cta&, Line, RegVec&&) {}>("free"),
};

}  // namespace

std::span<const Verb> verbs() { return all_verbs; }

}  // namespace sim::recorded
