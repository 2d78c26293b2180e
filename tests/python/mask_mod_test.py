"""mask_mod: functions of query and key become the options of masks, or name the first row that no option expresses."""
import copy
import math
import pickle
import sys
import tempfile
import unittest
import warnings

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from flashscope.common import visible_keys
from flashscope.mask import MOST_PAIRS, USUAL, intervals_of, options_of
from programs import flash2_forward
from verdict_test import attention, drawn

DOCUMENT = np.repeat([0, 1, 2], [300, 24, 100])


def masked(mask_mod, name="masked"):
    return fs.program(name, [flash2_forward], like="flash2", mask_mod=mask_mod)


def first_of(mask_mod, n_q, n_k=None):
    """Returns the error for a function that no options express."""
    try:
        found = options_of(mask_mod, n_q, n_k or n_q)
    except fs.Error as error:
        return str(error)
    raise AssertionError(f"expressed by {found}")


class Options(unittest.TestCase):
    def test_masks_of_flex_attention_s_examples_become_few_options(self):
        for mask_mod, sizes, want in (
                (lambda q, k: k <= q, (8, 8), dict(causal=True)),
                (lambda q, k: k <= q, (4, 8), {"causal": True, "causal-from": "top-left"}),
                (lambda q, k, Nq, Nk: k <= q + Nk - Nq, (4, 8), dict(causal=True)),
                (lambda q, k: (q - k <= 3) & (k <= q), (16, 16), dict(causal=True, window="3")),
                (lambda q, k: abs(q - k) <= 3, (16, 16), dict(window="3,3")),
                (lambda q, k: k >= q - 2, (16, 16), dict(window="2")),
                (lambda q, k: k <= q + 2, (16, 16), dict(window="-1,2")),
                (lambda q, k: (k < 5) | (k <= q), (16, 16), dict(causal=True, prefix=5)),
                (lambda q, k: (k < 5) | (k <= q + 1), (16, 16), dict(window="-1,1", prefix=5)),
                (lambda q, k: DOCUMENT[q] == DOCUMENT[k], (424, 424), dict(documents="300 24 100")),
                (lambda q, k: (DOCUMENT[q] == DOCUMENT[k]) & (k <= q), (424, 424),
                 dict(causal=True, documents="300 24 100")),
                (lambda k, Nk: k < Nk - 7, (16, 16), dict(padding=7)),
                (lambda q, k: (k <= q) & (k < 9), (16, 16), dict(causal=True, padding=7)),
                (lambda q, k: k == q, (16, 16), dict(causal=True, window="0")),
                (lambda q: True, (16, 16), {}),
                (lambda q, k, width=3: (q - k <= width) & (k <= q), (16, 16), dict(causal=True, window="3"))):
            with self.subTest(want):
                self.assertEqual(options_of(mask_mod, *sizes), want)

    def test_every_mask_of_the_options_is_expressed_again(self):
        draw = np.random.default_rng(5)
        met = set()
        for _ in range(1500):
            n_q, n_k = (int(one) for one in draw.integers(1, 40, 2))
            scenario = dict(USUAL, causal=bool(draw.integers(2)), padding=int(draw.integers(0, n_k) * draw.integers(2)))
            scenario["causal-from"] = ("bottom-right", "top-left")[draw.integers(2)]
            left, right = (int(one) for one in draw.integers(-1, n_k, 2))
            kind = draw.integers(5)
            if kind in (1, 3):
                scenario["window"] = f"{left},{right}" if draw.integers(2) else str(max(0, left))
            elif kind == 2 and scenario["causal"]:
                scenario["prefix"] = int(draw.integers(1, n_k + 1))
            if kind > 2 and n_q <= n_k:
                cuts = sorted({0, n_k, *map(int, draw.integers(0, n_k, 3))})
                scenario["documents"] = " ".join(map(str, np.diff(cuts)))
            first, last = visible_keys(n_q, n_k, scenario)
            seen = last > first
            if not seen.any():
                continue
            options = options_of(lambda q, k: (first[q] <= k) & (k < last[q]), n_q, n_k)
            again = visible_keys(n_q, n_k, {**USUAL, **options})
            np.testing.assert_array_equal(np.where(seen, again[0], 0), np.where(seen, first, 0), str((scenario, options)))
            np.testing.assert_array_equal(np.where(again[1] > again[0], again[1], 0), np.where(seen, last, 0))
            met |= {*options}
        self.assertEqual(met, {*USUAL})

    def test_the_first_row_that_is_none_is_named(self):
        self.assertEqual(first_of(lambda q, k: (k <= q) & (k % 2 == 0), 8),
                         "mask_mod: query 2 sees key 0 and again key 2: each query of a mask sees one interval of keys; "
                         "visible blocks are those of --pattern")
        self.assertEqual(first_of(lambda q, k: (k <= q) | (k > 12) & (q > 4), 16).split(":")[1],
                         " query 5 sees keys 0 to 5 and again key 13")
        self.assertEqual(first_of(lambda q, k: k <= 8 - q, 8),
                         "mask_mod: query 2 sees keys 0 to 6 and query 1 before it keys 0 to 7: the ends of a mask never "
                         "move back")
        self.assertEqual(first_of(lambda q, k: (k <= q) & ((q != 9) | (k > 4)), 16).split(":")[1],
                         " query 10 sees keys 0 to 10 and query 9 before it keys 5 to 9")
        self.assertEqual(first_of(lambda q, k: k // 4 <= q // 4, 16),
                         "mask_mod: query 4 sees keys 0 to 7, which the options causal, window, prefix, documents and padding "
                         "do not express: the closest, causal=True, prefix=4, shows it keys 0 to 4")
        self.assertIn("query 0 sees no key, which", first_of(lambda q, k: k < q, 8))
        self.assertIn("the closest, no mask, shows it keys 0 to 3", first_of(lambda q, k: k < 0, 4))

    def test_rows_are_evaluated_in_parts_of_the_whole(self):
        first, last = intervals_of(lambda q, k: (k <= q) & (q - k < 100), 5000, 5000)
        np.testing.assert_array_equal(last, np.arange(1, 5001))
        np.testing.assert_array_equal(first, np.maximum(0, np.arange(5000) - 99))

    def test_too_many_pairs_are_refused_with_their_number(self):
        self.assertEqual(MOST_PAIRS, 2**26)
        self.assertIn("16,384 x 16,384 = 268,435,456 pairs, more than the 67,108,864", first_of(lambda q, k: k <= q, 1 << 14))

    def test_wrong_functions_are_refused_with_their_line(self):
        for mask_mod, words in (
                (lambda b, h, q_idx, kv_idx: q_idx >= kv_idx, "its parameter b is unknown: all batch entries and heads have"),
                (lambda q_idx, kv_idx: q_idx >= kv_idx, "its parameter q_idx is unknown: it is q here"),
                (lambda q, k, s: k <= q, "its parameter s is unknown"),
                (lambda q, k: k <= q and k > 2, "mask_mod is of arrays: write & for and"),
                (lambda q, k: q - k, "mask_mod returns int64, not True or False"),
                (lambda q, k: None, "mask_mod returns object, not True or False"),
                (lambda q, k: k[:, :3] <= q, r"mask_mod returns an array \(8, 3\), not one of queries and keys \(8, 8\)")):
            with self.subTest(words):
                self.assertRegex(first_of(mask_mod, 8), rf"^mask_mod_test.py:{mask_mod.__code__.co_firstlineno}: .*{words}")
        for mask_mod in (3, lambda q, key: key <= q):
            with self.assertRaisesRegex(fs.Error, "mask_mod: "):  # when the program is made
                masked(mask_mod)
        with self.assertRaises(IndexError):
            options_of(lambda q, k: DOCUMENT[q] == DOCUMENT[k], 500, 500)


class Programs(unittest.TestCase):
    def test_a_run_has_the_options_that_express_the_mask(self):
        run = masked(lambda q, k: (q - k <= 100) & (k <= q)).simulate(heads=4, seqlen=2048)
        self.assertEqual((run.scenario.causal, run.scenario.window), (True, 100))
        want = fs.simulate(algorithm="flash2", heads=4, seqlen=2048, causal=True, window=100)
        self.assertEqual(run.tile_traffic.total_bytes, want.tile_traffic.total_bytes)
        self.assertEqual(run.time.microseconds, want.time.microseconds)
        self.assertIn("causal=1&window=100", run.link)

    def test_sizes_are_those_of_the_arrays(self):
        q, k, v = drawn((1, 2, 130, 32))
        for mask_mod in (lambda q, k: (k < 40) | (k <= q), lambda q, k: abs(q - k) <= 9):
            mine, seen = masked(mask_mod), mask_mod(np.arange(130)[:, None], np.arange(130)[None, :])
            for reference in ("softmax", lambda q, k, v: attention(q, k, v, seen)):
                self.assertTrue(mine.check(q, k, v, reference=reference, progress=False))
            self.assertFalse(mine.check(q, k, v, reference=attention, progress=False))
        rows = [np.swapaxes(one, 1, 2) for one in (q[:, :, :50], k, v)]
        run = fs.simulate(*rows, layout="bnhd", algorithm=masked(lambda q, k: k <= q), progress=False)
        self.assertEqual((run.scenario["causal-from"], run.scenario["seqlen-q"]), ("top-left", 50))
        np.testing.assert_allclose(run.outputs["O"][0, :, 0], attention(q, k, v, np.tril(np.ones((130, 130), bool)))[0, 0, :50],
                                   atol=2e-3)

    def test_compared_algorithms_share_the_mask(self):
        mine = masked(lambda q, k: k <= q)
        both = fs.compare([mine, "flash2"], heads=4, seqlen=2048)
        self.assertEqual([run.scenario.causal for run in both], [True, True])
        self.assertEqual(both[0].tile_traffic.total_bytes, both[1].tile_traffic.total_bytes)
        alone = fs.compare([mine, "flash2"])
        self.assertEqual([run.scenario.causal for run in alone], [True, True])
        self.assertEqual([run.scenario.heads for run in alone], [run.scenario.heads for run in fs.compare(["flash1", "flash2"])])
        tuned = fs.tune(algorithm=mine, seqlen=512, progress=False)
        want = fs.tune(algorithm="flash2", seqlen=512, causal=True, progress=False)
        self.assertEqual(tuned.best.tile_traffic_bytes, want.best.tile_traffic_bytes)
        with self.assertRaisesRegex(fs.Error, "masked and other have a mask each: compare programs of one mask"):
            fs.compare([mine, masked(lambda q, k: k >= q, "other")], heads=4)

    def test_another_mask_besides_it_is_refused(self):
        mine = masked(lambda q, k: k <= q)
        for options in (dict(causal=True), dict(window=3), dict(padding=4), dict(documents=[1000, 24]),
                        dict(causal_from="top-left"), dict(causal=True, prefix=3)):
            name = {"causal_from": "causal-from"}.get(next(iter(options)), next(iter(options)))
            with self.assertRaisesRegex(fs.Error, f"^{name}: masked has a mask_mod, which is its mask: leave out one"):
                mine.simulate(**options)
        for over in ({"algorithm": [mine, "flash2"]}, "algorithm=flash2,masked", {"seqlen": [64, 128]}):
            with self.assertRaisesRegex(fs.Error, "^sweep: masked has a mask_mod, which is evaluated for one size"):
                fs.sweep(over, progress=False, **({"algorithm": mine} if over == {"seqlen": [64, 128]} else {}))
        self.assertEqual(len(fs.sweep({"seqlen": [64, 128]}, progress=False)), 2)

    def test_a_program_of_the_same_name_without_a_mask_replaces_it(self):
        masked(lambda q, k: k <= q)
        self.assertFalse(masked(None).simulate(seqlen=64).scenario.causal)

    def test_files_hold_no_mask_and_say_so(self):
        mine = masked(lambda q, k: k <= q)
        with tempfile.TemporaryDirectory() as folder, self.assertWarnsRegex(UserWarning, "does not hold the mask_mod of masked"):
            mine.save(f"{folder}/masked.fscope")
        self.assertIs(copy.deepcopy(mine).mask_mod, mine.mask_mod)
        run = mine.simulate(seqlen=256)
        self.assertTrue(pickle.loads(pickle.dumps(run)).why("work.exp_count").value < 256 * 256)
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
            warnings.simplefilter("error")
            masked(None).save(f"{folder}/masked.fscope")

    def test_score_mod_and_mask_mod_go_together(self):
        from programs import scored_forward
        q, k, v = drawn((1, 2, 90, 16))
        mine = fs.program("both", [scored_forward], like="flash2", score_mod=lambda s: 2 * fs.tanh(s / 2),
                          mask_mod=lambda q, k: k <= q)

        def reference(q, k, v):
            s = 2 * np.tanh(q @ k.swapaxes(-1, -2) / math.sqrt(16) / 2)
            p = np.exp(np.where(np.tril(np.ones((90, 90), bool)), s, -np.inf))
            return p @ v / p.sum(axis=-1, keepdims=True)

        self.assertTrue(mine.check(q, k, v, reference=reference, progress=False))
        self.assertTrue(mine.check(q, k, v, progress=False))


if __name__ == "__main__":
    unittest.main()
