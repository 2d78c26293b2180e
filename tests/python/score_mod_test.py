"""score_mod: functions traced to formulas, their values in a recorded program, and what is refused."""
import math
import operator
import sys
import unittest
from math import inf

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from flashscope.score import formula_of
from programs import flash2_forward, scored_forward
from verdict_test import drawn

WORKED = dict(inputs="worked", seqlen=4, head_dim=2, dtype="fp32", br=2, bc=2, scale=1, numerics=True)
# beyond the paper's example: scores with softcap 2, and with slope 0.5 of ALiBi
SOFTCAP = ([[1.143030, 1.194499], [0.662470, 1], [1, 1.048115], [0.805392, 1.034125]],
           [2.363370, 2.363370, 3.112616, 3.108366])
ALIBI = ([[1.065869, 0.820950], [0.362803, 0.939055], [1.026605, 1.756135], [0.771861, 1.620145]],
         [1.787339, 2.365025, 4.693885, 4.392151])


def scored(score_mod=None, name="scored"):
    return fs.program(name, [scored_forward], like="flash2", score_mod=score_mod)


def formula(score_mod):
    return formula_of(score_mod)


def attention_of(modified):
    """Returns attention in double whose scores are modified(s, q, k, h), arrays that broadcast."""
    def reference(q, k, v):
        s = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
        h, i, j = (np.arange(size) for size in s.shape[1:])
        s = modified(s, i[:, None], j, h[:, None, None])
        p = np.exp(s - s.max(axis=-1, keepdims=True))
        return p @ v / p.sum(axis=-1, keepdims=True)
    return reference


