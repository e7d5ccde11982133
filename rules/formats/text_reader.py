"""Reader of the text format that `text` describes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .. import BoardError, Variant
from ..cards import shown
from .header import Header, agreed_game, is_header, parse_position
from .klondike_deals import NUMBERED, is_digits, parse_digits
from .partial_board import BY_COLUMNS, FIELDS, Draft
from .text import FormatError

_ANSWER = ("verdict", "score", "solution", "search", "player", "moves")  # what may follow a board
_LONGEST = 10_000  # characters of a line of a board
_NUMBERED = r"[0-9]+[.)](\s|$)"  # a numbered move

TAGS = ("<?", "<!", "<k", "<d")
"""The beginnings of XML, and of some face-down cards."""


def drafts_of(
    variant: Variant | None, text: str, name: str, agreed: Mapping[str, str], by: str = BY_COLUMNS
) -> Iterator[Draft]:
    """The boards of ``text``, in JSON, of KPat or in the text format, each as written and when it is asked
    for; otherwise as `drafts`."""
    start = text.lstrip()[:2]
    if start[:1] in ("{", "["):
        from .json_deals import json_drafts

        return json_drafts(variant, text, name, agreed, by=by)
    if start in TAGS:
        from .kpat import is_kpat, kpat_drafts

        if is_kpat(text):
            return kpat_drafts(variant, text, name, agreed)
    return drafts(variant, lines_from(text), name, agreed, by=by)


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
    by: str = BY_COLUMNS,
    first: int = 1,
    game: Variant | None = None,
) -> Iterator[Draft]:
    """The boards of ``lines`` as written, under the rules ``agreed``; of a stream each that holds all its
    cards comes at the blank line after it, before what follows is read. The lines of cards are columns, or
    rows, as ``by`` says. ``lines`` begin with line number ``first``; before them stand boards of ``game``, if
    it is given. Raises FormatError for what is none, at its first wrong line, and for a board of another game
    than ``variant``."""
    reader = _Reader(variant, name, agreed, is_stream, by, game=game, boards=0 if game is None else 1)
    line = first - 1
    for line, written in enumerate(lines, first):
        content = written.strip()
        found = reader.take_comment(line, content) if content[:1] in ("", "#") else reader.take(line, content)
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
    by: str = BY_COLUMNS
    header: Header = field(default_factory=Header)
    game: Variant | None = None  # that of the last header
    draft: Draft | None = None
    gap: bool = False
    answered: bool = False
    boards: int = 0

    def take_comment(self, line: int, content: str) -> Draft | None:
        """Take a blank line or comment; return the board it ends, as a header, or in a stream a blank."""
        self.gap = True
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

    def take(self, line: int, content: str) -> Draft | None:
        """Take a line of a board or of an answer; return the board before the one that it begins."""
        word, colon, rest = content.partition(":")
        key = word.strip().lower().replace(" ", "_")
        self.answered |= bool(colon and key in _ANSWER) or re.match(_NUMBERED, content) is not None
        if self.answered:
            return None
        done, is_column = None, not colon or not key
        begins = is_digits(content) or key in (*NUMBERED, "talon") or (is_column and self.gap)
        if key == "position" and (self.draft is None or (self.gap and _is_complete(self.draft))):
            return self._take_mark(line, rest)
        if self.draft is not None and begins and _is_complete(self.draft):
            done, self.draft = self.draft, None
        self.gap = False
        self.draft = self.draft or self._begin(line)
        try:
            if len(content) > _LONGEST:
                raise ValueError(f"a line of {len(content)} characters: too long for a board")
            if is_digits(content):
                self.draft.add_cards(line, "156 digits", parse_digits(content))
            elif is_column:
                self.draft.take_column(line, rest if colon else content)
            elif key in FIELDS:
                self.draft.add_field(line, key, rest.strip())
            else:
                raise ValueError(f"{shown(word)}: no such field")
        except ValueError as error:
            raise FormatError(self.name, line, error) from None
        return done

    def _take_mark(self, line: int, value: str) -> Draft | None:
        """Take the field ``Position:`` above a board as the line of a header that it may also be."""
        try:
            return self.take_comment(line, f"# position: {parse_position(value.strip())}")
        except ValueError as error:
            raise error if isinstance(error, FormatError) else FormatError(self.name, line, error) from None

    def _begin(self, line: int) -> Draft:
        self.boards += 1
        header, self.header = self.header, Header()
        self.game = header.game or self.game
        try:
            game = agreed_game(self.variant, self.game, "'# game: fortress' or the like before the board")
        except ValueError as error:
            raise FormatError(self.name, header.lines.get("game", line), error) from None
        draft = Draft(line, game, agreed=self.agreed, seed=header.seed, pysol=header.pysol, by=self.by)
        draft.made, draft.in_play = header.made or 0, bool(header.position)
        return draft

    def last(self, line: int) -> Draft | None:
        """The last board, None if handed out already. Raises FormatError if there is none to hand out."""
        if self.draft is None and (self.header.lines or not self.boards):
            at = max(self.header.lines.values(), default=line)
            problem = "no board follows this header" if self.header.lines else "no deal found"
            raise FormatError(self.name, max(at, 1), problem)
        return self.draft


def _is_complete(draft: Draft) -> bool:
    """Return whether no card can be added to ``draft``, without foundations: only deals come in rows."""
    try:
        return draft.card_count() == len(draft.variant.deck(draft.ranks, draft.suits).cards())
    except ValueError:
        return False
