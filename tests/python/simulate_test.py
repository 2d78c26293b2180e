"""simulate() of the Python package against the command line."""
import unittest

import flashscope as fs
from support import SCENARIOS, printed, refused


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

    def test_names_are_taken_as_people_type_them(self):
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

    def test_a_name_that_is_not_there_is_an_error_with_those_that_are(self):
        with self.assertRaisesRegex(AttributeError, "tile_traffic has no totl: .*total"):
            fs.simulate().tile_traffic.totl

    def test_a_run_is_short_where_it_is_printed(self):
        text = repr(fs.simulate(batch=4, heads=32, seqlen=2048))
        self.assertRegex(text, r"^flash2, forward: tile traffic 1.14 GB, HBM traffic 135.3 MB, .* bound by issue$")

    def test_a_copy_changes_no_run(self):
        run = fs.simulate()
        run.dict()["time"]["microseconds"] = -1
        self.assertGreater(run.time.microseconds, 0)


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
