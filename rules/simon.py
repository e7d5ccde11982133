"""Simon Jester, Simon Jester in triangular columns, and Simple Simon.

Deck
    No jokers; all cards lie face up.
    simon-jester, simon-jester-triangular:
    Two decks, 104 cards. The two copies of a card are interchangeable.
    simple-simon:
    One deck of 52 cards.

Layout
    No stock, waste, reserve, cells or redeal.
    simon-jester:
    Fourteen columns as even as they can be, six of 8 cards and then eight of 7.
    simon-jester-triangular:
    Fourteen columns of 13 13 12 11 10 9 8 7 6 5 4 3 2 1.
    simple-simon:
    Ten columns of 8 8 8 7 6 5 4 3 2 1.

Foundations
    None. When the top 13 cards of a column run from K down to A in one suit, they leave the game at once,
    as part of the move that completes or uncovers them, or before the first move if they are dealt so. Cards
    under the king stay.

Columns
    A run is a group of cards at the top end of a column, all of one suit, each one rank lower than the card
    beneath it. A single card is a run, and so is each upper part of a run.
    A run goes on a column whose top card, of any suit, is one rank higher than the highest card of the run.
    Sequences of mixed suits can be built in this way, but only cards of one suit move on together.
    Nothing goes on an ace, and a king goes only to an empty column.
    Any run may go to an empty column.

Moves
    7S 3-10 means: the run from the 7 of spades upwards, from column 3 to column 10.
    One run moved is one move, whatever its length. Runs that leave cost nothing.

End
    simon-jester, simon-jester-triangular:
    Won when no card is left, after eight runs have left, two of each suit.
    simple-simon:
    Won when no card is left, after four runs have left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .board import (
    SUIT_NAMES,
    Board,
    BoardError,
    Position,
    Slot,
    Step,
    cards_text,
    check_cards,
    column_text,
    fit_columns,
    format_top,
    pile,
    refuse_hidden,
    refuse_piles,
    top_from_ace,
)
from .cards import SUITS, Deck, format_card, make_card, parse_card, rank_of, shown, suit_of
from .choices import Implemented

LEGEND = "7S 3-10: the run from the 7 of spades upwards, from column 3 to column 10"
LEAVES_IN_RUNS = True
PROVED_FOR: Implemented = {"simon-jester": {}, "simon-jester-triangular": {}, "simple-simon": {}}
"""The games for which it is proved that cards which block each other stay (`solver.analysis.blocking`). See
`choices.Implemented`."""
COLUMNS = {"simon-jester": 14, "simon-jester-triangular": 14, "simple-simon": 10}


@dataclass(frozen=True, repr=False)
class State(Position):
    """A position without complete runs on top of columns. The cards of ``deck`` that are in no column have
    left the game."""

    if TYPE_CHECKING:

        def legal_moves(self) -> list[Move]:
            """All legal moves."""

        def apply(self, move: Step | str) -> State:
            """The state after a move."""


@dataclass(frozen=True, repr=False)
class Move(Step):
    """A move of the run of the top ``count`` cards of column ``source`` to column ``target``; columns count
    from 0."""

    count: int

    def __str__(self) -> str:
        return self.with_name(f"{self.source + 1}-{self.target + 1}")


def start(
    variant: str, deck: Deck, columns: tuple[tuple[int, ...], ...], stock: tuple[int, ...] = ()
) -> State:
    """The state before the first move, without complete runs on top. Raises ValueError if cards are left for
    a stock."""
    if stock:
        raise ValueError(f"{len(stock)} cards are left over: {variant} has no stock")
    return _settled(State(variant, deck, columns))


def _settled(state: State) -> State:
    return replace(state, columns=tuple(_without_runs(state.deck, column) for column in state.columns))


def _without_runs(deck: Deck, column: tuple[int, ...]) -> tuple[int, ...]:
    while run_length(column) == deck.ranks:
        column = column[: -deck.ranks]
    return column


def run_length(column: tuple[int, ...]) -> int:
    """The number of cards in the longest run at the top end of ``column``."""
    length = min(1, len(column))
    while length < len(column):
        beneath, card = column[-length - 1], column[-length]
        if suit_of(beneath) != suit_of(card) or rank_of(beneath) != rank_of(card) + 1:
            break
        length += 1
    return length


def goes_on(state: State, card: int, other: int | None) -> bool:
    """Return whether ``card`` may go on ``other``, the top of a column, or to an empty column for None."""
    return other is None or rank_of(other) == rank_of(card) + 1


def moves_together(state: State, column: int, depth: int) -> bool:
    """Return whether the card at ``depth`` of a column and the next one on it move as one run."""
    return run_length(state.columns[column][depth : depth + 2]) == 2


def loose_cards(state: State) -> tuple[int, ...]:
    """Return no cards: those that left do not come back."""
    return ()


def possible_bases(state: State) -> range:
    """Return the ace alone; complete runs end with it."""
    return range(1)


def refusal(state: State, move: Move) -> str | None:
    """The reason why ``move`` is illegal in ``state``; None if it is legal."""
    for place in (move.source, move.target):
        if not 0 <= place < len(state.columns):
            return f"there is no column {place + 1}"
    source, target = state.columns[move.source], state.columns[move.target]
    if not source:
        return f"column {move.source + 1} is empty"
    if not 1 <= move.count <= run_length(source):
        return (
            f"{move.count} cards are asked for, the run on column {move.source + 1} has {run_length(source)}"
        )
    card = source[-move.count]
    if move.target == move.source:
        return f"{format_card(card)} lies on column {move.source + 1} already"
    if not target or goes_on(state, card, target[-1]):
        return None
    return f"{format_card(card)} does not go on {format_card(target[-1])}"


def legal_moves(state: State) -> list[Move]:
    """All legal moves: to cards first, then to empty columns, to each of them."""
    everywhere = range(len(state.columns))
    runs = [(s, count) for s in everywhere for count in range(1, run_length(state.columns[s]) + 1)]
    moves = [Move(s, t, count) for s, count in runs for t in everywhere if state.columns[t]]
    moves += [Move(s, t, count) for s, count in runs for t in everywhere if not state.columns[t]]
    return [with_card(state, move) for move in moves if refusal(state, move) is None]


def apply(state: State, move: Move) -> State:
    """The state after ``move`` and after complete runs have left. Raises ValueError if it is illegal."""
    problem = refusal(state, move)
    if problem is not None:
        raise ValueError(problem)
    columns = list(state.columns)
    run = columns[move.source][-move.count :]
    columns[move.source] = columns[move.source][: -move.count]
    columns[move.target] += run
    return _settled(replace(state, columns=tuple(columns)))


def safe_move(state: State) -> None:
    """Return None: there are no foundations, and complete runs leave by themselves."""


def is_won(state: State) -> bool:
    """Return whether all cards have left."""
    return not any(state.columns)


def canonical(state: State) -> tuple[object, ...]:
    """Return a key that is equal for two states of one game exactly if they differ at most in the order of
    the columns."""
    return tuple(sorted(state.columns))


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 3-10``, naming the highest card that moves; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """``move``, which must be legal in ``state``, with the highest card that it moves."""
    return Move(move.source, move.target, move.count, card=state.columns[move.source][-move.count])


def parse_move(state: State, text: str) -> Move:
    """Return the move that ``text`` names in ``state``, legal or not. Raises ValueError if the text cannot be
    read, or its card is not in the run on top of the column."""
    match = re.fullmatch(r"(\w+) ([0-9]{1,2})-([0-9]{1,2})", text)
    if match is None:
        raise ValueError(f"cannot read the move {shown(text)}; write it like '7S 3-10'")
    name, source, target = match[1], int(match[2]) - 1, int(match[3]) - 1
    if not 0 <= source < len(state.columns):
        raise ValueError(f"there is no column {match[2]}")
    column = state.columns[source]
    if not column:
        raise ValueError(f"column {match[2]} is empty")
    card = parse_card(name)
    run = column[-run_length(column) :]
    if card in column and card not in run:
        raise ValueError(f"{format_card(card)} lies too deep, the run begins at {format_card(run[0])}")
    if card not in run:
        raise ValueError(f"{format_card(card)} is not in column {match[2]}")
    return Move(source, target, len(run) - run.index(card), card=card)


def move_between(state: State, source: str, target: str, count: int) -> Move:
    """Return the move, legal or not, of ``count`` cards from one place to another; see `family`. Raises
    ValueError if there is no such kind of move."""
    if not source.isdigit():
        raise ValueError("these cards have left")
    if not target.isdigit():
        raise ValueError("only a run from king to ace leaves, and it does so by itself")
    return Move(int(source) - 1, int(target) - 1, count)


def from_board(variant: str, board: Board) -> State:
    """Return the state that ``board`` describes, without complete runs on top. Raises BoardError if the board
    is invalid: the cards that it does not show must be whole suits."""
    refuse_piles(board, "stock", "waste", "removed", "redeals")
    refuse_hidden(board)
    columns = tuple(tuple(s.card for s in c) for c in fit_columns(board, COLUMNS[variant]))
    suits_gone = _suits_gone(board)
    gone = _cards_gone(board.deck, columns)
    check_cards(board.deck, [("a run that left", card) for card in gone] + board.located_cards())
    for suit in sorted(suits_gone - {SUITS[suit_of(card)] for card in gone}):
        raise BoardError("foundations", f"the cards of {suit} have not left")
    return _settled(State(variant, board.deck, columns))


def _cards_gone(deck: Deck, columns: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the cards of the runs that left. The number of runs of a suit is the number of missing copies
    that most of its ranks have."""
    held = Counter(card for column in columns for card in column)
    gone: list[int] = []
    for suit in map(SUITS.index, deck.suits):
        cards = [make_card(rank, suit) for rank in range(deck.ranks)]
        counts = Counter(held[card] for card in cards)
        usual = max(counts, key=lambda count: (counts[count], count))
        gone += cards * (deck.copies - usual)
    return gone


