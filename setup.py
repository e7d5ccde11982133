"""Build of the Cython modules; all other settings are in pyproject.toml.

The one module is ``solver.core.border``. Every other ``.pyx`` of the package is a unit of C in it: those
named as their folder are, with ``solver/winnable.c``, the searches of the library of winnable.h, the others
certificates and players. None is listed by hand. Environment variables of a build:

WINNABLE_REQUIRE_COMPILED=1
    A module that cannot be compiled fails the build. Without it the build goes on, and the slow reference
    engine answers.
WINNABLE_CHECKED=1
    Slow modules with bounds checks, assertions, and gcc's address and undefined-behaviour sanitizers. Run
    them with libasan preloaded, as CONTRIBUTING describes.
"""

import contextlib
import gc
import multiprocessing
import os
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path("src")
LIBRARY = ROOT / "winnable" / "solver"
BORDER = "winnable.solver.core.border"
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
# Python's -fwrapv would define the overflow of signed numbers. Its -Wall says nothing useful of Cython's code
# and takes a tenth of the time; some systems require -Wformat. The two passes left out take as much again,
# mostly for calls of Python; without them searches are between 2 % slower and 2 % faster.
COMPILE = (
    ["-g1", "-UNDEBUG", "-fno-wrapv", *SANITIZERS]
    if IS_CHECKED
    else ["-g0", "-DNDEBUG", "-Wno-all", "-Wno-sign-compare", "-Wformat", "-fno-gcse", "-fno-schedule-insns2"]
)
# Fractions steer some searches: they are to be the same on processors that multiply and add at once.
COMPILE.append("-ffp-contract=off")
# Marks a module in which searches spend their time. All others are compiled in half the time; even the marked
# ones would only be 2 to 8 % slower so. What -O3 adds to these passes takes a fifth of the time and gains
# nothing.
OPTIMISED = "\n# optimised: "
QUICKLY = ["-Og"]
WELL = ["-O2", "-fpeel-loops", "-funswitch-loops", "-fsplit-loops", "-fsplit-paths", "-ftree-partial-pre"]
# Passes by names that gcc knows: clang refuses some of them, and warns of the others.
OF_GCC = {
    *("-fno-gcse", "-fno-schedule-insns2", "-fpeel-loops", "-funswitch-loops"),
    *("-fsplit-loops", "-fsplit-paths", "-ftree-partial-pre"),
}
LINK = SANITIZERS if IS_CHECKED else []
# Of the units of the library, linkers leave out what only makes modules of them.
GATHERED = ["-Wl,--gc-sections"] if sys.platform.startswith("linux") else []
UNITS = [] if os.name == "nt" else ["-ffunction-sections", "-fdata-sections", "-fvisibility=hidden"]
IS_MICROSOFT = os.name == "nt"
# The stable interface, so that one wheel serves Python 3.11 and later; `winnable bench` takes as long.
# A free-threaded Python has no such interface yet.
IS_STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
MACROS = [("Py_LIMITED_API", "0x030B0000")] if IS_STABLE else []


def mend_links() -> None:
    """Make links of the files that a checkout without symbolic links has in their place: the default on
    Windows, and in an unpacked ZIP. Where links are not allowed either, Windows gets directory junctions, and
    anything else one line that says what to do."""
    for name in (path.name for path in (ROOT / "winnable").iterdir() if path.is_file() and not path.suffix):
        file, target = ROOT / "winnable" / name, Path(name)
        if file.read_text(encoding="utf-8").strip() != f"../../{name}" or not target.is_dir():
            continue
        file.unlink()
        try:
            file.symlink_to(f"../../{name}", target_is_directory=True)
        except OSError:
            try:
                import _winapi

                _winapi.CreateJunction(str(target.absolute()), str(file.absolute()))
            except (ImportError, OSError):
                file.write_text(f"../../{name}", encoding="utf-8")
                sys.exit(
                    f"{file}: expected a symbolic link to {name}/, got a file: "
                    "git config core.symlinks true, then git checkout -- src"
                )


