"""Types of the verbs of a body, written by python/stubs/make_stubs.py."""
from typing import Any, Iterable, overload

from .operands import Block, HbmBlock, HbmTensor, Symbol, Value

def describe(arg: Any, kind: str = "") -> str: ...

class Cta:
    """The `cta` argument of a body: help(fs.Cta.load) tells what a verb computes, where it works and what is counted.

    Verbs that produce nothing new return their first tile, changed in place. A body is recorded once, for all data."""
    def __init__(self, rec: Any) -> None: ...
    def load(self, block: HbmBlock, /) -> Value:
        """Copies a block of a tensor from memory to a tile in shared memory.

        operands  block: a block of a tensor in memory: p.K[j]
        result    a tile in shared memory
        equation  tile = block
        shapes    p.Q[i] (Br, d), p.K[j] (Bc, d), p.S[i, j] (Br, Bc), p.O_part.part(i, j) (Br, d)
        pipe      copy in
        bytes     read: rows x columns x bytes of an element: 2 in fp16 and bf16, 4 in fp32; O_part always
                  4, mask 1
        errors    operands of another kind; a tensor that is not among the inputs, outputs and scratch of
                  the kernel; one that holds one number per row; a tile that does not fit in shared memory,
                  with the needed and the free bytes
        """
    def load_registers(self, block: HbmBlock, /) -> Value:
        """Copies a block of a tensor from memory to a tile in registers.

        operands  block: a block of a tensor in memory: p.K[j]
        result    a tile in registers
        equation  tile = block
        shapes    p.O_part.part(i, j) (Br, d), p.K[j] (Bc, d)
        pipe      copy in
        bytes     read: rows x columns x bytes of an element: 2 in fp16 and bf16, 4 in fp32; O_part always
                  4, mask 1
        errors    operands of another kind; a tensor that is not among the inputs, outputs and scratch of
                  the kernel; a tile that does not fit in the registers of the CTA, with the needed and the
                  free bytes
        """
    def load_vec(self, block: HbmBlock, /) -> Value:
        """Copies one number per row from memory to a vector in registers.

        operands  block: a block of a tensor in memory: p.K[j]
        result    a vector in registers
        equation  vector = block
        shapes    p.m[i], p.l[i], p.L[i] (Br), p.m_part.part(i, j) (Br); p.slopes.all, p.sinks.all (1);
                  p.block_table[j], the entries of the pages that hold block j
        pipe      copy in
        bytes     read: rows x 4 B, since statistics are fp32
        errors    operands of another kind; sizes that differ (columns of a vector in HBM, and 1); a tensor
                  that is not among the inputs, outputs and scratch of the kernel; one that holds tiles
        """
    @overload
    def store(self, tile: Value | None, to: HbmBlock, /) -> Value:
        """Writes a tile to its place in memory, rounded to the dtype of the tensor.

        operands  tile: a tile; to: a block of a tensor in memory: p.K[j]
        result    tile
        equation  to = tile
        shapes    p.O[i] (Br, d), p.S[i, j] (Br, Bc), p.O_part.part(i, j) (Br, d)
        pipe      copy out
        bytes     written: rows x columns x bytes of an element: 2 in fp16 and bf16, 4 in fp32; O_part
                  always 4, mask 1
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place); a tensor that is not among the outputs and scratch of the
                  kernel; one that holds one number per row
        """
    @overload
    def store(self, vec: Value, to: HbmBlock, /) -> Value:
        """Writes a vector to memory.

        operands  vec: a vector, one number per row; to: a block of a tensor in memory: p.K[j]
        result    vec
        equation  to = vec
        shapes    p.m[i], p.l[i], p.L[i] (Br), p.m_part.part(i, j) (Br)
        pipe      copy out
        bytes     written: rows x 4 B, since statistics are fp32
        errors    operands of another kind; sizes that differ (columns of a vector in HBM, and 1; rows of
                  the vector and of its place); a tensor that is not among the outputs and scratch of the
                  kernel; one that holds tiles
        """
    def initialise(self, to: HbmBlock, value: float | Symbol, /) -> None:
        """Fills a block of a tensor in memory with a number, without loading it: zeros, to which CTAs add.

        operands  to: a block of a tensor in memory: p.K[j]; value: a number or p.scale
        result    none
        equation  to = value
        shapes    p.O.all (N, d), p.l.all (N), p.O[i] (Br, d)
        pipe      copy out
        bytes     written: rows x columns x bytes of an element, counted as initialisation
        errors    operands of another kind; a tensor that is not among the outputs and scratch of the kernel
        """
    def atomic_add(self, tile: Value | None, to: HbmBlock, /) -> Value:
        """Adds a tile to its place in memory, where other CTAs add theirs.

        operands  tile: a tile in registers; to: a block of a tensor in memory: p.K[j]
        result    tile
        equation  to = to + tile
        shapes    p.O[i] (Br, d)
        pipe      copy out
        bytes     read and written: rows x columns x bytes of an element, in each direction
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place); a tensor that is not among the outputs and scratch of the
                  kernel
        """
    @overload
    def zeros(self, name: str, rows: Block, like: HbmTensor, /) -> Value:
        """Makes a tile of zeros in registers, with the columns of a tensor: cta.zeros("O", i) takes those of p.O.

        operands  name: a tensor's name in quotes; rows: a block: cta.row(), cta.col() or a loop's; like: a
                  tensor in memory: p.O
        result    a tile in registers
        equation  tile = 0
        shapes    cta.zeros("O", i) (Br, d), cta.zeros("dV", j, p.V) (Bc, d)
        pipe      FP32 pipe: nothing counted; in time 1 operation an element
        bytes     none
        errors    operands of another kind; a name that is not in memory, without a tensor or a block that
                  gives its columns; a tile that does not fit in the registers of the CTA, with the needed
                  and the free bytes
        """
    @overload
    def zeros(self, name: str, rows: Block, cols: Block, /) -> Value:
        """Makes a tile of zeros in registers, of a block of rows and a block of columns.

        operands  name: a tensor's name in quotes; rows: a block: cta.row(), cta.col() or a loop's; cols: a
                  block: cta.row(), cta.col() or a loop's
        result    a tile in registers
        equation  tile = 0
        shapes    cta.zeros("S", i, j) (Br, Bc)
        pipe      FP32 pipe: nothing counted; in time 1 operation an element
        bytes     none
        errors    operands of another kind; a name that is not in memory, without a tensor or a block that
                  gives its columns; a tile that does not fit in the registers of the CTA, with the needed
                  and the free bytes
        """
    @overload
    def zeros(self, name: str, rows: Block, /) -> Value:
        """Makes a tile of zeros in registers, with the columns of a tensor: cta.zeros("O", i) takes those of p.O.

        operands  name: a tensor's name in quotes; rows: a block: cta.row(), cta.col() or a loop's
        result    a tile in registers
        equation  tile = 0
        shapes    cta.zeros("O", i) (Br, d), cta.zeros("dV", j, p.V) (Bc, d)
        pipe      FP32 pipe: nothing counted; in time 1 operation an element
        bytes     none
        errors    operands of another kind; a name that is not in memory, without a tensor or a block that
                  gives its columns; a tile that does not fit in the registers of the CTA, with the needed
                  and the free bytes
        """
    def vec(self, name: str, rows: Block, value: float | Symbol, /) -> Value:
        """Makes a vector in registers with the same number in every row.

        operands  name: a tensor's name in quotes; rows: a block: cta.row(), cta.col() or a loop's; value: a
                  number or p.scale
        result    a vector in registers
        equation  vector = value
        shapes    cta.vec("m", i, -inf) (Br)
        pipe      FP32 pipe: nothing counted; in time 1 operation an element
        bytes     none
        errors    operands of another kind
        """
    def keep_mask(self, i: Block, j: Block, /) -> Value:
        """Draws the dropout mask of a tile into shared memory: 1 for pairs that are kept, 0 for others.

        operands  i: a block of queries; j: a block of keys
        result    a tile in shared memory
        equation  Z = 1 with probability 1 - p, else 0
        shapes    Z (Br, Bc)
        pipe      FP32 pipe: nothing counted; in time 1 operation an element
        bytes     none
        errors    operands of another kind; a tile that does not fit in shared memory
        """
    @overload
    def free(self, held: Value | None, /) -> None:
        """Ends a tile before the end of its iteration, so that another one takes its space.

        operands  held: a tile
        result    none
        equation  none
        shapes    of any size
        pipe      none
        bytes     none
        errors    operands of another kind; a tile that has ended; inside a loop, a tile from before the
                  loop
        """
    @overload
    def free(self, held: Value, /) -> None:
        """Ends a vector before the end of its iteration.

        operands  held: a vector, one number per row
        result    none
        equation  none
        shapes    of any size
        pipe      none
        bytes     none
        errors    operands of another kind; a vector that has ended; inside a loop, a vector from before the
                  loop
        """
    @overload
    def gemm_nt(self, Q: Value | None, K: Value | None, /) -> Value:
        """Multiplies a tile by the transpose of another: scores.

        operands  Q: a tile in shared memory, as cta.load makes; K: a tile
        result    a tile in registers
        equation  S = Q K^T
        shapes    Q (Br, d), K (Bc, d), S (Br, Bc)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (columns of the factors); a first factor in
                  registers: load it with cta.load; a result that does not fit in the registers of the CTA
        """
    @overload
    def gemm_nt(self, name: str, dO: Value | None, V: Value | None, /) -> Value:
        """Does the same under another name, for a product that is not S.

        operands  name: a tensor's name in quotes; dO: a tile in shared memory, as cta.load makes; V: a tile
        result    a tile in registers
        equation  dP = dO V^T
        shapes    dO (Br, d), V (Bc, d), dP (Br, Bc)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (columns of the factors); a first factor in
                  registers: load it with cta.load; a result that does not fit in the registers of the CTA
        """
    def gemm_nt_add(self, S: Value | None, Q: Value | None, K: Value | None, /) -> Value:
        """Adds a product to a tile: scores whose sum over d is taken in slices.

        operands  S: a tile in registers; Q: a tile in shared memory, as cta.load makes; K: a tile
        result    S, changed in place
        equation  S = S + Q K^T
        shapes    S (Br, Bc), Q (Br, slice), K (Bc, slice)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (columns of the factors; rows of the sum and
                  of the product; columns of the sum and of the product); a sum in shared memory: make it
                  with cta.zeros
        """
    @overload
    def gemm_nn(self, P: Value | None, V: Value | None, /) -> Value:
        """Multiplies two tiles: weights by values.

        operands  P: a tile; V: a tile
        result    a tile in registers
        equation  PV = P V
        shapes    P (Br, Bc), V (Bc, d), PV (Br, d)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (columns of the first factor and rows of the
                  second); a result that does not fit in the registers of the CTA
        """
    @overload
    def gemm_nn(self, name: str, dS: Value | None, K: Value | None, /) -> Value:
        """Does the same under another name, for a product that is not PV.

        operands  name: a tensor's name in quotes; dS: a tile; K: a tile
        result    a tile in registers
        equation  dQ = dS K
        shapes    dS (Br, Bc), K (Bc, d), dQ (Br, d)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (columns of the first factor and rows of the
                  second); a result that does not fit in the registers of the CTA
        """
    def gemm_nn_add(self, O: Value | None, P: Value | None, V: Value | None, /) -> Value:
        """Adds a product to a tile: weights by values, into O.

        operands  O: a tile; P: a tile; V: a tile
        result    O, changed in place
        equation  O = O + P V
        shapes    O (Br, d), P (Br, Bc), V (Bc, d)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (columns of the first factor and rows of the
                  second; rows of the sum and of the product; columns of the sum and of the product)
        """
    def gemm_tn_add(self, dV: Value | None, P: Value | None, dO: Value | None, /) -> Value:
        """Adds the product of a transposed tile and another to a tile: sums over the rows of a block.

        operands  dV: a tile in registers; P: a tile; dO: a tile in shared memory, as cta.load makes
        result    dV, changed in place
        equation  dV = dV + P^T dO
        shapes    dV (Bc, d), P (Br, Bc), dO (Br, d)
        pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the
                  FP32 pipe
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the factors; rows of the sum and of
                  the product; columns of the sum and of the product); a sum in shared memory: make it with
                  cta.zeros
        """
    def scale(self, S: Value | None, factor: float | Symbol, /) -> Value:
        """Multiplies a tile by a number, as p.scale.

        operands  S: a tile in registers; factor: a number or p.scale
        result    S, changed in place
        equation  S = factor S
        shapes    S (Br, Bc)
        pipe      FP32 pipe: 1 operation an element; in time 0 operations an element of S, since kernels
                  fold it into the exponential
        bytes     none
        errors    operands of another kind
        """
    def modify(self, S: Value | None, i: Block, j: Block, /) -> Value:
        """Modifies scores before the mask: by score_mod of the program, then softcap, ALiBi and the formulas of the options.

        operands  S: a tile; i: a block of queries; j: a block of keys
        result    S, changed in place
        equation  S = score steps of S; S where there are none
        shapes    S (Br, Bc)
        pipe      FP32 pipe: the operations of the formulas; with tanh or exp the exp unit, and one of it
                  for each
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place); a formula that is not finite for a score that a query sees;
                  options that modify scores, for a program without this verb; ALiBi, for one without if
                  p.alibi: cta.load_vec(p.slopes.all)
        """
    def mask(self, S: Value | None, i: Block, j: Block, /) -> Value:
        """Sets hidden pairs to -inf, by the causal mask, the window and the padding of the problem.

        operands  S: a tile; i: a block of queries; j: a block of keys
        result    S, changed in place
        equation  S = -inf where the pair is hidden
        shapes    S (Br, Bc)
        pipe      FP32 pipe: nothing counted; in time 2 operations an element, compare and select
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place)
        """
    @overload
    def exp_sub(self, S: Value | None, m: Value, /) -> Value:
        """Subtracts a vector from each column of a tile and takes the exponential; the tile becomes the result.

        operands  S: a tile; m: a vector, one number per row
        result    the tile S, which is the result from now on
        equation  P = exp(S - m); 0 where S = -inf
        shapes    S (Br, Bc), m (Br), P (Br, Bc)
        pipe      exp unit: 1 operation an element, the subtraction, and 1 exponential an element; in time
                  1.5 operations an element, with the conversion of P
        bytes     none
        errors    operands of another kind; sizes that differ (rows of tile and vector); S afterwards: use
                  the result
        """
    @overload
    def exp_sub(self, m: Value, m_new: Value, name: str, /) -> Value:
        """Computes the factor that brings sums from an old maximum to a new one, or the weight exp(sink - m) of a sink.

        operands  m: a vector, one number per row; m_new: a vector, one number per row; name: a tensor's
                  name in quotes
        result    a vector in registers
        equation  alpha = exp(m - m_new); 0 where m = -inf
        shapes    m (Br), or p.sinks.all (1), which counts for all rows; m_new (Br), alpha (Br)
        pipe      FP32 pipe: nothing counted
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the vectors)
        """
    @overload
    def dropout(self, P: Value | None, i: Block, j: Block, /) -> Value:
        """Drops weights of a tile and scales the others, with a mask drawn element by element.

        operands  P: a tile; i: a block of queries; j: a block of keys
        result    P, changed in place
        equation  P = Z o P / (1 - p)
        shapes    P (Br, Bc)
        pipe      FP32 pipe: 1 operation an element; in time 7 operations an element, with its share of a
                  random number, compare and select
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place)
        """
    @overload
    def dropout(self, P: Value | None, Z: Value | None, /) -> Value:
        """Drops weights with a mask that was drawn by cta.keep_mask or loaded.

        operands  P: a tile; Z: a tile in shared memory, as cta.load makes
        result    P, changed in place
        equation  P = Z o P / (1 - p)
        shapes    P (Br, Bc), Z (Br, Bc)
        pipe      FP32 pipe: 1 operation an element; in time 7 operations an element, with its share of a
                  random number, compare and select
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place)
        """
    def dropped(self, P: Value | None, i: Block, j: Block, /) -> Value:
        """Does the same as dropout in a new tile, if P itself is still needed.

        operands  P: a tile in registers; i: a block of queries; j: a block of keys
        result    a tile in registers
        equation  P_dropped = Z o P / (1 - p)
        shapes    P (Br, Bc), P_dropped (Br, Bc)
        pipe      FP32 pipe: 1 operation an element; in time 7 operations an element, with its share of a
                  random number, compare and select
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place)
        """
    def jacobian(self, P: Value | None, dP: Value | None, D: Value, /) -> Value:
        """Brings a gradient through the softmax; the tile dP becomes the result.

        operands  P: a tile; dP: a tile; D: a vector, one number per row
        result    the tile dP, which is the result from now on
        equation  dS = P o (dP - D); 0 where P = 0
        shapes    P (Br, Bc), dP (Br, Bc), D (Br), dS (Br, Bc)
        pipe      FP32 pipe: 2 operations an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place; rows of tile and vector); dP afterwards: use the result
        """
    def scale_rows(self, O: Value | None, alpha: Value, /) -> Value:
        """Multiplies each row of a tile by its number in a vector: the rescaling of the online softmax.

        operands  O: a tile in registers; alpha: a vector, one number per row
        result    O, changed in place
        equation  O = diag(alpha) O
        shapes    O (Br, d), alpha (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of tile and vector)
        """
    def divide_rows(self, O: Value | None, l: Value, /) -> Value:
        """Divides each row of a tile by its number in a vector: the normalisation at the end of the softmax.

        operands  O: a tile; l: a vector, one number per row
        result    O, changed in place
        equation  O = diag(l)^-1 O; 0 where l = 0
        shapes    O (Br, d), l (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of tile and vector)
        """
    @overload
    def blend(self, O: Value | None, alpha: Value, l: Value, PV: Value | None, beta: Value, l_new: Value, /) -> Value:
        """Merges a normalised O with the product of one block: line 12 of FlashAttention-1's algorithm.

        operands  O: a tile; alpha: a vector, one number per row; l: a vector, one number per row; PV: a
                  tile in registers; beta: a vector, one number per row; l_new: a vector, one number per row
        result    O, changed in place
        equation  O = diag(l_new)^-1 (diag(alpha l) O + diag(beta) PV); 0 where l_new = 0
        shapes    O (Br, d), PV (Br, d); alpha, l, beta, l_new (Br)
        pipe      FP32 pipe: 3 operations an element, two scalings and an addition
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place; rows of tile and vector)
        """
    @overload
    def blend(self, alpha: Value, l: Value, beta: Value, l_tilde: Value, /) -> Value:
        """Merges two sums of rows.

        operands  alpha: a vector, one number per row; l: a vector, one number per row; beta: a vector, one
                  number per row; l_tilde: a vector, one number per row
        result    a vector in registers
        equation  l_new = alpha l + beta l_tilde
        shapes    alpha, l, beta, l_tilde, l_new (Br)
        pipe      FP32 pipe: nothing counted
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the vectors)
        """
    @overload
    def row_max(self, S: Value | None, /) -> Value:
        """Takes the maximum of each row of a tile.

        operands  S: a tile
        result    a vector in registers
        equation  m = rowmax(S)
        shapes    S (Br, Bc), m (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind
        """
    @overload
    def row_max(self, S: Value | None, m: Value, /) -> Value:
        """Takes the maximum of each row of a tile and of a vector: the running maximum.

        operands  S: a tile; m: a vector, one number per row
        result    a vector in registers
        equation  m_new = max(m, rowmax(S))
        shapes    S (Br, Bc), m (Br), m_new (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of tile and vector)
        """
    def row_sum(self, P: Value | None, /) -> Value:
        """Sums each row of a tile.

        operands  P: a tile
        result    a vector in registers
        equation  l = rowsum(P)
        shapes    P (Br, Bc), l (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind
        """
    @overload
    def add_row_sum(self, l: Value, P: Value | None, /) -> Value:
        """Adds the sum of each row of a tile to a vector.

        operands  l: a vector, one number per row; P: a tile
        result    a vector in registers
        equation  l_new = l + rowsum(P)
        shapes    l (Br), P (Br, Bc), l_new (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of tile and vector)
        """
    @overload
    def add_row_sum(self, l: Value, alpha: Value, P: Value | None, /) -> Value:
        """Rescales a running sum and adds the sum of each row of a tile.

        operands  l: a vector, one number per row; alpha: a vector, one number per row; P: a tile
        result    a vector in registers
        equation  l_new = alpha l + rowsum(P)
        shapes    l (Br), alpha (Br), P (Br, Bc), l_new (Br)
        pipe      FP32 pipe: 1 operation an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of tile and vector; rows of the vectors)
        """
    def row_dot(self, dO: Value | None, O: Value | None, /) -> Value:
        """Takes the dot product of each row of two tiles.

        operands  dO: a tile; O: a tile
        result    a vector in registers
        equation  D = rowsum(dO o O)
        shapes    dO (Br, d), O (Br, d), D (Br)
        pipe      FP32 pipe: 2 operations an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place)
        """
    def add_row_dot(self, D: Value, P: Value | None, dP: Value | None, /) -> Value:
        """Adds the dot product of each row of two tiles to a vector.

        operands  D: a vector, one number per row; P: a tile; dP: a tile
        result    a vector in registers
        equation  D_new = D + rowsum(P o dP)
        shapes    D (Br), P (Br, Bc), dP (Br, Bc), D_new (Br)
        pipe      FP32 pipe: 2 operations an element
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the tile and of its place; columns of
                  the tile and of its place; rows of tile and vector)
        """
    def max(self, a: Value, b: Value, /) -> Value:
        """Takes the larger number of each row of two vectors.

        operands  a: a vector, one number per row; b: a vector, one number per row
        result    a vector in registers
        equation  m = max(a, b)
        shapes    a (Br); b (Br), or p.sinks.all (1), which counts for all rows; m (Br)
        pipe      FP32 pipe: nothing counted
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the vectors)
        """
    def log_sum_exp(self, m: Value, l: Value, /) -> Value:
        """Computes L of each row from its maximum and its sum.

        operands  m: a vector, one number per row; l: a vector, one number per row
        result    a vector in registers
        equation  L = m + log l; -inf where l = 0
        shapes    m (Br), l (Br), L (Br)
        pipe      FP32 pipe: nothing counted
        bytes     none
        errors    operands of another kind; sizes that differ (rows of the vectors)
        """
    def key_blocks(self, i: Block, /) -> Iterable[Block]:
        """Loops over the blocks of keys with a visible pair in tile (i, j), upwards.

        operands  i: a block of queries
        result    a block of keys in each iteration
        equation  for j in cta.key_blocks(i)
        shapes    j: Bc keys
        pipe      none
        bytes     none
        errors    operands of another kind; a loop that is left by break or return, or that is in three
                  others; an iteration that does not repeat the one before, except by j.masked and j.last
        """
    def key_blocks_down(self, i: Block, /) -> Iterable[Block]:
        """Loops over the blocks of keys with a visible pair in tile (i, j), downwards, from the last one.

        operands  i: a block of queries
        result    a block of keys in each iteration
        equation  for j in cta.key_blocks_down(i)
        shapes    j: Bc keys
        pipe      none
        bytes     none
        errors    operands of another kind; those of key_blocks
        """
    def query_blocks(self, j: Block, /) -> Iterable[Block]:
        """Loops over the blocks of queries with a visible pair in tile (i, j).

        operands  j: a block of keys
        result    a block of queries in each iteration
        equation  for i in cta.query_blocks(j)
        shapes    i: Br queries
        pipe      none
        bytes     none
        errors    operands of another kind; those of key_blocks
        """
    def query_visits(self, j: Block, /) -> Iterable[Block]:
        """Loops as query_blocks does; i.last is true in the last visit of the rows i by any block of keys.

        operands  j: a block of keys
        result    a block of queries in each iteration
        equation  for i in cta.query_visits(j)
        shapes    i: Br queries
        pipe      none
        bytes     none
        errors    operands of another kind; those of key_blocks
        """
    def live_key_blocks(self, /) -> Iterable[Block]:
        """Loops over the blocks of keys that some query sees.

        operands  none
        result    a block of keys in each iteration
        equation  for j in cta.live_key_blocks()
        shapes    j: Bc keys
        pipe      none
        bytes     none
        errors    any operand; those of key_blocks
        """
    def all_key_blocks(self, /) -> Iterable[Block]:
        """Loops over all blocks of keys; j.masked is true where a pair of the tile with the CTA's rows is hidden.

        operands  none
        result    a block of keys in each iteration
        equation  for j in cta.all_key_blocks()
        shapes    j: Bc keys
        pipe      none
        bytes     none
        errors    any operand; those of key_blocks
        """
    def query_heads(self, /) -> Iterable[Block]:
        """Loops over the query heads of a CTA's KV head: inside, p.Q, p.O ... are those of the head.

        operands  none
        result    a query head in each iteration
        equation  for h in cta.query_heads()
        shapes    h: one query head
        pipe      none
        bytes     none
        errors    any operand; those of key_blocks; h as the index of a tensor; h.masked
        """
    def chunks(self, extent: Symbol, size: Symbol, /) -> Iterable[Block]:
        """Loops over slices of d or of the keys.

        operands  extent: a value of the problem: p.head_dim, p.head_dim_v, p.slice, p.keys or p.bc; size: a
                  value of the problem: p.head_dim, p.head_dim_v, p.slice, p.keys or p.bc
        result    a slice in each iteration
        equation  for c in cta.chunks(p.head_dim, p.slice)
        shapes    c: p.slice columns of d, or p.bc keys of cta.chunks(p.keys, p.bc)
        pipe      none
        bytes     none
        errors    operands of another kind; those of key_blocks; an extent other than p.head_dim and p.keys;
                  c.masked
        """
    def row(self, /) -> Block:
        """Returns row block i of the CTA; all rows if its grid does not split them.

        operands  none
        result    a block of queries
        equation  i = cta.row()
        shapes    i: Br queries
        pipe      none
        bytes     none
        errors    any operand
        """
    def col(self, /) -> Block:
        """Returns column block j of the CTA; all keys if its grid does not split them.

        operands  none
        result    a block of keys
        equation  j = cta.col()
        shapes    j: Bc keys
        pipe      none
        bytes     none
        errors    any operand
        """
    def live(self, i: Block, /) -> bool:
        """Asks if some row of the CTA's row block sees a key. The body is recorded for both answers.

        operands  i: a block of queries
        result    true or false
        equation  if cta.live(i)
        shapes    i: Br queries
        pipe      none
        bytes     none
        errors    operands of another kind; a block other than cta.row()
        """
    def seen(self, j: Block, /) -> bool:
        """Asks if some query sees a key of the CTA's block. The body is recorded for both answers.

        operands  j: a block of keys
        result    true or false
        equation  if cta.seen(j)
        shapes    j: Bc keys
        pipe      none
        bytes     none
        errors    operands of another kind; a block other than cta.col() and cta.row()
        """
