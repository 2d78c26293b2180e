"""Algorithms written in Python against their programs of sim/programs: every number, and values bit for bit."""
import linecache
import os
import sys
import tempfile
import time
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor

try:
    import numpy as np
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from flashscope.exercise_programs import one_loop
from flashscope.program import record
from programs import BUILT_IN
from support import SCENARIOS as BUILT_INS

FULL = dict(batch=4, heads=32, seqlen=2048)
SCENARIOS = [
    FULL,
    dict(FULL, causal=True, seqlen=2000),
    dict(FULL, kv_heads=8, window=700, causal=True, dtype="fp32", dropout=0.1),
    dict(seqlen=777, padding=300, gpu="a100-sxm-80gb"),
    dict(heads=3, seqlen_q=100, seqlen_k=3000, head_dim=128, causal=True, gpu="t4"),
    dict(heads=16, kv_heads=2, seqlen=4096, head_dim=96, dropout=0.2, dtype="bf16", gpu="rtx-3090"),
    dict(heads=8, seqlen=131072, causal=True, gpu="h200"),
    dict(heads=2, seqlen=1, head_dim=32),
    dict(seqlen_q=700, seqlen_k=200, causal=True, scale=0.3, gpu="b200"),
]
VALUES = [dict(), dict(causal=True), dict(window=60, dropout=0.1), dict(padding=70, dtype="bf16"),
          dict(dtype="fp32", causal=True)]
OWN = ("scenario.algorithm", "time.error_percent", "time.validated", "time.validated_on", "memory.published")


def program_of(name):
    return fs.program(f"my-{name}", **BUILT_IN[name])


