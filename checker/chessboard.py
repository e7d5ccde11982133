"""Certificates of Chessboard and Fortress: the notation of positions, and the lemmas.

A position is written as the base rank (``-`` while it is not chosen), then the columns that hold cards, each
from its deepest card on, sorted by their texts: ``5 6H5H 8S TC9C2D``. Cards that are in no column are on the
foundations. The lemmas are Theorems C1 to C4 of docs/theory/chessboard.md.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..rules import chessboard
from ..rules.cards import RANKS, format_card, make_card, rank_of, shown, suit_of
from ..rules.chessboard import FOUNDATION, State, wraps
from ..rules.choices import Implemented
from . import closed_set
from .chessboard_bound import bound
from .claim import AT_LEAST, FEWEST, UNWINNABLE, Claim
from .piles import column_of

IMPLEMENTS: Implemented = {"chessboard": {}, "fortress": {}}
"""The games whose certificates are checked here: see `rules.choices.Implemented`."""
CLAIMS = (UNWINNABLE, FEWEST, AT_LEAST)
LEMMAS = ("order of columns", "must go up", "chosen base", "bound")
ALWAYS = ("order of columns",)
OF_MOVES = ("chosen base", "bound")
IS_DEALT_IN_FULL = False
"""Lemmas of claims that count moves."""


class Game(closed_set.Game):
    """Checks certificates of one deal; implements `closed_set.Game`."""

    front_words = 1

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.deck = claim.deck
        self.columns = claim.columns
        self.cards = {format_card(card): card for card in self.deck.cards()}
        self.names = {card: name for name, card in self.cards.items()}

    def read(self, text: str) -> State:
        """Return the state written as ``text``. Raises ValueError unless it is a position with the deck of
        the claim. If the claim counts moves, the base rank may be chosen before a card is up."""
        first, *piles = text.split(" ")
        if len(piles) > self.columns:
            raise ValueError(f"expected at most {self.columns} columns, got {len(piles)}")
        if first != "-" and (len(first) != 1 or first not in RANKS[: self.deck.ranks]):
            raise ValueError("expected a base rank")
        is_fortress = self.claim.variant.name == "fortress"
        if is_fortress and first != "A":
            raise ValueError("the base rank of fortress is the ace")
        base = None if first == "-" else RANKS.index(first)
        columns = [column_of(pile, self.cards) if pile != "-" else () for pile in piles]
        columns += [()] * (self.columns - len(piles))
        heights = self._heights(base, [card for column in columns for card in column])
        if not (any(heights) or base is None or is_fortress or self.claim.counts_moves):
            raise ValueError("expected no base rank while no card is up")
        return State(self.claim.variant.name, self.deck, tuple(columns), heights, base)

    def _heights(self, base: int | None, held: list[int]) -> tuple[int, ...]:
        """Return the number of cards on each foundation, given the cards ``held`` in columns. Raises
        ValueError unless the others of each suit are its first ones from the base rank on."""
        left = set(held)
        if len(left) != len(held):
            raise ValueError("a card occurs twice")
        heights = [0, 0, 0, 0]
        for suit in range(4):
            ranks = [rank for rank in range(self.deck.ranks) if make_card(rank, suit) in self.names]
            up = [rank for rank in ranks if make_card(rank, suit) not in left]
            first = base or 0
            if {(first + i) % self.deck.ranks for i in range(len(up))} != set(up):
                raise ValueError("the cards that are up are not the first of their suit")
            heights[suit] = len(up)
        if base is None and any(heights):
            raise ValueError("expected a base rank, since cards are up")
        return tuple(heights)

    def write(self, state: State) -> str:
        """Return ``state`` as text, columns sorted. By the lemma *order of columns* (C1), states that differ
        only in that order have the same moves, up to column numbers."""
        names = self.names
        piles = ["".join([names[card] for card in column]) for column in state.columns if column]
        piles.sort()
        return " ".join(["-" if state.base is None else RANKS[state.base], *piles])

    def position(self) -> State:
        """Return the position of the claim."""
        state = self.read(self.claim.position)
        if state.base is not None and not any(state.foundations) and wraps(state):
            raise ValueError("expected no base rank while no card is up")
        return state

    def meets_goal(self, state: State) -> bool:
        """Test if all cards are on the foundations."""
        return chessboard.is_won(state)

    def holds_line(self, state: State) -> bool:
        """Test if the line of the claim ends in ``state`` with a win, in the number of moves claimed."""
        return chessboard.is_won(state) and len(self.claim.line) == self.claim.value

    def bound(self, state: State) -> int:
        """Return a lower bound of the moves from ``state`` to a win. Raises ValueError unless the claim names
        the lemma."""
        self.claim.names("bound")
        return bound(state)

    def with_bases(self, state: State) -> Iterator[tuple[Any, State]]:
        """Return ``state`` with each base rank, by the lemma *chosen base* (C3). Raises ValueError if one is
        chosen already."""
        self.claim.names("chosen base")
        if state.base is not None:
            raise ValueError("a base rank is chosen already")
        for rank in range(self.deck.ranks):
            yield f"the base rank {RANKS[rank]}", replace(state, base=rank)

    def named(self, state: State, reason: str) -> Iterator[tuple[Any, State]]:
        """Return the successors of ``state`` by all legal moves (reason ``moves``), or by one move up
        (reason ``up CARD``)."""
        if reason == "moves":
            for move in chessboard.legal_moves(state):
                yield move, chessboard.apply(state, move)
        elif reason.startswith("up "):
            yield self._forced(state, self._card(reason.removeprefix("up ")))
        else:
            raise ValueError(f"unknown reason {shown(reason)}")

    def _card(self, name: str) -> int:
        if name not in self.cards:
            raise ValueError(f"card {shown(name)}: not in the deck")
        return self.cards[name]

    def _forced(self, state: State, card: int) -> tuple[Any, State]:
        """Return the move of ``card`` up and the state after it, by the lemma *must go up* (C2): a card that
        can go up and is not of base rank (in Fortress, any card) goes up at once. Raises ValueError if the
        condition fails."""
        self.claim.names("must go up")
        if state.base is None or (state.variant == "chessboard" and rank_of(card) == state.base):
            raise ValueError(f"{format_card(card)} need not go up: it may begin a foundation")
        sources = [i for i, column in enumerate(state.columns) if column and column[-1] == card]
        if not sources or chessboard.next_rank(state, suit_of(card)) != rank_of(card):
            raise ValueError(f"{format_card(card)} cannot go up")
        move = chessboard.Move(sources[0], FOUNDATION, card=card)
        return move, chessboard.apply(state, move)


def game_of(claim: Claim) -> Game:
    """Return the check of ``claim``. Raises ValueError if it names lemmas that do not belong to it."""
    for lemma in OF_MOVES:
        if lemma in claim.lemmas and not claim.counts_moves:
            raise ValueError(f"the lemma {lemma!r} requires a claim of moves")
    return Game(claim)
