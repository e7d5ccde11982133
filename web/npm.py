"""Build the npm package `winnable`, the small engine for apps and pages, in `build/npm/winnable`:
``python -m web.npm``, from the root of a checkout.

It has the library of winnable.h in WebAssembly, once as a file and once inlined, and the JavaScript of
`web/small` around it. Needs node and npm besides what ``python -m web.library`` needs, whose module it builds
first; esbuild, binaryen and fflate, which inflates the inlined module, are installed into `build/web`.
"""

import base64
import json
import re
import shutil
import sys
import zlib
from pathlib import Path
from typing import Any

from web import library
from web.tools import ROOT, WORK, build, install_packages, install_tools, npm, run

SOURCES = ROOT / "web" / "small"
PACKAGE = ROOT / "build" / "npm" / "winnable"
TOOLS = WORK / "npm"
VERSIONS = {"esbuild": "0.28.2", "binaryen": "132.0.0", "fflate": "0.8.3"}

FEATURES = [
    f"--enable-{name}" for name in ("bulk-memory", "mutable-globals", "sign-ext", "nontrapping-float-to-int")
]
FROZEN = """
function frozen(value) {
  if (typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
"""

AS_THEY_ARE = ("index.js", "core.js", "cjs/index.js")
MINIFY = ["--minify", "--line-limit=110"]
NODE = ["--format=cjs", "--platform=node", "--external:./bytes.js", "--external:./source.js"]


def main() -> None:
    """Build the package and say how large it is."""
    install_tools()
    sys.path.insert(0, str(ROOT / "src"))
    install_packages(TOOLS, VERSIONS)
    module = optimised(library.wasm())
    write_package(module)
    size = sum(path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file())
    print(f"{PACKAGE.relative_to(ROOT)}: {size / 1e3:.0f} kB, {packed_size() / 1e3:.0f} kB packed")


# --- WebAssembly --------------------------------------------------------------------------------------------


def optimised(module: Path) -> Path:
    """Make the module of the library smaller; return the new file."""
    built = WORK / "library" / "small.wasm"
    program = TOOLS / "node_modules" / "binaryen" / "bin" / "wasm-opt"
    run("node", str(program), "-Oz", "--converge", *FEATURES, str(module), "-o", str(built))
    return built


def inlined(module: Path) -> dict[str, Any]:
    """The module as `unpack.js` takes it."""
    data, packer = module.read_bytes(), zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(data) + packer.flush()
    return {"size": len(data), "wasm": base64.b64encode(packed).decode()}


# --- JavaScript ---------------------------------------------------------------------------------------------


def write_package(module: Path) -> None:
    """Delete the package and write it again."""
    shutil.rmtree(PACKAGE, ignore_errors=True)
    work = TOOLS / "small"  # where the tools are found
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(SOURCES, work)
    (work / "games.js").write_text(games_module(), "utf-8")
    (PACKAGE / "cjs").mkdir(parents=True)
    shutil.copyfile(module, PACKAGE / "winnable.wasm")
    bundle(work / "all.js", PACKAGE / "all.js", "--format=esm")
    bundle(work / "worker.js", PACKAGE / "worker.js", "--format=iife")
    bundle(work / "node.js", PACKAGE / "cjs" / "node.js", *NODE, f"--define:SIZE={module.stat().st_size}")
    write_global("bytes", inlined(module))
    write_global("worker", (PACKAGE / "worker.js").read_text("utf-8"), "source")
    for name in AS_THEY_ARE:
        shutil.copyfile(SOURCES / name, PACKAGE / name)
    write_types()
    for file in (SOURCES / "README.md", ROOT / "LICENSE"):
        shutil.copyfile(file, PACKAGE / file.name)
    shutil.copyfile(TOOLS / "node_modules" / "fflate" / "LICENSE", PACKAGE / "LICENSE-fflate")
    shutil.copytree(SOURCES / "examples", PACKAGE / "examples")
    settings = json.loads((SOURCES / "package.json").read_text("utf-8")) | {"version": version()}
    (PACKAGE / "package.json").write_text(json.dumps(settings, indent=2) + "\n", "utf-8")
    (PACKAGE / "cjs" / "package.json").write_text('{"type": "commonjs", "sideEffects": true}\n', "utf-8")


