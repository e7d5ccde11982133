"""How the kernels are built: what the checked build looks at is not taken away again by a module."""

import re
from pathlib import Path

import pytest

SOLVER = Path(__file__).parents[2] / "solver"
SOURCES = sorted([*SOLVER.rglob("*.pyx"), *SOLVER.rglob("*.pxd")])


def test_there_are_sources():
    assert len(SOURCES) > 60


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SOLVER)))
def test_directives_stand_in_setup_alone(path):
    text = path.read_text()
    assert text.startswith('"""'), "the docstring comes first"
    assert not re.search(r"^#\s*(cython|distutils)\s*:", text, re.MULTILINE)
    assert "@cython.boundscheck" not in text
