"""A board under construction: the readers of all formats fill it, and it makes the state."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .. import remedies
from ..board import Board, BoardError, RowsError, Slot, card_counts, with_seed, wrong_sizes
from ..cards import UNKNOWN, format_card, parse_card, shown
from ..choices import CHOICES
from ..deals import BY_COLUMNS as AS_COLUMNS
from ..deals import IN_PLAY, lay_out, row_sizes
from ..variants import State, Variant, find_variant
from . import foreign
from .foreign.pysol import MissingPackage, column_sizes
from .foreign.pysol import deal as deal_of_pysol
from .header import parse_position
from .text import USUAL, Deal, FormatError, Reading, Way, is_gap, is_unknown, parse_slot

FIELDS = (
    *(
        "rows",
        "position",
        "foundations",
        "freecells",
        "jokers",
        "stock",
        "waste",
        "removed",
        "redeals",
        "ranks",
    ),
    *("suits", *foreign.FIELDS, *CHOICES),
)
"""Fields of a board beside its columns."""

ALIASES = {
    **{"foundation": "foundations", "tableaus": "tableau", "waste_pile": "waste", "discard_pile": "waste"},
    **dict.fromkeys(("deck", "draw_pile", "stock_pile", "stockpile"), "stock"),
}
"""Other names of fields."""

NOTHING = ("empty", "none", "nothing", "0 cards")
"""Words for a pile without cards."""

_MOST = 54  # greatest number of cards of a game with a stock
_BLANKS = ("--", "[]", "_")  # unknown cards or empty places, depending on the game
_MARKING = (
    f'for a position in play write \'# position: {IN_PLAY}\' above it (in JSON "position": "{IN_PLAY}"), '
    "or give its deal and its moves"
)

_MAY_BE_ROWS = (
    f"is this a position in play by its columns, or its rows? Write '# position: {AS_COLUMNS}' above it "
    f'(in JSON "position": "{AS_COLUMNS}"), or read it by rows'
)


@dataclass
class Draft:
    """A board while it is read: its fields as written, each with the number of its line.

    ``choices`` are the rule options that the board states, ``agreed`` those that apply where it states none.
    Cards of columns and of the stock may be `UNKNOWN`; then no state can be made. ``rows`` are the lines of a
    table typed by rows, with None for an empty place, until `settle` turns them into columns. ``in_play`` is
    true if the board is marked as a position in play, ``are_columns`` if the mark also says that its lines
    are columns. ``is_typed`` is true if the order of the cards in a column is not that of another program.
    ``is_whole`` is true if all rows have tokens for the same columns, so that these are certain.
    ``gap`` is the error for the first column with a token that means an unknown card or an empty place of a
    row. ``places`` maps each card to its places in the lines added so far.
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
    way: Way = USUAL
    in_play: bool = False
    gap: RowsError | None = None
    is_typed: bool = True
    is_whole: bool = False
    are_columns: bool = False
    rows: list[tuple[int, list[Slot | None]]] = field(default_factory=list)
    places: dict[int, list[str]] = field(default_factory=dict)

    @property
    def is_by_rows(self) -> bool:
        """Return whether the lines of cards are rows."""
        return self.way.by == "rows"

    def due(self) -> int:
        """The number of the next column or row."""
        return len(self.rows if self.is_by_rows else self.columns) + 1

    def check_number(self, number: int) -> None:
        """Raise ValueError unless the next column or row has the ``number`` that is written before it."""
        if number != self.due():
            raise ValueError(
                f"number {number}: expected {self.due()}: the columns are written in order, from 1"
            )

    def extend_pile(self, name: str, text: str) -> None:
        """Add cards to the pile called ``name``. Raises ValueError naming the pile and the invalid card."""
        kept = "talon" if name in foreign.PILES else name
        line, cards = self.piles[kept]
        self.piles[kept] = line, [*cards, *_parse_pile(name, text)]

    def take_column(self, line: int, text: str) -> None:
        """Add a column or row, and check it. Raises ValueError naming the place and the card: for an invalid
        card, one that does not belong to the deck or is there too often, and for a column too many."""
        if self.is_by_rows:
            place = f"row {len(self.rows) + 1}"
            row = [None if is_gap(token) else _at(place, parse_slot, token) for token in text.split()]
            if len(row) > len(self.variant.sizes) and row[-1] is None:
                row.pop()  # a sign between cells ends the line, too
            self.rows.append((line, row))
            if len(row) > len(self.variant.sizes) or not any(row):
                raise BoardError(place, f"{len(row)} places, expected 1 to {len(self.variant.sizes)} cards")
            self._check_cards(place, row)
            return
        self.add_column(line, text)
        place = f"column {len(self.columns)}"
        if len(self.columns[-1][1]) == foreign.CARDS and self.variant.has_stock:
            raise ValueError(
                f"{foreign.CARDS} cards in a line: {foreign.WHOLE_DECK}, else a line for each column"
            )
        if len(self.columns) > len(self.variant.sizes):
            hint = "; write 'Stock:' before the cards of the stock" if self.variant.has_stock else ""
            raise BoardError(place, f"this game has {len(self.variant.sizes)} columns, a line each{hint}")
        self._check_cards(place, self.columns[-1][1])

    def _check_cards(self, place: str, slots: Sequence[Slot | None]) -> None:
        counts = _counts_of(self.variant.name, self.ranks, self.suits)
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
                raise BoardError(place, f"duplicate card {name} (also in {there[-1]})")

    def add_column(self, line: int, text: str) -> None:
        """Add a column without checking its cards against the deck. Raises ValueError naming the place and
        the card."""
        place, tokens = f"column {len(self.columns) + 1}", text.split()
        if len(tokens) == 1 and is_gap(tokens[0]):
            tokens = []  # an empty column
        if gap := next(filter(is_gap, tokens), None):
            problem, ways = f"{shown(gap)} is an empty place of a row", [remedies.BY_ROWS]
            if self.variant.hiding is not None:
                problem, ways = f"{problem}, or an unknown card", [*ways, remedies.UNKNOWN_CARDS]
            self.gap = self.gap or RowsError(place, f"{problem}; expected a column of known cards", *ways)
            if self.variant.hiding is None or any(is_gap(each) and each not in _BLANKS for each in tokens):
                raise self.gap
            tokens = ["??" if token in _BLANKS else token for token in tokens]
        try:
            self.columns.append((line, [parse_slot(token) for token in tokens]))
        except ValueError as error:
            raise self.gap or ValueError(f"{place}: {error}") from None

    def add_field(self, line: int, name: str, text: str) -> None:
        """Add a field other than a column or the header. Raises ValueError if it is unknown, repeated or
        invalid."""
        if name == "rows":
            self._take_rows(text)
        elif name == "position":
            self.in_play, self.are_columns = True, parse_position(text) == AS_COLUMNS
        elif name == "foundations":
            if self.foundations is not None:
                raise ValueError("foundations: written twice")
            self.foundations, self.foundations_line = parse_foundations(text), line
        elif name == "jokers":
            self.foundations = (self.foundations or {}) | parse_foundations(text)
        elif name == "removed" and name in self.piles:
            self.extend_pile(name, text)
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
                raise ValueError(f"{name} {shown(text)}: {self.agreed[name]} was asked for")
            self.variant.agreed({name: text})  # checked here, so that the error has this line
            self.choices[name] = text
        elif (program := foreign.sniff("field", name)) is not None:
            program.read_field(self, line, name, text)
        else:
            cards = _parse_stock(text) if name == "stock" else _parse_pile(name, text)
            self.add_pile(line, name, cards)

    def _take_rows(self, columns: str) -> None:
        """Read the lines of cards that follow as rows, above which the ``columns`` are numbered. Raises
        ValueError."""
        if columns == "unclear":
            raise ValueError("the empty places of the rows are not clear: write -- for each")
        if self.columns or self.rows:
            raise ValueError("the numbers of the columns: expected above their cards")
        if columns != str(len(self.variant.sizes)):
            raise ValueError(f"{columns} columns are numbered, expected {len(self.variant.sizes)}")
        self.way = self.way._replace(by="rows")

    def add_pile(self, line: int, name: str, cards: list[int]) -> None:
        """Add a pile other than a column. Raises ValueError if it has been added before."""
        if name in self.piles:
            raise ValueError(f"{name}: written twice")
        self.piles[name] = line, cards

    def add_cards(self, line: int, what: str, cards: list[int]) -> None:
        """Add the cards of a deal of Klondike, given in the order of dealing; ``what`` names the notation
        they came in. Raises ValueError for another game, and if the board has columns already."""
        foreign.check_game(self.variant, what)
        order = [column for row in range(7) for column in range(row, 7)]
        self.add_columns(line, what, order, cards)
        self.add_pile(line, "stock", cards[len(order) :])

    def add_columns(self, line: int, what: str, order: Sequence[int], cards: Sequence[int]) -> None:
        """Add all columns of a deal: ``order`` has the index of the column for each of its first ``cards``.
        Raises ValueError if the board has columns already."""
        if self.columns or self.rows:
            raise ValueError(f"{what}: the board has cards already")
        columns: list[list[Slot]] = [[] for _ in self.variant.sizes]
        for column, card in zip(order, cards, strict=False):
            columns[column].append(Slot(card))
        self.columns, self.is_typed = [(line, slots) for slots in columns], False

    def settle(self) -> None:
        """Complete the board once it is read: turn rows into columns, and take the pile under ``Talon:`` for
        the stock. Raises BoardError if the rows do not determine the columns.

        Beside the columns of an unplayed deal the talon is the stock if it has the right number of cards, as
        in the boards of PySolFC and Klondike-Solver. Otherwise ValueError is raised, since mistaking the
        stock for the waste would change the verdict.
        """
        if self.rows:
            self._turn_rows()
        slots = [slots for _, slots in self.columns]
        is_marked = any(slot.face_down for column in slots for slot in column)
        if self.foundations == {} and tuple(map(len, slots)) == self.variant.sizes and not is_marked:
            self.foundations = None  # nothing is up, in a deal
        if self.is_typed and self.way.top == "first":
            self.columns = [(line, slots[::-1]) for line, slots in self.columns]
        line, cards = self.piles.pop("talon", (0, []))
        if not line:
            return
        whole = len(self.variant.deck(self.ranks, self.suits).cards())
        if not self._is_dealt() or self.card_count() + len(cards) != whole:
            self.piles["talon"] = line, cards  # the place of an error
            count = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
            why = f"in a position in play its {count} may be the stock or the waste"
            raise ValueError(f"talon: {why}; write Stock, the next card first, and Waste, the top last")
        self.add_pile(line, "stock", cards)

    def _turn_rows(self) -> None:
        """Turn the rows into columns. The rows are those of a fresh deal, or have a token for each column;
        empty places at the end of a row may be left out if another empty place is written. Raises
        BoardError."""
        rows, layout = [row for _, row in self.rows], self._layout()
        columns: list[list[Slot]] = [[] for _ in self.variant.sizes]
        if tuple(map(len, rows)) == row_sizes(layout) and self._may_be_dealt():
            cards = [slot for row in rows for slot in row if slot is not None]
            columns = [[cards[at] for at in column] for column in lay_out(range(len(cards)), layout)[0]]
        else:
            self.is_whole = len(set(map(len, rows))) == 1 and any(None in row for row in rows)
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
        """Test if the rows may be those of a deal: there is no mark of a position in play, no empty place and
        no card played, and cards are face down only where all but the last card of each column are."""
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
        """Test if the columns are those of an unplayed deal, with no pile beside them other than a talon."""
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
        piles = [[pile] * self.piles.get(pile, (0, []))[1].count(UNKNOWN) for pile in ("stock", "waste")]
        return columns + piles[0] + piles[1]

    def line_of(self, place: str) -> int:
        """The number of the line with the ``place`` of a BoardError; the first line of the board if there is
        no such line."""
        number = re.fullmatch("(column|row) ([0-9]+)", place)
        if number is not None:
            lines = [line for line, _ in (self.columns if number[1] == "column" else self.rows)]
            return lines[int(number[2]) - 1] if int(number[2]) <= len(lines) else self.line
        if place in self.piles:
            return self.piles[place][0]
        return self.foundations_line if place == "foundations" and self.foundations_line else self.line

    def deal(self, name: str) -> Deal:
        """The deal on this board. Raises FormatError if the board is invalid, or is not the deal of the seed
        or number that it names."""
        deal = self.deal_of(self.state(name))
        if deal.name and not self.made:
            if not self._is_of_number(deal.state):
                raise FormatError(name, self.line, wrong_number(deal.name))
            with_seed(deal.state, self.seed)
        return deal

    def deal_of(self, state: State) -> Deal:
        """The deal whose ``state`` was read from this board."""
        is_typed = self.is_typed and self.seed is None and self.pysol is None and any(state.columns)
        return Deal(state, self.seed, self.pysol, self.made, Reading(state, self.way) if is_typed else None)

    def _is_of_number(self, state: State) -> bool:
        """Test if ``state`` is the deal of its seed, or of its number in PySolFC where that can be dealt."""
        try:
            if self.seed is not None:
                return self.variant.is_deal(state, self.seed)
            to_board = self.variant.family.to_board
            return to_board(deal_of_pysol(self.variant, self.pysol or "")) == to_board(state)
        except MissingPackage:
            return True
        except ValueError:  # too many columns, or a game that PySolFC does not deal
            return False

    def state(self, name: str) -> State:
        """The state on this board. Raises FormatError if the board is invalid."""
        for place in self.unknown():
            if self.gap is not None:
                raise FormatError(name, self.line_of(self.gap.place), self.gap)
            card = "card '??'" if place in ("stock", "waste") else "card '<??>'"
            if self.variant.hiding is None:
                problem = BoardError(place, f"{card}: in {self.variant.name} every card must be known")
            else:
                problem = BoardError(place, f"{card}: expected all cards known", remedies.UNKNOWN_CARDS)
            raise FormatError(name, self.line_of(place), problem)
        try:
            board = Board(
                self.variant.deck(self.ranks, self.suits),
                tuple(tuple(slots) for _, slots in self.columns),
                **{pile: tuple(cards) for pile, (_, cards) in self.piles.items()},
                foundations={} if self.in_play and self.foundations is None else self.foundations,
                redeals=self.redeals,
            )
            state = self.variant.from_board(board, {**self.agreed, **self.choices})
            if not (self.in_play or self.made or self.is_whole) and self.variant.needs_mark(state):
                sizes = tuple(map(len, state.columns))
                raise wrong_sizes(self.variant.sizes, sizes, _MARKING, self.is_by_rows)
            is_said = self.are_columns or self.made or self.is_by_rows
            if not is_said and self.variant.may_be_rows(state, self.in_play):
                raise BoardError("", _MAY_BE_ROWS, remedies.BY_ROWS)
            return state
        except BoardError as error:
            raise FormatError(name, self.line_of(error.place), error) from None
        except ValueError as error:
            raise FormatError(name, self.line, error) from None


