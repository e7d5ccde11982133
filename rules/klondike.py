"""Klondike, and Klondike at Vegas rules.

Deck
    One deck of 52 cards.

Layout
    Seven columns of 1 2 3 4 5 6 7 cards, only the top card of each face up. The other 24 cards are the stock.
    The waste and the four foundations are empty.

Foundations
    Built up in suit from the ace to the king. The top card of a foundation may come back to a column.

Columns
    A card goes on a card of the other colour that is one rank higher; only a king goes to an empty column.
    All or any upper part of the face-up cards of a column may move together.
    When a column has no face-up card left, its next card is turned up at once.

Stock
    Only the top of the waste may be played.
    klondike, klondike-vegas:
    A draw turns the next three cards of the stock onto the waste one over the other, or as many as are left.
    klondike-draw-one, klondike-vegas-one:
    A draw turns the next card of the stock onto the waste.
    klondike, klondike-draw-one:
    The passes through the stock are unlimited.
    klondike-vegas:
    There are three passes through the stock, the first one among them.
    klondike-vegas-one:
    There is one pass through the stock.
    klondike, klondike-draw-one, klondike-vegas:
    When the stock is empty, the waste is turned over, in its order, to be the stock again, and a draw
    follows. A redeal that would only bring the same cards back as they lie is no move.

Choices
    Players may agree on other numbers of cards that a draw turns (draw) and of passes through the stock
    (passes), and that nothing comes back from the foundations (worrying back: no, otherwise yes).

Moves
    4D s-w    a draw, after which the 4 of diamonds is the top of the waste, turned over first if need be
    4D w-3    the top of the waste to column 3
    7S 2-5    the face-up cards of column 2 from the 7 of spades upwards to column 5
    4D w-f    the top of the waste to its foundation; 4D 2-f: the top of column 2
    4D fD-3   the top of the foundation of diamonds to column 3
    Each of these is one move and none is compulsory. Cards turned up in columns cost nothing, nor
    does turning over the waste.

End
    The game is won when all cards are on the foundations.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from .board import (
    SUIT_NAMES,
    Board,
    BoardError,
    Position,
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
    UNKNOWN,
    Deck,
    colour_of,
    format_card,
    make_card,
    parse_card,
    parse_suit,
    rank_of,
    shown,
    suit_of,
)
from .choices import CHOICES_OF, SIZES, AgreedRules
from .hidden_cards import (
    FOUNDATION,
    STOCK,
    WASTE,
    HiddenPosition,
    HiddenView,
    board_of_deal,
    board_of_position,
    board_unseen,
    cards_below,
    cards_up,
    check_columns,
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
    placed,
    read_foundations,
    read_hidden,
    seen_of,
    source_text,
    stock_and_waste,
    taken_up,
    turned_up_text,
    uncovered_place,
    with_height,
    without,
)

# The contract, and what the tests and the solver take from here.
__all__ = ["DRAW", "FOUNDATION", "LEGEND", "STOCK", "WASTE", "Choices", "Move", "State", "View"]
__all__ += ["apply", "board_of_view", "canonical", "cards_up", "choices_of", "effects", "format_move"]
__all__ += ["foundation_top", "foundations_of", "from_board", "is_won", "legal_moves", "lifted"]
__all__ += ["marked_board", "notes", "parse_move", "piles", "refusal", "sentence", "shows_unseen", "start"]
__all__ += ["state_of", "to_board", "turned_place", "view_of", "with_card"]

LEGEND = "s stock, w waste, f foundation; 4D s-w: a draw, 4D on top; 7S 2-5: 7S and the cards on it"

# --- Positions ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choices(AgreedRules):
    """Choices of rules that players may agree on; part of the game, as the deal is.

    ``draw`` is the number of cards that a draw turns, ``passes`` how often the stock may be gone through,
    ``worrying_back`` whether cards come back from the foundations. What is None is as usual in the variant.
    Raises ValueError for values that are none of its ``choices``.
    """

    draw: str | None = None
    passes: str | None = None
    worrying_back: str | None = None

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


@dataclass(frozen=True)
class State(HiddenPosition):
    """A position. ``hidden`` counts the face-down cards at the bottom of each column, ``foundations`` the
    cards of each suit C, D, H, S that are up. ``redeals`` counts how often the waste was turned over, where
    the passes are limited; else it stays 0. ``choices`` are all rules agreed on, the usual ones too.
    ``was_turned_over`` tells whether the waste was turned over since the deal, so that all cards have been
    seen; it changes nothing in play, and states are equal with and without.
    """

    redeals: int = 0
    choices: Choices = field(default_factory=Choices)
    was_turned_over: bool = field(default=False, compare=False, repr=False)

    @property
    def is_stock_known(self) -> bool:
        """Return whether a player who began with the deal has seen every card of the stock."""
        return self.was_turned_over or self.redeals > 0 or not self.stock


def start(
    variant: str,
    deck: Deck,
    columns: tuple[tuple[int, ...], ...],
    stock: tuple[int, ...] = (),
    choices: Choices | None = None,
) -> State:
    """The state before the first move: the top card of each column is face up. Of ``choices`` what is None is
    as usual in the variant."""
    usual = CHOICES_OF[variant].items()
    agreed = Choices(**{name: getattr(choices, name, None) or values[0] for name, values in usual})
    return State(variant, deck, columns, hidden_of_deal(columns), stock, choices=agreed)


def choices_of(state: State) -> dict[str, str]:
    """The rules agreed on that are not the usual ones of the variant, by name."""
    return state.choices.changed(state.variant)


def may_redeal(state: State) -> bool:
    """Return whether the waste may be turned over: the stock is empty, a pass is left, and the waste is more
    than one draw, as it would come again as it lies otherwise."""
    is_last = state.redeals + 1 == state.choices.most_passes
    return not state.stock and not is_last and len(state.waste) > state.choices.cards_drawn


# --- Moves ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Move(Step):
    """The top ``count`` cards of ``source`` to ``target``; columns count from 0. ``suit`` is the foundation
    from which a card comes back. A draw is one move from the stock to the waste, whatever it turns."""

    count: int = 1
    suit: int | None = None

    def __str__(self) -> str:
        suit = "" if self.suit is None else SUITS[self.suit : self.suit + 1]
        return self.with_name(f"{place_name(self.source)}{suit}-{place_name(self.target)}")


DRAW = Move(STOCK, WASTE)


def lifted(state: State, move: Move) -> tuple[int, ...]:
    """The cards that ``move`` takes up, deepest first, or draws in that order; empty if not there face up."""
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
        return (
            _refusal_of_draw(state) if move == DRAW else "cards of the stock go to the waste, and no others"
        )
    cards = lifted(state, move)
    if not cards:
        return "so many face-up cards are not there"
    if (move.source == FOUNDATION) != (move.suit is not None):
        return "a suit is named for a card that comes back from a foundation, and for no other"
    if move.source == FOUNDATION and not state.choices.has_worrying_back:
        return "nothing comes back from the foundations"
    if move.target == FOUNDATION:
        return _refusal_up(state, move, cards)
    return _refusal_onto(state, move, cards)


def _refusal_of_draw(state: State) -> str | None:
    """A draw needs a stock, or a waste that may be turned over and would not come again as it lies."""
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
    """A run goes on the other colour and the next rank, a king to an empty column."""
    if not 0 <= move.target < len(state.columns):
        return f"there is no column {move.target + 1}"
    name, target = format_card(cards[0]), state.columns[move.target]
    if move.target == move.source:
        return f"{name} lies on column {move.target + 1} already"
    if not target:
        is_king = rank_of(cards[0]) == state.deck.ranks - 1
        return None if is_king else f"{name} does not go to an empty column"
    if colour_of(target[-1]) != colour_of(cards[0]) and rank_of(target[-1]) == rank_of(cards[0]) + 1:
        return None
    return f"{name} does not go on {format_card(target[-1])}"


def legal_moves(state: State) -> list[Move]:
    """All legal moves: up, from column to column and from the waste, back from foundations, the draw."""
    return [with_card(state, move) for move in _candidates(state) if refusal(state, move) is None]


def _candidates(state: State) -> Iterator[Move]:
    """Every move that could be legal, among others."""
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
    back = move.suit  # of a card that comes back from its foundation
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
    """``state`` with every column that has no face-up card left turning one up."""
    hidden = tuple(
        min(count, max(0, len(column) - 1)) for column, count in zip(state.columns, state.hidden, strict=True)
    )
    return replace(state, hidden=hidden)


def is_won(state: State) -> bool:
    """Return whether all cards are on the foundations."""
    return sum(state.foundations) == state.deck.places


def canonical(state: State) -> tuple[object, ...]:
    """Equal for two states of one game exactly when they differ at most in the order of the columns."""
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
    """The move that ``text`` names in ``state``, legal or not. Raises ValueError if the text is no move, or
    names a card that cannot be taken up where it says."""
    number = "[1-9][0-9]?"
    match = re.fullmatch(rf"(\w+) ([sw]|f[CDHS]?|{number})-([wf]|{number})", text)
    if match is None:
        raise ValueError(f"{shown(text)} is no move, such as '7S 2-5', '4D s-w', '4D w-f' or '4D fD-3'")
    card, source = parse_card(match[1]), match[2]
    place = parse_place(source)
    suit = None if place != FOUNDATION else parse_suit(source[1]) if source[1:] else suit_of(card)
    count = count_from(state, place, card, lifted(state, Move(place, 0, suit=suit))[-1:])
    return Move(place, parse_place(match[3]), count, suit, card=card)


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``7S to 5S from column 2 to column 5``."""
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


