"""Certificates of the Simon family that list classes of positions, and all moves of all of their positions.

Where a card of some rank is exposed, a run that lies on another card of that rank can be moved there and
back: it matters little on which of the two it lies. So a position is cut into *parts*. Its *stems* are what
is left of the columns when the runs that can be moved so are taken off; these are its *runs*. The class of a
position is its stems and its runs, each in the order of their texts: ``3H9SKD 5C + 4D3D 7S``.

Nothing is claimed of such moves. A class stands for all positions that are cut into its parts: those that
come of laying each of the runs on a card one rank higher. The checker lays them out and makes every legal
move of each of them (Theorem S3 of docs/theory/simon.md).
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
"""The most arrangements of a class; with more the certificate is refused, to limit the time."""

Parts = tuple[list[Stem], list[Stem]]
"""Stems and runs."""


def parts_of(columns: list[Stem]) -> Parts:
    """Cut columns that hold cards into stems and runs: from the top down where a card lies on one a rank
    higher, if some card of that rank is exposed and what is cut off is of one suit."""
    is_exposed = {rank_of(column[-1]) for column in columns}
    stems, runs = [], []
    for stem in columns:
        while count := cut_of(stem, is_exposed):
            runs.append(stem[-count:])
            stem = stem[:-count]
        stems.append(stem)
    return sorted(stems), sorted(runs)


def cut_of(stem: Stem, is_exposed: set[int]) -> int:
    """The number of cards of a stem that are cut off next; 0 if none are."""
    for count in range(1, tail_length(stem)):
        if rank_of(stem[-count - 1]) in is_exposed:
            return count if count <= run_length(stem) else 0
    return 0


def arrangements(parts: Parts) -> Iterator[list[Stem]]:
    """All columns that are cut into these parts, each run on a card one rank higher; the highest runs are
    laid first; none where some run finds no place. Raises ValueError if they are too many."""
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
    """All ways to lay ``runs`` on ``columns``, in this order."""
    if not runs:
        yield columns
        return
    tried = set()
    for i, column in enumerate(columns):
        if rank_of(column[-1]) == rank_of(runs[0][0]) + 1 and column not in tried:
            tried.add(column)
            yield from laid([*columns[:i], column + runs[0], *columns[i + 1 :]], runs[1:])


def lemmas_of(claim: Claim) -> tuple[str, ...]:
    """The lemmas of this kind of certificate."""
    return ("arrangements",)


class Game(Columns):
    """The check of one deal; see `closed_set.Game`. Its states are stems and runs."""

    def read(self, text: str) -> Parts:
        """The parts written as ``text``. Raises ValueError for anything else."""
        first, plus, second = text.partition(" + ")
        stems = [stem for stem in self.columns_of(first) if stem]
        runs = [column_of(word, self.cards) for word in second.split(" ")] if plus else []
        self.check_suits([*stems, *runs])
        return stems, runs

    def write(self, parts: Parts) -> str:
        """``parts`` as text."""
        stems, runs = map(self.text_of, parts)
        return f"{stems} + {runs}" if runs else stems

    def of_state(self, state: State) -> Parts:
        """The parts of a position."""
        return parts_of([column for column in state.columns if column])

    def meets_goal(self, parts: Parts) -> bool:
        """Test if nothing is left in play."""
        return not parts[0]

    def named(self, parts: Parts, reason: str) -> Iterator[tuple[Any, Parts]]:
        """The successors by every legal move of every position of the class; one with a complete run on top
        is none. Raises ValueError for another reason, or too many positions."""
        if reason != "arranged":
            raise ValueError(f"unknown reason {shown(reason)}")
        for columns in arrangements(parts):
            if any(run_length(column) == self.deck.ranks for column in columns):
                continue
            empty = ((),) * (self.claim.columns - len(columns))
            state = State(self.claim.variant.name, self.deck, (*columns, *empty))
            for move in simon.legal_moves(state):
                yield move, self.of_state(simon.apply(state, move))
