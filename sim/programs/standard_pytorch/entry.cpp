// standard-pytorch: what the catalogue knows of it.
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> standard_pytorch_forward_launches(const Problem& p);
std::vector<Launch> standard_pytorch_backward_launches(const Problem& p);
std::span<const NamedForm> standard_pytorch_forms();

namespace {

/// The tiles of standard, with space for two tiles of scores.
Tiling tiles_of(const TilingCase& c) {
  Tiling t = programs::standard.forward.tiling(c);
  while (2 * t.br * t.bc * c.element_bytes > c.chip.smem && t.br > 16) t = {t.br / 2, t.bc / 2};
  return t;
}

/// Setup that the listing leaves out.
void check_pytorch(const Scenario& s) {
  const Shape& shape = s.shape;
  const auto refuse = [](bool given, std::string_view option, std::string_view what) {
    require(!given, option, ": standard-pytorch has no ", what, ": leave it out, or use --algorithm standard");
  };
  refuse(shape.mask.window || shape.mask.window_right, "window", "window");
  refuse(shape.mask.prefix > 0, "prefix", "prefix");
  refuse(shape.mask.documents != nullptr, "documents", "documents");
  refuse(shape.mask.padding > 0, "padding", "padding");
  refuse(s.dropout > 0, "dropout", "dropout");
  require(shape.kv_heads == shape.heads, "kv-heads: ", shape.kv_heads, " for ", shape.heads,
          " heads: standard-pytorch has no grouped heads, kv-heads = heads");
}

}  // namespace

constinit const Program programs::standard_pytorch = {
    .name = "standard-pytorch",
    .title = /*say*/ "Standard attention in PyTorch",
    .summary = "standard as PyTorch 2.5 to 2.11 runs it without a fused kernel: a kernel per operation",
    .typed = "pytorch math, sdpa math",
    .forward = {"programs/standard_pytorch/standard_pytorch.cpp", "PyTorch 2.5 to 2.11, attention.cpp", tiles_of,
                standard_pytorch_forward_launches},
    .backward = {"programs/standard_pytorch/standard_pytorch_backward.cpp", "PyTorch 2.5 to 2.11, derivatives.yaml",
                 tiles_of, standard_pytorch_backward_launches},
    .forms = standard_pytorch_forms,
    .timed_as = "pytorch-math",
    .check = check_pytorch,
    .variant_of = "standard",
    .rule = TilingRule::released};

}  // namespace sim
