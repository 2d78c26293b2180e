// The tile machine: one CTA and its verbs. Every verb computes the values (if there are any) and counts bytes, FLOPs
// and exps. Nothing here takes time: the schedule of an SM (sm_schedule.h) gives events their times. If warpgroups of
// a CTA have roles (roles.h), each verb belongs to the role that runs.
//
// Inaccuracies: work per row (alpha, l, L) occupies no engine and is not counted as FLOPs or exps.
#pragma once
#include <array>
#include <initializer_list>
#include <vector>

#include "sim/machine/cta_setup.h"
#include "sim/machine/device_spec.h"
#include "sim/machine/grid.h"
#include "sim/machine/hbm.h"
#include "sim/machine/iteration_counter.h"
#include "sim/machine/tile.h"
#include "sim/trace/trace.h"

namespace sim {

/// A part of a CTA with its own position in its loops: all of its warps, or a warpgroup with a role.
struct Role {
  explicit Role(const IterationCounter& of) : counter(of) {}
  IterationCounter counter;
  RoleNumber id = 0;
  InLoop in{1};                        ///< the iteration of the innermost loop around it
  int depth = 0;                       ///< number of loops around it
  std::int32_t head = 0;               ///< query head of the CTA's group that it works on
  Interval looked_up;                  ///< keys whose pages it has read from the table, and those between them
  std::vector<std::int32_t> products;  ///< its asynchronous products that it has not waited for
};

/// A phase of a barrier (roles.h): `co_await phase` waits until it is over, a load or an arrival completes it.
class Barrier;
struct Phase {
  Barrier* barrier = nullptr;
  std::int64_t number = 0;
  std::int32_t line = 0;  ///< line of the wait
  bool await_ready() const noexcept;
  template <class Handle>
  void await_suspend(Handle handle) const noexcept {
    handle.promise().waiting = *this;
  }
  void await_resume() const;
};

/// A range for `for (Block j : cta.key_blocks(i))`. While it yields a representative, each verb counts its `times`.
class Loop {
 public:
  Loop(Role& role, std::vector<Iteration> iterations, Over over, Line line);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  struct Iterator {
    Loop* loop;
    std::size_t at;
    Block operator*() const;
    Iterator& operator++() { return *this = loop->ended({loop, at + 1}); }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.at != b.at; }
  };
  Iterator begin() { return ended({this, 0}); }
  Iterator end() { return {this, iterations_.size()}; }

 private:
  void count_iterations();
  Iterator ended(Iterator at);

  Role& role_;
  IterationCounter* counter_ = nullptr;  ///< counts its iterations; null if nothing does
  std::int64_t first_iteration_ = 0, last_iteration_ = 0;
  std::vector<Iteration> iterations_;
  Over over_;
  InLoop before_;
  std::int32_t head_before_;
};

/// Factor of weights in e4m3, which are at most 1: their product with V is so many times as large.
inline constexpr float e4m3_weights = 256;

class Cta {
 public:
  Cta(const CtaSetup& setup, Space& space, Trace& trace);

  // Coordinates and loops. The block of a loop's last iteration is .last, that of query_visits() in the last visit.
  const Block& row() const { return setup_.row; }   ///< this CTA's row block i
  const Block& col() const { return setup_.col; }   ///< this CTA's column block j
  bool live(const Block& i) const;                  ///< true if a row of the block sees a key
  bool live(const Block& i, const Block& s) const;  ///< true if a row of the block sees a key of part s
  bool seen(const Block& j) const;                  ///< true if a query sees a key of the block
  /// j with a visible pair in tile (i, j); j.masked on boundary tiles. Visits all keys, or part s of them.
  Loop key_blocks(const Block& i, Line line = __builtin_LINE());
  Loop key_blocks(const Block& i, const Block& s, Line line = __builtin_LINE());
  Loop key_blocks_down(const Block& i, Line line = __builtin_LINE());               ///< all keys, the last j first
  Loop key_blocks(const Block& i, BlockOrder order, Line line = __builtin_LINE());  ///< all keys, in that order
  /// i with a visible pair in tile (i, j); i.masked on boundary tiles
  Loop query_blocks(const Block& j, Line line = __builtin_LINE());
  Loop query_visits(const Block& j, Line line = __builtin_LINE());  ///< as query_blocks(); i.last if no later j sees i
  Loop key_blocks(Line line = __builtin_LINE());       ///< j of all rows: live ones, or all (GridShape::all_keys)
  Loop live_key_blocks(Line line = __builtin_LINE());  ///< j that some query sees
  Loop all_key_blocks(Line line = __builtin_LINE());   ///< every j; .masked of the tile with the CTA's rows
  /// h of this CTA's group: Q, dO ... are those of head h inside
  Loop query_heads(Line line = __builtin_LINE());
  Loop chunks(std::int64_t extent, std::int64_t size, Line line = __builtin_LINE());

