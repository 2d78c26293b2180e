"""Paths of the programs and the page that were built with the package."""
import importlib.metadata
import json
import pathlib
import shutil
import sys
import urllib.parse

from . import _core


def source_tree():
    """Returns the tree that the package was built from; None if it no longer exists."""
    module = pathlib.Path(_core.__file__).resolve()
    trees = [*list(module.parents)[3:6], *installed_from()]
    return next((tree for tree in trees if (tree / "cmake" / "packages.txt").exists()), None)


def installed_from():
    """Returns the folder that pip installed the package from, as pip records it, in a list; none for a wheel."""
    try:
        record = importlib.metadata.distribution("flashscope").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return []
    url = urllib.parse.urlsplit(json.loads(record)["url"]) if record else None
    return [pathlib.Path(urllib.parse.unquote(url.path))] if url and url.scheme == "file" else []


def program(name):
    """Returns the path of a program: from the module's build, from the source tree, or from the system."""
    tree, built = source_tree(), pathlib.Path(_core.__file__).resolve().parents[2] / "viz" / name
    for path in (built, *([tree / "build" / "release" / "viz" / name] if tree else [])):
        if path.exists():
            return str(path)
    return shutil.which(name)


def page():
    """Returns the path of the page; None if it is neither built nor in the package."""
    tree = source_tree()
    shares = [pathlib.Path(prefix) / "share" / "flashscope" for prefix in (sys.prefix, "/usr/local", "/usr")]
    package = pathlib.Path(__file__).parent
    for folder in ([tree / "build", tree / "build" / "web"] if tree else []) + [package, *shares]:
        if (folder / "flashscope.html").exists():
            return folder / "flashscope.html"
    return None


def how_to_build(what):
    """Returns the sentence that tells how to build a target."""
    tree = source_tree()
    return f"run ./flashscope build {what} in {tree or 'the source tree of FlashScope'}"
