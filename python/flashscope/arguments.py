"""Python's keyword arguments as the options of the command line."""
import os

from . import _core


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


def listed(values):
    """Returns the values of a list, tuple, array or tensor as a list."""
    return values.tolist() if hasattr(values, "tolist") else list(values)


def is_list(value):
    return isinstance(value, (list, tuple)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0)


def numbers_text(numbers):
    """Returns a list of numbers that no reader takes for a file's name, even if it has only one."""
    return ", ".join(map(text_of, numbers)) + ","


def entry_text(entry):
    """Returns a batch entry in the syntax of --seqlens: a length, a pair (Nq, Nk) or (count, Nq, Nk)."""
    if isinstance(entry, str):
        return entry
    numbers = [text_of(number) for number in listed(entry)] if is_list(entry) else 2 * [text_of(entry)]
    if len(numbers) not in (2, 3):
        raise _core.Error(f"seqlens: {entry!r} has {len(numbers)} numbers: allowed are a length, a pair (Nq, Nk), and "
                          "(count, Nq, Nk)")
    if len(numbers) == 3 and numbers[0] == "0":  # a text that begins with 0 is one of cumulative lengths
        raise _core.Error('seqlens: count "0" is not a whole number from 1 to 1048576')
    return " ".join(["1", *numbers][-3:])


def lengths_text(lengths):
    """Returns batch entries, such as [64, 128], [(1, 512), (1, 777)] or [(2, 128, 128)], in the syntax of --seqlens. A list
    of numbers that begins with 0 is one of cumulative lengths, as there."""
    entries = listed(lengths)
    if not any(isinstance(entry, str) or is_list(entry) for entry in entries):
        return numbers_text(entries)
    return ", ".join(map(entry_text, entries)) + ","


def cumulative_text(lengths):
    """Returns cumulative lengths, such as [0, 64, 192], in the syntax of --cu-seqlens."""
    entries = listed(lengths)
    if any(is_list(entry) for entry in entries):
        raise _core.Error("cu-seqlens: is one list of numbers, such as [0, 64, 192]")
    return numbers_text(entries)


LISTS = {"seqlens": lengths_text, "cu_seqlens": cumulative_text}


def option_texts(options):
    """Returns the texts of options by their names, without those that are None."""
    options = options | {name: text(options[name]) for name, text in LISTS.items() if is_list(options.get(name))}
    return {option_name(name): text_of(value) for name, value in options.items() if value is not None}
