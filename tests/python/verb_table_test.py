"""The table of verbs: every form has all parts of its help, and what they claim is what runs count."""
import inspect
import pathlib
import re
import unittest
from math import inf

import flashscope as fs
from flashscope import _core
from flashscope.listing import _PIPES
from flashscope.verb_help import page, text_of
from flashscope.verbs import AXES, COORDINATES, KINDS, LOOPS, PARTS, SECTIONS, VERBS

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMS = [form for verbs in SECTIONS.values() for forms in verbs.values() for form in forms]
SIZES = {"Br": 32, "Bc": 64, "d": 16, "N": 128, "slice": 16}
OF_HELPERS = {  # of sim/programs/recorded/verbs.cpp: what they call different, by their operands
    "same_size": ["rows of the tile and of its place", "columns of the tile and of its place"],
    "vector_in": ["columns of a vector in HBM, and 1"],
    "fit_nt": ["columns of the factors"],
    "fit_nn": ["columns of the first factor and rows of the second"],
    "fit_product": ["rows of the sum and of the product", "columns of the sum and of the product"],
}


@fs.kernel(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"], scratch=["S"])
def forward(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i])
    O = cta.zeros("O", i)
    D = cta.vec("D", i, 0)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    for j in cta.key_blocks(i):
        K = cta.load(p.K[j])
        V = cta.load(p.V[j])
        S = cta.gemm_nt(Q, K)
        cta.scale(S, p.scale)
        cta.modify(S, i, j)
        cta.mask(S, i, j)
        cta.store(S, p.S[i, j])
        m_tilde = cta.row_max(S)
        m_new = cta.row_max(S, m)
        m_most = cta.max(m_tilde, m_new)
        alpha = cta.exp_sub(m, m_most, "alpha")
        P = cta.exp_sub(S, m_most)
        l_tilde = cta.row_sum(P)
        l_more = cta.add_row_sum(l, P)
        l_new = cta.add_row_sum(l, alpha, P)
        l_both = cta.blend(alpha, l_more, alpha, l_tilde)
        Z = cta.keep_mask(i, j)
        cta.dropout(P, i, j)
        cta.dropout(P, Z)
        P_dropped = cta.dropped(P, i, j)
        PV = cta.gemm_nn(P_dropped, V)
        dQ = cta.gemm_nn("dQ", P, K)
        dP = cta.gemm_nt("dP", Q, V)
        D_new = cta.add_row_dot(D, P, dP)
        dS = cta.jacobian(P, dP, D_new)
        W = cta.zeros("S", i, j)
        cta.gemm_nt_add(W, Q, K)
        dV = cta.zeros("dV", j, p.V)
        cta.gemm_tn_add(dV, P, Q)
        cta.gemm_nn_add(O, P, V)
        cta.blend(O, alpha, l, PV, alpha, l_both)
        cta.scale_rows(O, alpha)
        l = l_new
        m = m_new
    D_of_O = cta.row_dot(O, O)
    cta.divide_rows(O, l)
    L = cta.log_sum_exp(m, l)
    cta.store(O, p.O[i])
    cta.store(L, p.L[i])


@fs.kernel(grid="per_row_block", inputs=["O", "L"], outputs=["O"])
def again(cta, p):
    i = cta.row()
    O = cta.load_registers(p.O[i])
    L = cta.load_vec(p.L[i])
    cta.initialise(p.O[i], 0)
    cta.atomic_add(O, p.O[i])


def lines_run():
    """Yields pairs (form, work of its line) for each verb of the two kernels."""
    program = fs.program("every-verb", [forward, again], tiles=(SIZES["Br"], SIZES["Bc"]),
                         score_mod=lambda s: -s)  # a sign is no operation
    run = program.simulate(seqlen_q=64, seqlen_k=SIZES["N"], head_dim=SIZES["d"])
    for kernel in _core.lines(run._core):
        source = kernel["source"].splitlines()
        for work in kernel["lines"]:
            verb, operands = re.search(r"cta\.(\w+)\((.*)\)$", source[work["line"] - 1]).groups()
            if verb not in LOOPS:
                yield form_of(verb, len(re.sub(r"\[.*?\]", "", operands).split(",")), work), work


