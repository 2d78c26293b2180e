"""Recording of bodies: the table, and values carried from one iteration to the next."""
import tomllib
import unittest
import warnings

import fscope_checker
from cells import FLASH2, LAUNCH, body_of, code_of, recorded
from flashscope.program import kernel, record
from programs import BUILT_IN


class Table(unittest.TestCase):
    def test_a_table_has_verbs_lines_registers_and_carried_vectors(self):
        self.assertEqual(code_of(FLASH2).splitlines(), [
            "3 r0 = load Q[row]",
            "4 r1 = zeros :O row @O",
            "5 r2 = vec :m row -inf",
            "6 loop b0 key_blocks row",
            "turn 00 01 10 11",
            "7 r3 = load K[b0]",
            "8 r4 = gemm_nt r0 r3",
            "9 r5 = row_max r4 r2",
            "10 r6 = exp_sub r4 r5",
            "11 r7 = load V[b0]",
            "12 gemm_nn_add r1 r6 r7",
            "carry r2 r5",
            "end",
            "end",
            "14 store r1 O[row]",
            "15 store r2 m[row]"])

    def test_iterations_that_differ_by_masked_or_last_are_recorded_separately(self):
        code = code_of(FLASH2.replace("        m_new", "        if j.masked: cta.mask(S, i, j)\n        m_new"))
        self.assertEqual([line for line in code.splitlines() if line.startswith("turn")], ["turn 00 01", "turn 10 11"])
        both = "        if j.masked and j.last: cta.mask(S, i, j)\n        m_new"
        code = code_of(FLASH2.replace("        m_new", both))
        self.assertEqual([line for line in code.splitlines() if line.startswith("turn")], ["turn 00 01 10", "turn 11"])

    def test_a_body_is_recorded_for_each_answer_to_its_questions(self):
        text = FLASH2.replace("cta.load(p.Q[i])", "cta.load(p.Q[i]) if cta.live(i) else None").replace(
            "        m = m_new", "        m = m_new\n        if p.dropout: cta.dropout(P, i, j)")
        bodies = recorded(text)["kernel"][0]["body"]
        answers = [(body["when"]["live row"], body["when"]["dropout"]) for body in bodies]
        self.assertEqual(sorted(answers), [(False, False), (False, True), (True, False), (True, True)])
        for body in bodies:
            self.assertEqual("gemm_nt none" in body["code"], not body["when"]["live row"])
            self.assertEqual("dropout" in body["code"], body["when"]["dropout"])

    def test_built_in_algorithms_written_in_python_are_well_formed(self):
        for name, arguments in BUILT_IN.items():
            program = tomllib.loads(record(f"my-{name}", **arguments))
            for of in program["kernel"]:
                for body in of["body"]:
                    with self.subTest(f"{name} {of['name']} {of['when']} {body['when']}"):
                        fscope_checker.check(body["code"], program["source"])

    def test_lines_are_those_of_the_innermost_function_of_the_file(self):
        code = code_of("""
            def scores(cta, p, Q, j):
                K = cta.load(p.K[j])
                return cta.gemm_nt(Q, K)
            def body(cta, p):
                i = cta.row()
                Q = cta.load(p.Q[i])
                m = cta.vec("m", i, 0)
                for j in cta.key_blocks(i):
                    S = scores(cta, p, Q, j)
                    m = cta.row_max(S, m)
                cta.store(m, p.m[i])
        """)
        self.assertIn("2 r2 = load K[b0]\n3 r3 = gemm_nt r0 r2\n10 r4 = row_max r3 r1\n", code)

    def test_a_program_of_two_cells_has_both_as_its_source(self):
        texts = [FLASH2, FLASH2.replace("(O, p.O[i])", "(O, p.O[i])  # again")]
        kernels = [kernel(**LAUNCH, name=name)(body_of(text)) for name, text in zip("ab", texts)]
        program = tomllib.loads(record("mine", kernels))
        lines = program["source"].splitlines()
        for of in program["kernel"]:
            line = next(line for line in of["body"][0]["code"].splitlines() if "store r1" in line)
            self.assertEqual("again" in lines[int(line.split()[0]) - 1], of["name"] == "b")

    def test_an_output_that_no_body_stores_is_a_warning(self):
        missing = FLASH2.replace("    cta.store(m, p.m[i])\n", "")
        self.assertNotEqual(missing, FLASH2)
        stored = {**LAUNCH, "outputs": ["O", "m"]}
        with self.assertWarnsRegex(UserWarning, "^program mine: .* declares m as an output and never stores it$"):
            record("mine", [kernel(**stored)(body_of(missing))])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            record("mine", [kernel(**stored)(body_of(FLASH2))])
            record("mine", [kernel(**stored)(body_of(missing + "    if cta.live(i): cta.store(m, p.m[i])\n"))])

    def test_kernels_are_launched_for_the_answers_that_selected_them(self):
        program = tomllib.loads(record("mine", **BUILT_IN["standard"]))
        when = {(of["name"], *of["inputs"], of["cols"]): of["when"] for of in program["kernel"]}
        self.assertEqual(when["qk_gemm", "Q", "K", "bc"], {})
        self.assertEqual(when["mask", "S", "bc"], {"masked": True})
        self.assertEqual(when["softmax", "S", "keys"], {"masked": False, "row fits": True})
        self.assertEqual(when["pv_gemm", "P_dropped", "V", "slice"], {"dropout": True})

    def test_any_source_is_read_back_unchanged(self):
        for odd in ['"', '""', '"""', '""""', '"' * 9, "\\", "\\u0041", "\t", "é 你好 𝒬", "\x07\x7f", "'''", '\\"']:
            text = FLASH2.lstrip("\n") + f"# {odd}\n# {odd}"
            program = recorded(text)
            self.assertEqual(program["source"], text + "\n", odd)
        title = 'a "quoted"\\ title\twith\x00 é'
        self.assertEqual(recorded(FLASH2, title=title)["title"], title)


