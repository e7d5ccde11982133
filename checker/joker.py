"""Certificates of Joker, and of Klondike in one pass as Joker without jokers: the notation of positions, and
the lemmas.

A position is written as the tops of the four foundations (``-`` if empty), in Joker the conditions of the two
jokers, the waste after a ``w``, the stock after an ``s`` with its next card first, and the columns that hold
cards, sorted by their texts, with the face-down cards before a ``/``: ``3-A- bx r=7 wTC2D s5H 4S/9DXR QC``.

The lemmas are theorems J2 to J7 of docs/theory/joker.md, proved there for all positions that occur in play.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from ..rules import joker, klondike
from ..rules.cards import (
    JOKERS,
    RANKS,
    colour_of,
    format_card,
    is_joker,
    make_card,
    rank_of,
    shown,
    suit_of,
    suits_of_colour,
)
from ..rules.choices import Implemented
from ..rules.hidden_cards import FOUNDATION, WASTE
from ..rules.joker_board import Joker, impossibility
from ..rules.joker_board import check_position as check_joker
from . import closed_set
from .claim import SCORE, UNWINNABLE, Claim
from .joker_bound import State, bound, effective_rank, jokers_of
from .piles import PileReader

IMPLEMENTS: Implemented = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike-one-pass": {"draw": ("1",), "passes": ("1",), "worrying_back": ("no",), "spaces": ("kings",)},
}
"""Games and values of rule options whose certificates are checked here: see `rules.choices.Implemented`."""
CLAIMS = (UNWINNABLE, SCORE)
LEMMAS = ("order of columns", "like cards", "safe move up", "bound")
ALWAYS = LEMMAS[:2]
IS_DEALT_IN_FULL = False
_PILES = 1 << 14
"""Size of the cache of texts of piles. Most piles of a position occur in the next one too."""
_CONDITIONS = {"-": joker.UNDECLARED, "A": joker.OPEN_ACE, "x": joker.OUT_OF_PLAY}


class Game(closed_set.Game):
    """Checks certificates of one deal; implements `closed_set.Game`."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.deck = claim.deck
        self.front_words = 5 if self.deck.jokers else 3
        self.rules: Any = claim.variant.family
        empty: Any = claim.variant.start(self.deck, (), (), claim.choices)
        self.choices = empty.choices
        self.piles = PileReader(self.deck)
        self.cards = self.piles.cards
        self.names = {card: name for name, card in self.cards.items()}
        self.most = claim.greatest_score
        self._pile_text = lru_cache(_PILES)(self._text_of_pile)

    # --- Notation -------------------------------------------------------------------------------------------

    def read(self, text: str) -> State:
        """Return the state written as ``text``. Raises ValueError unless it is a position with the deck of
        the claim."""
        state = self.parse(text)
        if isinstance(state, klondike.State):
            klondike.check_position(state)
            return state
        check_joker(state)
        if problem := impossibility(state):
            raise ValueError(problem)
        return state

    def parse(self, text: str) -> State:
        """Return the state written as ``text``, legal or not. Raises ValueError for malformed text."""
        tops, *rest = text.split(" ")
        conditions: dict[str, Any] = {}
        if self.deck.jokers:
            if len(rest) < 2 or rest[0][:1] != "b" or rest[1][:1] != "r":
                raise ValueError("expected the conditions of the jokers")
            conditions["jokers"] = (self._condition(rest[0][1:]), self._condition(rest[1][1:]))
            del rest[:2]
        columns, hidden, stock, waste = self.piles.table(rest, self.claim.columns)
        state: State = self.rules.State(
            *(self.claim.variant.name, self.deck, columns, hidden, stock, waste, self.piles.heights(tops)),
            **conditions,
            choices=self.choices,
        )
        return state

    def _condition(self, text: str) -> Joker:
        if text in _CONDITIONS:
            return _CONDITIONS[text]
        if text[:1] == "=":
            return Joker(rank=self.piles.rank(text[1:]))
        if text not in self.cards:
            raise ValueError(f"expected the condition of a joker, got {shown(text)}")
        return Joker(place=self.cards[text])

    def write(self, state: State) -> str:
        """Return ``state`` as text, in its normal form."""
        return self._text(like_cards_arranged(state))

    def _text(self, state: State) -> str:
        words = ["".join(["-" if not height else RANKS[height - 1] for height in state.foundations])]
        if isinstance(state, joker.State):
            words += [
                letter + self._joker_text(each) for letter, each in zip("br", state.jokers, strict=True)
            ]
        words += ["w" + self._pile_text(state.waste), "s" + self._pile_text(state.stock)]
        piles = map(self._pile_text, state.columns, state.hidden)
        return " ".join(words + sorted(filter(None, piles)))

    def _text_of_pile(self, cards: tuple[int, ...], hidden: int = 0) -> str:
        names = [self.names[card] for card in cards]
        return "".join([*names[:hidden], "/", *names[hidden:]] if hidden else names)

    def _joker_text(self, condition: Joker) -> str:
        if condition.rank is not None:
            return "=" + RANKS[condition.rank]
        if condition.place is not None:
            return self.names[condition.place]
        return next(letter for letter, each in _CONDITIONS.items() if each == condition)

    # --- The check ------------------------------------------------------------------------------------------

    def position(self) -> State:
        """Return the position of the claim."""
        return self.read(self.claim.position)

    def meets_goal(self, state: State) -> bool:
        """Test if more places are filled than the claim allows."""
        return self._score(state) > self.most

    def _score(self, state: State) -> int:
        score: int = self.rules.score(state)
        return score

    def holds_line(self, state: State) -> bool:
        """Test if the line of the claim ends in ``state`` with the score claimed."""
        return self._score(state) == self.most

    def named(self, state: State, reason: str) -> Iterator[tuple[Any, State]]:
        """Return the successors of ``state`` by all legal moves (reason ``moves``), by one move up (``up
        CARD``), or none (``bound``, which must not exceed the claim)."""
        if reason == "bound":
            self.claim.names("bound")
            if bound(state) > self.most:
                raise ValueError(f"the bound is above {self.most}")
        elif reason == "moves":
            for arranged, moves in arrangements(state):
                for move in moves:
                    yield move, arranged.apply(move)
        elif reason.startswith("up "):
            self.claim.names("safe move up")
            name = reason.removeprefix("up ")
            if name not in self.cards:
                raise ValueError(f"card {shown(name)}: not in the deck")
            yield self._raised(state, self.cards[name])
        else:
            raise ValueError(f"unknown reason {shown(reason)}")

    def _raised(self, state: State, card: int) -> tuple[Any, State]:
        """Return the move of ``card`` up and the state after it, by the lemma *safe move up* (J6). Raises
        ValueError if a condition fails."""
        if is_joker(card) or state.foundations[suit_of(card)] != rank_of(card):
            raise ValueError(f"{format_card(card)} is not next on its foundation")
        for arranged, _ in arrangements(state):
            for source in (*range(len(arranged.columns)), WASTE):
                if top_of(arranged, source) == card:
                    check_is_safe(arranged, card, source)
                    move = self.rules.Move(source, FOUNDATION, card=card)
                    return move, arranged.apply(move)
        raise ValueError(f"{format_card(card)} is on top of nothing")


