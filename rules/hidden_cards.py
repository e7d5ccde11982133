"""Positions, boards and moves that Klondike and Joker share: face-down cards, a stock and a waste.

The columns of a deal have 1 2 3 4 5 6 7 cards, the top one face up; the foundations are built up in suit from
the ace. The first card of the stock is turned next, the last of the waste is its top.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import le
from typing import TypeVar

from .board import (
    Board,
    BoardError,
    Position,
    Slot,
    format_top,
    parse_top,
    pile,
    suit_tops,
    top_from_ace,
    wrong_sizes,
)
from .cards import (
    JOKERS,
    RANKS,
    SUITS,
    UNKNOWN,
    Deck,
    colour_of,
    format_card,
    is_joker,
    make_card,
    parse_card,
)
from .choices import SIZES

STOCK, WASTE, FOUNDATION, OUT, IN_PLACE = -1, -2, -3, -4, -5
PLACES = {"s": STOCK, "w": WASTE, "f": FOUNDATION, "x": OUT}
_NAMES = {place: name for name, place in PLACES.items()}


@dataclass(init=False, repr=False, eq=False, frozen=True)
class HiddenPosition(Position):
    """A position of a game with hidden cards. ``hidden`` has the number of face-down cards at the bottom of
    each column, ``foundations`` the number of places filled for each suit C, D, H, S."""

    hidden: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...] = ()
    foundations: tuple[int, ...] = (0, 0, 0, 0)

    @property
    def is_stock_known(self) -> bool:
        """Return whether a player who began with the deal has seen every card of the stock."""
        return not self.stock


S = TypeVar("S", bound=HiddenPosition)


# --- Positions ------------------------------------------------------------------------------------------


def face_up(state: HiddenPosition, column: int) -> tuple[int, ...]:
    """The face-up cards of a column, deepest first."""
    return state.columns[column][state.hidden[column] :]


def hidden_of_deal(columns: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The number of face-down cards in each of the ``columns`` before the first move: all but the top
    card."""
    return tuple(max(0, len(column) - 1) for column in columns)


def foundations_of(state: HiddenPosition) -> list[list[int]]:
    """The cards of the foundations C, D, H and S, with jokers as the cards they stand for and without open
    aces."""
    return [
        [make_card(rank, suit) for rank in range(height)] for suit, height in enumerate(state.foundations)
    ]


def with_height(state: S, suit: int, more: int) -> S:
    """Return ``state`` with ``more`` more cards on the foundation of ``suit``."""
    heights = list(state.foundations)
    heights[suit] += more
    return replace(state, foundations=tuple(heights))


# --- Moves ----------------------------------------------------------------------------------------------


def taken_up(state: HiddenPosition, source: int, count: int) -> tuple[int, ...]:
    """The top ``count`` cards of the waste or of a column, deepest first; empty if they are not face up."""
    if source == WASTE:
        cards = state.waste[-1:]
    elif 0 <= source < len(state.columns):
        cards = face_up(state, source)
    else:
        return ()
    return cards[-count:] if 1 <= count <= len(cards) else ()


def without(state: S, source: int, count: int) -> S:
    """``state`` without the top ``count`` cards of the waste or of a column."""
    if source == WASTE:
        return replace(state, waste=state.waste[:-1])
    columns = list(state.columns)
    columns[source] = columns[source][:-count]
    return replace(state, columns=tuple(columns))


def place_name(place: int) -> str:
    """The notation of a place in moves: ``s``, ``w``, ``f``, ``x`` or the number of a column."""
    return _NAMES.get(place, str(place + 1))


def parse_place(text: str) -> int:
    """Return the place that a notation names, the inverse of `place_name`. Text after a letter is ignored."""
    return PLACES[text[0]] if text[0] in PLACES else int(text) - 1


def count_from(state: HiddenPosition, source: int, card: int, top: tuple[int, ...]) -> int:
    """Return the number of cards moved from ``source`` if ``card`` is the deepest of them. Outside columns it
    must be the ``top``. Raises ValueError if it does not lie there."""
    if source >= len(state.columns):
        raise ValueError(f"there is no column {source + 1}")
    if source >= 0:
        cards = face_up(state, source)
        if card not in cards:
            raise ValueError(f"{format_card(card)} does not lie face up in column {source + 1}")
        return len(cards) - cards.index(card)
    place = {STOCK: "draw" if top else "stock", WASTE: "waste", FOUNDATION: "foundation"}[source]
    if card not in top:
        raise ValueError(f"the {place} " + (f"shows {format_card(top[0])}" if top else "is empty"))
    return 1


