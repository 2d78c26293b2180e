"""compare(), sweep(), tune() and validate() of the Python package against the command line."""
import itertools
import json
import pathlib
import sys
import tempfile
import unittest
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from unittest import mock

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from support import printed, refused

GPUS = pathlib.Path(__file__).resolve().parents[2] / "sim" / "machine" / "devices"


class Compare(unittest.TestCase):
    def test_a_comparison_equals_that_of_the_command_line(self):
        options = {"batch": 2, "heads": 8, "seqlen": 2048, "causal": True, "gpu": "h200"}
        comparison = fs.compare(["standard", "fa1", "flash2"], **options)
        self.assertEqual(comparison.dict(), printed("compare", options, "--algorithms", "standard,fa1,flash2"))
        self.assertEqual(comparison["flash1"].dict(), fs.simulate(algorithm="flash1", **options).dict())
        self.assertEqual([run.scenario.algorithm for run in comparison], ["standard", "flash1", "flash2"])

    def test_without_options_the_scenario_fills_the_card(self):
        self.assertEqual(fs.compare().dict(), printed("compare", {}))

    def test_a_comparison_under_a_pattern_equals_that_of_the_command_line(self):
        options = {"seqlen": 1024, "pattern": "butterfly"}
        self.assertEqual(fs.compare(["standard", "block-sparse"], **options).dict(),
                         printed("compare", options, "--algorithms", "standard,block-sparse"))

    def test_values_of_each_algorithm_are_those_of_its_own_run(self):
        q, k, v, d_o = (np.random.default_rng(n).standard_normal((2, 70, 3, 16)).astype(np.float16) for n in range(4))
        options = dict(layout="bnhd", causal=True, pass_="forward+backward", progress=False)
        comparison = fs.compare(["standard", "flash1", "flash2"], q, k, v, d_o, **options)
        for run in comparison:
            alone = fs.simulate(q, k, v, d_o, algorithm=run.scenario.algorithm, **options)
            self.assertEqual(run.dict(), alone.dict())
            self.assertEqual(set(run.outputs), set(alone.outputs))
            for name, array in alone.outputs.items():
                np.testing.assert_array_equal(run.outputs[name], array)
            largest = f"{run.check.max_abs_error:.1e}"
            self.assertIn(f"error {largest}", repr(comparison))
            self.assertIn(f">{largest}</span>", comparison._repr_html_())
        self.assertEqual(comparison.number("results.2.check.max_abs_error"), comparison["flash2"].check.max_abs_error)

    def test_drawn_values_are_those_of_the_command_line(self):
        options = {"seqlen": 100, "heads": 2, "seed": 3}
        self.assertEqual(fs.compare(numerics=True, progress=False, **options).dict(),
                         printed("compare", options, "--numerics", "on"))
        self.assertNotIn("error 1", repr(fs.compare(**options)))

    def test_wrong_arrays_are_refused_by_name(self):
        q = np.zeros((2, 40, 8), np.float16)
        with self.assertRaisesRegex(fs.Error, "k: has head-dim 9, but head-dim is 8"):
            fs.compare(q=q, k=np.zeros((2, 40, 9), np.float16))
        with self.assertRaisesRegex(fs.Error, "numerics: off, but arrays are given"):
            fs.compare(q=q, numerics=False)
        with self.assertRaisesRegex(fs.Error, "takes a list of algorithms"):
            fs.compare(q=q, algorithm="flash2")
        for options, wrong in ((dict(layout="x"), 'layout: "x" is not one of bhnd, bnhd'),
                               (dict(numerics="maybe"), 'numerics: "maybe" is not one of on, off')):
            for call in (fs.compare, fs.simulate):
                with self.assertRaisesRegex(fs.Error, wrong):
                    call(**options)

    def test_a_link_opens_the_comparison(self):
        comparison = fs.compare(["standard", "fa1", "flash2"], seqlen=2048, causal=True)
        self.assertEqual(comparison.link, "algorithm=standard&seqlen=2048&causal=1&compare=algorithm:flash1,algorithm:flash2")

    def test_errors_are_those_of_the_command_line(self):
        with self.assertRaises(fs.Error) as raised:
            fs.compare(["flash2", "flash9"])
        self.assertEqual(str(raised.exception), refused("compare", {}, "--algorithms", "flash2,flash9"))
        with self.assertRaisesRegex(fs.Error, "takes a list of algorithms"):
            fs.compare(algorithm="flash2")


