"""Compiled parts of the benchmarks, built on first use; they are not part of the package."""

from pathlib import Path
from types import ModuleType

from tests.native import build


def load(name: str) -> ModuleType:
    """Import the module ``name`` of this folder, compiling it if needed. Raises ImportError without Cython or
    a C compiler."""
    module: ModuleType = build.load(Path(__file__).with_name(f"{name}.pyx"), is_fast=True)
    return module
