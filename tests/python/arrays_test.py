"""simulate() with arrays of numpy and DLPack, against attention in numpy."""
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs


def attention(q, k, v, causal=False):
    """Returns softmax(q k^T / sqrt(d)) v in double; q (..., N, d)."""
    scores = q.astype(np.float64) @ np.swapaxes(k.astype(np.float64), -1, -2) / np.sqrt(q.shape[-1])
    if causal:
        n, m = scores.shape[-2:]
        scores = np.where(np.arange(m) <= np.arange(n)[:, None] + m - n, scores, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v.astype(np.float64)


def rounded(x):
    """Returns the values rounded to fp16."""
    return x.astype(np.float16).astype(np.float32)


def plain(q, k, v):
    """Returns the plain formula in fp16: scores, probabilities and output are stored in it, sums are in fp32."""
    q, k, v = (x.astype(np.float32) for x in (q, k, v))
    scores = rounded(rounded(q @ np.swapaxes(k, -1, -2)) * np.float32(1 / np.sqrt(q.shape[-1])))
    p = np.exp(scores - scores.max(-1, keepdims=True))
    return rounded(rounded(p / p.sum(-1, keepdims=True)) @ v)


def transposed(x):
    return np.swapaxes(x, -1, -2)


def gradients(q, k, v, d_o, store=lambda x: x, number=np.float64):
    """Returns dQ, dK and dV by the chain rule. `store`: rounds S, P, dP, dS and results; `number`: type of all sums."""
    q, k, v, d_o = (x.astype(number) for x in (q, k, v, d_o))
    scale = number(1 / np.sqrt(q.shape[-1]))
    scores = store(store(q @ transposed(k)) * scale)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p = store(p / p.sum(-1, keepdims=True))
    d_p = store(d_o @ transposed(v))
    d_s = store(p * (d_p - (p * d_p).sum(-1, keepdims=True)))
    return [store(x) for x in (scale * (d_s @ k), scale * (transposed(d_s) @ q), transposed(p) @ d_o)]


def allowed(plain_values, exact, factor=2):
    """Returns the bound of each head by the numerics rule: a multiple of the plain formula's error, and two roundings."""
    error = np.abs(plain_values - exact).max((-1, -2))
    r = rounded(exact)
    return factor * error + 2 * np.abs(rounded(rounded(r + np.float32(0.3)) - np.float32(0.3)) - r).max((-1, -2)) + 1e-5


class Tensor:
    """A tensor that cannot be exported, as one of PyTorch with a gradient."""

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self):
        raise BufferError("it requires a gradient, use detach()")


def drawn(*shape, seed=0, dtype=np.float16):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


