"""Base classes of states and moves, and `Board`, a position of any game between its module and the formats.

A game's module turns a `Board` into its own state and back (``from_board``, ``to_board``); `formats` turns a
board into text or JSON and back. The checks and phrases that all games share stand here, too.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import lru_cache
from importlib import import_module
from itertools import chain
from typing import NamedTuple

from .cards import JOKERS, RANKS, SUITS, Deck, format_card, parse_rank, rank_of, shown, with_article
from .deals import row_sizes

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
WRITERS = {"str": (".formats.text", "format_state"), "html": (".drawing", "draw")}
"""The functions that write states; they build on this module, and are found by name when first used."""


@dataclass(init=False, repr=False, eq=False, frozen=True)  # families have their own methods
class Position:
    """The common fields of the states of all families; a family's ``State`` adds the rest. ``variant`` is the
    name of the game, ``columns`` hold cards of ``deck`` as numbers of `cards`, the deepest first. As text it
    is its board, which `text` reads."""

    variant: str
    deck: Deck
    columns: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return self._written_by("str").removesuffix("\n")

    def _repr_html_(self) -> str:
        """The board drawn, in notebooks."""
        return self._written_by("html")

    def _written_by(self, kind: str) -> str:
        module, name = WRITERS[kind]
        text: str = getattr(import_module(module, __package__), name)(self)
        return text


@dataclass(init=False, repr=False, eq=False, frozen=True)
class Step:
    """The common fields of the moves of all families: from column ``source`` to column ``target``, which
    count from 0; a family's ``Move`` adds other places, and the rest.

    ``card`` is the deepest card that moves, where it is known: the state tells it, so that moves are equal
    with and without. `legal_moves`, `parse_move` and results name it. As text a move is what `parse_move`
    reads, with the card if it is known: ``7S 10-3``, else ``10-3``.
    """

    source: int
    target: int
    card: int | None = field(default=None, compare=False, repr=False, kw_only=True)

    def with_name(self, places: str) -> str:
        """``places`` after the name of the card, if that is known."""
        return places if self.card is None else f"{format_card(self.card)} {places}"


class Seen:
    """Base of the views of all families: a position of the game ``variant`` as a player sees it."""

    variant: str


def _are_numbers(values: tuple[object, ...]) -> bool:
    """Return whether ``values``, or the values of the tuples in it, are all of the class int."""
    kinds = set(map(type, values))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(values)))  # type: ignore[arg-type]
    return kinds <= {int}


_PLAIN: tuple[type, ...] = (int, type(None))


def difference(got: object, expected: object, kinds: tuple[type, ...] = _PLAIN) -> str | None:
    """The first place where two values of a field of a state differ, with both values, such as ``[0].rank:
    expected None, got 5``, or where they hold a value of another class than ``kinds``. None if there is no
    such place."""
    if type(got) is not type(expected):
        return f": expected {shown(expected)}, got {with_article(type(got).__name__)} {shown(got)}"
    if isinstance(got, tuple) and isinstance(expected, tuple):
        if got == expected and _are_numbers(got):
            return None
        if len(got) != len(expected):
            return f": expected {len(expected)} items, got {len(got)}"
        pairs = [(f"[{number}]", *pair) for number, pair in enumerate(zip(got, expected, strict=True))]
    elif is_dataclass(got):
        pairs = [(f".{name}", value, getattr(expected, name)) for name, value in vars(got).items()]
        kinds = (bool, str, *_PLAIN)
    elif type(got) not in kinds:
        return f": expected a whole number, got {with_article(type(got).__name__)} {shown(got)}"
    else:
        return None if got == expected else f": expected {shown(expected)}, got {shown(got)}"
    found = ((place, difference(one, other, kinds)) for place, one, other in pairs)
    return next((place + problem for place, problem in found if problem), None)


def described(value: object) -> str:
    """``a state of joker`` or the class of ``value``, for error messages."""
    return with_article(f"state of {value.variant}" if isinstance(value, Position) else type(value).__name__)


class BoardError(ValueError):
    """A position that cannot be. ``place`` says where: ``column 3``, ``stock``, or nothing for all of it."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place


class RowsError(BoardError):
    """A table that looks as if it was typed by rows."""


class Slot(NamedTuple):
    """One card of a column: face down or not; a declared joker has a rank."""

    card: int
    face_down: bool = False
    rank: int | None = None


class Board(NamedTuple):
    """A deal or position as it is written down.

    ``columns`` have the deepest card first; the first card of ``stock`` is turned next; the last of ``waste``
    is its top; ``removed`` are jokers out of play. ``foundations`` maps a suit letter to the rank on its top
    (``0`` for none, base and top as ``5:9``) and a joker to the place it fills (``3C``, or ``A`` for an open
    ace). It is None for an unplayed deal, where the layout says which cards are face down. ``redeals`` is how
    often the waste was turned over, in games that count it.
    """

    deck: Deck
    columns: tuple[tuple[Slot, ...], ...]
    stock: tuple[int, ...] = ()
    waste: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    foundations: Mapping[str, str] | None = None
    redeals: int = 0

    def is_bracketed(self) -> bool:
        """Return whether some card is marked as face down."""
        return any(slot.face_down for column in self.columns for slot in column)

    def located_cards(self) -> list[tuple[str, int]]:
        """Every written card with its place; foundation cards are not among them."""
        cells = [(f"column {i}", s.card) for i, column in enumerate(self.columns, 1) for s in column]
        piles = (("stock", self.stock), ("waste", self.waste), ("removed", self.removed))
        return cells + [(place, card) for place, pile in piles for card in pile]


