"""The figures of the page, read from the stores of the runs, as one JSON object."""

import importlib
import os
import platform
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import winnable
from winnable.rules import find_variant
from winnable.rules.deals import DEALER
from winnable.solver.batch.bench import DEALS, FIRST_SEED, MAX_NODES
from winnable.solver.batch.statistics import distribution, paired, summary
from winnable.solver.batch.store import Store, StoreError
from winnable.solver.engine import find_kernel

from .runs import PLAYED, PLAYERS, RUNS, Run, find_run

Figures = dict[str, Any]

OPEN = 50  # greatest number of seeds listed as undecided or unproved


def read_all(directory: Path) -> Figures:
    """The figures of the runs whose stores are in ``directory``, and the versions and machine that made
    them."""
    runs = {run.name: read_run(run, directory) for run in RUNS if (directory / run.store).is_file()}
    runs = {name: figures for name, figures in runs.items() if figures}
    players = {
        name: read_paired(name, name.removesuffix(f"-{kind}"), directory)
        for variant in PLAYED
        for kind in PLAYERS
        if (name := f"{variant}-{kind}") in runs and variant in runs
    }
    return {"made": made(), "runs": runs, "players": players}


def made() -> Figures:
    """The versions and the machine that make the figures."""
    return {
        "winnable": winnable.__version__,
        "dealer": DEALER,
        "python": platform.python_version(),
        "compiler": compiler(),
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
    }


def compiler() -> str | None:
    """The C compiler that made the engine, as its binary file names it; None if it does not."""
    kernel = find_kernel(find_variant("chessboard"))
    if kernel is None:
        return None
    content = Path(str(importlib.import_module(kernel.__base__.__module__).__file__)).read_bytes()
    names = re.findall(rb"GCC: [^\0]{1,60}|clang version [^\0]{1,60}", content)
    return names[0].decode() if names else None


def is_there(name: str, directory: Path) -> bool:
    """Test if there is a run called ``name`` and its store is in ``directory``."""
    return any(run.name == name and (directory / run.store).is_file() for run in RUNS)


@contextmanager
def opened(run: Run, directory: Path) -> Iterator[tuple[Store, range]]:
    """The store of ``run``, and its seeds from 1 up to the first gap. Which later deals an unfinished run has
    depends on how long they take, so they are left out. Raises StoreError if the store was made by another
    command."""
    with Store.read(str(directory / run.store)) as store:
        if problem := store.header.difference(run.header):
            raise StoreError(f"{store.name}: {' '.join(run.command())} did not make it: {problem}")
        wanted = range(1, run.deals + 1)
        gaps = store.missing(wanted)
        yield store, range(1, gaps[0].start) if gaps else wanted


def read_run(run: Run, directory: Path) -> Figures:
    """The figures of ``run``; empty if its store has no deals yet."""
    with opened(run, directory) as (store, seeds):
        if not seeds:
            return {}
        figures = {
            "command": " ".join(run.command()),
            "wanted": run.deals,
            "date": made_on(directory / run.store),
            **summary(store, [seeds]),
        }
        if store.header.player is None and store.header.limits.seconds is None:
            figures["signature"] = _signature(store, seeds)
        if store.header.shortest:
            is_open = "verdict = 'winnable' AND NOT shortest"
            figures["gap"] = _spread(store, seeds, "moves - lower_bound", is_open)
            figures["lower_bound"] = _spread(store, seeds, "lower_bound", "verdict = 'winnable'")
            figures["of_tiers"] = {
                tier: {
                    name: _spread(store, seeds, name, f"tier = '{tier}'") for name in ("moves", "lower_bound")
                }
                for tier, least in find_variant(run.variant).tiers().items()
                if least
            }
        elif store.header.player is None:
            tail = f"AND verdict = 'undecided' ORDER BY seed LIMIT {OPEN}"
            figures["open"] = [seed for (seed,) in store.select("seed", [seeds], tail)]
            if find_variant(run.variant).scoring:
                tail = f"AND score < score_bound ORDER BY seed LIMIT {OPEN}"
                figures["unproved"] = [seed for (seed,) in store.select("seed", [seeds], tail)]
            for verdict in ("winnable", "unwinnable"):
                figures[f"expanded_{verdict}"] = _spread(store, seeds, "expanded", f"verdict = '{verdict}'")
    if run.name.endswith("-shortest"):
        figures["first_lines"] = _first_lines(run, directory, seeds)
    return figures


def made_on(store: Path) -> str:
    """The day on which the file of a store was last written."""
    return time.strftime("%Y-%m-%d", time.gmtime(store.stat().st_mtime))


def _signature(store: Store, seeds: range) -> int | None:
    """The states that the benchmark would count (see winnable.solver.batch.bench), which identify the version
    of the search; None if its deals are missing."""
    first = range(FIRST_SEED, FIRST_SEED + DEALS)
    if first.stop > seeds.stop:
        return None
    ((expanded,),) = store.select(f"SUM(MIN(expanded, {MAX_NODES}))", [first], "ORDER BY 1")
    return int(expanded)


def _spread(store: Store, seeds: range, expression: str, condition: str) -> Figures | None:
    """Number, mean, percentiles (50, 90, 99), minimum and maximum of an SQL expression, ignoring NULL; None
    without values."""
    tail = f"AND {condition} AND {expression} IS NOT NULL GROUP BY 1 ORDER BY 1"
    rows = list(store.select(f"{expression}, COUNT(*)", [seeds], tail))
    if not rows:
        return None
    return {"count": sum(count for _, count in rows), **distribution(rows), "min": rows[0][0]}


def _first_lines(run: Run, directory: Path, seeds: range) -> Figures | None:
    """The lengths of the first lines found for the same deals, if the plain run has them."""
    plain = find_run(run.name.removesuffix("-shortest"))
    if not (directory / plain.store).is_file():
        return None
    with opened(plain, directory) as (store, there):
        both = range(1, min(seeds.stop, there.stop))
        return _spread(store, both, "moves", "verdict = 'winnable'") if both == seeds else None


def read_paired(name: str, variant: str, directory: Path) -> Figures:
    """The games of a player compared with the best possible results of the same deals."""
    with (
        opened(find_run(name), directory) as (games, seeds),
        opened(find_run(variant), directory) as (optima, there),
    ):
        return paired(games, optima, [range(1, min(seeds.stop, there.stop))])
