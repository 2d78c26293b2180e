#!/usr/bin/env python3
"""Checks the files that a repository host reads against the tree: hosting_test.py ROOT. Workflows only call scripts."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Commands allowed in a workflow prepare a machine or publish results; building and testing belong in scripts.
AROUND = re.compile(r"apt-get update && apt-get install |git config |gh release create ")


def stages(root):
    text = (root / ".ci/run").read_text(encoding="utf-8")
    return set(re.findall(r"\[(\w+)\]=", text))


def complaints_of_workflow(name, text, known):
    runs = re.findall(r"^ *(?:- )?run: (.*)$", text, re.M)
    if not any(line.startswith(".ci/run") for line in runs):
        yield f"{name}: no step calls .ci/run"
    for line in runs:
        words = line.split()
        if words[0] == ".ci/run":
            for stage in words[1:]:
                if stage not in known:
                    yield f"{name}: .ci/run has no stage {stage}"
        elif not AROUND.match(line):
            yield f'{name}: "{line}" belongs into a script that .ci/run calls'
    for action in re.findall(r"uses: (.*)$", text, re.M):
        if not re.fullmatch(r"actions/[\w-]+@v\d+", action):
            yield f"{name}: {action} names no version"


def places_of_version(root, version):
    """Files that contain FlashScope's version."""
    named = re.compile(rf"flashscope\W{{0,3}}(version )?{re.escape(version)}(?![\d.])", re.I)
    for top in sorted(root.iterdir()):
        if top.name.startswith(".git") or top.name == "build":
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in {".md", ".txt", ".cmake", ".sh", ".py", ".h", ".cpp", ".cff", ".yml"} and path.is_file() and \
                    named.search(path.read_text(encoding="utf-8", errors="replace")):
                yield path.relative_to(root).as_posix()


def complaints_of_release(root):
    """Runs cmake/release.sh in a tree of a few files."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        dist = tree / "build/release/dist"
        dist.mkdir(parents=True)
        (tree / "cmake").mkdir()
        shutil.copy(root / "cmake/release.sh", tree / "cmake")
        (tree / "CMakeLists.txt").write_text("project(FlashScope VERSION 1.2.3\n")
        (tree / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-11-30)\n\n- new\n\n## 1.2.2\n\n- old\n")

        def run(tag, code, said):
            done = subprocess.run([tree / "cmake/release.sh", tag, dist], capture_output=True, text=True)
            if done.returncode != code or said not in done.stderr:
                yield f"cmake/release.sh {tag}: exit code {done.returncode} instead of {code}, and says {done.stderr!r}"

        yield from run("v1.2.4", 1, "the tag must be v1.2.3")
        yield from run("v1.2.3", 1, "there is no page")
        (tree / "build/flashscope.html").write_text("<p>")
        yield from run("v1.2.3", 1, "there is no flashscope*linux-x86_64.tar.xz")
        for name in ("-1.2.3-linux-x86_64.tar.xz", "-1.2.3-linux-x86_64.tar.gz", "_1.2.3_amd64.deb", "-1.2.3-cp311-cp311-linux_x86_64.whl"):
            (dist / f"flashscope{name}").write_text(name)
        for _ in range(2):
            yield from run("v1.2.3", 0, "")
        if (tree / "build/release/notes.md").read_text() != "- new\n":
            yield "cmake/release.sh: the notes are not the section of the version"
        checked = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=dist, capture_output=True, text=True)
        if checked.returncode != 0 or checked.stdout.count(": OK") != 5:
            yield f"cmake/release.sh: the checksums are not of the five files: {checked.stdout}"
        (tree / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n- new\n")
        yield from run("v1.2.3", 1, 'has no section "## 1.2.3"')


def complaints(root):
    version = re.search(r"^project\(FlashScope VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.M).group(1)
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        yield f"CITATION.cff: its version is not {version}, the one in CMakeLists.txt"
    for place in places_of_version(root, version):
        if place not in {"CMakeLists.txt", "CHANGELOG.md"}:
            yield f"{place} repeats the version {version} of CMakeLists.txt"
    workflows = sorted((root / ".github/workflows").glob("*.yml"))
    if [path.stem for path in workflows] != ["ci", "page", "release"]:
        yield ".github/workflows: there must be ci, page and release"
    for path in workflows:
        yield from complaints_of_workflow(path.name, path.read_text(encoding="utf-8"), stages(root))
    yield from complaints_of_release(root)
    for line in re.findall(r"^RUN .*$", (root / "Dockerfile").read_text(encoding="utf-8"), re.M):
        if re.search(r"apt(-get)? .*install", line):
            yield f'Dockerfile: "{line}" installs past cmake/packages.txt'


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(1 if found else 0)
