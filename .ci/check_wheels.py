"""Looks at the wheels of a folder, and fails for one that is too large, holds sources or lacks the module."""

import sys
from pathlib import Path
from zipfile import ZipFile

MOST_BYTES = 3_000_000
SOURCES = {".pyx", ".pxd", ".pxi", ".c", ".h", ".cpp"}
COMPILED = {".so", ".pyd"}
MODULE = "winnable/solver/core/border"


def faults(wheel):
    """The problems of ``wheel``, a path."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    modules = [name for name in names if Path(name).suffix in COMPILED]
    held = sorted(SOURCES.intersection(Path(name).suffix for name in names))
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size:,} bytes, {', '.join(modules) or 'nothing compiled'}")
    if [name.partition(".")[0] for name in modules] != [MODULE]:
        yield f"expected {MODULE}, compiled, and no other module"
    if held:
        yield f"sources: {', '.join(held)}"
    if size >= MOST_BYTES:
        yield f"{size:,} bytes; less than {MOST_BYTES:,} are wanted"


def main():
    """Look at all of the folder that the command line names."""
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"))
    found = [f"{wheel.name}: {fault}" for wheel in wheels for fault in faults(wheel)]
    if not wheels:
        found = [f"{sys.argv[1]}: there is no wheel"]
    sys.exit("\n".join(found) or None)


main()
