"""Rate of tables with unknown cards: how many are won or lost for certain, and the mean share."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from ... import __version__
from ...rules import Variant, has_unknown
from ..core.processors import count_processors, gathered
from ..progress import Watch
from ..result import Limits
from ..table_result import TableResult
from ..unknown_cards import solve_table
from .chunk import CardDeals, Piece

if TYPE_CHECKING:
    from ...rules import answers


def has_tables(pieces: Sequence[Piece]) -> bool:
    """Test if some deal of a file has unknown cards."""
    return any(has_unknown(deal[1]) for piece in pieces if isinstance(piece, list) for deal in piece)


class TableRun:
    """A run that solves ``pieces``, tables and deals of one game, on ``workers`` threads, by default one a
    processor. The results do not depend on the number of threads, unless a limit on seconds ends a search."""

    def __init__(self, pieces: Sequence[Piece], limits: Limits, workers: int | None = None) -> None:
        self.limits = limits
        self.wanted = sum(map(len, pieces))
        self.found: dict[int, TableResult] = {}
        self.is_stopped = False
        self._tables: Iterator[tuple[int, Any]] = (
            deal for piece in pieces if isinstance(piece, list | CardDeals) for deal in piece
        )
        self._watches = [Watch() for _ in range(min(workers or count_processors(), self.wanted))]
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Stop soon, keeping finished tables. Safe in a signal handler."""
        self.is_stopped = len(self.found) < self.wanted
        for watch in self._watches:
            watch.stop()

    def run(self) -> Generator[int, None, None]:
        """Solve the tables, and yield the number of finished ones each time it grows."""
        for number, answer in gathered([self._work(watch) for watch in self._watches], self.stop):
            self.found[number] = answer
            yield len(self.found)

    def _work(self, watch: Watch) -> Iterator[tuple[int, TableResult]]:
        with suppress(KeyboardInterrupt):
            while not self.is_stopped and (deal := self._next()) is not None:
                number, table = deal
                yield number, solve_table(table, limits=self.limits, watch=watch)

    def _next(self) -> tuple[int, Any] | None:
        with self._lock:
            return next(self._tables, None)

    def summary(self, variant: Variant, choices: dict[str, str]) -> answers.Tablerate:
        """The public JSON of ``rate`` for tables.

        ``rate`` is the mean share of the arrangements that can be won if all cards are seen, ``low`` and
        ``high`` are the means of its bounds, which are those of the 95 % interval for tables of which samples
        were taken. ``best_chance`` has the means of the proved bounds.
        """
        results = [self.found[number] for number in sorted(self.found)]
        certain = [result.certain for result in results]
        shares = [result.won / result.tried for result in results]
        rate = {
            "game": variant.name,
            **choices,
            "deals": len(results),
            "unknown": {name: of([result.unknown for result in results], default=0) for name, of in _ENDS},
            "won_for_certain": certain.count("won"),
            "lost_for_certain": certain.count("lost"),
            "undecided": certain.count(None),
            "sampled": sum(result.sampled for result in results),
            "rate": _mean(shares),
            "low": _mean([result.share[0] for result in results]) or 0.0,
            "high": 1.0 if not results else _mean([result.share[1] for result in results]),
            "best_chance": {
                name: _mean([float(result.chance[at]) for result in results])
                for at, name in enumerate(("low", "high"))
            },
            "tables": [_row(number, self.found[number]) for number in sorted(self.found)],
            "limits": vars(self.limits),
            "version": __version__,
        }
        return cast("answers.Tablerate", rate)  # type checkers do not know the rule options


_ENDS: Any = (("least", min), ("most", max))


def _row(number: int, answer: TableResult) -> answers.TableRow:
    told = answer.to_dict()
    return {
        "deal": number,
        "certain": told["certain"],
        "reason": told["reason"],
        "unknown": told["unknown"],
        "arrangements": told["arrangements"],
        "share": told["share"],
        "best_chance": told["best_chance"],
        "work": told["work"],
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 6) if values else None
