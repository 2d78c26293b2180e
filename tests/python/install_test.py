"""`pip install .` in a fresh environment without network, the wheel, and the errors for missing tools."""
import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import venv
import zipfile
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ["FLASHSCOPE_BUILD"]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

import flashscope_build as backend

SETTINGS = {"build-folder": BUILD}  # uses the module under test


def quiet(function, *arguments):
    """Calls a function and discards its output."""
    with mock.patch("builtins.print"):
        return function(*arguments)


class Wheel(unittest.TestCase):
    def test_it_records_every_file(self):
        with tempfile.TemporaryDirectory() as folder:
            name = quiet(backend.build_wheel, folder, SETTINGS)
            self.assertRegex(name, r"^flashscope-[0-9.]+-cp3\d+-cp3\d+t?-linux_\w+\.whl$")
            wheel = zipfile.ZipFile(pathlib.Path(folder, name))
            info = f"flashscope-{backend.version()}.dist-info"
            rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode()))}
            self.assertEqual(sorted(rows), sorted(wheel.namelist()))
            for path, (digest, size) in rows.items():
                if path.endswith("RECORD"):
                    continue
                content = wheel.read(path)
                self.assertEqual(int(size), len(content))
                self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode())
            self.assertTrue({"flashscope/py.typed", "flashscope/__init__.pyi", f"{info}/licenses/LICENSE"} <= set(rows))
            self.assertIn("\npybind11-dev\n=====", wheel.read(f"{info}/licenses/licences.txt").decode())
            first = pathlib.Path(folder, name).read_bytes()
            quiet(backend.build_wheel, folder, SETTINGS)
            self.assertEqual(first, pathlib.Path(folder, name).read_bytes(), "equal sources make equal wheels")

    def test_missing_tools_are_named_with_their_package(self):
        found = backend.shutil.which
        for program, package in (("cmake", "cmake"), ("ninja", "ninja-build"), ("c++", "g\\+\\+")):
            with mock.patch.object(backend.shutil, "which", lambda name: None if name == program else found(name)), \
                    mock.patch.dict(os.environ), self.assertRaisesRegex(SystemExit, f"install --no-install-recommends {package}$"):
                os.environ.pop("CXX", None)
                backend.build_wheel("/nonexistent")
        with mock.patch.object(backend.sysconfig, "get_path", lambda name: "/nonexistent"), \
                self.assertRaisesRegex(SystemExit, "Python.h is missing: .* python3-dev$"):
            backend.build_wheel("/nonexistent")

    def test_the_error_names_what_cmake_misses(self):
        error = 'echo "CMake Error: Python module: apt-get install --no-install-recommends pybind11-dev"; exit 1'
        with self.assertRaisesRegex(SystemExit, "Python module: apt-get install --no-install-recommends pybind11-dev$"):
            quiet(backend.run, "sh", "-c", error)
        with self.assertRaisesRegex(SystemExit, "last words$"):
            quiet(backend.run, "sh", "-c", 'echo "last words"; exit 1')

    def test_all_missing_packages_are_named_at_once(self):
        with mock.patch.object(backend, "missing_packages", lambda: ["cmake", "libfmt-dev", "pybind11-dev"]):
            with mock.patch.object(backend.shutil, "which", lambda name: None), \
                    self.assertRaisesRegex(SystemExit, "recommends cmake libfmt-dev pybind11-dev$"):
                backend.build_wheel("/nonexistent")
            error = 'echo "CMake Error: Python module: apt-get install --no-install-recommends pybind11-dev"; exit 1'
            with self.assertRaisesRegex(SystemExit, "recommends cmake libfmt-dev pybind11-dev$"):
                quiet(backend.run, "sh", "-c", error)

    def test_the_wheel_names_no_folder_of_the_builder(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = zipfile.ZipFile(pathlib.Path(folder, quiet(backend.build_wheel, folder, SETTINGS)))
            for name in wheel.namelist():
                self.assertNotIn(str(ROOT).encode(), wheel.read(name), name)

    def test_the_metadata_are_those_of_the_project(self):
        text = backend.about_package()
        for line in (f"Version: {backend.version()}", "License: Apache-2.0", "Provides-Extra: notebook", "Requires-Dist: pandas; extra == 'notebook'"):
            self.assertIn(f"\n{line}\n", text)

    def test_an_sdist_has_the_tree_and_is_the_same_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            name = backend.build_sdist(folder)
            first = pathlib.Path(folder, name).read_bytes()
            with tarfile.open(pathlib.Path(folder, name)) as archive:
                names = set(archive.getnames())
            top = name.removesuffix(".tar.gz")
            self.assertTrue({f"{top}/{file}" for file in ("PKG-INFO", "pyproject.toml", "CMakeLists.txt", "LICENSE", "cmake/licences.sh")} <= names)
            self.assertFalse([path for path in names if path.startswith(f"{top}/build/")])
            backend.build_sdist(folder)
            self.assertEqual(first, pathlib.Path(folder, name).read_bytes())


class Page(unittest.TestCase):
    def test_it_names_every_package_that_the_build_needs(self):
        listed = 'source cmake/packages.sh && packages_in flashscope python | cut -d " " -f 1'
        needed = subprocess.run(["bash", "-c", listed], capture_output=True, text=True, cwd=ROOT, check=True).stdout.split()
        text = (ROOT / "docs" / "python.md").read_text().replace("\\\n", "")
        self.assertEqual(re.search("apt-get install --no-install-recommends (.*)", text)[1].split(), needed)


class Pip(unittest.TestCase):
    def test_a_fresh_environment_uses_it_from_another_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            try:
                venv.create(folder, with_pip=True)
            except subprocess.CalledProcessError:
                self.skipTest("needs python3-venv: apt-get install python3-venv")
            python = str(pathlib.Path(folder, "bin", "python"))
            environment = {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INPUT": "1"}
            environment.pop("PYTHONPATH", None)
            pip = [python, "-m", "pip", "install", "--no-index", "--config-settings", f"build-folder={BUILD}"]
            for how in ([str(ROOT)], ["--force-reinstall", "-e", str(ROOT)]):
                done = subprocess.run(pip + how, capture_output=True, text=True, env=environment, cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                said = subprocess.run([python, "-c", "import flashscope as fs; print(fs.__version__, fs.simulate(seqlen=2048))"],
                                      capture_output=True, text=True, env=environment, cwd=folder)
                self.assertEqual(said.stderr, "")
                self.assertRegex(said.stdout, rf"^{backend.version()} flash2, forward: tile traffic")


if __name__ == "__main__":
    unittest.main()
