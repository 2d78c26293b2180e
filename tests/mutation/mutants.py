"""The mutants of a C++ source: each is the text with one operator or constant changed."""
import re
from typing import NamedTuple

# Operators with a space on both sides are binary, and not part of a type, as clang-format ensures.
BINARY = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=",
          "!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
WORDS = {"true": "false", "false": "true", "std::min": "std::max", "std::max": "std::min"}
# Comments, text, character constants and lines of the preprocessor are not changed.
SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<!\d)\'(?:[^\'\\]|\\.)+\'|^[ \t]*#[^\n]*'
                     r"|static_assert\(.*?\);", re.DOTALL | re.MULTILINE)
CHANGED = re.compile(r"(?<= )(?:[-+*/]=?|%|[<>]=?|[!=]=|&&|\|\|)(?= )"
                     r"|\+\+|--(?!>)|!(?=[A-Za-z_(])|\b(?:true|false)\b|\bstd::(?:min|max)\b"
                     r"|(?<![\w.'])\d[\d']*(?:\.\d+)?(?:e-?\d+)?(?![\w.'])")


class Mutant(NamedTuple):
    start: int
    before: str
    after: str

    def applied(self, text):
        return text[:self.start] + self.after + text[self.start + len(self.before):]

    def place(self, text):
        """The position as line:column."""
        line_start = text.rfind("\n", 0, self.start) + 1
        return f"{text.count(chr(10), 0, self.start) + 1}:{self.start - line_start + 1}"


def replacement(token):
    if token in BINARY:
        return BINARY[token]
    if token in WORDS:
        return WORDS[token]
    if token == "!":
        return ""
    if token in ("++", "--"):
        return "--" if token == "++" else "++"
    if re.search(r"[.e]", token):
        return f"({token} * 1.5)" if float(token) else "1.0"
    return str(int(token.replace("'", "")) + 1)


def mutants(text):
    """All mutants, in the order of the text."""
    blank = SKIPPED.sub(lambda found: re.sub(r"[^\n]", "\x00", found.group()), text)
    return [Mutant(found.start(), found.group(), replacement(found.group())) for found in CHANGED.finditer(blank)]
