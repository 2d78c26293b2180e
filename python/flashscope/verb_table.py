"""The table of verbs: the one place for their operands, their help, the stubs and docs/verbs.md.

A row is a form of a verb: its operands with their kinds in order, the kind of its result, a sentence, and six parts: an
equation, shapes, the unit of the SM that works with what is counted, bytes counted, sizes that must be equal (in the
words of the error), and further errors. Parts that a second form leaves out are those of the form before it.

Kinds: smem and registers are tiles at that level, tile is either, vec is one number per row in registers, block is a
block of an axis (queries and keys: of that one), hbm is a block of a tensor in memory, tensor is the tensor itself,
name is a tensor's name, number is a number or p.scale, extent is another value of the problem. `same`: the result is
the tile of exp_sub and jacobian itself, which they take over. Results of loops are the axis of their blocks.
"""

TABLE = """
# Movement between memory and the SM

load             block:hbm -> smem
  Copies a block of a tensor from memory to a tile in shared memory.
  equation  tile = block
  shapes    p.Q[i] (Br, d), p.K[j] (Bc, d), p.S[i, j] (Br, Bc), p.O_part.part(i, j) (Br, d)
  pipe      copy in
  bytes     read: rows x columns x bytes of an element: 2 in fp16 and bf16, 4 in fp32; O_part always 4, mask 1
  differ    none
  errors    a tensor that is not among the inputs, outputs and scratch of the kernel; one that holds one number per row;
            a tile that does not fit in shared memory, with the needed and the free bytes

load_registers   block:hbm -> registers
  Copies a block of a tensor from memory to a tile in registers.
  equation  tile = block
  shapes    p.O_part.part(i, j) (Br, d), p.K[j] (Bc, d)
  pipe      copy in
  bytes     read: rows x columns x bytes of an element: 2 in fp16 and bf16, 4 in fp32; O_part always 4, mask 1
  differ    none
  errors    a tensor that is not among the inputs, outputs and scratch of the kernel; a tile that does not fit in the
            registers of the CTA, with the needed and the free bytes

load_vec         block:hbm -> vec
  Copies one number per row from memory to a vector in registers.
  equation  vector = block
  shapes    p.m[i], p.l[i], p.L[i] (Br), p.m_part.part(i, j) (Br); p.slopes.all, p.sinks.all (1); p.block_table[j], the
            entries of the pages that hold block j
  pipe      copy in
  bytes     read: rows x 4 B, since statistics are fp32
  differ    columns of a vector in HBM, and 1
  errors    a tensor that is not among the inputs, outputs and scratch of the kernel; one that holds tiles

store            tile:tile to:hbm
  Writes a tile to its place in memory, rounded to the dtype of the tensor.
  equation  to = tile
  shapes    p.O[i] (Br, d), p.S[i, j] (Br, Bc), p.O_part.part(i, j) (Br, d)
  pipe      copy out
  bytes     written: rows x columns x bytes of an element: 2 in fp16 and bf16, 4 in fp32; O_part always 4, mask 1
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    a tensor that is not among the outputs and scratch of the kernel; one that holds one number per row

store            vec:vec to:hbm
  Writes a vector to memory.
  equation  to = vec
  shapes    p.m[i], p.l[i], p.L[i] (Br), p.m_part.part(i, j) (Br)
  bytes     written: rows x 4 B, since statistics are fp32
  differ    columns of a vector in HBM, and 1; rows of the vector and of its place
  errors    a tensor that is not among the outputs and scratch of the kernel; one that holds tiles

initialise       to:hbm value:number
  Fills a block of a tensor in memory with a number, without loading it: zeros, to which CTAs add.
  equation  to = value
  shapes    p.O.all (N, d), p.l.all (N), p.O[i] (Br, d)
  pipe      copy out
  bytes     written: rows x columns x bytes of an element, counted as initialisation
  differ    none
  errors    a tensor that is not among the outputs and scratch of the kernel

atomic_add       tile:registers to:hbm
  Adds a tile to its place in memory, where other CTAs add theirs.
  equation  to = to + tile
  shapes    p.O[i] (Br, d)
  pipe      copy out
  bytes     read and written: rows x columns x bytes of an element, in each direction
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    a tensor that is not among the outputs and scratch of the kernel

# Making tiles and vectors

zeros            name:name rows:block like:tensor -> registers
  Makes a tile of zeros in registers, with the columns of a tensor: cta.zeros("O", i) takes those of p.O.
  equation  tile = 0
  shapes    cta.zeros("O", i) (Br, d), cta.zeros("dV", j, p.V) (Bc, d)
  pipe      FP32 pipe: nothing counted; in time 1 operation an element
  bytes     none
  differ    none
  errors    a name that is not in memory, without a tensor or a block that gives its columns; a tile that does not fit
            in the registers of the CTA, with the needed and the free bytes

zeros            name:name rows:block cols:block -> registers
  Makes a tile of zeros in registers, of a block of rows and a block of columns.
  shapes    cta.zeros("S", i, j) (Br, Bc)

vec              name:name rows:block value:number -> vec
  Makes a vector in registers with the same number in every row.
  equation  vector = value
  shapes    cta.vec("m", i, -inf) (Br)
  pipe      FP32 pipe: nothing counted; in time 1 operation an element
  bytes     none
  differ    none
  errors    none

keep_mask        i:queries j:keys -> smem
  Draws the dropout mask of a tile into shared memory: 1 for pairs that are kept, 0 for others.
  equation  Z = 1 with probability 1 - p, else 0
  shapes    Z (Br, Bc)
  pipe      FP32 pipe: nothing counted; in time 1 operation an element
  bytes     none
  differ    none
  errors    a tile that does not fit in shared memory

free             held:tile
  Ends a tile before the end of its iteration, so that another one takes its space.
  equation  none
  shapes    of any size
  pipe      none
  bytes     none
  differ    none
  errors    a tile that has ended; inside a loop, a tile from before the loop

free             held:vec
  Ends a vector before the end of its iteration.
  errors    a vector that has ended; inside a loop, a vector from before the loop

# Matrix products

gemm_nt          Q:smem K:tile -> registers
  Multiplies a tile by the transpose of another: scores.
  equation  S = Q K^T
  shapes    Q (Br, d), K (Bc, d), S (Br, Bc)
  pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the FP32 pipe
  bytes     none
  differ    columns of the factors
  errors    a first factor in registers: load it with cta.load; a result that does not fit in the registers of the CTA

gemm_nt          name:name dO:smem V:tile -> registers
  Does the same under another name, for a product that is not S.
  equation  dP = dO V^T
  shapes    dO (Br, d), V (Bc, d), dP (Br, Bc)

gemm_nt_add      S:registers Q:smem K:tile
  Adds a product to a tile: scores whose sum over d is taken in slices.
  equation  S = S + Q K^T
  shapes    S (Br, Bc), Q (Br, slice), K (Bc, slice)
  pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the FP32 pipe
  bytes     none
  differ    columns of the factors; rows of the sum and of the product; columns of the sum and of the product
  errors    a sum in shared memory: make it with cta.zeros

gemm_nn          P:tile V:tile -> registers
  Multiplies two tiles: weights by values.
  equation  PV = P V
  shapes    P (Br, Bc), V (Bc, d), PV (Br, d)
  pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the FP32 pipe
  bytes     none
  differ    columns of the first factor and rows of the second
  errors    a result that does not fit in the registers of the CTA

gemm_nn          name:name dS:tile K:tile -> registers
  Does the same under another name, for a product that is not PV.
  equation  dQ = dS K
  shapes    dS (Br, Bc), K (Bc, d), dQ (Br, d)

gemm_nn_add      O:tile P:tile V:tile
  Adds a product to a tile: weights by values, into O.
  equation  O = O + P V
  shapes    O (Br, d), P (Br, Bc), V (Bc, d)
  pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the FP32 pipe
  bytes     none
  differ    columns of the first factor and rows of the second; rows of the sum and of the product; columns of the sum
            and of the product
  errors    none

gemm_tn_add      dV:registers P:tile dO:smem
  Adds the product of a transposed tile and another to a tile: sums over the rows of a block.
  equation  dV = dV + P^T dO
  shapes    dV (Bc, d), P (Br, Bc), dO (Br, d)
  pipe      tensor cores: 2 FLOPs for each element of the result and each term of its sum; in fp32 the FP32 pipe
  bytes     none
  differ    rows of the factors; rows of the sum and of the product; columns of the sum and of the product
  errors    a sum in shared memory: make it with cta.zeros

# Work per element of a tile

scale            S:registers factor:number
  Multiplies a tile by a number, as p.scale.
  equation  S = factor S
  shapes    S (Br, Bc)
  pipe      FP32 pipe: 1 operation an element; in time 0 operations an element of S, since kernels fold it
            into the exponential
  bytes     none
  differ    none
  errors    none

modify           S:tile i:queries j:keys
  Modifies scores before the mask: by score_mod of the program, then softcap, ALiBi and the formulas of the options.
  equation  S = score steps of S; S where there are none
  shapes    S (Br, Bc)
  pipe      FP32 pipe: the operations of the formulas; with tanh or exp the exp unit, and one of it for each
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    a formula that is not finite for a score that a query sees; options that modify scores, for a program
            without this verb; ALiBi, for one without if p.alibi: cta.load_vec(p.slopes.all)

mask             S:tile i:queries j:keys
  Sets hidden pairs to -inf, by the causal mask, the window and the padding of the problem.
  equation  S = -inf where the pair is hidden
  shapes    S (Br, Bc)
  pipe      FP32 pipe: nothing counted; in time 2 operations an element, compare and select
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    none

exp_sub          S:tile m:vec -> same
  Subtracts a vector from each column of a tile and takes the exponential; the tile becomes the result.
  equation  P = exp(S - m); 0 where S = -inf
  shapes    S (Br, Bc), m (Br), P (Br, Bc)
  pipe      exp unit: 1 operation an element, the subtraction, and 1 exponential an element; in time 1.5 operations an
            element, with the conversion of P
  bytes     none
  differ    rows of tile and vector
  errors    S afterwards: use the result

exp_sub          m:vec m_new:vec name:name -> vec
  Computes the factor that brings sums from an old maximum to a new one, or the weight exp(sink - m) of a sink.
  equation  alpha = exp(m - m_new); 0 where m = -inf
  shapes    m (Br), or p.sinks.all (1), which counts for all rows; m_new (Br), alpha (Br)
  pipe      FP32 pipe: nothing counted
  differ    rows of the vectors
  errors    none

dropout          P:tile i:queries j:keys
  Drops weights of a tile and scales the others, with a mask drawn element by element.
  equation  P = Z o P / (1 - p)
  shapes    P (Br, Bc)
  pipe      FP32 pipe: 1 operation an element; in time 7 operations an element, with its share of a
            random number, compare and select
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    none

dropout          P:tile Z:smem
  Drops weights with a mask that was drawn by cta.keep_mask or loaded.
  shapes    P (Br, Bc), Z (Br, Bc)
  errors    none

dropped          P:registers i:queries j:keys -> registers
  Does the same as dropout in a new tile, if P itself is still needed.
  equation  P_dropped = Z o P / (1 - p)
  shapes    P (Br, Bc), P_dropped (Br, Bc)
  pipe      FP32 pipe: 1 operation an element; in time 7 operations an element, with its share of a
            random number, compare and select
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    none

jacobian         P:tile dP:tile D:vec -> same
  Brings a gradient through the softmax; the tile dP becomes the result.
  equation  dS = P o (dP - D); 0 where P = 0
  shapes    P (Br, Bc), dP (Br, Bc), D (Br), dS (Br, Bc)
  pipe      FP32 pipe: 2 operations an element
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place; rows of tile and vector
  errors    dP afterwards: use the result

scale_rows       O:registers alpha:vec
  Multiplies each row of a tile by its number in a vector: the rescaling of the online softmax.
  equation  O = diag(alpha) O
  shapes    O (Br, d), alpha (Br)
  pipe      FP32 pipe: 1 operation an element
  bytes     none
  differ    rows of tile and vector
  errors    none

divide_rows      O:tile l:vec
  Divides each row of a tile by its number in a vector: the normalisation at the end of the softmax.
  equation  O = diag(l)^-1 O; 0 where l = 0
  shapes    O (Br, d), l (Br)
  pipe      FP32 pipe: 1 operation an element
  bytes     none
  differ    rows of tile and vector
  errors    none

blend            O:tile alpha:vec l:vec PV:registers beta:vec l_new:vec
  Merges a normalised O with the product of one block: line 12 of FlashAttention-1's algorithm.
  equation  O = diag(l_new)^-1 (diag(alpha l) O + diag(beta) PV); 0 where l_new = 0
  shapes    O (Br, d), PV (Br, d); alpha, l, beta, l_new (Br)
  pipe      FP32 pipe: 3 operations an element, two scalings and an addition
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place; rows of tile and vector
  errors    none

blend            alpha:vec l:vec beta:vec l_tilde:vec -> vec
  Merges two sums of rows.
  equation  l_new = alpha l + beta l_tilde
  shapes    alpha, l, beta, l_tilde, l_new (Br)
  pipe      FP32 pipe: nothing counted
  differ    rows of the vectors
  errors    none

# Work per row

row_max          S:tile -> vec
  Takes the maximum of each row of a tile.
  equation  m = rowmax(S)
  shapes    S (Br, Bc), m (Br)
  pipe      FP32 pipe: 1 operation an element
  bytes     none
  differ    none
  errors    none

row_max          S:tile m:vec -> vec
  Takes the maximum of each row of a tile and of a vector: the running maximum.
  equation  m_new = max(m, rowmax(S))
  shapes    S (Br, Bc), m (Br), m_new (Br)
  differ    rows of tile and vector

row_sum          P:tile -> vec
  Sums each row of a tile.
  equation  l = rowsum(P)
  shapes    P (Br, Bc), l (Br)
  pipe      FP32 pipe: 1 operation an element
  bytes     none
  differ    none
  errors    none

add_row_sum      l:vec P:tile -> vec
  Adds the sum of each row of a tile to a vector.
  equation  l_new = l + rowsum(P)
  shapes    l (Br), P (Br, Bc), l_new (Br)
  pipe      FP32 pipe: 1 operation an element
  bytes     none
  differ    rows of tile and vector
  errors    none

add_row_sum      l:vec alpha:vec P:tile -> vec
  Rescales a running sum and adds the sum of each row of a tile.
  equation  l_new = alpha l + rowsum(P)
  shapes    l (Br), alpha (Br), P (Br, Bc), l_new (Br)
  differ    rows of tile and vector; rows of the vectors

row_dot          dO:tile O:tile -> vec
  Takes the dot product of each row of two tiles.
  equation  D = rowsum(dO o O)
  shapes    dO (Br, d), O (Br, d), D (Br)
  pipe      FP32 pipe: 2 operations an element
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place
  errors    none

add_row_dot      D:vec P:tile dP:tile -> vec
  Adds the dot product of each row of two tiles to a vector.
  equation  D_new = D + rowsum(P o dP)
  shapes    D (Br), P (Br, Bc), dP (Br, Bc), D_new (Br)
  pipe      FP32 pipe: 2 operations an element
  bytes     none
  differ    rows of the tile and of its place; columns of the tile and of its place; rows of tile and vector
  errors    none

max              a:vec b:vec -> vec
  Takes the larger number of each row of two vectors.
  equation  m = max(a, b)
  shapes    a (Br); b (Br), or p.sinks.all (1), which counts for all rows; m (Br)
  pipe      FP32 pipe: nothing counted
  bytes     none
  differ    rows of the vectors
  errors    none

log_sum_exp      m:vec l:vec -> vec
  Computes L of each row from its maximum and its sum.
  equation  L = m + log l; -inf where l = 0
  shapes    m (Br), l (Br), L (Br)
  pipe      FP32 pipe: nothing counted
  bytes     none
  differ    rows of the vectors
  errors    none

# Loops

key_blocks       i:queries -> keys
  Loops over the blocks of keys with a visible pair in tile (i, j), upwards.
  equation  for j in cta.key_blocks(i)
  shapes    j: Bc keys
  pipe      none
  bytes     none
  differ    none
  errors    a loop that is left by break or return, or that is in three others; an iteration that does not repeat the
            one before, except by j.masked and j.last

key_blocks_down  i:queries -> keys
  Loops over the blocks of keys with a visible pair in tile (i, j), downwards, from the last one.
  equation  for j in cta.key_blocks_down(i)
  shapes    j: Bc keys
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks

query_blocks     j:keys -> queries
  Loops over the blocks of queries with a visible pair in tile (i, j).
  equation  for i in cta.query_blocks(j)
  shapes    i: Br queries
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks

query_visits     j:keys -> queries
  Loops as query_blocks does; i.last is true in the last visit of the rows i by any block of keys.
  equation  for i in cta.query_visits(j)
  shapes    i: Br queries
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks

live_key_blocks  -> keys
  Loops over the blocks of keys that some query sees.
  equation  for j in cta.live_key_blocks()
  shapes    j: Bc keys
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks

all_key_blocks   -> keys
  Loops over all blocks of keys; j.masked is true where a pair of the tile with the CTA's rows is hidden.
  equation  for j in cta.all_key_blocks()
  shapes    j: Bc keys
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks

query_heads      -> heads
  Loops over the query heads of a CTA's KV head: inside, p.Q, p.O ... are those of the head.
  equation  for h in cta.query_heads()
  shapes    h: one query head
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks; h as the index of a tensor; h.masked

chunks           extent:extent size:extent -> chunks
  Loops over slices of d or of the keys.
  equation  for c in cta.chunks(p.head_dim, p.slice)
  shapes    c: p.slice columns of d, or p.bc keys of cta.chunks(p.keys, p.bc)
  pipe      none
  bytes     none
  differ    none
  errors    those of key_blocks; an extent other than p.head_dim and p.keys; c.masked

# The CTA's own blocks, and questions

row              -> queries
  Returns row block i of the CTA; all rows if its grid does not split them.
  equation  i = cta.row()
  shapes    i: Br queries
  pipe      none
  bytes     none
  differ    none
  errors    none

col              -> keys
  Returns column block j of the CTA; all keys if its grid does not split them.
  equation  j = cta.col()
  shapes    j: Bc keys
  pipe      none
  bytes     none
  differ    none
  errors    none

live             i:queries -> bool
  Asks if some row of the CTA's row block sees a key. The body is recorded for both answers.
  equation  if cta.live(i)
  shapes    i: Br queries
  pipe      none
  bytes     none
  differ    none
  errors    a block other than cta.row()

seen             j:keys -> bool
  Asks if some query sees a key of the CTA's block. The body is recorded for both answers.
  equation  if cta.seen(j)
  shapes    j: Bc keys
  pipe      none
  bytes     none
  differ    none
  errors    a block other than cta.col() and cta.row()
"""
