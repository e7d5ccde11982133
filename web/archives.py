"""The archives of the site: Python's library and ours as bytecode.

Both are compiled by the Python that runs them, Pyodide's in node. Of Python's library they have the modules
of `stdlib.txt` alone. The value networks of the player are files beside them, fetched when they are needed.
"""

import shutil
import zipfile
from pathlib import Path

from web.tools import ROOT, WORK, run

PACKAGES = ("rules", "solver", "protocol", "game", "board")
NETWORKS = ROOT / "solver" / "player"
_OURS = ("__init__.py", "talk.py", "search.py", "engine.py")
_KEPT = {".py", ".json", ".html", ".css", ".js", ".svg", ".md"}


def write(engine: Path, pyodide: Path, modules: dict[str, Path]) -> None:
    """Write the archives into the folder ``engine``, which has Pyodide's other files, and the networks.

    Exits if one of our modules imports one of Python's library that `stdlib.txt` lacks. ``pyodide`` is the
    folder of Pyodide's package, ``modules`` has the compiled modules by their paths in the package."""
    work = WORK / "archives"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    write_library(pyodide / "python_stdlib.zip", work / "python_stdlib.zip")
    write_package(work / "winnable.zip", modules)
    _run_python(pyodide, "bytecode.py", work)
    for name in ("python_stdlib.zip", "winnable.zip"):
        shutil.copyfile(work / name, engine / name)
    _run_python(engine, "imports.py", work)
    for network in networks():
        shutil.copyfile(network, engine / network.name)


def _run_python(pyodide: Path, script: str, folder: Path) -> None:
    web = ROOT / "web"
    run("node", str(web / "python.mjs"), str(pyodide), str(web / script), str(folder))


def write_library(source: Path, target: Path) -> None:
    """Write the archive of Python's library with the listed modules alone."""
    names = (ROOT / "web" / "stdlib.txt").read_text("utf-8").split()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in names:
            new.writestr(_entry(name), old.read(name))


def write_package(path: Path, modules: dict[str, Path]) -> None:
    """Write the archive of the Python package with its compiled modules; the same files give the same
    bytes."""
    files = {f"winnable/{path.name}": path for path in (ROOT / "src" / "winnable").glob("*.py")}
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*")):
            inside = file.relative_to(ROOT)
            if file.suffix in _KEPT and "__pycache__" not in inside.parts and "static" not in inside.parts:
                files[f"winnable/{inside.as_posix()}"] = file
    files |= {f"winnable/board/static/{name}": ROOT / "board" / "static" / name for name in _export_files()}
    files |= {f"winnable/{name}.abi3.so": built for name, built in modules.items()}
    files |= {f"web/{name}": ROOT / "web" / name for name in _OURS}
    with zipfile.ZipFile(path, "w") as archive:
        for name, file in sorted(files.items()):
            archive.writestr(_entry(name), file.read_bytes())


def networks() -> list[Path]:
    """The files of the value networks."""
    return sorted(NETWORKS.glob("value-*.npz"))


def add_networks(path: Path) -> None:
    """Add the networks to the archive of the package."""
    with zipfile.ZipFile(path, "a") as archive:
        for network in networks():
            archive.writestr(_entry(f"winnable/solver/player/{network.name}"), network.read_bytes())


def _export_files() -> list[str]:
    """Names of the files of `board/static` that exported pages are made of."""
    return sorted(
        file.name
        for file in (ROOT / "board" / "static").iterdir()
        if file.suffix in (".html", ".css", ".js", ".svg")
    )


def _entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
