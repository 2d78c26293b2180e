"""Checks against a reference: softmax, or a function of numpy arrays."""
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from verdict_test import attention, drawn


@fs.kernel(inputs=["Q", "K", "V"], outputs=["O"])
def tempered(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i])
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 100)  # of 100 keys with the score 0 and the value 0
    m = cta.vec("m", i, 0)
    for j in cta.all_key_blocks():
        K = cta.load(p.K[j])
        S = cta.gemm_nt(Q, K)
        cta.scale(S, 0.05)
        m_new = cta.row_max(S, m)
        alpha = cta.exp_sub(m, m_new, "alpha")
        P = cta.exp_sub(S, m_new)
        l = cta.add_row_sum(l, alpha, P)
        m = m_new
        cta.scale_rows(O, alpha)
        V = cta.load(p.V[j])
        cta.gemm_nn_add(O, P, V)
    cta.divide_rows(O, l)
    cta.store(O, p.O[i])


def of_tempered(q, k, v):
    e = np.exp(0.05 * q @ k.swapaxes(-1, -2))
    return e @ v / (100 + e.sum(axis=-1, keepdims=True))


def program():
    return fs.program("tempered", [tempered], tiles=(64, 64))


class References(unittest.TestCase):
    def test_another_formula_is_right_by_its_reference_and_wrong_by_softmax(self):
        q, k, v = (tensor / 4 for tensor in drawn())
        mine = program()
        for verdict in (mine.check(q, k, v, reference=of_tempered, progress=False),
                        fs.check(mine, q, k, v, reference=of_tempered, progress=False)):
            self.assertTrue(verdict, verdict)
            self.assertIn("agrees with the reference in double precision", verdict.text)
        np.testing.assert_allclose(verdict.exact, of_tempered(*(tensor.astype(np.float64) for tensor in (q, k, v))))
        for other in ({}, {"reference": "softmax"}):
            wrong = mine.check(q, k, v, progress=False, **other)
            self.assertFalse(wrong)
            self.assertGreater(wrong.wrong.sum(), 800)
        self.assertFalse(fs.check("flash2", q, k, v, reference=of_tempered, progress=False))

    def test_right_programs_pass_a_function_in_every_dtype_and_wrong_ones_do_not(self):
        for dtype in ("fp16", "bf16", "fp32"):
            for seed in (1, 2):
                q, k, v = drawn((1, 4, 200, 64), seed=seed)
                softmax = fs.check("flash2", q, k, v, dtype=dtype, progress=False)
                for algorithm in ("flash2", "flash1", "standard", "rabe-staats"):
                    verdict = fs.check(algorithm, q, k, v, dtype=dtype, reference=attention, progress=False)
                    self.assertTrue(verdict, f"{algorithm} {dtype}: {verdict}")
                self.assertLess(verdict.allowed.max(), 3 * softmax.allowed.max())
                self.assertGreater(verdict.allowed.min(), softmax.allowed.min() / 3)
                self.assertFalse(fs.check("flash2", q, k, v, dtype=dtype, progress=False,
                                          reference=lambda q, k, v: attention(q, k, v) + 2 * softmax.allowed.max()))

    def test_a_function_gets_the_tensors_as_the_program_reads_them(self):
        q, k, v = drawn((1, 6, 96, 16), kv_heads=2, dtype=np.float32)
        met = []

        def reference(*tensors):
            met.append([tensor.copy() for tensor in tensors])
            for tensor in tensors:
                tensor[...] = 0  # its own copies
            return attention(*met[-1])

        self.assertTrue(fs.check("flash2", q, k, v, dtype="fp16", reference=reference, progress=False))
        half = [tensor.astype(np.float16).astype(np.float64) for tensor in (q, k, v)]
        for one, given in zip(met[0], (half[0], *(np.repeat(tensor, 3, axis=1) for tensor in half[1:]))):
            np.testing.assert_array_equal(one, given)
            self.assertEqual(one.dtype, np.float64)
        rows = fs.check("flash2", *(np.swapaxes(one, 1, 2) for one in (q, k, v)), layout="bnhd", dtype="fp16",
                        reference=attention, progress=False)
        self.assertEqual(rows.output.shape, (1, 6, 96, 16))
        self.assertTrue(rows)

    def test_packed_heads_have_the_axes_of_q(self):
        q, k, v = drawn((2, 8, 1, 64))[0], *drawn((2, 2, 300, 64), seed=3)[1:]
        verdict = fs.check("flash-decoding", q, k, v, reference=attention, progress=False)
        self.assertTrue(verdict)
        self.assertEqual(verdict.output.shape, (2, 8, 1, 64))

    def test_a_mask_is_the_function_s_own(self):
        q, k, v = drawn((1, 2, 130, 32))
        visible = np.tril(np.ones((130, 130), dtype=bool))
        self.assertTrue(fs.check("flash2", q, k, v, causal=True, progress=False,
                                 reference=lambda q, k, v: attention(q, k, v, visible)))
        self.assertFalse(fs.check("flash2", q, k, v, causal=True, reference=attention, progress=False))

    def test_wrong_references_are_rejected(self):
        q, k, v = drawn((1, 2, 40, 16))

        def one_row_is_nan(q, k, v):
            o = attention(q, k, v)
            o[0, 1, 7] = np.nan
            return o

        for reference, words in (
                ("softmx", "'softmx' .* neither \"softmax\" nor a function"), (3, "neither"), (None, "neither"),
                (lambda q, k, v: q[:, :1], r"returns \(1, 1, 40, 16\), and O is "),
                (lambda q, k, v: None, "returns object, not an array of numbers"),
                (lambda q, k, v: q * 1j, "returns complex128"),
                (one_row_is_nan, "1 of 80 rows are not finite; the first is row 7 of head 1, batch 0")):
            with self.subTest(words), self.assertRaisesRegex(fs.Error, f"^reference: .*{words}"):
                fs.check("flash2", q, k, v, reference=reference, progress=False)
        with self.assertRaisesRegex(fs.Error, "leave out dropout"):
            fs.check("flash2", q, k, v, reference=attention, dropout=0.1, progress=False)
        with self.assertRaises(ZeroDivisionError):
            fs.check("flash2", q, k, v, reference=lambda q, k, v: 1 / 0, progress=False)

    def test_an_exercise_takes_a_reference(self):
        mine = program()
        verdict = fs.exercise(1).check(mine, reference=of_tempered)
        self.assertFalse(verdict.wrong.any(), verdict)
        self.assertTrue(fs.exercise(1).check(mine, reference="softmax").wrong.any())


if __name__ == "__main__":
    unittest.main()