def piles(state: State) -> list[dict[str, str]]:
    """The stock, with the pass through it where the passes are limited, the waste and the foundations."""
    most = state.choices.most_passes
    passes = "" if most is None else f", pass {state.redeals + 1} of {most}"
    found = stock_and_waste(state, passes)
    for name in state.deck.suits:
        height = state.foundations[SUITS.index(name)]
        found.append(pile("foundation", name, [RANKS[rank] + name for rank in range(height)]))
    return found


def notes(state: State, as_seen: bool) -> list[str]:
    """Nothing: the piles tell all."""
    return []


# --- Boards ---------------------------------------------------------------------------------------------


def from_board(variant: str, board: Board, choices: Choices | None = None) -> State:
    """The state that ``board`` describes; see `is_unplayed` for what is a deal. Raises BoardError if there is
    no such state."""
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
    held = [("foundations", card) for cards in foundations_of(state) for card in cards]
    check_cards(deck, held + board.located_cards())
    check_columns(state, rank_of)
    check_counts(state)
    return state


def check_counts(state: State) -> None:
    """No more cards face down, in the stock and in the waste than a deal has, in a full deck; no more redeals
    than the passes allow. Raises BoardError."""
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


def to_board(state: State) -> Board:
    """The board of ``state``; an unplayed deal has no foundations and no face-down marks."""
    dealt = start(state.variant, state.deck, state.columns, state.stock, state.choices)
    return board_of_deal(state, dealt) or marked_board(state)


