"""Cython modules that only tests need, compiled against the headers of the checkout when first loaded.

The installed package supplies the compiled functions that these modules cimport, so it has to be built from
the same sources. Compiled modules stay in ``build/native``, keyed by their sources, all headers and the
versions of Python and Cython.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = ROOT / "build" / "native"
SUFFIX = ".pyd" if os.name == "nt" else ".so"


class BuildError(Exception):
    """A module of ``tests/native`` could not be compiled."""


@functools.cache
def load(name, folder=HERE):
    """Import the module ``name`` of ``folder``, compiling it if needed.

    Skips the calling test module where Cython, a C compiler or the compiled package is missing. Raises
    BuildError, with the compiler's output the first time, if it does not compile.
    """
    path = build(name, folder)
    spec = importlib.util.spec_from_file_location(name, path)
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ModuleNotFoundError:
        pytest.skip("the compiled engine is not installed", allow_module_level=True)
    return module


def build(name, folder):
    """Return the path of a compiled module; only one process at a time compiles it."""
    target = CACHE / key(folder / f"{name}.pyx") / f"{name}{SUFFIX}"
    with locked(CACHE / f"{name}.lock"):
        log = target.with_suffix(".log")
        if target.exists():
            return target
        if log.exists():
            raise BuildError(f"{name}.pyx does not compile: see {log}")
        if lacking := missing_tool():
            pytest.skip(f"{name}.pyx cannot be compiled without {lacking}", allow_module_level=True)
        compile_module(name, folder, target, log)
    return target


def compile_module(name, folder, target, log):
    """Compile a module to ``target``; where that fails, keep the output in ``log`` and raise BuildError."""
    scratch = target.parent / "build"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    command = [sys.executable, str(HERE / "build.py"), str(folder / f"{name}.pyx"), str(scratch)]
    # A sanitizer preloaded for the tests would run in the compiler too.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        log.write_text(done.stdout, encoding="utf-8")
        raise BuildError(f"{name}.pyx does not compile:\n{done.stdout}")
    os.replace(next(scratch.glob(f"{name}*{SUFFIX}")), target)
    shutil.rmtree(scratch, ignore_errors=True)


def key(source):
    """Digest of everything that a compiled module depends on."""
    digest = hashlib.sha256(f"{sys.version} {sys.platform} {cython_version()}".encode())
    for path in [source, HERE / "build.py", *sorted((ROOT / "solver").rglob("*.pxd"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


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
