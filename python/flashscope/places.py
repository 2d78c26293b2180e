"""Paths of the programs and the page that were built with the package."""
import pathlib
import shutil
import sys

from . import _core

BUILT_FROM = "built_from.txt"  # in an installed package: the source tree


def source_tree():
    """Returns the tree that the package was built from; None if it no longer exists."""
    note = pathlib.Path(__file__).with_name(BUILT_FROM)
    module = pathlib.Path(_core.__file__).resolve()
    trees = [pathlib.Path(note.read_text().strip())] if note.exists() else list(module.parents)[3:6]
    return next((tree for tree in trees if (tree / "cmake" / "packages.txt").exists()), None)


def program(name):
    """Returns the path of a program: from the module's build, from the source tree, or from the system."""
    tree, built = source_tree(), pathlib.Path(_core.__file__).resolve().parents[2] / "viz" / name
    for path in (built, *([tree / "build" / "release" / "viz" / name] if tree else [])):
        if path.exists():
            return str(path)
    return shutil.which(name)


def page():
    """Returns the path of the page; None if it is not built."""
    tree = source_tree()
    shares = [pathlib.Path(prefix) / "share" / "flashscope" for prefix in (sys.prefix, "/usr/local", "/usr")]
    for folder in ([tree / "build", tree / "build" / "web"] if tree else []) + shares:
        if (folder / "flashscope.html").exists():
            return folder / "flashscope.html"
    return None


def how_to_build(what):
    """Returns the sentence that tells how to build a target."""
    tree = source_tree()
    return f"run ./flashscope build {what} in {tree or 'the source tree of FlashScope'}"
