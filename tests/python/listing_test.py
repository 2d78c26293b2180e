"""Listings and traces of runs against the JSON and the command line."""
import os
import subprocess
import tempfile
import unittest

import flashscope as fs
from flashscope import _core
from support import PROGRAM, words_of

RUNS = [dict(algorithm="flash2", batch=4, heads=32, seqlen=2048), dict(algorithm="flash1", seqlen=1000, causal=True),
        dict(algorithm="standard", seqlen=512, dropout=0.1),
        dict(algorithm="flash2", seqlen=300, pass_="forward+backward")]


class Listing(unittest.TestCase):
    def test_lines_have_the_bytes_of_the_json_and_the_text_of_the_source(self):
        for options in RUNS:
            run = fs.simulate(**options)
            listed = {(name, line.number): line for name, lines in run.listing.kernels.items() for line in lines}
            for part in run.tile_traffic.by_line:
                line = listed.pop((part.kernel, part.line))
                self.assertEqual(line.bytes, part.bytes)
                self.assertIn(part.text.strip(), line.text)
            self.assertEqual(sum(line.bytes for line in listed.values()), 0)

    def test_lines_name_their_reads_and_writes(self):
        listing = fs.simulate(**RUNS[0]).listing
        moves = [line.moves for line in listing["flash2_forward"] if line.moves]
        for sentence in ("reads Q (128 x 64) from memory into shared memory, 16,384 bytes, 2,048 times",
                         "reads K (128 x 64) from memory into shared memory, 16,384 bytes, 32,768 times",
                         "reads Q and K, writes S (128 x 128), 32,768 times", "changes S (128 x 128), 32,768 times",
                         "reads alpha, changes O (128 x 64), 32,768 times",
                         "writes O (128 x 64) to memory from registers, 16,384 bytes, 2,048 times"):
            self.assertIn(sentence, moves)
            self.assertIn(sentence, listing._repr_html_())

    def test_bytes_of_a_line_are_those_of_each_time(self):
        for options in RUNS:
            for kernel in _core.lines(fs.simulate(**options)._core):
                for line in kernel["lines"]:  # the last blocks may be smaller
                    ways = 2 if line["direction"] == "read+write" else 1
                    self.assertLessEqual(line["bytes"], ways * line["bytes_each"] * line["times"])
                    self.assertEqual(line["bytes"] > 0, line["direction"] != "-")

    def test_loops_show_their_iterations(self):
        lines = fs.simulate(**RUNS[0]).listing["flash2_forward"]
        self.assertEqual([line.note for line in lines if line.note], ["16 iterations, 2,048 CTAs"])
        self.assertAlmostEqual(sum(line.share for line in lines), 1)

    def test_a_listing_is_shown_as_text_and_as_a_table(self):
        listing = fs.simulate(**RUNS[0]).listing
        self.assertIn("copy in             536.9 MB   47.0 %", repr(listing))
        html = listing._repr_html_()
        self.assertLess(len(html), 30_000)
        self.assertNotIn("<script", html)


class Trace(unittest.TestCase):
    def test_traces_are_those_of_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for suffix in (".pftrace", ".json", ".csv", ".txt"):
                mine, other = (os.path.join(folder, name + suffix) for name in ("mine", "other"))
                run = fs.simulate(**RUNS[1])
                run.trace(mine)
                command = [PROGRAM, "simulate", *words_of(RUNS[1]), "--trace", other]
                subprocess.run(command, check=True, capture_output=True)
                with open(mine, "rb") as a, open(other, "rb") as b:
                    self.assertEqual(a.read(), b.read(), suffix)

    def test_another_suffix_or_cta_is_refused(self):
        with self.assertRaisesRegex(fs.Error, "names no format: allowed are .pftrace"):
            fs.simulate().trace("mine.png")
        with self.assertRaisesRegex(fs.Error, "outside"):
            fs.simulate().trace("mine.csv", cta=(0, 0, 99, 0))
        self.assertFalse(os.path.exists("mine.csv"))


if __name__ == "__main__":
    unittest.main()