def flat(tree, path=""):
    """Returns all numbers and texts by path, except the algorithm's name and lines of the source."""
    if isinstance(tree, dict):
        for key, part in tree.items():
            yield from flat(part, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for key, part in enumerate(tree):
            yield from flat(part, f"{path}.{key}")
    elif not path.startswith(OWN) and not (".by_line." in path and path.endswith((".line", ".text"))):
        yield path, tree


def loads_by(flag, loop, grid="per_row_block"):
    """Returns a program that loads K in iterations with the flag, and V in the others."""
    space = {"fs": fs}
    source = f"""
@fs.kernel(inputs=["Q", "K", "V"], outputs=["O"], grid="{grid}")
def body(cta, p):
    i = cta.row()
    for j in {loop}:
        if j.{flag}:
            K = cta.load(p.K[j])
        else:
            V = cta.load(p.V[j])
    O = cta.zeros("O", i)
    cta.store(O, p.O[i])
"""
    filename = f"<{flag} {loop} {grid}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), space)
    return fs.program("flags", [space["body"]], tiles=(64, 64))


def key_blocks_read(program, **options):
    """Returns the blocks of 64 keys of 64 fp16 elements that a run reads of K and of V."""
    read = program.simulate(**options).tile_traffic.dict()["by_tensor"]
    return tuple(read.get(name, {"read_bytes": 0})["read_bytes"] // (64 * 64 * 2) for name in "KV")


class Flags(unittest.TestCase):
    """16 row blocks and 16 key blocks in each of 4 heads; under a causal mask row block i sees i + 1 key blocks."""

    def test_the_last_iteration_of_each_loop_over_keys_is_known(self):
        size = dict(heads=4, seqlen=1024)
        for verb in ("key_blocks(i)", "key_blocks_down(i)", "live_key_blocks()", "all_key_blocks()"):
            program = loads_by("last", f"cta.{verb}")
            with self.subTest(verb):
                self.assertEqual(key_blocks_read(program, **size), (4 * 16, 4 * 16 * 15))
                causal = (4 * 16, 4 * 120) if "(i)" in verb else (4 * 16, 4 * 16 * 15)
                self.assertEqual(key_blocks_read(program, causal=True, **size), causal)
        program = loads_by("last", "cta.live_key_blocks()")
        self.assertEqual(key_blocks_read(program, padding=512, **size), (4 * 16, 4 * 16 * 7))

    def test_masked_iterations_of_all_loops_over_keys_are_known(self):
        for verb in ("key_blocks(i)", "all_key_blocks()", "live_key_blocks()"):
            program = loads_by("masked", f"cta.{verb}")
            with self.subTest(verb):  # 16 tiles on the diagonal, 120 above it, 120 below
                masked = 16 if "(i)" in verb else 136
                self.assertEqual(key_blocks_read(program, heads=4, seqlen=1024, causal=True), (4 * masked, 4 * 120))
        with self.assertRaisesRegex(fs.Error, r"has no \.masked: only blocks of keys and of queries"):
            loads_by("masked", "cta.chunks(p.keys, p.bc)")

    def test_what_follows_a_loop_may_be_done_in_its_last_iteration(self):
        @fs.kernel(inputs=["Q", "K", "V"], outputs=["O"])
        def within(cta, p):
            i = cta.row()
            Q = cta.load(p.Q[i])
            O = cta.zeros("O", i)
            l = cta.vec("l", i, 0)
            m = cta.vec("m", i, float("-inf"))
            for j in cta.key_blocks(i):
                K = cta.load(p.K[j])
                S = cta.gemm_nt(Q, K)
                cta.scale(S, p.scale)
                if j.masked:
                    cta.mask(S, i, j)
                m_new = cta.row_max(S, m)
                alpha = cta.exp_sub(m, m_new, "alpha")
                P = cta.exp_sub(S, m_new)
                l = cta.add_row_sum(l, alpha, P)
                m = m_new
                cta.scale_rows(O, alpha)
                V = cta.load(p.V[j])
                cta.gemm_nn_add(O, P, V)
                if j.last:
                    cta.divide_rows(O, l)
                    cta.store(O, p.O[i])

        program = fs.program("within", [within], tiles=(64, 64))
        for options in ({}, {"causal": True}, {"window": 100}, {"padding": 300}, {"causal": True, "window": 90}):
            with self.subTest(str(options)):
                run = program.simulate(seqlen=800, numerics=True, progress=False, **options)
                self.assertLess(run.check.max_abs_error, 2e-3)


class Programs(unittest.TestCase):
    def test_every_number_is_that_of_the_built_in_program(self):
        for name in BUILT_IN:
            mine, compared = program_of(name), 0
            for options in SCENARIOS:
                if name == "flash2":  # whose kernels are compiled for other GPUs: its times there are theirs
                    options = {**options, "gpu": "b200"}
                with self.subTest(f"{name} {options}"):
                    try:
                        expected = fs.simulate(algorithm=name, **options).dict()
                    except fs.Error as error:
                        with self.assertRaises(fs.Error) as raised:
                            mine.simulate(**options)
                        self.assertEqual(str(raised.exception).split(":")[-1], str(error).split(":")[-1])
                        continue
                    own = set(expected["scenario"]) - set(fs.simulate(**options).dict()["scenario"])
                    for option in own:
                        del expected["scenario"][option]
                    self.assertEqual(dict(flat(mine.simulate(**options).dict())), dict(flat(expected)))
                    compared += 1
            self.assertGreater(compared, 6, name)

    def test_values_are_those_of_the_built_in_program_bit_for_bit(self):
        draw = np.random.default_rng(3)
        q = draw.standard_normal((2, 4, 300, 64)) * 3
        k, v = (draw.standard_normal((2, 2, 300, 64)) for _ in range(2))
        for name in BUILT_IN:
            mine = program_of(name)
            for options in VALUES:
                with self.subTest(f"{name} {options}"):
                    options = {"dtype": "fp16", **options}
                    verdict = mine.check(q, k, v, **options)
                    self.assertTrue(verdict, verdict)
                    np.testing.assert_array_equal(verdict.output, fs.check(name, q, k, v, **options).output)

    def test_an_output_that_is_never_stored_is_a_warning_of_the_program_and_of_its_runs(self):
        more = {**one_loop.launch, "outputs": ["O", "L", "m"], "name": "more"}
        with self.assertWarnsRegex(UserWarning, "program declares-more: more declares m as an output and never stores it"):
            mine = fs.program("declares-more", [fs.kernel(**more)(one_loop.body)])
        self.assertIn("outputs: more declares m and never stores it", mine.simulate().warnings)
        for options in [*SCENARIOS, *BUILT_INS]:
            self.assertFalse([text for text in fs.simulate(**options).warnings if text.startswith("outputs: ")])

    def test_the_name_of_a_program_is_accepted_as_an_algorithm(self):
        mine = program_of("flash2")
        self.assertEqual(fs.simulate(algorithm=mine, seqlen=512).dict(), mine.simulate(seqlen=512).dict())
        both = fs.compare([mine, "flash2"], seqlen=512)
        self.assertEqual(both[0].tile_traffic.total_bytes, both[1].tile_traffic.total_bytes)
        path = "tile_traffic.by_tensor.K.read_bytes"
        self.assertEqual(mine.why(path, seqlen=512).value, fs.why(path, algorithm="flash2", seqlen=512).value)

    def test_a_program_is_swept_and_tuned(self):
        mine = program_of("flash2")
        rows = fs.sweep({"algorithm": [mine, "flash2"], "seqlen": [512, 1024]}, progress=False).rows
        self.assertEqual([row["algorithm"] for row in rows], ["my-flash2"] * 2 + ["flash2"] * 2)
        for one, other in zip(rows[:2], rows[2:]):
            self.assertEqual(one["tile_traffic.total.read_bytes"], other["tile_traffic.total.read_bytes"])
        tuned = [fs.tune(algorithm=one, seqlen=512, progress=False).dict() for one in (mine, "flash2")]
        self.assertEqual(*([(tiles["br"], tiles["bc"]) for tiles in one["ranked"]] for one in tuned))

    def test_threads_record_and_run_programs_at_once(self):
        expected = fs.simulate(algorithm="flash2", seqlen=3000, causal=True).tile_traffic.total_bytes

        def work(number):
            mine = fs.program(f"thread-{number % 8}", **BUILT_IN["flash2"])
            return mine.simulate(seqlen=3000, causal=True).tile_traffic.total_bytes

        with ThreadPoolExecutor(64) as pool:
            self.assertEqual(set(pool.map(work, range(256))), {expected})

    def test_a_saved_program_is_the_file_that_was_loaded(self):
        mine = program_of("flash1")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.fscope")
            mine.save(path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), mine.text)
        self.assertLess(len(zlib.compress(mine.text.encode())), 6_000)
        self.assertEqual(repr(mine), "<program my-flash1: flash1_forward>")

    def test_a_program_replaces_an_earlier_one_of_the_same_name(self):
        fs.program("other", **BUILT_IN["flash1"])
        run = fs.simulate(algorithm="other", seqlen=512)
        fs.program("other", **BUILT_IN["flash2"])
        later, flash1 = (fs.simulate(algorithm=name, seqlen=512) for name in ("other", "flash1"))
        self.assertNotEqual(run.tile_traffic.total_bytes, later.tile_traffic.total_bytes)
        self.assertEqual(run.tile_traffic.total_bytes, flash1.tile_traffic.total_bytes)
        self.assertIn("flash1_forward", repr(run.listing))
        with self.assertRaisesRegex(fs.Error, "flash2 is a built-in algorithm"):
            fs.program("flash2", **BUILT_IN["flash2"])

    def test_recording_and_counting_are_fast(self):
        for name, arguments in BUILT_IN.items():
            begin = time.perf_counter()
            text = record(f"my-{name}", **arguments)
            recorded = time.perf_counter()
            mine = program_of(name)
            taken = []
            for algorithm in (mine, name, mine, name):
                counting = time.perf_counter()
                fs.simulate(algorithm=algorithm, seqlen=131072, causal=True)
                taken.append(1e3 * (time.perf_counter() - counting))
            print(f"{name}: recorded in {1e3 * (recorded - begin):.1f} ms, {len(text):,} B; simulated with 128 K tokens "
                  f"in {taken[2]:.2f} ms, the built-in one in {taken[3]:.2f} ms", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
