// Tensor maps of a GPU, encoded by the driver, which the runtime finds: no program links it.
#include <cudaTypedefs.h>

#include "kernels/dev/hopper.h"

namespace dev {
inline namespace DEV_FLAVOUR {
namespace {

PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found),
        "cuTensorMapEncodeTiled");
  if (found != cudaDriverEntryPointSuccess)
    throw DeviceError(DeviceError::Kind::missing, "device cuda: the driver has no cuTensorMapEncodeTiled (CUDA 12.0)");
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
}

CUtensorMapDataType type_of(int element_bytes) {
  if (element_bytes == 1) return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  return element_bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

CUtensorMapSwizzle swizzle_of(Swizzle swizzle) {
  switch (swizzle) {
    case Swizzle::none:
      return CU_TENSOR_MAP_SWIZZLE_NONE;
    case Swizzle::bytes_32:
      return CU_TENSOR_MAP_SWIZZLE_32B;
    case Swizzle::bytes_64:
      return CU_TENSOR_MAP_SWIZZLE_64B;
    case Swizzle::bytes_128:
      break;
  }
  return CU_TENSOR_MAP_SWIZZLE_128B;
}

}  // namespace

void require_sm_90(const char* kernel) {
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), kernel);
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), kernel);
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), kernel);
  if (major != 9 || minor != 0)
    throw DeviceError(DeviceError::Kind::missing,
                      sim::text("kernel ", kernel, ": it is compiled for sm_90a, and this GPU is sm_", major, minor));
}

TensorMap tensor_map(const TiledTensor& tensor) {
  if (const std::string why = tensor_map_refusal(tensor); !why.empty())
    throw DeviceError(DeviceError::Kind::failed, why);
  cuuint64_t extent[4], stride[4];
  cuuint32_t box[4], one[4] = {1, 1, 1, 1};
  for (int n = 0; n < 4; ++n) {
    extent[n] = static_cast<cuuint64_t>(tensor.extent[n]);
    stride[n] = static_cast<cuuint64_t>(tensor.stride[n]);
    box[n] = static_cast<cuuint32_t>(tensor.box[n]);
  }
  TensorMap map{};
  const CUresult result =
      encoder()(&map, type_of(tensor.element_bytes), static_cast<cuuint32_t>(tensor.rank), tensor.memory, extent,
                stride + 1, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(tensor.swizzle),
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw DeviceError(DeviceError::Kind::failed, sim::text("cuTensorMapEncodeTiled: error ", static_cast<int>(result)));
  return map;
}

}  // namespace DEV_FLAVOUR
}  // namespace dev
