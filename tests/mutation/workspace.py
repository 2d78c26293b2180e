"""A copy of the tree and its build, in which one file at a time is mutated."""
import collections
import hashlib
import json
import pathlib
import re
import resource
import subprocess

SETTINGS = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DFLASHSCOPE_UNITS=OFF",
            "-DFLASHSCOPE_CUDA=OFF"]
QUICK = 0.25  # seconds; faster tests run first
MOST_MEMORY = 4 << 30  # bytes: a mutant may allocate without end


def run(command, seconds=None, **more):
    """The exit code; None after the time limit."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=seconds, preexec_fn=limit if seconds else None, check=False, **more).returncode
    except subprocess.TimeoutExpired:
        return None


class Workspace:
    def __init__(self, root, folder):
        self.root, self.tree, self.build = root, folder / "tree", folder / "build"
        self.tests = self.build / "tests/sim_tests"
        self.changed = self.kept = None
        self.copy_tree()
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, *SETTINGS], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", self.build, "--target", "sim_tests"], check=True, stdout=subprocess.DEVNULL)
        self.find_groups()

    def copy_tree(self):
        """Copies files; unchanged ones keep their times, so that they are not recompiled."""
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root,
                               check=True, capture_output=True).stdout.decode().split("\0")
        for name in filter(None, names):
            source, copy = self.root / name, self.tree / name
            if not source.is_file() or (copy.is_file() and copy.read_bytes() == source.read_bytes()):
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())
            copy.chmod(source.stat().st_mode)

    def find_groups(self):
        """Lists the tests by their time without a mutant: fast ones run first."""
        times = self.build / "times.json"
        known = json.loads(times.read_text()) if times.exists() else []
        if {name for _, name in known} != set(self.output("--list-test-names-only", check=False).splitlines()):
            known = re.findall(r"^([0-9.]+) s: (.*)$", self.output("-d", "yes"), re.MULTILINE)
            times.write_text(json.dumps(known))
        taken = collections.Counter()
        for seconds, name in known:  # once for each generated value of a test
            taken[name] += float(seconds)
        self.groups = []
        for name, wanted in (("quick", lambda s: s < QUICK), ("others", lambda s: s >= QUICK)):
            tests = {test: seconds for test, seconds in taken.items() if wanted(seconds)}
            path = self.build / f"{name}.txt"  # Catch splits lines at unescaped commas
            path.write_text("".join(re.sub(r'([",\\])', r"\\\1", test) + "\n" for test in tests))
            listed = self.output("--input-file", path, "--list-test-names-only", check=False).splitlines()
            if len(listed) != len(tests):
                raise RuntimeError(f"{path}: Catch finds {len(listed)} of {len(tests)} tests")
            self.groups.append((["--input-file", path], sum(tests.values())))

    def output(self, *words, check=True):  # listing returns the number of tests as exit code
        return subprocess.run([self.tests, "~[slow]", *words], cwd=self.build, check=check, capture_output=True,
                              text=True).stdout

    def object_hash(self, file):
        name = str(pathlib.PurePath(file).relative_to("sim")) + ".o"
        path = next(self.build.glob(f"sim/CMakeFiles/*.dir/{name}"))  # in sim or sim_says
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def write(self, file, text):
        if self.changed != file:
            self.kept = (self.tree / file).read_bytes()  # of the copied tree: the root may change meanwhile
        (self.tree / file).write_text(text, encoding="utf-8")
        self.changed = file

    def restore(self):
        if self.changed:
            (self.tree / self.changed).write_bytes(self.kept)
        self.changed = None

    def ninja(self, target):
        return run(["ninja", "-C", self.build, target])

    def fails(self, choice, seconds):
        return run([self.tests, "--abort", *choice], 10 * seconds + 20, cwd=self.build)

    def try_mutant(self, file, text):
        if self.changed != file:
            self.restore()
            if self.ninja("sim") != 0:
                raise RuntimeError(f"{self.tree} does not compile without a mutant")
            self.original = self.object_hash(file)
        self.write(file, text)
        if self.ninja("sim") != 0:
            return "uncompilable"
        if self.object_hash(file) == self.original:
            return "equivalent"
        if self.ninja("sim_tests") != 0:
            return "uncompilable"
        own = pathlib.PurePath(file).stem + "_test"
        groups = list(self.groups)
        if (self.tree / "tests/sim" / f"{own}.cpp").exists():
            groups.insert(0, (["-#", f"[#{own}]~[slow]"], 5))
        for choice, seconds in groups:
            code = self.fails(choice, seconds)
            if code is None:
                return "by time"
            if code != 0:
                return "by its test" if choice[0] == "-#" else "by others"
        return "survived"
