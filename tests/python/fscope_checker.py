"""Reads the code of an .fscope file by its format: a second reader, independent of the recorder."""
import re

KINDS = ["00", "01", "10", "11"]
ENDS_FIRST = {"exp_sub", "free"}  # and jacobian for its second operand


def check(code, source):
    """Throws AssertionError unless registers are written before they are read, and each kind of iteration occurs once."""
    lines = iter([line.split() for line in code.splitlines()])
    made = {}
    scope(lines, made, [], source.count("\n"), top=True)


def scope(lines, made, blocks, source_lines, top=False):
    own = []
    for words in lines:
        if words == ["end"]:
            break
        if words[0] == "carry":
            to, of = words[1:]
            assert made[to] == made[of] == "vec" and to not in own and of in own, words
            continue
        if words[0] != "free":
            assert 1 <= int(words[0]) <= source_lines, words
            words = words[1:]
        if words[0] == "loop":
            loop(words, lines, made, blocks, source_lines)
            continue
        result = words[0] if words[1] == "=" else None
        verb, args = (words[2], words[3:]) if result else (words[0], words[1:])
        for arg in args:
            assert not re.fullmatch(r"r\d+", arg) or arg in made, (verb, arg)
            for block in re.findall(r"\bb\d\b", arg):
                assert block in blocks, (verb, arg)
        kind = made.get(args[0]) if args else None
        ended = args[0] if verb in ENDS_FIRST and kind != "vec" else args[1] if verb == "jacobian" else None
        if ended:
            del made[ended]
        if result:
            assert result not in made, (verb, result)
            makes_vec = kind == "vec" or verb in ("vec", "load_vec", "row_max", "row_sum", "row_dot")
            made[result] = "vec" if makes_vec else "tile"
            own.append(result)
    else:
        assert top, "a turn has no end"
    for register in own:
        made.pop(register, None)


def loop(words, lines, made, blocks, source_lines):
    name, verb = words[1:3]
    assert name not in blocks and len(blocks) < 3, words
    assert verb.endswith("_blocks") or verb in ("query_visits", "query_heads", "chunks"), words
    kinds = []
    for turn in lines:
        if turn == ["end"]:
            break
        assert turn[0] == "turn", turn
        kinds += turn[1:]
        scope(lines, made, blocks + [name], source_lines)
    assert sorted(kinds) == KINDS, kinds
