"""Sinks: the option, and a program written in Python that adds them."""
import sys
import tempfile
import unittest
from math import inf
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from verdict_test import drawn


@fs.kernel(grid="per_row_block", inputs=["Q", "K", "V", "sinks"], outputs=["O", "L"])
def with_sink(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i])
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    if p.has_sinks:
        sink = cta.load_vec(p.sinks.all)      # its head's sink        (1)
        m = cta.max(m, sink)                  # m = max(m, sink)       (Br)
        l = cta.exp_sub(sink, m, "l")         # l = exp(sink - m)      (Br)
    for j in cta.key_blocks(i):
        K = cta.load(p.K[j])
        S = cta.gemm_nt(Q, K)
        cta.scale(S, p.scale)
        m_new = cta.row_max(S, m)
        alpha = cta.exp_sub(m, m_new, "alpha")
        P = cta.exp_sub(S, m_new)
        l = cta.add_row_sum(l, alpha, P)
        m = m_new
        cta.scale_rows(O, alpha)
        V = cta.load(p.V[j])
        cta.gemm_nn_add(O, P, V)
    cta.divide_rows(O, l)
    L = cta.log_sum_exp(m, l)
    cta.store(O, p.O[i])
    cta.store(L, p.L[i])


@fs.kernel(grid="per_row_block", inputs=["sinks"], outputs=["O", "L"])
def always_reads(cta, p):
    i = cta.row()
    m = cta.vec("m", i, -inf)
    sink = cta.load_vec(p.sinks.all)
    m = cta.max(m, sink)
    O = cta.zeros("O", i)
    cta.store(O, p.O[i])
    cta.store(m, p.L[i])


def attention(q, k, v, sinks):
    scores = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return scores @ v / (scores.sum(axis=-1, keepdims=True) + np.exp(sinks)[:, None, None])


SINKS = np.array([0.5, -1, 3, -inf], dtype=np.float32)


class Sinks(unittest.TestCase):
    def test_the_option_takes_numbers_lists_arrays_and_files(self):
        q, k, v = (tensor / 4 for tensor in drawn((1, 4, 100, 32)))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "sinks.npy"
            np.save(file, SINKS)
            for sinks in (SINKS, SINKS.tolist(), "0.5,-1,3,-inf", file):
                for algorithm in ("flash2", "flash3", "flash-decoding", "standard"):
                    with self.subTest(f"{algorithm} {sinks}"):
                        verdict = fs.check(algorithm, q, k, v, sink=sinks, progress=False)
                        self.assertTrue(verdict, verdict)
                        np.testing.assert_allclose(verdict.exact, attention(*(x.astype(float) for x in (q, k, v)), SINKS),
                                                   atol=2e-6)
        self.assertTrue(fs.check("flash2", q, k, v, sink=100, progress=False))
        for wrong, words in (([1, 2], "2 numbers for 4 query heads"), (float("nan"), "nan is not a logit"),
                             (inf, "inf is not a logit"), ("x", "is not a number")):
            with self.assertRaisesRegex(fs.Error, words):
                fs.check("flash2", q, k, v, sink=wrong, progress=False)

    def test_a_program_adds_sinks_as_flash2_does(self):
        q, k, v = (tensor / 4 for tensor in drawn((1, 4, 100, 32)))
        mine = fs.program("with-sinks", [with_sink], tiles=(64, 64))
        for options in ({"sink": SINKS}, {"sink": 2}, {}):
            with self.subTest(str(options)):
                verdict = mine.check(q, k, v, progress=False, **options)
                self.assertTrue(verdict, verdict)
        read = mine.simulate(heads=4, seqlen=100, sink=1).tile_traffic.total_bytes
        without = mine.simulate(heads=4, seqlen=100).tile_traffic.total_bytes
        self.assertEqual(read - without, 4 * 4 * 2)

    def test_programs_without_sinks_and_sinks_without_an_option_are_rejected(self):
        plain = fs.program("reads-sinks", [always_reads], tiles=(64, 64))
        with self.assertRaisesRegex(fs.Error, "there are no sinks without --sink"):
            plain.simulate(seqlen=100)
        with self.assertRaisesRegex(fs.Error, "sink: is an option of .*; flash1 has none"):
            fs.simulate(algorithm="flash1", sink=1)


if __name__ == "__main__":
    unittest.main()
