#!/usr/bin/env python3
"""Runs the tests of a coverage build and prints the lines and branches covered by folder: coverage.py BUILD [--report].

BUILD comes from cmake --preset coverage && cmake --build --preset coverage; --report prints the counts of an earlier run.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def run_tests(build, profiles):
    shutil.rmtree(profiles, ignore_errors=True)
    counting = {**os.environ, "LLVM_PROFILE_FILE": f"{profiles}/%4m.profraw"}  # processes of a program share four files
    subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "-LE", "slow", "-j", str(os.cpu_count())],
                   env=counting, check=True)


def programs(build):
    """The binaries that ran: the programs and their tests."""
    found = [path for folder in ("tests", "viz") for path in sorted((build / folder).rglob("*"))
             if path.is_file() and os.access(path, os.X_OK) and (path.name.endswith("_tests") or path.name.startswith("flashscope"))]
    return [found[0]] + [word for path in found[1:] for word in ("-object", path)]


def counts(build, profiles):
    merged = build / "coverage.profdata"
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", merged, *profiles.glob("*.profraw")], check=True)
    output = subprocess.run(["llvm-cov", "export", "-summary-only", "-instr-profile", merged, *programs(build)],
                            check=True, stdout=subprocess.PIPE).stdout
    return json.loads(output)["data"][0]["files"]


def folder_of(file):
    """The folder: sim/model, viz/terminal ...; None if the file is not part of the project."""
    try:
        parts = pathlib.Path(file).relative_to(ROOT).parts
    except ValueError:
        return None
    return "/".join(parts[:-1][:2]) if parts[0] in ("sim", "kernels", "viz", "lessons") else None


def table(files):
    sums = collections.defaultdict(lambda: collections.Counter())
    for file in files:
        folder = folder_of(file["filename"])
        for kind in ("lines", "branches") if folder else ():
            for name in (folder, "all"):
                sums[name][kind] += file["summary"][kind]["count"]
                sums[name][kind + " run"] += file["summary"][kind]["covered"]
    def share(of, kind):
        return f"{100 * of[kind + ' run'] / of[kind]:.1f} %" if of[kind] else ""
    print("| folder | lines | run | branches | run |\n|---|--:|--:|--:|--:|")
    for name in sorted(set(sums) - {"all"}) + ["all"]:
        of = sums[name]
        print(f"| {name} | {of['lines']:,} | {share(of, 'lines')} | {of['branches']:,} | {share(of, 'branches')} |")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    profiles = build / "profiles"
    if "--report" not in sys.argv[2:]:
        run_tests(build, profiles)
    table(counts(build, profiles))


if __name__ == "__main__":
    main()
