#include "kernels/emulator/wgmma.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/dev/element.h"
#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"

namespace emulator {
namespace {

using dev::MatrixDescriptor;

constexpr int k_chunks = wgmma_depth / static_cast<int>(dev::chunk_elements);
constexpr int registers_of_sm = 65536;

float number(std::uint32_t bits, bool bf16) {
  const auto half = static_cast<std::uint16_t>(bits);
  return bf16 ? dev::to_float(dev::bf16{half}) : dev::to_float(dev::fp16{half});
}

/// Calls f(address, mn) for each 16 bytes of an operand of `size` rows or columns; mn is that of its first element.
template <class F>
void each_chunk(const MatrixDescriptor& m, bool major_k, int size, F f) {
  const auto elements = static_cast<int>(dev::chunk_elements);
  const int lines = major_k ? size : wgmma_depth, chunks = major_k ? k_chunks : size / elements;
  for (int line = 0; line < lines; ++line) {
    for (int n = 0; n < chunks; ++n) {
      const int mn = major_k ? line : n * elements, k = major_k ? n * elements : line;
      f(dev::element_address(m, major_k, static_cast<std::uint32_t>(mn), static_cast<std::uint32_t>(k)), mn);
    }
  }
}

void check_in_shared(const char* name, const MatrixDescriptor& m, bool major_k, int size) {
  if (m.base != 0) fail(sim::text("wgmma: ", name, " has the base offset ", m.base, "; only 0 is emulated"));
  const std::int64_t smem = current->block.shape().smem;
  each_chunk(m, major_k, size, [&](std::uint32_t address, int) {
    if (address + dev::chunk_bytes > smem)
      fail(sim::text("wgmma: ", name, " at byte ", address, " is not in shared memory (", smem, " bytes)"));
  });
}

/// An operand in shared memory, by mn and k.
std::vector<float> read_operand(std::uint64_t descriptor, bool major_k, int size, bool bf16) {
  const MatrixDescriptor m = MatrixDescriptor::decode(descriptor);
  const unsigned char* shared = shared_memory();
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(size * wgmma_depth));
  for (std::uint32_t mn = 0; mn < static_cast<std::uint32_t>(size); ++mn) {
    for (std::uint32_t k = 0; k < wgmma_depth; ++k) {
      std::uint16_t bits;
      std::memcpy(&bits, shared + dev::element_address(m, major_k, mn, k), sizeof bits);
      values.push_back(number(bits, bf16));
    }
  }
  return values;
}

/// Records the reads of operands in shared memory by the four warps: of A each reads its own rows, of B all.
template <class F>
void each_read(const WgmmaOperands& of, F f) {
  for (int warp = 0; warp < 4; ++warp) {
    const auto read = [&](std::uint32_t address, int) { f(warp, "wgmma", address); };
    if (!of.shape.a_in_registers) {
      each_chunk(MatrixDescriptor::decode(of.a_descriptor), of.shape.a_major_k, wgmma_rows,
                 [&](std::uint32_t address, int row) {
                   if (row / 16 == warp) read(address, row);
                 });
    }
    each_chunk(MatrixDescriptor::decode(of.b_descriptor), of.shape.b_major_k, of.shape.columns, read);
  }
}

const WgmmaOperands& operands_of(const Warpgroup::Operands& all, int thread) {
  return *static_cast<const WgmmaOperands*>(all[static_cast<std::size_t>(thread)]);
}

int number_of(const Warpgroup::Operands& all) { return *static_cast<const int*>(all[0]); }

void check_same(const Warpgroup::Operands& all) {
  const WgmmaOperands& first = operands_of(all, 0);
  for (int n = 1; n < warpgroup_threads; ++n) {
    const WgmmaOperands& other = operands_of(all, n);
    if (first.shape != other.shape || first.a_descriptor != other.a_descriptor ||
        first.b_descriptor != other.b_descriptor || first.accumulate != other.accumulate)
      fail(sim::text("wgmma: threads 0 and ", n, " of the warpgroup issue different products"));
  }
}

}  // namespace

void Warpgroup::meet(const char* name, void* operand, Compute for_all) {
  if (arrived_ == 0) meeting_ = name, for_all_ = for_all;
  if (for_all_ != for_all) fail(sim::text("in ", name, " while other threads of its warpgroup are in ", meeting_));
  operands_[static_cast<std::size_t>(current->index - first_thread())] = operand;
  if (++arrived_ < warpgroup_threads) {
    current->block.wait(*current, name, [this] {
      return sim::text(" of warpgroup ", index_, ", where ", arrived_, " of ", warpgroup_threads,
                       " threads have arrived");
    });
    return;
  }
  arrived_ = 0;
  for_all(*this, operands_);
  for (int n = 0; n < warpgroup_threads; ++n) {
    if (Thread& other = current->block.thread(first_thread() + n); &other != current) other.block.wake(other);
  }
}

