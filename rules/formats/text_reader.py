"""Reader of the text format that `text` describes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..board import BoardError
from ..cards import shown
from ..deals import BY_COLUMNS as AS_COLUMNS
from ..variants import Variant, find_variant
from . import foreign
from .cleaning import cleaned
from .header import Header, agreed_game, check_same_game, is_header, parse_position
from .partial_board import ALIASES, FIELDS, Draft
from .screen import fields_of
from .text import USUAL, FormatError, Way, is_gap, parse_slot

_ANSWER = ("verdict", "score", "solution", "search", "player", "moves")  # keys of answers after a board
_LONGEST = 10_000  # greatest length of a line of a board
_COLUMN_NAME = r"(?i)((?:column|col|pile|row|stack|tableau)\s*)?([0-9]{1,2})\s*([:.)])\s*"
_MANY_LINES = ("stock", "waste", "removed", *foreign.PILES)  # piles that may take several lines
_CARDS_WITH_COMMAS = re.compile(rf"(?i)(?:(?:deck|{'|'.join(_MANY_LINES)})\s*:)?[^:;,()]*[,;][^:()]*")
_MIXED = (
    "cards separated in several ways; write a line for each column, its cards with spaces or all with commas"
)
_EXPECTED = (
    "expected Foundations, Stock, Waste, Removed, Redeals, Ranks, Suits or a rule option, the cards of a "
    f"column, as '7H 6S' or '2: 7H 6S', or the number of a deal, as '{foreign.NUMBER}'"
)
_TITLE = r"([A-Za-z][A-Za-z0-9 ,_-]{3,40}?)(?:, (?:seed|pysol) \w+(?: after [0-9]+ moves?)?)?"
_NUMBERED = r"[0-9]+[.)](\s|$)"  # a numbered move


def drafts_of(
    variant: Variant | None, text: str, name: str, agreed: Mapping[str, str], way: Way = USUAL
) -> Iterator[Draft]:
    """The boards of ``text``, which may be JSON, a document of another program or the text format, each read
    when it is requested. The parameters are those of `drafts`."""
    if is_json(text):
        from .json_deals import json_drafts

        return json_drafts(variant, text, name, agreed, way=way)
    if (program := foreign.sniff("document", text)) is not None:
        found: Iterator[Draft] = program.read(variant, text, name, agreed)
        return found
    return drafts(variant, lines_from(text), name, agreed, way=way)


def is_json(text: str) -> bool:
    """Test if ``text``, which may be cut after a line, is JSON: not a column in brackets, such as ``[9S 7D]``
    or ``["9S", "7D"],``, nor an empty column ``[]``."""
    begin = text.lstrip()
    if re.match(r"\[\s*\"", begin):
        line = begin.partition("\n")[0].rstrip(" ,\r")
        return not (line.endswith("]") and re.fullmatch(r'\[\s*"[^"\s]*"(?:\s*,\s*"[^"\s]*")*\s*\]', line))
    if re.match(r"(?:\[\s*\],?\s*)+(?:[^\s\[{]|\[\s*[^\s\[{\]])", begin):
        return False
    return re.match(r"\{|\[\s*(?:[\[{(\]]|-?[0-9.]+\s*[,\]]|[a-z]|$)", begin) is not None


def lines_from(text: str, at: int = 0) -> Iterator[str]:
    """The lines of ``text`` from index ``at`` on, without their newlines."""
    while (end := text.find("\n", at)) >= 0:
        yield text[at:end]
        at = end + 1
    yield text[at:]


def drafts(
    variant: Variant | None,
    lines: Iterable[str],
    name: str,
    agreed: Mapping[str, str],
    is_stream: bool = False,
    way: Way = USUAL,
    first: int = 1,
    game: Variant | None = None,
) -> Iterator[Draft]:
    """The boards of ``lines`` as written, under the rules ``agreed`` on. ``way`` says how cards are arranged
    in lines.

    In a stream (``is_stream``) a board that holds all its cards is yielded at the blank line after it, before
    the next line is read. ``first`` is the number of the first line; ``game``, if given, is the game of
    earlier boards of the same text. Raises FormatError at the first invalid line, for a text without a board,
    and for a board of another game than ``variant``.
    """
    reader = _Reader(variant, name, agreed, is_stream, way, game=game, boards=0 if game is None else 1)
    line = first - 1
    for line, content, indent, is_plain in cleaned(lines, way.by == "rows", first):
        if is_plain and not reader.answered:
            found = reader.take_plain(line, content)
        elif content[:1] in ("", "#") and content[:2] != "##":
            found = reader.take_comment(line, content)
        else:
            found = reader.take(line, content, indent)
        if found is not None:
            yield _settled(found, name)
    if (last := reader.last(line)) is not None:
        yield _settled(last, name)


def _settled(draft: Draft, name: str) -> Draft:
    try:
        draft.settle()
    except ValueError as error:
        place = error.place if isinstance(error, BoardError) else "talon"
        raise FormatError(name, draft.line_of(place), error) from None
    return draft


@dataclass
class _Reader:
    """Reads a text line by line; a board is handed out as soon as the next one begins."""

    variant: Variant | None
    name: str
    agreed: Mapping[str, str]
    is_stream: bool = False
    way: Way = USUAL
    header: Header = field(default_factory=Header)
    game: Variant | None = None  # the game of the last header
    draft: Draft | None = None
    gap: bool = False
    answered: bool = False
    boards: int = 0
    pile: str = ""  # the pile on the line before, with the indentation of its line
    indent: int = 0

    def take_comment(self, line: int, content: str) -> Draft | None:
        """Read a blank line or comment. Returns the board that it ends: a header ends one, and in a stream a
        blank line."""
        self.gap, self.pile = True, ""
        is_end = self.is_stream and not content and self.draft is not None and _is_complete(self.draft)
        if not is_end and not is_header(content):
            return None
        done, self.draft, self.answered = self.draft, None, False
        try:
            if content:
                self.header.add(line, content)
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        return done

    def take_plain(self, line: int, content: str) -> Draft | None:
        """Read a line of cards as our writers write them, as `take` does."""
        done = None
        if self.gap and self.draft is not None and _is_complete(self.draft):
            done, self.draft = self.draft, None
        self.gap = False
        self.draft = self.draft or self._begin(line)
        try:
            if self.pile and self._goes_on(content, 0):
                self.draft.extend_pile(self.pile, content)
            else:
                self.draft.take_column(line, content)
                self.pile = ""
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        return done

    def take(self, line: int, content: str, indent: int = 0) -> Draft | None:
        """Read a line of a board or of an answer. Returns the preceding board if the line begins a new
        one."""
        if self._is_name(line, re.sub(r"(?i)^game\s*:", "", content)):
            return None
        number, content = self._column_number(content)
        is_mixed = _is_mixed(content)
        if _CARDS_WITH_COMMAS.fullmatch(content):
            content = re.sub("[,;]", " ", content)
        word, colon, rest = content.partition(":")
        named, count = _name_and_count(word)
        key = ALIASES.get(named, named) if colon else ""
        if number is None:
            self.answered |= bool(colon and key in _ANSWER) or self._begins_moves(content)
            if self.draft is not None and not self.answered and foreign.tokens_of(content) is not None:
                self.answered = _is_complete(self.draft)
        if self.answered:
            return None
        if key == "tableau" and not rest.strip():
            return None
        shown_fields = fields_of(content)
        done, is_column = None, not colon or not word.strip()
        is_next = is_column and self.gap and not self._is_empty_column(content)
        program = foreign.sniff("line", content)
        begins = program is not None or key in foreign.FIELDS or (is_next and not shown_fields)
        if key == "position" and (self.draft is None or (self.gap and _is_complete(self.draft))):
            return self._take_mark(line, rest)
        if self.draft is not None and begins and _is_complete(self.draft):
            done, self.draft = self.draft, None
        self.gap = False
        self.draft = self.draft or self._begin(line)
        try:
            if len(content) > _LONGEST:
                raise ValueError(f"a line of {len(content)} characters: too long for a board")
            if shown_fields:
                for name, text in shown_fields:
                    self.draft.add_field(line, name, text)
            elif program is not None:
                self.draft.add_cards(line, "a deal in digits or letters", program.read_line(content))
            elif number is not None and not is_column:
                raise ValueError(f"column {number}: expected its cards, got the field {shown(word)}")
            elif is_column and not colon and number is None and self._goes_on(content, indent):
                self.draft.extend_pile(self.pile, content)
                return done
            elif is_column:
                if number is not None:
                    self.draft.check_number(number)
                if is_mixed and _are_cards(content):
                    raise ValueError(f"{self.draft.way.by.removesuffix('s')} {self.draft.due()}: {_MIXED}")
                self.draft.take_column(line, rest if colon else content)
            elif key in FIELDS:
                self.draft.add_field(line, key, _counted(key, rest.strip(), count))
            else:
                raise ValueError(f"{shown(word)}: no such field; {_EXPECTED}")
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        self.pile, self.indent = (key if key in _MANY_LINES else ""), indent
        return done

    def _begins_moves(self, content: str) -> bool:
        """Test if a line is a numbered move, or anything numbered after a board that holds all its cards."""
        numbered = re.match(_NUMBERED, content)
        if numbered is None or (self.draft is not None and _is_complete(self.draft)):
            return numbered is not None
        from ..moves import is_move

        return is_move(re.split(r"\s{2}|[;,(]|\s[0-9]+[.)]\s", content[numbered.end() :].strip())[0])

    def _is_name(self, line: int, text: str) -> bool:
        """Test if ``text``, above a board, is the name or title of its game, with its seed, as on our screen.
        A plain ``Klondike`` may be any game asked for whose name begins so. Raises FormatError for another
        game."""
        named = None if self.draft is not None or self.answered else re.fullmatch(_TITLE, text.strip())
        if named is None:
            return False
        try:
            game = find_variant(named[1])
        except ValueError:
            return False
        is_any = self.variant is not None and self.variant.name.startswith(named[1].lower().replace(" ", "-"))
        try:
            check_same_game(None if is_any else self.variant, game)
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        self.game = self.variant if is_any else game
        return True

    def _column_number(self, content: str) -> tuple[int | None, str]:
        """The number written before a column, None if there is none, and the rest of the line. A number with
        a full stop may belong to a move; it is that of a column if cards follow and it is the next column's
        number."""
        named = None if self.answered else re.match(_COLUMN_NAME, content)
        if named is None:
            return None, content
        number, rest = int(named[2]), content[named.end() :]
        if named[1] is None and named[3] != ":":
            due = 1 if self.draft is None else self.draft.due()
            is_board = self.draft is None or due <= len(self.draft.variant.sizes)
            if not (is_board and number == due and _are_cards(re.sub("[,;]", " ", rest))):
                return None, content
        return number, rest

    def _goes_on(self, content: str, indent: int) -> bool:
        """Test if a line of cards continues the pile on the line before: it does if it is indented further,
        or if all columns have been read. Raises ValueError if it may also be a column."""
        if not self.pile or self.draft is None or not _are_cards(content):
            return False
        columns, due = len(self.draft.variant.sizes), self.draft.due()
        if indent > self.indent or due > columns or (self.draft.is_by_rows and self.draft.rows):
            return True
        if due > 1:
            raise ValueError(
                f"is this column {due}, or more of the {self.pile}? Indent the lines that go on with a pile, "
                "and write ':' for an empty column"
            )
        return False

    def _is_empty_column(self, content: str) -> bool:
        """Test if a line is an empty column of the present board, to which a blank line or comment before it
        does not put an end."""
        is_due = self.draft is not None and self.draft.due() <= len(self.draft.variant.sizes)
        return is_due and (content == ":" or is_gap(content.removeprefix(":").strip()))

    def _take_mark(self, line: int, value: str) -> Draft | None:
        """Read the field ``Position:`` above a board, which is treated as a line of its header."""
        try:
            return self.take_comment(line, f"# position: {parse_position(value.strip())}")
        except ValueError as error:
            raise error if isinstance(error, FormatError) else FormatError(self.name, line, error) from None

    def _begin(self, line: int) -> Draft:
        self.boards += 1
        header, self.header = self.header, Header()
        self.game = header.game or self.game
        try:
            game = agreed_game(self.variant, self.game, "'# game: fortress'")
        except ValueError as error:
            raise FormatError(self.name, header.lines.get("game", line), error) from None
        draft = Draft(line, game, agreed=self.agreed, seed=header.seed, pysol=header.pysol, way=self.way)
        draft.made, draft.in_play = header.made or 0, bool(header.position)
        draft.are_columns = header.position == AS_COLUMNS
        return draft

    def last(self, line: int) -> Draft | None:
        """The last board; None if it was yielded already. Raises FormatError if the text has no board."""
        if self.draft is None and (self.header.lines or not self.boards):
            at = max(self.header.lines.values(), default=line)
            problem = "no board follows this header" if self.header.lines else "no deal found"
            raise FormatError(self.name, max(at, 1), problem)
        return self.draft


def _name_and_count(title: str) -> tuple[str, int | None]:
    """The name of a field as it is written, and the number of cards in brackets after it."""
    match = re.fullmatch(r"(.*?)\(([0-9]{1,3})(?: cards?)?\)\s*", title)
    name = match[1] if match else title
    return "_".join(name.lower().split()), int(match[2]) if match else None


def _counted(name: str, text: str, count: int | None) -> str:
    """``text``, the cards of a field, or their ``count`` if it is empty. Raises ValueError if they differ."""
    if count is None:
        return text
    if text and len(text.split()) != count:
        raise ValueError(f"{name}: expected {count} cards, as announced, got {len(text.split())}")
    return text or (str(count) if count else "--")


def _are_cards(text: str) -> bool:
    try:
        return all(is_gap(token) or parse_slot(token) for token in text.split())
    except ValueError:
        return False


def _is_mixed(text: str) -> bool:
    """Test if a line of cards has commas or semicolons between some cards, and something else between others:
    then these signs may separate columns."""
    gaps = re.findall(r"[\s,;]+", text.strip(" \t,;")) if "," in text or ";" in text else []
    return len({gap.strip() for gap in gaps}) > 1


def _is_complete(draft: Draft) -> bool:
    """Test if ``draft`` holds all cards of its deck, not counting those on foundations: where several boards
    follow one another, all are deals."""
    try:
        return draft.card_count() == len(draft.variant.deck(draft.ranks, draft.suits).cards())
    except ValueError:
        return False
