"""Work in C++ while Python continues: threads, Ctrl-C, memory, and the cost of a call."""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from concurrent import futures

import flashscope as fs
from support import SCENARIOS


class Threads(unittest.TestCase):
    def test_64_threads_have_equal_results(self):
        expected = [fs.simulate(**options).dict() for options in SCENARIOS]
        with futures.ThreadPoolExecutor(64) as pool:
            numbers = [n % len(SCENARIOS) for n in range(192)]
            for n, run in zip(numbers, pool.map(lambda n: fs.simulate(**SCENARIOS[n]).dict(), numbers)):
                self.assertEqual(run, expected[n])

    def test_python_threads_continue_while_a_sweep_runs(self):
        ticks, ended = [], threading.Event()

        def tick():
            while not ended.wait(0.005):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        fs.sweep({"seqlen": "64:64000:64", "algorithm": ["standard", "flash2"]}, progress=False)
        ended.set()
        thread.join()
        self.assertGreater(len(ticks), 2)


CHECK = """
                    q = np.zeros((2, 8192, 64), np.float16)
                    fs.exercise(1).program().check(q, q, q, progress=False)"""


class CtrlC(unittest.TestCase):
    def interrupted(self, call):
        """Repeats a call in another interpreter and interrupts it. Returns the time until it ended."""
        program = f"""
            import flashscope as fs
            import numpy as np
            print("begun", flush=True)
            try:
                while True:
                    {call}
            except KeyboardInterrupt:
                print("interrupted")
        """
        run = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.stdout.readline(), "begun\n")
        time.sleep(0.5)
        self.assertIsNone(run.poll(), "it ended before it was interrupted")
        start = time.monotonic()
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.communicate(timeout=60)[0], "interrupted\n")
        return time.monotonic() - start

    def test_ctrl_c_ends_long_work_soon(self):
        # The goal is a second on an idle machine; this one may be shared.
        for call in ('fs.sweep({"seqlen": "64:131072:64", "head_dim": "16:128:16"}, progress=False)',
                     "fs.tune(seqlen=65536, batch=64, heads=64, causal=True, progress=False)",
                     "fs.simulate(seqlen=8192, heads=32, numerics=True, progress=False)",
                     'fs.simulate(algorithm="standard", seqlen=4096, pass_="backward", numerics=True, progress=False)',
                     "fs.validate()", CHECK):
            with self.subTest(call):
                self.assertLess(self.interrupted(call), 1 if "FLASHSCOPE_IDLE" in os.environ else 30)

    def test_ctrl_c_ends_verify_and_its_program(self):
        with tempfile.TemporaryDirectory() as folder:
            kernels = pathlib.Path(folder, "kernels")
            kernels.write_text("#!/bin/sh\nexec sleep 100\n")
            kernels.chmod(0o755)
            found = f'fs.verify.__globals__["program"] = lambda name: "{kernels}"'
            self.assertLess(self.interrupted(f"{found}; fs.verify(seqlen=16)"), 1 if "FLASHSCOPE_IDLE" in os.environ else 30)


class End(unittest.TestCase):
    """The main thread ends while other threads are in C++."""

    def ended(self, call, threads):
        program = f"""
            import threading, flashscope as fs, numpy as np
            run, begun = fs.simulate(seqlen=2048), threading.Barrier({threads} + 1)

            def work():
                begun.wait()
                while True:
                    {call}

            for _ in range({threads}):
                threading.Thread(target=work, daemon=True).start()
            begun.wait()
        """
        return subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120)

    def test_the_interpreter_ends_while_daemon_threads_are_inside_any_call(self):
        for call in ('fs.sweep({"seqlen": "64:131072:64", "head_dim": "16:128:16"}, progress=False)',
                     "fs.simulate(seqlen=65536, causal=True)", "fs.compare(seqlen=4096)", "fs.validate()",
                     "fs.simulate(seqlen=2048, heads=4, numerics=True, progress=False)",
                     "fs.tune(seqlen=65536, batch=64, heads=64, progress=False)", "fs._core.trace(run._core, \".csv\")",
                     "run.why(\"time.microseconds\")", "run.explain(\"2.6ms\")", "fs.exercise(1).program()", CHECK):
            for threads in 1, 4:
                with self.subTest(call, threads=threads):
                    ended = self.ended(call, threads)
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))


class Memory(unittest.TestCase):
    def test_many_calls_do_not_grow_memory(self):
        def peak_after(calls):
            for _ in range(calls):
                fs.simulate(seqlen=2048).time.microseconds
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = peak_after(300)
        self.assertLess(peak_after(int(os.environ.get("FLASHSCOPE_CALLS", 1000))) - before, 2048)  # KiB


if __name__ == "__main__":
    unittest.main()
