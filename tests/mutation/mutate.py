#!/usr/bin/env python3
"""Mutation testing of sim/: changes one operator or constant of a copy at a time, and checks whether a test fails.

  mutate.py                      a seeded sample of 300; stops at Ctrl-C, resumes with the next call
  mutate.py --file sim/base/npy.cpp    all mutants of a file
  mutate.py --report             the results so far, and the survivors

A mutant with an unchanged object file is equivalent; equivalent.txt lists others, judged by hand. Results of the sample
are kept in found.jsonl next to this file, so that another machine can resume.
"""
import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import json
import os
import pathlib
import queue
import random
import sys
import threading
import time

sys.dont_write_bytecode = True
from mutants import mutants
from workspace import Workspace

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sources():
    """Sources tested by sim_tests. The terminal's tests and stored outputs cover the catalogue and the reports."""
    found = (path.relative_to(ROOT) for path in (ROOT / "sim").rglob("*.cpp"))
    return sorted(str(path) for path in found if path.parts[1] not in ("catalogue", "report"))


def key_of(file, text, mutant):
    """Names a mutant by its line's text, so that it is recognised after lines above have changed."""
    line_start = text.rfind("\n", 0, mutant.start) + 1
    line = text[line_start:text.find("\n", mutant.start)]
    before = text[:line_start].splitlines().count(line)  # equal lines above
    return f"{file} | {line.strip()} | {mutant.start - line_start}:{before} | {mutant.before} -> {mutant.after}"


def all_mutants(files):
    for file in files:
        text = (ROOT / file).read_text(encoding="utf-8")
        for mutant in mutants(text):
            yield file, text, mutant


class State:
    """The results, a line of JSON each."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.found = {entry["key"]: entry for entry in map(json.loads, lines)}

    def add(self, entry):
        with self.lock:
            self.found[entry["key"]] = entry
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")


def text_hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def sample(jobs, seed):
    """A random but stable order: a mutant more or less in a source leaves the others' positions unchanged."""
    return sorted(jobs, key=lambda job: text_hash(f"{seed} {key_of(*job)}"))


def is_known(state, job):
    """True if a result is stored for this source. To retry survivors after tests changed, drop their lines from the state."""
    file, text, mutant = job
    return state.found.get(key_of(file, text, mutant), {}).get("source") == text_hash(text)


def run_all(jobs, state, folder, workers, deadline):
    waiting = queue.Queue()
    for job in jobs:
        waiting.put(job)

    def work(number):
        workspace = Workspace(ROOT, folder / str(number))
        try:
            while time.monotonic() < deadline:
                file, text, mutant = waiting.get_nowait()
                entry = {"key": key_of(file, text, mutant), "source": text_hash(text), "place": mutant.place(text)}
                entry["result"] = workspace.try_mutant(file, mutant.applied(text))
                state.add(entry)
                print(f'{entry["result"]:12} {file}:{entry["place"]}: {mutant.before} -> {mutant.after}', flush=True)
        except queue.Empty:
            pass
        finally:
            workspace.restore()

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for worker in [pool.submit(work, number) for number in range(workers)]:
            worker.result()  # raises its exception


def by_hand():
    """Keys of mutants without an observable change, with the reason after the last bar."""
    lines = pathlib.Path(__file__).with_name("equivalent.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.rsplit(" | ", 1) for line in lines if line and not line.startswith("#"))


def report(jobs, state):
    reasons, counts, survivors, unseen = by_hand(), collections.defaultdict(collections.Counter), [], 0
    for job in jobs:
        if not is_known(state, job):
            unseen += 1
            continue
        key = key_of(*job)
        result = state.found[key]["result"]
        if result == "survived" and key in reasons:
            result = "equivalent"
        if result == "survived":
            survivors.append(f'{job[0]}:{state.found[key]["place"]}: {key}')
        counts[job[0].rsplit("/", 1)[0]][result] += 1
    print("| folder | mutants | uncompilable | equivalent | caught | survived | share caught |\n" + "|---|--:|--:|--:|--:|--:|--:|")
    counts["all"] = sum((counts[folder] for folder in sorted(counts)), collections.Counter())
    for folder, found in counts.items():
        caught, survived = sum(found[how] for how in ("by its test", "by others", "by time")), found["survived"]
        share = f"{100 * caught / (caught + survived):.1f} %" if caught + survived else ""
        print(f'| {folder} | {sum(found.values())} | {found["uncompilable"]} | {found["equivalent"]} | {caught} | {survived} | {share} |')
    print(f"\nnot run yet: {unseen}\nsurvivors:")
    print("\n".join(survivors))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", action="append", help="all mutants of this file of sim/; may be repeated")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time, each in a copy of its own")
    parser.add_argument("--minutes", type=float, default=1e6, help="begins no mutant after this time")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/mutation")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    jobs = list(all_mutants(options.file or sources()))
    if not options.file:
        jobs = sample(jobs, options.seed)[:options.sample]
    order = random.Random(options.seed).sample(sources(), len(sources()))  # part of a sample covers all folders
    jobs.sort(key=lambda job: order.index(job[0]))  # neighbours share their compilations
    state = State((options.folder if options.file else pathlib.Path(__file__).parent) / "found.jsonl")
    if options.report:
        report(jobs, state)
        return
    with open(options.folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a copy has one change at a time: a second call waits
        work_through(jobs, state, options)


def work_through(jobs, state, options):
    deadline = time.monotonic() + options.minutes * 60
    os.nice(19)
    run_all([job for job in jobs if not is_known(state, job)], state, options.folder, options.jobs, deadline)


if __name__ == "__main__":
    main()
