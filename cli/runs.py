"""Runs of many positions, with a bar on a terminal."""

import sys
from contextlib import ExitStack
from typing import Any

from ..solver.batch.threads import StateRun
from .console import complain
from .options import on_signals

BAR = "{percentage:3.0f}% {bar} {n_fmt} of {total_fmt}, {remaining} left{postfix}"
"""The format of a bar."""


def finish(run: StateRun[Any], deals: str = "deals") -> bool:
    """Run ``run`` to the end or to Ctrl-C. Returns False, after a message about the ``deals`` finished, if it
    was interrupted."""
    with on_signals(run.stop), ExitStack() as stack:
        bar = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            bar = stack.enter_context(tqdm(total=run.wanted, bar_format=BAR))
        for _ in run.run():
            if bar is not None:
                bar.update()
    if run.is_stopped:
        complain(f"interrupted after {len(run.found):,} of {run.wanted:,} {deals}")
    return not run.is_stopped
