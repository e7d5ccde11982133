"""Fixed benchmark: the same deals and limits each time, so that the counts of the searches are a
signature."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import Any

from ...rules import VARIANTS, Variant
from ..certificates import NoCertificate, certify, counts_moves
from ..core.record import UNDECIDED, UNWINNABLE, WINNABLE
from ..engine import find_kernel, optimize, optimizes
from ..player.player import VARIANTS as PLAYED
from ..player.player import Player, find_player_kernel, play_game
from ..result import Limits, Result, Verdict
from ..solving import find_shortest, solve

FIRST_SEED, DEALS = 1, 300
SHORTEST = {
    "chessboard": 300, "fortress": 300, "simon-jester": 2, "simon-jester-triangular": 2, "simple-simon": 4,
    "joker": 4, "klondike-one-pass": 10, "klondike": 3, "klondike-draw-one": 3, "klondike-vegas": 3,
    "klondike-vegas-one": 3,
}  # fmt: skip
"""The number of deals of the rows of shortest lines."""
MAX_NODES = 10_000
SIGNATURE = "# states expanded"
"""The first words of a signature file."""
_WORK = {
    "simon": 1_000_000,
    "joker": 300_000,
    "klondike": 300_000,
    "chessboard": 300_000,
}  # of a line or score
_SHORTEN = 200_000  # work to shorten a line
_REFERENCE = ("chessboard", "simple-simon", "joker", "klondike")  # a game of each family
_VISITS = 60
_FEW = 3  # number of deals of the other rows
_LOST = {
    "chessboard": (21, 99, 143), "fortress": (49, 58, 99), "simon-jester": (259,),
    "simon-jester-triangular": (138,), "simple-simon": (81, 152, 294), "joker": (142, 172),
    "klondike-one-pass": (92, 115, 124), "klondike": (55, 60, 102), "klondike-draw-one": (29, 112),
    "klondike-vegas": (4, 29, 55), "klondike-vegas-one": (10, 12, 22),
}  # fmt: skip
"""Lost deals for the rows of certificates and of best scores."""
_REFERENCE_NODES = 60
_ENOUGH_SECONDS = 0.5
_MOST_ROUNDS = 9


@dataclass(frozen=True)
class Row:
    """Figures of one kind of search on some deals of a game.

    ``variant`` is the name of the game, followed by the kind of search unless that is for verdicts:
    ``-shortest`` for shortest lines, ``-shorten`` for shortened ones, ``-certificate`` for certificates of
    lost deals, ``-score`` for their best scores, ``-moves`` for certificates of shortest lines, ``-player``
    for games of the player, ``-reference`` for the reference engine. ``moves`` and ``bounds`` are sums over
    the deals. ``cpu_seconds`` is the median of ``rounds``. For a player, winnable, unwinnable and undecided
    are games won, lost and unfinished, and expanded states are simulations; for certificates they are
    positions.
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
    work: int = 0
    moves: int = 0
    bounds: int = 0

    @property
    def nodes_per_second(self) -> float:
        """States expanded per second of processor time."""
        return self.expanded / self.cpu_seconds

    @property
    def deals_per_second(self) -> float:
        """Deals dealt, decided and replayed per second of processor time."""
        return self.deals / self.cpu_seconds


def run(only: str | None = None) -> Iterator[Row]:
    """Run the benchmark for every variant that has a compiled kernel, and yield its rows.

    With ``only``, the ``variant`` of a row, run that row alone. Ctrl-C raises KeyboardInterrupt.
    """
    for variant in VARIANTS.values():
        if find_kernel(variant) is None:
            continue
        deals = SHORTEST[variant.name]
        limits = Limits(nodes=MAX_NODES) if deals == DEALS else Limits(work=_WORK[variant.rules])
        searches = {
            "": partial(_batch, variant, Limits(nodes=MAX_NODES), DEALS, False),
            "-shortest": partial(_batch, variant, limits, deals, True),
        }
        for name, search in _OTHERS.items():
            if deal_seeds := _seeds(variant, name):
                searches[name] = partial(_some, variant, deal_seeds, search)
        for name, measured in searches.items():
            if only in (None, variant.name + name):
                yield _measured(variant, name, measured)


def _measured(variant: Variant, name: str, search: Callable[[], Row]) -> Row:
    """Run ``search``, several times if it is fast and for verdicts, and return its row with the times."""
    times: list[float] = []
    while not times or (not name and sum(times) < _ENOUGH_SECONDS and len(times) < _MOST_ROUNDS):
        began = time.process_time()
        row = search()
        times.append(time.process_time() - began)
    return replace(row, variant=variant.name + name, rounds=len(times), cpu_seconds=median(times))


