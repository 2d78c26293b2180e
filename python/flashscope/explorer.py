"""The explorer in a notebook: explorer()."""
import html
import json
import re
import urllib.parse

from .arguments import option_texts
from .places import how_to_build, page
from .signatures import takes_scenario
from .values import Error

HEIGHT = 420  # CSS pixels of the frame

# Before anything of the page: the link that it opens, and addresses stay as they are, since a frame has none of its own.
OPENING = "<script>location.hash={link};history.replaceState=history.pushState=()=>{{}}</script>"


class Explorer:
    """The built page in a frame, at a link."""

    def __init__(self, link, file):
        self.link, self._file = link, file

    def __repr__(self):
        return f"explorer at {self.link or 'its beginning'}: {self._file}"

    def _repr_html_(self):
        text = self._file.read_text(encoding="utf-8")
        opening = OPENING.format(link=json.dumps("#" + self.link).replace("<", "\\u003c"))
        whole = re.sub("<head>", lambda head: head[0] + opening, text, count=1)
        return (f'<iframe srcdoc="{html.escape(whole)}" title="FlashScope" width="100%" height="{HEIGHT}" '
                'style="border:0" allow="fullscreen"></iframe>')


@takes_scenario
def explorer(link="", **options) -> "Explorer":
    """Shows the explorer in a frame, 420 pixels high: the built page, which needs no network.

    link: what the explorer copies, such as "batch=4&heads=32&seqlen=2048&causal=1", with or without the address before #;
    or a run. options: a scenario instead, or beside it.
    """
    file = page()
    if file is None:
        raise Error(f"explorer: the page is not built: {how_to_build('page')}")
    text = getattr(link, "link", link).rpartition("#")[2]
    return Explorer("&".join(part for part in (text, link_of(option_texts(options))) if part), file)


def link_of(texts):
    """Returns options as a link has them."""
    return "&".join(f"{name}={urllib.parse.quote(text, safe=',:+')}" for name, text in texts.items())