def wrong_number(deal: str) -> str:
    """The message for a board that is not the ``deal`` whose seed or number it names."""
    return f"not the cards of {deal}; in mid-game add '# moves made: N' (in JSON moves_made)"


@lru_cache(maxsize=64)
def _counts_of(game: str, ranks: int, suits: str) -> Counter[int]:
    return card_counts(find_variant(game).deck(ranks, suits))


def _parse_stock(text: str) -> list[int]:
    """The cards of a stock; if ``text`` is a number, that many unknown cards. Raises ValueError."""
    if counted := re.fullmatch("([0-9]+)(?: cards?)?", text):
        if len(counted[1]) > 3 or int(counted[1]) > _MOST:
            raise ValueError(f"stock: expected at most {_MOST} cards, got {text[:9]}")
        return [UNKNOWN] * int(counted[1])
    return _parse_pile("stock", text)


def _parse_pile(name: str, text: str) -> list[int]:
    """The cards of a stock or a waste, some of which may be unknown. Raises ValueError."""
    if _is_nothing(text):
        return []
    tokens = text.split()
    has_unknown = name in ("stock", "waste")
    return [
        UNKNOWN if has_unknown and (is_unknown(token) or token in _BLANKS) else _at(name, parse_card, token)
        for token in tokens
    ]


