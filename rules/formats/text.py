"""Text format of deals and positions, described in docs/formats.md, and its writer; `text_reader` reads it.

The boards of fc-solve and PySolFC are read too: ``Freecells:`` without cards, and the foundations of Simple
Simon, ``K`` for a suit that left; so are the deals of other programs (see `foreign`).

A text may hold several boards: once a board holds all its cards, a column line after a blank or comment line
begins the next, and so does a header at any time. The game that a header names holds for the boards that
follow, too. The output of `solve` and `play` after a board, and moves under ``Moves:`` or with numbers, are
skipped.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..board import Board, Slot, has_unknown
from ..cards import RANKS, UNKNOWN, format_card, is_joker, parse_card, parse_rank, shown
from ..variants import State, Variant, find_variant
from .header import format_header, seed_value

if TYPE_CHECKING:
    from .. import answers

_UNKNOWN = r"(?i)(?:\?{1,2}|xx|#{2,3}|\*)|<(?:\?{1,2}|xx|##)>"
_GAP = r"[-._\u2013\u2014]+|\[\]"


class FormatError(ValueError):
    """Input that cannot be read. The message has the file, the number of the ``line`` (None for all of it),
    and ``problem``: a sentence with the offending value, or the error of a reader. ``remedies`` are those of
    that error."""

    def __init__(self, name: str, line: int | None, problem: object) -> None:
        super().__init__(f"{name if line is None else f'{name}:{line}'}: {problem}")
        self.line = line
        self.problem = problem
        self.remedies: tuple[str, ...] = getattr(problem, "remedies", ())


class Way(NamedTuple):
    """The order of the cards of a written table: ``by`` lines that are columns or rows, and each column with
    its ``top`` card last or first."""

    by: str = "columns"
    top: str = "last"

    @classmethod
    def of(cls, by: object, top: object) -> "Way":
        """The way with these words. Raises ValueError for other words."""
        for name, value, words in (("by", by, WAYS), ("top", top, TOPS)):
            if value not in words:
                raise ValueError(f"{name} {shown(value)}: expected {' or '.join(words)}")
        return cls(str(by), str(top))

    @property
    def name(self) -> str:
        """The words that differ from the usual ones, such as ``by rows, top first``; empty without any."""
        parts = {f"by {self.by}": self.by != WAYS[0], f"top {self.top}": self.top != TOPS[0]}
        return ", ".join(words for words, is_other in parts.items() if is_other)


USUAL = Way()
"""Columns, their top cards last."""

WAYS, TOPS = ("columns", "rows"), ("last", "first")
"""The words of a `Way`, the usual ones first."""


class Reading(NamedTuple):
    """A table that was typed without its seed or number, as it was understood: ``state``, read in a
    ``way``."""

    state: State
    way: Way

    def __str__(self) -> str:
        """A sentence for the person who typed the table: its cards that can be played at once."""
        state: Any = self.state
        board = find_variant(state.variant).family.marked_board(state)
        tops = [format_slot(column[-1]) for column in board.columns if column]
        tops += [format_card(card) for card in board.waste[-1:]]
        top = f"top card {self.way.top}"
        lines = (
            top
            if self.way.by == WAYS[0]
            else f"the deepest cards {'first' if self.way.top == 'last' else 'last'}"
        )
        text = f"Read as {self.way.by}, {lines}. Playable now: {' '.join(tops) or 'none'}"
        coming = [format_card(card) for card in board.stock[:1] if card != UNKNOWN]
        return f"{text}. Next of the stock: {coming[0]}" if coming else text


class Deal(NamedTuple):
    """A deal or position with its seed or PySolFC number, where known, and the number of moves ``made`` since
    that deal. The state of a partly known position is a table: see `tables`. ``reading`` is that of a table
    that was typed without its seed or number, as it was before any moves."""

    state: State
    seed: int | None = None
    pysol: str | None = None
    made: int = 0
    reading: Reading | None = None

    @property
    def read_as(self) -> str:
        """`Reading` in words; empty if there is none."""
        return "" if self.reading is None else str(self.reading)

    @property
    def variant(self) -> Variant:
        """The game."""
        return find_variant(self.state.variant)

    @property
    def name(self) -> str:
        """``seed 8``, ``pysol 12345``, ``seed 8 after 5 moves``, or nothing."""
        if self.seed is None and self.pysol is None:
            return ""
        name = f"seed {self.seed}" if self.pysol is None else f"pysol {self.pysol}"
        return f"{name} after {self.made} move{'' if self.made == 1 else 's'}" if self.made else name


def deal_keys(deal: Deal, number: int | None = None) -> "answers.Origin":
    """The keys that identify the deal in every JSON answer; ``number`` is its place in a file of several."""
    keys = {
        "game": deal.variant.name,
        **deal.variant.choices_of(deal.state),
        **({} if number is None else {"deal": number}),
        "seed": seed_value(deal.seed),
        **({} if deal.pysol is None else {"pysol": deal.pysol}),
        **({"moves_made": deal.made} if deal.made else {}),
        **({"read_as": deal.read_as} if deal.reading is not None else {}),
    }
    return cast("answers.Origin", keys)  # type checkers do not know the rule options


def is_unknown(token: str) -> bool:
    """Test if ``token`` is an unknown card: ``??``, which we write, ``?``, ``xx`` or ``##``."""
    return re.fullmatch(_UNKNOWN, token) is not None


