#!/usr/bin/env python3
"""Checks that every sentence of explorer and lesson player has a translation: words_test.py ROOT.

Each concept has one term, in the tables and in the lessons: CONCEPTS maps English to the required Chinese, VARIANTS lists
forbidden forms. A sentence is a string literal that is the first argument of say(...), after the language if it has one,
or follows the comment /*say*/. Each must have a line in viz/words/zh/*.txt with the same number of {}. An error may have
one: its key is the template that sim::Sentence::of() builds from the parts of require(...) or Error(...). Every line must
be used.
"""
import pathlib
import re
import sys

LITERAL = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
SPEAKING = ["lessons", "sim", "viz"]
CONCEPTS = [  # English expression: the Chinese term that its translation must contain
    (r"running sum", "累加和"), (r"running max", "当前最大值"), (r"\b[Rr]escale", "重新缩放"),
    (r"[Tt]ensor cores?\b", "张量核心"), (r"\btokens?\b", "词元"), (r"\b[Bb]arriers?\b(?!: )", "屏障"),
    (r"FP32 (pipe|unit)", "FP32 单元"), (r"[Tt]ile traffic", "分块流量"), (r"HBM traffic", "HBM 流量"),
    (r"[Ss]hared.memory\b", "共享内存"), (r"[Ss]tandard attention", "标准注意力"), (r"[Rr]ow block", "行块"),
    (r"[Cc]olumn block", "列块"), (r"[Pp]redicted time", "预测时间"), (r"[Ii]nstruction issue", "指令发射"),
]
VARIANTS = {  # pattern forbidden in Chinese texts: the term to use
    r"当前和|运行和|累计和|滚动和": "累加和", r"重缩放|再缩放": "重新缩放", r"[Tt]ensor [Cc]ore|张量单元|张量核(?!心)": "张量核心",
    r"(?<![\w.-])[Tt]okens?(?![\w.-])|令牌|标记符": "词元", r"栅栏|路障": "屏障", r"FP32 流水线|FP32 管线": "FP32 单元",
    r"核函数|(?<![\w.-])[Kk]ernels?(?![\w.-])": "内核", r"瓦片|图块": "分块", r"在线最大值|运行最大值": "当前最大值",
    r"跟踪文件": "执行轨迹", r"(?<![\w.-])batch(?![\w.-])": "批大小 or 批次",
}
SAID = re.compile(r"(?:\bsay\(\s*(?:[\w.]*language_?,\s*)?|/\*say\*/\s*)" + LITERAL)
ERRORS = re.compile(r"\b(require|require_tiles|(?:Sentence::)?of|Error|TileOverflow)\(")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\]|\\.)'|.""", re.DOTALL)


def sources(root):
    """Yields the path and the text of each source."""
    for path in sorted(p for where in SPEAKING for p in (root / where).rglob("*") if p.suffix in (".cpp", ".h")):
        yield path.relative_to(root), path.read_text(encoding="utf-8")


def spoken(literals):
    """Returns the text of adjacent string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"').replace("\\\\", "\\")


def sentences(root):
    """Maps each sentence to the file that contains it."""
    return {spoken(match.group(1)): path for path, text in sources(root) for match in SAID.finditer(text)}


def arguments(text):
    """Returns the arguments of a call, without comments; `text` begins after the parenthesis."""
    found, depth = [""], 0
    for token in TOKEN.findall(text):
        if token.startswith(("//", "/*")):
            continue
        depth += (token in "([{") - (token in ")]}")
        if depth < 0:
            break
        if token == "," and depth == 0:
            found.append("")
        else:
            found[-1] += token
    return [argument.strip() for argument in found]


def templates(root):
    """Maps the template of each error to its file, as sim::Sentence::of() builds it: words are literals, others values."""
    found = {}
    for path, text in sources(root):
        for match in ERRORS.finditer(text):
            parts = arguments(text[match.end():match.end() + 2000])[match.group(1).startswith("require"):]
            words = [spoken(part) if re.fullmatch(LITERAL, part) else None for part in parts]
            if len(words) > 1:
                found.update({word: path for word in words if word and "{" in word})
                words = ["{}" if word is None or "{" in word else word for word in words]
            if None not in words:
                found["".join(words)] = path
    return found


def translations(root):
    """Maps each English line of the tables to (translation, file)."""
    found = {}
    for path in sorted((root / "viz/words/zh").glob("*.txt")):
        english = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                found[english] = (line[2:], path.relative_to(root))
            elif line and not line.startswith("#"):
                english = line
    return found


def complaints(root):
    said, errors, translated = sentences(root), templates(root), translations(root)
    for english, path in said.items():
        if english not in translated:
            yield f'{path}: "{english}" has no translation in viz/words/zh'
    for english, (chinese, path) in translated.items():
        if english not in said and english not in errors:
            yield f'{path}: nothing says "{english}"'
        if english.count("{") != chinese.count("{"):
            yield f'{path}: "{english}" has other places {{}} than its translation'


def chinese_of_lesson(text):
    """Maps the lines of a lesson to their text, without the names of steps, answers and values."""
    return [re.sub(r"^(?:##|[?!+=]{1,2}) [a-z-]+:|\{[^}]*\}|\]\([^)]*\)", "", line) for line in text.splitlines()]


def wrong_words(root):
    """Yields an error for each text that uses another Chinese term for a concept than required."""
    texts = []
    for english, (chinese, path) in translations(root).items():
        texts.append((path, chinese))
        for expression, word in CONCEPTS:
            if re.search(expression, english) and word not in chinese:
                yield f'{path}: "{english}" is translated without "{word}"'
    for path in sorted((root / "lessons").glob("*/zh.md")):
        texts += [(path.relative_to(root), line) for line in chinese_of_lesson(path.read_text(encoding="utf-8"))]
    for path, text in texts:
        for pattern, word in VARIANTS.items():
            found = re.search(pattern, text)
            if found:
                yield f'{path}: "{found.group()}" of "{text}" is {word} elsewhere'


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    lines = list(complaints(root)) + list(wrong_words(root))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
