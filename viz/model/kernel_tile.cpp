#include "viz/model/kernel_tile.h"

#include <algorithm>

namespace explorer {
namespace {

using sim::Block;
using sim::DrawnTensor;
using sim::RegTile;
using sim::RegVec;
using sim::SmemTile;
using sim::Tensor;

/// A kernel that computes P again from what the forward pass saved.
bool is_fused_backward(const sim::Launch& launch) {
  return launch.reads(Tensor::Q) && launch.reads(Tensor::K) && launch.reads(Tensor::dO);
}

/// One tile of a kernel: the part of its program that works on the matrix.
class Tile {
 public:
  Tile(const sim::Plan& plan, const sim::Launch& launch, const TilePlace& place, const RowsTask& rows)
      : plan_(plan),
        launch_(launch),
        place_(place),
        i_(block(plan.problem.shape.seqlen_q, launch.grid.br, place.row)),
        j_(block(plan.problem.shape.seqlen_k, launch.grid.bc, place.col)),
        rows_(rows.numbers()),
        standard_(dynamic_cast<const StandardRows*>(&rows)),
        machine_(plan, launch, place.head, TileMachine::Layers::kept) {}

  TileLayers layers() {
    TileLayers layers{i_.elements(), j_.elements(), {}, 0};
    if (standard_ != nullptr) {
      layers.all = loaded();
      layers.loaded = layers.all.size();
      standard(layers.all);
    } else {
      launch_.writes(Tensor::dK) || launch_.writes(Tensor::dQ) ? gradients() : gradient_of_v();
    }
    for (TileLayer& layer : machine_.layers()) layers.all.push_back(std::move(layer));
    return layers;
  }

 private:
  static Block block(std::int64_t extent, std::int64_t size, std::int64_t index) {
    return sim::make_block({extent, size}, index, sim::Origin::cta);
  }
  std::vector<float> drawn_rows(DrawnTensor tensor, const Block& rows) const {
    return drawn(plan_, place_.head, tensor, rows.elements());
  }
  RegVec vec(Tensor name, const std::vector<float>& values) const { return machine_.vec(name, i_, values); }
  bool drops() const { return plan_.problem.dropout.any(); }

  /// P as the backward pass computes it, from L or from m and l.
  RegTile weights() {
    const RowNumbers rows = rows_.part(i_.elements());
    const SmemTile Q = machine_.rows(Tensor::Q, i_, drawn_rows(DrawnTensor::Q, i_));
    RegTile S = machine_.cta().gemm_nt(Q, machine_.rows(Tensor::K, j_, drawn_rows(DrawnTensor::K, j_)));
    machine_.cta().scale(S, plan_.problem.scale);
    if (place_.masked) machine_.cta().mask(S, i_, j_);
    if (!rows.L.empty()) return machine_.cta().exp_sub(std::move(S), vec(Tensor::L, rows.L));
    RegTile P = machine_.cta().exp_sub(std::move(S), vec(Tensor::m, rows.m));
    machine_.cta().divide_rows(P, vec(Tensor::l, rows.l));
    return P;
  }

  /// dV alone.
  void gradient_of_v() {
    RegTile P = weights();
    if (drops()) machine_.cta().dropout(P, i_, j_);
  }

  void gradients() {
    const RegTile P = weights();
    RegTile dropped;
    if (drops() && launch_.writes(Tensor::dV)) dropped = machine_.cta().dropped(P, i_, j_);
    const SmemTile dO = machine_.rows(Tensor::dO, i_, drawn_rows(DrawnTensor::dO, i_));
    RegTile dP = machine_.cta().gemm_nt(Tensor::dP, dO, machine_.rows(Tensor::V, j_, drawn_rows(DrawnTensor::V, j_)));
    if (drops()) machine_.cta().dropout(dP, i_, j_);
    RegTile dS = machine_.cta().jacobian(P, std::move(dP), vec(Tensor::D, rows_.part(i_.elements()).D));
    if (launch_.reads(Tensor::m)) machine_.cta().scale(dS, plan_.problem.scale);  // Algorithm 4, line 22
  }

  std::vector<TileLayer> loaded() const {
    std::vector<TileLayer> layers;
    for (const Tensor tensor : launch_.inputs) {
      if (!holds_matrix(tensor)) continue;
      std::vector<float> values = standard_->stored(tensor, i_.elements(), j_.elements());
      layers.push_back(make_layer(tensor, sim::Verb::load, std::move(values)));
    }
    return layers;
  }

