// Indices of a replayed CTA that the memory panel needs, built once.
#pragma once
#include "viz/model/moved_bytes.h"
#include "viz/model/tiles/hbm_strips.h"
#include "viz/model/tiles/tiles_on_chip.h"

namespace explorer {

struct MemoryIndex {
  TilesOnChip tiles;
  CopySources sources;
  MovedBytes moved;
  std::vector<HbmStrip> strips;

  MemoryIndex() = default;
  MemoryIndex(const sim::Plan& plan, const sim::Launch& launch, const sim::KernelMeters& kernel, sim::CtaPlace place,
              const sim::Trace& trace)
      : tiles(trace),
        sources(plan, launch, kernel, place, trace),
        moved(trace, sources),
        strips(hbm_strips(plan.problem, launch, trace)) {}
};

}  // namespace explorer
