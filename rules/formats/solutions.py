"""The text format of lines of play, described in docs/formats.md: its reader and its writer.

The reader accepts the output of `solve` and `play`, a deal with moves under ``Moves:``, and moves alone: one
per row, or several with their numbers or separated by ``;``, in the notation that `moves` reads. Text before
the moves and comments are ignored; any other text among the moves is an error. In JSON a line of play is a
list of strings, the ``moves`` of an object, or the ``move`` of each of its ``steps``. Effects in brackets
after a move are ignored.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..board import has_unknown
from ..cards import shown
from ..choices import CHOICES
from ..moves import is_move
from ..variants import Variant, find_variant
from .header import Header, check_same_game, check_schema, is_header, seed_of
from .text import Deal, FormatError, parse_slot

_WIDTH = 96
_NUMBER = r"(?:^|(?<=\s))([0-9]+)[.)](?:\s+|$)"
_TITLE = r"(?i)(Solution|Best line|Moves|Player)\s*:(?:\s*([0-9]{1,9}) move)?"
_TITLE_ALONE = r"(?i)^\s*(Solution|Best line|Moves)\s*:"
_PASSED = r"(?i)$|(verdict|search|result|base ranks)\s*:"


def format_solution(
    moves: Sequence[str], legend: str, width: int | None = None, title: str = "Solution", note: str = ""
) -> str:
    """``moves`` numbered, several a row, under a line with the ``title``, their number and the ``note`` in
    brackets, and a comment that explains how to read them. The rows are no longer than ``width`` characters,
    but hold one move at least."""
    lines = [f"{title}: {len(moves)} move{'' if len(moves) == 1 else 's'}" + (f" ({note})" if note else "")]
    lines.append(f"  # {legend}")
    if width is not None and len(lines[-1]) > width:
        import textwrap

        comment = textwrap.TextWrapper(width, "  # ", "  # ", break_long_words=False, break_on_hyphens=False)
        lines[1:] = comment.wrap(legend)
    digits = len(str(len(moves)))
    cell = max((len(move.partition(" (")[0]) for move in moves), default=0) + digits + 4
    most, row = min(_WIDTH, (width or _WIDTH + 2) - 2), ""
    for number, move in enumerate(moves, 1):
        text = f"{number:>{digits}}. {move}"
        if row and len(row) + max(len(text), cell) > most:
            lines.append("  " + row.rstrip())
            row = ""
        row += text.ljust((len(text) // cell + 1) * cell)
    return "\n".join([*lines, *(["  " + row.rstrip()] if row else [])]) + "\n"


def read_solution(text: str, name: str, deal: Deal | None = None) -> list[str]:
    """The moves of a line of play, as text. Raises FormatError naming ``name`` and the line, also if the text
    names another game, seed or rule options than those of ``deal``."""
    if text.lstrip()[:1] in ("{", "["):
        return _read_json(text, name, deal)
    from .cleaning import cleaned

    reader = _Reader(name)
    lines = text.split("\n")
    rows = [(line, written) for line, written, *_ in cleaned(lines, by_rows=False)]
    first = _beginning(rows, lines, name, deal)
    end = next((line for line, written in rows if line > first and is_header(written.strip())), sys.maxsize)
    played = [row for row in rows if first <= row[0] < end]  # the deal may stand before or after
    _check_header([row for row in rows if not first <= row[0] < end], name, deal)
    if (other := _line_of_solver(played, name, deal)) is not None:
        return other
    for line, written in played:  # AH, 2H are two moves
        row = lines[line - 1] if re.search("[;,]", lines[line - 1]) else written
        reader.take(line, row.partition("#")[0].strip())
    return reader.moves_to(played[-1][0] if played else 1)


def _line_of_solver(rows: list[tuple[int, str]], name: str, deal: Deal | None) -> list[str] | None:
    """The moves of a line in the notation of a Klondike solver; None if ``rows`` are not in such a notation.
    Raises FormatError."""
    from .foreign import tokens_of
    from .foreign.lines import read_line

    words: list[str] = []
    at = 0
    for line, written in rows:
        content = re.sub(_TITLE_ALONE, "", written.partition("#")[0]).strip()
        at = at or (line if content else 0)
        words += content.split()
    tokens = tokens_of(" ".join(words))
    if tokens is None:
        return None
    try:
        if deal is None or has_unknown(deal.state):
            raise ValueError("these moves name no cards: name their deal, with all cards known, too")
        return read_line(deal.variant, deal.state, tokens)
    except ValueError as error:
        raise FormatError(name, at, error) from None


def _beginning(rows: list[tuple[int, str]], lines: list[str], name: str, deal: Deal | None) -> int:
    """The number of the line where the moves begin: a title, or else the first line that cannot be part of a
    board. Lines such as ``7H 8C`` are columns if the ``rows`` up to there hold the cards in the columns of
    ``deal``, and moves if no row can only be part of a board; otherwise FormatError is raised. ``lines`` are
    the rows as they were written."""
    from .foreign import FIELDS, name_of

    named = rf"(?i)({'|'.join(FIELDS).replace('_', ' ')})\s*:"
    contents = [(line, written.partition("#")[0].strip()) for line, written in rows]
    titles = [(line, match[1].lower()) for line, content in contents if (match := re.match(_TITLE, content))]
    for title in ("solution", "best line", "moves", "player"):
        found = [line for line, word in titles if word == title]
        if len(found) > 1:
            raise FormatError(name, found[1], "a second solution begins; expected one")
        if found:
            return found[0]
    columns = {line: cards for line, content in contents if (cards := _cards_of_column(content))}
    doubtful = [line for line in columns if _are_moves(lines[line - 1])]
    dealt = deal and sorted(card for column in deal.state.columns for card in column)
    is_whole = dealt in (None, sorted(card for cards in columns.values() for card in cards))
    has_pair = any(len(cards) > 1 for cards in columns.values())
    is_board = (
        len(doubtful) < len(columns)
        or any(name_of("line", content) or re.match(named, content) for _, content in contents)
        or (has_pair and (is_whole or any(":" in content for _, content in contents)))
    )
    first = _first_move(contents, columns if is_board else None)
    held = sorted(card for line, cards in columns.items() if line < first for card in cards)
    if is_board and dealt not in (None, held) and doubtful and doubtful[0] < first:
        problem = "is this a column or a move? Write 'Moves:' above the moves, or number them"
        raise FormatError(name, doubtful[0], f"{shown(lines[doubtful[0] - 1].strip())}: {problem}")
    return first


def _first_move(contents: list[tuple[int, str]], columns: Mapping[int, object] | None) -> int:
    """The number of the first line of ``contents`` with a move. Where a board stands before it, ``columns``
    has the numbers of its lines of cards."""
    from .foreign import name_of, tokens_of

    is_numbered = any(re.match(_NUMBER, content) for _, content in contents)
    for line, content in contents:
        if tokens_of(content) is not None:
            return line
        if not content or (
            columns is not None and (line in columns or name_of("line", content) or ":" in content)
        ):
            continue
        if not is_numbered or re.match(_NUMBER, content) or is_move(content.partition("(")[0]):
            return line
    return sys.maxsize


def _are_moves(text: str) -> bool:
    """Test if ``text`` may be moves in a row, such as ``7H 8C`` or ``AH, 2H``."""
    return all(is_move(part) for part in re.split("[;,]", text.partition("#")[0].strip(" ,;\r")))


def _cards_of_column(content: str) -> list[int]:
    """The cards in a line of a board that is a column, none if it is not one."""
    try:
        return [parse_slot(token).card for token in content.removeprefix(":").split()]
    except ValueError:
        return []


def _check_header(rows: list[tuple[int, str]], name: str, deal: Deal | None) -> None:
    """Raise FormatError if the text names another game or deal than ``deal``, or names one in an invalid
    way."""
    header = Header()
    for line, written in rows:
        comment = written.strip()
        word, colon, value = comment.partition(":")
        choice = word.strip().lower().replace(" ", "_")
        try:
            if is_header(comment):
                header.add(line, comment)
                check_same_game(deal and deal.variant, header.game)
                _check_same_deal(deal, {"seed": header.seed, "pysol": header.pysol})
            elif colon and choice in CHOICES:
                _check_same_deal(deal, {choice: value.strip()})
        except ValueError as error:
            raise FormatError(name, line, error) from None


def _check_same_deal(deal: Deal | None, named: Mapping[str, object]) -> None:
    """Raise ValueError if ``deal`` has another value for one of the fields in ``named``; unknown values are
    ignored."""
    if deal is None:
        return
    usual = {choice: values[0] for choice, values in deal.variant.choices.items()}
    held = usual | deal.variant.choices_of(deal.state) | {"seed": deal.seed, "pysol": deal.pysol}
    for key, value in named.items():
        if value is not None and held.get(key) is not None and str(held[key]) != str(value):
            raise ValueError(f"{key.replace('_', ' ')} {value}: the deal has {held[key]}")


class _Reader:
    """Collects the moves from the lines of a text. ``groups`` counts the numbered groups of moves."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.moves: list[str] = []
        self.groups = 0
        self.promised: int | None = None

    def take(self, line: int, content: str) -> None:
        """Add the moves of a line, given without its comment. Raises FormatError for text that is not a
        move."""
        title = re.match(_TITLE, content)
        if title is not None:
            if title[1].lower() == "moves":
                self._take_row(line, content.partition(":")[2].strip())
            self.promised = int(title[2]) if title[2] else self.promised
        elif not re.match(_PASSED, content):
            self._take_row(line, re.sub(r"\s?\([^()]*\)", "", content))

    def _take_row(self, line: int, content: str) -> None:
        parts = re.split(_NUMBER, content)  # the text before the first number, then numbers and moves in turn
        if parts[0].strip():
            self._take_group(line, parts[0], "move, such as '7S 10-f'")
        for number, moves in zip(parts[1::2], parts[2::2], strict=True):
            if number.lstrip("0") != str(self.groups + 1):
                raise FormatError(
                    self.name, line, f"expected move {self.groups + 1}, got number {shown(number)}"
                )
            self._take_group(line, moves, "numbered move, such as '1. 7S 10-f'", f"{number}. ")

    def _take_group(self, line: int, text: str, what: str, number: str = "") -> None:
        self.groups += 1
        for move in map(str.strip, re.split("[;,]", text)):
            if not is_move(move):
                raise FormatError(self.name, line, f"expected a {what}, got {shown(f'{number}{move}')}")
            self.moves.append(" ".join(move.split()))

    def moves_to(self, line: int) -> list[str]:
        """The moves collected up to ``line``, the last one. Raises FormatError if some are missing."""
        if self.promised is None and not self.moves:
            raise FormatError(self.name, 1, "no moves found")
        if self.promised not in (None, len(self.moves)):
            problem = f"expected {self.promised} moves, as announced, got {len(self.moves)}"
            raise FormatError(self.name, line, problem)
        return self.moves