def marked_board(state: State) -> Board:
    """The board of ``state`` with its foundations and face-down marks, be it an unplayed deal or not."""
    return board_of_position(state, lambda card: None)._replace(redeals=state.redeals)


# --- Views ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View(HiddenView):
    """A position as it lies on the table. The order of the unseen cards is in no view: positions that differ
    only in it have equal views. ``known_stock`` are the cards of the stock where they have been seen, and
    empty where not: they are once the waste was turned over. The other fields are those of `HiddenView` and
    `State`.
    """

    known_stock: tuple[int, ...]
    redeals: int
    choices: Choices

    def unseen(self) -> list[int]:
        """The cards that are face down, or in the stock and not known, in ascending order."""
        seen = cards_below(self.foundations).union(self.waste, self.known_stock, *self.columns)
        return [card for card in sorted(Deck().cards()) if card not in seen]


def view_of(state: Position, knows_stock: bool = False) -> View:
    """The view of ``state``, with the stock known as `State.is_stock_known` tells, or if ``knows_stock``.
    Raises ValueError for a state of another family, a short deck, or a position that no play leads to."""
    fields = seen_of(state, State, "klondike")
    assert isinstance(state, State)
    try:
        check_counts(state)
    except BoardError as error:
        raise ValueError(str(error)) from None
    known = state.stock if knows_stock or state.is_stock_known else ()
    return View(*fields, known, state.redeals, state.choices)


def state_of(view: View, cards: Sequence[int]) -> State:
    """The state that looks like ``view`` and has ``cards``, its unseen cards in any order, face down column
    by column, the deepest first, and then in the stock. Raises ValueError if they are others."""
    columns, left = placed(view, cards, view.unseen())
    return State(
        *(view.variant, Deck(), columns, view.hidden, view.known_stock or tuple(left), view.waste),
        *(view.foundations, view.redeals, view.choices, bool(view.known_stock)),
    )


def board_of_view(view: View) -> Board:
    """The board of ``view``, with `cards.UNKNOWN` for each card that is not seen."""
    stock = view.known_stock or (UNKNOWN,) * view.stock
    return board_unseen(marked_board(state_of(view, view.unseen())), stock)


def shows_unseen(position: State | View, move: Move) -> bool:
    """Return whether ``move`` turns cards of the stock that nobody has seen."""
    is_known = bool(position.known_stock) if isinstance(position, View) else position.is_stock_known
    return move == DRAW and bool(position.stock) and not is_known


def turned_place(state: State, move: Move) -> tuple[int | None, int] | None:
    """The column, None for the stock, and the depth there of the card that ``move`` turns up, on top if it
    turns several; None if it turns none that is not known."""
    if move.source == STOCK:
        return (None, len(lifted(state, move)) - 1) if shows_unseen(state, move) else None
    return uncovered_place(state, move.source, len(lifted(state, move)))