class Sweep(unittest.TestCase):
    def test_rows_equal_those_of_the_command_line(self):
        options, axes = {"causal": True}, ["algorithm=standard,flash2", "seqlen=512:4096:x2", "head-dim=64,500"]
        sweep = fs.sweep(axes, **options)
        expected = printed("sweep", options, *itertools.chain(*(("--over", axis) for axis in axes)))["rows"]
        self.assertEqual([dict(row) for row in sweep], expected)

    def test_axes_are_lists_texts_or_dictionaries(self):
        rows = fs.sweep(["seqlen=1024,2048", "kv-heads=1,2"], heads=4).rows
        self.assertEqual(fs.sweep({"seqlen": [1024, 2048], "kv_heads": (1, 2)}, heads=4).rows, rows)
        self.assertEqual(fs.sweep({"seqlen": "1024:2048:x2", "kv_heads": "1,2"}, heads=4, jobs=1).rows, rows)

    def test_values_of_an_axis_are_those_of_an_option(self):
        rows = fs.sweep({"causal": [np.True_, False], "dtype": [np.float16, np.dtype("float32")], "seqlen": np.array([64, 128])},
                        progress=False).rows
        self.assertEqual(rows, fs.sweep(["causal=1,0", "dtype=fp16,fp32", "seqlen=64,128"], progress=False).rows)
        self.assertEqual(fs.sweep({"seqlen": 64}).rows, fs.sweep("seqlen=64").rows)
        patterns = {"pattern": ["causal", "local-global:1,2"]}
        self.assertEqual(len(fs.sweep(patterns, algorithm="block-sparse")), 2)
        for over, wrong in (({"seqlen": [True]}, "seqlen: True is not a whole number"), ({"seqlen": []}, "seqlen: has no value"),
                            ({"window": [None, 3]}, "window: None"), (5, "over: 5 .int. is not a dictionary")):
            with self.subTest(over), self.assertRaisesRegex(fs.Error, wrong):
                fs.sweep(over)

    def test_files_are_values_of_an_axis(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, name) for name in ("a,b=c", "d")]
            for path, heads in zip(paths, (8, 4)):
                path.mkdir()
                (path / "config.json").write_text(json.dumps({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 2,
                                                              "num_attention_heads": heads, "num_key_value_heads": heads // 2}))
                (path / "lengths.txt").write_text("1 64 64\n2 128 128\n")
                (path / "gpu.toml").write_text((GPUS / "toy.toml").read_text())
            configs = [path / "config.json" for path in paths]
            shape = ["scenario.heads", "scenario.kv-heads", "scenario.head-dim"]
            rows = fs.sweep({"model": [*configs, "llama-3-8b"], "seqlen": [64]}, columns=shape, progress=False)
            self.assertEqual([rows[name] for name in shape], [[8, 4, 32], [4, 2, 8], [128, 256, 128]])
            self.assertEqual(len([note for note in rows.notes if "config.json" in note]), 2)
            for heads in ({"over": {"model": configs, "heads": [16]}}, {"over": {"heads": [16]}, "model": configs[0]},
                          {"over": {"model": configs}, "heads": 16}):
                self.assertEqual(set(fs.sweep(columns=shape, progress=False, **heads)["scenario.heads"]), {16})
            alone = fs.simulate(model=configs[1], seqlen=64).tile_traffic
            self.assertEqual(fs.sweep({"model": configs}, seqlen=64)["tile_traffic.total.read_bytes"][1], alone.total.read_bytes)
            ragged = fs.sweep({"seqlens": [paths[0] / "lengths.txt", [(1, 64, 64), (2, 128, 128)]]}, progress=False)
            self.assertEqual(*ragged["tile_traffic.total.read_bytes"])
            gpus = fs.sweep({"gpu": [paths[0] / "gpu.toml", "toy"]}, seqlen=64, head_dim=8, progress=False)
            self.assertEqual(*gpus["tile_traffic.total.read_bytes"])
            with self.assertRaisesRegex(fs.Error, "model: .*none.json: no such file"):
                fs.sweep({"model": [f"{folder}/none.json"]})

    def test_a_field_of_the_device_is_an_axis(self):
        expected = printed("sweep", {"gpu": "a100"}, "--over", "gpu.l2_bytes=20Mi:80Mi:x2")["rows"]
        self.assertEqual(fs.sweep({"gpu.l2_bytes": ["20Mi", 40 << 20, "80Mi"]}, gpu="a100").rows, expected)
        self.assertEqual(fs.sweep("gpu.l2_bytes=20Mi:80Mi:x2", gpu="a100").rows, expected)

    def test_the_number_of_threads_changes_nothing(self):
        axes = {"algorithm": ["standard", "flash1", "flash2"], "seqlen": "64:3200:64"}
        self.assertEqual(fs.sweep(axes, jobs=1).rows, fs.sweep(axes, jobs=16).rows)

    def test_a_formula_is_compared_with_the_counts(self):
        sweep = fs.sweep({"seqlen": [1024, 2048]}, formula="4*N*d*e", columns=["tile-traffic"])
        self.assertIn("departs", sweep.verdict)
        self.assertEqual(sweep.columns, ["seqlen", "tile_traffic.total", "formula", "ratio", "error"])

    def test_an_executor_gives_the_rows_of_the_threads_in_order(self):
        over = {"algorithm": ["standard", "flash1", "flash2"], "seqlen": "64:3200:64"}
        words = {"formula": "4*N*d*e", "columns": ["tile-traffic"]}
        here, seen = fs.sweep(over, **words), []
        with ProcessPoolExecutor(2) as pool, mock.patch("flashscope.progress.Bar._show", lambda self, done, of: seen.append((done, of))):
            there = fs.sweep(over, executor=pool, **words)
        self.assertEqual((there.columns, there.rows, there.verdict), (here.columns, here.rows, here.verdict))
        self.assertEqual((there.warnings, there.notes), (here.warnings, here.notes))
        self.assertEqual((seen[-1], seen), ((150, 150), sorted(seen)))

    def test_dask_is_an_executor(self):
        try:
            from distributed import Client
        except ImportError:
            self.skipTest("dask's package distributed is not installed")
        with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
            self.assertEqual(fs.sweep("seqlen=64:3200:64", executor=client.get_executor()).rows, fs.sweep("seqlen=64:3200:64").rows)

    def test_a_failing_part_cancels_those_that_have_not_begun(self):
        class Parts(ThreadPoolExecutor):
            futures = []

            def submit(self, run, arguments, which, of):
                def part():
                    if which == 0:
                        raise KeyboardInterrupt
                    begun.append(which)
                    return run(arguments, which, of)

                self.futures.append(super().submit(part))
                return self.futures[-1]

        begun = []
        with Parts(1) as pool, self.assertRaises(KeyboardInterrupt):
            fs.sweep("seqlen=64:64000:8", executor=pool)
        self.assertGreater(sum(future.cancelled() for future in pool.futures), 0)
        self.assertLess(len(begun), len(pool.futures) - 1)

    def test_an_executor_must_be_one(self):
        with self.assertRaisesRegex(fs.Error, "^executor: 4 \\(int\\) has no submit\\(\\)"):
            fs.sweep("seqlen=64", executor=4)
        with self.assertRaisesRegex(fs.Error, "^jobs: the executor decides"):
            fs.sweep("seqlen=64", executor=4, jobs=2)
        with ProcessPoolExecutor(1) as pool, self.assertRaises(fs.Error) as raised:
            fs.sweep("hats=1", executor=pool)
        self.assertEqual(str(raised.exception), refused("sweep", {}, "--over", "hats=1"))

    def test_errors_are_those_of_the_command_line(self):
        for axis in ("seqlen", "hats=1", "seqlen=8:1:1", "seqlen=1,1", "heads=1:10000000:1", "gpu.l2_bytes=7"):
            with self.subTest(axis), self.assertRaises(fs.Error) as raised:
                fs.sweep(axis)
            self.assertEqual(str(raised.exception), refused("sweep", {}, "--over", axis))

    def test_progress_reaches_the_total(self):
        seen = []
        rows = fs._core.sweep({}, ["seqlen=1024:2048:1"], "", None, None, 0, lambda done, of: seen.append((done, of)))[1]
        self.assertEqual((len(rows), seen[-1]), (1025, (1025, 1025)))
        self.assertEqual(seen, sorted(seen))

    def test_an_exception_of_the_bar_ends_the_sweep(self):
        def fail(done, of):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            fs._core.sweep({}, ["seqlen=1024:2048:1"], "", None, None, 0, fail)


class Tune(unittest.TestCase):
    def test_tilings_equal_those_of_the_command_line(self):
        options = {"head_dim": 256, "seqlen": 512, "gpu": "t4"}
        self.assertEqual(fs.tune(for_="time", top=3, **options).dict(), printed("tune", options, "--for", "time", "--top", "3"))

    def test_errors_are_those_of_the_command_line(self):
        with self.assertRaises(fs.Error) as raised:
            fs.tune(tiling="paper")
        self.assertEqual(str(raised.exception), refused("tune", {"tiling": "paper"}))
        with self.assertRaisesRegex(fs.Error, '"speed" is not one of bytes, time'):
            fs.tune(for_="speed")


class Validate(unittest.TestCase):
    def test_errors_of_times_equal_those_of_the_command_line(self):
        self.assertEqual(fs.validate(group="fa2-paper-a100", points=True).dict(),
                         printed("validate", {}, "--group", "fa2-paper-a100", "--points"))


if __name__ == "__main__":
    unittest.main()
