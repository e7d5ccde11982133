"""Certificates of the Simon family that list positions of a relaxed game, and its moves.

The lemma *loose cards* (Theorem S2 of docs/theory/simon.md) says that a deal cannot be won if the relaxed
game cannot. In the relaxed game a column is known from its floor up to some card: that part is a *stem*. All
other cards in play are *loose*: nothing is remembered of them but that each lies on some card one rank
higher. A position is its stems, each from its deepest card on, in the order of their texts:
``3H9SKD 5C 8DQH``.

What is in play: no king is ever loose, since nothing takes one; so of each suit as many runs are in play as
kings lie in stems, and what of them is in no stem is loose.
"""

from collections import Counter
from collections.abc import Iterator

from ..rules.cards import SUITS, format_card, make_card, rank_of, shown, suit_of
from ..rules.simon import State
from .claim import Claim
from .simon_columns import Columns, Stem, run_length, tail_length


class Relaxed:
    """A position of the relaxed game: its ``stems``, and what follows from them."""

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
        """Test if a run whose last known card is this one can move with everything on it: the card is an ace,
        may be exposed, or carries a loose card of its suit that comes off itself."""
        while rank > 0 and self.open[rank] <= 0:
            if not self.loose[suit, rank - 1]:
                return False
            rank -= 1
        return True

    def moves(self, columns: int) -> Iterator[tuple[str, list[Stem]]]:
        """Every move of the relaxed game, named, and the stems that it leaves."""
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
        """The whole tail of a stem, if of one suit: onto a card, or, from the king on, out of the game."""
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
        """Upper parts of a stem of one suit, but not all of it, to an empty column."""
        end, suit = rank_of(stem[-1]), suit_of(stem[-1])
        if not self.comes_off(suit, end):
            return
        for count in range(1, run_length(stem) + 1):
            if count < len(stem):
                run = self._run(suit, end + count - 1, end)
                yield f"{format_card(stem[-count])} to an empty column", [*others, stem[:-count], run]

    def _run(self, suit: int, head: int, end: int) -> Stem:
        """The stem that a run makes of an empty column: it is known down to a card that may be exposed."""
        while end > 0 and self.open[end] <= 0:
            end -= 1
        return tuple(make_card(rank, suit) for rank in range(head, end - 1, -1))


def normal(ranks: int, stems: list[Stem]) -> list[Stem]:
    """The normal form of stems: without complete runs and what is loose. That is the upper part of a tail,
    cut off at a card of a rank of which some card is exposed, if it is of one suit: it may lie on that card
    as well."""
    stems = [left for left in (without_runs(ranks, stem) for stem in stems) if left]
    is_open = [number > 0 for number in Relaxed(ranks, stems).open]
    return sorted(peeled(stem, is_open) for stem in stems)


def without_runs(ranks: int, stem: Stem) -> Stem:
    """A stem without complete runs at its top."""
    while stem and run_length(stem) == ranks:
        stem = stem[:-ranks]
    return stem


def peeled(stem: Stem, is_open: list[bool]) -> Stem:
    """A stem without what may be cut off."""
    count = 1
    while count < tail_length(stem) and count <= run_length(stem):
        if is_open[rank_of(stem[-count - 1])]:
            stem, count = stem[:-count], 0
        count += 1
    return stem


def lemmas_of(claim: Claim) -> tuple[str, ...]:
    """The lemmas of this kind of certificate."""
    return ("loose cards",)


class Game(Columns):
    """The check of one deal; see `closed_set.Game`. Its states are lists of stems."""

    def read(self, text: str) -> list[Stem]:
        """The stems written as ``text``. Raises ValueError for anything else."""
        stems = [stem for stem in self.columns_of(text) if stem]
        self.check_suits(stems, may_lack=True)
        return stems

    def write(self, stems: list[Stem]) -> str:
        """The normal form of ``stems`` as text."""
        return self.text_of(normal(self.deck.ranks, stems))

    def meets_goal(self, stems: list[Stem]) -> bool:
        """Test if nothing is left in play."""
        return not stems

    def named(self, stems: list[Stem], reason: str) -> Iterator[tuple[str, list[Stem]]]:
        """The successors by every move of the relaxed game."""
        if reason != "relaxed":
            raise ValueError(f"unknown reason {shown(reason)}")
        yield from Relaxed(self.deck.ranks, stems).moves(self.claim.columns)

    def of_state(self, state: State) -> list[Stem]:
        """The stems of a position: its columns."""
        return [column for column in state.columns if column]
