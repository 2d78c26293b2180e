"""Python's keyword arguments as the options of the command line."""
import os


def option_name(keyword):
    """Returns the command line's name of a keyword: seqlen_q is seqlen-q, pass_ is pass; gpu.l2_bytes stays."""
    return keyword if "." in keyword else keyword.rstrip("_").replace("_", "-")


def keyword(name):
    """Returns the keyword of an option: the inverse of option_name()."""
    return "pass_" if name == "pass" else name.replace("-", "_")


def text_of(value):
    """Returns a value as the user would type it: True is 1, a list is separated by commas."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(part) for part in value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)


def lengths_text(lengths):
    """Returns batch entries (count, Nq, Nk), such as [(1, 1024, 1024), (2, 128, 128)], in the syntax of --seqlens."""
    return ", ".join(line if isinstance(line, str) else " ".join(map(text_of, line)) for line in lengths)


def option_texts(options):
    """Returns the texts of options by their names, without those that are None."""
    if isinstance(options.get("seqlens"), (list, tuple)):
        options = options | {"seqlens": lengths_text(options["seqlens"])}
    return {option_name(name): text_of(value) for name, value in options.items() if value is not None}
