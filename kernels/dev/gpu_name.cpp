#include "kernels/dev/gpu_name.h"

namespace kernels {
namespace {

struct CalledGpu {
  std::string_view card, gpu;
};
constexpr CalledGpu cards[] = {{"NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"},
                               {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
                               {"NVIDIA B200", "b200"},
                               {"NVIDIA GeForce RTX 3090", "rtx-3090"},
                               {"NVIDIA H100 80GB HBM3", "h100-sxm"},
                               {"NVIDIA H200", "h200"},
                               {"Tesla T4", "t4"}};

}  // namespace

std::string gpu_called(std::string_view card_name) {
  for (const CalledGpu& each : cards) {
    if (card_name == each.card) return std::string(each.gpu);
  }
  return "";
}

}  // namespace kernels