def source_text(source: int) -> str:
    """``the waste``, or ``column 3``."""
    return "the waste" if source == WASTE else f"column {source + 1}"


def turned_cards(before: HiddenPosition, after: HiddenPosition) -> list[int]:
    """The cards that a move turned up in the columns."""
    return [
        before.columns[column][left]
        for column, (hidden, left) in enumerate(zip(before.hidden, after.hidden, strict=True))
        if left < hidden
    ]


def turned_up_text(before: HiddenPosition, after: HiddenPosition) -> list[str]:
    """The cards that a move turned up in the columns, in words."""
    return [
        f"{format_card(before.columns[column][left])} is turned up in column {column + 1}"
        for column, (hidden, left) in enumerate(zip(before.hidden, after.hidden, strict=True))
        if left < hidden
    ]


def stock_and_waste(state: HiddenPosition, note: str = "") -> list[dict[str, str]]:
    """The piles of the stock, with a ``note`` after its number of cards, and of the waste."""
    stock = [f"<{format_card(card)}>" for card in reversed(state.stock)]
    waste = ["<??>" if card == UNKNOWN else format_card(card) for card in state.waste]
    return [
        pile("stock", "stock", stock, f"{len(stock)}{note}"),
        pile("waste", "waste", waste, str(len(state.waste))),
    ]


# --- Boards ---------------------------------------------------------------------------------------------


def is_unplayed(board: Board) -> bool:
    """Return whether ``board`` is an unplayed deal: it has no foundations, marks, declared jokers, waste,
    removed jokers or redeals."""
    declared = any(slot.rank is not None for column in board.columns for slot in column)
    played = board.foundations is not None or board.is_bracketed() or declared
    return not (played or board.waste or board.removed or board.redeals)


def check_sizes(deck: Deck, columns: tuple[tuple[int, ...], ...]) -> None:
    """Raise BoardError unless the columns of a full deck are those of a deal."""
    found = tuple(map(len, columns))
    if deck.is_full and found != SIZES:
        marking = "a position in play has Foundations, and its face-down cards are written <7H>"
        raise wrong_sizes(SIZES, found, marking)


def read_hidden(place: str, column: tuple[Slot, ...], deck: Deck) -> int:
    """The number of face-down cards in ``column``. Raises BoardError."""
    hidden = sum(slot.face_down for slot in column)
    for i, slot in enumerate(column):
        name = f"card {format_card(slot.card)}"
        if slot.face_down and i >= hidden:
            raise BoardError(place, f"{name} is face down above a face-up card")
        if slot.rank is not None and (slot.face_down or not is_joker(slot.card)):
            raise BoardError(place, f"{name}: only a face-up joker is declared")
        if slot.rank is not None and not 0 <= slot.rank < deck.ranks:
            raise BoardError(place, f"{name}: this deck ends at {RANKS[deck.ranks - 1]}")
    if column and hidden == len(column):
        raise BoardError(place, f"card {format_card(column[-1].card)} is the top and must lie face up")
    return hidden


def check_foundations(state: HiddenPosition) -> None:
    """Raise BoardError unless the heights of the foundations are possible with the deck."""
    for suit, height in enumerate(state.foundations):
        most = state.deck.ranks if SUITS[suit] in state.deck.suits else 0
        if not 0 <= height <= most:
            raise BoardError("foundations", f"{SUITS[suit]}: expected at most {most} cards, got {height}")


def check_depths(state: HiddenPosition) -> None:
    """Raise BoardError unless each column that holds cards has a face-up card."""
    for i, (column, hidden) in enumerate(zip(state.columns, state.hidden, strict=True), 1):
        if not 0 <= hidden <= max(0, len(column) - 1):
            raise BoardError(f"column {i}", f"{hidden} of {len(column)} cards face down")


