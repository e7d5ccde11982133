"""Base classes of states and moves, and `Board`, a position of any game between its module and the formats.

A game's module converts a `Board` to its own state and back (``from_board``, ``to_board``); `formats`
converts a board to text or JSON and back. Checks and phrases that all games share are here, too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from .cards import JOKERS, RANKS, SUITS, UNKNOWN, Deck, format_card, parse_rank, rank_of, shown, with_article
from .deals import row_sizes
from .remedies import BY_ROWS, MendableError

if TYPE_CHECKING:
    from .answers import Told

S = TypeVar("S", bound="Position")

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Services(NamedTuple):
    """The functions by which a state knows its game, reads and explains its moves, and is written. Their
    modules import this one, so the package gives them to `Position` when it is imported."""

    find_variant: Callable[[str], Any]
    read_move: Callable[[Any, Any, str], Any]
    move_keys: Callable[[Any, Any, Any], "Told"]
    format_state: Callable[[Any], str]
    draw: Callable[[Any], str]


@dataclass(init=False, repr=False, eq=False, frozen=True)  # families have their own methods
class Position:
    """The common fields of the states of all families; a family's ``State`` adds the rest. ``variant`` is the
    name of the game. ``columns`` hold cards of ``deck``, numbered as in `cards`, the deepest first. ``str``
    of a state is its board as text, with its seed, which `formats.text` reads."""

    variant: str
    deck: Deck
    columns: tuple[tuple[int, ...], ...]

    services: ClassVar[Services]

    if TYPE_CHECKING:

        @property
        def choices(self) -> Any:
            """The values of the rule options, as attributes; None in families that have none."""

    else:
        choices = None

    @property
    def seed(self) -> int | None:
        """The seed that the state was dealt from; None after moves, and if it is not known. It is ignored
        when states are compared."""
        return self.__dict__.get("_seed")

    def legal_moves(self) -> list[Any]:
        """All legal moves."""
        return self._family().legal_moves(self)  # type: ignore[no-any-return]

    def apply(self, move: Any) -> Any:
        """The state after a move, or after one written as text, such as ``7S 10-f`` or ``7S f``. Raises
        ValueError if it is illegal or no move of this game."""
        return self._family().apply(self, self._read(move))

    @property
    def is_won(self) -> bool:
        """True if all cards are up, in a game with tiers too: the score says which tiers are reached."""
        return bool(self._family().is_won(self))

    def describe(self, move: Any) -> "Told":
        """A legal move, or one as text, in words and in parts: see `move_text.move_keys`."""
        return self.services.move_keys(self._game(), self, self._read(move))

    def _read(self, move: Any) -> Any:
        """``move``, or the move that it names if it is text. Raises ValueError for anything else."""
        if isinstance(move, str):
            return self.services.read_move(self._game(), self, move)
        if not isinstance(move, self._family().Move):
            got = "one of another game" if isinstance(move, Step) else with_article(type(move).__name__)
            raise ValueError(f"expected a move of {self.variant}, as it is or as text, got {got}")
        return move

    def _game(self) -> Any:
        return self.services.find_variant(self.variant)

    def _family(self) -> Any:
        return self._game().family

    def __repr__(self) -> str:
        lines = [line for line in str(self).splitlines() if not line.startswith("#")]
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"<{self.variant}{seed}: {' | '.join(lines)}>"

    def __str__(self) -> str:
        return self.services.format_state(self).removesuffix("\n")

    def _repr_html_(self) -> str:
        """The board drawn, in notebooks."""
        return self.services.draw(self)


@dataclass(init=False, repr=False, eq=False, frozen=True)
class Step:
    """The common fields of the moves of all families: from column ``source`` to column ``target``, counted
    from 0. A family's ``Move`` adds other places and fields.

    ``card`` is the deepest card that moves, or None if not given. The state determines it, so it is ignored
    when moves are compared. Moves from `legal_moves`, `parse_move` and results have it. ``str`` of a move is
    the text that `parse_move` reads, with the card if it is given: ``7S 10-3``, else ``10-3``.
    """

    source: int
    target: int
    card: int | None = field(default=None, compare=False, repr=False, kw_only=True)

    def with_name(self, places: str) -> str:
        """Return ``places``, the move without its card, preceded by the name of the card if that is given."""
        return places if self.card is None else f"{format_card(self.card)} {places}"

    @property
    def places(self) -> tuple[str, str]:
        """The places that the move takes cards from and to, as in its text: ``10`` and ``f``; for a joker
        declared in its place twice that one."""
        source, _, target = str(self).rpartition(" ")[2].partition("-")
        return (source, target) if target else (source.partition("=")[0],) * 2

    def __repr__(self) -> str:
        return f"<move {self}>"


def with_seed(state: S, seed: int | None) -> S:
    """Return ``state`` with its ``seed`` set, see `Position.seed`."""
    if seed is not None:
        object.__setattr__(state, "_seed", seed)
    return state


def has_unknown(state: Any) -> bool:
    """Return whether ``state`` is a table, a state with `cards.UNKNOWN` in the places of unknown cards: see
    `tables`. False for anything else, and in games without hidden cards."""
    try:
        return UNKNOWN in state.stock or UNKNOWN in state.waste or UNKNOWN in chain(*state.columns)
    except (AttributeError, TypeError):
        return False


def _are_numbers(values: tuple[object, ...]) -> bool:
    """Return whether ``values``, or the values of the tuples in it, are all of the class int."""
    kinds = set(map(type, values))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(values)))  # type: ignore[arg-type]
    return kinds <= {int}


_PLAIN: tuple[type, ...] = (int, type(None))


def difference(got: object, expected: object, kinds: tuple[type, ...] = _PLAIN) -> str | None:
    """Return the first difference between two values of a field of a state, such as ``[0].rank: expected
    None, got 5``, or the first value whose class is not among ``kinds``. Returns None if there is neither."""
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


class BoardError(MendableError):
    """An invalid position. ``place`` is where the fault is, such as ``column 3`` or ``stock``, or empty."""

    def __init__(self, place: str, problem: str, *remedies: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem, *remedies)
        self.place = place


class RowsError(BoardError):
    """A table that looks as if it was typed by rows."""


class SizesError(BoardError):
    """A table with columns of other sizes than a deal, which is not marked as a position in play."""


class Slot(NamedTuple):
    """One card of a column. ``rank`` is that of a declared joker, otherwise None."""

    card: int
    face_down: bool = False
    rank: int | None = None


class Board(NamedTuple):
    """A deal or position as it is written down.

    ``columns`` have the deepest card first; the first card of ``stock`` is turned next; the last of ``waste``
    is its top; ``removed`` are jokers out of play. ``foundations`` maps a suit letter to the rank on top of
    its foundation (``0`` if empty, base and top as ``5:9``) and a joker to the place it fills (``3C``, or
    ``A`` for an open ace). It is None for an unplayed deal, in which the layout determines the face-down
    cards. ``redeals`` is the number of times that the waste was turned over, in games that count it.
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
        """Return every card of columns, stock, waste and removed jokers, with its place."""
        cells = [(f"column {i}", s.card) for i, column in enumerate(self.columns, 1) for s in column]
        piles = (("stock", self.stock), ("waste", self.waste), ("removed", self.removed))
        return cells + [(place, card) for place, pile in piles for card in pile]


