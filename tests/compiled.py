"""A marker for tests that need the compiled engine."""

import pytest

from winnable.rules import VARIANTS
from winnable.solver.engine import find_kernel

needs_kernels = pytest.mark.skipif(
    any(find_kernel(variant) is None for variant in VARIANTS.values()), reason="no compiled engine"
)
