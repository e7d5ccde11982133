"""The games that compiled searches decide, and a marker for tests that need these."""

import pytest

from winnable.rules import VARIANTS
from winnable.solver.engine import find_kernel, find_searches, without_kernel

SEARCHED = [name for name, variant in VARIANTS.items() if not without_kernel(variant)]
"""The games that some search implements; the reference engine decides all others."""

needs_kernels = pytest.mark.skipif(
    any(find_kernel(VARIANTS[name]) is None for name in SEARCHED), reason="no compiled engine"
)


def searched_options(name):
    """The rule options of a game, each with the values that its searches implement, the usual one first."""
    listed = find_searches(VARIANTS[name]).IMPLEMENTS[name]
    return {
        option: [value for value in values if value in listed[option]]
        for option, values in VARIANTS[name].choices.items()
    }
