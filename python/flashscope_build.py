"""PEP 517 backend: builds flashscope._core with CMake and writes the wheel.

It needs nothing from a package index. The compiler, CMake, pybind11 and the other libraries come from the distribution;
an error names the Debian package that is missing.
"""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
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
    page = ROOT / "build" / "flashscope.html"
    if page.exists():  # made by ./flashscope build page; explorer() shows it
        files["flashscope/flashscope.html"] = page.read_bytes()
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
    """Writes the source tree as an archive, which builds as the tree does. Returns its file name."""
    top = f"flashscope-{version()}"
    with open(pathlib.Path(sdist_directory, f"{top}.tar.gz"), "wb") as file, \
            gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sources():
            entry = archive.gettarinfo(ROOT / path, f"{top}/{path}")
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
            entry.mode = 0o755 if entry.mode & 0o100 else 0o644
            with open(ROOT / path, "rb") as source:
                archive.addfile(entry, source)
        entry, metadata = tarfile.TarInfo(f"{top}/PKG-INFO"), about_package().encode()
        entry.size, entry.mode = len(metadata), 0o644
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{top}.tar.gz"


def sources():
    """Returns the files of the source tree: those that git tracks, or all but the build where there is no git."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
        return [path for path in listed if path and (ROOT / path).is_file() and not (ROOT / path).is_symlink()]
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                  if path.is_file() and not path.is_symlink() and path.relative_to(ROOT).parts[0] != "build" and path.name != "PKG-INFO"
                  and "__pycache__" not in path.parts)


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def is_source(path):
    return path.suffix in (".py", ".pyi") or path.name == "py.typed"


def missing_packages():
    """Returns Debian's packages that the build needs and the system lacks, in the order of cmake/packages.txt."""
    if not shutil.which("dpkg-query"):
        return []
    listed = "source cmake/packages.sh && missing_packages flashscope python | cut -d ' ' -f 1"
    return subprocess.run(["bash", "-c", listed], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def check_tools():
    """Raises if the build cannot start, with everything that it will need."""
    lacks = [(what, package) for program, (what, package) in NEEDED.items()
             if not shutil.which(program) and not (program == "c++" and os.environ.get("CXX"))]
    if not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists():
        lacks.append(("Python.h", "python3-dev"))
    if lacks:
        packages = missing_packages() or [package for _, package in lacks]
        names = ", ".join(what for what, _ in lacks)
        raise SystemExit(f"flashscope: {names} {'is' if len(lacks) == 1 else 'are'} missing: apt-get install --no-install-recommends {' '.join(packages)}")


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
        lacks = missing_packages() if packages else []
        if lacks:  # CMake names the first one
            packages.append(f"packages are missing: apt-get install --no-install-recommends {' '.join(lacks)}")
        reason = packages[-1] if packages else "\n".join(done.stdout.splitlines()[-20:])
        raise SystemExit(f"flashscope: {' '.join(map(str, command[:2]))} failed: {reason}")


def about_package():
    """Returns the package's metadata, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    lines = ["Metadata-Version: 2.1", "Name: flashscope", f"Version: {version()}", f"Summary: {project['description']}",
             f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}",
             f"Keywords: {','.join(project['keywords'])}", *(f"Classifier: {one}" for one in project["classifiers"]),
             *(f"Provides-Extra: {extra}" for extra in extras),
             *(f"Requires-Dist: {name}; extra == '{extra}'" for extra, names in extras.items() for name in names),
             "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text()


def about():
    """Returns the files of dist-info, without RECORD."""
    metadata = about_package()
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
