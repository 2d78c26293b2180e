"""The table of verbs against sim/machine/cta.h."""
import pathlib
import re
import unittest

from flashscope.verbs import LOOPS, NAMES, STATISTICS, TENSORS, VERBS

SIM = pathlib.Path(__file__).resolve().parents[2] / "sim"
ASKED = {"row", "col", "live", "seen"}  # methods of cta without an entry in the table
NOT_FOR_BODIES = {"role", "act_as", "ready_at", "setup", "counter",  # for the scheduler of warpgroups
                  "put", "space", "wgmma_nt", "wgmma_nn_add", "products", "rows_of", "add_barrier", "synchronise",
                  "wgmma_nn", "wgmma_tn_add", "reduce", "transpose",
                  "scale_by", "in_units",  # of elements in 8 bits
                  "multiply", "jacobian_of_product", "add_mask", "equals", "row_all", "clear_rows",  # of standard-pytorch
                  "modify_with_slopes",  # of backward passes
                  "columns_of",  # of V in K, which they do not take
                  "gaussian",  # of kernel matrices, which are not attention
                  "in_range", "add", "or_infinity",  # of a unified maximum
                  "row_of_scores", "keep", "cols_of",  # of scores that stay in shared memory
                  "Cta", "trace", "exp_in_place", "jacobian_in_place"}  # not a verb
# Copies into a ring; `scale` of a tile in shared memory, where bodies in Python have registers.
FORMS_NOT_FOR_BODIES = {("load", ("hbm", "Phase"), "tile"), ("scale", ("tile", "number"), None),
                        ("blend", ("tile", "vec", "registers"), None)}  # of paged-attention
# Overloads for a grid over parts of the keys, which Python kernels lack, and loops that an option of a program chooses:
# key_blocks() or key_blocks_down(), live_key_blocks() or all_key_blocks().
OF_PARTS = {("column", ("tile", "block")), ("live", ("block", "block")), ("key_blocks", ("block", "block")),
            ("key_blocks", ("block", "BlockOrder")), ("key_blocks", ())}
KINDS = {
    "SmemTile": "smem", "RegTile": "registers", "AnyTile": "tile", "Tile<level>": "tile", "RegVec": "vec",
    "Block": "block", "HbmBlock": "hbm", "HbmTensor": "tensor", "Tensor": "name", "float": "number",
    "std::int64_t": "extent",
}


def declared():
    """Public methods of Cta: (name, kinds of operands, kind of the result)."""
    text = (SIM / "machine" / "cta.h").read_text()
    body = text[text.index("class Cta {"):].split("\n private:")[0]
    body = re.sub(r"//.*", "", body)
    for result, name, operands in re.findall(r"([\w:<>]+)&? (\w+)\(([^()]*(?:\(\)[^()]*)*)\)", body):
        if result in ("return", "std::move"):
            continue
        types = [re.sub(r"const |&| \w+$", "", of.strip()).strip() for of in operands.split(",") if of.strip()]
        kinds = tuple(KINDS.get(of, of) for of in types if not of.startswith("Line"))
        yield name, kinds, "same" if result == "Tile<level>" else KINDS.get(result)


class Verbs(unittest.TestCase):
    def test_the_table_has_every_form_of_every_verb_and_no_other(self):
        there = {one for one in declared() if one[0] not in NOT_FOR_BODIES} - FORMS_NOT_FOR_BODIES
        there.add(("scale", ("registers", "number"), None))
        loops = {(name, kinds) for name, kinds, _ in there if name in LOOPS}
        verbs = {one for one in there if one[0] not in {*LOOPS, *ASKED} and one[:2] not in OF_PARTS}
        self.assertGreater(len(verbs), 30)
        table = {(verb, tuple(form.kinds), form.result) for verb, forms in VERBS.items() for form in forms}
        table = {row for row in table if row[0] != "free"}
        self.assertEqual(verbs, table)
        self.assertEqual(loops - OF_PARTS, {(verb, tuple(form.kinds)) for verb, form in LOOPS.items()})

    def test_names_of_tensors_are_those_of_the_table(self):
        rows = re.findall(r"^  row\((\w+),", (SIM / "trace" / "tensor_table.h").read_text(), re.M)
        self.assertEqual(rows, NAMES)
        self.assertEqual(TENSORS, NAMES[:NAMES.index("PV")])
        self.assertLess(STATISTICS, set(TENSORS))


if __name__ == "__main__":
    unittest.main()
