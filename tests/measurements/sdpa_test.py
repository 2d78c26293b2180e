#!/usr/bin/env python3
"""Tests kernels/sdpa.py with a stand-in for PyTorch: sdpa_test.py ROOT PROGRAM READ_RECORDING. PROGRAM, a built
flashscope, writes what the script reads, READ_RECORDING reads what it writes. Exit code 77 without numpy.
"""
import csv
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

try:
    import numpy
except ImportError:
    print("skipped: no numpy: apt-get install python3-numpy")
    sys.exit(77)

ROOT, PROGRAM, READER = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
FAKE = pathlib.Path(__file__).resolve().parent / "fake_torch"
HEAD = """# FlashScope recording 1
# device: Example H200
# gpu: h200
# driver: 1.2.3
# software: CUDA 13.0
# date: 2026-01-02T03:04:05Z
# command: flashscope bench
# commit: 0123456789ab
"""
COLUMNS = ("kernel,algorithm,pass,batch,heads,kv-heads,seqlen-q,seqlen-k,head-dim,dtype,causal,window,padding,dropout,"
           "br,bc,caches,quantity,unit,value,low,high,runs,sm_mhz,watts\n")


def row(passes="forward", shape="1,4,2,24,24,16", causal="1", caches="cold", kernel="flash2_mma", quantity="time",
        window="", value="20", tile=","):
    return (f"{kernel},flash2,{passes},{shape},fp16,{causal},{window},0,0,{tile},{caches},{quantity},us,"
            f"{value},{value},{value},30,1755,402.5\n")


class SdpaTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def save(self, name, array, dtype=numpy.float16):
        (self.folder / name).parent.mkdir(exist_ok=True)
        numpy.save(self.folder / name, array.astype(dtype))

    def run_script(self, *words, fake="", path=FAKE):
        environment = {**os.environ, "PYTHONPATH": str(path), "FAKE_TORCH": fake, "FAKE_TORCH_LOG": self.folder / "log"}
        return subprocess.run([sys.executable, ROOT / "kernels/sdpa.py", *words], cwd=self.folder, env=environment,
                              capture_output=True, text=True)

    def time(self, *rows, numbers=4096, fake="", words=()):
        self.write("bench.csv", HEAD + COLUMNS + "".join(rows))
        for name in ("Q", "K", "V", "dO"):
            self.save(f"inputs/{name}.npy", numpy.random.default_rng(1).standard_normal(numbers))
        return self.run_script("--like", "bench.csv", "--inputs", "inputs", "--output", "out.csv", "--seconds", "0.001",
                               *words, fake=fake)

    def written(self):
        with open(self.folder / "out.csv", encoding="utf-8") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def read(self):
        return subprocess.run([READER, self.folder / "out.csv"], capture_output=True, text=True).stdout

    def fails(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def results(self, folder="results", change=0.0, passes="forward+backward", causal=1):
        """Writes the files of `flashscope bench --output-dir`, computed in double."""
        sys.path.insert(0, str(FAKE))
        with unittest.mock.patch("time.perf_counter"):  # replaced by the stand-in
            import torch
        draw = numpy.random.default_rng(2)
        q, dO, k, v = (draw.standard_normal((1, heads, 24, 16)).astype(numpy.float16) for heads in (4, 4, 2, 2))
        exact = [torch.from_numpy(each).to("cpu", numpy.float64).requires_grad_(True) for each in (q, k, v)]
        self.exact = out = torch.nn.functional.scaled_dot_product_attention(*exact, causal == 1, 0.5, enable_gqa=True)
        gradients = torch.autograd.grad(out, exact, dO)
        for name, array in {"Q": q, "K": k, "V": v, "dO": dO, "O": out,
                            **dict(zip(["dQ", "dK", "dV"], gradients))}.items():
            self.save(f"{folder}/{name}.npy", numpy.asarray(array) + (change if name == "dK" else 0))
        self.write(f"{folder}/scenario.txt", f"algorithm=flash2&pass={passes}&batch=1&heads=4&kv-heads=2&seqlen-q=24&"
                   f"seqlen-k=24&head-dim=16&dtype=fp16&causal={causal}&scale=0.5\n")

    def test_every_backend_is_timed_on_every_scenario_once(self):
        done = self.time(row(), row(), row(tile="64,64"), row(caches="warm"), row("backward"),
                         row("forward+backward", causal="0"), row(kernel="flash2"), row(quantity="dram__bytes_read.sum"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = self.written()
        self.assertEqual([(each["kernel"], each["algorithm"], each["pass"], each["caches"]) for each in rows],
                         [(f"pytorch-{name}", algorithm, *work)
                          for work in [("forward", "cold"), ("forward", "warm"), ("backward", "cold"),
                                       ("forward+backward", "cold")]
                          for name, algorithm in [("flash", "flash2"), ("cudnn", "flash2"), ("math", "standard")]])
        same = {"quantity": "time", "unit": "us", "sm_mhz": "1500", "watts": "400", "br": "", "bc": ""}
        self.assertTrue(all(same.items() <= each.items() for each in rows))
        self.assertEqual({each["runs"] for each in rows}, {"3"})  # the minimum, when time is short
        of_pass = {"forward": "976.562", "backward": "1953.12", "forward+backward": "2929.69"}  # us, the stand-in's times
        self.assertTrue(all(each["value"] == each["low"] == of_pass[each["pass"]] for each in rows))

    def test_runs_fill_the_time_up_to_their_maximum(self):
        for words, forward, backward in (("--seconds 0.02", 20, 10), ("--seconds 0.02 --runs 12", 12, 10),
                                         ("--seconds 3600", 50, 50), ("--seconds 1e-9 --runs 3", 3, 3)):
            self.time(row(caches="warm"), row("backward", caches="warm"), words=words.split())
            self.assertEqual([int(each["runs"]) for each in self.written()], [forward] * 3 + [backward] * 3, words)

    def test_cold_inputs_rotate_over_copies_that_fill_the_cache_twice(self):
        # 6144 bytes of Q, K and V for an L2 of 1 MiB; each is warmed up once, and all together for 50 ms.
        for caches, copies, warm_up in (("cold", 342, 342), ("warm", 1, 52)):
            (self.folder / "log").unlink(missing_ok=True)
            self.time(row(caches=caches), fake="refuse-cudnn refuse-math", words=("--runs", "1000", "--seconds", "10"))
            taken = (self.folder / "log").read_text().splitlines()
            self.assertEqual(len(set(taken)), copies)
            self.assertEqual(len(taken), 1000 + warm_up)
            self.assertEqual(self.written()[0]["runs"], "1000")

    def test_math_is_timed_in_the_dtype(self):
        self.time(row(caches="warm"), fake="refuse-flash refuse-cudnn")
        taken = (self.folder / "log").read_text().splitlines()
        self.assertTrue(taken and all(each.endswith(" True") for each in taken))

    def test_the_recording_can_be_read_and_names_its_origin(self):
        self.time(row(), fake="no-clock")
        self.assertEqual(self.read(), "3 figures, 3 of a known scenario\n")
        text = (self.folder / "out.csv").read_text()
        for line in ("# device: Example H200", "# gpu: h200", "# driver: 1.2.3", "# commit: 0123456789ab",
                     "# software: PyTorch 0.0-fake, CUDA 0.0, cuDNN 1", "# command: sdpa.py --like bench.csv"):
            self.assertIn(line, text)

    def test_on_another_device_the_recording_names_no_gpu(self):
        done = self.time(row(), words=("--device", "cpu"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (self.folder / "out.csv").read_text()
        self.assertIn("# device: CPU\n# driver: unknown\n", text)
        self.assertEqual(self.read(), "3 figures, 0 of a known scenario\n")

    def test_an_unsupported_backend_is_noted(self):
        done = self.time(row(), fake="refuse-cudnn")
        self.fails(done, 0, "cudnn: No available kernel. Aborting execution.")
        self.assertEqual([each["kernel"] for each in self.written()], ["pytorch-flash", "pytorch-math"])
        self.assertRegex(done.stdout.splitlines()[-1], r"causal cold .* - .*")

    def test_math_is_omitted_if_its_scores_do_not_fit(self):
        length = 1 << 15  # 32768 x 32768 scores of 6 bytes each exceed the stand-in's free 1 GiB
        done = self.time(row(shape=f"1,1,1,{length},{length},1"), numbers=length, fake="refuse-flash refuse-cudnn")
        self.assertEqual(done.returncode, 0)
        self.assertIn("math: its scores take 6442450944 bytes, more than half of the free 1073741824", done.stderr)
        self.assertEqual(self.read(), "0 figures, 0 of a known scenario\n")

    def test_the_table_shows_speeds_by_the_usual_formula(self):
        done = self.time(row(causal="0", shape="2,4,4,32,16,8", value="2"), row("backward", value="2.5"))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[1], r"^forward 2x4 Nq 32 Nk 16 d 8 fp16 cold +0\.06554 ")
        self.assertRegex(lines[2], r"^backward 1x4 N 24 d 16 fp16 causal cold +0\.07373 ")

    def test_newer_columns_are_read_and_a_ragged_batch_is_noted(self):
        later = COLUMNS.replace(",br,bc,", ",br,bc,splits,pattern,seqlens,issue,")
        rows = [row(tile=",,,,,"), row(shape=",4,2,,,16", tile=',,,,"1 24 24, 2 5 9",longest')]
        with unittest.mock.patch.dict(globals(), {"COLUMNS": later}):
            done = self.time(*rows)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"bench\.csv:11: .*PyTorch has no seqlens")
        self.assertTrue(all(cells["seqlens"] == cells["issue"] == "" for cells in self.written()))

    def test_scenarios_that_sdpa_does_not_support_are_noted(self):
        done = self.time(row(), row(shape="1,1,1,8,16,8"), row(window="4"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("bench.csv:11: forward 1x1 Nq 8 Nk 16 d 8 fp16 causal: PyTorch is_causal aligns", done.stderr)
        self.assertIn("bench.csv:12: forward 1x4 N 24 d 16 fp16 causal: PyTorch has no window", done.stderr)
        self.assertEqual(len(self.written()), 3)

    def test_errors_name_the_file_and_line(self):
        self.fails(self.time(row(shape="1,x,1,24,24,16")), 2, 'bench.csv:10: heads: "x" is none')
        self.fails(self.time(row(shape="1,1,1,24,24,99999999999999")), 2, "bench.csv:10: head-dim")
        self.fails(self.time(row(value="")), 2, 'bench.csv:10: value: "" is not a number')
        self.fails(self.time(row(), row()[:40]), 2, "bench.csv:11: 9 cells, expected 25")
        self.fails(self.time(row(kernel="flash2")), 2, "bench.csv:1: has no time of flash2_mma")
        self.fails(self.time(row(), numbers=100), 2, "inputs/Q.npy:1: has the shape (100,)")
        self.write("bench.csv", HEAD)
        words = ("--like", "bench.csv", "--inputs", "inputs", "--output", "out.csv")
        self.fails(self.run_script(*words), 2, "bench.csv:9: expected the columns kernel,")
        (self.folder / "bench.csv").write_bytes(b"\xff\x00")
        self.fails(self.run_script(*words), 2, "bench.csv:1: ")
        self.write("bench.csv", HEAD + COLUMNS + row())
        file = self.folder / "inputs/K.npy"
        file.write_bytes(file.read_bytes()[:150])
        self.fails(self.run_script(*words), 2, "inputs/K.npy:1: ")
        self.assertFalse((self.folder / "out.csv").exists())

    def test_without_pytorch_or_a_gpu_the_error_is_one_line(self):
        self.fails(self.time(row(), fake="no-gpu"), 3, "PyTorch sees no GPU")
        blocked = self.folder / "blocked/torch"
        blocked.mkdir(parents=True)
        (blocked / "__init__.py").write_text('raise ImportError("No module named torch")')
        self.fails(self.run_script("--check", "x", path=blocked.parent), 3, "pip install torch")

    def test_wrong_usage_is_exit_code_2(self):
        for words in ("", "--like bench.csv", "--check x --runs 2", "--check x --seconds nan"):
            done = self.run_script(*words.split())
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: sdpa.py", done.stderr)
        self.assertEqual(self.run_script("--help").returncode, 0)

    def test_right_results_pass_the_check(self):
        for causal in (0, 1):
            self.results(causal=causal)
            done = self.run_script("--check", "results")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = done.stdout.splitlines()
            self.assertEqual(lines[1].split(), ["ours", "flash", "cudnn", "math", "allowed"])
            self.assertEqual([line.split()[0] for line in lines[2:]], ["O", "dQ", "dK", "dV"])
            self.assertTrue(all(0 < float(cell) < 0.01 for line in lines[2:] for cell in line.split()[1:]))

    def test_the_bound_follows_the_numerics_rule(self):
        self.results()
        cells = self.run_script("--check", "results").stdout.splitlines()[2].split()
        short = self.exact.astype(numpy.float16)
        rounding = 2 * abs((short + numpy.float16(0.3) - numpy.float16(0.3)) - short).max()
        self.assertAlmostEqual(float(cells[5]) / (2 * float(cells[4]) + rounding + 1e-5), 1, delta=0.01)

    def test_malformed_recordings_are_one_line_errors(self):
        sys.path.insert(0, str(ROOT / "kernels"))
        from pytorch.recording import Wrong, read_recording, scenario_of
        draw, good = random.Random(1), (HEAD + COLUMNS + row() + row("backward")).encode()
        pieces = [b"\0", b"\xff", b'"', b",", b"\n", b"#", b"-1", b"nan", b"1e999", b"9" * 200000, b" ", b"\x85"]
        refused = 0
        for _ in range(1000):
            at = draw.randrange(len(good))
            bad = good[:at] + draw.choice(pieces) + good[at + draw.randrange(3):][:draw.choice([9, 9999])]
            (self.folder / "bad.csv").write_bytes(bad)
            try:
                for each in read_recording(self.folder / "bad.csv").rows:
                    scenario_of(each, each["where"])
            except Wrong as error:
                refused += 1
                self.assertEqual(str(error).count("\n"), 0, bad)
        self.assertGreater(refused, 300)

    def test_recordings_of_flashscope_bench_can_be_timed_and_checked(self):
        words = "--heads 4 --kv-heads 2 --seqlen 100 --causal --pass forward+backward --seconds 0.01 --device emulated"
        files = "--output bench.csv --inputs-dir inputs --output-dir results"
        subprocess.run([PROGRAM, "bench", *words.split(), *files.split()], cwd=self.folder, check=True,
                       capture_output=True)
        done = self.run_script("--like", "bench.csv", "--inputs", "inputs", "--output", "out.csv", "--check", "results",
                               "--seconds", "0.01")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([each["caches"] for each in self.written()], ["cold"] * 3 + ["warm"] * 3)
        self.assertEqual(self.read(), "6 figures, 0 of a known scenario\n")

    def test_a_check_skips_an_unsupported_backend_except_math(self):
        self.results()
        done = self.run_script("--check", "results", fake="refuse-cudnn")
        self.assertEqual(done.returncode, 0)
        self.assertEqual({line.split()[3] for line in done.stdout.splitlines()[2:]}, {"-"})
        self.fails(self.run_script("--check", "results", fake="refuse-math"), 2, "math: No available kernel.")

    def test_wrong_results_fail_the_check(self):
        for change in (0.1, numpy.nan):
            self.results(change=change)
            done = self.run_script("--check", "results")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            failed = [line.split()[0] for line in done.stdout.splitlines() if line.endswith("FAILED")]
            self.assertEqual(failed, ["dK"])

    def test_results_whose_shapes_differ_from_the_scenario_are_an_error(self):
        self.fails(self.run_script("--check", "results"), 2, "results/scenario.txt:1: ")
        self.results()
        self.save("results/dV.npy", numpy.zeros((1, 2, 24, 8)))
        self.fails(self.run_script("--check", "results"), 2, "results/dV.npy:1: has the shape (1, 2, 24, 8)")
        self.write("results/scenario.txt", "heads")
        self.fails(self.run_script("--check", "results"), 2, "results/scenario.txt:1: bad query field")
        self.write("results/scenario.txt", "window=4&window=4")
        self.fails(self.run_script("--check", "results"), 2, "results/scenario.txt:1: PyTorch has no window")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