class Values(unittest.TestCase):
    def test_all_algorithms_equal_numpy_within_the_numerics_rule(self):
        q, k, v = (drawn(24, 1000, 64, seed=n) for n in range(3))
        for channel in (7, 42):
            q[..., channel] *= 6
            k[..., channel] *= 6
        for algorithm in fs.algorithms():
            if "same_as" in algorithm or "sparse" in algorithm.name or algorithm.name == "mla-decode":  # V is in its K
                continue
            heads = 24 if algorithm.name == "flash2" else 4  # all heads for one algorithm, some for others
            rows = 512 if algorithm.name == "fmha" else 1000  # the maximum of fmha
            queries = 1 if algorithm.name == "paged-attention" else rows  # one of each sequence
            with self.subTest(algorithm.name):
                self.check_values([q[:heads, :queries], k[:heads, :rows], v[:heads, :rows]], algorithm.name)

    def test_v_of_mla_decode_is_the_first_columns_of_k(self):
        q, k = drawn(4, 3, 64), drawn(1, 300, 64, seed=1)
        run = fs.simulate(q, k, algorithm="mla-decode", head_dim_v=32, progress=False)
        exact = attention(q, np.repeat(k, 4, axis=0), np.repeat(k[..., :32], 4, axis=0))
        self.assertEqual(run.outputs["O"].shape, (4, 3, 32))
        self.assertLess(np.abs(run.outputs["O"].astype(np.float64) - exact).max(), 2e-3)

    def test_packed_rows_are_each_entry_s_own_attention(self):
        q, k, v = drawn(13, 4, 16), drawn(22, 4, 16, seed=1), drawn(22, 4, 16, seed=2)
        run = fs.simulate(q, k, v, seqlens=[(2, 5, 9), (1, 3, 4)], progress=False)
        O = run.outputs["O"]
        self.assertEqual((O.shape, run.outputs["L"].shape), ((13, 4, 16), (13, 4)))
        for rows, keys in ((slice(0, 5), slice(0, 9)), (slice(5, 10), slice(9, 18)), (slice(10, 13), slice(18, 22))):
            exact = attention(*(np.swapaxes(x, 0, 1) for x in (q[rows], k[keys], v[keys])))
            self.assertLess(np.abs(np.swapaxes(O[rows].astype(np.float64), 0, 1) - exact).max(), 2e-3)

    def test_one_query_of_grouped_heads_has_the_axes_of_q(self):
        q, k, v = drawn(2, 8, 1, 16), drawn(2, 2, 300, 16, seed=1), drawn(2, 2, 300, 16, seed=2)
        exact = attention(q, np.repeat(k, 4, axis=1), np.repeat(v, 4, axis=1))
        for options in ({}, {"splits": 2}, {"pack": 0}):
            outputs = fs.simulate(q, k, v, algorithm="flash-decoding", progress=False, **options).outputs
            self.assertEqual((outputs["O"].shape, outputs["L"].shape), ((2, 8, 1, 16), (2, 8, 1)))
            self.assertLess(np.abs(outputs["O"].astype(np.float64) - exact).max(), 2e-3)

    def check_values(self, arrays, algorithm):
        exact = attention(*arrays)
        run = fs.simulate(*arrays, algorithm=algorithm, progress=False)
        error = np.abs(run.outputs["O"].astype(np.float64) - exact).max((-1, -2))
        self.assertTrue((error <= allowed(plain(*arrays), exact)).all(), error)
        self.assertAlmostEqual(run.check.max_abs_error, error.max(), delta=1e-6)

    def test_gradients_of_all_algorithms_equal_numpy_within_the_numerics_rule(self):
        arrays = [drawn(2, 500, 64, seed=n) for n in range(4)]
        for array in arrays[:2]:
            array[..., [7, 42]] *= 6
        exact = gradients(*arrays)
        bounds = [allowed(one, of, factor=3) for one, of in zip(gradients(*arrays, rounded, np.float32), exact)]
        checked = set()
        for algorithm in fs.algorithms():
            if "same_as" in algorithm or "sparse" in algorithm.name or algorithm.name == "mla-decode":  # V is in its K
                continue
            with self.subTest(algorithm.name):
                try:
                    run = fs.simulate(*arrays, algorithm=algorithm.name, pass_="backward", progress=False)
                except fs.Error as error:
                    self.assertRegex(str(error), "pass: .*backward")
                    continue
                for name, of, bound in zip(("dQ", "dK", "dV"), exact, bounds):
                    error = np.abs(run.outputs[name].astype(np.float64) - of).max((-1, -2))
                    self.assertTrue((error <= bound).all(), f"{name}: {error} of {bound}")
                checked.add(algorithm.name)
        self.assertLessEqual({"standard", "memory-efficient", "rabe-staats", "fmha", "flash1", "flash2"}, checked)

    def test_gradients_are_returned(self):
        q, k, v, d_o = (drawn(2, 3, 50, 16, seed=n) for n in range(4))
        run = fs.simulate(q, k, v, d_o, pass_="forward+backward", causal=True, progress=False)
        self.assertEqual({name: array.shape for name, array in run.outputs.items()},
                         {"O": (2, 3, 50, 16), "L": (2, 3, 50), "dQ": (2, 3, 50, 16), "dK": (2, 3, 50, 16), "dV": (2, 3, 50, 16)})
        step = 1e-4
        loss = lambda x: (attention(x, k, v, causal=True) * d_o).sum()
        x = q.astype(np.float64)
        for place in ((0, 0, 3, 5), (1, 2, 49, 15)):
            up, down = x.copy(), x.copy()
            up[place] += step
            down[place] -= step
            self.assertAlmostEqual(run.outputs["dQ"][place], (loss(up) - loss(down)) / (2 * step), delta=2e-2)

    def test_sizes_follow_from_the_arrays(self):
        run = fs.simulate(drawn(2, 6, 40, 8), drawn(2, 3, 70, 8), drawn(2, 3, 70, 8), progress=False)
        s = run.scenario
        self.assertEqual((s.batch, s.heads, s.kv_heads, s.seqlen_q, s.seqlen_k, s.head_dim), (2, 6, 3, 40, 70, 8))
        self.assertEqual(run.outputs["O"].dtype, np.float16)

    def test_numerics_compute_drawn_values(self):
        run = fs.simulate(seqlen=64, numerics=True, progress=False)
        self.assertEqual(run.outputs["O"].shape, (1, 1, 64, 64))
        self.assertLess(run.check.max_abs_error, 1e-2)
        self.assertIsNone(fs.simulate(seqlen=64).check)

    def test_changing_an_array_later_does_not_change_the_outputs(self):
        q, k, v = (drawn(1, 1, 32, 8, seed=n) for n in range(3))
        copies = [x.copy() for x in (q, k, v)]
        run = fs.simulate(q, k, v, progress=False)
        q[:] = 0
        np.testing.assert_array_equal(run.outputs["O"], fs.simulate(*copies, progress=False).outputs["O"])


