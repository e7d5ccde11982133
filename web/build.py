"""Build the static site in `build/site` and the npm package winnable-full in `build/npm/winnable-full`:
``python -m web.build``, from the root of a checkout.

The Cython modules are translated to C as in `setup.py` and compiled to WebAssembly by the C compiler of the
package ziglang. They become one side module of Pyodide, which is CPython compiled to WebAssembly. It uses
only Python's limited interface, as in the wheels, so that a later Pyodide may load it as well. The site
holds the board's page unchanged except for another ``transport.js``, two workers, Pyodide, and
``winnable.zip`` with our modules as bytecode.

Needs Python 3.11 or later with its header files, pip, node, in which Pyodide's Python compiles the bytecode,
and npm, which fetches Pyodide's package. What builds the wheels (``build-system`` in pyproject.toml) and
ziglang are installed into `build/web` unless they are there. Nothing outside `build` is written.
"""

import base64
import gzip
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from web import archives, library, scripts
from web.tools import ROOT, TOOLS, WORK, build, install_tools, python_settings, run, zig
from web.types import declarations

SITE = ROOT / "build" / "site"
NPM = ROOT / "build" / "npm" / "winnable-full"

PYODIDE = "314.0.7"
PYODIDE_SUM = (
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)

OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip", "winnable.zip")
PAGES = ("index.html", "history.html")
STARTED = (*OF_PYODIDE, "winnable.zip", "load.js")

TARGET = [
    *("-target", "wasm32-emscripten"),
    "-mcpu=generic+bulk_memory+mutable_globals+sign_ext+nontrapping_fptoint",
    *("-fno-sanitize=undefined", "-fno-stack-protector"),
]
COMPILE = [
    *("-DPy_LIMITED_API=0x030B0000", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"),
    *("-ffunction-sections", "-fdata-sections"),
    *("-ffp-contract=off", "-fno-strict-overflow", "-w"),
]
LINK = [
    "-shared",
    "--experimental-pic",
    "--gc-sections",
    "--import-memory",
    "--unresolved-symbols=import-dynamic",
    "--strip-all",
]


def main() -> None:
    """Build the site and say how to serve it."""
    install_tools()
    pyodide = fetch_pyodide()
    modules = compile_modules(pyodide)
    library.wasm()
    write_site(pyodide, modules)
    write_npm()
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"{SITE.relative_to(ROOT)}: {len(modules)} modules, {size / 1e6:.1f} MB")
    print(f"python -m http.server -d {SITE.relative_to(ROOT)}")


# --- Pyodide ------------------------------------------------------------------------------------------------


def fetch_pyodide() -> Path:
    """Fetch Pyodide's package from the npm registry and return its folder. Exits if its checksum differs."""
    folder = WORK / f"pyodide-{PYODIDE}"
    if (folder / "package.json").exists():
        return folder
    WORK.mkdir(parents=True, exist_ok=True)
    npm = shutil.which("npm") or sys.exit(
        "npm: expected node's package manager on the path, which fetches Pyodide"
    )
    packed = WORK / run(npm, "pack", f"pyodide@{PYODIDE}", cwd=WORK).split()[-1]
    found = "sha512-" + base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    if found != PYODIDE_SUM:
        sys.exit(f"{packed.name}: expected checksum {PYODIDE_SUM}, got {found}")
    with tarfile.open(packed) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        archive.extractall(WORK)
    (WORK / "package").rename(folder)
    return folder


# --- Compiled modules ---------------------------------------------------------------------------------------


def compile_modules(pyodide: Path) -> dict[str, Path]:
    """Compile all Cython modules; return the compiled files by their paths in the package."""
    headers = write_headers(pyodide)
    sources = translate()
    units = [unit for files in sources.values() for unit in files]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = dict(zip(units, pool.map(lambda unit: compile_one(headers, unit), units), strict=True))
    return {name: link(files[0][0], [objects[unit] for unit in files]) for name, files in sources.items()}


Unit = tuple[Path, bool]
"""A C file, and whether it is compiled for speed."""