def check_columns(state: HiddenPosition, rank_of: Callable[[int], int | None]) -> None:
    """Raise BoardError unless an undeclared joker, which has no rank, lies alone (I1), and the other face-up
    cards of each column alternate in colour and descend by one rank (I2)."""
    for column in range(len(state.columns)):
        cards, place = face_up(state, column), f"column {column + 1}"
        ranks = [rank_of(card) for card in cards]
        for i, (card, rank) in enumerate(zip(cards, ranks, strict=True)):
            if rank is None and len(cards) > 1:
                raise BoardError(place, f"card {format_card(card)} is undeclared and must lie alone")
            if i and (colour_of(card) == colour_of(cards[i - 1]) or rank != (ranks[i - 1] or 0) - 1):
                below = format_card(cards[i - 1])
                hint = "" if any(state.hidden) else f"; a card face down is written <{below}>"
                raise BoardError(place, f"card {format_card(card)} cannot lie on {below}{hint}")


def read_foundations(board: Board) -> tuple[int, ...]:
    """The heights of the foundations C, D, H and S. Raises BoardError."""
    heights = [0] * len(SUITS)
    for suit, top in suit_tops(board).items():
        heights[suit] = parse_top(top, board.deck)
    return tuple(heights)


def foundation_top(variant: str, cards: Sequence[int]) -> str:
    """The notation for a foundation of ``cards``: ``9``. Raises ValueError unless the ace is first."""
    return top_from_ace(cards)


def board_of_deal(state: HiddenPosition, dealt: HiddenPosition) -> Board | None:
    """The board of ``state`` without foundations and marks, if it is the position ``dealt``, before any move;
    else None."""
    deck = state.deck
    if state != dealt or (deck.is_full and tuple(map(len, state.columns)) != SIZES):
        return None
    return Board(deck, tuple(tuple(Slot(card) for card in column) for column in state.columns), state.stock)


def board_of_position(state: HiddenPosition, rank_of: Callable[[int], int | None]) -> Board:
    """Return the board of ``state`` with foundations and marks; ``rank_of`` returns the rank that a joker is
    declared as, None for other cards."""
    columns = tuple(
        tuple(Slot(card, i < hidden, rank_of(card)) for i, card in enumerate(column))
        for column, hidden in zip(state.columns, state.hidden, strict=True)
    )
    tops = {name: format_top(state.foundations[SUITS.index(name)]) for name in state.deck.suits}
    return Board(state.deck, columns, state.stock, state.waste, foundations=tops)


def hidden_problem(state: HiddenPosition) -> str | None:
    """Return the reason why the numbers of face-down cards of ``state`` cannot occur in play, None if they
    can. The order of the columns is ignored, since columns are interchangeable."""
    found, dealt = sorted(state.hidden), [size - 1 for size in SIZES]
    if all(map(le, found, dealt)):
        return None
    texts = [" ".join(map(str, counts)) for counts in (found, dealt)]
    return f"columns: {texts[0]} cards face down, where a deal has {texts[1]} at most"


def cards_below(foundations: Sequence[int]) -> set[int]:
    """Return the cards on foundations of the heights ``foundations``."""
    return {make_card(rank, suit) for suit, height in enumerate(foundations) for rank in range(height)}


def joker_place(board: Board, joker: int) -> int | None:
    """The natural whose place on the foundations of ``board`` a ``joker`` fills, `cards.UNKNOWN` for an open
    ace, None if the joker is not there. Raises BoardError."""
    place = (board.foundations or {}).get(format_card(joker))
    if place is None:
        return None
    try:
        return UNKNOWN if place.upper() == "A" else parse_card(place)
    except ValueError as error:
        raise BoardError("foundations", f"{format_card(joker)}: {error}") from None


def cards_up(board: Board) -> list[int]:
    """The cards that lie on the foundations of ``board``, naturals and jokers. Raises BoardError."""
    up = cards_below(read_foundations(board))
    places = {joker: joker_place(board, joker) for joker in JOKERS}
    jokers = [joker for joker, place in places.items() if place is not None]
    return sorted(up.difference(places.values())) + jokers


def uncovered_place(state: HiddenPosition, source: int, count: int) -> tuple[int, int] | None:
    """The column and depth of the card that is turned up when ``count`` cards leave ``source``, or None."""
    if source < 0 or not state.hidden[source] or count < len(face_up(state, source)):
        return None
    return source, state.hidden[source] - 1