def arrangements(state: State) -> Iterator[tuple[State, list[Any]]]:
    """Return ``state``, and each state after one move of a part of a run from a card onto a card like it,
    with its legal moves. By the lemma *like cards* (J5) all of them are the same position."""
    moves: list[Any] = state.legal_moves()
    yield state, moves
    for move in moves:
        if move.source >= 0 and move.target >= 0:
            face_up = state.columns[move.source][state.hidden[move.source] :]
            beneath, target = face_up[-move.count - 1 : -move.count], state.columns[move.target]
            if beneath and target and are_like(state, beneath[0], target[-1]):
                after = state.apply(move)
                yield after, after.legal_moves()


def are_like(state: State, card: int, other: int) -> bool:
    """Test if two face-up cards have the same colour and rank."""
    rank = effective_rank(state, card)
    return rank is not None and colour_of(card) == colour_of(other) and rank == effective_rank(state, other)


def top_of(state: State, source: int) -> int | None:
    """Return the top card of a column or of the waste, None if it is empty."""
    pile = state.waste if source == WASTE else state.columns[source]
    return pile[-1] if pile else None


def check_is_safe(state: State, card: int, source: int) -> None:
    """Raise ValueError unless ``card``, on top of ``source`` and next on its foundation, may go up at once by
    the lemma *safe move up* (J6)."""
    rank, colour = rank_of(card), colour_of(card)
    is_out = [each.is_out for each in jokers_of(state)] or [True, True]
    others = [state.foundations[suit] for suit in suits_of_colour(1 - colour, state.deck.suits)]
    twins = [suit for suit in suits_of_colour(colour, state.deck.suits) if suit != suit_of(card)]
    beside = [state.foundations[suit] for suit in twins]
    if all(height >= rank for height in others):
        if isinstance(state, joker.State) and not all(is_out) and state.choices.exchange != "exposed":
            raise ValueError(f"{format_card(card)}: a joker may be a card that goes on it")
    elif not all(is_out) or min(others) < rank - 1 or min(beside, default=rank) < rank - 2:
        raise ValueError(f"{format_card(card)}: a card may have to be put on it")
    if source == WASTE:
        beneath = state.waste[-2:-1]
        if not is_out[colour]:
            raise ValueError(f"{format_card(card)}: its joker may change places with it")
    else:
        column, hidden = state.columns[source], state.hidden[source]
        beneath = column[hidden - 1 : hidden] if hidden == len(column) - 1 else ()
    if beneath and not is_joker(beneath[0]) and not is_out[colour_of(beneath[0])]:
        raise ValueError(f"{format_card(card)}: {format_card(beneath[0])} would be turned up too early")


