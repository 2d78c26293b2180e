"""Results as shown in notebooks: small, well-formed HTML without scripts, with the numbers of the run."""
import html.parser
import re
import unittest

import flashscope as fs
from support import SCENARIOS

MOST_BYTES = 36_000  # a comparison has some 2.6 kB for each of 13 algorithms
VOID = {"br"}


class Parser(html.parser.HTMLParser):
    """Collects the text of an output, and forbidden elements."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.seen, self.wrong = [], [], set(), []

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name.startswith("on") or "//" in (value or "") or "url(" in (value or "") and "url(#" not in value:
                self.wrong.append((tag, name, value))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, text):
        if self.open and self.open[-1] != "style":
            self.words.append(text)


def parsed(case, output):
    """Returns the text of an output after checking that it suits a notebook."""
    parser = Parser()
    parser.feed(output)
    parser.close()
    case.assertEqual((parser.open, parser.wrong), ([], []))
    case.assertFalse(parser.seen & {"script", "link", "img", "iframe"})
    case.assertNotIn("@import", output)
    case.assertLess(len(output.encode()), MOST_BYTES)
    for used in re.findall(r"url\(#(\w+)\)", output):
        case.assertIn(f'id="{used}"', output)
    return " ".join(parser.words)


class Outputs(unittest.TestCase):
    def test_every_run_is_well_formed_and_small(self):
        for options in SCENARIOS:
            with self.subTest(options):
                parsed(self, fs.simulate(**options)._repr_html_())

    def test_a_run_shows_its_numbers(self):
        words = parsed(self, fs.simulate(batch=4, heads=32, seqlen=2048)._repr_html_())
        for text in ("FlashAttention-2, forward", "N 2,048, d 64, fp16; NVIDIA H100 SXM5 80 GB, tiles 128 x 128, 2,048 CTAs",
                     "1,141,899,264", "536,870,912", "93.8 %", "the least there is", "1.05 MB extra", "461.0", "bound by issue"):
            self.assertIn(text, words)

    def test_a_comparison_shows_its_numbers(self):
        words = parsed(self, fs.compare(batch=4, heads=32, seqlen=2048)._repr_html_())
        for text in ("5.94 GB", "1.14 GB", "2.11 ms", "4.58 x faster", "flash1 unknown", "one scale, to 5.94 GB"):
            self.assertIn(text, words)
        self.assertIn("x slower", fs.compare(["flash2", "standard"])._repr_html_())

    def test_a_comparison_of_all_algorithms_is_small(self):
        names = [one.name for one in fs.algorithms() if "same_as" not in one and "sparse" not in one.name
                 and one.name != "paged-attention"]  # which has one query
        parsed(self, fs.compare(names, seqlen=512, batch=4)._repr_html_())

    def test_sweeps_and_tilings_are_well_formed(self):
        parsed(self, fs.sweep({"seqlen": "1024:65536:1024", "head_dim": [64, 1000]}, formula="N*d")._repr_html_())
        parsed(self, fs.tune(seqlen=256, top=40)._repr_html_())

    def test_two_outputs_share_no_names(self):
        run = fs.simulate()
        first, second = (set(re.findall(r'id="(\w+)"', run._repr_html_())) for _ in range(2))
        self.assertTrue(first)
        self.assertFalse(first & second)


if __name__ == "__main__":
    unittest.main()
