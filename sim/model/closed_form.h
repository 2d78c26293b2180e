// Closed forms of what a plan moves and computes, each with its equation. They are written from the papers and the
// conventions alone, without the tile machine; tests hold count == closed form on every shape.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/programs/scenario.h"

namespace sim {

/// One term: bytes that a kernel moves of one tensor in one direction and bucket.
struct TrafficTerm {
  std::string kernel;
  Tensor tensor = Tensor::none;
  Direction direction = Direction::none;
  Bucket bucket = Bucket::matrix;
  std::string equation;                                      ///< "B H Tr Nk d e"
  std::vector<std::pair<std::string, std::int64_t>> values;  ///< its symbols in order of appearance
  Bytes bytes;
};

/// Work of one kind.
struct WorkTerm {
  std::string kernel, quantity;  ///< quantity: "matmul_flops", "other_flops", "exp_count"
  std::string equation;
  std::vector<std::pair<std::string, std::int64_t>> values;
  std::int64_t count = 0;
};

/// Tile traffic of a plan, one term per (kernel, tensor, direction, bucket) that moves anything.
/// Symbols: B H Hkv batch, heads, KV heads; Nq Nk d e shape and bytes per element; Br Bc Tr Tc tiles and their numbers;
/// under a mask: Rq = query rows in live row blocks, Ck = key rows in live column blocks, and
/// Aq = sum over live column blocks of the query rows they meet, Ak = sum over live row blocks of the key rows they
/// meet (whole blocks, the last one short), A = elements of all live tiles.
std::vector<TrafficTerm> closed_form_traffic(const Plan& plan);

/// FLOPs and exps of a plan; elements of live tiles, masked ones included.
std::vector<WorkTerm> closed_form_work(const Plan& plan);

}  // namespace sim
