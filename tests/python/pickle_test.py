"""Results are pickled and copied, with arrays, programs and everything that a run derives."""
import copy
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from support import SCENARIOS


def unpickled(thing):
    return pickle.loads(pickle.dumps(thing))


WAYS = unpickled, copy.deepcopy, copy.copy


def drawn(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype(np.float16)


class Pickle(unittest.TestCase):
    def assert_same(self, run, other):
        self.assertEqual(run.dict(), other.dict())
        for text in (repr, lambda one: one.title, lambda one: one.shape, lambda one: one.tiles, lambda one: one.link,
                     lambda one: one.notes, lambda one: one.paths(), lambda one: repr(one.listing)):
            self.assertEqual(text(run), text(other))
        path = "tile_traffic.total.read_bytes"
        self.assertEqual(repr(run.why(path)), repr(other.why(path)))
        self.assertEqual(repr(run.explain("2.6ms")), repr(other.explain("2.6ms")))
        self.assertEqual(set(run.outputs), set(other.outputs))
        for name, array in run.outputs.items():
            np.testing.assert_array_equal(array, other.outputs[name])

    def test_runs_of_all_scenarios_are_the_same(self):
        for options in SCENARIOS:
            run = fs.simulate(**options)
            for way in WAYS:
                with self.subTest(options):
                    self.assert_same(run, way(run))

    def test_runs_on_arrays_keep_outputs_and_errors(self):
        q = drawn(2, 50, 3, 16)
        for options in (dict(causal=True), dict(pass_="forward+backward", algorithm="flash1"), dict(dtype="fp32", gpu="A100")):
            run = fs.simulate(q, layout="bnhd", progress=False, **options)
            for way in WAYS:
                self.assert_same(run, way(way(run)))

    def test_a_deep_copy_has_arrays_of_its_own(self):
        run = fs.simulate(drawn(40, 8), dtype="fp32", progress=False)
        copied = copy.deepcopy(run)
        copied.outputs["O"][:] = 7
        self.assertFalse((run.outputs["O"] == 7).any())

    def test_a_comparison_is_the_same(self):
        q = drawn(2, 40, 8)
        for comparison in (fs.compare(seqlen=512), fs.compare(["standard", "flash2"], q, q, q, progress=False)):
            for way in WAYS:
                other = way(comparison)
                self.assertEqual((other.dict(), repr(other), other.link), (comparison.dict(), repr(comparison), comparison.link))
                for one, two in zip(comparison, other):
                    self.assert_same(one, two)

    def test_every_other_result_is_the_same(self):
        q, run = drawn(2, 40, 8), fs.simulate()
        for result in (run.tile_traffic, run.kernels, run.why("time.microseconds"), run.explain("2.6ms"), run.listing,
                       fs.sweep({"seqlen": [64, 128]}, progress=False), fs.tune(progress=False), fs.devices(), fs.devices()["t4"],
                       fs.check("flash2", q, q, q, progress=False), fs.validate(group="fa2-paper-a100"), fs.Error("text")):
            for way in WAYS:
                with self.subTest(type(result)):
                    self.assertEqual(repr(way(result)), repr(result))

    def test_a_program_goes_with_its_runs_to_another_process(self):
        mine = fs.exercise(1).program()
        run = mine.simulate(seqlen=300)
        code = ("import pickle, sys\nrun, mine = pickle.load(sys.stdin.buffer)\n"
                "print(run.title, len(run.paths()), mine.simulate(seqlen=300).dict() == run.dict())")
        done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((run, mine)), capture_output=True)
        self.assertEqual((done.stdout.decode(), done.stderr), (f"{run.title} {len(run.paths())} True\n", b""))

    def test_a_run_whose_files_have_changed_keeps_its_numbers_and_derives_none(self):
        with tempfile.TemporaryDirectory() as folder:
            lengths = pathlib.Path(folder, "lengths.txt")
            lengths.write_text("1 64 64\n")
            run = unpickled(fs.simulate(seqlens=lengths))
            total = run.tile_traffic.total_bytes
            device = pathlib.Path(folder, "gpu.toml")
            device.write_text(TOY.read_text())
            of_device = unpickled(fs.simulate(gpu=device, seqlen=64, head_dim=8))
            device.write_text(TOY.read_text().replace("1_000_000_000", "500_000_000", 1))
            with self.assertRaisesRegex(fs.Error, "made again, its .* is another one"):
                of_device.why("time.microseconds")
            self.assertGreater(of_device.time.microseconds, 0)
        self.assertEqual(run.tile_traffic.total_bytes, total)


TOY = pathlib.Path(__file__).resolve().parents[2] / "sim" / "machine" / "devices" / "toy.toml"

if __name__ == "__main__":
    unittest.main()
