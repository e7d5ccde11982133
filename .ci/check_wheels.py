"""Looks at the wheels of a folder, and fails for one that is too large, holds sources or lacks modules."""

import sys
from pathlib import Path
from zipfile import ZipFile

MOST_BYTES = 3_000_000
SOURCES = {".pyx", ".pxd", ".pxi", ".c", ".h", ".cpp"}
COMPILED = {".so", ".pyd"}


def faults(wheel):
    """The problems of ``wheel``, a path."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    endings = [Path(name).suffix for name in names]
    modules = sum(ending in COMPILED for ending in endings)
    held = sorted(SOURCES.intersection(endings))
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size:,} bytes, {modules} compiled modules")
    sources = (Path(__file__).parents[1] / "solver").rglob("*.pyx")
    expected = sum(source.stem != source.parent.name for source in sources)  # the others are of the library
    if modules != expected:
        yield f"{modules} of {expected} modules"
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
