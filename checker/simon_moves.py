"""Certificates of the Simon family that list positions of the game itself, and all moves of them: that a deal
is unwinnable, or, with one deck, the moves that it needs.

A position is written as its columns that hold cards, each from its deepest card on, in the order of their
texts: ``3H9SKD 5C 8DQH``. Cards in none have left, always whole runs. The lemma *order of columns* is
Theorem S1 of docs/theory/simon.md.
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
    """The lemmas of this kind of certificate."""
    return ("bound",) if claim.counts_moves else ()


class Game(Columns):
    """The check of one deal; see `closed_set.Game`, and `fewest`."""

    def read(self, text: str) -> State:
        """The state of ``text``. Raises ValueError for what is no position, or where moves are counted and a
        card is there twice."""
        return self.state_of(self.columns_of(text))

    def write(self, state: State) -> str:
        """``state`` as text. The order of the columns makes no difference but to their numbers in moves."""
        return self.text_of(state.columns)

    def meets_goal(self, state: State) -> bool:
        """Test if all cards have left."""
        return simon.is_won(state)

    def bound(self, state: State) -> int:
        """A lower bound on the moves from ``state``. Raises ValueError unless the lemma is named."""
        self.claim.names("bound")
        return bound(state)

    def with_bases(self, state: State) -> Iterator[tuple[Any, State]]:
        """No base rank is chosen in these games. Raises ValueError."""
        raise ValueError("unknown reason 'base'")

    def named(self, state: State, reason: str) -> Iterator[tuple[Any, State]]:
        """The successors by every legal move. Raises ValueError for another reason."""
        if reason != "moves":
            raise ValueError(f"unknown reason {shown(reason)}")
        for move in simon.legal_moves(state):
            yield move, simon.apply(state, move)
