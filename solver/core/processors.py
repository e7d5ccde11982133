"""Number of available processors."""

import os
from collections.abc import Callable


def count_processors() -> int:
    """The number of processors that this process may use."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