def translate() -> dict[str, list[Unit]]:
    """Translate Cython to C. Returns the units of the module by its path in the package; the first one has
    the module itself, the border."""
    sys.path.insert(0, str(ROOT))
    settings = importlib.import_module("setup")
    code = (
        "import setup, sys; from Cython.Build import cythonize; setup.mend_links();"
        f"cythonize(setup.modules(), nthreads={os.cpu_count()}, quiet=True,"
        f" compiler_directives=setup.DIRECTIVES, emit_linenums=False, build_dir={str(WORK / 'c')!r})"
    )
    paths = os.pathsep.join([str(ROOT), str(TOOLS), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, cwd=ROOT)
    if done.returncode:
        sys.exit("translating Cython failed")
    border, units = [], [(library.SEARCHES / "winnable.c", False)]
    for extension in settings.modules():
        source = Path(extension.sources[0])
        unit = (WORK / "c" / source.with_suffix(".c"), settings.OPTIMISED in source.read_text("utf-8"))
        (border if extension.name == settings.BORDER else units).append(unit)
    return {"solver/core/border": border + units}


def compile_one(headers: Path, unit: Unit) -> Path:
    """Compile one unit; return its object file."""
    path, is_fast = unit
    built = WORK / "c" / f"{path.stem}-{hashlib.sha256(str(path).encode()).hexdigest()[:8]}.o"
    newest = max(each.stat().st_mtime for each in (path, *library.headers()))
    if built.exists() and built.stat().st_mtime > newest:
        return built
    libc = Path(zig()).parent / "lib" / "libc" / "include"
    folders = [
        "-isystem",
        str(headers / "libc"),
        "-isystem",
        str(libc / "generic-musl"),
        "-I",
        str(headers / "python"),
        "-I",
        str(library.SEARCHES),
    ]
    level = "-O2" if is_fast else "-Os"
    run(zig(), "cc", *TARGET, *folders, *COMPILE, level, "-c", str(path), "-o", str(built))
    return built


def link(source: Path, objects: list[Path]) -> Path:
    """Link the module of the C file ``source``, of these object files; return its file."""
    built = source.with_suffix(".so")
    if not built.exists() or built.stat().st_mtime <= max(each.stat().st_mtime for each in objects):
        run(zig(), "wasm-ld", *LINK, f"--export=PyInit_{source.stem}", *map(str, objects), "-o", str(built))
    return built


def write_headers(pyodide: Path) -> Path:
    """Write the header files of a C library and of Python as Pyodide was compiled with; return their folder.

    Zig has no header files for Emscripten. Those of musl for 32-bit ARM, which it has, differ in three
    definitions.
    """
    headers = WORK / "headers"
    libc, of_zig = headers / "libc", Path(zig()).parent / "lib" / "libc" / "include"
    shutil.copytree(of_zig / "arm-linux-musl", libc, dirs_exist_ok=True)
    types = libc / "bits" / "alltypes.h"
    text = types.read_text("utf-8")
    for old, new in (
        ("#define _REDIR_TIME64 1\n", ""),  # with it clock_gettime has a name that Pyodide does not export
        ("#define _Addr int", "#define _Addr long"),
        ("typedef unsigned wchar_t;", "typedef int wchar_t;"),
    ):
        text = text.replace(old, new)
    types.write_text(text, "utf-8")
    python = headers / "python"
    shutil.copytree(sysconfig.get_path("include"), python, dirs_exist_ok=True)
    (python / "pyconfig.h").unlink(missing_ok=True)
    (python / "pyconfig.h").write_text(pyconfig(pyodide), "utf-8")
    return headers


def pyconfig(pyodide: Path) -> str:
    """The settings that Pyodide's Python was compiled with, as C macros."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as stdlib:
        name = next(name for name in stdlib.namelist() if name.startswith("_sysconfigdata"))
        found: dict[str, Any] = {}
        exec(stdlib.read(name).decode(), found)
    values = found["build_time_vars"]
    macros = re.findall(r"^(?:#\s*define|/\* #undef)\s+(\w+)", python_settings(), re.MULTILINE)
    names = dict.fromkeys(macros)
    lines = []
    for name in names:
        value = values.get(name)
        is_size = name.startswith(("SIZEOF", "ALIGNOF", "HAVE_DECL"))
        if name != "Py_PYCONFIG_H" and value is not None and (value != 0 or is_size):
            lines.append(f"#define {name} {value}\n")
    return "#ifndef Py_PYCONFIG_H\n#define Py_PYCONFIG_H\n" + "".join(lines) + "#endif\n"


# --- The site -----------------------------------------------------------------------------------------------


def write_site(pyodide: Path, modules: dict[str, Path]) -> None:
    """Delete the site and write all its files."""
    shutil.rmtree(SITE, ignore_errors=True)
    engine, static = SITE / "engine", SITE / "static"
    engine.mkdir(parents=True)
    for name in OF_PYODIDE:
        shutil.copyfile(pyodide / name, engine / name)
    for name in ("talk.js", "search.js", "load.js", "tick.js"):
        shutil.copyfile(ROOT / "web" / name, engine / name)
    lock = json.loads((engine / "pyodide-lock.json").read_text("utf-8"))
    (engine / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}), "utf-8")
    archives.write(engine, pyodide, modules)
    _mark_loader(engine)
    shutil.copytree(ROOT / "board" / "static", static, ignore=shutil.ignore_patterns("*.js", "*.ts"))
    scripts.write_scripts(SITE)
    for name in ("manifest.webmanifest", "offline.js", "LICENSES.txt"):
        shutil.copyfile(ROOT / "web" / name, SITE / name)
    for name in PAGES:
        (SITE / name).write_text(page_of(static / name), "utf-8")
        (static / name).unlink()
    index = SITE / "index.html"
    index.write_text(scripts.drawn_at_once(index.read_text("utf-8")), "utf-8")
    (static / "replay.html").unlink(missing_ok=True)
    list_files(SITE)


def _mark_loader(engine: Path) -> None:
    """Write into `load.js` the sizes of what it fetches and a checksum of what a snapshot depends on."""
    loader = engine / "load.js"
    text = loader.read_text("utf-8")
    for mark, value in {"@sizes@": _sizes(engine), "@started@": _checksum(engine, STARTED)}.items():
        text = text.replace(json.dumps(mark), json.dumps(value))
    loader.write_text(text, "utf-8")


def _sizes(engine: Path) -> dict[str, list[int]]:
    """The bytes of each file that starting Python fetches, and how many of them are transferred."""
    contents = {name: (engine / name).read_bytes() for name in FETCHED}
    return {name: [len(data), len(gzip.compress(data, 6))] for name, data in contents.items()}


POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The content security policy: the page loads from its own origin alone and runs nothing that stands in it.
``wasm-unsafe-eval`` allows WebAssembly to be compiled, and no script."""


def page_of(path: Path) -> str:
    """The page of the local server for a static site: with the policy, the version and the manifest in its
    head."""
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="version" content="@version@">\n'
        '<link rel="manifest" href="manifest.webmanifest">\n'
    )
    text = path.read_text("utf-8").replace('href="history"', 'href="history.html"')
    return re.sub(r"(<meta charset[^>]*>\n)", lambda found: found[0] + head, text, count=1)


