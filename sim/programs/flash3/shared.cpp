#include "sim/programs/flash3/flash3.h"
#include "sim/programs/fp8.h"

namespace sim::flash3 {
namespace {

/// Registers of a thread: what setmaxnreg gives in the released code.
struct Registers {
  std::int64_t of_consumer, of_producer;
};

/// With one, two and three consumers. A producer that looks up pages holds addresses.
Registers registers_of(const Problem& p) {
  constexpr Registers of_number[] = {{256, 56}, {240, 24}, {160, 32}}, with_pages{232, 40};
  return consumers(p) == 2 && p.paged() ? with_pages : of_number[consumers(p) - 1];
}

}  // namespace

bool puts_p(const Problem& p) {
  constexpr std::int64_t others = 4;  // registers that m, l and addresses take at least
  const std::int64_t d = p.kernel_dims.v, tiles = d / 2 + p.tiling.bc / 2 + p.tiling.bc * size_of(p.dtype) / 8;
  const bool released = consumers(p) == 3 && d > 64 && d <= 96 && !p.fp8();  // whatever the tile
  return released || tiles + others >= registers_of(p).of_consumer;
}

bool scales_tiles(const Problem& p) { return p.fp8() && fp8_scales(p) == Fp8Scales::block; }

bool takes_turns(const Problem& p) {
  const Schedule schedule = Options(p).schedule;
  const std::int64_t d = p.kernel_dims.qk;
  const bool released = schedule == Schedule::overlapped && (p.fp8() ? d >= 128 : d <= 128);
  return consumers(p) > 1 && (released || schedule == Schedule::ping_pong);
}

Options::Options(const Problem& p)
    : schedule(static_cast<Schedule>(p.own("schedule"))),
      persistent(p.own("grid") == 0),
      stages(p.own("stages")),
      turns_await_products(p.own("arrive") == 0) {}

Shared::Shared(Cta& cta, const Problem& p, Line line)
    : own(p),
      Q(cta, Tensor::Q, p.tiling.br, p.shape.head_dim, 1, consumers(p), line),
      K(cta, Tensor::K, p.tiling.bc, p.shape.head_dim, own.stages, consumers(p), line),
      V(cta, Tensor::V, p.tiling.bc, p.shape.value_dim(), own.stages, p.fp8() ? 1 : consumers(p), line),
      VT(cta, Tensor::VT, p.tiling.bc, p.shape.value_dim(), p.fp8() ? own.stages : 0, consumers(p), line),
      values(p.fp8() ? VT : V),
      all(cta, BarrierKind::turn, "all", consumers(p)),
      turns(cta, consumers(p)),
      scales(p.fp8() ? static_cast<std::size_t>(own.stages) : 0) {
  const Axis rows{0, 0, wgmma_rows}, keys{0, 0, p.tiling.bc};
  for (int w = 0; puts_p(p) && w < consumers(p); ++w) P.emplace_back(cta.space(), Tensor::P, rows, keys, line);
}

void run(Cta& cta, const Problem& p, Shared& s, Warpgroup (*producer)(Cta&, const Problem&, Shared&),
         Warpgroup (*consumer)(Cta&, const Problem&, Shared&, int w)) {
  const Registers registers = registers_of(p);
  std::vector<RoleRun> roles;
  if (producer != nullptr) roles.push_back({"producer", registers.of_producer, producer(cta, p, s)});
  for (int w = 0; w < consumers(p); ++w)
    roles.push_back({text("consumer ", w + 1), registers.of_consumer, consumer(cta, p, s, w)});
  run_roles(cta, std::move(roles));
}

}  // namespace sim::flash3
