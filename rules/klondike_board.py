"""The positions of Klondike and their boards; the rules are in `klondike`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .board import (
    Board,
    BoardError,
    Position,
    Slot,
    check_cards,
    fit_columns,
    format_top,
    parse_top,
    refuse_piles,
    suit_tops,
    top_from_ace,
)
from .cards import SUITS, Deck, colour_of, format_card, make_card, rank_of, shown
from .variants import VARIANTS

SIZES = (1, 2, 3, 4, 5, 6, 7)


@dataclass(frozen=True)
class Choices:
    """Choices of rules that players may agree on; part of the game, as the deal is.

    ``draw`` is the number of cards that a draw turns, ``passes`` how often the stock may be gone through,
    ``worrying_back`` whether cards come back from the foundations. What is None is as usual in the variant.
    Raises ValueError for values that are none of its ``choices``.
    """

    draw: str | None = None
    passes: str | None = None
    worrying_back: str | None = None

    def __post_init__(self) -> None:
        for name, values in VARIANTS["klondike"].choices.items():
            value = getattr(self, name)
            if value is not None and value not in values:
                raise ValueError(f"{name} {shown(value)}: expected {' or '.join(values)}")

    @property
    def cards_drawn(self) -> int:
        """The number of cards that a draw turns."""
        return int(self.draw or 0)

    @property
    def most_passes(self) -> int | None:
        """The number of passes through the stock, the first one included; None without a limit."""
        return None if self.passes == "unlimited" else int(self.passes or 0)

    @property
    def has_worrying_back(self) -> bool:
        """Return whether cards come back from the foundations."""
        return self.worrying_back == "yes"

    def of_variant(self, variant: str) -> Choices:
        """These choices with what is usual in ``variant`` where they say nothing."""
        values = VARIANTS[variant].choices
        return Choices(**{name: getattr(self, name) or usual[0] for name, usual in values.items()})


@dataclass(frozen=True)
class State(Position):
    """A position. ``hidden`` counts the face-down cards at the bottom of each column, ``foundations`` the
    cards of each suit C, D, H, S that are up. The first card of ``stock`` is turned next, the last of
    ``waste`` is its top. ``redeals`` counts how often the waste was turned over, where the passes are
    limited; else it stays 0. ``choices`` says all rules agreed on, the usual ones too. ``was_turned_over``
    tells whether the waste was turned over since the deal, so that all cards have been seen; it changes
    nothing in play, and states are equal with and without.
    """

    hidden: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...] = ()
    foundations: tuple[int, ...] = (0, 0, 0, 0)
    redeals: int = 0
    choices: Choices = field(default_factory=Choices)
    was_turned_over: bool = field(default=False, compare=False, repr=False)

    @property
    def is_stock_known(self) -> bool:
        """Return whether who has played from the deal on has seen each card of the stock."""
        return self.was_turned_over or self.redeals > 0 or not self.stock


def start(
    variant: str,
    deck: Deck,
    columns: tuple[tuple[int, ...], ...],
    stock: tuple[int, ...] = (),
    choices: Choices | None = None,
) -> State:
    """The state before the first move: the top card of each column is face up."""
    hidden = tuple(max(0, len(column) - 1) for column in columns)
    agreed = (choices or Choices()).of_variant(variant)
    return State(variant, deck, columns, hidden, stock, choices=agreed)


def choices_of(state: State) -> dict[str, str]:
    """The rules agreed on that are not the usual ones of the variant, by name."""
    usual = VARIANTS[state.variant].choices
    agreed = {name: getattr(state.choices, name) for name in usual}
    return {name: value for name, value in agreed.items() if value != usual[name][0]}


def face_up(state: State, column: int) -> tuple[int, ...]:
    """The face-up cards of a column, deepest first."""
    return state.columns[column][state.hidden[column] :]


def may_redeal(state: State) -> bool:
    """Return whether the waste may be turned over: the stock is empty, a pass is left, and the waste is more
    than one draw, as it would come again as it lies otherwise."""
    is_last = state.redeals + 1 == state.choices.most_passes
    return not state.stock and not is_last and len(state.waste) > state.choices.cards_drawn


def from_board(variant: str, board: Board, choices: Choices | None = None) -> State:
    """The state that ``board`` describes. Raises BoardError if there is no such state.

    Without foundations, face-down marks, waste and redeals it is an unplayed deal.
    """
    refuse_piles(board, "removed")
    deck = board.deck
    if (deck.copies, deck.jokers) != (1, False):
        raise BoardError("", f"{variant} is played with one deck without jokers")
    slots = fit_columns(board, len(SIZES))
    columns = tuple(tuple(slot.card for slot in column) for column in slots)
    dealt = start(variant, deck, columns, board.stock, choices)
    if _is_unplayed(board):
        _check_sizes(deck, columns)
        check_cards(deck, board.located_cards())
        return dealt
    hidden = tuple(_read_hidden(f"column {i}", column) for i, column in enumerate(slots, 1))
    state = replace(
        dealt, hidden=hidden, waste=board.waste, foundations=_read_foundations(board), redeals=board.redeals
    )
    held = [("foundations", card) for cards in foundations_of(state) for card in cards]
    check_cards(deck, held + board.located_cards())
    _check_columns(state)
    check_counts(state)
    return state


def _is_unplayed(board: Board) -> bool:
    played = board.foundations is not None or board.is_bracketed()
    return not (played or board.waste or board.redeals)


def _check_sizes(deck: Deck, columns: tuple[tuple[int, ...], ...]) -> None:
    for i, (column, size) in enumerate(zip(columns, SIZES, strict=False), 1):
        if deck.is_full and len(column) != size:
            raise BoardError(f"column {i}", f"{len(column)} cards, a deal has {size} there")


def _read_hidden(place: str, column: tuple[Slot, ...]) -> int:
    """The number of face-down cards in ``column``."""
    hidden = sum(slot.face_down for slot in column)
    for i, slot in enumerate(column):
        if slot.face_down and i >= hidden:
            raise BoardError(place, f"card {format_card(slot.card)} is face down above a face-up card")
        if slot.rank is not None:
            raise BoardError(place, f"card {format_card(slot.card)}: there are no jokers here")
    if column and hidden == len(column):
        raise BoardError(place, f"card {format_card(column[-1].card)} is the top and must lie face up")
    return hidden


def _read_foundations(board: Board) -> tuple[int, ...]:
    heights = [0] * len(SUITS)
    for suit, top in suit_tops(board).items():
        heights[suit] = parse_top(top, board.deck)
    return tuple(heights)


def _check_columns(state: State) -> None:
    """Face-up cards alternate in colour and fall by one."""
    for column in range(len(state.columns)):
        cards = face_up(state, column)
        for below, card in itertools.pairwise(cards):
            if colour_of(below) == colour_of(card) or rank_of(below) != rank_of(card) + 1:
                problem = f"card {format_card(card)} cannot lie on {format_card(below)}"
                raise BoardError(f"column {column + 1}", problem)


def check_counts(state: State) -> None:
    """No more cards face down, in the stock and in the waste than a deal has, in a full deck; no more redeals
    than the passes allow. Raises BoardError."""
    most = state.choices.most_passes
    if state.redeals and most is None:
        raise BoardError("redeals", "they are not counted where the passes are unlimited")
    if most is not None and state.redeals >= most:
        raise BoardError("redeals", f"{state.redeals} redeals are too many for {most} passes")
    if not state.deck.is_full:
        return
    left, dealt = len(state.stock) + len(state.waste), state.deck.places - sum(SIZES)
    if left > dealt:
        raise BoardError("stock", f"{left} cards, with those of the waste; a deal has {dealt}")
    hidden, limits = sorted(state.hidden), [size - 1 for size in SIZES]
    if any(count > limit for count, limit in zip(hidden, limits, strict=True)):
        found, allowed = (" ".join(map(str, counts)) for counts in (hidden, limits))
        raise BoardError("", f"columns: {found} cards face down, where a deal has {allowed} at most")


def foundations_of(state: State) -> list[list[int]]:
    """The cards of the foundations C, D, H and S."""
    return [
        [make_card(rank, suit) for rank in range(height)] for suit, height in enumerate(state.foundations)
    ]


def foundation_top(variant: str, cards: Sequence[int]) -> str:
    """The notation of boards for a foundation of ``cards``: ``9``. Raises ValueError for one that does not
    begin with the ace."""
    return top_from_ace(cards)


def to_board(state: State) -> Board:
    """The board of ``state``; an unplayed deal has no foundations and no face-down marks."""
    deck = state.deck
    unplayed = state == start(state.variant, deck, state.columns, state.stock, state.choices)
    if unplayed and not (deck.is_full and tuple(map(len, state.columns)) != SIZES):
        columns = tuple(tuple(Slot(card) for card in column) for column in state.columns)
        return Board(deck, columns, state.stock)
    return marked_board(state)


def marked_board(state: State) -> Board:
    """The board of ``state`` with its foundations and face-down marks, be it an unplayed deal or not."""
    columns = tuple(
        tuple(Slot(card, i < hidden) for i, card in enumerate(column))
        for column, hidden in zip(state.columns, state.hidden, strict=True)
    )
    tops = {name: format_top(state.foundations[SUITS.index(name)]) for name in state.deck.suits}
    return Board(state.deck, columns, state.stock, state.waste, foundations=tops, redeals=state.redeals)
