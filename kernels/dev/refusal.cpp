#include "kernels/dev/refusal.h"

#include "sim/base/check.h"

namespace dev {
namespace {

constexpr int oldest_major = 8;  // cp.async and mma.sync m16n8k16 need Ampere

std::string version_text(int version) { return sim::text(version / 1000, ".", version % 1000 / 10); }

}  // namespace

std::string driver_refusal(int driver, int runtime) {
  if (driver == 0) return "device cuda: no NVIDIA driver here: install one, or take --device emulated";
  if (driver / 1000 >= runtime / 1000) return "";
  return sim::text("device cuda: the driver is for CUDA ", version_text(driver), ", this build for CUDA ",
                   version_text(runtime), ": update the driver, or take --device emulated");
}

std::string card_refusal(const std::string& name, int major, int minor) {
  if (major >= oldest_major) return "";
  return sim::text("device cuda: ", name, " is sm_", major, minor,
                   "; the kernels need sm_80 or later: take --device emulated");
}

std::string smem_refusal(const std::string& kernel, std::int64_t bytes, std::int64_t of_card) {
  if (bytes <= of_card) return "";
  return sim::text(kernel, " takes ", bytes, " bytes of shared memory of a CTA, of which this card has ", of_card,
                   ": take smaller tiles (--br, --bc), or a --gpu like the card");
}

}  // namespace dev
