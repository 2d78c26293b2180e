"""Results on devices without a time, or without a cache model: None, and the reason."""
import unittest

import flashscope as fs
from html_test import parsed

GPUS = "v100-sxm2-16gb", "mi300x"


class Absent(unittest.TestCase):
    def test_unknown_numbers_are_none(self):
        for gpu in GPUS:
            with self.subTest(gpu):
                run = fs.simulate(gpu=gpu, seqlen=2048, heads=4)
                self.assertIsNone(run.time.microseconds)
                self.assertIn("mma_latency_cycles", run.time.missing)
                self.assertEqual(run.hbm_traffic.bytes is None, gpu == "mi300x")
                self.assertGreater(run.tile_traffic.total_bytes, 0)
                self.assertTrue(any(w.startswith("no time is predicted") for w in run.warnings))
                self.assertRaisesRegex(fs.Error, "no time is predicted", run.why, "time.microseconds")
                self.assertRaisesRegex(fs.Error, "no time is predicted", run.trace, "x.json")

    def test_every_output_is_written_without_unknown_numbers(self):
        for gpu in GPUS:
            for pass_ in "forward", "forward+backward":
                with self.subTest(gpu, pass_=pass_):
                    run = fs.simulate(gpu=gpu, pass_=pass_, seqlen=512)
                    compared = fs.compare(gpu=gpu, seqlen=512)
                    tuned = fs.tune(gpu=gpu, seqlen=512, progress=False)
                    for result in run, compared, tuned:
                        self.assertNotRegex(repr(result), r"\bnan\b")
                        words = parsed(self, result._repr_html_())
                        self.assertNotRegex(words, r"\bnan\b")
                        self.assertNotIn("None", words)
                    repr(run.listing)
                    parsed(self, run.listing._repr_html_())

    def test_adding_the_missing_fields_gives_a_time(self):
        fields = ("hbm_latency_cycles=500:cta_turnover_cycles=1200:mma_latency_cycles=20:exp_latency_cycles=19:"
                  "launch_nanoseconds=2500")
        self.assertGreater(fs.simulate(gpu=f"v100:{fields}", seqlen=512).time.microseconds, 0)

    def test_tuning_for_time_is_refused(self):
        self.assertRaisesRegex(fs.Error, "tune: no time is predicted", fs.tune, for_="time", gpu="v100", progress=False)


if __name__ == "__main__":
    unittest.main()
