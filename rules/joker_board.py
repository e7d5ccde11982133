"""The positions of Joker and Klondike in one pass and their boards; the rules are in `joker`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
from .cards import (
    JOKERS,
    RANKS,
    SUITS,
    Deck,
    colour_of,
    format_card,
    is_joker,
    make_card,
    parse_card,
    rank_of,
    shown,
    suit_of,
    suits_of_colour,
)
from .variants import VARIANTS

SIZES = (1, 2, 3, 4, 5, 6, 7)
CHOICES = VARIANTS["joker"].choices


@dataclass(frozen=True)
class Joker:
    """The condition of a joker: at most one field is set; none in the stock, in the waste, face down or
    undeclared.

    ``rank`` is the rank declared in a column; ``place`` the natural whose foundation place the joker fills.
    """

    rank: int | None = None
    place: int | None = None
    is_open_ace: bool = False
    is_out: bool = False


UNDECLARED, OPEN_ACE, OUT_OF_PLAY = Joker(), Joker(is_open_ace=True), Joker(is_out=True)


@dataclass(frozen=True)
class Choices:
    """Choices of rules that players may agree on; part of the game, as the deal is.

    ``exchange``: a natural in the waste changes places with its joker whenever it is its top (``exposed``) or
    only at the moment when it is turned (``turned``). ``removal``: what may be put out of play are
    ``undeclared`` jokers on top of a column or of the waste, or declared ones on top of a column too
    (``exposed``). Raises ValueError for other values.
    """

    exchange: str = "exposed"
    removal: str = "undeclared"

    def __post_init__(self) -> None:
        for name, values in CHOICES.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name} {shown(getattr(self, name))}: expected {' or '.join(values)}")

    def changed(self) -> dict[str, str]:
        """The choices that are not the usual ones, by name."""
        return {name: value for name in CHOICES if (value := getattr(self, name)) != CHOICES[name][0]}


USUAL = Choices()


@dataclass(frozen=True)
class State(Position):
    """A position. ``hidden`` counts the face-down cards at the bottom of each column, ``foundations`` the
    places filled of each suit C, D, H, S, by jokers too, but an open ace is not among them. ``jokers`` are
    the conditions of XB and XR. The first card of ``stock`` is turned next, the last of ``waste`` is its top.
    """

    hidden: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...] = ()
    foundations: tuple[int, ...] = (0, 0, 0, 0)
    jokers: tuple[Joker, Joker] = (UNDECLARED, UNDECLARED)
    choices: Choices = USUAL


def start(
    variant: str,
    deck: Deck,
    columns: tuple[tuple[int, ...], ...],
    stock: tuple[int, ...] = (),
    choices: Choices = USUAL,
) -> State:
    """The state before the first move: the top card of each column is face up.

    Raises ValueError for unusual choices in a game without jokers, where they mean nothing.
    """
    if choices != USUAL and variant != "joker":
        raise ValueError(f"{next(iter(choices.changed()))}: {variant} has no such choice")
    hidden = tuple(max(0, len(column) - 1) for column in columns)
    return State(variant, deck, columns, hidden, stock, choices=choices)


def choices_of(state: State) -> dict[str, str]:
    """The rules agreed on that are not the usual ones, by name."""
    return state.choices.changed()


def face_up(state: State, column: int) -> tuple[int, ...]:
    """The face-up cards of a column, deepest first."""
    return state.columns[column][state.hidden[column] :]


def effective_rank(state: State, card: int) -> int | None:
    """The rank of a natural or of a declared joker; None for an undeclared joker."""
    return state.jokers[colour_of(card)].rank if is_joker(card) else rank_of(card)


def is_up(state: State, natural: int) -> bool:
    """Return whether the foundation place of ``natural`` is filled, or it lies face up in a column."""
    if rank_of(natural) < state.foundations[suit_of(natural)]:
        return True
    return any(natural in cards[hidden:] for cards, hidden in zip(state.columns, state.hidden, strict=True))


def not_up(state: State, colour: int, rank: int) -> tuple[int, ...]:
    """The naturals that a joker of ``colour`` would stand for as ``rank``; if none, it is barred from it."""
    if not 0 <= rank < state.deck.ranks:
        return ()
    naturals = [make_card(rank, suit) for suit in suits_of_colour(colour, state.deck.suits)]
    return tuple(natural for natural in naturals if not is_up(state, natural))


def stands_for(state: State, colour: int) -> tuple[int, ...]:
    """The naturals that the joker of ``colour`` stands for."""
    joker = state.jokers[colour]
    if joker.place is not None:
        return (joker.place,)
    if joker.is_open_ace:
        return not_up(state, colour, 0)
    return () if joker.rank is None else not_up(state, colour, joker.rank)


def from_board(variant: str, board: Board, choices: Choices = USUAL) -> State:
    """The state that ``board`` describes. Raises BoardError if there is no such state.

    Raises ValueError for choices that the variant has not.

    Without foundations, face-down marks, declared ranks, waste and removed cards it is an unplayed deal.
    """
    deck = board.deck
    if deck.jokers != (variant == "joker"):
        raise BoardError("", f"{variant} is played {'without' if deck.jokers else 'with'} jokers")
    refuse_piles(board, "redeals")
    for card in board.removed:
        if not is_joker(card):
            raise BoardError("removed", f"card {format_card(card)} is no joker")
    slots = fit_columns(board, len(SIZES))
    columns = tuple(tuple(slot.card for slot in column) for column in slots)
    if _is_unplayed(board):
        _check_sizes(deck, columns)
        check_cards(deck, board.located_cards())
        return start(variant, deck, columns, board.stock, choices)
    state = replace(
        start(variant, deck, columns, board.stock, choices),
        hidden=tuple(_read_hidden(f"column {i}", column, deck) for i, column in enumerate(slots, 1)),
        waste=board.waste,
        foundations=_read_foundations(board),
        jokers=(_read_joker(board, JOKERS[0]), _read_joker(board, JOKERS[1])),
    )
    check_position(state)
    return state


def check_position(state: State) -> None:
    """Raise BoardError unless ``state`` is a position of its game: the cards of its deck, each once, on
    foundations of the deck; face-up cards that can lie so; jokers in conditions that they can be in."""
    _check_foundations(state)
    held = [("foundations", card) for card in _cards_on_foundations(state)]
    held += [(f"column {i}", card) for i, column in enumerate(state.columns, 1) for card in column]
    held += [("stock", card) for card in state.stock] + [("waste", card) for card in state.waste]
    held += [("removed", card) for card, joker in zip(JOKERS, state.jokers, strict=True) if joker.is_out]
    check_cards(state.deck, held)
    _check_depths(state)
    _check_columns(state)
    for card in JOKERS:
        _check_joker(state, card)


def _check_foundations(state: State) -> None:
    for suit, height in enumerate(state.foundations):
        most = state.deck.ranks if SUITS[suit] in state.deck.suits else 0
        if not 0 <= height <= most:
            raise BoardError("foundations", f"{SUITS[suit]}: expected at most {most} cards, got {height}")


def _check_depths(state: State) -> None:
    """Demand a face-up card on each column that holds cards."""
    for i, (column, hidden) in enumerate(zip(state.columns, state.hidden, strict=True), 1):
        if not 0 <= hidden <= max(0, len(column) - 1):
            raise BoardError(f"column {i}", f"{hidden} of {len(column)} cards face down")


def _is_unplayed(board: Board) -> bool:
    declared = any(slot.rank is not None for column in board.columns for slot in column)
    played = board.foundations is not None or board.is_bracketed() or declared
    return not (played or board.waste or board.removed)


def _check_sizes(deck: Deck, columns: tuple[tuple[int, ...], ...]) -> None:
    for i, (column, size) in enumerate(zip(columns, SIZES, strict=False), 1):
        if deck.is_full and len(column) != size:
            raise BoardError(f"column {i}", f"{len(column)} cards, a deal has {size} there")


def _read_hidden(place: str, column: tuple[Slot, ...], deck: Deck) -> int:
    """The number of face-down cards in ``column``."""
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


def _read_foundations(board: Board) -> tuple[int, ...]:
    heights = [0] * len(SUITS)
    for suit, top in suit_tops(board).items():
        heights[suit] = parse_top(top, board.deck)
    return tuple(heights)


def _read_joker(board: Board, card: int) -> Joker:
    place = (board.foundations or {}).get(format_card(card))
    if place is not None:
        try:
            return OPEN_ACE if place.upper() == "A" else Joker(place=parse_card(place))
        except ValueError as error:
            raise BoardError("foundations", f"card {format_card(card)} as {error}") from None
    if card in board.removed:
        return OUT_OF_PLAY
    ranks = [slot.rank for column in board.columns for slot in column if slot.card == card]
    return Joker(rank=ranks[0]) if ranks else UNDECLARED


def foundations_of(state: State) -> list[list[int]]:
    """The cards of the foundations C, D, H and S, jokers as the cards they stand for; no open ace."""
    return [
        [make_card(rank, suit) for rank in range(height)] for suit, height in enumerate(state.foundations)
    ]


def foundation_top(variant: str, cards: Sequence[int]) -> str:
    """The notation of boards for a foundation of ``cards``: ``9``. Raises ValueError for one that does not
    begin with the ace."""
    return top_from_ace(cards)


def _cards_on_foundations(state: State) -> list[int]:
    places = {joker.place for joker in state.jokers}
    naturals = [card for cards in foundations_of(state) for card in cards]
    jokers = [c for c, j in zip(JOKERS, state.jokers, strict=True) if j.is_open_ace or j.place is not None]
    return [card for card in naturals if card not in places] + jokers


def _check_columns(state: State) -> None:
    """I1: an undeclared joker lies alone. I2: face-up cards alternate in colour and fall by one."""
    for column in range(len(state.columns)):
        cards, place = face_up(state, column), f"column {column + 1}"
        ranks = [effective_rank(state, card) for card in cards]
        for i, (card, rank) in enumerate(zip(cards, ranks, strict=True)):
            if rank is None and len(cards) > 1:
                raise BoardError(place, f"card {format_card(card)} is undeclared and must lie alone")
            if i and (colour_of(card) == colour_of(cards[i - 1]) or rank != (ranks[i - 1] or 0) - 1):
                raise BoardError(place, f"card {format_card(card)} cannot lie on {format_card(cards[i - 1])}")


def _check_joker(state: State, card: int) -> None:
    """I3: what a joker stands for is neither up nor on top of the waste, and there is such a card.

    Where only turned cards change places, it may have been played from the waste to where it is.
    """
    colour, name = colour_of(card), f"card {format_card(card)}"
    joker, standing = state.jokers[colour], stands_for(state, colour)
    if joker != UNDECLARED and not state.deck.jokers:
        raise BoardError("", f"{name} is not of this deck")
    if joker.rank is not None and _place_of(state, card) == "foundations":
        raise BoardError("", f"{name} is declared and does not lie face up in a column")
    if joker.place is not None:
        _check_place(state, card, joker.place)
    if state.choices.exchange == "turned":
        return
    if joker.place is not None and _place_of(state, joker.place) != "foundations":
        place, suited = _place_of(state, joker.place), format_card(joker.place)
        raise BoardError(place, f"card {suited} lies face up, but {name[5:]} fills its place")
    if joker.place is None and joker not in (UNDECLARED, OUT_OF_PLAY) and not standing:
        raise BoardError(_place_of(state, card), f"{name} stands for no card: all that it could be are up")
    for natural in standing:
        if natural in state.waste[-1:]:
            raise BoardError(
                "waste", f"card {format_card(natural)} would have changed places with {name[5:]}"
            )


def _check_place(state: State, card: int, natural: int) -> None:
    name, place = format_card(card), format_card(natural)
    if is_joker(natural) or colour_of(natural) != colour_of(card):
        raise BoardError("foundations", f"card {name} cannot be {place}")
    height = state.foundations[suit_of(natural)]
    if rank_of(natural) >= height:
        raise BoardError("foundations", f"card {name} as {place} lies above the top of its foundation")
    if height == 1:
        raise BoardError(
            "foundations", f"card {name} as {place} without a deuce on it is an open ace: write A"
        )


def _place_of(state: State, card: int) -> str:
    """The column where ``card`` lies face up, or else ``foundations``."""
    columns = [f"column {i + 1}" for i in range(len(state.columns)) if card in face_up(state, i)]
    return columns[0] if columns else "foundations"


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
    deck = state.deck
    columns = tuple(
        tuple(_slot(state, card, i < hidden) for i, card in enumerate(column))
        for column, hidden in zip(state.columns, state.hidden, strict=True)
    )
    tops = {name: format_top(state.foundations[SUITS.index(name)]) for name in deck.suits}
    removed = []
    for card, joker in zip(JOKERS, state.jokers, strict=True):
        if joker.is_out:
            removed.append(card)
        elif joker.is_open_ace or joker.place is not None:
            tops[format_card(card)] = "A" if joker.place is None else format_card(joker.place)
    return Board(deck, columns, state.stock, state.waste, tuple(removed), tops)


def _slot(state: State, card: int, face_down: bool) -> Slot:
    return Slot(card, face_down, state.jokers[colour_of(card)].rank if is_joker(card) else None)