def _suits_gone(board: Board) -> set[str]:
    """Return the suits that have left as a whole by the foundations of ``board``, which only boards of one
    deck may state."""
    last = {(suit, format_top(board.deck.ranks)) for suit in board.deck.suits if board.deck.copies == 1}
    written = set((board.foundations or {}).items()) - {(suit, "0") for suit in board.deck.suits}
    if not written <= last:
        raise BoardError("foundations", "this game has no foundations")
    return {suit for suit, _ in written}


def to_board(state: State) -> Board:
    """The board of ``state``; its ``foundations`` are always None."""
    return Board(state.deck, tuple(tuple(Slot(card) for card in column) for column in state.columns))


marked_board = to_board


def foundations_of(state: State) -> list[list[int]]:
    """The cards of the runs that left, each from the ace up."""
    held = Counter(card for column in state.columns for card in column)
    runs = []
    for suit in map(SUITS.index, state.deck.suits):
        cards = [make_card(rank, suit) for rank in range(state.deck.ranks)]
        runs += [cards] * (state.deck.copies - held[cards[-1]])
    return runs


def foundation_top(variant: str, cards: Sequence[int]) -> None:
    """Return None: the columns determine the runs that have left. Raises ValueError if the first of ``cards``
    is not an ace."""
    top_from_ace(cards)


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``7S-5S from column 3 to column 10``."""
    run = state.columns[move.source][-move.count :]
    return f"{cards_text(run)} from column {move.source + 1} to {column_text(state, move.target)}"


def effects(before: State, move: Move, after: State) -> list[str]:
    """The runs that left with a legal move, in words."""
    stayed = foundations_of(before)
    gone = [suit_of(run[0]) for run in foundations_of(after)]
    for run in stayed:
        gone.remove(suit_of(run[0]))
    return [f"king to ace of {SUIT_NAMES[SUITS[suit]]} leave" for suit in gone]


def piles(state: State) -> list[dict[str, str]]:
    """The runs that left, by suit, from the king down."""
    gone = foundations_of(state)
    found = []
    for name in state.deck.suits:
        runs = [run for run in gone if suit_of(run[0]) == SUITS.index(name)]
        cards = [format_card(card) for run in runs for card in reversed(run)]
        found.append(pile("runs", name, cards, f"{len(runs)}/{state.deck.copies}"))
    return found


def notes(state: State, as_seen: bool) -> list[str]:
    """Return an empty list: this family has no notes, see `Family.notes`, since the cards on the table
    determine the state."""
    return []
