"""Compiles the Cython modules; all else about the package stands in pyproject.toml.

Every ``.pyx`` of the package is a module, none is named by hand. Environment variables of a build:

WINNABLE_REQUIRE_COMPILED=1
    A module that cannot be compiled fails the build. Without it the build goes on, and the slow reference
    engine answers.
WINNABLE_CHECKED=1
    Slow modules that check themselves: bounds of arrays, assertions, and by gcc's sanitizers addresses and
    undefined behaviour. Run them with libasan preloaded; CONTRIBUTING tells how.
"""

import gc
import multiprocessing
import os
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path("src")
IS_REQUIRED = os.environ.get("WINNABLE_REQUIRE_COMPILED", "") == "1"
IS_CHECKED = os.environ.get("WINNABLE_CHECKED", "") == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": IS_CHECKED,
    "wraparound": False,
    "cdivision": True,
    "auto_pickle": False,
    # Functions of C in place of Cython's own: a quarter less to compile. Signatures are in their docstrings.
    "binding": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
    "emit_code_comments": IS_CHECKED,
}
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
# Python's own -fwrapv would make an overflow of signed numbers a thing to rely on. Its -Wall tells nothing of
# Cython's code and takes a tenth of the time, though some systems want -Wformat. The two passes left out
# take as much again, most of it for calls of Python, and without them the searches are 2 % slower or faster.
COMPILE = (
    ["-O1", "-g1", "-UNDEBUG", "-fno-wrapv", *SANITIZERS]
    if IS_CHECKED
    else ["-O3", "-g0", "-DNDEBUG", "-Wno-all", "-Wformat", "-fno-gcse", "-fno-schedule-insns2"]
)
# What judges a line once, and what only tests walk with, is compiled in half the time; no search runs in it.
JUDGES = ("oracle", "brute", "walker", "checker")
LINK = SANITIZERS if IS_CHECKED else []
IS_MICROSOFT = os.name == "nt"
# One wheel serves Python 3.11 and all later ones: `winnable bench` takes as long. A Python without the global
# lock has no such interface yet.
IS_STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
MACROS = [("Py_LIMITED_API", "0x030B0000")] if IS_STABLE else []


def processors() -> int:
    """The processors this build may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def flags(source: Path) -> list[str]:
    """How to compile a module."""
    if IS_MICROSOFT:
        return ["/O2", "/DNDEBUG"]
    return [*COMPILE, "-O1"] if source.stem in JUDGES else COMPILE


def modules() -> list[Extension]:
    """An extension for every ``.pyx``, the largest first, so that processors end together."""
    # Path.rglob does not follow the links that stand for the rooms.
    folders = os.walk(ROOT, followlinks=True)
    sources = [Path(folder, name) for folder, _, names in folders for name in names if name.endswith(".pyx")]
    return [
        Extension(
            ".".join(source.relative_to(ROOT).with_suffix("").parts),
            [str(source)],
            define_macros=MACROS,
            py_limited_api=IS_STABLE,
            extra_compile_args=flags(source),
            extra_link_args=[] if IS_MICROSOFT else LINK,
        )
        for source in sorted(sources, key=lambda source: (-source.stat().st_size, source))
    ]


class ParallelBuild(build_ext):
    """Compiles as many modules at a time as there are processors."""

    def finalize_options(self) -> None:
        """Take all processors unless told otherwise."""
        super().finalize_options()
        self.parallel = self.parallel or processors()

    def run(self) -> None:
        """Compile. Modules in place that were built for one Python would be loaded before the new ones."""
        super().run()
        for extension in self.extensions if self.inplace else []:
            built = Path(self.get_ext_fullpath(extension.name))
            for suffix in EXTENSION_SUFFIXES:
                other = built.with_name(extension.name.rpartition(".")[2] + suffix)
                if built.exists() and other != built:
                    other.unlink(missing_ok=True)


# Syntax trees are full of circles: looking for those that may go takes Cython a third of its time. Two
# processes that keep all hold 400 MB each.
gc.disable()

# Elsewhere a new process would run this file again instead of going on with it.
can_fork = multiprocessing.get_start_method() == "fork"

extensions = cythonize(
    modules(),
    nthreads=processors() if can_fork else 0,
    compiler_directives=DIRECTIVES,
    emit_linenums=False,
)
for extension in extensions:  # it does not go through cythonize
    extension.optional = not IS_REQUIRED

setup(
    ext_modules=extensions,
    cmdclass={"build_ext": ParallelBuild},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if IS_STABLE else {},
)
