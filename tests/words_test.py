#!/usr/bin/env python3
"""Checks that every sentence of the explorer has a translation: words_test.py ROOT.

The terminal's table, viz/terminal/lesson/phrases.cpp, translates shared sentences identically. Each concept has one term,
in the tables and in the lessons: CONCEPTS maps English to the required Chinese, VARIANTS lists forbidden forms. A sentence
is a string literal that is the first argument of say(...), or follows the comment /*say*/ in a table. Each must have a
line in viz/words/zh/*.txt with the same number of {}, and every line there must be used.
"""
import pathlib
import re
import sys

LITERAL = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
SPEAKING = ["lessons", "sim/catalogue", "sim/model", "sim/programs", "sim/trace", "viz"]  # texts of options and short names of algorithms
PHRASES = "viz/terminal/lesson/phrases.cpp"
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
SAID = re.compile(r"(?:\bsay\(\s*|/\*say\*/\s*)" + LITERAL)


def sentences(root):
    """Maps each sentence to the file that contains it."""
    said = {}
    for path in sorted(p for where in SPEAKING for p in (root / where).rglob("*") if p.suffix in (".cpp", ".h")):
        for match in SAID.finditer(path.read_text(encoding="utf-8")):
            pieces = re.findall(r'"((?:[^"\\]|\\.)*)"', match.group(1))
            said["".join(pieces).replace('\\"', '"')] = path.relative_to(root)
    return said


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
    said, translated = sentences(root), translations(root)
    for english, path in said.items():
        if english not in translated:
            yield f'{path}: "{english}" has no translation in viz/words/zh'
        elif english.count("{") != translated[english][0].count("{"):
            yield f'{translated[english][1]}: "{english}" has other places {{}} than its translation'
    for english, (_, path) in translated.items():
        if english not in said:
            yield f'{path}: nothing says "{english}"'


def chinese_of_lesson(text):
    """Maps the lines of a lesson to their text, without the names of values: {kernels.0.ctas | number}."""
    return [re.sub(r"^## [a-z-]+:|\{[^}]*\}|\]\([^)]*\)", "", line) for line in text.splitlines()]


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
    for row in re.findall(r'\{"(?:[^"\\]|\\.)*",\s*"((?:[^"\\]|\\.)*)"\}', (root / PHRASES).read_text(encoding="utf-8")):
        texts.append((PHRASES, row))
    for path, text in texts:
        for pattern, word in VARIANTS.items():
            found = re.search(pattern, text)
            if found:
                yield f'{path}: "{found.group()}" of "{text}" is {word} elsewhere'


def differing_phrases(root):
    """Yields an error for each shared sentence that terminal and explorer translate differently."""
    translated = translations(root)
    rows = re.findall(r'\{"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\}', (root / PHRASES).read_text(encoding="utf-8"))
    if not rows:
        yield f"{PHRASES}: no rows are found"
    for english, chinese in rows:
        if english in translated and translated[english][0] != chinese:
            yield f'{PHRASES}: "{english}" is "{chinese}", in {translated[english][1]} "{translated[english][0]}"'


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    lines = list(complaints(root)) + list(differing_phrases(root)) + list(wrong_words(root))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
