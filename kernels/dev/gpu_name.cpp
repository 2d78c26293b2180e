#include "kernels/dev/gpu_name.h"

namespace kernels {
namespace {

struct CalledGpu {
  std::string_view card, gpu;
};
constexpr CalledGpu cards[] = {{"NVIDIA A10", "a10"},
                               {"NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"},
                               {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
                               {"NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"},
                               {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
                               {"NVIDIA B200", "b200"},
                               {"NVIDIA GeForce RTX 3090", "rtx-3090"},
                               {"NVIDIA GeForce RTX 4090", "rtx-4090"},
                               {"NVIDIA GeForce RTX 5090", "rtx-5090"},
                               {"NVIDIA H100 80GB HBM3", "h100-sxm"},
                               {"NVIDIA H100 NVL", "h100-nvl"},
                               {"NVIDIA H100 PCIe", "h100-pcie"},
                               {"NVIDIA H200", "h200"},
                               {"NVIDIA H200 NVL", "h200-nvl"},
                               {"NVIDIA L4", "l4"},
                               {"NVIDIA L40S", "l40s"},
                               {"Tesla T4", "t4"}};

}  // namespace

std::string gpu_called(std::string_view card_name) {
  for (const CalledGpu& each : cards) {
    if (card_name == each.card) return std::string(each.gpu);
  }
  return "";
}

}  // namespace kernels
