"""Certificates of the Simon family that list classes of positions, with all moves of all their positions.

If a card of some rank is exposed, a run that lies on another card of that rank can be moved there and back,
so it matters little on which of the two it lies. Hence a position is cut into *parts*: its *runs* are those
that can be moved in this way, its *stems* what is left of the columns without them. The class of a position
is its stems and its runs, each sorted by their texts: ``3H9SKD 5C + 4D3D 7S``.

The check does not rely on such moves. A class stands for all positions that are cut into its parts: those
that result when each run is laid on a card one rank higher. The checker lays all of them out and makes every
legal move of each (Theorem S3 of docs/theory/simon.md).
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..rules import simon
from ..rules.cards import rank_of, shown
from ..rules.simon import State
from .claim import Claim
from .piles import column_of
from .simon_columns import Columns, Stem, run_length, tail_length

MOST_ARRANGEMENTS = 100_000
"""Greatest number of arrangements of a class. A certificate with more is refused, to limit the time."""

Parts = tuple[list[Stem], list[Stem]]
"""Stems and runs."""


def parts_of(columns: list[Stem]) -> Parts:
    """Cut columns that hold cards into stems and runs. A column is cut, from the top down, above a card if
    the cards from there on descend rank by rank, the part cut off is of one suit, and some card of the rank
    of that card is exposed."""
    is_exposed = {rank_of(column[-1]) for column in columns}
    stems, runs = [], []
    for stem in columns:
        while count := cut_of(stem, is_exposed):
            runs.append(stem[-count:])
            stem = stem[:-count]
        stems.append(stem)
    return sorted(stems), sorted(runs)


def cut_of(stem: Stem, is_exposed: set[int]) -> int:
    """Return the number of cards of a stem that are cut off next, 0 if none are. ``is_exposed`` has the ranks
    of exposed cards."""
    for count in range(1, tail_length(stem)):
        if rank_of(stem[-count - 1]) in is_exposed:
            return count if count <= run_length(stem) else 0
    return 0


def arrangements(parts: Parts) -> Iterator[list[Stem]]:
    """Return all lists of columns that are cut into these parts: each run lies on a card one rank higher,
    the highest runs laid first. There are none if some run finds no place. Raises ValueError if there are
    more than MOST_ARRANGEMENTS."""
    stems, runs = parts
    tops = Counter(rank_of(part[-1]) for part in stems + runs)
    wanted = Counter(rank_of(run[0]) + 1 for run in runs)
    count = math.prod(math.perm(tops[rank], wanted[rank]) for rank in wanted)
    if count > MOST_ARRANGEMENTS:
        raise ValueError(f"more than {MOST_ARRANGEMENTS:,} arrangements")
    if not count:
        return iter(())
    return laid(stems, sorted(runs, key=lambda run: -rank_of(run[0])))


def laid(columns: list[Stem], runs: list[Stem]) -> Iterator[list[Stem]]:
    """Return all lists of columns that result from laying ``runs``, in this order, on ``columns``."""
    if not runs:
        yield columns
        return
    tried = set()
    for i, column in enumerate(columns):
        if rank_of(column[-1]) == rank_of(runs[0][0]) + 1 and column not in tried:
            tried.add(column)
            yield from laid([*columns[:i], column + runs[0], *columns[i + 1 :]], runs[1:])


def lemmas_of(claim: Claim) -> tuple[str, ...]:
    """Return the lemmas of this kind of certificate."""
    return ("arrangements",)


class Game(Columns):
    """Checks certificates of one deal; implements `closed_set.Game`. Its states are stems and runs."""

    def read(self, text: str) -> Parts:
        """Return the parts written as ``text``. Raises ValueError for invalid text."""
        first, plus, second = text.partition(" + ")
        stems = [stem for stem in self.columns_of(first) if stem]
        runs = [column_of(word, self.cards) for word in second.split(" ")] if plus else []
        self.check_suits([*stems, *runs])
        return stems, runs

    def write(self, parts: Parts) -> str:
        """Return ``parts`` as text."""
        stems, runs = map(self.text_of, parts)
        return f"{stems} + {runs}" if runs else stems

    def of_state(self, state: State) -> Parts:
        """Return the parts of a position."""
        return parts_of([column for column in state.columns if column])

    def meets_goal(self, parts: Parts) -> bool:
        """Test if no cards are left in play."""
        return not parts[0]

    def named(self, parts: Parts, reason: str) -> Iterator[tuple[Any, Parts]]:
        """Return the successors by every legal move of every position of the class. Arrangements with a
        complete run on top of a column are not positions. Raises ValueError for a ``reason`` other than
        ``arranged``, and for too many arrangements."""
        if reason != "arranged":
            raise ValueError(f"unknown reason {shown(reason)}")
        for columns in arrangements(parts):
            if any(run_length(column) == self.deck.ranks for column in columns):
                continue
            empty = ((),) * (self.claim.columns - len(columns))
            state = State(self.claim.variant.name, self.deck, (*columns, *empty))
            for move in simon.legal_moves(state):
                yield move, self.of_state(simon.apply(state, move))
