// Tensors in device memory, and their blocks as a CTA names them. Batch and head are the CTA's own, so a block is
// symbolic: the same `block(hbm.K, j)` is a different address in every CTA.
#pragma once
#include <vector>

#include "sim/base/dtype.h"
#include "sim/base/pages.h"
#include "sim/base/shape.h"
#include "sim/machine/blocks.h"
#include "sim/trace/tensors.h"

namespace sim {

/// An input that is generated row by row as it is read, instead of stored.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual const float* row(std::int64_t index) = 0;  ///< valid until the next call
};

/// One tensor as one head sees it: (rows, cols), and its storage for the head being computed (null while counting). If
/// one CTA takes all query heads of a KV head, their storage is contiguous.
struct HbmTensor {
  Tensor name = Tensor::none;
  Owner owner = Owner::query_head;
  std::int64_t rows = 0, cols = 0;
  std::int64_t part_cols = 0;        ///< columns of one part; equal to cols if there are no parts
  Dtype dtype = Dtype::fp32;         ///< statistics are fp32
  float* values = nullptr;           ///< row-major
  RowSource* source = nullptr;       ///< read instead of `values`
  Interval kept;                     ///< stored rows of one head; others read as 0 and are not written; empty: all rows
  const PageTable* pages = nullptr;  ///< of K and V, and of their table: where their rows lie; null: not in pages
  std::int64_t shared_rows = 0;      ///< of a KV head of all entries: rows that lie in pages of another entry
  bool per_kv_head() const { return owner == Owner::kv_head; }
  std::int64_t elements() const { return rows * cols; }  ///< per owner
  std::int64_t owner_count(const Shape& shape) const;    ///< batch x (query or KV) heads, batch, or 1
  Bytes total_bytes(const Shape& shape) const;           ///< total over owners
  std::int64_t stored_rows() const;                      ///< rows of its memory: whole pages of them, if it has pages
};

/// A block of rows (and columns) of a tensor.
struct HbmBlock {
  const HbmTensor* tensor;
  Axis rows, cols;
  InLoop in = {};  ///< iteration that its rows belong to; none: the running one
};

/// All tensors that a program may name in HBM: hbm.Q, hbm.K and so on for the rows of sim/trace/tensor_table.h, and
/// hbm[X] for a tensor X that a program declares.
#define FLASHSCOPE_MEMBER(name, ...) HbmTensor name;
struct Hbm {
  FLASHSCOPE_HBM_TENSORS(FLASHSCOPE_MEMBER)
  std::vector<HbmTensor> declared = {};  ///< in the order of their declarations
  const HbmTensor& operator[](Tensor tensor) const;
  HbmTensor& operator[](Tensor tensor);
};
#undef FLASHSCOPE_MEMBER

/// Makes the tensors of a shape, sized by the table of tensors: (Nq, d) for Q, (Nk, d) for K, (Nq, Nk) for S and so on;
/// tensors in parts have `parts` copies of their columns. Tr and Tc are counted in tiles of br x bc. Elements have
/// `dtype` unless the tensor has its own; O has result_dtype(dtype). K and V are in the pages of `pages`, which must
/// outlive them; null: in none.
Hbm make_hbm(const Shape& shape, Dtype dtype, std::int64_t parts = 1, std::int64_t br = 1, std::int64_t bc = 1,
             const PageTable* pages = nullptr);

/// Rows `i` of a tensor, all columns; tile (i, j) of an N x N matrix; rows `i` of part `of`; the whole tensor.
HbmBlock block(const HbmTensor& tensor, const Block& rows);
HbmBlock block(const HbmTensor& tensor, const Block& rows, const Block& cols);
HbmBlock part(const HbmTensor& tensor, const Block& rows, const Block& of);
HbmBlock whole(const HbmTensor& tensor);

/// A number per query head, of the heads that row block i holds: one, or a row of it each if heads are rows.
HbmBlock heads_of(const HbmTensor& tensor, const Block& i);

/// The entries of the pages that hold the keys of block j: Bc / P of them, or one if a page holds the block.
HbmBlock pages_of(const HbmTensor& table, const Block& j);

/// Elements of row block i, and of column block j, of a tensor with one element per tile.
HbmBlock row_of(const HbmTensor& tensor, const Block& i);
HbmBlock column_of(const HbmTensor& tensor, const Block& j);

}  // namespace sim
