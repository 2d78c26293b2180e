"""The explorer in a notebook: explorer()."""
import html
import json
import re
import urllib.parse

from . import _core
from .arguments import option_texts, short
from .mask import with_mask
from .places import how_to_build, page
from .signatures import takes_scenario
from .values import Error

HEIGHT = 420  # CSS pixels of the frame

# Before anything of the page: the link that it opens, and addresses stay as they are, since a frame has none of its own.
OPENING = "<script>location.hash={link};history.replaceState=history.pushState=()=>{{}}</script>"

# Programs of one's own are dropped on the page one after the other, then the link that names them is followed.
DROPPING = """<script>(async () => {{
const until = (done) => new Promise((go) => {{ const timer = setInterval(() => done() && (clearInterval(timer), go()), 50); }});
await until(() => window.viz);
for (const [name, text] of Object.entries({programs})) {{
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name + '.fscope'));
  dispatchEvent(new DragEvent('drop', {{dataTransfer}}));
  await until(() => new URLSearchParams(JSON.parse(viz.state()).link).get('algorithm') === name);
}}
location.hash = {link};
}})()</script>"""

programs = {}  # names of the user's programs -> texts of their files


class Explorer:
    """The built page in a frame, opened at a link."""

    def __init__(self, link, file):
        self.link, self._file = link, file

    def __repr__(self):
        return f"explorer at {self.link or 'its beginning'}: {self._file}"

    def _repr_html_(self):
        text = self._file.read_text(encoding="utf-8")
        opening = self._opening()
        whole = re.sub("<head>", lambda head: head[0] + opening, text, count=1)
        return (f'<iframe srcdoc="{html.escape(whole)}" title="FlashScope" width="100%" height="{HEIGHT}" '
                'style="border:0" allow="fullscreen"></iframe>')

    def _opening(self):
        """Returns the script that starts the page."""
        own = {name: programs[name] for name in re.findall(r"algorithm[=:]([a-z0-9-]+)", self.link) if name in programs}
        if not own:
            return OPENING.format(link=in_script("#" + self.link))
        known = "&".join(part for part in self.link.split("&") if not part.startswith(("algorithm=", "compare=")))
        return OPENING.format(link=in_script("#" + known)) + DROPPING.format(link=in_script("#" + self.link), programs=in_script(own))


def in_script(thing):
    """Returns a JavaScript literal that an HTML parser cannot mistake for the end of the script."""
    return json.dumps(thing).replace("<", "\\u003c")


@takes_scenario
def explorer(link="", **options) -> "Explorer":
    """Shows the explorer in a frame, 420 pixels high: the built page, which needs no network.

    link: what the explorer copies, such as "batch=4&heads=32&seqlen=2048&causal=1", with or without the address before #;
    or a run. options: a scenario instead, or in addition. What the page would not follow raises Error.
    """
    text = getattr(link, "link", link)
    if not isinstance(text, str):
        raise Error(f"explorer: {short(link)} is not a link, a run or a comparison")
    whole = "&".join(part for part in (text.rpartition("#")[2], link_of(with_mask(option_texts(options)))) if part)
    if wrong := _core.link_errors(whole):
        raise Error("\n".join(wrong))
    file = page()
    if file is None:
        raise Error(f"explorer: the page is not built: {how_to_build('page')}")
    return Explorer(whole, file)


def link_of(texts):
    """Returns options as in a link; those of a model's config.json are expanded, since a link opens no file."""
    if texts.get("model", "").lower().endswith(".json"):
        texts = _core.written_out(texts)
    return "&".join(f"{name}={urllib.parse.quote(text, safe=',:+')}" for name, text in texts.items())
