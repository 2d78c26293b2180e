"""PEP 517 backend: builds flashscope._core with CMake and writes the wheel.

It needs nothing from a package index. The compiler, CMake, pybind11 and the other libraries come from the distribution;
an error names the Debian package that is missing.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "flashscope"
DATE = (1980, 1, 1, 0, 0, 0)  # of every file in the wheel, so that equal sources make equal wheels
NEEDED = {"cmake": ("cmake", "cmake"), "ninja": ("ninja", "ninja-build"), "c++": ("a C++ compiler", "g++")}


def version():
    """Returns the version that CMakeLists.txt declares."""
    return re.search(r"^project\(FlashScope VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def tag():
    """Returns the wheel's tag: this interpreter on this platform."""
    python = "cp{}{}".format(*sys.version_info)
    return f"{python}-{python}{sys.abiflags}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the module and writes the wheel. Returns its file name."""
    files = {f"flashscope/{path.name}": path.read_bytes() for path in sorted(PACKAGE.iterdir()) if is_source(path)}
    module = build_module(config_settings)
    files[f"flashscope/{module.name}"] = module.read_bytes()
    files["flashscope/built_from.txt"] = f"{ROOT}\n".encode()  # where verify() and explorer() find what is built there
    return write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes a wheel that points to the package in the build folder, which links to the sources."""
    folder = build_module(config_settings).parent.parent
    return write_wheel(wheel_directory, {"flashscope-editable.pth": f"{folder}\n".encode()})


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes only the metadata, without building. Returns the name of its folder."""
    folder = pathlib.Path(metadata_directory, f"flashscope-{version()}.dist-info")
    folder.mkdir()
    for name, content in about().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    """Raises: the package is built from the whole tree only."""
    raise SystemExit("flashscope: there is no sdist: run `pip install .` in the source tree, or install a wheel")


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def is_source(path):
    return path.suffix in (".py", ".pyi") or path.name == "py.typed"


def missing(what, package):
    raise SystemExit(f"flashscope: {what} is missing: apt-get install --no-install-recommends {package}")


def check_tools():
    for program, (what, package) in NEEDED.items():
        if not shutil.which(program) and not (program == "c++" and os.environ.get("CXX")):
            missing(what, package)
    if not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists():
        missing("Python.h", "python3-dev")


def build_module(settings):
    """Builds in the folder build-folder of the settings as it is configured, else in a folder that it configures.

    Returns the path of the module.
    """
    check_tools()
    folder = ROOT / "build" / f"python-{sys.implementation.cache_tag}"
    if settings and "build-folder" in settings:
        folder = pathlib.Path(settings["build-folder"]).resolve()
    else:
        run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DFLASHSCOPE_CUDA=OFF",
            "-DFLASHSCOPE_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}")
    run("cmake", "--build", folder, "--target", "python_module", "--parallel", str(cores()))
    return folder / "python" / "flashscope" / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"


def cores():
    """Returns the number of usable cores, fewer if memory is short: a compiler takes up to 1 GiB."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    return max(1, min(len(os.sched_getaffinity(0)), memory))


def run(*command):
    """Runs a command. If it fails, its errors become this program's final message."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode != 0:
        packages = re.findall(r"[^\s(]+(?: [a-z]+)*: apt-get install [^\n)]+", done.stdout)
        reason = packages[-1] if packages else "\n".join(done.stdout.splitlines()[-20:])
        raise SystemExit(f"flashscope: {' '.join(map(str, command[:2]))} failed: {reason}")


def about():
    """Returns the files of dist-info, without RECORD."""
    metadata = f"""Metadata-Version: 2.1
Name: flashscope
Version: {version()}
Summary: Simulates attention algorithms tile by tile on the memory hierarchy of a GPU: bytes, time and why
License: Apache-2.0
Requires-Python: >=3.9
"""
    wheel = f"Wheel-Version: 1.0\nGenerator: flashscope_build\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return {"METADATA": metadata.encode(), "WHEEL": wheel.encode(), "licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
            "licenses/licences.txt": licences()}


def licences():
    """Returns the terms of FlashScope and of the libraries that are compiled into the module, as one text."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder, "licences.txt")
        run(ROOT / "cmake" / "licences.sh", text, "flashscope", "pybind11-dev")
        return text.read_bytes()


def write_wheel(folder, files):
    """Writes files (name -> bytes) with their metadata as a wheel. Returns its name."""
    info = f"flashscope-{version()}.dist-info"
    files = {**files, **{f"{info}/{name}": content for name, content in about().items()}}
    record = "".join(record_line(name, content) for name, content in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode()
    name = f"flashscope-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, content)
    return name


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"