/// Accumulators that the operands name: those of a product under way, or new ones, whose registers become NaN.
std::shared_ptr<Warpgroup::Accumulator> Warpgroup::accumulator_of(const Operands& operands) {
  const int columns = operands_of(operands, 0).shape.columns;
  for (const auto& known : busy_) {
    if (known->place[0] != operands_of(operands, 0).c) continue;
    if (known->columns != columns)
      fail(sim::text("wgmma: ", columns, " columns for accumulators of a product of ", known->columns, " under way"));
    return known;
  }
  if (!fenced_) fail("wgmma: first touch of accumulators or A without wgmma.fence since the last wgmma.commit_group");
  auto made = std::make_shared<Accumulator>(Accumulator{{}, columns, {}});
  made->values.resize(static_cast<std::size_t>(wgmma_rows * columns));
  for (int n = 0; n < warpgroup_threads; ++n) {
    float* c = operands_of(operands, n).c;
    made->place[static_cast<std::size_t>(n)] = c;
    for (int r = 0; r < columns / 2; ++r) {
      const auto [row, col] = dev::accumulator_at(n, r);
      made->values[static_cast<std::size_t>(row * columns + col)] = c[r];
    }
    std::fill(c, c + columns / 2, std::numeric_limits<float>::quiet_NaN());
  }
  return busy_.emplace_back(std::move(made));
}

void Warpgroup::issue(const Operands& operands) {
  check_same(operands);
  Product product{operands_of(operands, 0), {}, {}, accumulator_of(operands), {}};
  for (int n = 0; n < warpgroup_threads && product.of.shape.a_in_registers; ++n) {
    const std::uint32_t* a = operands_of(operands, n).a;
    product.a_place[static_cast<std::size_t>(n)] = a;
    product.a.insert(product.a.end(), a, a + 4);
  }
  check_operands(product);
  ++product.accumulator->products;
  if (current->block.random() && current->block.draw() % 2 == 0) compute(product);
  open_.push_back(std::move(product));
}

void Warpgroup::check_operands(const Product& product) const {
  const WgmmaShape& shape = product.of.shape;
  if (!shape.a_in_registers)
    check_in_shared("A", MatrixDescriptor::decode(product.of.a_descriptor), shape.a_major_k, wgmma_rows);
  check_in_shared("B", MatrixDescriptor::decode(product.of.b_descriptor), shape.b_major_k, shape.columns);
  Recorder* recorder = current->block.recorder();
  if (recorder == nullptr) return;
  each_read(product.of, [&](int warp, const char* name, std::uint32_t address) {
    recorder->async_source(name, current->block.thread(first_thread() + warp * warp_size), shared_memory() + address,
                           dev::chunk_bytes);
  });
  const int lines = (shape.a_in_registers ? 0 : wgmma_rows) + shape.columns;
  recorder->count_whole_lines(static_cast<std::size_t>(lines) * wgmma_depth * dev::element_bytes, AccessKind::read);
}

/// Reads the operands and multiplies them.
void Warpgroup::compute(Product& product) const {
  const WgmmaShape& shape = product.of.shape;
  std::vector<float> a(static_cast<std::size_t>(wgmma_rows * wgmma_depth));
  if (shape.a_in_registers) {
    for (int n = 0; n < warpgroup_threads * 4; ++n) {
      const auto [row, k] = dev::a_fragment_at(n / 4, n % 4);
      const std::uint32_t both = product.a[static_cast<std::size_t>(n)];
      a[static_cast<std::size_t>(row * wgmma_depth + k)] = number(both, shape.bf16);
      a[static_cast<std::size_t>(row * wgmma_depth + k + 1)] = number(both >> 16, shape.bf16);
    }
  } else {
    a = read_operand(product.of.a_descriptor, shape.a_major_k, wgmma_rows, shape.bf16);
  }
  const std::vector<float> b = read_operand(product.of.b_descriptor, shape.b_major_k, shape.columns, shape.bf16);
  product.result.reserve(product.accumulator->values.size());
  for (int row = 0; row < wgmma_rows; ++row) {
    for (int col = 0; col < shape.columns; ++col) {
      float sum = 0;
      for (int k = 0; k < wgmma_depth; ++k)
        sum += a[static_cast<std::size_t>(row * wgmma_depth + k)] * b[static_cast<std::size_t>(col * wgmma_depth + k)];
      product.result.push_back(sum);
    }
  }
}

void Warpgroup::commit() {
  groups_.push_back(std::exchange(open_, {}));
  fenced_ = false;
}

