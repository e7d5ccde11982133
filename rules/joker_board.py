"""Positions of Joker and their boards; the rules are in `joker`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .board import JOKER_PLACE, Board, BoardError, Step, check_cards, fit_columns, pile, refuse_piles
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
    rank_of,
    suit_of,
    suits_of_colour,
)
from .choices import SIZES, AgreedRules
from .hidden_cards import (
    HiddenPosition,
    board_of_deal,
    board_of_position,
    check_columns,
    check_depths,
    check_foundations,
    check_sizes,
    face_up,
    foundations_of,
    hidden_of_deal,
    hidden_problem,
    is_unplayed,
    joker_place,
    place_name,
    read_foundations,
    read_hidden,
    stock_and_waste,
)


@dataclass(frozen=True)
class Joker:
    """The condition of a joker. At most one field is set, and no field if the joker is undeclared, face down,
    in the stock or in the waste. ``rank`` is the rank that it is declared as in a column, ``place`` the
    natural whose foundation place it fills."""

    rank: int | None = None
    place: int | None = None
    is_open_ace: bool = False
    is_out: bool = False


UNDECLARED, OPEN_ACE, OUT_OF_PLAY = Joker(), Joker(is_open_ace=True), Joker(is_out=True)


@dataclass(frozen=True)
class Choices(AgreedRules):
    """Rule options of Joker; the results of a deal depend on them.

    ``exchange``: a natural in the waste changes places with its joker only at the moment when it is turned
    (``turned``), or whenever it is the top of the waste (``exposed``). ``removal``: only undeclared jokers,
    on top of a column or of the waste, may be put out of play (``undeclared``), or also declared ones on top
    of a column (``exposed``). Raises ValueError for other values.
    """

    exchange: str = "turned"
    removal: str = "undeclared"


USUAL = Choices()


@dataclass(frozen=True, repr=False)
class State(HiddenPosition):
    """A position. ``hidden`` counts the face-down cards at the bottom of each column, ``foundations`` the
    places filled of each suit C, D, H, S, also those filled by jokers, except open aces. ``jokers`` has the
    conditions of XB and XR."""

    jokers: tuple[Joker, Joker] = (UNDECLARED, UNDECLARED)
    choices: Choices = USUAL

    if TYPE_CHECKING:

        def legal_moves(self) -> list[Move]:
            """All legal moves."""

        def apply(self, move: Step | str) -> State:
            """The state after a move."""


@dataclass(frozen=True, repr=False)
class Move(Step):
    """The top ``count`` cards of ``source`` to ``target``; columns count from 0. ``suit`` is the foundation
    of a joker that goes up as a definite card; ``rank`` is declared ``IN_PLACE``."""

    count: int = 1
    suit: int | None = None
    rank: int | None = None

    def __str__(self) -> str:
        source = place_name(self.source)
        if self.rank is not None:
            return self.with_name(f"{source}={RANKS[self.rank : self.rank + 1]}")
        suit = "" if self.suit is None else SUITS[self.suit : self.suit + 1]
        return self.with_name(f"{source}-{place_name(self.target)}{suit}")


def start(
    variant: str,
    deck: Deck,
    columns: tuple[tuple[int, ...], ...],
    stock: tuple[int, ...] = (),
    choices: Choices = USUAL,
) -> State:
    """Return the state before the first move: the top card of each column is face up."""
    return State(variant, deck, columns, hidden_of_deal(columns), stock, choices=choices)


def choices_of(state: State) -> dict[str, str]:
    """Return the rule options whose values are not the usual ones, by name."""
    return state.choices.changed(state.variant)


def effective_rank(state: State, card: int) -> int | None:
    """The rank of a natural or of a declared joker; None for an undeclared joker."""
    return state.jokers[colour_of(card)].rank if is_joker(card) else rank_of(card)


def is_up(state: State, natural: int) -> bool:
    """Return whether the foundation place of ``natural`` is filled, or it lies face up in a column."""
    if rank_of(natural) < state.foundations[suit_of(natural)]:
        return True
    return any(natural in cards[hidden:] for cards, hidden in zip(state.columns, state.hidden, strict=True))


def not_up(state: State, colour: int, rank: int) -> tuple[int, ...]:
    """Return the naturals that a joker of ``colour`` would stand for as ``rank``. If there are none, it
    cannot be declared so."""
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
    """Return the state that ``board`` describes; `is_unplayed` decides whether it is a deal. Raises
    BoardError if the board is invalid."""
    deck = board.deck
    if not deck.jokers:
        raise BoardError("", f"{variant} is played with jokers")
    refuse_piles(board, "redeals")
    for card in board.removed:
        if not is_joker(card):
            raise BoardError("removed", f"card {format_card(card)} is not a joker")
    slots = fit_columns(board, len(SIZES))
    columns = tuple(tuple(slot.card for slot in column) for column in slots)
    if is_unplayed(board):
        check_sizes(deck, columns)
        check_cards(deck, board.located_cards())
        return start(variant, deck, columns, board.stock, choices)
    state = replace(
        start(variant, deck, columns, board.stock, choices),
        hidden=tuple(read_hidden(f"column {i}", column, deck) for i, column in enumerate(slots, 1)),
        waste=board.waste,
        foundations=read_foundations(board),
        jokers=(read_joker(board, JOKERS[0]), read_joker(board, JOKERS[1])),
    )
    check_position(state)
    return state


def check_position(state: State) -> None:
    """Raise BoardError unless ``state`` is a valid position: each card of its deck is in one place, face-up
    cards form runs, and the conditions of the jokers are possible."""
    check_foundations(state)
    held = [("foundations", card) for card in _cards_on_foundations(state)]
    held += [(f"column {i}", card) for i, column in enumerate(state.columns, 1) for card in column]
    held += [("stock", card) for card in state.stock] + [("waste", card) for card in state.waste]
    held += [("removed", card) for card, joker in zip(JOKERS, state.jokers, strict=True) if joker.is_out]
    check_cards(state.deck, held)
    check_depths(state)
    check_columns(state, lambda card: effective_rank(state, card))
    for card in JOKERS:
        _check_joker(state, card)


def impossibility(state: State) -> str | None:
    """Return the reason why ``state`` cannot occur in play, judged by its numbers of cards; None if these do
    not exclude it, and for a short deck."""
    if not state.deck.is_full:
        return None
    problem = hidden_problem(state)
    if problem is not None:
        return problem
    turned = len(state.deck.cards()) - sum(SIZES) - len(state.stock)
    if turned < 0:
        return f"stock: {len(state.stock)} cards, a deal has {turned + len(state.stock)} there"
    if len(state.waste) > turned:
        return f"waste: {len(state.waste)} cards, but only {turned} have been turned"
    return None


def read_joker(board: Board, card: int) -> Joker:
    """The condition of the joker ``card`` in ``board``. Raises BoardError."""
    place = joker_place(board, card)
    if place is not None:
        return OPEN_ACE if place == UNKNOWN else Joker(place=place)
    if card in board.removed:
        return OUT_OF_PLAY
    ranks = [slot.rank for column in board.columns for slot in column if slot.card == card]
    return Joker(rank=ranks[0]) if ranks else UNDECLARED


def _cards_on_foundations(state: State) -> list[int]:
    places = {joker.place for joker in state.jokers}
    naturals = [card for cards in foundations_of(state) for card in cards]
    jokers = [c for c, j in zip(JOKERS, state.jokers, strict=True) if j.is_open_ace or j.place is not None]
    return [card for card in naturals if card not in places] + jokers


def _check_joker(state: State, card: int) -> None:
    """Raise BoardError unless the condition of the joker ``card`` is possible: it stands for some card, and
    for none that is up or on top of the waste (I3). With `exchange` "turned" such a card may be up, since it
    may have been played from the waste."""
    colour, name = colour_of(card), f"card {format_card(card)}"
    joker, standing = state.jokers[colour], stands_for(state, colour)
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
    dealt = start(state.variant, state.deck, state.columns, state.stock, state.choices)
    return board_of_deal(state, dealt) or marked_board(state)


def marked_board(state: State) -> Board:
    """The board of ``state`` with its foundations and face-down marks, be it an unplayed deal or not."""
    board = board_of_position(state, lambda card: effective_rank(state, card) if is_joker(card) else None)
    tops, removed = dict(board.foundations or {}), []
    for card, joker in zip(JOKERS, state.jokers, strict=True):
        if joker.is_out:
            removed.append(card)
        elif joker.is_open_ace or joker.place is not None:
            tops[format_card(card)] = "A" if joker.place is None else format_card(joker.place)
    return board._replace(removed=tuple(removed), foundations=tops)


def piles(state: State) -> list[dict[str, str]]:
    """Return the stock, the waste and the foundations as `board.pile` makes them, and the places of jokers
    that are open aces or out of play."""
    found = stock_and_waste(state)
    for name in state.deck.suits:
        cards = [RANKS[rank] + name for rank in range(state.foundations[SUITS.index(name)])]
        for card, condition in zip(JOKERS, state.jokers, strict=True):
            if condition.place is not None and format_card(condition.place) in cards:
                at = cards.index(format_card(condition.place))
                cards[at] = f"{format_card(card)}={cards[at][0]}"
        found.append(pile("foundation", name, cards))
    for card, condition in zip(JOKERS, state.jokers, strict=True):
        note = "ace" if condition.is_open_ace else "out" if condition.is_out else ""
        found.append(pile(JOKER_PLACE, format_card(card), [format_card(card)] if note else [], note))
    return found


def notes(state: State, as_seen: bool) -> list[str]:
    """Return the places of the jokers and the cards that they stand for, in words; with ``as_seen`` not where
    they lie face down."""
    return [_joker_text(state, card, as_seen) for card in JOKERS]


def _joker_text(state: State, card: int, as_seen: bool) -> str:
    condition = state.jokers[JOKERS.index(card)]
    standing = " or ".join(map(format_card, stands_for(state, JOKERS.index(card))))
    if condition.is_out:
        text = "out of play"
    elif condition.place is not None:
        text = f"on the foundations as {format_card(condition.place)}"
    elif condition.is_open_ace:
        text = f"open ace, {standing}" if standing else "open ace"
    elif condition.rank is not None:
        text = f"declared as {RANKS[condition.rank]}" + (f", {standing}" if standing else "")
    else:
        text = _undeclared_text(state, card, as_seen)
    return f"{format_card(card)}: {text}"


def _undeclared_text(state: State, card: int, as_seen: bool) -> str:
    if card in state.waste:
        return "undeclared in the waste"
    shown = [face_up(state, column) for column in range(len(state.columns))]
    column = next((i for i, cards in enumerate(shown, 1) if card in cards), None)
    if column is not None:
        return f"undeclared in column {column}"
    if as_seen:
        return "not seen yet"
    if card in state.stock:
        return f"in the stock, {state.stock.index(card) + 1} to turn"
    return f"face down in column {next(i for i, cards in enumerate(state.columns, 1) if card in cards)}"
