"""Fixed benchmark: the same seeds and node limits each time, so that the nodes expanded are a signature."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from ..rules import VARIANTS, Variant
from .core.contract import GameKernel
from .core.record import UNDECIDED, UNWINNABLE, WINNABLE
from .engine import find_kernel
from .result import Limits

FIRST_SEED, DEALS = 1, 300
SHORTEST = ("chessboard", "fortress")  # their search for shortest lines never reads the clock
MAX_NODES = 10_000
SIGNATURE = "# states expanded"
"""The first words of a signature file."""
_ENOUGH_SECONDS = 0.5
_MOST_ROUNDS = 9


@dataclass(frozen=True)
class Row:
    """Figures of one variant on the benchmark's seeds.

    ``cpu_seconds`` is the median of ``rounds``. The name of ``variant`` is followed by ``-shortest`` where
    shortest lines were searched for.
    """

    variant: str
    deals: int
    winnable: int
    unwinnable: int
    undecided: int
    expanded: int
    generated: int
    rounds: int
    cpu_seconds: float

    @property
    def nodes_per_second(self) -> float:
        """States expanded in a second of processor time."""
        return self.expanded / self.cpu_seconds

    @property
    def deals_per_second(self) -> float:
        """Deals dealt, decided and replayed in a second of processor time."""
        return self.deals / self.cpu_seconds


def run() -> Iterator[Row]:
    """Run the benchmark of every variant that has a compiled kernel. Ctrl-C raises KeyboardInterrupt."""
    for variant in VARIANTS.values():
        kernel = find_kernel(variant)
        if kernel is None:
            continue
        limited = kernel(Limits(nodes=MAX_NODES))
        yield _run_variant(variant, limited)
        if variant.name in SHORTEST:
            yield _run_variant(variant, limited, shortest=True)


def _run_variant(variant: Variant, kernel: GameKernel, shortest: bool = False) -> Row:
    times: list[float] = []
    while not times or (sum(times) < _ENOUGH_SECONDS and len(times) < _MOST_ROUNDS):
        began = time.process_time()
        records = kernel.solve_seeds(variant.name, FIRST_SEED, DEALS, shortest=shortest)
        times.append(time.process_time() - began)
        if kernel.was_stopped:
            raise KeyboardInterrupt
    return Row(
        variant=f"{variant.name}-shortest" if shortest else variant.name,
        deals=len(records),
        winnable=int((records["verdict"] == WINNABLE).sum()),
        unwinnable=int((records["verdict"] == UNWINNABLE).sum()),
        undecided=int((records["verdict"] == UNDECIDED).sum()),
        expanded=int(records["expanded"].sum()),
        generated=int(records["generated"].sum()),
        rounds=len(times),
        cpu_seconds=median(times),
    )


def signature(rows: list[Row]) -> str:
    """The nodes expanded of each variant as text; equal as long as the searches do the same."""
    head = f"{SIGNATURE} on seeds {FIRST_SEED}-{FIRST_SEED + DEALS - 1}, at most {MAX_NODES} a deal\n"
    return head + "".join(f"{row.variant} {row.expanded}\n" for row in rows)
