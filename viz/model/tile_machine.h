// The tile machine of the simulator in the middle of a kernel: tiles with values are put before it, and its verbs go on
// from there. What is on chip is not limited here: the simulation has found that it fits.
#pragma once
#include <vector>

#include "sim/base/attention.h"
#include "sim/machine/cta.h"
#include "sim/programs/scenario.h"
#include "viz/model/tile_layers.h"

namespace explorer {

/// Rows of an input as `flashscope simulate --numerics on` draws it, of a query head (counted over all batch entries)
/// or of the KV head that it reads.
std::vector<float> drawn(const sim::Plan& plan, std::int64_t head, sim::DrawnTensor tensor, sim::Interval rows);

class TileMachine {
 public:
  enum class Layers { dropped, kept };
  /// A CTA of a kernel that works on a query head.
  TileMachine(const sim::Plan& plan, const sim::Launch& launch, std::int64_t head, Layers layers = Layers::dropped);
  TileMachine(const TileMachine&) = delete;
  TileMachine& operator=(const TileMachine&) = delete;

  sim::Cta& cta() { return cta_; }
  /// (rows, d) with values.
  sim::SmemTile rows(sim::Tensor name, const sim::Block& rows, const std::vector<float>& values) {
    return tile<sim::SmemTile>(name, rows.axis, whole_, values);
  }
  sim::RegTile row_registers(sim::Tensor name, const sim::Block& rows, const std::vector<float>& values) {
    return tile<sim::RegTile>(name, rows.axis, whole_, values);
  }
  /// A tile of the matrix.
  sim::SmemTile matrix(sim::Tensor name, const sim::Block& i, const sim::Block& j, const std::vector<float>& values) {
    return tile<sim::SmemTile>(name, i.axis, j.axis, values);
  }
  sim::RegVec vec(sim::Tensor name, const sim::Block& rows, const std::vector<float>& values) const {
    return {name, rows.axis, values, sim::no_event};
  }
  /// One of each verb so far that leaves a tile of the matrix behind; nothing unless they are kept.
  std::vector<TileLayer> layers() const { return layers_of(trace_); }

 private:
  template <class SomeTile>
  SomeTile tile(sim::Tensor name, sim::Axis rows, sim::Axis cols, const std::vector<float>& values) {
    SomeTile made(space_, name, rows, cols, sim::Line(0));
    made.values = values;
    return made;
  }

  sim::Axis whole_;
  sim::Space space_;
  sim::Trace trace_;
  sim::Cta cta_;
};

}  // namespace explorer
