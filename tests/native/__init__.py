"""Cython modules that only tests need, compiled when a test first loads them: see `build`."""

from pathlib import Path

import pytest

from . import build


def load(name):
    """Import the module ``name`` of this folder; skip the calling test module where it cannot be compiled."""
    try:
        return build.load(Path(__file__).with_name(f"{name}.pyx"))
    except ModuleNotFoundError as error:
        pytest.skip(str(error), allow_module_level=True)
