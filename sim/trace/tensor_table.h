// Tensors that several programs name, one per row: the enumeration `Tensor`, its facts and the members of `Hbm` are
// generated from these rows. A tensor of only one program is declared with that program, by declare_tensor().
#pragma once

// row(name, owner, rows, columns, copies, dtype, kind, family, gradient, whose): the columns are those of TensorFacts
// in sim/trace/tensors.h. `mask` is the dropout mask, `mask_blocks` the pattern of block-sparse attention, `sequences`
// the begins and ends of the entries of a ragged batch, `slopes` those of ALiBi, `sinks` logits that join the
// softmax, `block_table` the physical pages of an entry's keys, `q_scale`, `k_scale` and `v_scale` the factors of e4m3,
// a number for each block or head, `G` the derivatives of score steps.
// clang-format off
#define FLASHSCOPE_HBM_TENSORS(row)                                                           \
  row(Q,           query_head, Nq,  d,    one_copy, asked, matrix,    Q,    no,       caller)  \
  row(K,           kv_head,    Nk,  d,    one_copy, asked, matrix,    K,    no,       caller)  \
  row(V,           kv_head,    Nk,  dv,   one_copy, asked, matrix,    V,    no,       caller)  \
  row(O,           query_head, Nq,  dv,   one_copy, asked, matrix,    O,    no,       caller)  \
  row(S,           query_head, Nq,  Nk,   one_copy, asked, matrix,    S,    no,       program) \
  row(P,           query_head, Nq,  Nk,   one_copy, asked, matrix,    P,    no,       program) \
  row(L,           query_head, Nq,  one,  one_copy, fp32,  statistic, none, no,       program) \
  row(m,           query_head, Nq,  one,  one_copy, fp32,  statistic, none, no,       program) \
  row(l,           query_head, Nq,  one,  one_copy, fp32,  statistic, none, no,       program) \
  row(D,           query_head, Nq,  one,  one_copy, fp32,  statistic, none, no,       program) \
  row(dO,          query_head, Nq,  dv,   one_copy, asked, matrix,    O,    gradient, caller)  \
  row(dQ,          query_head, Nq,  d,    one_copy, asked, matrix,    Q,    gradient, caller)  \
  row(dK,          kv_head,    Nk,  d,    one_copy, asked, matrix,    K,    gradient, caller)  \
  row(dV,          kv_head,    Nk,  dv,   one_copy, asked, matrix,    V,    gradient, caller)  \
  row(dS,          query_head, Nq,  Nk,   one_copy, asked, matrix,    S,    gradient, program) \
  row(dP,          query_head, Nq,  Nk,   one_copy, asked, matrix,    P,    gradient, program) \
  row(dQ_acc,      query_head, Nq,  d,    one_copy, fp32,  matrix,    Q,    gradient, program) \
  row(S_masked,    query_head, Nq,  Nk,   one_copy, asked, matrix,    S,    no,       program) \
  row(P_dropped,   query_head, Nq,  Nk,   one_copy, asked, matrix,    P,    no,       program) \
  row(dP_dropped,  query_head, Nq,  Nk,   one_copy, asked, matrix,    P,    gradient, program) \
  row(mask,        query_head, Nq,  Nk,   one_copy, u8,    matrix,    none, no,       program) \
  row(O_part,      query_head, Nq,  dv,   of_parts, fp32,  matrix,    O,    no,       program) \
  row(L_part,      query_head, Nq,  one,  of_parts, fp32,  statistic, none, no,       program) \
  row(m_part,      query_head, Nq,  one,  of_parts, fp32,  statistic, none, no,       program) \
  row(l_part,      query_head, Nq,  one,  of_parts, fp32,  statistic, none, no,       program) \
  row(mask_blocks, query_head, Tr,  Tc,   one_copy, u8,    matrix,    none, no,       program) \
  row(sequences,   entry,      one, four, one_copy, i32,   matrix,    none, no,       program) \
  row(slopes,      query_head, one, one,  one_copy, fp32,  matrix,    none, no,       program) \
  row(sinks,       query_head, one, one,  one_copy, fp32,  matrix,    none, no,       program) \
  row(block_table, entry,      Np,  one,  one_copy, i32,   matrix,    none, no,       program) \
  row(q_scale,     query_head, Tr,  one,  one_copy, fp32,  matrix,    none, no,       program) \
  row(k_scale,     kv_head,    Tc,  one,  one_copy, fp32,  matrix,    none, no,       program) \
  row(v_scale,     kv_head,    Tc,  one,  one_copy, fp32,  matrix,    none, no,       program)

/// Tensors that live on chip only: PV is a product on its way into O; alpha and beta are factors of its rows; S_row the
/// scores of a row with many keys, which stay in shared memory; VT the transpose of V.
#define FLASHSCOPE_CHIP_TENSORS(row)                                                          \
  row(PV,          query_head, Nq,  dv,   one_copy, fp32,  matrix,    O,    no,       program) \
  row(alpha,       query_head, Nq,  one,  one_copy, fp32,  matrix,    none, no,       program) \
  row(beta,        query_head, Nq,  one,  one_copy, fp32,  matrix,    none, no,       program) \
  row(G,           query_head, Nq,  Nk,   one_copy, fp32,  matrix,    S,    no,       program) \
  row(S_row,       query_head, Nq,  Nk,   one_copy, fp32,  matrix,    S,    no,       program) \
  row(VT,          kv_head,    Nk,  dv,   one_copy, asked, matrix,    V,    no,       program)
// clang-format on
