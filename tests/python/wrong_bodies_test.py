"""Bodies that cannot be recorded are rejected with the line, the error and a remedy."""
import sys
import unittest

import flashscope as fs
from cells import FLASH2, LAUNCH, body_of, recorded
from flashscope.program import kernel, record

# Each entry: a change of FLASH2 (or a body), the line that the error names, and parts of its text.
WRONG = [
    ("break", "        m = m_new", "        m = m_new\n        break", 14, "left before its end, by break or return"),
    ("return in a loop", "        m = m_new", "        m = m_new\n        return", 14, "left before its end"),
    ("break that is found late", "        m = m_new", "        m = m_new\n        if j.last: break", 14, "left before its end"),
    ("iterator kept", "for j in cta.key_blocks(i):", "it = iter(cta.key_blocks(i))\n    for j in it:\n        break\n    for _ in ():",
     6, "an iterator of it was kept"),
    ("next of a loop", "for j in cta.key_blocks(i):", "j = next(cta.key_blocks(i))\n    if True:", 6, "write for j in"),
    ("length of a loop", "for j in cta.key_blocks(i):", "len(cta.key_blocks(i))\n    for j in ():", 6, "write for j in"),
    ("loop of a list", "for j in cta.key_blocks(i):", "for j in list(cta.key_blocks(i)):", 6, "without next, len"),
    ("range used twice", "    for j", "    r = cta.key_blocks(i)\n    for j in r: pass\n    for j in r: pass\n    for j", 8, "used up"),
    ("loops that cross", "for j in cta.key_blocks(i):", "a = cta.all_key_blocks()\n    for j, k in zip(cta.key_blocks(i), a):", 7, "cross"),
    ("tile used after its loop", "    cta.store(O, p.O[i])", "    cta.store(P, p.O[i])", 14, "ended with its iteration of the loop in line 6"),
    ("block used after its loop", "    cta.store(O", "    cta.load(p.V[j])\n    cta.store(O", 14, "outside its iteration"),
    ("use after exp_sub", "gemm_nn_add(O, P, V)", "gemm_nn_add(O, S, V)", 12, "exp_sub made it another in line 10"),
    ("use after free", "    cta.store(O", "    cta.free(O)\n    cta.store(O", 15, "was freed in line 14"),
    ("exp_sub of a tile of before the loop", "exp_sub(S, m_new)", "exp_sub(O, m_new)", 12, "is gone: exp_sub made it another in line 10"),
    ("whole number for a block", "p.K[j]", "p.K[3]", 7, "p.K[3]: the index must be a block"),
    ("text for a block", "p.K[j]", 'p.K["x"]', 7, "p.K['x']: the index must be a block"),
    ("slice for a block", "p.K[j]", "p.K[1:2]", 7, "the index must be a block"),
    ("three blocks", "p.K[j]", "p.K[j, j, j]", 7, "p.K[i, j]"),
    ("block of queries for keys", "p.K[j]", "p.K[i]", 7, "p.K has keys there, and block row is one of queries"),
    ("whole tensor", "p.K[j]", "p.K", 7, "which block? p.K[i]"),
    ("range over numbers", "for j in cta.key_blocks(i):", "for j in range(3):\n        j = cta.col()", 8, "load again"),
    ("range over a block", "for j in cta.key_blocks(i):", "for j in range(i):", 6, "is not a number"),
    ("range over a value", "for j in cta.key_blocks(i):", "for j in range(p.keys):", 6, "p.keys is not a number"),
    ("loop over a tensor", "for j in cta.key_blocks(i):", "for j in p.K:", 6, "p.K cannot be looped over"),
    ("a tile is true", "        P =", "        if S: pass\n        P =", 10, "neither true nor false"),
    ("a tile is not", "        P =", "        if not S: pass\n        P =", 10, "neither true nor false"),
    ("tiles compared", "        P =", "        if S > K: pass\n        P =", 10, "cannot be compared"),
    ("blocks compared", "        P =", "        if i == j: pass\n        P =", 10, "blocks have no number"),
    ("block counted on", "p.K[j]", "p.K[j + 1]", 7, "cannot be calculated with"),
    ("tiles multiplied", "        P =", "        S = Q @ K\n        P =", 10, "cannot be calculated with in Python: a body is recorded"),
    ("tile with a shape", "        P =", "        S.shape\n        P =", 10, "has no .shape"),
    ("unknown verb", "row_max", "rowmax", 9, "cta has no verb rowmax: did you mean row_max?"),
    ("unknown field", "p.K[j]", "p.k[j]", 7, "p has no .k: did you mean K?"),
    ("unknown name", '"m"', '"mm"', 5, '"mm": did you mean m?'),
    ("too few operands", "(S, m_new)", "(S)", 10, "cta.exp_sub takes (S, m) or (m, m_new, name), not 1 operand"),
    ("operands by name", "(S, m_new)", "(S, m=m_new)", 10, "not operands by name"),
    ("vector for a tile", "gemm_nt(Q, K)", "gemm_nt(Q, m)", 8, "K must be a tile, not the vector that vec made in line 5"),
    ("registers for shared memory", "gemm_nt(Q, K)", "gemm_nt(O, K)", 8, "Q must be a tile in shared memory"),
    ("None for a tile", "gemm_nt(Q, K)", "gemm_nt(None, K)", 8, "as cta.load makes, not None"),
    ("text for a number", "-inf", "'0'", 5, "value must be a number"),
    ("a number that is none", "-inf", "float('nan')", 5, "value must be a number"),
    ("two verbs in a line", "gemm_nt(Q, K)", "gemm_nt(Q, cta.load(p.V[j]))", 8, "gemm_nt is the second verb of this line, after load"),
    ("a loop and a verb in a line", "in cta.key_blocks(i):", "in cta.key_blocks(i): cta.load(p.V[j])\n    for j in cta.key_blocks(i):", 6, "second verb"),
    ("vectors loaded as tiles", "    for j", "    x = cta.load(p.m[i])\n    for j", 6, "p.m holds one number per row"),
    ("tiles loaded as vectors", "    for j", "    x = cta.load_vec(p.O[i])\n    for j", 6, "tiles, not one number per row"),
    ("what is not an output", "cta.store(m, p.m[i])", "cta.store(m, p.D[i])", 15, "D is not among the outputs"),
    ("what is not an input", "p.K[j]", "p.S[i, j]", 7, "S is not among the inputs"),
    ("unknown columns", 'zeros("O", i)', 'zeros("PV", i)', 4, "of how many columns"),
    ("masked of the CTA's block", "        P =", "        if i.masked: pass\n        P =", 10, "only the blocks of a loop"),
    ("live of a block of a loop", "        P =", "        if cta.live(j): pass\n        P =", 10, "takes the CTA's own block"),
    ("iterations that count themselves", "        P =", "        n = n + 1 if 'n' in locals() else 0\n        if n == 1: cta.scale(S, 2)\n        P =",
     11, "does not repeat the one before"),
]


