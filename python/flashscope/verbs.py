"""Verbs of a CTA, as in sim/machine/cta.h: operands with their kinds, in order, and the kind of the result.

Kinds: smem and registers are tiles at that level, tile is either, vec is one number per row in registers, block is a
block of an axis, hbm is a block of a tensor in memory, tensor is the tensor itself, name is a tensor's name, number
is a number or p.scale, extent is another value of the problem. `same`: the result is the tile of exp_sub and jacobian
itself, which they take over.
"""

import re

_VERBS = """
load             from:hbm -> smem
load_registers   from:hbm -> registers
load_vec         from:hbm -> vec
store            tile:tile to:hbm
store            vec:vec to:hbm
initialise       to:hbm value:number
atomic_add       tile:registers to:hbm
zeros            name:name rows:block like:tensor -> registers
zeros            name:name rows:block cols:block -> registers
vec              name:name rows:block value:number -> vec
gemm_nt          Q:smem K:tile -> registers
gemm_nt          name:name dO:smem V:tile -> registers
gemm_nt_add      S:registers Q:smem K:tile
gemm_nn          P:tile V:tile -> registers
gemm_nn          name:name dS:tile K:tile -> registers
gemm_nn_add      O:tile P:tile V:tile
gemm_tn_add      dV:registers P:tile dO:smem
scale            S:registers factor:number
mask             S:tile i:block j:block
row_max          S:tile -> vec
row_max          S:tile m:vec -> vec
exp_sub          S:tile m:vec -> same
exp_sub          m:vec m_new:vec name:name -> vec
dropout          P:tile i:block j:block
dropout          P:tile Z:smem
dropped          P:registers i:block j:block -> registers
keep_mask        i:block j:block -> smem
row_dot          dO:tile O:tile -> vec
add_row_dot      D:vec P:tile dP:tile -> vec
jacobian         P:tile dP:tile D:vec -> same
row_sum          P:tile -> vec
add_row_sum      l:vec P:tile -> vec
add_row_sum      l:vec alpha:vec P:tile -> vec
scale_rows       O:registers alpha:vec
divide_rows      O:tile l:vec
blend            O:tile alpha:vec l:vec PV:registers beta:vec l_new:vec
blend            alpha:vec l:vec beta:vec l_tilde:vec -> vec
max              a:vec b:vec -> vec
log_sum_exp      m:vec l:vec -> vec
free             held:tile
free             held:vec
"""

_LOOPS = """
key_blocks       i:block -> keys
key_blocks_down  i:block -> keys
query_blocks     j:block -> queries
query_visits     j:block -> queries
live_key_blocks  -> keys
all_key_blocks   -> keys
query_heads      -> heads
chunks           extent:extent size:extent -> chunks
"""


class Signature:
    """One form of a verb: names and kinds of its operands, kind of its result (None for no result)."""

    def __init__(self, operands, result):
        self.names = [operand.split(":")[0] for operand in operands]
        self.kinds = [operand.split(":")[1] for operand in operands]
        self.result = result

    def __str__(self):
        return "(" + ", ".join(self.names) + ")"


def _read(table):
    verbs = {}
    for line in table.strip().splitlines():
        verb, rest = re.match(r"(\w+)\s*(.*)", line).groups()
        operands, _, result = rest.partition("->")
        verbs.setdefault(verb, []).append(Signature(operands.split(), result.strip() or None))
    return verbs


VERBS = _read(_VERBS)
LOOPS = {verb: forms[0] for verb, forms in _read(_LOOPS).items()}  # result: the axis of the loop's blocks

TENSORS = (
    "Q K V O S P L m l D dO dQ dK dV dS dP dQ_acc S_masked P_dropped dP_dropped mask "
    "O_part L_part m_part l_part mask_blocks sequences"
).split()  # allowed in HBM
NAMES = TENSORS + ["PV", "alpha", "beta"]  # on chip only
STATISTICS = {"L", "m", "l", "D", "L_part", "m_part", "l_part"}  # vectors, one number per row
ROWS_ARE_KEYS = {"K", "V", "dK", "dV"}  # all others have rows of queries
COLUMNS_ARE_KEYS = {"S", "P", "dS", "dP", "S_masked", "P_dropped", "dP_dropped", "mask"}
EXTENTS = ["head_dim", "head_dim_v", "slice", "keys", "bc"]  # numbers of the problem, known at run time
VALUES = ["scale", *EXTENTS]
QUESTIONS = {"dropout": "dropout", "causal": "causal", "masked": "masked", "row_fits": "row fits"}  # about a problem
GRIDS = ["per_head", "per_row_block", "per_tile", "per_kv_head", "per_column_block"]