def list_files(site: Path) -> None:
    """Write the version of the site in the folder ``site`` into its pages, and into the service worker with
    the SHA-256 of each file. The version changes with any file, and the pages with the version."""
    files = sorted(path for path in site.rglob("*") if path.is_file() and path.name != "offline.js")
    names = [path.relative_to(site).as_posix() for path in files]
    version = _checksum(site, [*names, "offline.js"])
    for page in PAGES:
        text = (site / page).read_text("utf-8").replace("@version@", version)
        (site / page).write_text(text, "utf-8")
    digests = {name: _digest(site / name) for name in names}
    worker = site / "offline.js"
    text = worker.read_text("utf-8")
    for mark, value in {"@version@": version, "@files@": digests}.items():
        text = text.replace(json.dumps(mark), json.dumps(value))
    worker.write_text(text, "utf-8")


def _digest(path: Path) -> str:
    return base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()


def _checksum(folder: Path, names: Iterable[str]) -> str:
    """Sixteen hexadecimal digits that change if any of these files changes."""
    found = hashlib.sha256()
    for name in names:
        found.update(name.encode() + (folder / name).read_bytes())
    return found.hexdigest()[:16]


# --- The npm package ----------------------------------------------------------------------------------------


def write_npm() -> None:
    """Delete the npm package and write it again, with the same archive as the site's and the networks."""
    shutil.rmtree(NPM, ignore_errors=True)
    shutil.copytree(ROOT / "web" / "package", NPM)
    for file in (SITE / "engine" / "winnable.zip", ROOT / "web" / "tick.js", ROOT / "LICENSE"):
        shutil.copyfile(file, NPM / file.name)
    archives.add_networks(NPM / "winnable.zip")
    (NPM / "schema.d.ts").write_text(declarations(), "utf-8")
    page = NPM / "index.js"
    page.write_text(page.read_text("utf-8").replace("@pyodide@", PYODIDE), "utf-8")
    settings = json.loads((NPM / "package.json").read_text("utf-8"))
    settings |= {"version": _version(), "dependencies": {"pyodide": PYODIDE}}
    (NPM / "package.json").write_text(json.dumps(settings, indent=2) + "\n", "utf-8")


def _version() -> str:
    """The version of the package."""
    text = (ROOT / "src" / "winnable" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"', text, re.MULTILINE)
    return found[1] if found else sys.exit("src/winnable/__init__.py: expected a line with __version__")


if __name__ == "__main__":
    build(main)