  // Movement. Bytes cross the SRAM boundary. Rows of K and V that lie in pages may be loaded once the role has read
  // the entries of their pages, by load_vec(pages_of(hbm.block_table, j)); otherwise a load throws Error.
  SmemTile load(const HbmBlock& from, Line line = __builtin_LINE());
  /// Loads by an asynchronous copy into space that a ring owns; its arrival completes a phase.
  AnyTile load(const HbmBlock& from, Phase full, Line line = __builtin_LINE());
  RegTile load_registers(const HbmBlock& from, Line line = __builtin_LINE());  ///< fp32, or K or V
  RegVec load_vec(const HbmBlock& from, Line line = __builtin_LINE());
  void store(const AnyTile& tile, const HbmBlock& to, Line line = __builtin_LINE());
  void store(const RegVec& vec, const HbmBlock& to, Line line = __builtin_LINE());
  void initialise(const HbmBlock& to, float value, Line line = __builtin_LINE());  ///< to = value, without a load
  void atomic_add(const RegTile& tile, const HbmBlock& to, Line line = __builtin_LINE());  ///< to += tile, in HBM
  /// to += tile, in HBM, by an asynchronous copy out of shared memory; `read` is over when it has left.
  void reduce(const AnyTile& tile, const HbmBlock& to, Phase read, Line line = __builtin_LINE());

  // Registers.
  RegTile zeros(Tensor name, const Block& rows, const HbmTensor& like,
                Line line = __builtin_LINE());  ///< (rows, like.cols)
  RegTile zeros(Tensor name, const Block& rows, const Block& cols, Line line = __builtin_LINE());
  RegVec vec(Tensor name, const Block& rows, float value, Line line = __builtin_LINE());

  // Matrix products.
  RegTile gemm_nt(const SmemTile& Q, const AnyTile& K, Line line = __builtin_LINE());                 ///< S = Q K^T
  RegTile gemm_nt(Tensor name, const SmemTile& dO, const AnyTile& V, Line line = __builtin_LINE());   ///< dP = dO V^T
  void gemm_nt_add(RegTile& S, const SmemTile& Q, const AnyTile& K, Line line = __builtin_LINE());    ///< S += Q K^T
  RegTile gemm_nn(const AnyTile& P, const AnyTile& V, Line line = __builtin_LINE());                  ///< PV = P V
  RegTile gemm_nn(Tensor name, const AnyTile& dS, const AnyTile& K, Line line = __builtin_LINE());    ///< dQ = dS K
  void gemm_nn_add(AnyTile& O, const AnyTile& P, const AnyTile& V, Line line = __builtin_LINE());     ///< O += P V
  void gemm_tn_add(RegTile& dV, const AnyTile& P, const SmemTile& dO, Line line = __builtin_LINE());  ///< dV += P^T dO

  // Asynchronous products of a warpgroup: it continues, and may read a result after products() has waited for it.
  RegTile wgmma_nt(const AnyTile& Q, const AnyTile& K, Line line = __builtin_LINE());                 ///< S = Q K^T
  void wgmma_nn_add(RegTile& O, const AnyTile& P, const AnyTile& V, Line line = __builtin_LINE());    ///< O += P V
  RegTile wgmma_nt(Tensor name, const AnyTile& dO, const AnyTile& V, Line line = __builtin_LINE());   ///< dP = dO V^T
  RegTile wgmma_nn(Tensor name, const AnyTile& dS, const AnyTile& K, Line line = __builtin_LINE());   ///< dQ = dS K
  void wgmma_tn_add(RegTile& dV, const AnyTile& P, const AnyTile& dO, Line line = __builtin_LINE());  ///< dV += P^T dO
  void put(const AnyTile& P, SmemTile& place, Line line = __builtin_LINE());  ///< P in the dtype, to shared memory
  /// Columns of a tile over block j = P in the dtype, in shared memory; other roles put the others.
  void put(const AnyTile& P, SmemTile& place, const Block& j, Line line = __builtin_LINE());
  /// A tile of a name in shared memory, in space that a ring owns: in the dtype, dQ_acc in fp32.
  AnyTile put(Tensor name, const AnyTile& dQ, Line line = __builtin_LINE());
  /// Transposes a tile in shared memory into space that a ring owns: a product reads rows of it where it would read
  /// columns of V. The tile keeps the axes of V. Its role reads V, permutes bytes and writes them back.
  AnyTile transpose(Tensor name, const AnyTile& V, Line line = __builtin_LINE());
  void products(std::size_t under_way, Line line = __builtin_LINE());  ///< waits until at most `under_way` are left

