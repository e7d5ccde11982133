"""The files of the library, as ``python -m web.library`` makes them, and programs linked with it."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILT = ROOT / "build" / "library"


def built(name, tool):
    """A file of the library, as ``python -m web.library`` makes it, if there is ``tool`` to use it with."""
    path = BUILT / name
    if path.exists() and shutil.which(tool):
        return path
    if os.environ.get("WINNABLE_WEB_TESTS") == "1":
        pytest.fail(f"expected {tool}, and {path} as python -m web.library makes it")
    pytest.skip(f"needs {tool}, and {path} as python -m web.library makes it")


def compiled_program(name, folder):
    """The path of a program of this folder, linked with the library into ``folder``."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    static, path = built("libwinnable.a", compiler[0]), folder / name
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    command = [*compiler, "-O1", *warnings, f"-I{ROOT / 'solver'}", str(HERE / f"{name}.c"), str(static)]
    subprocess.run([*command, "-lm", "-o", str(path)], check=True)
    return str(path)