class Reading(unittest.TestCase):
    def run_of(self, q, **options):
        k, v = drawn(2, 40, 8, seed=1), drawn(2, 40, 8, seed=2)
        return fs.simulate(q, k, v, progress=False, **options).outputs["O"]

    def test_any_strides_are_read(self):
        q = drawn(2, 40, 8)
        expected = self.run_of(q)
        for same in (np.asfortranarray(q), np.ascontiguousarray(q.transpose(2, 0, 1)).transpose(1, 2, 0),
                     np.repeat(q, 2, axis=1)[:, ::2], np.ascontiguousarray(q[:, ::-1])[:, ::-1]):
            np.testing.assert_array_equal(self.run_of(same), expected)
        self.assertEqual(self.run_of(np.broadcast_to(q[:, :1], (2, 40, 8))).shape, (2, 40, 8))
        read_only = q.copy()
        read_only.flags.writeable = False
        np.testing.assert_array_equal(self.run_of(read_only), expected)

    def test_wider_types_are_rounded_to_the_dtype(self):
        q = drawn(2, 40, 8)
        for dtype in (np.float32, np.float64):
            np.testing.assert_array_equal(self.run_of(q.astype(dtype)), self.run_of(q))
        self.assertIn("q (f4): rounded to fp16", " ".join(
            fs.simulate(q.astype(np.float32), progress=False, dtype="fp16").warnings).replace("input-q", "q"))

    def test_layout_bnhd_swaps_heads_and_rows(self):
        q, k, v = (drawn(1, 3, 40, 8, seed=n) for n in range(3))
        expected = fs.simulate(q, k, v, progress=False).outputs["O"]
        swapped = fs.simulate(*(x.transpose(0, 2, 1, 3) for x in (q, k, v)), layout="bnhd", progress=False).outputs["O"]
        np.testing.assert_array_equal(swapped.transpose(0, 2, 1, 3), expected)

    def test_dlpack_is_read(self):
        class Tensor:
            """A tensor that supports only DLPack."""

            def __init__(self, array, device=(1, 0)):
                self.array, self.device = array, device

            def __dlpack_device__(self):
                return self.device

            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

        q = drawn(2, 40, 8)
        np.testing.assert_array_equal(self.run_of(Tensor(q)), self.run_of(q))
        np.testing.assert_array_equal(self.run_of(Tensor(q[:, ::-1])), self.run_of(q[:, ::-1]))
        with self.assertRaisesRegex(fs.Error, r"q: a Tensor on cuda:1: arrays are read from the CPU"):
            self.run_of(Tensor(q, (2, 1)))
        with self.assertRaisesRegex(fs.Error, r"q: elements of DLPack type 0 with 32 bits: allowed are float16"):
            self.run_of(Tensor(np.ones((2, 40, 8), np.int32)))

    def test_bfloat16_is_read(self):
        class BFloat16(np.ndarray):
            """An array as from ml_dtypes: two bytes of a type named bfloat16."""

            dtype = "bfloat16"

            def view(self, dtype):
                return np.asarray(self).view(dtype)

        bits = (drawn(2, 40, 8, dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16)
        q = (bits.astype(np.uint32) << 16).view(np.float32)
        run = fs.simulate(bits.view(BFloat16), progress=False)
        self.assertEqual(run.scenario.dtype, "bf16")
        np.testing.assert_array_equal(run.outputs["O"], fs.simulate(q, dtype="bf16", progress=False).outputs["O"])


class Refused(unittest.TestCase):
    def test_wrong_arrays_are_refused_by_name(self):
        q = drawn(2, 40, 8)
        for arrays, text in (({"q": q.astype(np.int32)}, "q: elements of type i: allowed are float16"),
                             ({"k": q.astype(np.complex64)}, "k: elements of type Zf"),
                             ({"v": q.astype(">f4")}, "v: elements of type >f"),
                             ({"q": [[1.0, 2.0]]}, "q: a list is not an array"),
                             ({"q": "q.npy"}, "q: a str is not an array"),
                             ({"q": q[0, 0]}, "q: an array of rank 1, allowed are"),
                             ({"q": q[None, None]}, "q: .*rank|q: .*dimensions|q: .*shape"),
                             ({"q": q, "k": drawn(2, 40, 9)}, "k: has head-dim 9, but head-dim is 8"),
                             ({"q": q, "heads": 3}, "q: has heads 2, but heads is 3"),
                             ({"q": q[:0]}, "q"),
                             ({"q": q, "d_o": q}, "d_o: a forward pass reads no dO"),
                             ({"q": q, "layout": "nhd"}, 'layout: "nhd" is not one of bhnd, bnhd'),
                             ({"q": q, "numerics": False}, "numerics: off")):
            with self.subTest(text), self.assertRaisesRegex(fs.Error, text):
                fs.simulate(progress=False, **arrays)


class Masks(unittest.TestCase):
    def test_an_array_with_a_mask_is_refused_by_name(self):
        q = drawn(2, 40, 8)
        for masked in (np.ma.masked_array(q), np.ma.masked_where(q > 0, q), np.ma.array(q, mask=True).astype(np.float64)):
            for call in (lambda: fs.simulate(q, masked, progress=False), lambda: fs.compare(["flash2"], q, masked),
                         lambda: fs.check("flash2", q, masked, q, progress=False)):
                with self.assertRaisesRegex(fs.Error, "^k: a MaskedArray: its mask would be lost"):
                    call()
        self.assertTrue(fs.simulate(q, np.ma.masked_array(q).filled(0), progress=False))

    def test_a_tensor_that_is_not_exported_is_refused_with_its_reason(self):
        with self.assertRaisesRegex(fs.Error, "^v: BufferError: it requires a gradient, use detach"):
            fs.simulate(v=Tensor())


if __name__ == "__main__":
    unittest.main()
