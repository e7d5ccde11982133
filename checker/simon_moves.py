"""Certificates of the Simon family that list positions of the game itself, with all their moves. They prove
that a deal is unwinnable or, with one deck, the number of moves that it needs.

A position is written as its columns that hold cards, each from its deepest card on, sorted by their texts:
``3H9SKD 5C 8DQH``. Cards in no column have left the game, always as whole runs. The lemma *order of columns*
is Theorem S1 of docs/theory/simon.md.
"""

from collections.abc import Iterator
from typing import Any

from ..rules import simon
from ..rules.cards import shown
from ..rules.simon import State
from .claim import Claim
from .simon_bound import bound
from .simon_columns import Columns


def lemmas_of(claim: Claim) -> tuple[str, ...]:
    """Return the lemmas of this kind of certificate, besides *order of columns*."""
    return ("bound",) if claim.counts_moves else ()


class Game(Columns):
    """Checks certificates of one deal; implements `closed_set.Game` and the methods that `fewest` calls."""

    def read(self, text: str) -> State:
        """Return the state written as ``text``. Raises ValueError if it is not a position, and if the claim
        counts moves and a card occurs twice."""
        return self.state_of(self.columns_of(text))

    def write(self, state: State) -> str:
        """Return ``state`` as text, columns sorted: their order only changes column numbers in moves."""
        return self.text_of(state.columns)

    def meets_goal(self, state: State) -> bool:
        """Test if all cards have left."""
        return simon.is_won(state)

    def bound(self, state: State) -> int:
        """Return a lower bound of the moves from ``state`` to a win. Raises ValueError unless the claim names
        the lemma."""
        self.claim.names("bound")
        return bound(state)

    def with_bases(self, state: State) -> Iterator[tuple[Any, State]]:
        """Raise ValueError: these games have no base rank."""
        raise ValueError("unknown reason 'base'")

    def named(self, state: State, reason: str) -> Iterator[tuple[Any, State]]:
        """Return the successors by every legal move. Raises ValueError for a ``reason`` other than
        ``moves``."""
        if reason != "moves":
            raise ValueError(f"unknown reason {shown(reason)}")
        for move in simon.legal_moves(state):
            yield move, simon.apply(state, move)