class Wrong(unittest.TestCase):
    def refused(self, text, line, words):
        with self.assertRaises(fs.Error) as raised:
            recorded(text)
        told = str(raised.exception)
        self.assertRegex(told, r"^cell \d+:\d+: ")
        self.assertEqual(int(told.split(":")[1]), line, told)
        self.assertIn(words or "", told)
        return told

    def test_wrong_bodies_are_rejected_with_the_line_and_a_remedy(self):
        for name, old, new, line, words in WRONG:
            with self.subTest(name):
                self.assertIn(old, FLASH2)
                told = self.refused(FLASH2.replace(old, new), line, words)
                if "-v" in sys.argv:
                    print(f"{name}: {told}")

    def test_a_tile_ends_with_its_iteration_even_if_names_remain(self):
        told = self.refused("""
            def body(cta, p):
                i = cta.row()
                K = cta.load(p.Q[i])
                for j in cta.key_blocks(i):
                    m = cta.row_max(K)
                    K = cta.load(p.K[j])
        """, 5, "the tile that load made in line 6 ended with its iteration of the loop in line 4")
        self.assertIn("load or make it in each iteration, or before the loop", told)

    def test_a_vector_leaves_a_loop_only_under_a_name_from_before_it(self):
        self.refused("""
            def body(cta, p):
                i = cta.row()
                for j in cta.key_blocks(i):
                    K = cta.load(p.K[j])
                    m = cta.row_max(K)
                cta.store(m, p.m[i])
        """, 6, "if the name holds one before the loop, too")

    def test_two_names_of_one_vector_before_a_loop_are_an_error(self):
        self.refused(FLASH2.replace("-inf)", "-inf); l = m").replace("(m, p.m[i])", "(l, p.l[i])").replace(
            "m = m_new", "m = m_new; l = l"), 15, "was replaced in a loop by what row_max made in line 9")
        self.refused(FLASH2.replace("-inf)", "-inf); l = m").replace("        m = m_new", """
        l = cta.add_row_sum(l, P)
        m = m_new""") + "    cta.store(l, p.l[i])\n", 5, "each becomes another vector")

    def test_two_names_that_become_one_vector_are_refused(self):
        self.refused(FLASH2.replace("    m =", "    l = cta.vec('l', i, 0)\n    m =", 1).replace(
            "        m = m_new", "        m = l = m_new"), 10, "becomes l and m, which were two vectors before the loop")

    def test_the_vector_of_two_iterations_ago_is_rejected(self):
        self.refused(FLASH2.replace("        m_new =", "        m_old = m\n        m_new =").replace(
            "(m, p.m[i])", "(m_old, p.m[i])"), 16, "was replaced in a loop")

    def test_recursion_is_refused(self):
        self.refused("""
            def deep(cta, p, i, n):
                cta.load(p.Q[i])
                if n:
                    deep(cta, p, i, n - 1)
            def body(cta, p):
                deep(cta, p, cta.row(), 3)
        """, 2, "deep calls itself")

    def test_loops_are_nested_at_most_three_deep(self):
        self.refused("""
            def body(cta, p):
                for a in cta.query_heads():
                    for b in cta.all_key_blocks():
                        for c in cta.live_key_blocks():
                            for d in cta.query_blocks(b):
                                pass
        """, 5, "at most 3")

    def test_objects_of_another_body_are_rejected(self):
        self.refused("""
            kept = []
            def body(cta, p):
                i = cta.row()
                if p.dropout:
                    kept.append(cta.load(p.Q[i]))
                else:
                    m = cta.row_max(kept[0])
        """, 7, "belongs to another run of a body")

    def test_exceptions_of_a_body_keep_their_type(self):
        for line, error in (("1 / 0", ZeroDivisionError), ("{}[j]", KeyError), ("raise KeyboardInterrupt", KeyboardInterrupt)):
            with self.assertRaises(error):
                recorded(FLASH2.replace("        m = m_new", f"        m = m_new\n        {line}"))
        with self.assertRaises(UnboundLocalError) as raised:
            recorded(FLASH2.replace("    Q =", "    if cta.live(i): Q ="))
        self.assertIn("live row: False", raised.exception.__notes__[0])

    def test_bodies_are_plain_functions_and_kernels_are_not_called(self):
        for body in (len, "body", lambda: (yield)):
            with self.assertRaisesRegex(fs.Error, "plain function of cta and p"):
                kernel()(body)
        with self.assertRaisesRegex(fs.Error, "is a kernel: a program launches it"):
            kernel()(body_of(FLASH2))(1, 2)
        space = {}
        exec("def body(cta, p): pass", space)
        with self.assertRaisesRegex(fs.Error, "in a file or in a notebook cell"):
            kernel()(space["body"])

    def test_wrong_launches_and_programs_are_refused(self):
        for launch, words in (({"grid": "per_rows"}, "did you mean per_row_block"), ({"inputs": ["q"]}, "inputs: 'q'"),
                              ({"rows": "2"}, "none of br, 1"), ({"round_p": "always"}, "none of half, never")):
            with self.assertRaisesRegex(fs.Error, words):
                kernel(**launch)
        good = kernel(**LAUNCH)(body_of(FLASH2))
        for name in ("", "Mine", "-a", "a" * 41, "a b", None):
            with self.assertRaisesRegex(fs.Error, "1 to 40 of a-z"):
                record(name, [good])
        for kernels, words in (([], "no kernels"), ([body_of(FLASH2)], "is not a kernel"), ([good, good], "occurs twice"),
                               (lambda p: [good] if p.rows else [], "kernels of the problem: p has no .rows")):
            with self.assertRaisesRegex(fs.Error, words):
                record("mine", kernels)


if __name__ == "__main__":
    unittest.main()
