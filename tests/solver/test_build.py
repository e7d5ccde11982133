"""How the kernels are built: what the checked build looks at is not taken away again by a module."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOLVER = ROOT / "solver"
SOURCES = sorted([*SOLVER.rglob("*.pyx"), *SOLVER.rglob("*.pxd")])


def test_there_are_sources():
    assert len(SOURCES) > 60


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SOLVER)))
def test_directives_stand_in_setup_alone(path):
    text = path.read_text()
    assert text.startswith('"""'), "the docstring comes first"
    assert not re.search(r"^#\s*(cython|distutils)\s*:", text, re.MULTILINE)
    assert "@cython.boundscheck" not in text


def test_wheels_have_no_sources():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert settings["include-package-data"] is False
    data = settings["package-data"]
    assert data.pop("winnable.checker") == ["second_checker.c"]  # which users compile themselves
    endings = {Path(name).suffix for names in data.values() for name in names}
    assert not endings & {".pyx", ".pxd", ".c"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SOLVER)))
def test_no_module_needs_what_windows_has_not(path):
    assert "posix" not in path.read_text()