def _batch(variant: Variant, limits: Limits, deals: int, shortest: bool) -> Row:
    """Solve the first ``deals`` seeds as a batch; return a row without times."""
    kind = find_kernel(variant)
    assert kind is not None
    kernel = kind(limits)
    records = kernel.solve_seeds(variant.name, FIRST_SEED, deals, shortest=shortest)
    if kernel.was_stopped:
        raise KeyboardInterrupt
    counts = [records.count(verdict) for verdict in (WINNABLE, UNWINNABLE, UNDECIDED)]
    columns = ("expanded", "generated", "moves", "lower_bound")
    sums = [sum(max(0, getattr(record, name)) for record in records) for name in columns]
    return _row(len(records), counts, [*sums, kernel.work_of_all])


def _row(deals: int, counts: list[int], sums: list[int]) -> Row:
    """A row without times. ``counts`` has the numbers of the three verdicts, ``sums`` those of states,
    successors, moves, bounds and work."""
    winnable, unwinnable, undecided = counts
    expanded, generated, moves, bounds, work = sums
    return Row("", deals, winnable, unwinnable, undecided, expanded, generated, 1, 0.0, work, moves, bounds)


# --- Searches of single deals -------------------------------------------------------------------------------


def _some(variant: Variant, seeds: Sequence[int], search: Callable[[Variant, Any], Result]) -> Row:
    """Run ``search`` for the deals of ``seeds``; return a row without times."""
    found = [search(variant, variant.deal(seed)) for seed in seeds]
    if any(result.reason == "interrupted" for result in found):
        raise KeyboardInterrupt
    counts = [sum(result.verdict is verdict for result in found) for verdict in Verdict]
    each = [
        (result.expanded, result.generated, len(result.moves or ()), result.lower_bound or 0, result.work)
        for result in found
    ]
    return _row(len(found), counts, [sum(column) for column in zip(*each, strict=True)])


def _seeds(variant: Variant, name: str) -> Sequence[int]:
    """The seeds of the row ``name`` of ``variant``; empty if the game has no such search."""
    if name in ("-certificate", "-score"):
        kernel = find_kernel(variant)
        is_there = kernel is not None and (name == "-certificate" or kernel.SCORES_LOST)
        return _LOST.get(variant.name, ()) if is_there else ()
    there = {
        "-shorten": optimizes(variant),
        "-moves": counts_moves(variant),
        "-player": variant.name in PLAYED,
        "-reference": variant.name in _REFERENCE,
    }
    return range(FIRST_SEED, FIRST_SEED + _FEW) if there[name] else ()


def _shorten(variant: Variant, state: Any) -> Result:
    result: Result = solve(variant, state, Limits(nodes=MAX_NODES), shorten=0)
    return optimize(variant, state, result, _SHORTEN, Limits())


def _certificate(variant: Variant, state: Any) -> Result:
    result = solve(variant, state, Limits(nodes=MAX_NODES), shorten=0)
    return _certified(variant, state, result, False)


def _score(variant: Variant, state: Any) -> Result:
    result: Result = solve(variant, state, Limits(work=_WORK[variant.rules]), score=True)
    return replace(result, lower_bound=result.score_bound)


def _moves(variant: Variant, state: Any) -> Result:
    result = find_shortest(variant, state, Limits(work=_SHORTEN))
    return _certified(variant, state, result, True)


def _certified(variant: Variant, state: Any, result: Result, shortest: bool) -> Result:
    """``result`` with the positions of its certificate as states; 0 if there is no certificate."""
    limits = Limits(nodes=MAX_NODES, work=_SHORTEN, megabytes=400)
    try:
        header = certify(variant, state, result, limits, shortest=shortest).header
    except NoCertificate:
        return replace(result, expanded=0, generated=0)
    return replace(result, expanded=header["positions"], generated=0, lower_bound=header.get("value"))


def _play(variant: Variant, state: Any) -> Result:
    game = play_game(state, find_player_kernel(variant)(Limits(), Player(visits=_VISITS)))
    verdict = {"won": Verdict.WINNABLE, "lost": Verdict.UNWINNABLE}.get(game.verdict, Verdict.UNDECIDED)
    moves, score = game.moves, game.score
    return Result(verdict, moves, expanded=game.samples, generated=game.decisions, lower_bound=score)


def _reference(variant: Variant, state: Any) -> Result:
    result: Result = solve(variant, state, Limits(nodes=_REFERENCE_NODES), engine="reference")
    return result


_OTHERS = {
    "-shorten": _shorten,
    "-certificate": _certificate,
    "-score": _score,
    "-moves": _moves,
    "-player": _play,
    "-reference": _reference,
}


def signature(rows: list[Row]) -> str:
    """The signature of ``rows`` as text, which is equal as long as the searches do the same."""
    head = (
        f"{SIGNATURE} on seeds {FIRST_SEED}-{FIRST_SEED + DEALS - 1}, at most {MAX_NODES} a deal, or fewer; "
        "then generated, work, moves, bounds\n"
    )
    return head + "".join(
        f"{row.variant} {row.expanded} {row.generated} {row.work} {row.moves} {row.bounds}\n" for row in rows
    )
