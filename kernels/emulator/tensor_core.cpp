// ldmatrix, stmatrix and mma.sync.m16n8k16 on the CPU, for a whole warp at a time.
// Source: PTX ISA, "Matrix fragments for mma.m16n8k16", "ldmatrix" and "stmatrix".
// Inaccuracies: products are summed in fp32 in order of k; a GPU sums several at a time with a wider mantissa.
#include <cstring>

#include "kernels/dev/element.h"
#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"
#include "kernels/emulator/warp.h"
#include "kernels/emulator/wgmma.h"

namespace emulator {
namespace {

constexpr std::uint32_t whole_warp = 0xffffffffu;

/// What a lane gives to ldmatrix or stmatrix.
struct MatrixLoad {
  std::uint32_t* registers;
  const void* row;
  int count;
  bool transposed;
};

std::uint16_t element(const Lanes& lanes, std::size_t matrix, std::size_t row, std::size_t col) {
  const auto* load = static_cast<const MatrixLoad*>(lanes.operand[8 * matrix + row]);
  std::uint16_t value;
  std::memcpy(&value, static_cast<const char*>(load->row) + 2 * col, sizeof value);
  return value;
}

/// Checks the rows that the lanes of a load or store name, and records them.
void note_rows(const char* operation, const Lanes& lanes, AccessKind kind) {
  if (lanes.mask != whole_warp) fail(sim::text(operation, ": lanes of the warp have ended"));
  const auto count = static_cast<std::size_t>(8 * static_cast<const MatrixLoad*>(lanes.operand[0])->count);
  std::array<const void*, warp_size> rows;
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    rows[lane] = static_cast<const MatrixLoad*>(lanes.operand[lane])->row;
    if (lane < count && reinterpret_cast<std::uintptr_t>(rows[lane]) % 16 != 0)
      fail(sim::text(operation, ": the row of lane ", lane, " is not 16-byte aligned"));
  }
  if (Recorder* recorder = current->block.recorder())
    recorder->matrix_rows(*current, rows, static_cast<int>(count), kind);
}

void compute_matrix_load(const Lanes& lanes) {
  note_rows("ldmatrix", lanes, AccessKind::read);
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    const auto& load = *static_cast<const MatrixLoad*>(lanes.operand[lane]);
    const std::size_t g = lane / 4, t = lane % 4 * 2;
    for (std::size_t m = 0; m < static_cast<std::size_t>(load.count); ++m) {
      const std::uint32_t low = load.transposed ? element(lanes, m, t, g) : element(lanes, m, g, t);
      const std::uint32_t high = load.transposed ? element(lanes, m, t + 1, g) : element(lanes, m, g, t + 1);
      load.registers[m] = low | high << 16;
    }
  }
}

/// Stores one 16-bit element of matrix m, in the row that a lane names.
void store_element(const Lanes& lanes, std::size_t m, std::size_t row, std::size_t col, std::uint32_t bits) {
  const auto value = static_cast<std::uint16_t>(bits);
  const auto* store = static_cast<const MatrixLoad*>(lanes.operand[8 * m + row]);
  std::memcpy(static_cast<char*>(const_cast<void*>(store->row)) + 2 * col, &value, sizeof value);
}

void compute_matrix_store(const Lanes& lanes) {
  note_rows("stmatrix", lanes, AccessKind::write);
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    const auto& store = *static_cast<const MatrixLoad*>(lanes.operand[lane]);
    const std::size_t g = lane / 4, t = lane % 4 * 2;
    for (std::size_t m = 0; m < static_cast<std::size_t>(store.count); ++m) {
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t row = store.transposed ? t + half : g, col = store.transposed ? g : t + half;
        store_element(lanes, m, row, col, store.registers[m] >> 16 * half);
      }
    }
  }
}

struct Product {
  float* c;
  const std::uint32_t *a, *b;
};

template <class T>
void unpack(std::uint32_t both, float& low, float& high) {
  low = dev::to_float(T{static_cast<std::uint16_t>(both)});
  high = dev::to_float(T{static_cast<std::uint16_t>(both >> 16)});
}

template <class T>
void gather(const Lanes& lanes, float (&a)[16][16], float (&b)[8][16]) {
  for (int lane = 0; lane < warp_size; ++lane) {
    const auto& own = *static_cast<const Product*>(lanes.operand[static_cast<std::size_t>(lane)]);
    const int g = lane / 4, t = lane % 4 * 2;
    for (int r = 0; r < 4; ++r) {
      float* pair = &a[g + r % 2 * 8][t + r / 2 * 8];
      unpack<T>(own.a[r], pair[0], pair[1]);
    }
    for (int r = 0; r < 2; ++r) unpack<T>(own.b[r], b[g][t + r * 8], b[g][t + r * 8 + 1]);
  }
}

float dot(const float (&a)[16], const float (&b)[16], float sum) {
  for (int k = 0; k < 16; ++k) sum += a[k] * b[k];
  return sum;
}

template <class T>
void compute_product(const Lanes& lanes) {
  if (lanes.mask != whole_warp) fail("mma: lanes of the warp have ended");
  float a[16][16], b[8][16];  // b by column
  gather<T>(lanes, a, b);
  for (int lane = 0; lane < warp_size; ++lane) {
    const auto& own = *static_cast<const Product*>(lanes.operand[static_cast<std::size_t>(lane)]);
    const int g = lane / 4, t = lane % 4 * 2;
    for (int r = 0; r < 4; ++r) own.c[r] = dot(a[g + r / 2 * 8], b[t + r % 2], own.c[r]);
  }
}

}  // namespace

void load_matrices(std::uint32_t* registers, int count, const void* row, bool transposed) {
  meets_at(__builtin_return_address(0));
  MatrixLoad own{registers, row, count, transposed};
  collective("ldmatrix", whole_warp, &own, compute_matrix_load);
}

void store_matrices(const std::uint32_t* registers, int count, void* row, bool transposed) {
  meets_at(__builtin_return_address(0));
  MatrixLoad own{const_cast<std::uint32_t*>(registers), row, count, transposed};
  collective("stmatrix", whole_warp, &own, compute_matrix_store);
}

void multiply_fp16(float* c, const std::uint32_t* a, const std::uint32_t* b) {
  meets_at(__builtin_return_address(0));
  Product own{c, a, b};
  collective("mma fp16", whole_warp, &own, compute_product<dev::fp16>);
}

void multiply_bf16(float* c, const std::uint32_t* a, const std::uint32_t* b) {
  meets_at(__builtin_return_address(0));
  Product own{c, a, b};
  collective("mma bf16", whole_warp, &own, compute_product<dev::bf16>);
}

}  // namespace emulator
