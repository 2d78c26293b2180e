"""Python's keyword arguments as the options of the command line."""
import numbers
import os

from . import _core
from ._core import Error

_ROWS = {row["name"]: row for row in _core.options()["options"]}
_DTYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float8_e4m3fn": "e4m3"}  # names of numpy, PyTorch, JAX and TensorFlow


def option_name(keyword):
    """Returns the command line's name of a keyword: seqlen_q is seqlen-q, pass_ is pass; gpu.l2_bytes stays."""
    return keyword if "." in keyword else keyword.rstrip("_").replace("_", "-")


def keyword(name):
    """Returns the keyword of an option: the inverse of option_name()."""
    return "pass_" if name == "pass" else name.replace("-", "_")


def is_flag(name):
    """Returns whether the command line's option of a name is a flag."""
    return name in _ROWS and _ROWS[name]["kind"] == "flag"


def plain(value):
    """Returns a scalar of numpy, or an array or tensor of one element without axes, as Python's own number."""
    scalar = hasattr(value, "item") and getattr(value, "ndim", None) == 0
    return value.item() if scalar else value


def text_of(value):
    """Returns a value as the user would type it: True is 1, a list is separated by commas, a result is its name."""
    value = plain(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if getattr(value, "ndim", None) == 1 and hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        return ",".join(text_of(part) for part in value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(getattr(value, "name", None), str):  # a program, a device of devices()
        return value.name
    raise Error(f"{short(value)} is not a number, a name, a path or a list of them")


def short(value):
    """Returns a value and its type for an error."""
    shown = repr(value)
    return f"{shown[:60]}{'...' * (len(shown) > 60)} ({type(value).__name__})"


def option_text(name, value):
    """Returns the text of an option's value. Raises Error for a value of a type that the option does not have."""
    value, row = plain(value), _ROWS.get(option_name(name), {})
    if row.get("name") == "dtype":
        value = dtype_name(value)
    if isinstance(value, bool) and row and row["kind"] != "flag" and row["takes"] != "0|1":
        raise Error(f"{name}: {value} is not a {row['kind']}")
    try:
        return text_of(value)
    except Error as error:
        raise Error(f"{name}: {error}") from None


def dtype_name(value):
    """Returns the name of a dtype: of a text, numpy.float16, numpy.dtype, torch.bfloat16, ..."""
    if value is float:
        return "float64"
    names = [value] if isinstance(value, str) else [getattr(value, "name", None), getattr(value, "__name__", None), str(value)]
    for name in names:
        last = name.rpartition(".")[2] if isinstance(name, str) else ""
        if last in _DTYPES:
            return _DTYPES[last]
    return next((name for name in names if isinstance(name, str)), value)


def whole_number(name, value, least, most):
    """Returns an argument that is a whole number in a range. Raises Error for others, and for True and False."""
    number = plain(value)
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise Error(f'{name}: "{number}" is not a whole number from {least} to {most}')
    return number


def one_of(name, value, words):
    """Returns an argument that is one of some words. Raises Error for others."""
    if not isinstance(value, str) or value not in words:
        raise Error(f'{name}: "{value}" is not one of {", ".join(words)}')
    return value


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
        raise Error(f"seqlens: {entry!r} has {len(numbers)} numbers: allowed are a length, a pair (Nq, Nk), and "
                          "(count, Nq, Nk)")
    if len(numbers) == 3 and numbers[0] == "0":  # a text that begins with 0 is one of cumulative lengths
        raise Error('seqlens: count "0" is not a whole number from 1 to 1048576')
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
        raise Error("cu-seqlens: is one list of numbers, such as [0, 64, 192]")
    return numbers_text(entries)


def documents_text(lengths):
    """Returns lengths of documents, such as [300, 724], or cumulative ones, in the syntax of --documents."""
    return numbers_text(listed(lengths))


def window_text(sides):
    """Returns window_size of FlashAttention, such as (256, 0), in the syntax of --window."""
    return ",".join(map(text_of, listed(sides)))


LISTS = {"seqlens": lengths_text, "cu_seqlens": cumulative_text, "documents": documents_text, "window": window_text}


def option_texts(options):
    """Returns the texts of options by their names, without those that are None."""
    options = options | {name: text(options[name]) for name, text in LISTS.items() if is_list(options.get(name))}
    return {option_name(name): option_text(name, value) for name, value in options.items() if value is not None}
