"""Check the JavaScript of the pages and packages: ``python -m web.lint``, from the root of a checkout.

Biome checks the format and looks for mistakes (`biome.json`), TypeScript checks the types that comments give
(`tsconfig.json`), node runs the unit tests in `tests/javascript`, and no line may be longer than Biome's: it
does not break comments and strings. Exit status 1 if a check fails. Needs node and npm; Biome and TypeScript
are installed into `build/web`.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from web.tools import ROOT, WORK, build, install_packages
from web.types import declarations

TOOLS = WORK / "lint"
VERSIONS = {"@biomejs/biome": "2.6.8", "typescript": "7.0.2"}
TYPES = TOOLS / "package"
FOLDERS = ("board", "docs", "tests", "web")
SUFFIXES = (".js", ".mjs", ".cjs", ".ts")


def main() -> None:
    """Make all checks; print a line for each, after what is wrong."""
    install_packages(TOOLS, VERSIONS)
    write_types()
    checks: dict[str, Callable[[], str]] = {
        "format and lint": lambda: failure(program("biome"), "ci", "--colors=off", "--error-on-warnings"),
        "types": lambda: failure(program("tsc"), "-p", str(ROOT), "--pretty", "false"),
        "unit tests": lambda: failure("node", "--test", *map(str, unit_tests())),
        "line length": long_lines,
    }
    failed = False
    for name, check in checks.items():
        wrong = check()
        print(f"{wrong.rstrip()}\n{name}: failed" if wrong else f"{name}: passed", flush=True)
        failed = failed or bool(wrong)
    if failed:
        sys.exit(1)


def write_types() -> None:
    """Write the types that the package winnable-full gets when it is built."""
    TYPES.mkdir(parents=True, exist_ok=True)
    (TYPES / "schema.d.ts").write_text(declarations(), "utf-8")


def failure(*command: str) -> str:
    """Run a command; return what it wrote if it failed, or the empty string."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return (done.stdout or f"exit status {done.returncode}") if done.returncode else ""


def program(name: str) -> str:
    """The path of an installed program."""
    return str(TOOLS / "node_modules" / ".bin" / name)


def unit_tests() -> list[Path]:
    """The files with unit tests."""
    return sorted((ROOT / "tests" / "javascript").glob("*.test.mjs"))


def long_lines() -> str:
    """The lines that are longer than `biome.json` says: file, line and length."""
    most = json.loads((ROOT / "biome.json").read_text("utf-8"))["formatter"]["lineWidth"]
    return "".join(
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters\n"
        for path in sources()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > most
    )


def sources() -> list[Path]:
    """The files in JavaScript, and declarations of their types."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in SUFFIXES and "node_modules" not in path.parts)


if __name__ == "__main__":
    build(main)