  /// Slice by slice, as the product of a tile grows.
  void multiply(Tensor product) {
    const StandardMatrix::Slices of = standard_->matrix().slices(product, i_.elements(), j_.elements());
    const std::int64_t d = plan_.problem.shape.head_dim;
    const bool scores = product == Tensor::S;
    RegTile made = machine_.cta().zeros(product, i_, j_);
    const sim::Blocking depth{d, launch_.tiling.slice};
    for (std::int64_t n = 0; n < depth.count(); ++n) {
      const Block c = sim::make_block(depth, n, sim::Origin::loop0);
      const auto part = [&](const std::vector<float>& rows) {
        return StandardMatrix::Slices::packed(rows, d, c.elements());
      };
      const SmemTile left = machine_.matrix(scores ? Tensor::Q : Tensor::dO, i_, c, part(of.of_left));
      const SmemTile right = machine_.matrix(scores ? Tensor::K : Tensor::V, j_, c, part(of.of_right));
      machine_.cta().gemm_nt_add(made, left, right);
    }
    if (scores) machine_.cta().scale(made, plan_.problem.scale);
  }

  /// What the kernel makes of the tiles that it loaded.
  void standard(const std::vector<TileLayer>& loaded) {
    sim::Cta& cta = machine_.cta();
    if (loaded.empty()) return multiply(launch_.writes(Tensor::S) ? Tensor::S : Tensor::dP);
    SmemTile tile = machine_.matrix(loaded.back().tensor, i_, j_, loaded.back().values);
    if (launch_.writes(Tensor::S_masked)) cta.mask(tile, i_, j_);
    if (launch_.name == "dropout" || launch_.name == "dropout_backward") cta.dropout(tile, cta.keep_mask(i_, j_));
    if (launch_.writes(Tensor::P)) softmax(std::move(tile));
    const bool last_pass = place_.pass > 0 || j_.size() == plan_.problem.shape.seqlen_k;
    if (!launch_.writes(Tensor::dS) || !last_pass) return;
    const SmemTile P = machine_.matrix(Tensor::P, i_, j_, loaded.front().values);
    cta.jacobian(P, std::move(tile), vec(Tensor::D, rows_.D));
  }

  /// In the first of two passes with the maximum so far.
  void softmax(SmemTile S) {
    const bool last_pass = place_.pass > 0 || j_.size() == plan_.problem.shape.seqlen_k;
    const std::vector<float>& running = standard_->running().m;
    const std::vector<float> m = last_pass ? rows_.m : std::vector{running[static_cast<std::size_t>(place_.col)]};
    SmemTile P = machine_.cta().exp_sub(std::move(S), vec(Tensor::m, m));
    if (last_pass) machine_.cta().divide_rows(P, vec(Tensor::l, rows_.l));
  }

  const sim::Plan& plan_;
  const sim::Launch& launch_;
  TilePlace place_;
  Block i_, j_;
  const RowNumbers& rows_;
  const StandardRows* standard_;
  TileMachine machine_;
};

}  // namespace

TilePlace place_of(const Subject& subject, const TileMatrix& matrix) {
  const sim::Shape& shape = subject.problem().shape;
  const sim::CtaPlace& cta = subject.replay->place;
  const std::int64_t group = subject.launch().grid.by_kv_head() ? shape.heads / shape.kv_heads : 1;
  TilePlace place{(cta.batch * shape.heads) + cta.head * group, matrix.row, matrix.col, matrix.pass, false};
  if (matrix.visit < 0) return place;
  const Visit& visit = subject.replay->index.visits()[static_cast<std::size_t>(matrix.visit)];
  place.head += visit.head;
  place.masked = visit.masked;
  return place;
}

bool knows_tiles(const sim::Launch& launch) { return is_fused_backward(launch) || launch.of_framework; }

sim::Interval queries_needed(const sim::Plan& plan, const sim::Launch& launch, std::int64_t row) {
  const sim::Blocking rows{plan.problem.shape.seqlen_q, launch.grid.br};
  sim::Interval queries = rows.elements(row);
  if (!launch.of_framework || launch.grid.br == 1) return queries;
  const sim::Blocking blocks{plan.problem.shape.seqlen_q, launch.tiling.br};
  const sim::Interval touched = blocks.touching(queries);
  return {blocks.elements(touched.begin).begin, blocks.elements(touched.end - 1).end};
}

std::shared_ptr<RowsTask> make_rows(const std::shared_ptr<const Run>& run, std::size_t kernel, std::int64_t head,
                                    std::int64_t row) {
  const sim::Plan& plan = run->simulation.plan;
  const sim::Launch& launch = plan.launches[kernel];
  const sim::Interval queries = queries_needed(plan, launch, row);
  if (launch.of_framework) return std::make_shared<StandardRows>(run, launch, head, queries);
  return std::make_shared<FusedRows>(run, launch, head, queries);
}

bool KernelTile::advance() {
  if (!rows_->done() && rows_->advance()) return true;
  const sim::Plan& plan = run_->simulation.plan;
  found_ = Tile(plan, plan.launches[kernel_], place_, *rows_).layers();
  return false;
}

}  // namespace explorer
