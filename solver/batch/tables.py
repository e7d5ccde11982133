"""Rate of tables with unknown cards: how many are won or lost for certain, and the mean share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from ... import __version__
from ...rules import Variant, has_unknown
from ..progress import Watch
from ..result import Limits
from ..table_result import TableResult
from ..unknown_cards import solve_table
from .chunk import CardDeals, Piece
from .threads import StateRun

if TYPE_CHECKING:
    from ...rules import answers


def has_tables(pieces: Sequence[Piece]) -> bool:
    """Test if some deal of a file has unknown cards."""
    return any(has_unknown(deal[1]) for piece in pieces if isinstance(piece, list) for deal in piece)


class TableRun(StateRun[TableResult]):
    """A run that solves ``pieces``, tables and deals of one game. The results do not depend on the number of
    threads, unless a limit on seconds ends a search."""

    def __init__(self, pieces: Sequence[Piece], limits: Limits, workers: int | None = None) -> None:
        self.limits = limits
        deals = (deal for piece in pieces if isinstance(piece, list | CardDeals) for deal in piece)
        super().__init__(deals, sum(map(len, pieces)), self._solve, workers)

    def _solve(self, number: int, table: Any, watch: Watch) -> TableResult:
        return solve_table(table, limits=self.limits, watch=watch)

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