@lru_cache(maxsize=64)
def card_counts(deck: Deck) -> Counter[int]:
    """The number of copies of each card in ``deck``."""
    return Counter(deck.cards())


def check_cards(deck: Deck, held: Iterable[tuple[str, int]]) -> None:
    """Raise BoardError unless ``held``, pairs of place and card, are exactly the cards of ``deck``. The error
    names a card that the deck lacks, one too many, or one that is missing."""
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
            raise BoardError(place, f"duplicate card {format_card(card)} (also in {seen[card]})")
        left[card] -= 1
        seen[card] = place
    missing = [format_card(card) for card in left.elements()]
    if missing:
        dots = " ..." if len(missing) > 6 else ""
        raise BoardError("", f"missing card{'s' * (len(missing) > 1)}: {' '.join(missing[:6])}{dots}")


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
    """Return the columns of ``board``, with a full deck padded by empty ones to ``count``. Raises BoardError
    if there are more than ``count``, or no columns."""
    if len(board.columns) > count:
        raise BoardError(f"column {count + 1}", f"this game has {count} columns")
    if not board.columns:
        raise BoardError("", "no column of cards")
    padding = count - len(board.columns) if board.deck.is_full else 0
    return board.columns + ((),) * padding


def wrong_sizes(
    dealt: Sequence[int], found: Sequence[int], marking: str, was_by_rows: bool = False
) -> BoardError:
    """Return the error for a table not marked as a position in play whose columns have the sizes ``found``
    instead of ``dealt``: a RowsError if these are the sizes of the rows of a deal. ``marking`` says how to
    mark a position in play. Reading the table by rows is a remedy unless it ``was_by_rows``."""
    sizes = list(found)
    while sizes and not sizes[-1]:
        sizes.pop()
    expected, got = (" ".join(map(str, each)) for each in (dealt, sizes))
    problem = f"expected columns of {expected} cards, got {got}"
    if was_by_rows:
        return SizesError("", f"{problem}; {marking}")
    if tuple(sizes) == row_sizes(dealt):
        return RowsError("", f"{problem}; these are the rows of a fresh deal; {marking}", BY_ROWS)
    return SizesError("", f"{problem}; {marking}; perhaps the table was typed by rows", BY_ROWS)


