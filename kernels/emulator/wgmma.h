// Matrix products of warpgroups (wgmma.mma_async, m64nNk16) and their registers (setmaxnreg). Source: PTX ISA,
// "Asynchronous warpgroup level matrix instructions", "setmaxnreg"; layouts: kernels/dev/descriptor.h.
// Operands in shared memory are found by the bits of their descriptors. They are read when the product is issued or, at
// the latest, when it is waited for: drawn in a random order, else late. A in registers must not change until then.
// Accumulators hold NaN until the wait. Products are summed in fp32 over 16 k, then added to the accumulator.
// Refused: a product without wgmma.fence since the last commit, unless it continues an accumulator; threads of a
// warpgroup in different operations; descriptors with a base offset.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "kernels/dev/descriptor.h"
#include "kernels/emulator/warp.h"

namespace emulator {

struct Thread;

inline constexpr int warpgroup_threads = 128, wgmma_rows = 64, wgmma_depth = 16;

/// One product, as each thread of the warpgroup issues it.
struct WgmmaShape {
  int columns;  ///< N
  bool a_in_registers;
  bool a_major_k, b_major_k;
  bool bf16;  ///< else fp16
  bool operator==(const WgmmaShape&) const = default;
};
struct WgmmaOperands {
  WgmmaShape shape;
  float* c;                ///< N / 2 accumulators of the thread
  const std::uint32_t* a;  ///< 4 registers, if A is in registers
  std::uint64_t a_descriptor, b_descriptor;
  bool accumulate;  ///< else C is overwritten
};

/// A warpgroup of a block.
class Warpgroup {
 public:
  using Operands = std::array<void*, warpgroup_threads>;
  using Compute = void (*)(Warpgroup&, const Operands&);
  Warpgroup(int index, int initial_registers) : registers(initial_registers), index_(index) {}

  int registers;  ///< per thread
  int wants = 0;  ///< registers that a setmaxnreg.inc waits for

  /// Waits for all threads of the warpgroup; the last one computes for all.
  void meet(const char* name, void* operand, Compute for_all);

  void fence() { fenced_ = true; }
  void issue(const Operands& operands);
  void commit();
  /// Ends all but the `pending` newest groups.
  void wait(std::size_t pending);

 private:
  struct Accumulator {
    std::array<float*, warpgroup_threads> place;
    int columns;
    std::vector<float> values;  // by row and column
    int products = 0;           // under way
  };
  struct Product {
    WgmmaOperands of;
    std::array<const std::uint32_t*, warpgroup_threads> a_place;
    std::vector<std::uint32_t> a;  // registers when issued, 4 of each thread
    std::shared_ptr<Accumulator> accumulator;
    std::vector<float> result;  // by row and column; empty until the operands are read
  };
  std::shared_ptr<Accumulator> accumulator_of(const Operands& operands);
  void check_operands(const Product& product) const;
  void compute(Product& product) const;
  void end(Product& product);
  int first_thread() const { return index_ * warpgroup_threads; }

  int index_;
  const char* meeting_ = nullptr;
  Compute for_all_ = nullptr;
  int arrived_ = 0;
  Operands operands_{};
  bool fenced_ = false;
  std::vector<Product> open_;
  std::deque<std::vector<Product>> groups_;
  std::vector<std::shared_ptr<Accumulator>> busy_;  // accumulators of products under way
};

/// The warpgroups of a block, and the registers that they share.
class Warpgroups {
 public:
  /// Takes a block of `threads`; the threads of an incomplete warpgroup at its end are in none.
  void begin(int threads);
  Warpgroup& of(const char* operation, const Thread& thread);
  void shrink(Warpgroup& group, int registers);
  /// Gives a warpgroup the registers that it wants, if there are enough.
  void grant(Warpgroup& group);
  int free_registers() const { return free_; }
  std::vector<Thread*> waiting;

 private:
  std::vector<Warpgroup> all_;
  int free_ = 0;
};

void wgmma_fence();
void wgmma_issue(WgmmaOperands operands);
void wgmma_commit();
void wgmma_wait(int pending);
void set_max_registers(int registers, bool increases);

/// stmatrix of a whole warp: stores what ldmatrix would load (tensor_core.cpp).
void store_matrices(const std::uint32_t* registers, int count, void* row, bool transposed);

}  // namespace emulator