def answered_deal(text: str, name: str, game: Variant | None, agreed: Mapping[str, str]) -> Deal | None:
    """The deal that a JSON answer names by its game and its seed or PySolFC number; None if ``text`` is not
    such an answer, or is one for a position after moves. Raises FormatError if its game is not ``game``, or
    its rules are not those ``agreed`` on."""
    from .foreign import pysol
    from .json_deals import json_values

    if text.lstrip()[:1] != "{":
        return None
    line, value = next(iter(json_values(text, name)))
    seed, number = value.get("seed"), value.get("pysol")
    is_whole = value.keys() & {"columns", "moves_made"}
    is_named = type(seed) in (int, str) or isinstance(number, str)
    if is_whole or not isinstance(value.get("game"), str) or not is_named:
        return None
    try:
        check_schema(value.get("schema"))
        variant = find_variant(value["game"])
        check_same_game(game, variant)
        choices = {choice: value[choice] for choice in variant.choices if choice in value}
        choices = {**agreed, **choices}
        if isinstance(number, str):
            deal = Deal(pysol.deal(variant, number, choices), pysol=number)
        else:
            seed = seed_of(seed)
            deal = Deal(variant.deal(seed, choices=choices), seed)
        _check_same_deal(deal, agreed)
        return deal
    except ValueError as error:
        raise FormatError(name, line, error) from None