def suit_tops(board: Board) -> dict[int, str]:
    """Return the text of ``board.foundations`` for each suit of the deck, ``0`` if it has none. Raises
    BoardError for a suit, or the name of a joker, that the deck lacks."""
    written = board.foundations or {}
    jokers = map(format_card, JOKERS) if board.deck.jokers else ()
    known = {*board.deck.suits, *jokers}
    for name in written:
        if name not in known:
            raise BoardError("foundations", f"{shown(name)}: this deck has no such suit")
    return {SUITS.index(name): written.get(name, "0") for name in board.deck.suits}


def parse_top(text: str, deck: Deck) -> int:
    """Return the number of cards from the ace to the rank named by ``text``, 0 for ``0``. Raises BoardError
    for a rank that the deck lacks."""
    if text == "0":
        return 0
    try:
        rank = parse_rank(text)
    except ValueError as error:
        raise BoardError("foundations", str(error)) from None
    if rank >= deck.ranks:
        raise BoardError("foundations", f"rank {shown(text)}: this deck ends at {RANKS[deck.ranks - 1]}")
    return rank + 1


def top_from_ace(cards: Sequence[int]) -> str:
    """Return the notation for a foundation of ``cards``. Raises ValueError unless the first is an ace."""
    if rank_of(cards[0]):
        raise ValueError(f"foundations: card {format_card(cards[0])} is not an ace")
    return format_top(len(cards))


def format_top(count: int) -> str:
    """The rank on top of a foundation of ``count`` cards built from the ace; ``0`` for none."""
    return RANKS[count - 1] if count else "0"


JOKER_PLACE = "joker"
"""The kind of the places of jokers beside the columns."""


def pile(kind: str, name: str, cards: Iterable[str], note: str = "") -> dict[str, str]:
    """Return a place other than a column in the form of `picture`: its ``kind`` (stock, waste, foundation,
    runs or joker), its ``name``, its ``cards`` with the topmost last, and a ``note``."""
    return {"kind": kind, "name": name, "cards": " ".join(cards), "note": note}


def cards_text(cards: Sequence[int]) -> str:
    """Cards that move together: ``7S``, ``7S-5S``."""
    return format_card(cards[0]) + (f"-{format_card(cards[-1])}" if len(cards) > 1 else "")


def column_text(state: Position, column: int) -> str:
    """``column 3``, or ``empty column 3``."""
    return f"column {column + 1}" if state.columns[column] else f"empty column {column + 1}"