def like_cards_arranged(state: State) -> State:
    """Return ``state`` in the normal form of the lemma *like cards* (J3, J4): the runs that lie on face-up
    cards of one colour and rank are redistributed among these. The lowest card gets the run that begins with
    the lowest card, and so on."""
    above: dict[int, int] = {}
    groups: dict[int, list[int]] = {}  # by the lowest card of the colour and rank
    for cards, hidden in zip(state.columns, state.hidden, strict=True):
        face_up = cards[hidden:]
        above.update(pairwise(face_up))
        for card in face_up:
            kind = _KIND[card] if card < len(_KIND) else _kind_of_joker(state, card)
            groups.setdefault(kind, []).append(card)
    is_arranged = True
    for kind, alike in groups.items():
        if len(alike) > 1 and kind >= 0:
            alike.sort()
            held = sorted([above[card] for card in alike if card in above])
            for card, upper in zip(alike, [*held, None, None, None], strict=False):
                is_arranged = is_arranged and above.get(card) == upper
                if upper is None:
                    above.pop(card, None)
                else:
                    above[card] = upper
    if is_arranged:
        return state
    columns = []
    for cards, hidden in zip(state.columns, state.hidden, strict=True):
        dealt, following = list(cards[:hidden]), cards[hidden] if cards else None
        while following is not None:
            dealt.append(following)
            following = above.get(following)
        columns.append(tuple(dealt))
    return replace(state, columns=tuple(columns))


_KIND = [make_card(rank_of(card), suits_of_colour(colour_of(card))[0]) for card in range(JOKERS[0])]
"""By natural: the lowest card of its colour and rank."""


def _kind_of_joker(state: State, card: int) -> int:
    """Return the lowest card of the colour and rank of a joker, -1 if it is undeclared."""
    rank = effective_rank(state, card)
    return -1 if rank is None else make_card(rank, suits_of_colour(colour_of(card))[0])


game_of = Game
"""The constructor of the check of a claim."""
