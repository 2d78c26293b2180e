#include "kernels/bench/ceilings.h"

#include <functional>

#include "kernels/bench/cublas.h"
#include "kernels/bench/library.h"

namespace bench {
namespace {

/// Owns memory of the device.
class Memory {
 public:
  Memory(dev::Device& device, const char* name, std::int64_t bytes)
      : device_(device), at_(device.allocate(name, bytes)) {}
  ~Memory() { device_.release(at_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return at_; }

 private:
  dev::Device& device_;
  void* at_;
};

/// Measures amounts per microsecond of a launch: 20 runs after 3 to warm up.
Ceiling rate_of(dev::Device& device, Sensors& sensors, double amount, const std::function<void()>& launch) {
  constexpr int warm_up = 3, runs = 20;
  for (int n = 0; n < warm_up; ++n) launch();
  std::vector<dev::Event> marks;
  marks.emplace_back(device);
  for (int n = 0; n < runs; ++n) {
    launch();
    marks.emplace_back(device);
  }
  const Sensed sensed = sensed_until(marks.back(), sensors);
  std::vector<double> rates;
  for (std::size_t n = 1; n < marks.size(); ++n) rates.push_back(amount / marks[n].microseconds_since(marks[n - 1]));
  return {series_of(std::move(rates)), sensed, ""};
}

/// Owns a handle of cuBLAS.
class Cublas {
 public:
  explicit Cublas(dev::Stream stream)
      : library_(cublas_names()), gemm_(library_.function<cublas::Gemm>("cublasGemmEx")) {
    check(library_.function<cublas::Create>("cublasCreate_v2")(&handle_), "cublasCreate");
    check(library_.function<cublas::SetStream>("cublasSetStream_v2")(handle_, stream.handle), "cublasSetStream");
  }
  ~Cublas() { library_.function<cublas::Destroy>("cublasDestroy_v2")(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  void multiply(sim::Dtype dtype, int n, const void* a, const void* b, void* c) const {
    const float one = 1, zero = 0;
    const int type = type_of(dtype);
    check(gemm_(handle_, cublas::as_is, cublas::as_is, n, n, n, &one, a, type, n, b, type, n, &zero, c, type, n,
                cublas::sums_in_fp32, cublas::chosen_by_cublas),
          "cublasGemmEx");
  }

 private:
  static int type_of(sim::Dtype dtype) {
    if (dtype == sim::Dtype::fp16) return cublas::type_fp16;
    return dtype == sim::Dtype::bf16 ? cublas::type_bf16 : cublas::type_fp32;
  }
  static void check(int status, const char* function) {
    sim::require(status == 0, "cuBLAS refuses ", function, " (", status, ")");
  }

  Library library_;
  cublas::Gemm* gemm_;
  void* handle_ = nullptr;
};

Ceiling measured_matmul(dev::Device& device, DrawnInputs& inputs, Sensors& sensors, std::int64_t size) {
  const Cublas blas(device.stream());
  const std::int64_t elements = size * size, bytes = elements * size_of(inputs.dtype());
  const Memory a(device, "A", bytes), b(device, "B", bytes), c(device, "C", bytes);
  device.upload(a.get(), inputs.bytes(sim::Tensor::Q, elements).data(), bytes);
  device.upload(b.get(), inputs.bytes(sim::Tensor::K, elements).data(), bytes);
  const double n = static_cast<double>(size), mega_flops = 2 * n * n * n / 1e6;  // per us: TFLOP/s
  const int side = static_cast<int>(size);
  return rate_of(device, sensors, mega_flops, [&] { blas.multiply(inputs.dtype(), side, a.get(), b.get(), c.get()); });
}

Ceiling measured_copy(dev::Device& device, Sensors& sensors, std::int64_t bytes) {
  const Memory from(device, "copied", bytes), to(device, "copy", bytes);
  const double kilo_bytes = 2 * static_cast<double>(bytes) / 1e3;  // per us: GB/s
  return rate_of(device, sensors, kilo_bytes, [&] { device.copy(to.get(), from.get(), bytes); });
}

Ceiling ceiling_of(const char* what, dev::Device& device, const std::function<Ceiling()>& measure) {
  if (device.flavour() != dev::Flavour::cuda)
    return {std::nullopt, {}, sim::text(what, ": the emulated device has none")};
  try {
    return measure();
  } catch (const sim::Error& error) {
    return {std::nullopt, {}, sim::text(what, ": ", error.what())};
  }
}

}  // namespace

const std::vector<std::string>& cublas_names() {
  static const std::vector<std::string> names = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                                 "/usr/local/cuda/lib64/libcublas.so"};
  return names;
}

Ceiling matmul_ceiling(dev::Device& device, DrawnInputs& inputs, Sensors& sensors, std::int64_t size) {
  return ceiling_of("matmul ceiling", device, [&] { return measured_matmul(device, inputs, sensors, size); });
}

Ceiling copy_ceiling(dev::Device& device, Sensors& sensors, std::int64_t bytes) {
  return ceiling_of("copy ceiling", device, [&] { return measured_copy(device, sensors, bytes); });
}

}  // namespace bench