def form_of(verb, count, work):
    """Returns the form of a verb with a number of operands; a vector has one column."""
    forms = VERBS[verb]
    if verb == "store":
        return forms[work["cols"] == 1]
    if verb == "zeros":
        return forms[work["tensor"] == "S"]
    return next(form for form in forms if len(form.names) == count)


def number_of(what, text):
    found = re.search(rf"([\d.]+) {what}s? an element", text)
    return float(found[1]) if found else 0


class Table(unittest.TestCase):
    def test_no_form_lacks_a_part(self):
        self.assertGreater(len(FORMS), 50)
        for form in FORMS:
            with self.subTest(f"{form.verb}{form}"):
                self.assertEqual(sorted(form.parts), sorted(PARTS))
                for text in (form.what, *form.parts.values()):
                    self.assertTrue(text.strip())
                self.assertTrue(form.what.endswith("."))
                self.assertTrue({*form.kinds} <= {*KINDS})
                self.assertTrue({*form.axes} <= {None, *AXES})

    def test_help_of_every_verb_has_every_part_of_every_form(self):
        for verb, forms in [(verb, forms) for verbs in SECTIONS.values() for verb, forms in verbs.items()]:
            told = " ".join(inspect.getdoc(getattr(fs.Cta, verb)).split())
            for form in forms:
                for text in (form.what, *(text for text in form.parts.values() if text != "none")):
                    self.assertIn(text, told)
                for name in ("operands", "result", "equation", "shapes", "pipe", "bytes", "errors"):
                    self.assertEqual(len(re.findall(rf"^{name} ", text_of([form]), re.M)), 1)
            names = ["self", *forms[0].names] if len(forms) == 1 else ["self", "operands"]
            self.assertEqual(list(inspect.signature(getattr(fs.Cta, verb)).parameters), names)

    def test_equations_and_shapes_name_the_operands(self):
        for form in FORMS:
            if form.verb in ("free", *LOOPS, *COORDINATES) or form.verb.startswith("load"):
                continue
            with self.subTest(f"{form.verb}{form}"):
                shown = re.findall(r"\w+", f"{form.parts['equation']} {form.parts['shapes']}")
                for name, kind in zip(form.names, form.kinds):
                    if kind in ("smem", "registers", "tile", "vec", "number") and form.verb != "dropout":
                        self.assertIn(name, shown)

    def test_pipes_bytes_and_operations_are_those_of_a_run(self):
        met = set()
        for form, work in lines_run():
            with self.subTest(f"{form.verb}{form}"):
                met.add(form)
                pipe, elements = form.parts["pipe"], work["rows"] * work["cols"]
                counted, _, timed = pipe.partition("; in time ")
                self.assertEqual(re.split("[:;]", pipe)[0], _PIPES[work["engine"]])
                self.assertEqual(work["exps"], number_of("exponential", counted) * elements)
                if "2 FLOPs" in pipe:
                    self.assertEqual(work["matmul_flops"] % (2 * elements), 0)
                    self.assertGreater(work["matmul_flops"], 0)
                    continue
                operations = number_of("operation", counted)
                self.assertEqual((work["matmul_flops"], work["other_flops"]), (0, operations * elements))
                in_time = number_of("operation", timed) if timed else operations
                self.assertEqual(32 * work["instructions"] - work["exps"], in_time * elements)
        self.assertEqual({*FORMS} - met, {form for form in FORMS if form.verb in ("free", *LOOPS, *COORDINATES)})

    def test_bytes_and_shapes_are_those_of_a_run(self):
        ways = {"-": "none", "read": "read: ", "write": "written: ", "read+write": "read and written: "}
        for form, work in lines_run():
            with self.subTest(f"{form.verb}{form}"):
                shapes = [tuple(SIZES[side.strip()] for side in sides.split(",")) for sides in
                          re.findall(r"\(((?:Br|Bc|d|N|slice)(?:, \w+)?)\)", form.parts["shapes"])]
                self.assertIn((work["rows"], work["cols"]), [(*shape, 1)[:2] for shape in shapes])
                text = form.parts["bytes"]
                self.assertTrue(text.startswith(ways[work["direction"]]), text)
                size = 0 if text == "none" else 4 if "4 B" in text else 2
                self.assertEqual(work["bytes_each"], work["rows"] * work["cols"] * size)

    def test_sizes_that_differ_are_those_of_the_replay(self):
        source = (ROOT / "sim/programs/recorded/verbs.cpp").read_text()
        rows = re.findall(r'row<\[\]\(Cta&(?: cta)?, Line(?: at)?(?:, )?(.*?)\) \{(.*?)\}>\(\s*"(\w+)"', source, re.S)
        self.assertGreater(len(rows), 45)
        for operands, body, verb in rows:
            kinds = [*filter(None, (" ".join(one.split()) for one in operands.split(",")))]
            self.check_row(verb, kinds, body)
        named = r"^Tile<level> (\w+)\(Cta& cta, Line at, (.*?)\) \{(.*?)^\}"
        for verb, operands, body in re.findall(named, source, re.S | re.M):
            self.check_row(verb, operands.split(","), body)

    def check_row(self, verb, operands, body):
        words = [word for helper in re.findall(r"(\w+)\(", body) for word in OF_HELPERS.get(helper, [])]
        words += re.findall(r'same\("(.*?)"', body)
        if "same_rows" in body:
            vectors = [re.search(r"(\w+)$", one.strip())[1] for one in operands if "RegVec" in one]
            pairs = [pair.split(", ") for pair in re.findall(r"same_rows\((.*?)\)", body)]
            words += {"rows of the vectors" if pair[0] in vectors else "rows of tile and vector" for pair in pairs}
        forms = SECTIONS["Loops"].get(verb) or VERBS[verb]
        form = next((form for form in forms if fits(form, operands)), None)
        self.assertIsNotNone(form, f"{verb} {operands}")
        told = form.parts["differ"]
        self.assertEqual({*told.split("; ")}, {*words} or {"none"}, f"{verb}{form}")

    def test_an_operand_of_another_kind_is_rejected_by_name(self):
        for form in FORMS:
            if form.verb in COORDINATES or (form.verb, len(VERBS.get(form.verb, []))) in (("free", 2), ("store", 2)):
                continue
            for at, name in enumerate(form.names):
                with self.subTest(f"{form.verb}{form} {name}"), self.assertRaises(fs.Error) as raised:
                    wrong_call(form, at)
                self.assertRegex(str(raised.exception), rf"^verb_table_test.py:\d+: cta.{form.verb}.* must be a")

    def test_the_page_is_up_to_date_and_has_every_verb(self):
        text = (ROOT / "docs/verbs.md").read_text()
        self.assertEqual(text, page(), "run python3 python/stubs/make_stubs.py")
        verbs = [verb for verbs in SECTIONS.values() for verb in verbs]
        self.assertEqual(re.findall(r"^### (\w+)$", text, re.M), verbs)
        for name in ("python.md", "your-own-algorithm.md", "README.md"):
            self.assertTrue("](verbs.md)" in (ROOT / "docs" / name).read_text(), name)


