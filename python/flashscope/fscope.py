"""Text of an .fscope file: a recorded program as TOML."""

VERSION = 1
_CONTROLS = {code: f"\\u{code:04X}" for code in [*range(0x20), 0x7F]}
_SHORT = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_ONE_LINE = _CONTROLS | str.maketrans(_SHORT)
_LINES = {code: escape for code, escape in _ONE_LINE.items() if chr(code) not in '\n\t"'}


def quoted(text):
    """Returns a basic string of TOML."""
    return f'"{_characters(text).translate(_ONE_LINE)}"'


def block(text):
    """Returns a multi-line string of TOML, equal to the text except for necessary escapes."""
    text = _characters(text).translate(_LINES).replace('"""', '""\\"')
    return '"""\n' + (text[:-1] + '\\"' if text.endswith('"') else text) + '"""'


def _characters(text):
    """Replaces lone surrogates by a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def value(thing):
    """Returns a value of TOML. Texts with line ends become multi-line strings."""
    if isinstance(thing, bool):
        return "true" if thing else "false"
    if isinstance(thing, str):
        return block(thing) if "\n" in thing else quoted(thing)
    if isinstance(thing, dict):
        return "{" + ", ".join(f"{quoted(key)} = {value(part)}" for key, part in thing.items()) + "}"
    if isinstance(thing, (list, tuple)):
        return "[" + ", ".join(value(part) for part in thing) + "]"
    return str(thing)


def text_of(program, kernels):
    """Returns the file. `kernels`: pairs of a kernel's fields and of its bodies' fields."""
    lines = [f"fscope = {VERSION}", *_fields(program)]
    for fields, bodies in kernels:
        lines += ["[[kernel]]", *_fields(fields)]
        for body in bodies:
            lines += ["[[kernel.body]]", *_fields(body)]
    return "\n".join(lines) + "\n"


def _fields(fields):
    return [f"{name} = {value(thing)}" for name, thing in fields.items() if thing is not None]
