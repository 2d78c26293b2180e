"""FlashAttention-2 written in other ways: iterations carry the same vectors, so values are equal bit for bit."""
import sys
import unittest
from math import inf
from types import SimpleNamespace

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs

LAUNCH = dict(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"])


def scores(cta, p, Q, i, j):
    K = cta.load(p.K[j])
    S = cta.gemm_nt(Q, K)
    cta.scale(S, p.scale)
    if not j.masked:
        return S
    return cta.mask(S, i, j)


def finish(cta, p, i, O, l, m):
    cta.divide_rows(O, l)
    cta.store(O, p.O[i])
    L = cta.log_sum_exp(m, l)
    cta.store(L, p.L[i])


@fs.kernel(**LAUNCH)
def in_functions(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    for j in cta.key_blocks(i):
        S = scores(cta, p, Q, i, j)
        m_new = cta.row_max(S, m)
        alpha = cta.exp_sub(m, m_new, "alpha")
        P = cta.exp_sub(S, m_new)
        l, m = cta.add_row_sum(l, alpha, P), m_new
        cta.scale_rows(O, alpha)
        V = cta.load(p.V[j])
        cta.gemm_nn_add(O, P, V)
    finish(cta, p, i, O, l, m)


@fs.kernel(**LAUNCH)
def in_an_object(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    state = SimpleNamespace(rows=[l, {"m": m}])
    del l, m
    for j in cta.key_blocks(i):
        S = scores(cta, p, Q, i, j)
        m_new = cta.row_max(S, state.rows[1]["m"])
        alpha = cta.exp_sub(state.rows[1]["m"], m_new, "alpha")
        P = cta.exp_sub(S, m_new)
        state.rows = [cta.add_row_sum(state.rows[0], alpha, P), {"m": m_new}]
        cta.scale_rows(O, alpha)
        V = cta.load(p.V[j])
        cta.gemm_nn_add(O, P, V)
    finish(cta, p, i, O, state.rows[0], state.rows[1]["m"])


def pairs(cta, i):
    """A generator around a loop of cta."""
    for number, j in enumerate(cta.key_blocks(i)):
        yield f"block {number}", j


@fs.kernel(**LAUNCH)
def in_a_generator(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    for _, j in pairs(cta, i):
        m_old = m
        S = scores(cta, p, Q, i, j)
        m = cta.row_max(S, m)
        alpha = cta.exp_sub(m_old, m, "alpha")
        P = cta.exp_sub(S, m)
        l = cta.add_row_sum(l, alpha, P)
        cta.scale_rows(O, alpha)
        V = cta.load(p.V[j])
        cta.gemm_nn_add(O, P, V)
        cta.free(V)
    finish(cta, p, i, O, l, m)


@fs.kernel(**LAUNCH)
def with_continue(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None
    O = cta.zeros("O", i)
    l = cta.vec("l", i, 0)
    m = cta.vec("m", i, -inf)
    try:
        for j in cta.key_blocks(i):
            S = scores(cta, p, Q, i, j)
            m_new = cta.row_max(S, m)
            alpha = cta.exp_sub(m, m_new, "alpha")
            P = cta.exp_sub(S, m_new)
            l = cta.add_row_sum(l, alpha, P)
            cta.scale_rows(O, alpha)
            V = cta.load(p.V[j])
            cta.gemm_nn_add(O, P, V)
            m = m_new
            if j.masked:
                continue
            del S, P, V
    finally:
        finish(cta, p, i, O, l, m)


KERNELS = [in_functions, in_an_object, in_a_generator, with_continue]


class Variants(unittest.TestCase):
    def test_values_and_bytes_are_those_of_flash2(self):
        draw = np.random.default_rng(8)
        q, k, v = (draw.standard_normal((3, 400, 32)) * 2 for _ in range(3))
        for options in (dict(), dict(causal=True), dict(window=90, padding=31, causal=True)):
            flash2 = fs.check("flash2", q, k, v, **options)
            run = fs.simulate(heads=3, seqlen=400, head_dim=32, **options)
            for kernel in KERNELS:
                with self.subTest(f"{kernel.name} {options}"):
                    mine = fs.program(kernel.name.replace("_", "-"), [kernel], like="flash2")
                    np.testing.assert_array_equal(mine.check(q, k, v, **options).output, flash2.output)
                    other = mine.simulate(heads=3, seqlen=400, head_dim=32, **options)
                    for part in ("tile_traffic.total", "memory", "work"):
                        one, two = run.dict(), other.dict()
                        for name in part.split("."):
                            one, two = one[name], two[name]
                        one.pop("published", None), two.pop("published", None)
                        self.assertEqual(one, two)


if __name__ == "__main__":
    unittest.main()
