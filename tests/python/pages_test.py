"""Pages: the option, and a program written in Python that looks them up."""
import sys
import unittest
from math import inf

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from verdict_test import drawn


def body(cta, p, look_up):
    i = cta.row()
    Q = cta.load(p.Q[i])
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    for j in cta.key_blocks(i):
        look_up(cta, p, j)
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


def if_paged(cta, p, j):
    if p.paged:
        cta.load_vec(p.block_table[j])


def of_first(cta, p, j):
    if p.paged and p.causal:
        cta.load_vec(p.block_table[j])


def always(cta, p, j):
    cta.load_vec(p.block_table[j])


def program(name, look_up):
    @fs.kernel(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"])
    def kernel(cta, p):
        body(cta, p, look_up)

    return fs.program(name, [kernel], tiles=(64, 64))


class Pages(unittest.TestCase):
    def test_a_program_looks_up_pages_as_flash2_does(self):
        mine = program("paged", if_paged)
        run = mine.simulate(seqlen=1000, heads=4, br=64, bc=64, page_size=16)
        built_in = fs.simulate(algorithm="flash2", seqlen=1000, heads=4, br=64, bc=64, page_size=16)
        self.assertEqual(run.tile_traffic.by_tensor["block_table"].read_bytes, 4 * 4 * 16 * 63)
        for tensor in ("Q", "K", "V", "O", "block_table"):
            self.assertEqual(run.tile_traffic.by_tensor[tensor].read_bytes,
                             built_in.tile_traffic.by_tensor[tensor].read_bytes)
        q, k, v = drawn((2, 100, 64))
        self.assertTrue(fs.check(mine, q, k, v, page_size=16, progress=False))
        self.assertTrue(fs.check("flash2", q, k, v, page_size=16, progress=False))

    def test_a_forgotten_look_up_is_an_error_that_names_its_line(self):
        with self.assertRaisesRegex(fs.Error, "pages_test.py:[0-9]+: .*pages that were not looked up"):
            program("forgets", of_first).simulate(seqlen=1000, page_size=16)

    def test_programs_without_pages_and_a_table_without_an_option_are_rejected(self):
        with self.assertRaisesRegex(fs.Error, "there are no pages without --page-size"):
            program("always", always).simulate(seqlen=1000)
        with self.assertRaisesRegex(fs.Error, "page-size: "):
            fs.simulate(algorithm="flash1", seqlen=1000, page_size=16)


if __name__ == "__main__":
    unittest.main()