def bundle(source: Path, target: Path, *options: str) -> None:
    """Bundle a module and what it imports into one file."""
    program = TOOLS / "node_modules" / ".bin" / "esbuild"
    common = ["--bundle", *MINIFY, "--target=es2022", "--legal-comments=none", "--log-level=error"]
    run(str(program), str(source), *common, *options, f"--outfile={target}")


def write_global(name: str, value: object, file: str = "") -> None:
    """Write a script that keeps a value where all entries find it. It imports and exports nothing, so that ES
    modules can import it and CommonJS require it."""
    key = json.dumps(f"winnable {name} {version()}")
    text = f"globalThis[Symbol.for({key})] = {json.dumps(value)};\n"
    (PACKAGE / "cjs" / f"{file or name}.js").write_text(text, "utf-8")


def games_module() -> str:
    """The module with the games: what the C library does not say of them, and what types are made of."""
    games = json.dumps(games_of())
    return (
        f"export const version = {json.dumps(version())};\n\nexport const games = frozen({games});\n{FROZEN}"
    )


def games_of() -> dict[str, dict[str, Any]]:
    """The games that searches implement by name, each with its title, rule options and tiers."""
    from winnable.rules import VARIANTS, find_variant
    from winnable.solver.engine import find_searches, has_score, without_kernel

    def described(name: str) -> dict[str, Any]:
        variant = find_variant(name)
        implemented = find_searches(variant).IMPLEMENTS[name]
        tiers = sorted((least, tier) for tier, least in variant.tiers().items() if least)
        return {
            "title": variant.title,
            "options": {
                option: [value for value in values if value in implemented[option]]
                for option, values in variant.choices.items()
                if len(implemented[option]) > 1
            },
            "tiers": {tier: least for least, tier in tiers},
            "hasStock": variant.has_stock,
            "hasScores": has_score(variant),
            "hasRuns": variant.leaves_in_runs,
            "copies": variant.deck().copies,
        }

    return {name: described(name) for name in VARIANTS if not without_kernel(VARIANTS[name])}


def version() -> str:
    """The version of the package."""
    text = (ROOT / "src" / "winnable" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"', text, re.MULTILINE)
    return found[1] if found else sys.exit("src/winnable/__init__.py: expected a line with __version__")


# --- Types --------------------------------------------------------------------------------------------------


def write_types() -> None:
    """Write the types of the package, with those of the games."""
    text = (SOURCES / "index.d.ts").read_text("utf-8") + "\n" + types_of_games()
    core = (SOURCES / "core.d.ts").read_text("utf-8")
    for folder in (PACKAGE, PACKAGE / "cjs"):
        (folder / "index.d.ts").write_text(text, "utf-8")
        (folder / "core.d.ts").write_text(core, "utf-8")


def types_of_games() -> str:
    """The rule options and tiers of each game as types."""
    games = games_of()
    options = {name: _options_type(game["options"]) for name, game in games.items()}
    tiers = {name: _either(game["tiers"]) for name, game in games.items()}
    first = _interface("OptionsOf", "The rule options of each game; the usual value comes first.", options)
    return first + "\n" + _interface("TierOf", "The tiers of each game that has them.", tiers)


def _interface(name: str, comment: str, lines: dict[str, str]) -> str:
    fields = "".join(f"  {json.dumps(key)}: {value};\n" for key, value in lines.items())
    return f"/** {comment} */\nexport interface {name} {{\n{fields}}}\n"


def _options_type(options: dict[str, list[str]]) -> str:
    fields = [f"{option}?: {_either(values)}" for option, values in options.items()]
    return f"{{ {'; '.join(fields)} }}" if fields else "{ [option: string]: never }"


def _either(values: Any) -> str:
    return " | ".join(json.dumps(value) for value in values) or "never"


def packed(package: Path, folder: Path) -> Path:
    """The file that ``npm pack`` makes of a package in the empty ``folder``."""
    run(npm(), "pack", str(package), "--pack-destination", str(folder), cwd=folder)
    (file,) = folder.iterdir()  # by its place: npm 12 describes it in another JSON than npm 11
    return file


def packed_size() -> int:
    """The size of the packed package in bytes."""
    folder = WORK / "packed"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return packed(PACKAGE, folder).stat().st_size


if __name__ == "__main__":
    build(main)
