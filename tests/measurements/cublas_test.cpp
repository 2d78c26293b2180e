// bench's assumptions about cuBLAS, against its headers and the library; neither needs a GPU.
#include "kernels/bench/cublas.h"

#include <cublas_api.h>
#include <library_types.h>

#include <catch2/catch.hpp>
#include <iostream>
#include <optional>

#include "kernels/bench/ceilings.h"
#include "kernels/bench/library.h"

using namespace bench::cublas;

static_assert(as_is == CUBLAS_OP_N && type_fp32 == CUDA_R_32F && type_fp16 == CUDA_R_16F && type_bf16 == CUDA_R_16BF);
static_assert(sums_in_fp32 == CUBLAS_COMPUTE_32F && chosen_by_cublas == CUBLAS_GEMM_DEFAULT);
using Theirs = decltype(static_cast<cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                                       int, const void*, const void*, cudaDataType, int, const void*,
                                                       cudaDataType, int, const void*, void*, cudaDataType, int,
                                                       cublasComputeType_t, cublasGemmAlgo_t)>(cublasGemmEx));

namespace {

std::optional<bench::Library> opened() {
  try {
    return bench::Library(bench::cublas_names());
  } catch (const sim::Error& error) {
    std::cout << "skipped: " << error.what() << "\n";
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("cuBLAS has the functions that bench calls") {
  const std::optional<bench::Library> library = opened();
  if (!library) return;
  for (const char* name : {"cublasCreate_v2", "cublasSetStream_v2", "cublasDestroy_v2", "cublasGemmEx"})
    CHECK(library->function<Destroy>(name) != nullptr);
  CHECK_THROWS_WITH(library->function<Destroy>("cublasNothing"), Catch::Contains("has no function cublasNothing"));
}
