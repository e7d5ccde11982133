"""Certificates of Chessboard and Fortress: how positions are written, and their lemmas.

A position is written as the base rank (``-`` while it is not chosen), then the columns that hold cards, each
from its deepest card on, in the order of their texts: ``5 6H5H 8S TC9C2D``. What is not in a column is up.
The lemmas are Theorems C1 to C4 of docs/theory/chessboard.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..rules import chessboard
from ..rules.cards import RANKS, Deck, format_card, make_card, parse_card, rank_of, suit_of
from ..rules.chessboard import FOUNDATION, State
from .chessboard_bound import bound
from .reading import Header, Refused

LEMMAS = ("order of columns", "must go up", "chosen base", "bound")
CLAIMS = ("unwinnable", "fewest moves", "at least")


class Game:
    """The check of one deal; see `closed_set.Game`."""

    def __init__(self, header: Header, deck: Deck) -> None:
        self.header = header
        self.deck = deck
        self.columns = header.columns
        self.cards = {format_card(card): card for card in deck.cards()}
        self.names = {card: name for name, card in self.cards.items()}

    def read(self, text: str) -> State:
        """The state of ``text``. Raises ValueError unless each card of the deck has one place."""
        first, *piles = text.split(" ")
        if len(piles) > self.columns:
            raise ValueError(f"{len(piles)} columns")
        if first != "-" and (len(first) != 1 or first not in RANKS[: self.deck.ranks]):
            raise ValueError("no base rank")
        if self.header.game == "fortress" and first != "A":
            raise ValueError("the base rank of fortress is the ace")
        base = None if first == "-" else RANKS.index(first)
        columns = [self._pile(pile) if pile != "-" else () for pile in piles]
        columns += [()] * (self.columns - len(piles))
        heights = self._heights(base, [card for column in columns for card in column])
        return State(self.header.game, self.deck, tuple(columns), heights, base)

    def _pile(self, text: str) -> tuple[int, ...]:
        try:
            return tuple(self.cards[text[at : at + 2]] for at in range(0, len(text), 2))
        except KeyError as error:
            raise ValueError(f"card {error}: the deck has none such") from None

    def _heights(self, base: int | None, held: list[int]) -> tuple[int, ...]:
        """How many cards of each suit are up: those that ``held`` lacks, which must be the first from the
        base on."""
        left = set(held)
        if len(left) != len(held):
            raise ValueError("a card is there twice")
        heights = [0, 0, 0, 0]
        for suit in range(4):
            ranks = [rank for rank in range(self.deck.ranks) if make_card(rank, suit) in self.names]
            up = [rank for rank in ranks if make_card(rank, suit) not in left]
            first = base or 0
            if {(first + i) % self.deck.ranks for i in range(len(up))} != set(up):
                raise ValueError("the cards that are up are not the first of their suit")
            heights[suit] = len(up)
        if base is None and any(heights):
            raise ValueError("cards are up, and no base rank is chosen")
        return tuple(heights)

    def write(self, state: State) -> str:
        """``state`` as text.

        Order of columns, C1: states that differ in it alone have the same moves, up to the numbers of the
        columns.
        """
        names = self.names
        piles = ["".join([names[card] for card in column]) for column in state.columns if column]
        piles.sort()
        return " ".join(["-" if state.base is None else RANKS[state.base], *piles])

    def position(self) -> State:
        """The position of the header."""
        return self.read(self.header.start)

    def of_state(self, state: State) -> State:
        """Positions of the rules are what is listed."""
        return state

    def meets_goal(self, state: State) -> bool:
        """Whether all cards are up."""
        return chessboard.is_won(state)

    @property
    def is_unwinnable(self) -> bool:
        """Whether the claim says that all cards never go up."""
        return self.header.claim == "unwinnable"

    @property
    def needs_line(self) -> bool:
        """Whether a line belongs to the claim."""
        return self.header.claim == "fewest moves"

    def holds_line(self, state: State) -> bool:
        """Whether the line comes to a win with the number of moves that the claim says."""
        return chessboard.is_won(state) and len(self.header.line) == self.header.value

    def bound(self, state: State) -> int:
        """How many moves ``state`` needs at least, by the lemma. Raises ValueError if it is not named."""
        self._check_named("bound")
        return bound(state)

    def with_bases(self, state: State) -> Iterator[tuple[str, State]]:
        """Chosen base, C3: ``state`` with each base rank. Raises ValueError where one is chosen already."""
        self._check_named("chosen base")
        if state.base is not None:
            raise ValueError("a base rank is chosen already")
        for rank in range(self.deck.ranks):
            yield f"the base rank {RANKS[rank]}", replace(state, base=rank)

    def _check_named(self, lemma: str) -> None:
        if lemma not in self.header.lemmas:
            raise ValueError(f"the header does not name the lemma {lemma!r}")

    def named(self, state: State, reason: str) -> Iterator[tuple[str, State]]:
        """What follows: by every legal ``moves``, or by ``up CARD`` alone, where the lemma says so."""
        if reason == "moves":
            for move in chessboard.legal_moves(state):
                yield str(move), chessboard.apply(state, move)
        elif reason.startswith("up "):
            yield self._forced(state, parse_card(reason.removeprefix("up ")))
        else:
            raise ValueError(f"there is no reason {reason!r}")

    def _forced(self, state: State, card: int) -> tuple[str, State]:
        """Must go up, C2: where a card that is not of base rank (in Fortress, any card) can go up, only that
        need be looked at. Raises ValueError where the condition does not hold."""
        self._check_named("must go up")
        if state.base is None or (state.variant == "chessboard" and rank_of(card) == state.base):
            raise ValueError(f"{format_card(card)} need not go up: it may begin a foundation")
        sources = [i for i, column in enumerate(state.columns) if column and column[-1] == card]
        if not sources or chessboard.next_rank(state, suit_of(card)) != rank_of(card):
            raise ValueError(f"{format_card(card)} cannot go up")
        move = chessboard.Move(sources[0], FOUNDATION, card=card)
        return str(move), chessboard.apply(state, move)


def game_of(header: Header, deck: Deck) -> Any:
    """The check of the deal of ``header``. Raises Refused for claims and lemmas that the game has not."""
    if header.claim not in CLAIMS:
        raise Refused(f"claim {header.claim!r}: none of {header.game}")
    if (header.value is None) != (header.claim == "unwinnable"):
        raise Refused(f"claim {header.claim!r}: its value")
    return Game(header, deck)