class Formulas(unittest.TestCase):
    def test_operators_keep_the_order_of_python(self):
        for score_mod, text in (
                (lambda s: 30 * fs.tanh(s / 30), "30*tanh(s/30)"),
                (lambda s, slope, q, k, Nq, Nk: s - slope * abs(q + Nk - Nq - k), "s-slope*abs(q+Nk-Nq-k)"),
                (lambda s, q, k: s - (q - k), "s-(q-k)"),
                (lambda s, q, k: s - q - k, "s-q-k"),
                (lambda s, q: s / (s * q), "s/(s*q)"),
                (lambda s, q: (s + 1) * -q, "(s+1)*-q"),
                (lambda s: (-s) ** 2, "(-s)^2"),
                (lambda s: -s ** 2, "-s^2"),
                (lambda s: -(s * 2 + 1), "-(s*2+1)"),
                (lambda s: (s ** 2) ** 3, "(s^2)^3"),
                (lambda s: s ** 2 ** 3, "s^8"),
                (lambda s: 2 ** (s + 1), "2^(s+1)"),
                (lambda s: s ** -s, "s^-s"),
                (lambda s: s + -0.25, "s+-0.25"),
                (lambda s: s * 1e-30, "s*1e-30"),
                (lambda s: +s * 2.0, "s*2"),
                (lambda s, q, h: fs.minimum(fs.maximum(s, -1.5), q * h), "min(max(s,-1.5),q*h)"),
                (lambda s, d: fs.exp2(fs.log2(s) / fs.sqrt(d)), "exp2(log2(s)/sqrt(d))"),
                (lambda q: fs.floor(q / 2) + fs.ceil(q) + fs.log(q) + fs.exp(q), "floor(q/2)+ceil(q)+log(q)+exp(q)"),
                (lambda s: np.float32(0.5) * np.tanh(s) - np.array(2), "0.5*tanh(s)-2"),
                (lambda s: 0, "0")):
            with self.subTest(text):
                self.assertEqual(formula(score_mod), text)

    def test_a_formula_has_the_value_of_the_function(self):
        draw = np.random.default_rng(1)
        functions = [fs.tanh, fs.exp, fs.abs, lambda x: -x, lambda x: x * x, lambda x: 2 - x, lambda x: x / 3]
        joined = [operator.add, operator.sub, operator.mul, fs.minimum, fs.maximum, lambda a, b: a / (1 + abs(b))]
        for _ in range(100):
            steps = draw.integers(0, [len(functions), len(joined), 2], (6, 3))

            def score_mod(s, q, k):
                for one, two, of in steps:
                    s = joined[two](functions[one](s), (q, k)[of])
                    s = fs.tanh(s)
                return s

            text = formula(score_mod)
            values = dict(s=0.7, q=3.0, k=5.0, tanh=np.tanh, exp=np.exp, abs=abs, min=min, max=max)
            self.assertAlmostEqual(eval(text.replace("^", "**"), {}, values), score_mod(0.7, 3.0, 5.0), 12)

    def test_parameters_are_names_and_others_need_defaults(self):
        self.assertEqual(formula(lambda s, cap=50: cap * fs.tanh(s / cap)), "50*tanh(s/50)")
        self.assertEqual(formula(lambda Nk, slope, s: s + slope * Nk), "s+slope*Nk")
        for score_mod, words in (
                (lambda score, b, h, q_idx, kv_idx: score, "its parameter score is unknown: it is s here"),
                (lambda s, b: s, "its parameter b is unknown; there are s, q, k, h, Nq, Nk, d, slope; parameters are taken by name"),
                (lambda s, nk: s, "nk is unknown: did you mean Nk?"),
                (lambda *s: s, r"\*s is not a name"),
                (lambda s: None, r"returns None \(NoneType\), not a formula"),
                (lambda s: s > 0, "s cannot be compared: a formula has no branches"),
                (lambda s: 1 if s else 0, "s is neither true nor false"),
                (lambda s, h: s + [1, 2][h], "h is not a number while score_mod is traced: a formula reads no table"),
                (lambda s: math.tanh(s), r"functions of math take numbers, fs.tanh"),
                (lambda s: s.tanh(), r"s has no .tanh: write fs.tanh\(s\)"),
                (lambda s: np.sin(s), "numpy.sin has no formula; there are add, "),
                (lambda s: np.ones(3) * s, r"array\(.*\) \(ndarray\) is not a number"),
                (lambda s, k: s + k % 2, "k has no % in a formula"),
                (lambda s: s - inf, "inf is not finite: mask_mod hides keys"),
                (lambda s: s + "1", r"'1' \(str\) is not a number"),
                (lambda s: s + True, r"True \(bool\) is not a number"),
                (lambda s: fs.minimum(s), "fs.minimum takes 2 operands, not 1"),
                (lambda s: fs.tanh(s, s), "fs.tanh takes 1 operand, not 2")):
            with self.subTest(words), self.assertRaisesRegex(fs.Error, words) as raised:
                formula(score_mod)
            line = score_mod.__code__.co_firstlineno
            self.assertRegex(str(raised.exception), rf"^score_mod_test.py:{line}: ")
        with self.assertRaisesRegex(fs.Error, "^score_mod: 3 is not a function of s, q, k, h, Nq, Nk, d, slope$"):
            formula(3)

    def test_errors_name_the_innermost_line_of_the_user_s_file(self):
        def of_helper(s):
            return s > 0

        def score_mod(s):
            return 2 * of_helper(s)

        with self.assertRaisesRegex(fs.Error, rf"^score_mod_test.py:{of_helper.__code__.co_firstlineno + 1}: s cannot"):
            formula(score_mod)

    def test_a_formula_that_grows_without_end_is_refused(self):
        def score_mod(s):
            for _ in range(40):
                s = s * s
            return s

        with self.assertRaisesRegex(fs.Error, "the formula has more than 4,096 characters"):
            formula(score_mod)

    def test_functions_of_formulas_are_those_of_numpy_on_arrays(self):
        array = np.linspace(-2, 2, 9)
        np.testing.assert_array_equal(fs.tanh(array), np.tanh(array))
        np.testing.assert_array_equal(fs.maximum(array, 0), np.maximum(array, 0))
        self.assertEqual(fs.abs(-3), 3)