def processors() -> int:
    """The number of processors this build may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_of_library(source: Path) -> bool:
    """Test if a ``.pyx`` is a unit of the library of winnable.h."""
    return source.stem == source.parent.name


def headers() -> list[str]:
    """The header files of the library."""
    return [str(path) for path in (LIBRARY / "winnable.h", *sorted((LIBRARY / "core").glob("*.h")))]


def flags(source: Path) -> list[str]:
    """Compiler flags of a module."""
    text = source.read_text(encoding="utf-8") if source.exists() else OPTIMISED  # winnable.c
    is_optimised = OPTIMISED in text and not IS_CHECKED
    return ["/O2", "/DNDEBUG"] if IS_MICROSOFT else [*COMPILE, *(WELL if is_optimised else QUICKLY)]


def is_gcc(compiler: list[str]) -> bool:
    """Test if the command ``compiler`` is gcc and not another compiler, as ``gcc`` of macOS is."""
    try:
        return b"Free Software" in subprocess.check_output([*compiler, "--version"])
    except (OSError, subprocess.CalledProcessError):
        return False


def known(flags: list[str], to_gcc: bool) -> list[str]:
    """The ``flags`` that the compiler knows, which is gcc or another one."""
    return [flag for flag in flags if to_gcc or flag not in OF_GCC]


def modules() -> list[Extension]:
    """An extension for every ``.pyx``, the largest first, so that processors end together; all but the border
    are then linked with it."""
    # Path.rglob does not follow the links to the packages.
    folders = os.walk(ROOT, followlinks=True)
    sources = [Path(folder, name) for folder, _, names in folders for name in names if name.endswith(".pyx")]
    return [
        Extension(
            ".".join(source.relative_to(ROOT).with_suffix("").parts),
            [str(source)],
            define_macros=MACROS,
            include_dirs=[str(LIBRARY)],
            py_limited_api=IS_STABLE,
            extra_compile_args=flags(source),
            extra_link_args=[] if IS_MICROSOFT else LINK,
        )
        for source in sorted(sources, key=lambda source: (-source.stat().st_size, source))
    ]


class ParallelBuild(build_ext):
    """Compile as many modules at a time as there are processors."""

    def finalize_options(self) -> None:
        """Use all processors unless told otherwise."""
        super().finalize_options()
        self.parallel = self.parallel or processors()

    def build_extensions(self) -> None:
        """Pass flags that the compiler knows, and let gcc read Python's header once for all modules."""
        self.is_gcc = not IS_MICROSOFT and is_gcc(self.compiler.compiler_so)
        self.included: list[str] = []
        if self.is_gcc:  # without that header it goes on as it would
            with contextlib.suppress(OSError, subprocess.CalledProcessError):
                self.included = ["-include", str(self.precompile_header())]
        for extension in self.extensions:
            extension.extra_compile_args = known(extension.extra_compile_args, self.is_gcc) + self.included
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        """Compile the units of an extension side by side, each with its flags, then link them."""
        if extension.name == BORDER:
            units = [Path(unit) for unit in extension.sources[1:]]
            with ThreadPoolExecutor(processors()) as pool:
                extension.extra_objects = [*pool.map(self.compile_unit, units)]
            extension.depends, extension.sources = extension.sources[1:], extension.sources[:1]
        super().build_extension(extension)

    def compile_unit(self, unit: Path) -> str:
        """Compile a unit of the library unless that was done; its object file."""
        target = Path(self.compiler.object_filenames([str(unit)], output_dir=self.build_temp)[0])
        changed = max(Path(path).stat().st_mtime for path in (unit, *headers()))
        if not target.exists() or target.stat().st_mtime < changed:
            self.compiler.compile(
                [str(unit)],
                output_dir=self.build_temp,
                macros=[*MACROS, ("CYTHON_NO_PYINIT_EXPORT", None)],
                include_dirs=[str(LIBRARY)],
                extra_postargs=[
                    *known(flags(unit.with_suffix(".pyx")), self.is_gcc),
                    *UNITS,
                    *self.included,
                ],
            )
        return str(target)

    def precompile_header(self) -> Path:
        """Compile the header as modules are; its path. Raises one of what `build_extensions` suppresses."""
        compiler = self.compiler.compiler_so
        header = Path(self.build_temp, "python.h").absolute()
        folder = header.with_suffix(".h.gch")
        folder.mkdir(parents=True, exist_ok=True)
        header.write_text("#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n", encoding="utf-8")
        options = [f"-D{name}={value}" for name, value in MACROS]
        options += [f"-I{place}" for place in self.compiler.include_dirs]
        for passes in (QUICKLY, WELL):
            precompiled = folder / f"{'checked' if IS_CHECKED else ''}{passes[0]}"
            if not precompiled.exists():
                command = [*compiler, *options, *COMPILE, *passes, "-x", "c-header", str(header)]
                subprocess.check_call([*command, "-o", str(precompiled)])
        return header

    def run(self) -> None:
        """Compile; remove modules in place for one Python, which would be loaded before the new ones."""
        super().run()
        for extension in self.extensions if self.inplace else []:
            built = Path(self.get_ext_fullpath(extension.name))
            for suffix in EXTENSION_SUFFIXES:
                other = built.with_name(extension.name.rpartition(".")[2] + suffix)
                if built.exists() and other != built:
                    other.unlink(missing_ok=True)


