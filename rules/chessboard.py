"""Chessboard and Fortress.

Deck
    One deck of 52 cards, no jokers, all face up.

Layout
    Ten columns in two wings of five. The first column of each wing has six cards, the others five:
    6 5 5 5 5, 6 5 5 5 5. Four empty foundations. No stock, waste, reserve or redeal.

Foundations
    Built up in suit to 13 cards, told apart by suit only; nothing leaves a foundation.
    chessboard:
    The first card put on a foundation may be any top card. Its rank becomes the base rank: the other three
    foundations must start with it, too. The ace follows the king.
    fortress:
    The base rank is the ace, so foundations run from A to K.

Columns
    Only the top card of a column moves, one at a time. It goes on the top of another column of its own suit
    and one rank higher or lower.
    Any top card may go to an empty column.
    chessboard:
    Ace and king are neighbours, both ways.
    fortress:
    Nothing lies below an ace or above a king.

Moves
    7S 10-f means: the 7 of spades from column 10 to its foundation; 7S 10-3: to column 3.
    No move is compulsory or automatic, not even to a foundation. One card moved is one move, so a run of k
    cards takes k moves.

End
    Won when all 52 cards are on the foundations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .board import (
    Board,
    BoardError,
    Position,
    Slot,
    Step,
    check_cards,
    column_text,
    fit_columns,
    parse_top,
    pile,
    refuse_hidden,
    refuse_piles,
    suit_tops,
    top_from_ace,
)
from .cards import RANKS, SUITS, Deck, format_card, make_card, parse_card, rank_of, shown, suit_of
from .choices import Implemented, not_implemented

LEGEND = "7S 10-f: the 7 of spades from column 10 to its foundation; 7S 10-3: to column 3"
FOUNDATION = -1
COLUMNS = 10
LEAVES_IN_RUNS = False
PROVED_FOR: Implemented = {"chessboard": {}, "fortress": {}}
"""The games for which what other modules take from these rules is proved: safe moves (`safe_move`), and that
cards which block each other stay (`solver.analysis.blocking`). See `choices.Implemented`."""


@dataclass(frozen=True, repr=False)
class State(Position):
    """A position. ``foundations`` counts the cards up of C, D, H, S; ``base`` is the base rank or None."""

    foundations: tuple[int, ...] = (0, 0, 0, 0)
    base: int | None = None

    if TYPE_CHECKING:

        def legal_moves(self) -> list[Move]:
            """All legal moves."""

        def apply(self, move: Step | str) -> State:
            """The state after a move."""


@dataclass(frozen=True, repr=False)
class Move(Step):
    """The top card of column ``source`` to column ``target`` or to ``FOUNDATION``; columns count from 0."""

    def __str__(self) -> str:
        target = "f" if self.target == FOUNDATION else str(self.target + 1)
        return self.with_name(f"{self.source + 1}-{target}")


def start(
    variant: str, deck: Deck, columns: tuple[tuple[int, ...], ...], stock: tuple[int, ...] = ()
) -> State:
    """The state before the first move. Raises ValueError if cards are left for a stock."""
    if stock:
        raise ValueError(f"{len(stock)} cards are left over: {variant} has no stock")
    return State(variant, deck, columns, base=None if variant == "chessboard" else 0)


def wraps(state: State) -> bool:
    """Return whether ace and last rank are neighbours."""
    return state.variant == "chessboard"


def are_neighbours(state: State, card: int, other: int) -> bool:
    """Return whether one card may lie on the other: same suit, one rank apart."""
    if suit_of(card) != suit_of(other) or card == other:
        return False
    apart = abs(rank_of(card) - rank_of(other))
    return apart == 1 or (wraps(state) and apart == state.deck.ranks - 1)


def next_rank(state: State, suit: int) -> int | None:
    """Return the rank that goes up next in ``suit``, None if any may (no base rank is chosen yet) or the
    foundation is complete."""
    if state.base is None or state.foundations[suit] == state.deck.ranks:
        return None
    return (state.base + state.foundations[suit]) % state.deck.ranks


def goes_on(state: State, card: int, other: int | None) -> bool:
    """Return whether ``card`` may go on ``other``, the top of a column, or to an empty column for None."""
    return other is None or are_neighbours(state, card, other)


def moves_together(state: State, column: int, depth: int) -> bool:
    """Return False: cards move one by one."""
    return False


def loose_cards(state: State) -> tuple[int, ...]:
    """Return no cards: nothing comes back from the foundations."""
    return ()


def possible_bases(state: State) -> range:
    """The ranks that the foundations may begin at: any until the first card is up."""
    return range(state.deck.ranks) if state.base is None else range(state.base, state.base + 1)


def refusal(state: State, move: Move) -> str | None:
    """The reason why ``move`` is illegal in ``state``; None if it is legal."""
    if not 0 <= move.source < len(state.columns):
        return f"there is no column {move.source + 1}"
    if not state.columns[move.source]:
        return f"column {move.source + 1} is empty"
    card = state.columns[move.source][-1]
    if move.target == FOUNDATION:
        if state.base is None or next_rank(state, suit_of(card)) == rank_of(card):
            return None
        return f"{format_card(card)} is not next on its foundation"
    if not 0 <= move.target < len(state.columns):
        return f"there is no column {move.target + 1}"
    if move.target == move.source:
        return f"{format_card(card)} lies on column {move.source + 1} already"
    other = state.columns[move.target][-1] if state.columns[move.target] else None
    if other is None or goes_on(state, card, other):
        return None
    return f"{format_card(card)} does not go on {format_card(other)}"


def legal_moves(state: State) -> list[Move]:
    """All legal moves: to the foundations first, then to cards, then to empty columns."""
    everywhere = range(len(state.columns))
    targets = sorted(everywhere, key=lambda target: not state.columns[target])
    moves = [Move(source, FOUNDATION) for source in everywhere]
    moves += [Move(source, target) for target in targets for source in everywhere]
    return [with_card(state, move) for move in moves if refusal(state, move) is None]


def apply(state: State, move: Move) -> State:
    """The state after ``move``. Raises ValueError if it is illegal."""
    problem = refusal(state, move)
    if problem is not None:
        raise ValueError(problem)
    columns = list(state.columns)
    card = columns[move.source][-1]
    columns[move.source] = columns[move.source][:-1]
    if move.target != FOUNDATION:
        columns[move.target] += (card,)
        return replace(state, columns=tuple(columns))
    heights = list(state.foundations)
    heights[suit_of(card)] += 1
    base = rank_of(card) if state.base is None else state.base
    return replace(state, columns=tuple(columns), foundations=tuple(heights), base=base)


def safe_move(state: State) -> Move | None:
    """Return a safe foundation move, or None: of a card that is next on its foundation and not of the base
    rank, in Fortress of any rank (Theorem C2 of docs/theory/chessboard.md)."""
    if not_implemented(PROVED_FOR, state.variant):
        return None
    for source, column in enumerate(state.columns):
        if not column or state.base is None:
            continue
        card = column[-1]
        is_base = rank_of(card) == state.base and state.variant == "chessboard"
        if not is_base and next_rank(state, suit_of(card)) == rank_of(card):
            return Move(source, FOUNDATION)
    return None


def is_won(state: State) -> bool:
    """Return whether all cards are up."""
    return not any(state.columns)


def canonical(state: State) -> tuple[object, ...]:
    """Return a key that is equal for two states of one game exactly if they differ at most in the order of
    the columns."""
    return (tuple(sorted(state.columns)), state.foundations, state.base)


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 10-f`` or ``7S 10-3``; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """``move``, which must be legal in ``state``, with the card that it moves."""
    return Move(move.source, move.target, card=state.columns[move.source][-1])


def parse_move(state: State, text: str) -> Move:
    """Return the move that ``text`` names in ``state``, legal or not. Raises ValueError if the text cannot be
    read, or names another card than the top of its column."""
    match = re.fullmatch(r"(\w+) ([0-9]{1,2})-([0-9]{1,2}|f)", text)
    if match is None:
        raise ValueError(f"cannot read the move {shown(text)}; write it like '7S 10-f' or '7S 10-3'")
    card, source, target = match.groups()
    if target == "0" * len(target):
        raise ValueError(f"there is no column {target}")
    move = Move(int(source) - 1, FOUNDATION if target == "f" else int(target) - 1)
    if not 0 <= move.source < len(state.columns):
        raise ValueError(f"there is no column {source}")
    column = state.columns[move.source]
    if not column:
        raise ValueError(f"column {source} is empty")
    if parse_card(card) != column[-1]:
        raise ValueError(f"the top of column {source} is {format_card(column[-1])}")
    return with_card(state, move)


def move_between(state: State, source: str, target: str, count: int) -> Move:
    """Return the move, legal or not, from one place to another; see `family`. Raises ValueError if there is
    no such kind of move."""
    if not source.isdigit():
        raise ValueError("nothing comes back from there")
    if count > 1:
        raise ValueError("one card moves at a time")
    return Move(int(source) - 1, int(target) - 1 if target.isdigit() else FOUNDATION)


def from_board(variant: str, board: Board) -> State:
    """Return the state that ``board`` describes. Raises BoardError if the board is invalid."""
    refuse_piles(board, "stock", "waste", "removed", "redeals")
    refuse_hidden(board)
    columns = tuple(tuple(s.card for s in c) for c in fit_columns(board, COLUMNS))
    read = _chessboard_foundation if variant == "chessboard" else _foundation_from_ace
    heights, bases = [0, 0, 0, 0], set[int]()
    for suit, text in suit_tops(board).items():
        first, heights[suit] = read(text, board.deck)
        bases |= set() if first is None else {first}
    if len(bases) > 1:
        raise BoardError("foundations", "the base ranks differ: " + " ".join(RANKS[b] for b in sorted(bases)))
    base = next(iter(bases), None) if variant == "chessboard" else 0
    state = State(variant, board.deck, columns, tuple(heights), base)
    up = [("foundations", card) for cards in foundations_of(state) for card in cards]
    check_cards(board.deck, up + board.located_cards())
    return state


def _foundation_from_ace(text: str, deck: Deck) -> tuple[int, int]:
    base, colon, top = text.rpartition(":")
    if colon and parse_top(base, deck) != 1:
        raise BoardError("foundations", f"{shown(text)}: foundations begin with the ace")
    return 0, parse_top(top, deck)


def _chessboard_foundation(text: str, deck: Deck) -> tuple[int | None, int]:
    if text == "0":
        return None, 0
    base, colon, top = text.partition(":")
    if not colon:
        raise BoardError("foundations", f"{shown(text)}: expected base and top, such as '5:9'")
    if "0" in (base, top):
        raise BoardError("foundations", f"{shown(text)}: expected base and top, such as '5:9'")
    first, last = parse_top(base, deck) - 1, parse_top(top, deck) - 1
    return first, (last - first) % deck.ranks + 1


def foundations_of(state: State) -> list[list[int]]:
    """The cards of the foundations C, D, H and S, each from the base up."""
    base, ranks = state.base or 0, state.deck.ranks
    return [
        [make_card((base + i) % ranks, suit) for i in range(height)]
        for suit, height in enumerate(state.foundations)
    ]


def foundation_top(variant: str, cards: Sequence[int]) -> str:
    """Return the notation of boards for a foundation of ``cards``: ``5:9``, where it begins with the ace
    ``9``. Raises ValueError if it must and does not."""
    if variant != "chessboard":
        return top_from_ace(cards)
    return f"{RANKS[rank_of(cards[0])]}:{RANKS[rank_of(cards[-1])]}"


def to_board(state: State) -> Board:
    """Return the board of ``state``; its ``foundations`` are None if no card is up. Raises BoardError if a
    foundation has more cards than the deck has ranks."""
    most = state.deck.ranks
    if max(state.foundations) > most:
        raise BoardError("foundations", f"expected at most {most} cards, got {max(state.foundations)}")
    columns = tuple(tuple(Slot(card) for card in column) for column in state.columns)
    if not any(state.foundations):
        return Board(state.deck, columns)
    piles = foundations_of(state)
    up = {name: piles[SUITS.index(name)] for name in state.deck.suits}
    tops = {name: foundation_top(state.variant, cards) if cards else "0" for name, cards in up.items()}
    return Board(state.deck, columns, foundations=tops)


marked_board = to_board


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``7S from column 10 to its foundation``."""
    target = "its foundation" if move.target == FOUNDATION else column_text(state, move.target)
    return f"{format_card(state.columns[move.source][-1])} from column {move.source + 1} to {target}"


def effects(before: State, move: Move, after: State) -> list[str]:
    """Return the base rank in words if a legal move chose it, otherwise an empty list."""
    return [f"the foundations begin at {RANKS[after.base or 0]}"] if before.base != after.base else []


def piles(state: State) -> list[dict[str, str]]:
    """Return the foundations as `board.pile` makes them; the note of the first names the base rank."""
    note = "" if state.base is None else f"from {RANKS[state.base]}"
    up = foundations_of(state)
    shown = [pile("foundation", name, map(format_card, up[SUITS.index(name)])) for name in state.deck.suits]
    shown[0]["note"] = note
    return shown


def notes(state: State, as_seen: bool) -> list[str]:
    """Return an empty list: this family has no notes, see `Family.notes`, since the cards on the table
    determine the state."""
    return []
