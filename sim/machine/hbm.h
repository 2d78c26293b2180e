// Tensors in device memory, and the blocks of them that a CTA names. Batch and head are the CTA's own, so a block is
// symbolic: the same `block(hbm.K, j)` is another address in every CTA.
#pragma once
#include <array>

#include "sim/base/dtype.h"
#include "sim/base/shape.h"
#include "sim/machine/blocks.h"

namespace sim {

/// An input that is not in memory as a whole, but made row by row as it is read.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual const float* row(std::int64_t index) = 0;  ///< stays until another row is asked for
};

/// One tensor as one head sees it: (rows, cols), and its storage for the head being computed (null while counting);
/// where one CTA takes all query heads of a KV head, they follow each other there.
struct HbmTensor {
  Tensor name = Tensor::none;
  bool per_kv_head = false;  ///< K, V and their gradients: shared by the query heads of a group
  bool per_entry = false;    ///< shared by all heads of a batch entry
  std::int64_t rows = 0, cols = 0;
  std::int64_t part_cols = 0;   ///< columns of one part; cols where there are no parts
  Dtype dtype = Dtype::fp32;    ///< statistics are fp32
  float* values = nullptr;      ///< row-major
  RowSource* source = nullptr;  ///< what is read in place of them
  Interval kept;  ///< the rows that are there, of one head; others read as 0 and are not written; empty: all rows
  std::int64_t elements() const { return rows * cols; }  ///< of one head
  std::int64_t head_count(const Shape& shape) const;     ///< batch x (query or KV) heads, or batch
  Bytes total_bytes(const Shape& shape) const;           ///< all heads
};

/// A block of rows (and columns) of a tensor.
struct HbmBlock {
  const HbmTensor* tensor;
  Axis rows, cols;
};

/// Everything that a program may name in HBM.
struct Hbm {
  HbmTensor Q, K, V, O, S, P, L, m, l, D, dO, dQ, dK, dV, dS, dP, dQ_acc, O_tmp, dQ_tmp, S_masked, P_dropped,
      dP_dropped, mask, O_part, L_part, m_part, l_part, mask_blocks, sequences;
  const HbmTensor& operator[](Tensor tensor) const;
  HbmTensor& operator[](Tensor tensor);
};

/// The tensors of a shape, of the dtype unless said otherwise: Q, O, dO, dQ (Nq, d); K, V, dK, dV (Nk, d) per KV head;
/// S, S_masked, P, P_dropped, dP, dP_dropped, dS (Nq, Nk); mask (Nq, Nk) of one byte; L, m, l, D (Nq) and
/// dQ_acc, O_tmp, dQ_tmp (Nq, d) in fp32; O_part (Nq, parts d) and L_part, m_part, l_part (Nq, parts) in fp32;
/// mask_blocks (Tr, Tc) of one byte, for tiles of br x bc; sequences (1, 4) in int32: first query, Nq, first key, Nk.
Hbm make_hbm(const Shape& shape, Dtype dtype, std::int64_t parts = 1, std::int64_t br = 1, std::int64_t bc = 1);

/// Rows `i` of a tensor, all columns; tile (i, j) of an N x N matrix; rows `i` of part `of`; the whole tensor.
HbmBlock block(const HbmTensor& tensor, const Block& rows);
HbmBlock block(const HbmTensor& tensor, const Block& rows, const Block& cols);
HbmBlock part(const HbmTensor& tensor, const Block& rows, const Block& of);
HbmBlock whole(const HbmTensor& tensor);

/// Of a tensor with an element per tile: those of row block i, and of column block j.
HbmBlock row_of(const HbmTensor& tensor, const Block& i);
HbmBlock column_of(const HbmTensor& tensor, const Block& j);

}  // namespace sim