class Carried(unittest.TestCase):
    """Tests of values carried from one iteration to the next."""

    def test_vectors_are_carried_in_lists_objects_and_functions(self):
        for before, read, write in (("state = [m]", "state[0]", "state[0] = m_new"),
                                    ("cells.m = m", "cells.m", "cells.m = m_new"),
                                    ("state = dict(a=(m,))", "state['a'][0]", "state = dict(a=(m_new,))")):
            with self.subTest(before):
                text = FLASH2.replace("-inf)", f"-inf); {before}; c = cells").replace("(S, m)", f"(S, {read})")
                text = text.replace("        m = m_new", f"        {write}").replace("(m, p.m[i])", f"({read}, p.m[i])")
                self.assertIn("carry r2 r5", code_of(text))

    def test_a_vector_that_is_read_only_after_the_loop_is_carried(self):
        self.assertIn("carry r2 r5\n", code_of(FLASH2.replace("row_max(S, m)", "row_max(S)")))

    def test_a_name_that_is_not_read_later_is_not_carried(self):
        code = code_of(FLASH2.replace("    for", "    P = cta.vec('l', i, 0)\n    for").replace(
            "        V =", "        P2, P = P, cta.row_sum(P)\n        V =").replace("(O, P, V)", "(O, P2, V)"))
        self.assertEqual(code.count("carry"), 1)

    def test_vectors_are_carried_through_two_loops(self):
        code = code_of("""
            def body(cta, p):
                m = cta.vec("m", cta.row(), 0)
                for h in cta.query_heads():
                    for j in cta.all_key_blocks():
                        K = cta.load(p.K[j])
                        m_new = cta.row_max(K, m)
                        m = m_new
                    m = cta.max(m, m_new)
                cta.store(m, p.m[cta.row()])
        """.replace("cta.max(m, m_new)", "cta.max(m, m)"))
        self.assertIn("6 r2 = row_max r1 r0\ncarry r0 r2\nend\nend\n", code)
        self.assertIn("8 r3 = max r0 r0\ncarry r0 r3\nend\nend\n9 store r0", code)


if __name__ == "__main__":
    unittest.main()
