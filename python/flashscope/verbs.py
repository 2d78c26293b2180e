"""Verbs of a CTA as read from verb_table.py, and the names that operands may have."""

import re

from .verb_table import TABLE

PARTS = ["equation", "shapes", "pipe", "bytes", "differ", "errors"]
AXES = ["queries", "keys"]  # kinds of blocks of one axis
KINDS = {
    "smem": "a tile in shared memory, as cta.load makes",
    "registers": "a tile in registers",
    "tile": "a tile",
    "vec": "a vector, one number per row",
    "block": "a block: cta.row(), cta.col() or a loop's",
    "hbm": "a block of a tensor in memory: p.K[j]",
    "tensor": "a tensor in memory: p.O",
    "name": "a tensor's name in quotes",
    "number": "a number or p.scale",
    "extent": "a value of the problem: p.head_dim, p.head_dim_v, p.slice, p.keys or p.bc",
}


class Signature:
    """A form of a verb: names and kinds of its operands, their axes (of blocks), the kind of its result, and its help.

    result: None for no result. what: a sentence; parts: equation, shapes, pipe, bytes, differ, errors.
    """

    def __init__(self, verb, operands, result):
        self.verb, self.result, self.what, self.parts = verb, result, "", {}
        self.names = [operand.split(":")[0] for operand in operands]
        kinds = [operand.split(":")[1] for operand in operands]
        self.axes = [kind if kind in AXES else None for kind in kinds]
        self.kinds = ["block" if kind in AXES else kind for kind in kinds]

    def __str__(self):
        return "(" + ", ".join(self.names) + ")"


def _read(table):
    """Returns the forms by section and verb. A form has the parts of the form before it, other than those it names."""
    sections, forms, part = {}, [], ""
    for line in table.splitlines():
        word, _, rest = line.strip().partition(" ")
        if line.startswith("# "):
            verbs = sections.setdefault(line[2:], {})
        elif re.match(r"\w", line):
            operands, _, result = rest.partition("->")
            forms = verbs.setdefault(word, [])
            forms.append(Signature(word, operands.split(), result.strip() or None))
            forms[-1].parts = dict(forms[-2].parts) if len(forms) > 1 else {}
        elif re.match(r"  \w", line):
            part = word if word in PARTS else ""
            if part:
                forms[-1].parts[part] = rest.strip()
            else:
                forms[-1].what = line.strip()
        elif line.strip():
            forms[-1].parts[part] += " " + line.strip()
    return sections


SECTIONS = _read(TABLE)  # of the table: verbs with their forms
_LOOPS, _ASKED = "Loops", "The CTA's own blocks, and questions"
VERBS = {verb: forms for section, verbs in SECTIONS.items() if section not in (_LOOPS, _ASKED)
         for verb, forms in verbs.items()}
LOOPS = {verb: forms[0] for verb, forms in SECTIONS[_LOOPS].items()}  # result: the axis of the loop's blocks
COORDINATES = SECTIONS[_ASKED]

TENSORS = (
    "Q K V O S P L m l D dO dQ dK dV dS dP dQ_acc S_masked P_dropped dP_dropped mask "
    "O_part L_part m_part l_part mask_blocks sequences slopes sinks block_table q_scale k_scale v_scale"
).split()  # allowed in HBM
NAMES = TENSORS + ["PV", "alpha", "beta", "G", "S_row", "VT"]  # on chip only
STATISTICS = {  # vectors, one number per row, or of the head
    "L", "m", "l", "D", "L_part", "m_part", "l_part", "slopes", "sinks", "block_table",
}
ROWS_ARE_KEYS = {"K", "V", "dK", "dV", "block_table"}  # all others have rows of queries
COLUMNS_ARE_KEYS = {"S", "P", "dS", "dP", "S_masked", "P_dropped", "dP_dropped", "mask"}
EXTENTS = ["head_dim", "head_dim_v", "slice", "keys", "bc"]  # numbers of the problem, known at run time
VALUES = ["scale", *EXTENTS]
QUESTIONS = {  # about a problem
    "dropout": "dropout", "causal": "causal", "masked": "masked", "modified": "modified", "alibi": "alibi",
    "has_sinks": "sinks", "paged": "paged", "row_fits": "row fits",
}
GRIDS = ["per_head", "per_row_block", "per_tile", "per_kv_head", "per_column_block"]
