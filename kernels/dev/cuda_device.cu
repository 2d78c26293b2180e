// GPU implementation of Device: memory, stream and errors of the CUDA runtime.
#include "kernels/dev/dev.h"
#include "kernels/dev/event.h"
#include "kernels/dev/open.h"
#include "kernels/dev/refusal.h"

namespace dev {
namespace {

std::string version_text(int version) { return sim::text(version / 1000, ".", version % 1000 / 10); }

/// Throws the reason why no GPU can be used, after the first call to the runtime failed.
[[noreturn]] void refuse(cudaError_t error) {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const std::string driver_is = driver_refusal(driver, runtime);
  throw DeviceError(DeviceError::Kind::missing,
                    !driver_is.empty() ? driver_is
                                       : sim::text("device cuda: no GPU can be used (", cudaGetErrorString(error),
                                                   "): see nvidia-smi, or take --device emulated"));
}

std::int64_t most_smem() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "device cuda");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "device cuda");
  return bytes;
}

class CudaDevice final : public Device {
 public:
  CudaDevice() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) refuse(error);
    check(cudaGetDeviceProperties(&properties_, 0), "device cuda");
    const std::string refusal = card_refusal(properties_.name, properties_.major, properties_.minor);
    if (!refusal.empty()) throw DeviceError(DeviceError::Kind::missing, refusal);
    check(cudaStreamCreate(&stream_), "device cuda");
  }
  ~CudaDevice() override { cudaStreamDestroy(stream_); }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string description() const override {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    return sim::text(properties_.name, ", driver for CUDA ", version_text(driver));
  }
  Card card() const override {
    char bus[32] = "";
    int runtime = 0;
    cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
    cudaRuntimeGetVersion(&runtime);
    return {properties_.name, sim::text("CUDA ", version_text(runtime)), bus, properties_.l2CacheSize};
  }
  Flavour flavour() const override { return Flavour::cuda; }
  std::int64_t smem_bytes_per_cta() const override { return most_smem(); }
  Stream stream() override { return {stream_}; }

  void* allocate(std::string_view tensor, std::int64_t bytes) override {
    void* memory = nullptr;
    const std::size_t size = bytes > 0 ? static_cast<std::size_t>(bytes) : 1;
    if (cudaMalloc(&memory, size) == cudaErrorMemoryAllocation) {
      std::size_t left = 0, all = 0;
      cudaGetLastError();  // clears the runtime's error state
      cudaMemGetInfo(&left, &all);
      throw DeviceError(DeviceError::Kind::out_of_memory,
                        sim::text("device cuda: no memory for ", tensor, " (", bytes, " bytes): ", left, " of ", all,
                                  " bytes are free; use a smaller scenario"));
    }
    check(cudaPeekAtLastError(), "device cuda: allocating");
    check(cudaMemset(memory, 0xff, size), "device cuda: clearing");
    sizes_[memory] = bytes;
    note_allocated(bytes);
    return memory;
  }
  void release(void* memory) override {
    note_released(sizes_.at(memory));
    sizes_.erase(memory);
    cudaFree(memory);  // an earlier error is reported by whichever call waits for it
  }
  void upload(void* to, const void* from, std::int64_t bytes) override {
    check(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice), "device cuda: upload");
  }
  void download(void* to, const void* from, std::int64_t bytes) override {
    synchronize();
    check(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost), "device cuda: download");
  }
  void copy(void* to, const void* from, std::int64_t bytes) override {
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream_),
          "device cuda: copy");
  }
  void synchronize() override { check(cudaStreamSynchronize(stream_), "device cuda: running kernels"); }

 private:
  cudaDeviceProp properties_{};
  cudaStream_t stream_ = nullptr;
  std::map<void*, std::int64_t> sizes_;
};

}  // namespace

inline namespace DEV_FLAVOUR {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  const auto kind = error == cudaErrorMemoryAllocation ? DeviceError::Kind::out_of_memory : DeviceError::Kind::failed;
  throw DeviceError(kind, sim::text(what, ": ", cudaGetErrorString(error), " (", cudaGetErrorName(error), ")"));
}

void check_smem(const char* kernel, std::int64_t bytes) {
  static const std::int64_t of_card = most_smem();
  const std::string refusal = smem_refusal(sim::text("kernel ", kernel), bytes, of_card);
  if (!refusal.empty()) throw DeviceError(DeviceError::Kind::failed, refusal);
}

}  // namespace DEV_FLAVOUR

std::shared_ptr<void> cuda_mark(Stream stream) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "device cuda: event");
  std::shared_ptr<void> mark(event, [](void* made) { cudaEventDestroy(static_cast<cudaEvent_t>(made)); });
  check(cudaEventRecord(event, static_cast<cudaStream_t>(stream.handle)), "device cuda: event");
  return mark;
}

bool cuda_reached(const void* mark) {
  const cudaError_t state = cudaEventQuery(static_cast<cudaEvent_t>(const_cast<void*>(mark)));
  if (state == cudaErrorNotReady) return false;
  check(state, "device cuda: running kernels");
  return true;
}

double cuda_microseconds(const void* from, const void* to) {
  const auto event = [](const void* mark) { return static_cast<cudaEvent_t>(const_cast<void*>(mark)); };
  float milliseconds = 0;
  check(cudaEventSynchronize(event(to)), "device cuda: running kernels");
  check(cudaEventElapsedTime(&milliseconds, event(from), event(to)), "device cuda: event");
  return milliseconds * 1e3;
}

std::unique_ptr<Device> open_cuda() { return std::make_unique<CudaDevice>(); }

}  // namespace dev
