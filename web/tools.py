"""The tools with which the site and the libraries are built and checked: installing and running them."""

import importlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "web"
TOOLS = WORK / "tools"

ZIGLANG = "0.17.1"


def install_tools() -> None:
    """Make what the build needs importable, installing what is missing or too old."""
    sys.path.insert(0, str(TOOLS))
    missing = [requirement for requirement in requirements() if not is_met(requirement)]
    if missing:
        print("installing", *missing, file=sys.stderr)
        run(sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(TOOLS), *missing)
        importlib.invalidate_caches()


def requirements() -> list[str]:
    """The packages that the build needs: those that build the wheels, and a C compiler for WebAssembly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [*project["build-system"]["requires"], f"ziglang=={ZIGLANG}"]


def is_met(requirement: str) -> bool:
    """Test if a package is there in the version that ``requirement`` names with ``>=`` or ``==``, or in a
    later one."""
    name, least = re.split("[>=]=", requirement)
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return _numbers(found) >= _numbers(least)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def zig() -> str:
    """The path of the C compiler for WebAssembly."""
    package = Path(importlib.import_module("ziglang").__file__ or "")
    return str(package.with_name("zig" + (".exe" if os.name == "nt" else "")))


def python_settings() -> str:
    """The text of the file pyconfig.h of this Python. In Debian's the settings stand in another file, which
    that one includes for the machine at hand."""
    path = Path(sysconfig.get_config_h_filename())
    machine = sysconfig.get_config_var("MULTIARCH")
    own = path.parents[1] / (machine or "") / path.parent.name / path.name
    return (own if own.exists() else path).read_text("utf-8")


def install_packages(folder: Path, versions: dict[str, str]) -> None:
    """Install packages of npm in ``folder``, unless all are there in these ``versions``."""
    if all(_installed(folder, name) == version for name, version in versions.items()):
        return
    print("installing", *(f"{name}@{version}" for name, version in versions.items()), file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": versions}), "utf-8")
    run(npm(), "install", "--no-audit", "--no-fund", cwd=folder)


def _installed(folder: Path, name: str) -> str | None:
    settings = folder / "node_modules" / name / "package.json"
    return json.loads(settings.read_text("utf-8"))["version"] if settings.exists() else None


def npm() -> str:
    """The path of npm; exits without it."""
    return shutil.which("npm") or sys.exit("npm: expected node's package manager on the path")


def run(*command: str, cwd: Path = ROOT) -> str:
    """Run a command and return its output; exits with its last lines of output if it fails."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit(f"{command[0]}: expected this program on the path")
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} ... failed:\n{(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def build(command: Callable[[], None]) -> None:
    """Run the ``command`` of a module, which takes no arguments, from the root of the checkout."""
    if sys.argv[1:]:
        print(f"expected no arguments, got {' '.join(sys.argv[1:])}", file=sys.stderr)
        sys.exit(2)
    os.chdir(ROOT)
    try:
        command()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(3)
