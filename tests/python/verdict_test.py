"""Verdicts on values: compared with numpy, and for wrong rows."""
import re
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from flashscope.common import common_to, visible_keys
from flashscope.verdict import Verdict


def drawn(shape=(2, 4, 200, 32), kv_heads=None, dtype=np.float16, seed=0):
    """Returns q, k and v with two channels six times larger than the others."""
    draw = np.random.default_rng(seed)
    of_keys = (*shape[:-3], kv_heads or shape[-3], *shape[-2:]) if len(shape) > 2 else shape
    q, k, v = (draw.standard_normal(size) for size in (shape, of_keys, of_keys))
    for tensor in (q, k):
        tensor[..., [3, 7]] *= 6
    return tuple(tensor.astype(dtype) for tensor in (q, k, v))


def attention(q, k, v, visible=None):
    """Attention in double, for (..., rows, head_dim)."""
    q, k, v = (tensor.astype(np.float64) for tensor in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if visible is not None:
        scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights @ v / weights.sum(axis=-1, keepdims=True)


class Check(unittest.TestCase):
    def test_built_in_algorithms_agree_with_attention_of_numpy(self):
        q, k, v = drawn((2, 4, 200, 64))
        rows = np.arange(200)
        causal = rows[:, None] >= rows[None, :]
        for algorithm in fs.algorithms().names():
            for visible, options in ((None, {}), (causal, {"causal": True})):
                options |= {"pattern": "window:1000"} if "block-sparse" in algorithm else {}
                if algorithm in ("mla-decode", "paged-attention") or (algorithm == "fmha" and visible is not None):
                    continue  # V of the first is in K, the second has one query; the last has no causal mask
                with self.subTest(f"{algorithm} {options}"):
                    verdict = fs.check(algorithm, q, k, v, **options)
                    self.assertTrue(verdict, verdict)
                    np.testing.assert_allclose(verdict.exact, attention(q, k, v, visible), atol=2e-6)
                    self.assertTrue((verdict.errors == np.abs(verdict.output - verdict.exact).max(axis=-1)).all())

    def test_every_mask_hides_the_keys_of_its_definition(self):
        q, _, _ = drawn((1, 2, 60, 16))
        _, k, v = drawn((1, 2, 100, 16))
        at, keys = np.arange(60)[:, None] + 40, np.arange(100)[None, :]
        document = np.searchsorted([50, 75], np.arange(100), "right")
        for options, visible in (({"window": (20, 9)}, (keys >= at - 20) & (keys <= at + 9)), ({"window": (-1, 9)}, keys <= at + 9),
                                 ({"window": (20, 0)}, (keys >= at - 20) & (keys <= at)),
                                 ({"prefix": 70, "causal": True}, (keys <= at) | (keys < 70)),
                                 ({"documents": [50, 25, 25]}, document[at] == document[keys]),
                                 ({"documents": [0, 50, 75, 100], "causal": True}, (document[at] == document[keys]) & (keys <= at)),
                                 ({"causal": True, "causal_from": "top-left"}, keys <= at - 40)):
            with self.subTest(options):
                verdict = fs.check("flash2", q, k, v, **options)
                self.assertTrue(verdict, verdict)
                np.testing.assert_allclose(verdict.exact, attention(q, k, v, visible), atol=2e-6)
                first, last = visible_keys(60, 100, fs.simulate(**options, seqlen_q=60, seqlen_k=100).dict()["scenario"])
                np.testing.assert_array_equal((keys >= first[:, None]) & (keys < last[:, None]), visible)

    def test_layouts_ranks_and_dtypes_of_one_tensor_give_one_verdict(self):
        q, k, v = drawn((1, 6, 96, 16), kv_heads=2)
        whole = fs.check("flash2", q, k, v)
        by_rows = fs.check("flash2", *(np.swapaxes(tensor, 1, 2) for tensor in (q, k, v)), layout="bnhd")
        np.testing.assert_array_equal(whole.output, by_rows.output)
        np.testing.assert_array_equal(whole.output, fs.check("flash2", q[0], k[0], v[0]).output)
        np.testing.assert_array_equal(whole.output[0, 5], fs.check("flash2", q[0, 5], k[0, 1], v[0, 1]).output[0, 0])
        wide = fs.check("flash2", *(tensor.astype(np.float64) for tensor in (q, k, v)), dtype="fp32")
        self.assertLess(wide.largest, whole.largest)
        np.testing.assert_array_equal(
            whole.output, fs.check("flash2", *(tensor.astype(np.float32) for tensor in (q, k, v)), dtype="fp16").output)

    def test_tensors_with_conflicting_shapes_are_refused(self):
        q, k, v = drawn((2, 4, 32, 16))
        for tensors, options, words in (
                ((q, k, v[:, :, :8]), {}, "v: "), ((q[:1], k, v), {}, "k: "),
                ((q[:, :3], k, v), {}, "heads"), ((q.astype(int), k, v), {}, "q: elements of type"),
                (([[1.0]], k, v), {}, "q: a list is not an array"), ((q[0, 0, 0], k, v), {}, "rank 1"),
                ((q[:, :0], k, v), {}, "q: dimension 0"), ((q, k, v), {"layout": "nbhd"}, "layout"),
                ((q, k, v), {"heads": 3}, "q: has heads 4, but heads is 3"),
                ((q, k, v), {"algorithms": "x"}, "algorithms")):
            with self.subTest(words), self.assertRaisesRegex(fs.Error, words):
                fs.check("flash2", *tensors, **options)


class WrongRows(unittest.TestCase):
    def setUp(self):
        self.q, self.k, self.v = drawn((1, 2, 300, 32))
        self.good = fs.check("flash2", self.q, self.k, self.v)
        self.values = fs.simulate(heads=2, seqlen=300, head_dim=32, br=64, bc=64).dict()

    def wrong(self, rows, by=1.0):
        return Verdict(self.good.output + np.where(rows, by, 0)[..., None], self.good.exact, self.good.allowed)

    def test_a_verdict_counts_wrong_rows_and_shows_each_in_its_picture(self):
        rows = np.zeros((1, 2, 300), dtype=bool)
        rows[0, 1, 40:] = True
        verdict = self.wrong(rows, 8.0)
        self.assertFalse(verdict)
        self.assertRegex(verdict.headline, r"^260 of 600 rows are wrong, by up to 8\.\d\d$")
        self.assertTrue((verdict.wrong == rows).all())
        html = verdict._repr_html_()
        self.assertLess(len(html), 30_000)
        self.assertNotIn("<script", html)
        self.assertIn("allowed", html)
        self.assertIn("var(--warn)", html)

    def test_values_that_are_not_finite_are_wrong(self):
        rows = np.zeros((1, 2, 300), dtype=bool)
        rows[0, 0, 5] = True
        for by in (np.nan, np.inf):
            verdict = self.wrong(rows, by)
            self.assertEqual(verdict.headline, "1 of 600 rows is wrong, and some are not finite")
            self.assertTrue(verdict._repr_html_())

    def test_a_verdict_names_the_common_property_of_the_right_rows(self):
        scores = self.q.astype(np.float32) @ self.k.astype(np.float32).swapaxes(-1, -2)
        first = scores.argmax(axis=-1) < 64
        rows = np.arange(300)
        for right, words in ((first, "met their maximum in the first block of keys"),
                             (np.broadcast_to(rows >= 256, first.shape), "are of the last block of rows"),
                             (np.broadcast_to(rows < 64, first.shape), "are of the first block of rows")):
            told = common_to(self.wrong(~right), self.q, self.k, self.values)
            self.assertEqual(told, f"All {right.sum():,} rows that are right {words}.")
        few = first.copy()
        few[0, 0, np.flatnonzero(~first[0, 0])[:3]] = True
        told = common_to(self.wrong(~few), self.q, self.k, self.values)
        self.assertTrue(told.startswith(f"{first.sum()} of the {few.sum()} rows that are right met their maximum"), told)
        self.assertEqual(common_to(self.wrong(np.ones_like(first)), self.q, self.k, self.values), "No row is right.")
        chance = np.random.default_rng(5).random(first.shape) < 0.5
        self.assertEqual(common_to(self.wrong(chance), self.q, self.k, self.values), "")

    def test_a_verdict_without_any_error_is_shown(self):
        exact = np.zeros((1, 1, 4, 2))
        verdict = Verdict(exact, exact, np.array([[1e-5]]))
        self.assertTrue(verdict)
        self.assertIn("agrees with attention in double precision", re.sub("<[^>]*>", "", verdict._repr_html_()))


if __name__ == "__main__":
    unittest.main()
