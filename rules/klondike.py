"""Klondike, Klondike at Vegas rules, and Klondike in one pass.

Deck
    One deck of 52 cards.

Layout
    Seven columns of 1 2 3 4 5 6 7 cards, only the top card of each face up. The other 24 cards are the stock.
    The waste and the four foundations are empty.

Foundations
    Built up in suit from the ace to the king.
    klondike, klondike-draw-one, klondike-vegas, klondike-vegas-one:
    The top card of a foundation may come back to a column.
    klondike-one-pass:
    Nothing comes back from a foundation.

Columns
    A card goes on a card of the other colour that is one rank higher; a king goes to an empty column.
    All or any upper part of the face-up cards of a column may move together.
    When a column has no face-up card left, its next card is turned up at once.

Stock
    Only the top of the waste may be played.
    klondike, klondike-vegas:
    A draw turns the next three cards of the stock onto the waste one over the other, or as many as are left.
    klondike-draw-one, klondike-vegas-one, klondike-one-pass:
    A draw turns the next card of the stock onto the waste.
    klondike, klondike-draw-one:
    The passes through the stock are unlimited.
    klondike-vegas:
    There are three passes through the stock, the first one among them.
    klondike-vegas-one, klondike-one-pass:
    There is one pass through the stock.
    klondike, klondike-draw-one, klondike-vegas:
    When the stock is empty, the waste is turned over, in its order, to be the stock again, and a draw
    follows. A redeal that would only bring the same cards back as they lie is not allowed. Turning over
    the waste costs nothing.

Choices
    klondike, klondike-draw-one, klondike-vegas, klondike-vegas-one:
    Players may agree on other rules:
    draw            the number of cards that a draw turns, 1 to 7
    passes          the number of passes through the stock, 1 to 5 or any number
    worrying back   no: nothing comes back from the foundations
    spaces          any: any card or run may go to an empty column, not only a king

Moves
    Each of these is one move and none is compulsory. Cards turned up in columns cost nothing.
    4D w-3    the top of the waste to column 3
    7S 2-5    the face-up cards of column 2 from the 7 of spades upwards to column 5
    4D w-f    the top of the waste to its foundation; 4D 2-f: the top of column 2
    klondike, klondike-draw-one, klondike-vegas, klondike-vegas-one:
    4D fD-3   the top of the foundation of diamonds to column 3
    klondike, klondike-draw-one, klondike-vegas:
    4D s-w    a draw, after which the 4 of diamonds is the top of the waste, turned over first if need be
    klondike-vegas-one, klondike-one-pass:
    4D s-w    a draw of the 4 of diamonds

End
    klondike, klondike-draw-one, klondike-vegas, klondike-vegas-one:
    The game is won when all cards are on the foundations.
    klondike-one-pass:
    The player may stop at any time. The score is the number of cards on the foundations. Below 15 the tier is
    none, from 15 win, from 25 double, and with all cards triple.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .board import (
    SUIT_NAMES,
    Board,
    BoardError,
    Step,
    cards_text,
    check_cards,
    column_text,
    fit_columns,
    pile,
    refuse_piles,
)
from .cards import (
    RANKS,
    SUITS,
    Deck,
    colour_of,
    format_card,
    make_card,
    parse_card,
    parse_suit,
    rank_of,
    shown,
    suit_of,
    suits_of_colour,
)
from .choices import CHOICES_OF, FIXED, SIZES, AgreedRules, Implemented, not_implemented, usual_rules
from .hidden_cards import (
    FOUNDATION,
    STOCK,
    WASTE,
    HiddenPosition,
    board_of_deal,
    board_of_position,
    check_columns,
    check_depths,
    check_foundations,
    check_sizes,
    count_from,
    face_up,
    foundation_top,
    foundations_of,
    hidden_of_deal,
    hidden_problem,
    is_unplayed,
    parse_place,
    place_name,
    read_foundations,
    read_hidden,
    source_text,
    stock_and_waste,
    taken_up,
    turned_cards,
    turned_up_text,
    with_height,
    without,
)
from .tiers import tier_of

# The contract, and what the tests and the solver take from here.
__all__ = ["DRAW", "FOUNDATION", "LEAVES_IN_RUNS", "LEGEND", "PROVED_FOR", "STOCK", "WASTE", "Choices"]
__all__ += ["Move", "State", "annotation", "apply", "canonical", "choices_of", "effects", "format_move"]
__all__ += ["foundation_top", "foundations_of", "from_board", "goes_on", "impossibility", "is_won"]
__all__ += ["legal_moves", "lifted", "loose_cards", "marked_board", "move_between", "moves_together", "notes"]
__all__ += ["parse_move", "piles", "possible_bases", "refusal", "safe_move", "score", "sentence", "start"]
__all__ += ["tier_of", "to_board", "with_card"]

LEGEND = "s stock, w waste, f foundation; 4D s-w: a draw, 4D on top; 7S 2-5: 7S and the cards on it; "
LEGEND += "(7S): turned up"
LEAVES_IN_RUNS = False

_PROVED = {
    "draw": ("1", "2", "3", "4", "5", "6", "7"),
    "passes": ("unlimited", "1", "2", "3", "4", "5"),
    "worrying_back": ("yes", "no"),
    "spaces": ("kings",),
}
PROVED_FOR: Implemented = {
    **dict.fromkeys(("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one"), _PROVED),
    "klondike-one-pass": {name: (value,) for name, value in FIXED["klondike-one-pass"].items()},
}
"""The games and values of rule options for which what other modules take from these rules is proved: safe
moves (`safe_move`), that cards which block each other stay (`solver.analysis.blocking`), and that without a
limit on passes every draw can be taken back (`solver.unknown_cards`). See `choices.Implemented`."""

# --- Positions ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choices(AgreedRules):
    """Rule options of Klondike; the results of a deal depend on them.

    ``draw`` is the number of cards that a draw turns, ``passes`` the number of times that the stock may be
    gone through, ``worrying_back`` whether cards may come back from the foundations, ``spaces`` the cards
    that may go to an empty column. None stands for the usual value of the variant. Raises ValueError for
    values that no variant allows.
    """

    draw: str | None = None
    passes: str | None = None
    worrying_back: str | None = None
    spaces: str | None = None

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


@dataclass(frozen=True, repr=False)
class State(HiddenPosition):
    """A position. ``hidden`` counts the face-down cards at the bottom of each column, ``foundations`` the
    cards of each suit C, D, H, S that are up. ``redeals`` is the number of times that the waste was turned
    over, if the passes are limited; otherwise it stays 0. ``choices`` has the values of all rule options.
    ``was_turned_over`` is whether the waste was turned over since the deal, so that a player has seen the
    whole stock. It does not affect play and is ignored when states are compared.
    """

    redeals: int = 0
    choices: Choices = field(default_factory=Choices)
    was_turned_over: bool = field(default=False, compare=False, repr=False)

    @property
    def is_stock_known(self) -> bool:
        """Return whether a player who began with the deal has seen every card of the stock."""
        return self.was_turned_over or self.redeals > 0 or not self.stock

    if TYPE_CHECKING:

        def legal_moves(self) -> list[Move]:
            """All legal moves."""

        def apply(self, move: Step | str) -> State:
            """The state after a move."""


def start(
    variant: str,
    deck: Deck,
    columns: tuple[tuple[int, ...], ...],
    stock: tuple[int, ...] = (),
    choices: Choices | None = None,
) -> State:
    """Return the state before the first move: the top card of each column is face up. A field of ``choices``
    that is None gets the usual value of the variant. Raises ValueError for another value in a game that
    has no such rule option."""
    usual = usual_rules(variant)
    agreed = Choices(**{name: getattr(choices, name, None) or value for name, value in usual.items()})
    if variant not in CHOICES_OF and agreed != Choices(**usual):
        wrong = next(name for name, value in usual.items() if getattr(agreed, name) != value)
        raise ValueError(f"{wrong}: {variant} has no such rule option")
    return State(variant, deck, columns, hidden_of_deal(columns), stock, choices=agreed)


def choices_of(state: State) -> dict[str, str]:
    """Return the rule options whose values are not the usual ones of the variant, by name."""
    return state.choices.changed(state.variant)


def may_redeal(state: State) -> bool:
    """Return whether the waste may be turned over: the stock is empty, a pass is left, and the waste has more
    cards than one draw. A smaller waste would come back unchanged."""
    is_last = state.redeals + 1 == state.choices.most_passes
    return not state.stock and not is_last and len(state.waste) > state.choices.cards_drawn


# --- Moves ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Move(Step):
    """A move of the top ``count`` cards of ``source`` to ``target``; columns count from 0. ``suit`` is the
    foundation from which a card comes back. A draw is one move from the stock to the waste, with ``count`` 1
    however many cards it turns."""

    count: int = 1
    suit: int | None = None

    def __str__(self) -> str:
        suit = "" if self.suit is None else SUITS[self.suit : self.suit + 1]
        return self.with_name(f"{place_name(self.source)}{suit}-{place_name(self.target)}")


DRAW = Move(STOCK, WASTE)


def lifted(state: State, move: Move) -> tuple[int, ...]:
    """Return the cards that ``move`` moves, deepest first, or draws in that order, empty if they do not lie
    there face up."""
    if move.source == STOCK:
        supply = state.waste if may_redeal(state) else state.stock
        return supply[: state.choices.cards_drawn]
    if move.source != FOUNDATION:
        return taken_up(state, move.source, move.count)
    suit = -1 if move.suit is None else move.suit
    height = state.foundations[suit] if 0 <= suit < len(SUITS) else 0
    return (make_card(height - 1, suit),) if height and move.count == 1 else ()


def refusal(state: State, move: Move) -> str | None:
    """The reason why ``move`` is illegal in ``state``; None if it is legal."""
    if move.source == STOCK or move.target == WASTE:
        return _refusal_of_draw(state) if move == DRAW else "only cards of the stock go to the waste"
    cards = lifted(state, move)
    if not cards:
        return "there are fewer face-up cards"
    if (move.source == FOUNDATION) != (move.suit is not None):
        return "a suit is named only for a card that comes back from a foundation"
    if move.source == FOUNDATION and not state.choices.has_worrying_back:
        return "nothing comes back from the foundations"
    if move.target == FOUNDATION:
        return _refusal_up(state, move, cards)
    return _refusal_onto(state, move, cards)


def _refusal_of_draw(state: State) -> str | None:
    """Return the reason why a draw is illegal, None if it is legal: it needs a stock, or a waste that may be
    turned over."""
    if state.stock or may_redeal(state):
        return None
    if not state.waste:
        return "the stock and the waste are empty"
    if state.redeals + 1 == state.choices.most_passes:
        return "the stock is empty, and there are no more passes"
    return "the stock is empty, and the waste would come again as it lies"


def _refusal_up(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    if len(cards) > 1 or move.source == FOUNDATION:
        return "one card at a time goes from a column or the waste to the foundations"
    if rank_of(cards[0]) == state.foundations[suit_of(cards[0])]:
        return None
    return f"{format_card(cards[0])} is not next on its foundation"


def _refusal_onto(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    """Return the reason why a move to a column is illegal, None if it is legal: a run goes on the other
    colour and the next rank, and to an empty column if it begins with a king, or any may go there."""
    if not 0 <= move.target < len(state.columns):
        return f"there is no column {move.target + 1}"
    name, target = format_card(cards[0]), state.columns[move.target]
    if move.target == move.source:
        return f"{name} lies on column {move.target + 1} already"
    if goes_on(state, cards[0], target[-1] if target else None):
        return None
    return f"{name} does not go " + (f"on {format_card(target[-1])}" if target else "to an empty column")


def goes_on(state: State, card: int, other: int | None) -> bool:
    """Return whether ``card`` may go on ``other``, the top of a column, or to an empty column for None."""
    if other is None:
        return state.choices.spaces == "any" or rank_of(card) == state.deck.ranks - 1
    return colour_of(other) != colour_of(card) and rank_of(other) == rank_of(card) + 1


def moves_together(state: State, column: int, depth: int) -> bool:
    """Return whether the card at ``depth`` of a column and the next one on it move as one run."""
    lower, upper = state.columns[column][depth : depth + 2]
    return depth >= state.hidden[column] and goes_on(state, upper, lower)


def loose_cards(state: State) -> tuple[int, ...]:
    """The cards of the stock and the waste, and of the foundations if they give cards back."""
    heights = enumerate(state.foundations) if state.choices.has_worrying_back else ()
    up = [make_card(rank, suit) for suit, height in heights for rank in range(height)]
    return (*state.stock, *state.waste, *up)


def possible_bases(state: State) -> range:
    """Return the ace alone."""
    return range(1)


def legal_moves(state: State) -> list[Move]:
    """All legal moves: up, from column to column and from the waste, back from foundations, the draw."""
    return [with_card(state, move) for move in _candidates(state) if refusal(state, move) is None]


def _candidates(state: State) -> Iterator[Move]:
    """Return a superset of the legal moves."""
    columns = range(len(state.columns))
    sources = [*(column for column in columns if state.columns[column]), WASTE]
    yield from (Move(source, FOUNDATION) for source in sources)
    for source in sources:
        most = 1 if source == WASTE else len(face_up(state, source))
        yield from (Move(source, target, count) for count in range(most, 0, -1) for target in columns)
    yield from (Move(FOUNDATION, target, suit=suit) for suit in range(len(SUITS)) for target in columns)
    yield DRAW


def apply(state: State, move: Move) -> State:
    """The state after ``move`` and the card that it turns up. Raises ValueError if it is illegal."""
    problem = refusal(state, move)
    if problem is not None:
        raise ValueError(problem)
    if move == DRAW:
        return _after_draw(state)
    cards = lifted(state, move)
    back = move.suit  # suit of a card that comes back from its foundation
    left = without(state, move.source, move.count) if back is None else with_height(state, back, -1)
    if move.target == FOUNDATION:
        return _turned_up(with_height(left, suit_of(cards[0]), 1))
    columns = list(left.columns)
    columns[move.target] += cards
    return _turned_up(replace(left, columns=tuple(columns)))


def _after_draw(state: State) -> State:
    if not state.stock:
        redeals = state.redeals if state.choices.most_passes is None else state.redeals + 1
        state = replace(state, stock=state.waste, waste=(), redeals=redeals, was_turned_over=True)
    count = state.choices.cards_drawn
    return replace(state, stock=state.stock[count:], waste=state.waste + state.stock[:count])


def _turned_up(state: State) -> State:
    """Return ``state`` after each column without a face-up card has turned up its next card."""
    hidden = tuple(
        min(count, max(0, len(column) - 1)) for column, count in zip(state.columns, state.hidden, strict=True)
    )
    return replace(state, hidden=hidden)


def safe_move(state: State) -> Move | None:
    """Return a safe foundation move, or None: of the top of a column that no card can need as a place, not
    even one from a foundation (Theorem K4 of docs/theory/klondike.md), and with one card drawn at a time also
    of the top of the waste."""
    if not_implemented(PROVED_FOR, state.variant, state.choices):
        return None
    suits = state.deck.suits
    waste = state.waste if state.choices.cards_drawn == 1 else ()
    for source, column in (*enumerate(state.columns), (WASTE, waste)):
        if not column or state.foundations[suit_of(column[-1])] != rank_of(column[-1]):
            continue
        rank, colour = rank_of(column[-1]), colour_of(column[-1])
        lowest = min((state.foundations[suit] for suit in suits_of_colour(1 - colour, suits)), default=rank)
        twin = min(state.foundations[suit] for suit in suits_of_colour(colour, suits))
        is_bare = lowest >= rank and not state.choices.has_worrying_back
        if is_bare or (lowest >= rank - 1 and twin >= rank - 2):
            return Move(source, FOUNDATION)
    return None


def score(state: State) -> int:
    """Return the number of cards on the foundations, in games with scores."""
    return sum(state.foundations)


def is_won(state: State) -> bool:
    """Return whether all cards are on the foundations."""
    return sum(state.foundations) == state.deck.places


def canonical(state: State) -> tuple[object, ...]:
    """Return a key that is equal for two states of one game exactly if they differ at most in the order of
    the columns."""
    columns = tuple(sorted(zip(state.columns, state.hidden, strict=True)))
    return (columns, state.stock, state.waste, state.foundations, state.redeals, state.choices)


# --- Notation -------------------------------------------------------------------------------------------


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 2-5``, ``4D s-w``, ``4D w-f`` or ``4D fD-3``; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """The legal ``move`` with the deepest card that it moves; a draw with the new top of the waste."""
    cards = lifted(state, move)
    card = cards[-1] if move == DRAW else cards[0]
    return Move(move.source, move.target, move.count, move.suit, card=card)


def parse_move(state: State, text: str) -> Move:
    """Return the move that ``text`` names in ``state``, legal or not. Raises ValueError if the text cannot be
    read, or names a card that cannot be moved from the place it names."""
    number = "[1-9][0-9]?"
    match = re.fullmatch(rf"(\w+) ([sw]|f[CDHS]?|{number})-([wf]|{number})", text)
    if match is None:
        raise ValueError(f"cannot read the move {shown(text)}; write it like '7S 2-5', '4D s-w' or '4D w-f'")
    card, source = parse_card(match[1]), match[2]
    place = parse_place(source)
    suit = None if place != FOUNDATION else parse_suit(source[1]) if source[1:] else suit_of(card)
    count = count_from(state, place, card, lifted(state, Move(place, 0, suit=suit))[-1:])
    return Move(place, parse_place(match[3]), count, suit, card=card)


def move_between(state: State, source: str, target: str, count: int) -> Move:
    """Return the move, legal or not, of ``count`` cards from one place to another; see `family`. Raises
    ValueError if there is no such kind of move."""
    if target == "s":
        raise ValueError("nothing goes back to the stock")
    suit = parse_suit(source[1]) if source[0] == "f" else None
    return Move(parse_place(source), parse_place(target), count, suit)


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``7S-5S from column 2 to column 5``."""
    cards = lifted(state, move)
    if move == DRAW:
        turned = " ".join(map(format_card, cards))
        return f"{turned} turned from the {'stock' if state.stock else 'waste turned over'}"
    name = cards_text(cards)
    if move.source == FOUNDATION:
        suit = SUIT_NAMES[SUITS[move.suit or 0]]
        return f"{name} from the foundation of {suit} to {column_text(state, move.target)}"
    source = source_text(move.source)
    if move.target == FOUNDATION:
        return f"{name} from {source} to its foundation"
    return f"{name} from {source} to {column_text(state, move.target)}"


