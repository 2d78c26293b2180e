#include "kernels/emulator/tma.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"

namespace emulator {
namespace {

constexpr std::size_t chunk = dev::chunk_bytes;

/// A row of a box: its place in shared memory, and the bytes of it that are inside the tensor.
struct BoxRow {
  std::uint32_t offset;     // in shared memory, before swizzling
  unsigned char* hbm;       // of the first byte inside
  std::int64_t begin, end;  // bytes of the row that are inside; none if equal
};

/// Calls f(BoxRow) for each row, the innermost dimensions first.
template <class F>
void each_row(const BulkCopy& copy, F f) {
  const dev::TiledTensor& t = copy.tensor;
  auto offset = static_cast<std::uint32_t>(copy.shared - copy.thread->block.shared());
  const std::int64_t begin = std::clamp<std::int64_t>(-copy.at[0], 0, t.box[0]);
  const std::int64_t end = std::clamp<std::int64_t>(t.extent[0] - copy.at[0], begin, t.box[0]);
  for (std::int64_t n = 0; n < t.box_rows(); ++n, offset += static_cast<std::uint32_t>(t.row_bytes())) {
    std::int64_t rest = n, place = std::int64_t{copy.at[0]} + begin;
    place *= t.element_bytes;
    bool inside = true;
    for (std::size_t dim = 1; dim < static_cast<std::size_t>(t.rank); rest /= t.box[dim], ++dim) {
      const std::int64_t at = copy.at[dim] + rest % t.box[dim];
      inside = inside && at >= 0 && at < t.extent[dim];
      place += at * t.stride[dim];
    }
    const std::int64_t last = inside ? end : begin;
    f(BoxRow{offset, static_cast<unsigned char*>(t.memory) + (inside ? place : 0), begin * t.element_bytes,
             last * t.element_bytes});
  }
}

/// Copies between a row, as bytes in order, and its swizzled chunks in shared memory.
template <bool to_shared>
void move_row(const BulkCopy& copy, const BoxRow& row, unsigned char* bytes) {
  for (std::size_t byte = 0; byte < static_cast<std::size_t>(copy.tensor.row_bytes()); byte += chunk) {
    const std::uint32_t offset = row.offset + static_cast<std::uint32_t>(byte);
    const bool plain = copy.tensor.swizzle == dev::Swizzle::none;
    unsigned char* place = copy.thread->block.shared() + (plain ? offset : dev::swizzled(offset, copy.tensor.swizzle));
    if (to_shared) {
      std::memcpy(place, bytes + byte, chunk);
    } else {
      std::memcpy(bytes + byte, place, chunk);
    }
  }
}

void note_hbm(const void* address, std::int64_t bytes, AccessKind kind) {
  if (Recorder* recorder = current->block.recorder(); recorder != nullptr && bytes > 0)
    recorder->bulk_tensor(address, static_cast<std::size_t>(bytes), kind);
}

void land(const BulkCopy& copy) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(copy.tensor.row_bytes()));
  each_row(copy, [&](const BoxRow& row) {
    std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
    note_hbm(row.hbm, row.end - row.begin, AccessKind::read);
    std::memcpy(bytes.data() + row.begin, row.hbm, static_cast<std::size_t>(row.end - row.begin));
    move_row<true>(copy, row, bytes.data());
  });
  if (Recorder* recorder = current->block.recorder())
    recorder->bulk_landed(copy.shared, static_cast<std::size_t>(copy.bytes));
  current->block.mbarriers.complete(*copy.mbarrier, copy.bytes);
}

void read_source(BulkCopy& copy) {
  copy.source.resize(static_cast<std::size_t>(copy.bytes));
  unsigned char* to = copy.source.data();
  if (copy.kind == BulkCopy::Kind::add) {
    std::memcpy(to, copy.shared, copy.source.size());
  } else {
    each_row(copy, [&](const BoxRow& row) {
      move_row<false>(copy, row, to);
      to += copy.tensor.row_bytes();
    });
  }
  copy.source_read = true;
  if (Recorder* recorder = current->block.recorder()) {
    recorder->bulk_source_read(*current, copy.shared, copy.source.size());
    recorder->count_whole_lines(copy.source.size(), AccessKind::read);
  }
}

void write_hbm(BulkCopy& copy) {
  if (copy.kind == BulkCopy::Kind::add) {
    note_hbm(copy.sum, copy.bytes, AccessKind::atomic);
    for (std::size_t n = 0; n < copy.source.size() / sizeof(float); ++n) {
      float value;
      std::memcpy(&value, copy.source.data() + n * sizeof value, sizeof value);
      std::atomic_ref<float>(copy.sum[n]).fetch_add(value, std::memory_order_relaxed);
    }
    return;
  }
  const unsigned char* from = copy.source.data();
  each_row(copy, [&](const BoxRow& row) {
    note_hbm(row.hbm, row.end - row.begin, AccessKind::write);
    std::memcpy(row.hbm, from + row.begin, static_cast<std::size_t>(row.end - row.begin));
    from += copy.tensor.row_bytes();
  });
}

