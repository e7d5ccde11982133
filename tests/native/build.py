"""Compile Cython modules that are not part of the package, when they are first loaded.

These modules include parts of the package and cimport functions of the installed one, so the package has to
be built from the same sources. Compiled modules are stored in ``build/native``, keyed by their sources, their
parts, the flags and the versions of Python and Cython.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

ROOT = Path(__file__).parents[2]
SEARCHES = ROOT / "solver"
CACHE = ROOT / "build" / "native"
SUFFIX = ".pyd" if os.name == "nt" else ".so"
CIMPORT = re.compile(r"^from (\.*)([\w.]*) cimport ([^\n(]*)", re.MULTILINE)
INCLUDE = re.compile(r'^include "(.*)"', re.MULTILINE)


class BuildError(Exception):
    """A module that could not be compiled."""


@functools.cache
def load(source, is_fast=False):
    """Import the module of the file ``source``, compiling it if needed; ``is_fast`` turns bounds checks off.

    Raises ModuleNotFoundError without Cython, a C compiler or the compiled package; BuildError if it does not
    compile, with the compiler's output the first time.
    """
    spec = importlib.util.spec_from_file_location(source.stem, build(source, is_fast))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(source, is_fast=False):
    """Return the path of a compiled module. It is compiled together with all out-of-date modules of its
    folder, by one process at a time."""
    target = place(source, is_fast)
    with locked(CACHE / f"{'fast' if is_fast else 'checked'}.lock"):
        log = target.with_suffix(".log")
        if target.exists():
            return target
        if log.exists():
            raise BuildError(f"{source.name} does not compile: see {log}")
        if lacking := missing_tool():
            raise ModuleNotFoundError(f"{source.name} cannot be compiled without {lacking}")
        stale = [other for other in source.parent.glob("*.pyx") if not place(other, is_fast).exists()]
        if compiled(stale, is_fast).returncode and (done := compiled([source], is_fast)).returncode:
            log.write_text(done.stdout, encoding="utf-8")
            raise BuildError(f"{source.name} does not compile:\n{done.stdout}")
    return target


def place(source, is_fast):
    """The path of a compiled module."""
    return CACHE / key(source, is_fast) / f"{source.stem}{SUFFIX}"


def compiled(sources, is_fast):
    """Compile modules in a child process; return its status, 0 if all of them have been compiled."""
    targets = [place(source, is_fast) for source in sources]
    scratch = targets[0].parent / "build"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    command = [sys.executable, __file__, "fast" if is_fast else "checked", str(scratch), *map(str, sources)]
    # A sanitizer preloaded for the tests would run in the compiler too.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode == 0:
        for target in targets:
            target.parent.mkdir(exist_ok=True)
            os.replace(next(scratch.glob(f"{target.stem}.*{SUFFIX}")), target)
    shutil.rmtree(scratch, ignore_errors=True)
    return done


def key(source, is_fast):
    """A digest of everything that a compiled module depends on."""
    digest = hashlib.sha256(f"{sys.version} {sys.platform} {cython_version()} {is_fast}".encode())
    headers = [SEARCHES / "winnable.h", *sorted((SEARCHES / "core").glob("*.h"))]
    for path in [source, Path(__file__), *headers, *sorted(parts(source))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def parts(source):
    """The files of the package that ``source`` cimports or includes, directly or through others."""
    found, waiting = set(), [source]
    while waiting:
        path = waiting.pop()
        text = path.read_text(encoding="utf-8")
        included = {(path.parent / name).resolve() for name in INCLUDE.findall(text)} - found
        found |= included
        waiting += included
        for dots, module, names in CIMPORT.findall(text):
            base = path.parents[len(dots) - 1] if dots else ROOT
            place = base.joinpath(*module.removeprefix("winnable.").split("."))
            modules = (place, *(place / name for name in re.findall(r"\w+", names)))
            new = {part for part in (each.with_suffix(".pxd") for each in modules) if part.is_file()} - found
            found |= new
            waiting += new
    return found


def cython_version():
    """Return the version of Cython, or None where it is not installed."""
    with contextlib.suppress(ImportError):
        return importlib.import_module("Cython").__version__


def missing_tool():
    """Name what is missing to compile a module, or return None."""
    for package in ("Cython", "setuptools"):
        if importlib.util.find_spec(package) is None:
            return package
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")
    return "a C compiler" if compiler and shutil.which(compiler[0]) is None else None


@contextlib.contextmanager
def locked(path):
    """Hold a lock among processes while the block runs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compile_modules(sources, folder, is_fast):
    """Compile ``sources``, with the parts of the checkout, into ``folder``."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    is_stable = not sysconfig.get_config_var("Py_GIL_DISABLED")
    extensions = [
        Extension(
            source.stem,
            [str(source)],
            define_macros=[("NDEBUG", None), *([("Py_LIMITED_API", "0x030B0000")] if is_stable else [])],
            include_dirs=[str(SEARCHES)],
            py_limited_api=is_stable,
            extra_compile_args=[] if os.name == "nt" else ["-O2" if is_fast else "-O1", "-g0", "-fno-wrapv"],
        )
        for source in sources
    ]
    directives = {"language_level": 3, "wraparound": False, "cdivision": True, "auto_pickle": False}
    extensions = cythonize(
        extensions,
        include_path=[str(ROOT / "src")],
        build_dir=str(folder),
        compiler_directives={**directives, "binding": False, "boundscheck": not is_fast},
        quiet=True,
    )
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder), str(folder / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    compile_modules([*map(Path, sys.argv[3:])], Path(sys.argv[2]), sys.argv[1] == "fast")