def _is_nothing(text: str) -> bool:
    """Test if ``text``, the cards of a pile or of a foundation, says that there are none."""
    plain = text.lower().strip("()")
    return plain in NOTHING or plain == "0" or is_gap(plain)


def _at(place: str, parse: Any, token: str) -> Any:
    try:
        return parse(token)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def parse_foundations(text: str) -> dict[str, str]:
    """Parse a Foundations line into the text for each suit and joker; a card stands for its rank on the
    foundation of its suit. Raises ValueError if wrong."""
    tops: dict[str, str] = {}
    if _is_nothing(text) or all(map(_is_nothing, text.split())):
        return tops
    for token in text.split():
        match = re.fullmatch(r"([CDHScdhs])-(\w+(?::\w+)?)|(X[BR])=(\w+)|([A2-9TJQK])?([CDHS])", token)
        if match is None:
            ways = "write it like 'C-3', 'C-5:9', 'XB=A' or the card on top, '3C'"
            raise ValueError(f"foundations: cannot read {shown(token)}; {ways}")
        suit, top, joker, place, rank, of = match.groups()
        key, value = (joker, place) if joker else (of, rank or "0") if of else (suit.upper(), top)
        if key in tops:
            raise ValueError(f"foundations: {key} is written twice")
        tops[key] = value
    return tops