  // Per element of a tile.
  void scale(AnyTile& S, float factor, Line line = __builtin_LINE());  ///< S = factor S
  /// S = q k S, with the scales of its rows and columns, a number each.
  void scale_by(AnyTile& S, const RegVec& q, const RegVec& k, Line line = __builtin_LINE());
  /// S = score steps of S, before the mask. Throws Error for a visible score that they make infinite or NaN.
  void modify(AnyTile& S, const Block& i, const Block& j, Line line = __builtin_LINE());
  /// As modify(); returns the derivatives G of the steps by each score, or no tile if all of them are 1.
  RegTile modify_with_slopes(AnyTile& S, const Block& i, const Block& j, Line line = __builtin_LINE());
  void mask(AnyTile& S, const Block& i, const Block& j, Line line = __builtin_LINE());  ///< hidden pairs of S = -inf
  /// S = S + M, where M is 0 for visible pairs and -inf for hidden ones: its bytes count, its values are the shape's.
  void add_mask(AnyTile& S, const SmemTile& M, const Block& i, const Block& j, Line line = __builtin_LINE());
  SmemTile equals(Tensor name, const AnyTile& S, float value, Line line = __builtin_LINE());  ///< 1 where S = value
  RegVec row_all(const RegVec& e, const AnyTile& Z, Line line = __builtin_LINE());            ///< e and all(Z): 1 or 0
  void clear_rows(AnyTile& P, const RegVec& e, Line line = __builtin_LINE());       ///< P = 0 in rows where e = 1
  RegVec row_max(const AnyTile& S, Line line = __builtin_LINE());                   ///< rowmax(S)
  RegVec row_max(const AnyTile& S, const RegVec& m, Line line = __builtin_LINE());  ///< max(m, rowmax(S))
  /// P = exp(S - m), reusing the buffer of S; 0 where S = -inf.
  template <Level level>
  Tile<level> exp_sub(Tile<level>&& S, const RegVec& m, Line line = __builtin_LINE()) {
    exp_in_place(S, m, line);
    return std::move(S);
  }
  /// P = exp(-factor |x - z|^2) of each pair of rows x of X and z of Z: Gaussian weights, 3 d + 1 operations a pair.
  RegTile gaussian(const SmemTile& X, const SmemTile& Z, float factor, Line line = __builtin_LINE());
  /// P = Z o P / (1 - p), Z drawn element by element: no byte moves.
  void dropout(AnyTile& P, const Block& i, const Block& j, Line line = __builtin_LINE());
  /// Returns Z o P / (1 - p) in a new tile, if P itself is still needed.
  RegTile dropped(const RegTile& P, const Block& i, const Block& j, Line line = __builtin_LINE());
  /// P = Z o P / (1 - p), with a mask Z that was drawn into a tile or loaded.
  void dropout(AnyTile& P, const SmemTile& Z, Line line = __builtin_LINE());
  SmemTile keep_mask(const Block& i, const Block& j, Line line = __builtin_LINE());   ///< Z: 1 kept, 0 dropped
  RegVec row_dot(const AnyTile& dO, const AnyTile& O, Line line = __builtin_LINE());  ///< D = rowsum(dO o O)
  RegVec add_row_dot(const RegVec& D, const AnyTile& P, const AnyTile& dP,
                     Line line = __builtin_LINE());  ///< D + rowsum(P o dP)
  /// dS = P o (dP - D), reusing the buffer of dP: dP through the softmax; 0 where P = 0.
  template <Level level>
  Tile<level> jacobian(const AnyTile& P, Tile<level>&& dP, const RegVec& D, Line line = __builtin_LINE()) {
    jacobian_in_place(P, dP, D, line);
    return std::move(dP);
  }
  /// T = P o dP, reusing the buffer of dP; 0 where P = 0.
  template <Level level>
  Tile<level> multiply(Tensor name, const AnyTile& P, Tile<level>&& dP, Line line = __builtin_LINE()) {
    multiply_in_place(name, P, dP, line);
    return std::move(dP);
  }
  /// dS = G o dS, the derivatives of score steps; 0 where dS = 0. G is gone after it.
  void multiply(AnyTile& dS, RegTile G, Line line = __builtin_LINE());
  /// dS = T - P D, reusing the buffer of T = P o dP: equals jacobian(), computed from the product.
  template <Level level>
  Tile<level> jacobian_of_product(const AnyTile& P, Tile<level>&& T, const RegVec& D, Line line = __builtin_LINE()) {
    jacobian_of_product_in_place(P, T, D, line);
    return std::move(T);
  }
  /// 1 where ok = 1 and every element of the row has low < S - m < high; hidden pairs, S = -inf, are inside.
  RegVec in_range(const AnyTile& S, const RegVec& m, float low, float high, const RegVec& ok,
                  Line line = __builtin_LINE());
  RegVec row_sum(const AnyTile& P, Line line = __builtin_LINE());                       ///< rowsum(P)
  RegVec add_row_sum(const RegVec& l, const AnyTile& P, Line line = __builtin_LINE());  ///< l + rowsum(P)
  RegVec add_row_sum(const RegVec& l, const RegVec& alpha, const AnyTile& P,
                     Line line = __builtin_LINE());                                ///< alpha l + rowsum(P)
  void scale_rows(RegTile& O, const RegVec& alpha, Line line = __builtin_LINE());  ///< O = diag(alpha) O
  void divide_rows(AnyTile& O, const RegVec& l, Line line = __builtin_LINE());     ///< O = diag(l)^-1 O; 0 where l = 0
  void add(RegTile& O, const RegTile& O_part, Line line = __builtin_LINE());       ///< O = O + O_part
  /// O = diag(l')^-1 (diag(alpha l) O + diag(beta) PV); 0 where l' = 0. (FlashAttention-1, Algorithm 1 line 12)
  void blend(AnyTile& O, const RegVec& alpha, const RegVec& l, const RegTile& PV, const RegVec& beta,
             const RegVec& l_new, Line line = __builtin_LINE());
  /// O = O + diag(beta) O_s
  void blend(AnyTile& O, const RegVec& beta, const RegTile& O_s, Line line = __builtin_LINE());