# Elsewhere a new process would run this file again instead of going on with it.
can_fork = multiprocessing.get_start_method() == "fork"


def asks_for_metadata_only(arguments: list[str]) -> bool:
    """Test if the commands are ``egg_info`` and ``dist_info`` alone, as in two of pip's three calls."""
    builds = ("bdist", "build", "develop", "editable", "install", "sdist")
    metadata = {"egg_info", "dist_info"} & set(arguments)
    return bool(metadata) and not any(argument.startswith(builds) for argument in arguments)


def translate(sources: list[Extension], processes: int) -> list[Extension]:
    """Translate Cython to C."""
    from Cython.Build import cythonize  # half a second, which metadata does without

    return cythonize(sources, nthreads=processes, compiler_directives=DIRECTIVES, emit_linenums=False)


def are_translated(extensions: list[Extension]) -> bool:
    """Test if all modules are there in C, by this Cython and newer than any source.

    Cython asks whether its own files are newer, too, as they always are where pip has just installed it.
    """
    from Cython import __version__

    translated = [Path(extension.sources[0]).with_suffix(".c") for extension in extensions]
    if not all(path.exists() and f" {__version__} " in path.read_text("utf-8")[:80] for path in translated):
        return False
    folders = [Path(folder) for folder, _, _ in os.walk(ROOT, followlinks=True)]
    sources = [Path("setup.py"), *(path for folder in folders for path in folder.glob("*.p[yx][xdi]"))]
    oldest = min(path.stat().st_mtime for path in translated)
    return all(path.stat().st_mtime < oldest for path in sources)


def translated_modules() -> list[Extension]:
    """All modules, translated to C in parallel unless they are."""
    extensions = modules()
    if are_translated(extensions):
        for extension in extensions:
            extension.sources = [str(Path(extension.sources[0]).with_suffix(".c"))]
    else:
        translate(extensions[-1:], 0)  # Cython's own preparations, which the forked processes then share
        extensions = translate(extensions, processors() if can_fork else 0)
    border = next(extension for extension in extensions if extension.name == BORDER)
    units = [extension.sources[0] for extension in extensions if extension is not border]
    border.optional = not IS_REQUIRED  # this does not go through cythonize
    border.sources += [*units, str(LIBRARY / "winnable.c")]
    border.extra_link_args += GATHERED
    border.depends += headers()
    return [border]


# Not when `web.build` takes the settings above from this file.
if __name__ == "__main__":
    mend_links()

    # Collecting cyclic garbage takes Cython a third of its time. Two processes without it hold 400 MB each.
    gc.disable()

    # What installers write for an entry point may import modules before Ctrl-C is seen to; Windows needs
    # theirs.
    COMMAND = {"entry_points": {"console_scripts": ["winnable = winnable.__main__:main"]}}
    if os.name != "nt":
        COMMAND = {"scripts": ["cli/winnable"]}

    setup(
        **COMMAND,
        ext_modules=[] if asks_for_metadata_only(sys.argv[1:]) else translated_modules(),
        cmdclass={"build_ext": ParallelBuild},
        options={"bdist_wheel": {"py_limited_api": "cp311"}} if IS_STABLE else {},
    )