def effects(before: State, move: Move, after: State) -> list[str]:
    """The card that a legal move turned up, in words."""
    return turned_up_text(before, after)


def annotation(before: State, move: Move, after: State) -> str:
    """Return the card that a legal move turned up in a column, in brackets: ``(7D)``; else nothing."""
    turned = turned_cards(before, after)
    return f"({format_card(turned[0])})" if turned else ""


def piles(state: State) -> list[dict[str, str]]:
    """Return the stock, the waste and the foundations as `board.pile` makes them; if passes are limited, the
    note of the stock names the pass."""
    most = state.choices.most_passes
    passes = "" if most is None else f", pass {state.redeals + 1} of {most}"
    found = stock_and_waste(state, passes)
    for name in state.deck.suits:
        height = state.foundations[SUITS.index(name)]
        found.append(pile("foundation", name, [RANKS[rank] + name for rank in range(height)]))
    return found


def notes(state: State, as_seen: bool) -> list[str]:
    """Return an empty list: this family has no notes, see `Family.notes`, since the piles determine the
    state."""
    return []


# --- Boards ---------------------------------------------------------------------------------------------


def from_board(variant: str, board: Board, choices: Choices | None = None) -> State:
    """Return the state that ``board`` describes; `is_unplayed` decides whether it is a deal. Raises
    BoardError if the board is invalid."""
    refuse_piles(board, "removed")
    deck = board.deck
    if (deck.copies, deck.jokers) != (1, False):
        raise BoardError("", f"{variant} is played with one deck without jokers")
    slots = fit_columns(board, len(SIZES))
    columns = tuple(tuple(slot.card for slot in column) for column in slots)
    dealt = start(variant, deck, columns, board.stock, choices)
    if is_unplayed(board):
        check_sizes(deck, columns)
        check_cards(deck, board.located_cards())
        return dealt
    hidden = tuple(read_hidden(f"column {i}", column, deck) for i, column in enumerate(slots, 1))
    state = replace(
        dealt, hidden=hidden, waste=board.waste, foundations=read_foundations(board), redeals=board.redeals
    )
    check_position(state)
    return state