def fits(form, operands):
    """Returns whether a form has the operands of a row of verbs.cpp."""
    types = {"SmemTile": "smem", "RegTile": "registers", "AnyTile": "tile", "Tile<level>": "tile", "RegVec": "vec",
             "Block": "block", "QueryBlock": "block", "KeyBlock": "block", "HbmBlock": "hbm", "HbmTensor": "tensor",
             "Tensor": "name", "float": "number", "std::int64_t": "extent"}
    kinds = [types[re.match(r"(?:const )?([\w:<>]+)", one.strip())[1]] for one in operands]
    return kinds == form.kinds or ("free", len(kinds)) == (form.verb, 1)


def wrong_call(form, wrong):
    """Records a call of a form whose operand number `wrong` is of another kind."""
    @fs.kernel(inputs=["Q", "K", "V"], outputs=["O"])
    def body(cta, p):
        i = cta.row()
        Q = cta.load(p.Q[i])
        O = cta.zeros("O", i)
        m = cta.vec("m", i, 0)
        for j in cta.all_key_blocks():
            right = {"smem": Q, "registers": O, "tile": O, "vec": m, "block": i, "queries": i, "keys": j, "hbm": p.O[i],
                     "tensor": p.O, "name": "O", "number": 1, "extent": p.head_dim}
            operands = [right[axis or kind] for kind, axis in zip(form.kinds, form.axes)]
            operands[wrong] = "nothing of all that"
            getattr(cta, form.verb)(*operands)

    body.record({})


if __name__ == "__main__":
    unittest.main()
