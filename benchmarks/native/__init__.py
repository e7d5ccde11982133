"""Compiled parts of the benchmarks, built on first use.

They are not part of the package, and `setup.py` does not find them. Building them needs Cython, setuptools, a
C compiler and the headers of the package, which only the source tree has.
"""

import fcntl
import importlib
import tempfile
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DIRECTIVES = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}


def load(name: str) -> ModuleType:
    """Import the module ``name`` of this folder; compile it first if it is missing or older than its sources.

    Raises ImportError without Cython or setuptools.
    """
    built, source = HERE / f"{name}.abi3.so", HERE / f"{name}.pyx"
    with source.open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        newest = max(path.stat().st_mtime for path in (source, *(ROOT / "solver").rglob("*.pxd")))
        if not built.exists() or built.stat().st_mtime < newest:
            _compile(name, source)
    return importlib.import_module(f"{__name__}.{name}")


def _compile(name: str, source: Path) -> None:
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extension = Extension(
        f"{__name__}.{name}",
        [str(source)],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
        extra_compile_args=["-O2", "-fno-wrapv"],
    )
    with tempfile.TemporaryDirectory() as folder:
        extensions = cythonize(
            [extension],
            include_path=[str(ROOT / "src")],
            build_dir=folder,
            compiler_directives=DIRECTIVES,
            quiet=True,
        )
        command = build_ext(Distribution({"ext_modules": extensions}))
        command.build_lib, command.build_temp = str(ROOT), folder
        command.ensure_finalized()
        command.run()
