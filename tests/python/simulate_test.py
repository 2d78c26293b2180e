"""simulate() of the Python package against the command line."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import flashscope as fs
from support import PROGRAM, SCENARIOS, printed, refused, words_of


class Simulate(unittest.TestCase):
    def test_every_number_equals_that_of_the_command_line(self):
        for options in SCENARIOS:
            with self.subTest(options):
                self.assertEqual(fs.simulate(**options).dict(), printed("simulate", options))

    def test_a_derivation_equals_that_of_the_command_line(self):
        options = {"algorithm": "flash1", "seqlen": 4096, "causal": True}
        path = "tile_traffic.by_tensor.O.read_bytes"
        self.assertEqual(fs.why(path, **options).dict(), printed("simulate", options, "--why", path))

    def test_every_path_of_a_run_has_a_derivation(self):
        run = fs.simulate(seqlen=256)
        for path in run.paths():
            self.assertEqual(run.why(path).path, path)

    def test_errors_are_those_of_the_command_line(self):
        for options in ({"heads": -3}, {"algorithm": "flash9"}, {"kv_heads": 3, "heads": 4},
                        {"br": 4096}, {"dropout": 1.5}, {"seqlen": 0}, {"pattern": "rings"}, {"splits": 2}):
            with self.subTest(options), self.assertRaises(fs.Error) as raised:
                fs.simulate(**options)
            self.assertEqual(str(raised.exception), refused("simulate", options))
        with self.assertRaisesRegex(fs.Error, 'did you mean "heads"'):
            fs.simulate(hheads=3)

    def test_values_of_other_libraries_are_taken(self):
        named = type("dtype", (), {"__str__": lambda self: "torch.bfloat16"})()  # as PyTorch prints it
        scalar = type("bfloat16", (), {})  # as in JAX and ml_dtypes
        for dtype, name in ((named, "bf16"), (scalar, "bf16"), ("float16", "fp16"), ("torch.float32", "fp32")):
            self.assertEqual(fs.simulate(dtype=dtype).scenario.dtype, name)
        self.assertEqual(fs.simulate(gpu=fs.devices()["t4"], algorithm=fs.algorithms()["flash1"]).scenario.gpu, "t4")

    def test_e4m3_is_taken_by_its_name_and_by_that_of_other_libraries(self):
        for dtype in ("e4m3", "float8_e4m3fn", "torch.float8_e4m3fn"):
            run = fs.simulate(algorithm="flash3", dtype=dtype, head_dim=128, seqlen=300, rotate=False, fp8_scales="head",
                              inputs="outliers", numerics=True)
            self.assertEqual(run.scenario.dtype, "e4m3")
            self.assertEqual(run.tile_traffic.by_tensor["k_scale"].read_bytes, 4 * 3)
            self.assertTrue(1e-3 < run.number("values.rmse") < 1)

    def test_values_of_wrong_types_are_refused_by_name(self):
        for options, wrong in ((dict(seqlen=True), "seqlen: True is not a whole number"), (dict(kv_heads=False), "kv_heads: False"),
                               (dict(gpu=True), "gpu: True is not a name"), (dict(scale=True), "scale: True is not a number"),
                               (dict(seqlen={1}), "seqlen: .1. .set. is not a number"), (dict(heads=2j), "heads: 2j .complex."),
                               (dict(heads=[None]), "heads: None"), (dict(heads=b"2"), "heads: b'2' .bytes."),
                               (dict(heads=4.5), 'heads: "4.5" is not a whole number'), (dict(dtype=float), 'dtype "float64"'),
                               (dict(causal=2), 'causal "2"'), (dict(numerics=2), 'numerics: "2"'), (dict(layout=None), "layout")):
            with self.subTest(options), self.assertRaisesRegex(fs.Error, wrong):
                fs.simulate(**options)
        for call, wrong in ((lambda: fs.sweep("seqlen=64", jobs=True), 'jobs: "True" is not a whole number from 1 to 1024'),
                            (lambda: fs.tune(top=-1), 'top: "-1"'), (lambda: fs.tune(top=2.5), 'top: "2.5"'),
                            (lambda: fs.simulate().explain(2.6), "measured: 2.6 .float. is not a time with its unit")):
            with self.assertRaisesRegex(fs.Error, wrong):
                call()
        self.assertEqual(fs.simulate(algorithm="flash-decoding", pack=False, seqlen_q=1).scenario.pack, 0)

    def test_lengths_of_batch_entries_are_a_list_or_a_text(self):
        listed = fs.simulate(seqlens=[(1, 1024, 1024), (2, 128, 128)], heads=8)
        self.assertEqual(listed.dict(), fs.simulate(seqlens="1 1024 1024, 2 128 128", heads=8).dict())
        self.assertEqual(listed.dict(), fs.simulate(seqlens=["1 1024 1024", "2 128 128"], heads=8).dict())
        with self.assertRaisesRegex(fs.Error, 'count "0" is not a whole number'):
            fs.simulate(seqlens=[(0, 1, 1)])

    def test_lengths_are_numbers_pairs_or_cumulative(self):
        written = fs.simulate(seqlens="1 64 64, 1 128 128", heads=8).dict()
        for listed in ([64, 128], (64, 128), [(64, 64), (128, 128)], [64, (1, 128, 128)], [0, 64, 192]):
            with self.subTest(listed):
                self.assertEqual(fs.simulate(seqlens=listed, heads=8).dict(), written)
        self.assertEqual(fs.simulate(cu_seqlens=[0, 64, 192], heads=8).dict(), written)
        self.assertEqual(fs.simulate(seqlens=[(1, 777)]).scenario.seqlens, "1 1 777")
        self.assertEqual(fs.simulate(seqlens=[64]).scenario.seqlens, "1 64 64")
        self.assertIn("cumulative lengths", fs.simulate(seqlens=[0, 64, 192]).notes[0])
        self.assertEqual(fs.simulate(seqlens=[(2, 64, 64)]).notes, [])
        with self.assertRaisesRegex(fs.Error, "cu-seqlens: .*is the first cumulative length"):
            fs.simulate(cu_seqlens=[64, 192])
        with self.assertRaisesRegex(fs.Error, "cu-seqlens: is one list of numbers"):
            fs.simulate(cu_seqlens=[(0, 64)])
        with self.assertRaisesRegex(fs.Error, "has 4 numbers"):
            fs.simulate(seqlens=[(1, 2, 3, 4)])

    def test_amounts_are_read_as_on_the_command_line(self):
        run = fs.simulate(l2="50MB", clock="1.5GHz", seqlen=8192.0, gpu="h100-sxm:l2_bytes=25MiB")
        self.assertEqual((run.scenario.l2, run.scenario.clock, run.scenario.seqlen), (52428800, 1500000000, 8192))

    def test_informal_names_are_understood(self):
        run = fs.simulate(gpu="A100", seqlen="8k")
        self.assertEqual((run.scenario.gpu, run.scenario.seqlen), ("a100-sxm-40gb", 8192))
        self.assertEqual(run.notes, ['gpu: "A100" taken as a100-sxm-40gb'])


class Attributes(unittest.TestCase):
    def test_attributes_are_the_paths_of_the_json(self):
        run = fs.simulate(pass_="backward", heads=4, kv_heads=2)
        tree = run.dict()
        self.assertEqual(run.tile_traffic.by_tensor.K.read_bytes, tree["tile_traffic"]["by_tensor"]["K"]["read_bytes"])
        self.assertEqual(run.scenario.kv_heads, 2)
        self.assertEqual(run.scenario.pass_, "backward")
        self.assertEqual(run.kernels[1].name, tree["kernels"][1]["name"])
        self.assertIn("kv_heads", dir(run.scenario))

    def test_sums_of_read_and_written_have_names(self):
        run = fs.simulate(seqlen=512)
        total = run.tile_traffic.total
        self.assertEqual(run.tile_traffic.total_bytes, total.read_bytes + total.write_bytes)
        self.assertEqual(total.bytes, run.tile_traffic.total_bytes)
        self.assertEqual(run.hbm_traffic.bytes, run.hbm_traffic.read_bytes + run.hbm_traffic.write_bytes)

    def test_an_unknown_name_is_an_error_that_lists_the_known_ones(self):
        with self.assertRaisesRegex(AttributeError, "tile_traffic has no totl: .*total"):
            fs.simulate().tile_traffic.totl

    def test_the_repr_of_a_run_is_short(self):
        text = repr(fs.simulate(batch=4, heads=32, seqlen=2048))
        self.assertRegex(text, r"^flash2, forward: tile traffic 1.14 GB, HBM traffic 135.3 MB, .* bound by issue$")

    def test_a_copy_changes_no_run(self):
        run = fs.simulate()
        run.dict()["time"]["microseconds"] = -1
        self.assertGreater(run.time.microseconds, 0)


class Explained(unittest.TestCase):
    LONG = {"batch": 2, "heads": 32, "seqlen": 8192, "head_dim": 128}

    def test_a_measured_time_is_explained_as_on_the_command_line(self):
        for time in ("2.6ms", "850us", "1us", "1s"):
            with self.subTest(time):
                told = fs.simulate(**self.LONG).explain(measured=time)
                self.assertEqual(told.dict(), printed("simulate", self.LONG, "--measured", time)["measured"])
                self.assertEqual(told.impossible, time in ("850us", "1us"))

    def test_the_text_of_an_explanation_equals_the_command_line(self):
        told = fs.simulate(**self.LONG).explain(measured="2.6ms")
        words = [PROGRAM, "simulate", *words_of(self.LONG), "--measured", "2.6ms"]
        self.assertIn(repr(told), subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        self.assertAlmostEqual(told.bounds.tensor.percent, 85.5, 1)

    def test_an_invalid_time_is_an_error_as_on_the_command_line(self):
        for time in ("2.6", "0ms", "-1s", "", "ms"):
            with self.subTest(time), self.assertRaises(fs.Error) as raised:
                fs.simulate(**self.LONG).explain(measured=time)
            self.assertEqual(str(raised.exception), refused("simulate", self.LONG, "--measured", time))


class Models(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = pathlib.Path(folder.name) / "config.json"

    def test_a_model_is_read_from_its_config(self):
        self.config.write_text(json.dumps({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                                           "num_key_value_heads": 8, "num_hidden_layers": 32}))
        options = {"model": self.config, "seqlen": 2048, "heads": 16}
        run = fs.simulate(**options)
        self.assertEqual(run.dict(), printed("simulate", options))
        self.assertEqual((run.scenario.heads, run.scenario.kv_heads, run.scenario.head_dim), (16, 8, 128))
        self.assertTrue(any("--causal is not set" in note for note in run.notes))
        self.assertNotIn("config.json", run.link)
        self.assertIn("kv-heads=8", run.link)

    def test_an_unreadable_config_is_an_error_as_on_the_command_line(self):
        for text in ("", "[]", "{}", '{"num_attention_heads": "8"}', '{"num_attention_heads": 8, "kv_lora_rank": 512}'):
            self.config.write_text(text)
            with self.subTest(text), self.assertRaises(fs.Error) as raised:
                fs.simulate(model=self.config)
            self.assertEqual(str(raised.exception), refused("simulate", {"model": self.config}))


class Lists(unittest.TestCase):
    def test_lists_equal_those_of_the_command_line(self):
        for name in ("devices", "algorithms", "options"):
            listed = getattr(fs, name)()
            self.assertEqual([item.dict() for item in listed], printed(name, {})[name])
        self.assertEqual(fs.devices()["h100-sxm"].fields.sm_count.value, 132)
        with self.assertRaisesRegex(fs.Error, '"h1" is not in the list: .*h100-sxm'):
            fs.devices()["h1"]


if __name__ == "__main__":
    unittest.main()
