"""Compile one Cython module: python build.py SOURCE FOLDER."""

import os
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Distribution, Extension

ROOT = Path(__file__).parents[2]
# As in setup.py, but with bounds of arrays checked.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": True,
    "wraparound": False,
    "cdivision": True,
    "auto_pickle": False,
    "binding": False,
}


def main(source: Path, folder: Path) -> None:
    """Compile ``source``, with the headers of the checkout, into ``folder``."""
    is_stable = not sysconfig.get_config_var("Py_GIL_DISABLED")
    extension = Extension(
        source.stem,
        [str(source)],
        define_macros=[("NDEBUG", None), *([("Py_LIMITED_API", "0x030B0000")] if is_stable else [])],
        py_limited_api=is_stable,
        extra_compile_args=[] if os.name == "nt" else ["-O1", "-g0"],
    )
    extensions = cythonize(
        [extension],
        include_path=[str(ROOT / "src")],
        build_dir=str(folder),
        compiler_directives=DIRECTIVES,
        quiet=True,
    )
    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder), str(folder / "objects")
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