/// Adds a product to its accumulators, whose registers get their values when no other product is under way to them.
void Warpgroup::end(Product& product) {
  for (std::size_t n = 0; n < product.a.size(); ++n) {
    if (product.a_place[n / 4][n % 4] != product.a[n])
      fail(sim::text("wgmma: thread ", n / 4, " of the warpgroup changed its registers of A before wgmma.wait_group"));
  }
  if (product.result.empty()) compute(product);
  Accumulator& sum = *product.accumulator;
  for (std::size_t n = 0; n < sum.values.size(); ++n)
    sum.values[n] = product.of.accumulate ? sum.values[n] + product.result[n] : product.result[n];
  if (Recorder* recorder = current->block.recorder()) {
    each_read(product.of, [&](int warp, const char*, std::uint32_t address) {
      recorder->bulk_source_read(current->block.thread(first_thread() + warp * warp_size), shared_memory() + address,
                                 dev::chunk_bytes);
    });
  }
  if (--sum.products > 0) return;
  for (int n = 0; n < warpgroup_threads; ++n) {
    for (int r = 0; r < sum.columns / 2; ++r) {
      const auto [row, col] = dev::accumulator_at(n, r);
      sum.place[static_cast<std::size_t>(n)][r] = sum.values[static_cast<std::size_t>(row * sum.columns + col)];
    }
  }
  busy_.erase(std::find(busy_.begin(), busy_.end(), product.accumulator));
}

void Warpgroup::wait(std::size_t pending) {
  while (groups_.size() > pending) {
    std::vector<Product> group = std::move(groups_.front());
    groups_.pop_front();
    for (Product& product : group) end(product);
  }
  Recorder* recorder = current->block.recorder();
  if (recorder == nullptr) return;
  WarpClock all{};
  for (int warp = 0; warp < 4; ++warp) recorder->races().release(first_thread() + warp * warp_size, all);
  for (int warp = 0; warp < 4; ++warp) {
    recorder->races().acquire(first_thread() + warp * warp_size, all);
    recorder->races().warp_met(first_thread() / warp_size + warp, ~0u);
  }
}

void Warpgroups::begin(int threads) {
  all_.clear();
  waiting.clear();
  const int each = std::min(256, registers_of_sm / threads / 8 * 8);
  for (int n = 0; n < threads / warpgroup_threads; ++n) all_.emplace_back(n, each);
  free_ = registers_of_sm - each * threads;
}

Warpgroup& Warpgroups::of(const char* operation, const Thread& thread) {
  const auto n = static_cast<std::size_t>(thread.index / warpgroup_threads);
  if (n >= all_.size()) fail(sim::text(operation, ": the thread is in no whole warpgroup of 128 threads"));
  return all_[n];
}

void Warpgroups::shrink(Warpgroup& group, int registers) {
  free_ += (group.registers - registers) * warpgroup_threads;
  group.registers = registers;
  for (Warpgroup& other : all_) grant(other);
}

void Warpgroups::grant(Warpgroup& group) {
  const int more = (group.wants - group.registers) * warpgroup_threads;
  if (group.wants == 0 || more > free_) return;
  free_ -= more;
  group.registers = std::exchange(group.wants, 0);
  for (Thread* thread : std::exchange(waiting, {})) thread->block.wake(*thread);
}

void wgmma_fence() {
  meets_at(__builtin_return_address(0));
  current->block.warpgroups.of("wgmma.fence", *current).meet("wgmma.fence", nullptr, [](Warpgroup& group, const auto&) {
    group.fence();
  });
}

void wgmma_issue(WgmmaOperands operands) {
  meets_at(__builtin_return_address(0));
  current->block.warpgroups.of("wgmma", *current).meet("wgmma", &operands, [](Warpgroup& group, const auto& all) {
    group.issue(all);
  });
}

void wgmma_commit() {
  meets_at(__builtin_return_address(0));
  const char* name = "wgmma.commit_group";
  current->block.warpgroups.of(name, *current).meet(name, nullptr, [](Warpgroup& group, const auto&) {
    group.commit();
  });
}

void wgmma_wait(int pending) {
  meets_at(__builtin_return_address(0));
  const char* name = "wgmma.wait_group";
  current->block.warpgroups.of(name, *current).meet(name, &pending, [](Warpgroup& group, const auto& all) {
    group.wait(static_cast<std::size_t>(number_of(all)));
  });
}

void set_max_registers(int registers, bool increases) {
  meets_at(__builtin_return_address(0));
  const char* name = increases ? "setmaxnreg.inc" : "setmaxnreg.dec";
  Warpgroups& groups = current->block.warpgroups;
  Warpgroup& group = groups.of(name, *current);
  if (registers < 24 || registers > 256 || registers % 8 != 0)
    fail(sim::text(name, " ", registers, ": allowed are multiples of 8 from 24 to 256"));
  if (increases ? registers < group.registers && group.wants == 0 : registers > group.registers)
    fail(sim::text(name, " ", registers, ": the warpgroup has ", group.registers, " registers"));
  if (!increases) {
    return group.meet(name, &registers,
                      [](Warpgroup& mine, const auto& all) { current->block.warpgroups.shrink(mine, number_of(all)); });
  }
  group.meet(name, &registers, [](Warpgroup& mine, const auto& all) {
    mine.wants = number_of(all);
    current->block.warpgroups.grant(mine);
  });
  while (group.wants != 0) {
    groups.waiting.push_back(current);
    current->block.wait(*current, name, [&groups, &group] {
      return sim::text(" ", group.wants, ", which needs ", (group.wants - group.registers) * warpgroup_threads,
                       " registers of the ", groups.free_registers(), " that are free");
    });
  }
}

}  // namespace emulator