def _read_json(text: str, name: str, deal: Deal | None) -> list[str]:
    from .json_deals import json_values

    values = list(json_values(text, name))
    line, value = values[0]
    if len(values) > 1:
        raise FormatError(name, values[1][0], "a second solution begins; expected one")
    try:
        if isinstance(value, dict):
            if isinstance(value.get("game"), str):
                check_same_game(deal and deal.variant, find_variant(value["game"]))
            check_schema(value.get("schema"))
            origin = {key: value.get(key) for key in ("seed", "pysol", *CHOICES)}
            seed = origin["seed"]
            _check_same_deal(deal, origin | {"seed": seed_of(seed) if isinstance(seed, str) else seed})
    except ValueError as error:
        raise FormatError(name, line, error) from None
    moves = _json_moves(value)
    if moves is None and isinstance(value, dict) and isinstance(value.get("verdict"), str):
        raise FormatError(name, line, f"an answer without a line of play: {shown(value['verdict'])}")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise FormatError(name, line, 'moves: expected a list of moves, such as ["7S 10-f"]')
    return [" ".join(move.split()) for move in moves]


def _json_moves(value: Any) -> Any:
    """The line of play in a JSON value: the value itself if it is a list, the moves of an answer, or those of
    its steps."""
    if not isinstance(value, dict):
        return value
    if "moves" in value:
        return value["moves"]
    steps = value.get("steps")
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        return None
    return [step.get("move") for number, step in enumerate(steps) if number or "move" in step]