/// Offset of the copy's part of shared memory, whose alignment depends on the swizzle.
void check_shared(const char* operation, const BulkCopy& copy) {
  const std::size_t offset = static_cast<std::size_t>(copy.shared - shared_memory());
  const std::size_t span = dev::swizzle_span(copy.tensor.swizzle);
  const std::size_t multiple = copy.kind == BulkCopy::Kind::add            ? chunk
                               : copy.tensor.swizzle == dev::Swizzle::none ? dev::atom_bytes
                                                                           : dev::core_rows * span;
  const auto smem = static_cast<std::size_t>(current->block.shape().smem);
  if (offset > smem || static_cast<std::size_t>(copy.bytes) > smem - offset)
    fail(sim::text(operation, ": ", copy.bytes, " bytes at byte ", static_cast<std::ptrdiff_t>(offset),
                   " are not in shared memory (", smem, " bytes)"));
  if (offset % multiple != 0)
    fail(sim::text(operation, ": byte ", offset, " of shared memory is no multiple of ", multiple));
}

BulkCopy tensor_copy(BulkCopy::Kind kind, const char* operation, const dev::TiledTensor& tensor, const void* shared,
                     const BoxPosition& at) {
  if (const std::string why = dev::tensor_map_refusal(tensor); !why.empty()) fail(sim::text(operation, ": ", why));
  BulkCopy copy{kind, current, current->pc, static_cast<unsigned char*>(const_cast<void*>(shared)), tensor.box_bytes()};
  copy.tensor = tensor;
  copy.at = at;
  check_shared(operation, copy);
  return copy;
}

/// Issues a copy out of shared memory.
void issue_from_shared(const char* operation, BulkCopy copy) {
  if (Recorder* recorder = current->block.recorder())
    recorder->async_source(operation, *current, copy.shared, static_cast<std::size_t>(copy.bytes));
  copy.group = current->bulk_groups;
  current->block.bulk_copies.issue(std::move(copy));
}

}  // namespace

void BulkCopies::issue(BulkCopy copy) { copies_.push_back(std::move(copy)); }

void BulkCopies::advance(std::size_t n) {
  current = copies_[n].thread;
  finish(n, copies_[n].kind != BulkCopy::Kind::load && !copies_[n].source_read);
  current = nullptr;
}

/// Ends copy n, or only reads its source.
void BulkCopies::finish(std::size_t n, bool only_read) {
  BulkCopy& copy = copies_[n];
  if (copy.kind != BulkCopy::Kind::load && !copy.source_read) read_source(copy);
  if (only_read) return;
  BulkCopy done = std::move(copy);
  copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(n));
  if (done.kind == BulkCopy::Kind::load) return land(done);
  write_hbm(done);
}

void BulkCopies::wait(std::int64_t pending, bool only_read) {
  for (std::size_t n = 0; n < copies_.size();) {
    const BulkCopy& copy = copies_[n];
    const bool waits_for =
        copy.kind != BulkCopy::Kind::load && copy.thread == current && copy.group < current->bulk_groups - pending;
    if (waits_for) finish(n, only_read);
    if (!waits_for || only_read) ++n;
  }
}

void BulkCopies::block_ends() {
  while (!copies_.empty()) {
    const BulkCopy& copy = copies_.front();
    current = copy.thread;
    if (copy.kind == BulkCopy::Kind::load) fail("the block ends while a bulk copy to its shared memory is under way");
    if (!copy.source_read) fail("the block ends before cp.async.bulk.wait_group.read: its shared memory is still read");
    finish(0, false);
    current = nullptr;
  }
}

void tma_load(void* to, const dev::TiledTensor& tensor, void* mbarrier, BoxPosition at) {
  meets_at(__builtin_return_address(0));
  BulkCopy copy = tensor_copy(BulkCopy::Kind::load, "cp.async.bulk.tensor", tensor, to, at);
  copy.mbarrier = &current->block.mbarriers.at("cp.async.bulk.tensor", mbarrier);
  if (Recorder* recorder = current->block.recorder())
    recorder->bulk_issued(*current, to, static_cast<std::size_t>(copy.bytes), copy.mbarrier->number);
  std::memset(to, 0xff, static_cast<std::size_t>(copy.bytes));  // a read before the wait finds NaN
  current->block.bulk_copies.issue(std::move(copy));
}

void tma_store(const dev::TiledTensor& tensor, const void* from, BoxPosition at) {
  meets_at(__builtin_return_address(0));
  const char* operation = "cp.async.bulk.tensor to HBM";
  issue_from_shared(operation, tensor_copy(BulkCopy::Kind::store, operation, tensor, from, at));
}

void bulk_add(float* to, const void* from, int bytes) {
  meets_at(__builtin_return_address(0));
  const char* operation = "cp.reduce.async.bulk";
  BulkCopy copy{BulkCopy::Kind::add, current, current->pc, static_cast<unsigned char*>(const_cast<void*>(from)), bytes};
  copy.sum = to;
  if (bytes < 16 || bytes % 16 != 0) fail(sim::text(operation, ": ", bytes, " bytes; allowed are multiples of 16"));
  if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0) fail(sim::text(operation, ": HBM at no multiple of 16"));
  check_shared(operation, copy);
  issue_from_shared(operation, std::move(copy));
}

void bulk_commit() { ++current->bulk_groups; }

void bulk_wait(int pending, bool only_read) {
  meets_at(__builtin_return_address(0));
  current->block.bulk_copies.wait(pending, only_read);
}

void prefetch_tensor_map(const dev::TiledTensor& tensor) {
  if (const std::string why = dev::tensor_map_refusal(tensor); !why.empty()) fail("prefetch.tensormap: " + why);
}

void fence_proxy_async() {
  if (Recorder* recorder = current->block.recorder()) recorder->races().proxy_fence(current->index);
}

}  // namespace emulator
