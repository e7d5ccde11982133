"""Build the library of winnable.h in `build/library`: ``python -m web.library``, from the root of a checkout.

It makes ``libwinnable.so`` and ``libwinnable.a`` for this machine, and ``winnable.wasm`` for pages and node.
Each holds all searches and nothing of Python. Cython translates the searches to C, which includes Python's
header files; what would make modules of them is left out by the linker.

Needs a C compiler, the linker of GNU or LLVM, and Python 3.11 or later with its header files. What builds the
wheels (``build-system`` in pyproject.toml) and ziglang are installed into `build/web` unless they are there.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from web.tools import ROOT, TOOLS, WORK, build, install_tools, python_settings, run, zig

LIBRARY = ROOT / "build" / "library"
SEARCHES = ROOT / "solver"
FAMILIES = sorted(oracle.parent.name for oracle in SEARCHES.glob("*/replay.pxd"))
WRITTEN = tuple(SEARCHES / name for name in ("winnable.c", "text.c"))
HOST = ROOT / "web" / "small" / "host.c"
HEADER = SEARCHES / "winnable.h"

WASM = [
    *("-target", "wasm32-wasi"),
    "-mcpu=generic+bulk_memory+mutable_globals+sign_ext+nontrapping_fptoint",
]
COMPILE = [
    *("-DPy_LIMITED_API=0x030B0000", "-DCYTHON_NO_PYINIT_EXPORT", "-DNDEBUG", "-g0", "-w"),
    *("-ffp-contract=off", "-ffunction-sections", "-fdata-sections"),
]
# Zig takes -Oz for -Os. Real -Oz is a quarter smaller than -Os, and its searches take up to 18 % longer.
OF_WASM = [
    *("-Xclang", "-Oz", "-fno-sanitize=undefined", "-fno-stack-protector", "-fno-strict-overflow"),
    "-DCLOCK_THREAD_CPUTIME_ID=CLOCK_MONOTONIC",
]


def main() -> None:
    """Build the library and say what was made."""
    install_tools()
    for path in (*native(), wasm()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def functions() -> list[str]:
    """The names of the functions of winnable.h."""
    return re.findall(r"^\w[^;{}=]*?\b(winnable_\w+)\(", HEADER.read_text("utf-8"), re.MULTILINE)


def headers() -> list[Path]:
    """The header files of the library."""
    return [HEADER, *sorted((SEARCHES / "core").glob("*.h"))]


def translate() -> list[Path]:
    """Translate the searches to C; return the files of the library, those of the families first."""
    code = (
        "import setup, sys; from pathlib import Path; from Cython.Build import cythonize; setup.mend_links();"
        "units = [each for each in setup.modules() if setup.is_of_library(Path(each.sources[0]))];"
        f"cythonize(units, nthreads={os.cpu_count()}, quiet=True, compiler_directives=setup.DIRECTIVES,"
        f" emit_linenums=False, build_dir={str(WORK / 'c')!r})"
    )
    paths = os.pathsep.join([str(ROOT), str(TOOLS), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, cwd=ROOT)
    if done.returncode:
        sys.exit("translating Cython failed")
    folder = WORK / "c" / "src" / "winnable" / "solver"
    return [*(folder / family / f"{family}.c" for family in FAMILIES), *WRITTEN]


def compiled(compiler: list[str], options: list[str], folder: Path, *more: Path) -> list[str]:
    """Compile the files of the library and ``more`` side by side into ``folder``; return the paths of the
    object files."""
    folder.mkdir(parents=True, exist_ok=True)

    def compile_one(source: Path) -> str:
        target = str(folder / source.with_suffix(".o").name)
        hidden = ["-fvisibility=hidden"] if WORK in source.parents else []
        run(*compiler, *options, *COMPILE, *hidden, f"-I{SEARCHES}", "-c", str(source), "-o", target)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [*pool.map(compile_one, [*translate(), *more])]


def native() -> list[Path]:
    """Build the library for this machine."""
    settings = importlib.import_module("setup")
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    passes = settings.known(settings.WELL, settings.is_gcc(compiler))
    options = [*passes, "-fPIC", "-fno-wrapv", f"-I{sysconfig.get_path('include')}"]
    objects = compiled(compiler, options, WORK / "library" / "native")
    LIBRARY.mkdir(parents=True, exist_ok=True)
    shared, static, whole = (LIBRARY / name for name in ("libwinnable.so", "libwinnable.a", "winnable.o"))
    names = functions()
    script = WORK / "library" / "exports"
    script.write_text(f"{{global: {' '.join(f'{name};' for name in names)} local: *;}};", "utf-8")
    run(*compiler, "-shared", "-Wl,--gc-sections", f"-Wl,--version-script={script}", *objects, "-lm", "-s",
        "-o", str(shared))  # fmt: skip
    run("ld", "-r", "--gc-sections", *(f"--undefined={name}" for name in names), *objects,
        "-o", str(whole))  # fmt: skip
    run("objcopy", "--strip-unneeded", "--wildcard", "--keep-global-symbol=winnable_*", str(whole))
    static.unlink(missing_ok=True)
    run("ar", "rcs", str(static), str(whole))
    whole.unlink()
    shutil.copyfile(HEADER, LIBRARY / HEADER.name)
    return [shared, static]


def wasm() -> Path:
    """Build the library for pages and node."""
    headers = WORK / "headers-wasm"
    shutil.copytree(sysconfig.get_path("include"), headers, dirs_exist_ok=True)
    text = re.sub(
        r"(#define SIZEOF_(?:LONG|VOID_P|SIZE_T|UINTPTR_T|PTHREAD_T)) 8", r"\1 4", python_settings()
    )
    (headers / "pyconfig.h").write_text(re.sub(r"#define HAVE_GETENTROPY.*", "", text), "utf-8")
    objects = compiled([zig(), "cc", *WASM], [*OF_WASM, f"-I{headers}"], WORK / "library" / "wasm", HOST)
    LIBRARY.mkdir(parents=True, exist_ok=True)
    built = LIBRARY / "winnable.wasm"
    exports = [f"--export={name}" for name in (*functions(), "malloc", "free")]
    run(zig(), "build-exe", *objects, *WASM, "-lc", "-mexec-model=reactor", "-O", "ReleaseSmall", "-fstrip",
        "--gc-sections", "--stack", "1048576", *exports, f"-femit-bin={built}")  # fmt: skip
    return built


if __name__ == "__main__":
    build(main)
