"""A board under construction: the readers of all formats fill it, and it makes the state."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .. import CHOICES, State, Variant
from ..board import Board, BoardError, RowsError, Slot, card_counts, wrong_sizes
from ..cards import UNKNOWN, format_card, parse_card, shown
from ..deals import lay_out, row_sizes
from .header import IN_PLAY, parse_position
from .klondike_deals import NUMBERED, cards_of_number, check_game, parse_talon
from .pysol import MissingPackage, column_sizes
from .pysol import deal as deal_of_pysol
from .text import BLANKS, Deal, FormatError, parse_slot

FIELDS = (
    *("position", "foundations", "freecells", "stock", "waste", "talon", "removed", "redeals", "ranks"),
    "suits",
    *NUMBERED,
    *CHOICES,
)
"""Fields of a board beside its columns."""

BY_COLUMNS, BY_ROWS = "columns", "rows"
"""What the lines of cards of a board are."""

_MOST = 54  # cards of a game that has a stock
_GAP = r"[-._\u2013\u2014]+|\[\]"  # an empty place of a row
_MARKING = (
    f'for a position in play write \'# position: {IN_PLAY}\' above it (in JSON "position": "{IN_PLAY}"), '
    "or give its deal and --moves"
)


@dataclass
class Draft:
    """A board while it is read: its fields as written, each with the line it stands on.

    ``choices`` are the rules it states, ``agreed`` those that hold where it states none. Cards of columns and
    of the stock may be `UNKNOWN`, which no state can be made of. ``rows`` are the lines of a table that is
    typed `BY_ROWS`, with None for an empty place, until `settle` makes columns of them. ``in_play`` is set
    where the board is marked as a position in play. ``places`` are those of each card in lines taken in.
    """

    line: int
    variant: Variant
    columns: list[tuple[int, list[Slot]]] = field(default_factory=list)
    piles: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    foundations: dict[str, str] | None = None
    foundations_line: int = 0
    ranks: int = 13
    suits: str = "CDHS"
    redeals: int = 0
    choices: dict[str, str] = field(default_factory=dict)
    agreed: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    pysol: str | None = None
    made: int = 0
    by: str = BY_COLUMNS
    in_play: bool = False
    rows: list[tuple[int, list[Slot | None]]] = field(default_factory=list)
    places: dict[int, list[str]] = field(default_factory=dict)

    def take_column(self, line: int, text: str) -> None:
        """Take in a column or row, and check it. Raises ValueError naming its place and the card, also for a
        column too many, and for a card of another deck or once too often in what was taken in so far."""
        if self.by == BY_ROWS:
            place = f"row {len(self.rows) + 1}"
            row = [None if is_gap(token) else _at(place, parse_slot, token) for token in text.split()]
            self.rows.append((line, row))
            if len(row) > len(self.variant.sizes) or not any(row):
                raise BoardError(place, f"{len(row)} places, expected 1 to {len(self.variant.sizes)} cards")
            self._check_cards(place, row)
            return
        self.add_column(line, text)
        place = f"column {len(self.columns)}"
        if len(self.columns) > len(self.variant.sizes):
            raise BoardError(place, f"this game has {len(self.variant.sizes)} columns")
        self._check_cards(place, self.columns[-1][1])

    def _check_cards(self, place: str, slots: Sequence[Slot | None]) -> None:
        counts = _counts_of(self.variant, self.ranks, self.suits)
        places = self.places
        for slot in slots:
            card = UNKNOWN if slot is None else slot.card
            if card == UNKNOWN:
                continue
            if card not in counts:
                raise BoardError(place, f"card {format_card(card)} does not belong to this deck")
            there = places.get(card)
            if there is None:
                places[card] = [place]
            elif len(there) < counts[card]:
                there.append(place)
            else:
                name = format_card(card)
                raise BoardError(place, f"card {name} once too often, it is in {there[-1]} already")

    def add_column(self, line: int, text: str) -> None:
        """Take in a column. Raises ValueError naming its place and the card."""
        place = f"column {len(self.columns) + 1}"
        try:
            slots = [parse_slot(token) for token in text.split()]
        except ValueError as error:
            if gap := next(filter(is_gap, text.split()), None):
                raise RowsError(
                    place, f"{shown(gap)} is an empty place of a row: read rows with --by rows"
                ) from None
            raise ValueError(f"{place}: {error}") from None
        self.columns.append((line, slots))

    def add_field(self, line: int, name: str, text: str) -> None:
        """Take in any other field. Raises ValueError if it is unknown, doubled or wrong."""
        if name == "position":
            parse_position(text)
            self.in_play = True
        elif name == "foundations":
            if self.foundations is not None:
                raise ValueError("foundations: written twice")
            self.foundations, self.foundations_line = parse_foundations(text), line
        elif name == "freecells":
            if text.strip("- "):
                raise ValueError(f"freecells {shown(text)}: this game has none")
        elif name == "ranks":
            if not re.fullmatch("[0-9]{1,2}", text):
                raise ValueError(f"ranks {shown(text)}: expected a whole number from 1 to 13")
            self.ranks = int(text)
        elif name == "suits":
            self.suits = text
        elif name == "redeals":
            if not re.fullmatch("[0-9]{1,2}", text):
                raise ValueError(f"redeals {shown(text)}: expected a whole number from 0 to 99")
            self.redeals = int(text)
        elif name in CHOICES:
            if name in self.choices:
                raise ValueError(f"{name}: written twice")
            if self.agreed.get(name, text) != text:
                raise ValueError(f"{name} {shown(text)}: {self.agreed[name]} is asked for")
            self.variant.agreed({name: text})  # so that what is wrong is told with its line
            self.choices[name] = text
        elif name in NUMBERED:
            self.add_cards(line, name, cards_of_number(name, text))
        elif name == "talon":
            waste, cards = parse_talon(text)
            self._add_pile(line, "talon" if waste is None else "stock", cards)
            if waste is not None:
                self._add_pile(line, "waste", waste)
        else:
            is_stock = name == "stock"
            cards = _parse_stock(text) if is_stock else [_at(name, parse_card, each) for each in text.split()]
            self._add_pile(line, name, cards)

    def _add_pile(self, line: int, name: str, cards: list[int]) -> None:
        if name in self.piles:
            raise ValueError(f"{name}: written twice")
        self.piles[name] = line, cards

    def add_cards(self, line: int, what: str, cards: list[int]) -> None:
        """Take in the cards of a deal of Klondike in the order of dealing, as ``what`` says them. Raises
        ValueError for another game, and on a board that has columns."""
        check_game(self.variant, what)
        if self.columns or self.rows:
            raise ValueError(f"{what}: the board has cards already")
        columns, stock = lay_out(cards, self.variant.sizes)
        self.columns = [(line, [Slot(card) for card in column]) for column in columns]
        self._add_pile(line, "stock", list(stock))

    def settle(self) -> None:
        """Make columns of the rows, and decide whether the pile under ``Talon:`` is the stock or the waste,
        once the board is read. Raises BoardError for rows that do not tell the columns.

        Beside an unplayed deal it is the stock if it has as many cards, as PySolFC and Klondike-Solver write
        it. Else it is the waste in games of one pass, as older files have it. In games with redeals, where
        the two are easily taken for each other and the verdict with them, ValueError is raised.
        """
        if self.rows:
            self._turn_rows()
        line, cards = self.piles.pop("talon", (0, []))
        if not line:
            return
        whole = len(self.variant.deck(self.ranks, self.suits).cards())
        is_stock = self._is_dealt() and self.card_count() + len(cards) == whole
        if not is_stock and "draw" in self.variant.choices:
            self.piles["talon"] = line, cards  # where the error stands
            count = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
            why = f"{count} beside what is no unplayed deal may be the stock or the waste"
            raise ValueError(f"talon: {why}; write Stock, the next card first, and Waste, the top last")
        self._add_pile(line, "stock" if is_stock else "waste", cards)

    def _turn_rows(self) -> None:
        """Make columns of the rows, which are those of a fresh deal, or have a place for every column, where
        empty ones after a written empty place may be left out. Raises BoardError."""
        rows, layout = [row for _, row in self.rows], self._layout()
        columns: list[list[Slot]] = [[] for _ in self.variant.sizes]
        if tuple(map(len, rows)) == row_sizes(layout) and self._may_be_dealt():
            cards = [slot for row in rows for slot in row if slot is not None]
            columns = [[cards[at] for at in column] for column in lay_out(range(len(cards)), layout)[0]]
        else:
            for number, row in enumerate(rows, 1):
                self._add_row(columns, number, row)
        self.columns, self.rows = [(self.line, column) for column in columns], []

    def _add_row(self, columns: list[list[Slot]], number: int, row: list[Slot | None]) -> None:
        """Put the cards of the row ``number`` on ``columns``. Raises BoardError."""
        if len(row) < len(columns) and None not in row:
            dealt = " ".join(map(str, row_sizes(self._layout())))
            ways = f"{len(columns)} with empty ones written --, or the rows {dealt} of a fresh deal"
            raise BoardError(f"row {number}", f"{len(row)} places, expected {ways}")
        for at, slot in enumerate(row):
            if slot is None:
                continue
            if len(columns[at]) != number - 1:
                name = "card ??" if slot.card == UNKNOWN else f"card {format_card(slot.card)}"
                raise BoardError(f"row {number}", f"{name} lies under an empty place of column {at + 1}")
            columns[at].append(slot)

    def _layout(self) -> tuple[int, ...]:
        """The column sizes of a fresh deal of this deck, by PySolFC for one of its numbers."""
        deck = self.variant.deck(self.ranks, self.suits)
        if deck.is_full:
            return self.variant.sizes if self.pysol is None else column_sizes(self.variant)
        sizes = self.variant.layout(deck)
        return tuple(map(len, lay_out(deck.cards(), sizes)[0]))

    def _may_be_dealt(self) -> bool:
        """Return whether nothing tells that the rows are those of a position in play: no mark, no empty place
        and nothing played; and cards face down only where all but the last of each column are."""
        slots = [slot for _, row in self.rows for slot in row]
        tops = (self.foundations or {}).values()
        played = self.in_play or self.made or self.redeals or any(top != "0" for top in tops)
        piles = any(cards for name, (_, cards) in self.piles.items() if name not in ("stock", "talon"))
        return not (played or piles or None in slots) and self._is_hidden_as_dealt()

    def _is_hidden_as_dealt(self) -> bool:
        rows = [row for _, row in self.rows]
        if not any(slot.face_down for row in rows for slot in row if slot is not None):
            return True
        layout = self._layout()
        dealt = [[row + 1 < size for size in layout if size > row] for row in range(max(layout))]
        return [[slot is not None and slot.face_down for slot in row] for row in rows] == dealt

    def _is_dealt(self) -> bool:
        """Return whether the columns are those of an unplayed deal, with nothing but a talon beside them."""
        slots = [slots for _, slots in self.columns]
        marks = [[slot.face_down for slot in column] for column in slots]
        dealt = [[True] * (size - 1) + [False] for size in self.variant.sizes]
        tops = (self.foundations or {}).values()
        return (
            tuple(map(len, slots)) == self.variant.sizes
            and (marks == dealt or not any(map(any, marks)))
            and not any(cards for _, cards in self.piles.values())
            and all(top == "0" for top in tops)
            and not self.redeals
        )

    def card_count(self) -> int:
        """The number of cards written, leaving out the foundations."""
        piles = [cards for _, cards in self.piles.values()]
        in_rows = sum(slot is not None for _, row in self.rows for slot in row)
        return in_rows + sum(len(slots) for _, slots in self.columns) + sum(map(len, piles))

    def unknown(self) -> list[str]:
        """The place of each unknown card."""
        rows = enumerate(self.columns, 1)
        columns = [f"column {i}" for i, (_, slots) in rows for slot in slots if slot.card == UNKNOWN]
        return columns + ["stock"] * self.piles.get("stock", (0, []))[1].count(UNKNOWN)

    def line_of(self, place: str) -> int:
        """The line on which ``place`` of a BoardError stands; the first line of the board if none does."""
        number = re.fullmatch("(column|row) ([0-9]+)", place)
        if number is not None:
            lines = [line for line, _ in (self.columns if number[1] == "column" else self.rows)]
            return lines[int(number[2]) - 1] if int(number[2]) <= len(lines) else self.line
        if place in self.piles:
            return self.piles[place][0]
        return self.foundations_line if place == "foundations" and self.foundations_line else self.line

    def deal(self, name: str) -> Deal:
        """The deal on this board. Raises FormatError if there is none, or not the one it says it is."""
        deal = Deal(self.state(name), self.seed, self.pysol, self.made)
        if deal.name and not self.made and not self._is_of_number(deal.state):
            raise FormatError(name, self.line, wrong_number(deal.name))
        return deal

    def _is_of_number(self, state: State) -> bool:
        """Test if ``state`` is the deal of its seed, or of its number in PySolFC where that can be dealt."""
        try:
            if self.seed is not None:
                sizes = None if state.deck.is_full else tuple(map(len, state.columns))
                choices = self.variant.choices_of(state)
                return self.variant.deal(self.seed, self.ranks, self.suits, sizes, choices) == state
            to_board = self.variant.family.to_board
            return to_board(deal_of_pysol(self.variant, self.pysol or "")) == to_board(state)
        except MissingPackage:
            return True
        except ValueError:  # more columns, or no such numbers
            return False

    def state(self, name: str) -> State:
        """The state on this board. Raises FormatError if there is none."""
        for place in self.unknown():
            card = "card '??'" if place == "stock" else "card '<??>'"
            problem = f"{place}: {card}: to decide a deal every card must be known"
            raise FormatError(name, self.line_of(place), problem)
        for choice in self.variant.stated:
            if choice not in self.choices and choice not in self.agreed:
                raise FormatError(name, self.line, unstated(choice, self.variant))
        try:
            board = Board(
                self.variant.deck(self.ranks, self.suits),
                tuple(tuple(slots) for _, slots in self.columns),
                **{pile: tuple(cards) for pile, (_, cards) in self.piles.items()},
                foundations={} if self.in_play and self.foundations is None else self.foundations,
                redeals=self.redeals,
            )
            state = self.variant.from_board(board, {**self.agreed, **self.choices})
            if not (self.in_play or self.made) and self.variant.needs_mark(state):
                sizes = tuple(map(len, state.columns))
                raise wrong_sizes(self.variant.sizes, sizes, _MARKING, self.by == BY_ROWS)
            return state
        except BoardError as error:
            raise FormatError(name, self.line_of(error.place), error) from None
        except ValueError as error:
            raise FormatError(name, self.line, error) from None


def wrong_number(deal: str) -> str:
    """The problem of a board that is not the ``deal``, named by its number, that it says it is."""
    return f"{deal}: expected that deal, or '# moves made: N' (in JSON moves_made)"


@lru_cache(maxsize=64)
def _counts_of(variant: Variant, ranks: int, suits: str) -> Counter[int]:
    return card_counts(variant.deck(ranks, suits))


def unstated(choice: str, variant: Variant) -> str:
    """The problem of a file that does not state a choice that files state."""
    old = variant.choices[choice][-1]
    ways = " or ".join(f'"{choice.capitalize()}: {value}"' for value in variant.choices[choice])
    return (
        f"{choice}: expected {ways}; a file of winnable 1 that has neither was written under {old}: "
        f"add the line, or choose it (--{choice} {old})"
    )


def is_gap(token: str) -> bool:
    """Return whether ``token`` is an empty place of a row, such as ``--``, ``.`` or ``[]``."""
    return re.fullmatch(_GAP, token) is not None


def _parse_stock(text: str) -> list[int]:
    """The cards of a stock, or as many unknown ones as the number in ``text`` says. Raises ValueError."""
    if re.fullmatch("[0-9]+", text):
        if len(text) > 3 or int(text) > _MOST:
            raise ValueError(f"stock: {text[:9]} cards, more than there are")
        return [UNKNOWN] * int(text)
    cards = text.split()
    return [UNKNOWN if token in BLANKS else _at("stock", parse_card, token) for token in cards]


def _at(place: str, parse: Any, token: str) -> Any:
    try:
        return parse(token)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def parse_foundations(text: str) -> dict[str, str]:
    """Parse a Foundations line into the text for each suit and joker. Raises ValueError if wrong."""
    tops: dict[str, str] = {}
    for token in text.split():
        match = re.fullmatch(r"([CDHScdhs])-(\w+(?::\w+)?)|(X[BR])=(\w+)", token)
        if match is None:
            raise ValueError(
                f"foundations: {shown(token)} is no foundation, such as 'C-3', 'C-5:9' or 'XB=A'"
            )
        suit, top, joker, place = match.groups()
        key, value = (joker, place) if suit is None else (suit.upper(), top)
        if key in tops:
            raise ValueError(f"foundations: {key} is written twice")
        tops[key] = value
    return tops
