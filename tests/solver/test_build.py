"""The build of the compiled modules: directives, contents of wheels, metadata."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOLVER = ROOT / "solver"
SOURCES = sorted([*SOLVER.rglob("*.pyx"), *SOLVER.rglob("*.pxd")])


def test_there_are_sources():
    assert len(SOURCES) > 60


def test_directives_stand_in_setup_alone():
    for path in SOURCES:
        text = path.read_text()
        assert text.startswith('"""'), f"{path}: the docstring comes first"
        assert not re.search(r"^#\s*(cython|distutils)\s*:", text, re.MULTILINE), path
        assert "@cython.boundscheck" not in text, path
        assert "posix" not in text, f"{path}: Windows has no such module"


def test_wheels_have_no_sources():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert settings["include-package-data"] is False
    endings = {Path(name).suffix for names in settings["package-data"].values() for name in names}
    assert not endings & {".pyx", ".pxd", ".c"}


def test_metadata_needs_no_translation(tmp_path):
    """Two of the three calls that pip makes ask for metadata alone."""
    pytest.importorskip("setuptools")
    broken = tmp_path / "Cython"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise ImportError('Cython was imported')\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("*.egg-info/PKG-INFO"))
