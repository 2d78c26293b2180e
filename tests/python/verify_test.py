"""verify() and explorer(): they use the programs built with the package, or tell how to build them."""
import html
import json
import pathlib
import re
import tempfile
import unittest
from unittest import mock

import flashscope as fs
from flashscope import places
from support import PROGRAM


class Verify(unittest.TestCase):
    @unittest.skipUnless(pathlib.Path(PROGRAM + "-kernels").exists(), "flashscope-kernels is not built")
    def test_the_kernel_agrees_with_the_program(self):
        verification = fs.verify(algorithm="flash1", seqlen=100, causal=True)
        self.assertTrue(verification.ok and verification)
        rows = {row.quantity: row for row in verification.rows}
        self.assertEqual(rows["tile_traffic.by_tensor.Q.read_bytes"].measured,
                         fs.simulate(algorithm="flash1", seqlen=100, causal=True, dtype="fp16").tile_traffic.by_tensor.Q.read_bytes)
        self.assertRegex(repr(verification), r"^emulated device .*: agrees in \d+ rows$")
        for cell in ("error.O", "<th>difference</th>", "<td>ok</td>"):
            self.assertIn(cell, verification._repr_html_())

    def test_a_verdict_is_shown_in_the_table_of_the_command_line(self):
        rows = [{"quantity": "memory.peak", "unit": "bytes", "simulated": 4096, "measured": 5120, "difference": 1024,
                 "tolerance": 0, "ok": False, "cause": "more <tensors>"},
                {"quantity": "error.O", "unit": "max abs error", "simulated": 1.2e-4, "measured": None, "difference": None,
                 "tolerance": 1e-3, "ok": False, "cause": ""},
                {"quantity": "time", "unit": "microseconds", "simulated": 62.31, "measured": None, "difference": None,
                 "tolerance": 6, "ok": True, "cause": "no counters"}]
        shown = fs.Verification({"device": "a GPU", "ok": False, "rows": rows})._repr_html_()
        cells = re.findall("<t[dh](?: [^>]*)?>(.*?)</t[dh]>", shown)
        self.assertEqual(cells, ["quantity", "simulated", "measured", "difference", "tolerance", "unit", "result", "cause",
                                 "memory.peak", "4,096", "5,120", "+1,024", "0", "bytes", "FAILS", "more &lt;tensors&gt;",
                                 "error.O", "1.2e-04", "not finite", "-", "1.0e-03", "max abs error", "FAILS", "",
                                 "time", "62.3", "-", "-", "6.0", "microseconds", "not measured", "no counters"])

    @unittest.skipUnless(pathlib.Path(PROGRAM + "-kernels").exists(), "flashscope-kernels is not built")
    def test_errors_are_those_of_the_command_line(self):
        with self.assertRaisesRegex(fs.Error, r'^heads: "0" is not a whole number'):
            fs.verify(heads=0)

    def test_the_error_for_a_missing_program_tells_how_to_build_it(self):
        with mock.patch.dict(fs.verify.__globals__, {"program": lambda name: None}), \
                self.assertRaisesRegex(fs.Error, r"flashscope-kernels is not built: run ./flashscope build flashscope-kernels in /"):
            fs.verify(seqlen=16)


class Explorer(unittest.TestCase):
    def test_the_explorer_is_a_frame_with_the_page_at_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "flashscope.html"
            page.write_text('<!doctype html><head><title>"page" & more</title></head>')
            with mock.patch.dict(fs.explorer.__globals__, {"page": lambda: page}):
                run = fs.simulate(seqlen=2048, causal=True, kv_heads=2, heads=4)
                self.assertEqual(run.link, "seqlen=2048&causal=1&kv-heads=2&heads=4")
                for shown in (fs.explorer(run), fs.explorer("https://x.org/a#" + run.link), fs.explorer(**{
                        "seqlen": 2048, "causal": True, "kv_heads": 2, "heads": 4})):
                    output = shown._repr_html_()
                    self.assertIn('height="420"', output)
                    self.assertIn("location.hash=&quot;#seqlen=2048&amp;causal=1&amp;kv-heads=2&amp;heads=4&quot;", output)
                    self.assertIn("&lt;title&gt;&quot;page&quot; &amp; more&lt;/title&gt;", output)
                self.assertNotIn("</script><script>", fs.Explorer("</script><script>alert(1)", page)._repr_html_())

    def test_a_link_that_the_page_would_not_follow_is_an_error(self):
        for link, wrong in (("seqlem=4", 'unknown key "seqlem": did you mean "seqlen"'), ("theme=pink", 'theme = "pink"'),
                            ("seqlen=4&seqlen=8", "seqlen is given twice"), ("heads=4&kv-heads=3", "must divide heads"),
                            ("https://x.org/#cta=1,2", 'cta = "1,2"'), ("gpu=mine.toml", 'unknown GPU "mine.toml"'),
                            (5, "5 .int. is not a link")):
            with self.subTest(link), self.assertRaisesRegex(fs.Error, wrong):
                fs.explorer(link)
        with self.assertRaisesRegex(fs.Error, '(?s)"seqlem".*"hed_dim"'):
            fs.explorer("seqlem=4&hed_dim=3")

    def test_the_explorer_contains_user_programs(self):
        mine = fs.exercise(1).program()
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "flashscope.html"
            page.write_text("<!doctype html><head></head>")
            with mock.patch.dict(fs.explorer.__globals__, {"page": lambda: page}):
                for shown in (mine.explorer(seqlen=2048), fs.compare(["flash2", mine], seqlen=2048).explorer()):
                    output = html.unescape(shown._repr_html_())
                    link = json.dumps("#" + shown.link)
                    self.assertIn(mine.name, link)
                    brought = re.search(r"Object.entries\((.*)\)\) {", output)[1]
                    self.assertEqual(json.loads(brought), {mine.name: mine.text})
                    self.assertNotIn("<", brought)
                    self.assertIn(f"location.hash = {link};", output)  # at the end
                    begun = re.search('<script>location.hash="(.*?)"', output)[1]  # with options known to the page
                    self.assertIn("seqlen=2048", begun)
                    self.assertNotIn(mine.name, begun)
                self.assertNotIn("DataTransfer", fs.simulate(seqlen=2048).explorer()._repr_html_())

    def test_the_error_for_a_missing_page_tells_how_to_build_it(self):
        with mock.patch.object(places, "source_tree", lambda: None), mock.patch.dict(fs.explorer.__globals__, {"page": lambda: None}), \
                self.assertRaisesRegex(fs.Error, "run ./flashscope build page in the source tree of FlashScope"):
            fs.explorer()


if __name__ == "__main__":
    unittest.main()