def check_position(state: State) -> None:
    """Raise BoardError unless ``state`` is a valid position: each card of its deck is in one place, face-up
    cards form runs, and the numbers of cards are possible."""
    check_foundations(state)
    held = [("foundations", card) for cards in foundations_of(state) for card in cards]
    held += [(f"column {i}", card) for i, column in enumerate(state.columns, 1) for card in column]
    held += [("stock", card) for card in state.stock] + [("waste", card) for card in state.waste]
    check_cards(state.deck, held)
    check_depths(state)
    check_columns(state, rank_of)
    check_counts(state)


def check_counts(state: State) -> None:
    """Raise BoardError if ``state`` has more redeals than the passes allow or, with a full deck, more
    face-down cards or cards of waste and stock than a deal has."""
    most = state.choices.most_passes
    if type(state.redeals) is not int:
        raise BoardError("redeals", f"expected a whole number, got {shown(state.redeals)}")
    if state.redeals and most is None:
        raise BoardError("redeals", "they are not counted where the passes are unlimited")
    if most is not None and not 0 <= state.redeals < most:
        raise BoardError("redeals", f"expected 0 to {most - 1} with {most} passes, got {state.redeals}")
    if not state.deck.is_full:
        return
    left, dealt = len(state.stock) + len(state.waste), state.deck.places - sum(SIZES)
    if left > dealt:
        raise BoardError("stock", f"{left} cards, with those of the waste; a deal has {dealt}")
    problem = hidden_problem(state)
    if problem is not None:
        raise BoardError("", problem)


def impossibility(state: State) -> str | None:
    """Return the reason why ``state`` cannot occur in play, judged by its numbers of redeals and, with a
    full deck, of cards; None if these do not exclude it."""
    try:
        check_counts(state)
    except BoardError as error:
        return str(error)
    return None


def to_board(state: State) -> Board:
    """The board of ``state``; an unplayed deal has no foundations and no face-down marks."""
    dealt = start(state.variant, state.deck, state.columns, state.stock, state.choices)
    return board_of_deal(state, dealt) or marked_board(state)


def marked_board(state: State) -> Board:
    """The board of ``state`` with its foundations and face-down marks, be it an unplayed deal or not."""
    return board_of_position(state, lambda card: None)._replace(redeals=state.redeals)