  // Per row. A vector of one number, as the sink of a head, counts for all rows: m of exp_sub() and b of max().
  /// A column of a tile of statistics, such as those of one part of the keys: nothing moves.
  RegVec column(const AnyTile& W, const Block& s) const;
  /// V_j of keys whose V is the first columns of their K, in the space of K_j, which is gone: nothing moves.
  SmemTile columns_of(SmemTile&& K, const HbmTensor& V) const;
  /// Space in shared memory for the scores of row block i with part s of the keys, in fp32: it stays over several
  /// loops.
  SmemTile row_of_scores(const Block& i, const Block& s, Line line = __builtin_LINE());
  /// Columns j of a row of scores = S_j.
  void keep(const AnyTile& S_j, SmemTile& S, const Block& j, Line line = __builtin_LINE());
  /// Columns j of a row of scores, in registers: no byte moves.
  RegTile cols_of(const SmemTile& S, const Block& j, Line line = __builtin_LINE());
  /// The rows of a tile that a warpgroup has: nothing moves.
  AnyTile rows_of(const AnyTile& Q, const Block& rows) const;
  AnyTile cols_of(const AnyTile& K, const Block& cols) const;  ///< likewise its columns
  RegVec exp_sub(const RegVec& m, const RegVec& m_new, Tensor name,
                 Line line = __builtin_LINE());  ///< exp(m - m'); 0 where m = -inf
  RegVec max(const RegVec& a, const RegVec& b, Line line = __builtin_LINE());
  /// factor v / unit: a factor of the rows of O in other units, such as the scale of V. NaN if the unit is infinite,
  /// whose product with 0 is none.
  RegVec in_units(const RegVec& v, float factor, const RegVec& unit, Line line = __builtin_LINE());
  RegVec in_units(const RegVec& v, const RegVec& before, const RegVec& unit, Line line = __builtin_LINE());
  RegVec or_infinity(const RegVec& l, const RegVec& ok, Line line = __builtin_LINE());  ///< l; infinity where ok = 0
  RegVec blend(const RegVec& alpha, const RegVec& l, const RegVec& beta, const RegVec& l_tilde,
               Line line = __builtin_LINE());  ///< alpha l + beta l~
  RegVec log_sum_exp(const RegVec& m, const RegVec& l,
                     Line line = __builtin_LINE());  ///< L = m + log l; -inf where l = 0

