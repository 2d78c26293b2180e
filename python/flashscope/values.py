"""Results as objects whose attributes are the paths of the JSON."""
import copy

from ._core import Error
from .arguments import keyword


class Values:
    """A part of a result: run.tile_traffic.by_tensor.K.read_bytes.

    Names with - have _ here, numbered parts are lists. Where a part has read_bytes and write_bytes, `bytes` is their sum,
    and the part around it has it as NAME_bytes: run.tile_traffic.total_bytes.
    """

    def __init__(self, tree, path=""):
        self._known, self._path = tree, path

    @property
    def _tree(self):
        if self._known is None:
            self._known = self._read()
        return self._known

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._find(name)
        if found is None:
            known = ", ".join(keyword(key) for key in self._tree)
            raise AttributeError(f"{self._path or 'the result'} has no {name}: {known}")
        return self[found[0]] if isinstance(found, tuple) else found[0]

    def __getitem__(self, name):
        return in_values(self._tree[name], f"{self._path}.{name}".lstrip("."))

    def _find(self, name):
        """Returns a key as a tuple, or a sum of bytes read and written as a list ([None] if unknown), else None."""
        for key in (name, name.rstrip("_"), name.replace("_", "-")):
            if key in self._tree:
                return (key,)
        part = self._tree if name == "bytes" else self._tree.get(name[: -len("_bytes")] if name.endswith("_bytes") else "")
        if isinstance(part, dict) and "read_bytes" in part and "write_bytes" in part:
            unknown = part["read_bytes"] is None
            return [None if unknown else part["read_bytes"] + part["write_bytes"]]
        return None

    def __dir__(self):
        return [*super().__dir__(), *(keyword(key) for key in self._tree)]

    def __iter__(self):
        return iter(self._tree)

    def __len__(self):
        return len(self._tree)

    def __contains__(self, name):
        return name in self._tree

    def number(self, path):
        """Returns the value at a path of the JSON, such as time.kernels.0.waves; None if there is none."""
        found = self._tree
        for part in path.split("."):
            if isinstance(found, list):
                found = found[int(part)] if int(part) < len(found) else None
            elif isinstance(found, dict):
                found = found.get(part)
        return found

    def dict(self):
        """Returns a copy as dictionaries, lists and numbers, with the keys of the JSON."""
        return copy.deepcopy(self._tree)

    def frame(self):
        """Returns a pandas.DataFrame with a row for each part that has values of its own."""
        return frame_of(rows_of(self._tree))

    def __repr__(self):
        parts = (f"{keyword(key)}={short(value)}" for key, value in self._tree.items())
        return f"{self._path or type(self).__name__}({', '.join(parts)})"


def short(value):
    """Returns a value as short text; a value with parts shows their number."""
    if isinstance(value, dict):
        return "{...}"
    return f"[{len(value)}]" if isinstance(value, list) else repr(value)


class Listing(list):
    """Named parts: an item by index or by name."""

    def __init__(self, trees):
        super().__init__(in_values(tree, tree["name"]) for tree in trees)

    def __getitem__(self, which):
        if not isinstance(which, str):
            return super().__getitem__(which)
        for item in self:
            if item.name == which:
                return item
        raise Error(f'"{which}" is not in the list: ' + ", ".join(item.name for item in self))

    def names(self):
        """Returns the names of all items."""
        return [item.name for item in self]

    def frame(self):
        """Returns a pandas.DataFrame with a row for each item; values with parts of their own are left out."""
        return frame_of([item.dict() for item in self])

    def __repr__(self):
        return f"[{', '.join(self.names())}]"


def in_values(value, path):
    """Returns a value of the JSON with attributes."""
    if isinstance(value, dict):
        return Values(value, path)
    if isinstance(value, list):
        return [in_values(part, f"{path}[{n}]") for n, part in enumerate(value)]
    return value


def rows_of(tree):
    """Returns the rows of a table: the named parts of a tree, or the tree itself if it has none."""
    parts = {key: value for key, value in tree.items() if isinstance(value, dict)}
    return [{"name": key, **part} for key, part in parts.items()] or [tree]


def frame_of(rows):
    """Returns a pandas.DataFrame of rows; raises Error without pandas."""
    try:
        import pandas
    except ImportError:
        raise Error("frame: needs pandas: apt-get install python3-pandas, or pip install pandas") from None
    flat = [{key: value for key, value in row.items() if not isinstance(value, (dict, list))} for row in rows]
    return pandas.DataFrame(flat)
