"""Certificates of the Simon family that list positions of a relaxed game (R0), with all its moves.

By the lemma *loose cards* (Theorem S2 of docs/theory/simon.md) a deal cannot be won if its relaxed game
cannot. In the relaxed game each column is known from its deepest card up to some card: that part is a *stem*.
All other cards in play are *loose*: it is only known that each lies on some card one rank higher. A position
is written as its stems, each from its deepest card on, sorted by their texts: ``3H9SKD 5C 8DQH``.

The stems determine the cards in play. A king is never loose, since it fits on no card; so as many runs of a
suit are in play as its kings lie in stems, and the cards of these runs that are in no stem are loose.
"""

from collections import Counter
from collections.abc import Iterator

from ..rules.cards import SUITS, format_card, make_card, rank_of, shown, suit_of
from ..rules.simon import State
from .claim import Claim
from .simon_columns import Columns, Stem, run_length, tail_length


class Relaxed:
    """A position of the relaxed game: its ``stems``, the number of ``loose`` cards by suit and rank, and
    the number of ``open`` (exposed) cards by rank."""

    def __init__(self, ranks: int, stems: list[Stem]) -> None:
        self.ranks = ranks
        self.stems = stems
        held = Counter(card for stem in stems for card in stem)
        self.loose = {
            (suit, rank): held[make_card(ranks - 1, suit)] - held[make_card(rank, suit)]
            for suit in range(len(SUITS))
            for rank in range(ranks)
        }
        tops = Counter(rank_of(stem[-1]) for stem in stems)
        count = [sum(self.loose[suit, rank] for suit in range(len(SUITS))) for rank in range(ranks)]
        # A card is exposed unless a loose card lies on it; those of one rank are alike.
        self.open = [tops[rank] + count[rank] - (count[rank - 1] if rank else 0) for rank in range(ranks)]

    def comes_off(self, suit: int, rank: int) -> bool:
        """Test if a run whose last known card has this suit and rank can move with all cards on it: that card
        is an ace, may be exposed, or may carry a loose card of its suit for which the same holds."""
        while rank > 0 and self.open[rank] <= 0:
            if not self.loose[suit, rank - 1]:
                return False
            rank -= 1
        return True

    def moves(self, columns: int) -> Iterator[tuple[str, list[Stem]]]:
        """Return every move of the relaxed game with ``columns`` columns as text, with the stems after it."""
        for i, stem in enumerate(self.stems):
            others = self.stems[:i] + self.stems[i + 1 :]
            yield from self._of_tail(stem, others)
            if len(self.stems) < columns:
                yield from self._to_empty(stem, others)
        if len(self.stems) < columns:
            for (suit, rank), count in self.loose.items():
                if count and self.comes_off(suit, rank):
                    card = make_card(rank, suit)
                    yield (
                        f"loose {format_card(card)} to an empty column",
                        [*self.stems, self._run(suit, rank, rank)],
                    )

    def _of_tail(self, stem: Stem, others: list[Stem]) -> Iterator[tuple[str, list[Stem]]]:
        """Return the move of the whole tail of ``stem``, if that is of one suit: onto a card or, if it begins
        with a king, out of the game."""
        length = tail_length(stem)
        if run_length(stem) < length:
            return
        head, end, suit = rank_of(stem[-length]), rank_of(stem[-1]), suit_of(stem[-1])
        left = [*others, stem[:-length]] if stem[:-length] else others
        name = format_card(stem[-length])
        if head == self.ranks - 1:
            if all(self.loose[suit, rank] for rank in range(end)):
                yield f"{name} leaves", left
        elif self.open[head + 1] > 0 and self.comes_off(suit, end):
            yield f"{name} onto a card", left

    def _to_empty(self, stem: Stem, others: list[Stem]) -> Iterator[tuple[str, list[Stem]]]:
        """Return the moves of proper upper parts of ``stem`` in one suit to an empty column."""
        end, suit = rank_of(stem[-1]), suit_of(stem[-1])
        if not self.comes_off(suit, end):
            return
        for count in range(1, run_length(stem) + 1):
            if count < len(stem):
                run = self._run(suit, end + count - 1, end)
                yield f"{format_card(stem[-count])} to an empty column", [*others, stem[:-count], run]

    def _run(self, suit: int, head: int, end: int) -> Stem:
        """Return the stem that a run from rank ``head`` to ``end`` makes in an empty column: it is known down
        to a card that may be exposed."""
        while end > 0 and self.open[end] <= 0:
            end -= 1
        return tuple(make_card(rank, suit) for rank in range(head, end - 1, -1))


def normal(ranks: int, stems: list[Stem]) -> list[Stem]:
    """Return the normal form of stems, sorted: without complete runs, and without upper parts that count as
    loose. These are the parts of one suit above a card in the tail of whose rank some card is exposed: they
    may as well lie on that one."""
    stems = [left for left in (without_runs(ranks, stem) for stem in stems) if left]
    is_open = [number > 0 for number in Relaxed(ranks, stems).open]
    return sorted(peeled(stem, is_open) for stem in stems)


def without_runs(ranks: int, stem: Stem) -> Stem:
    """Return a stem without complete runs at its top."""
    while stem and run_length(stem) == ranks:
        stem = stem[:-ranks]
    return stem


def peeled(stem: Stem, is_open: list[bool]) -> Stem:
    """Return a stem without the upper parts that count as loose; ``is_open`` tests by rank if some card is
    exposed."""
    count = 1
    while count < tail_length(stem) and count <= run_length(stem):
        if is_open[rank_of(stem[-count - 1])]:
            stem, count = stem[:-count], 0
        count += 1
    return stem


def lemmas_of(claim: Claim) -> tuple[str, ...]:
    """Return the lemmas of this kind of certificate."""
    return ("loose cards",)


class Game(Columns):
    """Checks certificates of one deal; implements `closed_set.Game`. Its states are lists of stems."""

    def read(self, text: str) -> list[Stem]:
        """Return the stems written as ``text``. Raises ValueError for invalid text."""
        stems = [stem for stem in self.columns_of(text) if stem]
        self.check_suits(stems, may_lack=True)
        return stems

    def write(self, stems: list[Stem]) -> str:
        """Return the normal form of ``stems`` as text."""
        return self.text_of(normal(self.deck.ranks, stems))

    def meets_goal(self, stems: list[Stem]) -> bool:
        """Test if no cards are left in play."""
        return not stems

    def named(self, stems: list[Stem], reason: str) -> Iterator[tuple[str, list[Stem]]]:
        """Return the successors by every move of the relaxed game. Raises ValueError for a ``reason`` other
        than ``relaxed``."""
        if reason != "relaxed":
            raise ValueError(f"unknown reason {shown(reason)}")
        yield from Relaxed(self.deck.ranks, stems).moves(self.claim.columns)

    def of_state(self, state: State) -> list[Stem]:
        """Return the stems of a position: its columns that hold cards."""
        return [column for column in state.columns if column]