@lru_cache(maxsize=64)
def card_counts(deck: Deck) -> Counter[int]:
    """The number of copies of each card in ``deck``."""
    return Counter(deck.cards())


def check_cards(deck: Deck, held: Iterable[tuple[str, int]]) -> None:
    """Demand that ``held``, pairs of place and card, is exactly ``deck``. Raises BoardError for a card that
    the deck has not, one too many, or one that is missing."""
    held = list(held)
    left = card_counts(deck)
    if Counter([card for _, card in held]) == left:
        return
    left = left.copy()
    known = set(left)
    seen: dict[int, str] = {}
    for place, card in held:
        if card not in known:
            raise BoardError(place, f"card {format_card(card)} does not belong to this deck")
        if left[card] == 0:
            raise BoardError(place, f"card {format_card(card)} once too often, it is in {seen[card]} already")
        left[card] -= 1
        seen[card] = place
    missing = [format_card(card) for card in left.elements()]
    if missing:
        raise BoardError("", f"card {missing[0]} is missing" + _and_more(missing))


def _and_more(missing: list[str]) -> str:
    others = missing[1:6]
    dots = " ..." if len(missing) > 6 else ""
    return f", and so {'is' if len(others) == 1 else 'are'} {' '.join(others)}{dots}" if others else ""


def refuse_piles(board: Board, *names: str) -> None:
    """Raise BoardError if one of the named piles, which the game does not have, holds cards."""
    for name in names:
        if getattr(board, name):
            raise BoardError(name, "this game has none")


def refuse_hidden(board: Board) -> None:
    """Raise BoardError for a face-down card or a declared joker, in games that have neither."""
    for i, column in enumerate(board.columns, 1):
        for slot in column:
            if slot.face_down or slot.rank is not None:
                raise BoardError(f"column {i}", f"card {format_card(slot.card)}: all cards lie face up here")


def fit_columns(board: Board, count: int) -> tuple[tuple[Slot, ...], ...]:
    """The columns of ``board``; those left out at the end of a full deck are empty ones. Raises BoardError if
    there are more than ``count``, or none at all."""
    if len(board.columns) > count:
        raise BoardError(f"column {count + 1}", f"this game has {count} columns")
    if not board.columns:
        raise BoardError("", "no column of cards")
    padding = count - len(board.columns) if board.deck.is_full else 0
    return board.columns + ((),) * padding


def wrong_sizes(
    dealt: Sequence[int], found: Sequence[int], marking: str, was_by_rows: bool = False
) -> BoardError:
    """The error for a table that is not marked as a position in play and has columns of the sizes ``found``,
    where a deal has the sizes ``dealt``; a RowsError if they are those of the rows of a deal. ``marking``
    says how to mark a position in play. The way to read rows is named unless the table ``was_by_rows``."""
    sizes = list(found)
    while sizes and not sizes[-1]:
        sizes.pop()
    expected, got = (" ".join(map(str, each)) for each in (dealt, sizes))
    problem = f"expected columns of {expected} cards, got {got}"
    if was_by_rows:
        return BoardError("", f"{problem}; {marking}")
    if tuple(sizes) == row_sizes(dealt):
        rows = "these are the rows of a fresh deal: read them with --by rows"
        return RowsError("", f"{problem}; {rows}; {marking}")
    return BoardError("", f"{problem}; {marking}; for a table typed by rows use --by rows")


def suit_tops(board: Board) -> dict[int, str]:
    """The text of ``board.foundations`` for each suit of the deck; ``0`` where it says nothing. Raises
    BoardError for a suit, or the name of a joker, that the deck has not."""
    written = board.foundations or {}
    jokers = map(format_card, JOKERS) if board.deck.jokers else ()
    known = {*board.deck.suits, *jokers}
    for name in written:
        if name not in known:
            raise BoardError("foundations", f"{shown(name)}: no such suit in this deck")
    return {SUITS.index(name): written.get(name, "0") for name in board.deck.suits}


def parse_top(text: str, deck: Deck) -> int:
    """The number of cards up to the rank named by ``text`` (``0`` for none), building from the ace. Raises
    BoardError for a rank that the deck has not."""
    if text == "0":
        return 0
    try:
        rank = parse_rank(text)
    except ValueError as error:
        raise BoardError("foundations", f"rank {error}") from None
    if rank >= deck.ranks:
        raise BoardError("foundations", f"rank {shown(text)}: this deck ends at {RANKS[deck.ranks - 1]}")
    return rank + 1


def top_from_ace(cards: Sequence[int]) -> str:
    """The notation for a foundation of ``cards`` from the ace on. Raises ValueError for any other."""
    if rank_of(cards[0]):
        raise ValueError(f"foundations: card {format_card(cards[0])} is no ace")
    return format_top(len(cards))


def format_top(count: int) -> str:
    """The rank on top of a foundation of ``count`` cards built from the ace; ``0`` for none."""
    return RANKS[count - 1] if count else "0"


def pile(kind: str, name: str, cards: Iterable[str], note: str = "") -> dict[str, str]:
    """A place beside the columns as `picture` shows it: its ``kind`` (stock, waste, foundation, runs or
    joker), its ``name``, its ``cards`` with the topmost last, and a ``note``."""
    return {"kind": kind, "name": name, "cards": " ".join(cards), "note": note}


def cards_text(cards: Sequence[int]) -> str:
    """Cards that move together: ``7S``, ``7S to 5S``."""
    return format_card(cards[0]) + (f" to {format_card(cards[-1])}" if len(cards) > 1 else "")


def column_text(state: Position, column: int) -> str:
    """``column 3``, or ``empty column 3``."""
    return f"column {column + 1}" if state.columns[column] else f"empty column {column + 1}"