@lru_cache(maxsize=4096)  # files repeat few names
def is_gap(token: str) -> bool:
    """Test if ``token`` is an empty place, such as ``--``, ``.`` or ``[]``."""
    return re.fullmatch(_GAP, token) is not None


@lru_cache(maxsize=4096)  # files repeat few names
def parse_slot(text: str) -> Slot:
    """Parse one card of a column: ``7H``, ``<7H>`` face down, ``<??>`` or another unknown card (see
    `is_unknown`), ``XB=6`` for a declared joker. Raises ValueError."""
    if is_unknown(text):
        return Slot(UNKNOWN, face_down=True)
    inner = re.fullmatch(r"<(.*)>", text)
    if inner is not None:
        return Slot(parse_card(inner[1]), face_down=True)
    name, equals, rank = text.partition("=")
    card = parse_card(name)
    if not equals:
        return Slot(card)
    if not is_joker(card):
        raise ValueError(f"card {shown(text)}: only a joker is declared")
    return Slot(card, rank=parse_rank(rank))


def format_slot(slot: Slot) -> str:
    """The inverse of `parse_slot`."""
    text = format_card(slot.card) + ("" if slot.rank is None else f"={RANKS[slot.rank]}")
    return f"<{text}>" if slot.face_down else text


def format_foundations(tops: dict[str, str]) -> str:
    """The inverse of `partial_board.parse_foundations`."""
    return " ".join(f"{key}{'=' if len(key) == 2 else '-'}{value}" for key, value in tops.items())


def format_deal(deal: Deal) -> str:
    """``deal`` as text that `text_reader` reads, with a final newline."""
    return format_board(deal.variant, deal.state, deal.seed, deal.pysol, deal.made)


def format_state(state: State) -> str:
    """The board of ``state``, which may be a table, under a header with its game, and its seed where the
    board shows that it is the deal of that seed."""
    if has_unknown(state):
        return format_table(state)
    variant = find_variant(state.variant)
    is_shown = state.seed is not None and variant.is_deal(state, state.seed)
    return format_board(variant, state, state.seed if is_shown else None)


def format_table(table: State) -> str:
    """``table`` as text that `partial.read_table` reads, with a final newline."""
    variant = find_variant(table.variant)
    return board_text(format_header(variant.name), *table_parts(table))


def table_parts(table: State) -> tuple[dict[str, str], Board, str | int]:
    """The rule options, the board and the stock of ``table`` as it is written: face-down cards are marked,
    and a stock without a known card is a number."""
    variant = find_variant(table.variant)
    board = variant.family.marked_board(table)
    is_counted = set(board.stock) <= {UNKNOWN}
    stock = len(board.stock) if is_counted else cards_of_pile(board.stock)
    return variant.choices_of(table), board, stock


def format_board(
    variant: Variant, state: State, seed: int | None = None, pysol: str | None = None, made: int = 0
) -> str:
    """The board of ``state`` as `format_deal` writes it. Raises ValueError for a state of another game."""
    variant.check(state)
    board = variant.family.to_board(state)
    header = format_header(variant.name, seed, pysol, made, variant.mark(state))
    choices = variant.choices_of(state)
    return board_text(header, choices, board, cards_of_pile(board.stock))


def cards_of_pile(cards: Iterable[int]) -> str:
    """The cards of a pile as text."""
    return " ".join(map(format_card, cards))


def board_text(header: list[str], choices: Mapping[str, str], board: Board, stock: str | int) -> str:
    """The text of ``board`` below the lines ``header``, with the rule options ``choices``; ``stock`` is the
    text or the number of the stock's cards."""
    lines = header
    if not board.deck.is_full:
        lines += [f"Ranks: {board.deck.ranks}", f"Suits: {board.deck.suits}"]
    lines += [f"{name.replace('_', ' ').capitalize()}: {value}" for name, value in choices.items()]
    lines += [" ".join(map(format_slot, column)) or ":" for column in board.columns]
    if board.foundations is not None:
        lines.append(f"Foundations: {format_foundations(dict(board.foundations))}")
    piles = {"Stock": stock, "Waste": cards_of_pile(board.waste), "Removed": cards_of_pile(board.removed)}
    lines += [f"{title}: {cards}" for title, cards in piles.items() if cards != ""]
    if board.redeals:
        lines.append(f"Redeals: {board.redeals}")
    return "\n".join(lines) + "\n"