class Programs(unittest.TestCase):
    def check_worked(self, run, want):
        np.testing.assert_allclose(run.outputs["O"].reshape(4, 2), want[0], atol=2e-6)
        np.testing.assert_allclose(run.outputs["L"].reshape(4), want[1], atol=2e-6)

    def test_worked_values_of_softcap_and_alibi_by_score_mod_and_by_options(self):
        self.check_worked(scored().simulate(**WORKED, softcap=2), SOFTCAP)
        self.check_worked(scored(lambda s: 2 * fs.tanh(s / 2)).simulate(**WORKED), SOFTCAP)
        self.check_worked(scored().simulate(**WORKED, score="s-0.5*abs(q-k)"), ALIBI)
        self.check_worked(scored(lambda s, q, k: s - 0.5 * abs(q - k)).simulate(**WORKED), ALIBI)

    def test_counts_are_those_of_flash2_with_the_same_options(self):
        size = dict(heads=32, seqlen=4096)
        pairs = ((lambda s: 30 * fs.tanh(s / 30), dict(softcap=30)),
                 (lambda s, slope, q, k, Nq, Nk: s - slope * abs(q + Nk - Nq - k), dict(alibi=True)))
        for score_mod, options in pairs:
            want = fs.simulate(algorithm="flash2", **size, **options)
            for run in (scored(score_mod).simulate(**size), scored().simulate(**size, **options)):
                for part in ("work", "memory", "hbm_traffic"):
                    self.assertEqual(run.dict()[part], want.dict()[part])
                self.assertEqual(run.tile_traffic.dict()["by_tensor"], want.tile_traffic.dict()["by_tensor"])
                self.assertEqual(run.time.microseconds, want.time.microseconds)
        self.assertEqual(want.tile_traffic.by_tensor.slopes.read_bytes, 4096)
        plain = scored().simulate(**size)
        self.assertEqual(scored(pairs[0][0]).simulate(**size).work.tanh_count, 536870912)
        self.assertEqual(want.work.other_flops - plain.work.other_flops, 1073741824)

    def test_values_of_every_kind_of_formula_agree_with_a_reference(self):
        q, k, v = drawn((2, 4, 90, 32))
        for modified in (lambda s: 3 * fs.tanh(s / 3), lambda s, q, k: s - 0.1 * fs.abs(q - k),
                         lambda s, q, k, h: s + fs.minimum(h, 2) * fs.exp(-((q - k) / 8) ** 2)):
            names = modified.__code__.co_varnames

            def of_names(s, q, k, h):
                return modified(**{name: dict(s=s, q=q, k=k, h=h)[name] for name in names})

            mine = scored(modified)
            for reference in ("softmax", attention_of(of_names)):
                verdict = mine.check(q, k, v, reference=reference, progress=False)
                self.assertTrue(verdict, verdict)
            self.assertFalse(scored().check(q, k, v, reference=attention_of(of_names), progress=False))

    def test_options_come_after_score_mod(self):
        mine = scored(lambda s: 2 * s)
        run = mine.simulate(**WORKED, softcap=2)
        want = fs.simulate(algorithm="flash2", **WORKED, score="2*s;2*tanh(s/2)")
        np.testing.assert_array_equal(run.outputs["O"], want.outputs["O"])

    def test_masked_keys_stay_hidden_whatever_the_formula(self):
        q, k, v = drawn((1, 2, 80, 16))
        self.assertTrue(scored(lambda s: 2 * fs.tanh(s / 2)).check(q, k, v, causal=True, progress=False))
        with self.assertRaisesRegex(fs.Error, "score: is .*inf where s = .* at q 0, k 0, h 0"):
            scored(lambda s, q: s / q).check(q, k, v, progress=False)

    def test_a_body_without_modify_is_refused_by_name(self):
        with self.assertRaisesRegex(fs.Error, r"^program plain: score_mod needs cta.modify\(S, i, j\) in a body, after"):
            fs.program("plain", [flash2_forward], score_mod=lambda s: s + 1)
        plain = fs.program("plain", [flash2_forward])
        for options in (dict(softcap=30), dict(alibi=True), dict(score="s+1")):
            name = next(iter(options))
            with self.assertRaisesRegex(fs.Error, rf"^{name}: no body of plain modifies the scores: write cta.modify"):
                plain.simulate(**options)

    def test_slopes_are_read_whole_and_not_declared(self):
        @fs.kernel(inputs=["Q", "K", "V"], outputs=["O"])
        def body(cta, p):
            i = cta.row()
            cta.load_vec(p.slopes[i])

        with self.assertRaisesRegex(fs.Error, r"p.slopes has one number for each head: p.slopes.all is the slope"):
            fs.program("sloped", [body])
        with self.assertRaisesRegex(fs.Error, "slopes are there without a declaration: leave them out"):
            fs.program("sloped", [fs.kernel(inputs=["Q", "K", "V", "slopes"], outputs=["O", "L"])(scored_forward.body)])

    def test_a_saved_program_has_its_formula(self):
        mine = scored(lambda s: 30 * fs.tanh(s / 30))
        self.assertIn('\nscore = "30*tanh(s/30)"\n', mine.text)


if __name__ == "__main__":
    unittest.main()