  // Interface for running the roles of warp-specialised programs (roles.h).
  Role& role() { return *role_; }
  void act_as(Role& role);
  Space& space() { return space_; }
  Trace& trace() { return trace_; }
  std::int16_t add_barrier(const TraceBarrier& barrier);  ///< returns its index in Trace::barriers
  std::int32_t synchronise(Verb verb, Sync sync, std::initializer_list<std::int32_t> operands, Line line);
  const CtaSetup& setup() const { return setup_; }
  IterationCounter& counter() { return role_->counter; }

 private:
  std::vector<Iteration> split_iterations(const Block& i, const Block& s, const Blocking& blocking);
  template <class VisitOf>
  std::vector<Iteration> iterations(const Block& outer, const Blocking& blocking, Over over, VisitOf visit_of);
  GridShape tiles() const { return GridShape::split(setup_.br, setup_.bc, setup_.key_blocks, 0); }
  Event moved(Verb verb, Direction direction, const HbmBlock& block, Level level, Line line) const;
  template <class SomeTile>
  SomeTile load_as(const HbmBlock& from, Line line);
  void look_up(const HbmBlock& entries);
  void check_pages(const HbmBlock& from, Line line) const;
  std::vector<float> read_values(const HbmBlock& from) const;
  void write_values(const HbmBlock& to, const std::vector<float>& values) const;
  Event worked(Verb verb, Engine engine, const AnyTile& tile, Line line) const;
  std::int64_t fragment_bytes(const AnyTile& out, std::int64_t depth, bool first_in_registers) const;
  void wgmma(Event event, AnyTile& out, const AnyTile& a, const AnyTile& b, std::int64_t depth);
  void add_values(const std::vector<float>& values, const HbmBlock& to) const;
  Event per_row(Verb verb, const RegVec& vec, Line line) const;
  void check_products(const Event& event) const;
  void check_events(std::size_t events) const;
  void look_for_nonfinite(Tensor tensor, int line, const std::vector<float>& values) const;
  std::int32_t issue(Event event, std::initializer_list<std::int32_t> operands, const std::vector<float>& values,
                     std::int64_t cols);
  std::vector<Iteration> equal_iterations(const Blocking& blocking, const Visit& visit);
  Loop blocks_of_keys(Interval blocks, Line line);
  std::int64_t wave_of(std::int64_t row) const;
  Loop loop(std::vector<Iteration> iterations, Over over, Line line, BlockOrder order = BlockOrder::up);
  Interval wanted(const Blocking& blocking, Over over) const;
  Origin loop_origin() const;
  Event modified(const AnyTile& S, const ScoreCost& cost, Line line) const;
  void modify_values(AnyTile& S, RegTile* G, const Block& i, const Block& j) const;
  std::vector<float> of_heads(Tensor name, const Axis& rows) const;
  void exp_in_place(AnyTile& S, const RegVec& m, Line line);
  void jacobian_in_place(const AnyTile& P, AnyTile& dP, const RegVec& D, Line line);
  void multiply_in_place(Tensor name, const AnyTile& P, AnyTile& dP, Line line);
  void jacobian_of_product_in_place(const AnyTile& P, AnyTile& T, const RegVec& D, Line line);
  const std::vector<float>& as_operand(const AnyTile& P, std::vector<float>& room) const;
  void round_operand(std::vector<float>& values) const;
  RegVec row_result(Tensor name, Axis rows) const;
  const IterationCounter& counter() const { return role_->counter; }
  bool values() const { return setup_.values && !counter().stops(); }
  bool writes() const { return values() && !counter().written(); }
  Engine matrix_engine() const { return setup_.fma || setup_.dtype == Dtype::fp32 ? Engine::fp32 : Engine::tensor; }

  CtaSetup setup_;
  Space& space_;
  Trace& trace_;
  std::size_t kept_values_ = 0;
  std::int16_t barriers_ = 0;
  InLoop other_iteration_;  ///< iteration of the event being issued; none: that of its role
  Role main_role_;
  Role* role_ = &main_role_;
};

/// Assigns, while it lives, the role's events to the iteration of block j, which has passed.
class IterationOf {
 public:
  IterationOf(Cta& cta, const Block& j) : role_(cta.role()), before_(std::exchange(role_.in, j.in)) {}
  ~IterationOf() { role_.in = before_; }
  IterationOf(const IterationOf&) = delete;
  IterationOf& operator=(const IterationOf&) = delete;

 private:
  Role& role_;
  InLoop before_;
};

}  // namespace sim
