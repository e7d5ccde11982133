"""The text format of deals and positions: its reader and its writer.

    # game: chessboard           comment lines start with '#'; some of them are a header: see `header`
    # seed: 8
    6H 5C TD KS 2H 9C            one line a column, deepest card first; a leading ':' is allowed, and ':'
    ...                          alone is an empty column
    Foundations: C-0 D-3 H-0     only in positions: the rank on top; where the base is chosen, base and top
                                 (C-5:9); a joker and the place it fills (XB=3C), or XB=A for an open ace
    Stock: 4D QS                 the first card is turned next
    Waste: 7H 2C                 the last card is the top ('Talon:' is read too)
    Removed: XR                  jokers out of play
    Ranks: 5  /  Suits: CDH      of a short deck
    Exchange: turned             the rules agreed on, where a game leaves a choice; so Removal: exposed

The boards of fc-solve and PySolFC are read too: ``Freecells:`` without cards, and the foundations of Simple
Simon, ``K`` for a suit that left.

A card is its rank (A 2 .. 9 T J Q K, also 10) and suit; XB and XR are jokers, XB=6 a declared one; <KH> lies
face down, and so does <??>, which is not known (see `partial`, and there for a stock by its size). A text may
hold several boards: once a board holds all its cards, a column line after a blank or comment line begins the
next, and so does a header at any time. The game that a header names holds for the boards that follow, too.
What `solve` and `play` print after a board, and moves under ``Moves:`` or with numbers, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import CHOICES, State, Variant, find_variant
from ..board import Board, BoardError, Slot
from ..cards import RANKS, UNKNOWN, format_card, is_joker, parse_card, parse_rank, shown
from .header import Header, agreed_game, format_header, is_header, is_older_header

_FIELDS = ("foundations", "freecells", "stock", "waste", "talon", "removed", "ranks", "suits", *CHOICES)
_ANSWER = ("verdict", "score", "solution", "search", "player", "moves")  # what may follow a board
_BLANKS = ("??", "<??>")
_MOST = 54  # cards of a game that has a stock
_NUMBERED = r"[0-9]+[.)](\s|$)"  # a numbered move


class FormatError(ValueError):
    """Input that cannot be read; its text names the file, the line and the offending value."""

    def __init__(self, name: str, line: int, problem: object) -> None:
        super().__init__(f"{name}:{line}: {problem}")


@dataclass(frozen=True)
class Deal:
    """A deal or position with its seed, or its number in PySolFC, where they are known.

    ``made`` is the number of moves made since that deal. The state of a position that is partly known is the
    ``View`` of its game.
    """

    state: State
    seed: int | None = None
    pysol: str | None = None
    made: int = 0

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


def deal_keys(deal: Deal, number: int | None = None) -> dict[str, Any]:
    """The keys with which every answer in JSON says what deal it is of; ``number`` is its place in a file of
    several."""
    return {
        "variant": deal.variant.name,
        **deal.variant.choices_of(deal.state),
        **({} if number is None else {"deal": number}),
        "seed": deal.seed,
        **({} if deal.pysol is None else {"pysol": deal.pysol}),
        **({"moves_made": deal.made} if deal.made else {}),
    }


def parse_slot(text: str) -> Slot:
    """One card of a column: ``7H``, ``<7H>`` face down, ``<??>`` or ``??`` unknown, ``XB=6`` declared.

    Raises ValueError.
    """
    if text in _BLANKS:
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
    name = "??" if slot.card == UNKNOWN else format_card(slot.card)
    text = name + ("" if slot.rank is None else f"={RANKS[slot.rank]}")
    return f"<{text}>" if slot.face_down else text


@dataclass
class Draft:
    """A board while it is read: its fields as written, each with the line it stands on.

    ``choices`` are the rules it states, ``agreed`` those that hold where it states none. Cards of columns and
    of the stock may be `UNKNOWN`, which no state can be made of.
    """

    line: int
    variant: Variant
    columns: list[tuple[int, list[Slot]]] = field(default_factory=list)
    piles: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    foundations: dict[str, str] | None = None
    foundations_line: int = 0
    ranks: int = 13
    suits: str = "CDHS"
    choices: dict[str, str] = field(default_factory=dict)
    agreed: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    pysol: str | None = None
    made: int = 0

    def add_column(self, line: int, text: str) -> None:
        """Take in a column. Raises ValueError naming its place and the card."""
        place = f"column {len(self.columns) + 1}"
        self.columns.append((line, [_at(place, parse_slot, token) for token in text.split()]))

    def add_field(self, line: int, name: str, text: str) -> None:
        """Take in any other field. Raises ValueError if it is unknown, doubled or wrong."""
        if name == "foundations":
            if self.foundations is not None:
                raise ValueError("foundations: written twice")
            self.foundations, self.foundations_line = parse_foundations(text), line
        elif name == "freecells":
            if text.strip("- "):
                raise ValueError(f"freecells {shown(text)}: this game has none")
        elif name == "ranks":
            if not re.fullmatch("[0-9]{1,2}", text):
                raise ValueError(f"ranks {shown(text)}: a whole number from 1 to 13 is needed")
            self.ranks = int(text)
        elif name == "suits":
            self.suits = text
        elif name in CHOICES:
            if name in self.choices:
                raise ValueError(f"{name}: written twice")
            if self.agreed.get(name, text) != text:
                raise ValueError(f"{name} {shown(text)}: {self.agreed[name]} is asked for")
            self.choices[name] = text
        else:
            pile = "waste" if name == "talon" else name
            if pile in self.piles:
                raise ValueError(f"{pile}: written twice")
            self.piles[pile] = line, _parse_stock(text) if pile == "stock" else _parse_pile(pile, text)

    def card_count(self) -> int:
        """The number of cards written, leaving out the foundations."""
        piles = [cards for _, cards in self.piles.values()]
        return sum(len(slots) for _, slots in self.columns) + sum(map(len, piles))

    def unknown(self) -> list[str]:
        """The place of each unknown card."""
        columns = [
            f"column {i}"
            for i, (_, slots) in enumerate(self.columns, 1)
            for slot in slots
            if slot.card == UNKNOWN
        ]
        return columns + ["stock"] * self.piles.get("stock", (0, []))[1].count(UNKNOWN)

    def line_of(self, place: str) -> int:
        """The line on which ``place`` of a BoardError stands; the first line of the board if none does."""
        number = re.fullmatch("column ([0-9]+)", place)
        if number is not None and int(number[1]) <= len(self.columns):
            return self.columns[int(number[1]) - 1][0]
        if place in self.piles:
            return self.piles[place][0]
        return self.foundations_line if place == "foundations" and self.foundations_line else self.line

    def deal(self, name: str) -> Deal:
        """The deal on this board. Raises FormatError if there is none."""
        return Deal(self.state(name), self.seed, self.pysol, self.made)

    def state(self, name: str) -> State:
        """The state on this board. Raises FormatError if there is none."""
        for place in self.unknown():
            card = "card '??'" if place == "stock" else "card '<??>'"
            problem = f"{place}: {card}: to decide a deal every card must be known"
            raise FormatError(name, self.line_of(place), problem)
        try:
            board = Board(
                self.variant.deck(self.ranks, self.suits),
                tuple(tuple(slots) for _, slots in self.columns),
                **{pile: tuple(cards) for pile, (_, cards) in self.piles.items()},
                foundations=self.foundations,
            )
            return self.variant.from_board(board, {**self.agreed, **self.choices})
        except BoardError as error:
            raise FormatError(name, self.line_of(error.place), error) from None
        except ValueError as error:
            raise FormatError(name, self.line, error) from None


def _parse_stock(text: str) -> list[int]:
    """The cards of a stock, or as many unknown ones as the number in ``text`` says. Raises ValueError."""
    if re.fullmatch("[0-9]+", text):
        if len(text) > 3 or int(text) > _MOST:
            raise ValueError(f"stock: {text[:9]} cards, more than there are")
        return [UNKNOWN] * int(text)
    cards = text.split()
    return [UNKNOWN if token in _BLANKS else _at("stock", parse_card, token) for token in cards]


def _parse_pile(pile: str, text: str) -> list[int]:
    return [_at(pile, parse_card, token) for token in text.split()]


def _at(place: str, parse: Any, token: str) -> Any:
    try:
        return parse(token)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def parse_foundations(text: str) -> dict[str, str]:
    """What a Foundations line says of each suit and joker. Raises ValueError for what it cannot say."""
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


def format_foundations(tops: dict[str, str]) -> str:
    """The inverse of `parse_foundations`."""
    return " ".join(f"{key}{'=' if len(key) == 2 else '-'}{value}" for key, value in tops.items())


def read_text(
    variant: Variant | None, text: str, name: str, choices: Mapping[str, str] | None = None
) -> Iterator[Deal]:
    """The boards of ``text``, each when it is asked for. Raises FormatError naming ``name`` and the line.

    ``variant`` may be left out where the text names its game; ``choices`` are the rules agreed on where the
    text does not say.
    """
    for draft in drafts(variant, text, name, choices or {}):
        yield draft.deal(name)


def drafts(variant: Variant | None, text: str, name: str, agreed: Mapping[str, str]) -> Iterator[Draft]:
    """The boards of ``text`` as written, under the rules ``agreed``.

    Raises FormatError for what is none, and for a board of another game than ``variant``.
    """
    reader = _Reader(variant, name, agreed)
    line = 0
    for line, written in enumerate(text.split("\n"), 1):
        content = written.strip()
        found = reader.take_comment(line, content) if content[:1] in ("", "#") else reader.take(line, content)
        if found is not None:
            yield found
    if (last := reader.last(line)) is not None:
        yield last


@dataclass
class _Reader:
    """Reads a text line by line; a board is handed out as soon as the next one begins."""

    variant: Variant | None
    name: str
    agreed: Mapping[str, str]
    header: Header = field(default_factory=Header)
    game: Variant | None = None  # that of the last header
    draft: Draft | None = None
    gap: bool = False
    answered: bool = False
    boards: int = 0

    def take_comment(self, line: int, content: str) -> Draft | None:
        """Take in a blank line or a comment; the board that a header puts an end to."""
        self.gap = True
        is_open = self.draft is not None and not self.answered and not _is_complete(self.draft)
        if not (is_header(content) or (is_older_header(content) and not is_open)):
            return None
        done, self.draft, self.answered = self.draft, None, False
        try:
            self.header.add(line, content)
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        return done

    def take(self, line: int, content: str) -> Draft | None:
        """Take in a line of a board or of an answer; the board before the one that it begins."""
        word, colon, rest = content.partition(":")
        key = word.strip().lower()
        self.answered |= bool(colon and key in _ANSWER) or re.match(_NUMBERED, content) is not None
        if self.answered:
            return None
        done, is_column = None, not colon or not key
        if self.draft is not None and is_column and self.gap and _is_complete(self.draft):
            done, self.draft = self.draft, None
        self.gap = False
        self.draft = self.draft or self._begin(line)
        try:
            if is_column:
                self.draft.add_column(line, rest if colon else content)
            elif key in _FIELDS:
                self.draft.add_field(line, key, rest.strip())
            else:
                raise ValueError(f"{shown(word)}: no such field")
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        return done

    def _begin(self, line: int) -> Draft:
        self.boards += 1
        header, self.header = self.header, Header()
        self.game = header.game or self.game
        try:
            game = agreed_game(self.variant, self.game, "'# game: fortress' or the like before the board")
        except ValueError as error:
            raise FormatError(self.name, header.lines.get("game", line), error) from None
        draft = Draft(line, game, agreed=self.agreed, seed=header.seed, pysol=header.pysol)
        draft.made = header.made or 0
        return draft

    def last(self, line: int) -> Draft | None:
        """The last board, or None if it is handed out already. Raises FormatError if there is none, or none
        under the last header."""
        if self.draft is None and (self.header.written or not self.boards):
            at = max(self.header.lines.values(), default=line)
            problem = "no board follows this header" if self.header.lines else "no deal found"
            raise FormatError(self.name, max(at, 1), problem)
        return self.draft


def _is_complete(draft: Draft) -> bool:
    """Whether no card can be added to ``draft``, foundations left aside: only unplayed deals come in rows."""
    try:
        return draft.card_count() == len(draft.variant.deck(draft.ranks, draft.suits).cards())
    except ValueError:
        return False


def format_deal(deal: Deal) -> str:
    """``deal`` as text that `read_text` reads, with a final newline."""
    return format_board(deal.variant, deal.state, deal.seed, deal.pysol, deal.made)


def format_board(
    variant: Variant, state: State, seed: int | None = None, pysol: str | None = None, made: int = 0
) -> str:
    """The board of ``state`` under its header, as `format_deal` writes it. Raises ValueError for a state of
    another game."""
    variant.check(state)
    board = variant.family.to_board(state)
    lines = format_header(variant.name, seed, pysol, made)
    if not board.deck.is_full:
        lines += [f"Ranks: {board.deck.ranks}", f"Suits: {board.deck.suits}"]
    lines += [f"{name.title()}: {value}" for name, value in variant.choices_of(state).items()]
    lines += [" ".join(map(format_slot, column)) or ":" for column in board.columns]
    if board.foundations is not None:
        lines.append(f"Foundations: {format_foundations(dict(board.foundations))}")
    for title, pile in (("Stock", board.stock), ("Waste", board.waste), ("Removed", board.removed)):
        if pile:
            lines.append(f"{title}: {' '.join(map(format_card, pile))}")
    return "\n".join(lines) + "\n"
