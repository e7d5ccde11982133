"""Cleaning of text before any reader sees it: bytes, decoration, and the spelling of cards.

`decode` makes characters of bytes. `cleaned` makes lines that the readers know: cards as ``9S`` with spaces
between them, without frames, brackets, quotes or bullets, and ``--`` where a cell of a table is empty. Both
know no game, and neither drops a character that could be a card: a line that is not understood as a whole
stays as it is.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from ..cards import RANK_NAMES, RANKS, SUITS, format_card, parse_card
from .text import FormatError

_COLOURS = r"\x1b\[[0-9;?]*[A-Za-z]"  # codes of a terminal

EMPTY = "--"
"""An empty cell of a table."""

_PLAYING_CARDS = {
    chr(0x1F0A0 + 16 * suit + number): rank + name
    for suit, name in enumerate("SHDC")
    for number, rank in zip((*range(1, 12), 13, 14), RANKS, strict=True)  # 12 is the knight
} | {"\U0001f0a0": "??", "\U0001f0cf": "XB", "\U0001f0bf": "XR", "\U0001f0df": "XR"}
_CHARACTERS = str.maketrans(
    _PLAYING_CARDS
    | dict(zip("\u2663\u2666\u2665\u2660\u2667\u2662\u2661\u2664", 2 * "CDHS", strict=True))
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019", '"')
    | dict.fromkeys("\u2022\u25e6\u25aa\u2023\u00b7", "*")
    | dict.fromkeys("\u2502\u2503\u2551\u2506\u2507\u250a\u250b", "|")
    | {chr(code): "-" for code in (0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x2550)}
)
_CARD_SIGN = re.compile(f"[{''.join(_PLAYING_CARDS)}]")
_INVISIBLE = re.compile("[\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\u00ad]")
_FRAME = re.compile("[\u2500-\u257f]")  # the corners and crossings of boxes that are left

_PLAIN = re.compile(r"(?:<?[A2-9TJQK][CDHS]>?|\?\?|X[BR](?:=[A2-9TJQK])?)(?: (?:<?[A2-9TJQK][CDHS]>?|\?\?))*")
"""Cards as our writers write them, which need no cleaning."""

_RANK_WORDS = dict(zip(RANK_NAMES, RANKS, strict=True))
_SUIT_WORDS = {
    word + plural: word[0].upper() for word in ("club", "diamond", "heart", "spade") for plural in ("", "s")
}
_JOKERS = (
    (r"(?i)\b(?:black[ _-]?joker|joker[ _-]?\(?black\b\)?)", "XB"),
    (r"(?i)\b(?:red[ _-]?joker|joker[ _-]?\(?red\b\)?)", "XR"),
)
_BARE_RANK = re.compile(r"(?i)10|1[1-3]|[a1-9tjqk]")
_ONE = r"(?:10|1[1-3]|[1-9atjqk])[cdhs]"
_OTHER = r"[cdhs](?:10|1[1-3]|[1-9atjqk])"
_REST = r"\?\?|x[br](?:=(?:10|[a2-9tjqk]))?"
_PIECES = tuple(re.compile(f"(?i)<(?:{card}|{_REST})>|{card}|{_REST}") for card in (_ONE, _OTHER))
_JOINED = re.compile("|".join(f"(?:(?:{pieces.pattern[4:]})-?)+" for pieces in _PIECES), re.IGNORECASE)
_HIDDEN = re.compile(r"(?i)\[\s*(?:#{1,3}|\?{1,2}|xx)\s*\]")
_DOWN = re.compile("<([^<>]*)>")
_NOTHING = re.compile(r"\s*(?:\[\s*\]|\(\s*\)|\{\s*\}|\|\s*\|)\s*,?\s*")
_KNOWN = re.compile(r"(?i)\?{1,2}|xx|#{2,3}|\*|<(?:\?{1,2}|xx|##)>|[-._]+|\[\]|x[br](?:=(?:10|[a2-9tjqk]))?")
_FIELD = r"[a-z][a-z _]{0,40}(?:\(?[0-9]{1,3}\)?)? {0,9}:"
_HEAD = re.compile(rf"(?i)\s*(?:{_FIELD}|(?:[a-z]{{1,20}} {{1,9}})?[0-9]{{1,2}} {{0,9}}[:.)](?=\s))")
_RULE = re.compile(r"(?=.*[-=])[|+][-+=:|\s]*|-{3}[-\s]*[|+][-+=:|\s]*|[-=_~]{8,}|={3,}")
_BULLETS = ("> ", "- ", "* ")
_MOST_LINES = 200  # lines of a table, of which the longest column has some sixty cards
_LONGEST_FENCE = 20  # characters of a line with a fence of Markdown
_SEPARATORS = "|,;/\t"
_LONGEST = 3000  # characters of a line that is cleaned: two decks in words have fewer
_LEAST = 3  # least width of a column: a card and a space


class Line(NamedTuple):
    """A line after cleaning, with its number and the width of its indentation. ``is_plain`` is true for cards
    as our writers write them."""

    number: int
    text: str
    indent: int = 0
    is_plain: bool = False


def decode(data: bytes, name: str, first: int = 1) -> str:
    """Decode ``data``, UTF-8 or UTF-16 text, without byte order mark, colour codes and invisible characters,
    and with signs of suits and cards as letters. ``first`` is the number of its first line, for messages.
    Raises FormatError if ``data`` is not such text."""
    if data[:1] == b"\x80":
        problem = "a pickle, such as a saved game of PySolFC: it is not read, since reading one runs it"
        raise FormatError(name, first, problem)
    try:
        text = data.decode("utf-16" if is_wide(data) else "utf-8-sig")
    except UnicodeDecodeError as error:
        if is_wide(data):
            raise FormatError(name, first, "expected UTF-16 text, as its first two bytes say") from None
        line = data.count(b"\n", 0, error.start) + first
        raise FormatError(name, line, f"byte {data[error.start]:#04x} is not UTF-8 text") from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = re.sub(_COLOURS, "", text)
    return letters(text)


def letters(text: str) -> str:
    """``text`` with signs of suits and cards as letters, and without invisible characters. Cells of equal
    width stay so: a variation selector at the end of a cell becomes a space, and spaces beside playing-card
    characters two."""
    if text.isascii():
        return text
    if _CARD_SIGN.search(text):
        lines = text.split("\n")
        text = "\n".join(line.replace(" ", "  ") if _CARD_SIGN.search(line) else line for line in lines)
    text = re.sub(r"[\ufe0e\ufe0f](?=\s|$)", " ", text)
    text = _INVISIBLE.sub("", text).translate(_CHARACTERS)
    return _FRAME.sub("+", unicodedata.normalize("NFKC", text))


def is_wide(data: bytes) -> bool:
    """Test if ``data`` begins as UTF-16 text does."""
    return data[:2] in (b"\xff\xfe", b"\xfe\xff")


def cleaned(lines: Iterable[str], by_rows: bool, first: int = 1) -> Iterator[Line]:
    """The ``lines``, of which the first has the number ``first``, without their decoration. ``by_rows`` says
    that they are rows of a table, whose empty cells count; a line with the numbers of all columns says so
    too. A line is yielded before the next one is read, except in such a table and where each line begins with
    a bullet: these are read up to a blank line or comment, or to `_MOST_LINES`."""
    block: list[tuple[int, str]] = []
    is_begun = False  # cards stand before this line, without a blank line or comment between
    for number, text in enumerate(lines, first):
        if not (block or by_rows) and _PLAIN.fullmatch(text):
            yield Line(number, text, 0, True)
            is_begun = True
            continue
        content = text.strip()
        if content.startswith("```") and len(content) < _LONGEST_FENCE:
            content = ""
        is_text = content != "" and (content[0] != "#" or content[:2] == "##")
        if block and (not is_text or len(block) == _MOST_LINES):
            yield from _table(block, by_rows)
            block = []
        if not is_text or len(text) > _LONGEST:
            yield Line(number, content)
        elif block or by_rows or _is_heading(content) or (not is_begun and content[:2] in _BULLETS):
            block.append((number, text))
        elif not _RULE.fullmatch(content):
            plain = clean_line(content)
            yield Line(number, plain, len(text) - len(text.lstrip()))
            is_begun = is_begun or plain != content  # the name of a game stays as it is
        is_begun = is_begun and is_text
    yield from _table(block, by_rows)


def _table(lines: list[tuple[int, str]], by_rows: bool) -> Iterator[Line]:
    """Clean consecutive ``lines`` with text, numbered, that are a table by rows or begin with bullets."""
    lines = [(number, text) for number, text in lines if not _RULE.fullmatch(text.strip())]
    texts = _without_bullets([text.rstrip(" \r") for _, text in lines], by_rows)
    heading = next((at for at, text in enumerate(texts) if _is_heading(text)), None)
    is_table = by_rows or heading is not None
    cards = _card_lines(texts, 0 if heading is None else heading + 1) if is_table else []
    cells = _grid(texts, cards, heading) if is_table else {}
    if cells is None:  # some empty cells are not clear
        yield from (Line(number, "Rows: unclear" if number == lines[0][0] else "") for number, _ in lines)
        return
    plain = [
        " ".join(cells[at]) if at in cells else clean_line(text, is_table) for at, text in enumerate(texts)
    ]
    has_cells = any(re.search(r"[\t,;/|]", text.strip()) for text in texts)
    rows = {at for at in cards if _is_row(plain[at], has_cells)}
    has_hole = any(EMPTY in plain[at].split() for at in rows)
    most = max((len(plain[at].split()) for at in rows), default=0) if has_hole else 0
    for at, (number, _) in enumerate(lines):
        text = plain[at]
        if at == heading:
            text = f"Rows: {len(texts[at].replace('|', ' ').split())}"
        elif at in rows:
            text += f" {EMPTY}" * (most - len(text.split()))  # cells at the end of a line that a file lost
        yield Line(number, text, _indent(texts[at]))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _card_lines(texts: Sequence[str], first: int) -> list[int]:
    """The indices, from ``first`` on, of the lines of cards in a table by rows: neither fields nor indented
    lines that go on with one, up to the first other line after them."""
    found: list[int] = []
    field = None  # the indentation of a field above the cards
    for at in range(first, len(texts)):
        text = texts[at]
        is_field = _HEAD.match(text) is not None
        is_row = not is_field and any(_cards(each, True) for each in (text, text.replace("|", " ")))
        if not is_row and found:
            break
        if is_row and (field is None or _indent(text) <= field):
            found.append(at)
        elif is_field:
            field = _indent(text)
    return found


def _is_row(text: str, has_cells: bool) -> bool:
    """Test if ``text`` is a cleaned line of a table that shows the column of each of its cards: one with
    empty cells, or any in a table whose cells are separated by signs."""
    tokens = text.split()
    return EMPTY in tokens or (has_cells and all(_spelled(token) for token in tokens))


def _grid(texts: Sequence[str], lines: Sequence[int], heading: int | None) -> dict[int, list[str]] | None:
    """The cells of a table whose empty cells are seen only by positions, for each of its ``lines``, indices
    of ``texts``: columns under the numbers of the line ``heading``, equally wide columns, or cells with one
    space between. Empty if the table has no such cells, and None if they are not clear."""
    rows: dict[int, list[tuple[int, int, str]]] = {}
    counts: dict[int, int] = {}  # of the cards in each line
    is_split = True  # each word is a card
    margin = min((_indent(texts[at]) for at in lines), default=0)
    for at in lines:
        cards = _cards(texts[at].replace("|", " "), True)
        if cards is None or re.search(r"[\t,;/]" if heading is not None else r"[\t,;/|]", texts[at]):
            return {}
        counts[at] = len(cards)
        found = list(re.finditer(r"[^\s|]+", texts[at]))
        is_split &= len(found) == len(cards)
        rows[at] = [(each.start(), each.end(), card) for each, card in zip(found, cards, strict=False)]
    most = max(counts.values(), default=0)
    shorter = [texts[at][margin:] for at, count in counts.items() if count < most]
    has_gap = any(re.search(r"^\s|\S\s{2,}\S", text) for text in shorter)
    has_gap |= any(_is_uneven(texts[at]) for at in rows if is_split or len(rows) == 1)
    has_gap |= len(texts) == 1 and re.match(r"\s|\S+\s{4,}\S+$", texts[0]) is not None
    if heading is None and (not has_gap or len(lines) == 1):
        return None if has_gap else {}
    tables = [table for table in _tables(texts, rows, heading) if _can_lie(table)] if is_split else []
    if heading is not None:
        tables = tables[:1]  # the numbers show where columns are
    if len({str(_trimmed(table)) for table in tables}) != 1:
        return None if has_gap else {}
    return tables[0]


def _is_uneven(text: str) -> bool:
    """Test if a line of cards has a gap that is wider than others by an empty cell or more, and its cards are
    not at even distances."""
    spans = [match.span() for match in re.finditer(r"[^\s|]+", text)]
    gaps = [after[0] - before[1] for before, after in pairwise(spans)]
    return max(gaps, default=0) - min(gaps, default=0) >= _LEAST and all(
        len({after[side] - before[side] for before, after in pairwise(spans)}) > 1 for side in (0, 1)
    )


def _tables(
    texts: Sequence[str], rows: Mapping[int, list[tuple[int, int, str]]], heading: int | None
) -> Iterator[dict[int, list[str]]]:
    """Yield the tables that the positions of cards may show; ``rows`` has the beginning, the end and the name
    of each card, by the index of its line in ``texts``. The other parameters are those of `_grid`."""
    is_at_margin = any(text[:1].strip() for at, text in enumerate(texts) if at not in rows)
    for side in (0, 1):  # aligned left, or right
        if heading is None:
            columns = _even([cell[:2][side] for row in rows.values() for cell in row], side, is_at_margin)
        else:
            columns = [match.span()[side] for match in re.finditer("[0-9]+", texts[heading])]
        placed = {at: {cell[:2][side]: cell[2] for cell in row} for at, row in rows.items()}
        if columns and all(row.keys() <= set(columns) for row in placed.values()):
            end = [EMPTY] if heading is None else []
            yield {at: [row.get(edge, EMPTY) for edge in columns] + end for at, row in placed.items()}
    if not any("|" in texts[at] for at in rows) and any(texts[at][:1].strip() for at in rows):
        yield {at: [cell or EMPTY for cell in texts[at].split(" ")] + [EMPTY] for at in rows}


def _trimmed(table: Mapping[int, list[str]]) -> list[list[str]]:
    """The rows of ``table`` without the empty cells at their ends."""
    return [re.sub(f"( {EMPTY})+$", "", " ".join(row)).split() for row in table.values()]


def _can_lie(table: Mapping[int, list[str]]) -> bool:
    """Test if no card of ``table`` lies under an empty cell."""
    above = None
    for row in table.values():
        held = {column for column, cell in enumerate(row) if cell != EMPTY}
        if above is not None and not held <= above:
            return False
        above = held
    return True


def _even(edges: Sequence[int], side: int, is_at_margin: bool) -> list[int]:
    """The edges of equally wide columns of which some cells have ``edges``, left ones if ``side`` is 0, else
    right ones; empty if there are none, and if a column could lie left of the first one, unless
    ``is_at_margin``: then the first one begins where lines do."""
    found = sorted({*edges})
    pitch = min((after - before for before, after in pairwise(found)), default=0)
    if pitch < _LEAST or any((edge - found[0]) % pitch for edge in found):
        return []
    if found[0] < pitch:
        return list(range(found[0], found[-1] + 1, pitch))
    first = side * (pitch - 1)
    return list(range(first, found[-1] + 1, pitch)) if is_at_margin and found[0] % pitch == first else []


def _is_heading(text: str) -> bool:
    """Test if ``text`` numbers columns from 1, with a bar between wings or around it."""
    numbers = text.replace("|", " ").split()
    return len(numbers) > 1 and numbers == [str(number) for number in range(1, len(numbers) + 1)]


def _without_bullets(texts: list[str], by_rows: bool) -> list[str]:
    """The ``texts`` without a bullet that begins each of them: a sign that stands for no card or cell
    elsewhere in them. Lines of fields, such as ``Stock:``, may lack it."""
    for sign in (bullet[0] for bullet in _BULLETS):
        begun = [text.lstrip().startswith(f"{sign} ") for text in texts]
        others = [text for text, is_begun in zip(texts, begun, strict=True) if not is_begun]
        rests = [text.lstrip()[1:] for text, is_begun in zip(texts, begun, strict=True) if is_begun]
        if sum(begun) < 2 or (sign == "-" and by_rows) or not all(_HEAD.match(text) for text in others):
            continue
        if not any(sign in rest.split() for rest in rests):
            return [
                text.lstrip()[1:].lstrip() if is_begun else text
                for text, is_begun in zip(texts, begun, strict=True)
            ]
    return texts


def clean_line(text: str, by_rows: bool = False) -> str:
    """One line without decoration, its cards spelled as ``9S``; with ``by_rows`` empty cells are `EMPTY`. A
    line with anything else stays as it is, without spaces at its ends."""
    content = text.strip(" \r\n" if by_rows else None)
    if len(content) > _LONGEST or _PLAIN.fullmatch(content):
        return content
    head = _HEAD.match(content)
    begin = head[0] if head else ""
    cards = _cards(content[len(begin) :], by_rows)
    return content.strip() if cards is None else f"{begin.strip()} {' '.join(cards)}".strip()


def _cards(text: str, by_rows: bool) -> list[str] | None:
    """The cards and empty cells of ``text``; None if it has anything else, or nothing, and where some cards
    are separated by signs and others by spaces alone."""
    if _NOTHING.fullmatch(text):
        return [EMPTY]
    plain = _without_brackets(_HIDDEN.sub(" ?? ", text.strip(" \r\n")))
    if "<" in plain:
        plain = _DOWN.sub(lambda match: f"<{' '.join(_cards(match[1], False) or '!')}>", plain)
    written = _in_letters(plain)
    if written is None or not written.strip():
        return None
    text = re.sub(r"""["']""", " ", written)
    used = {sign for sign in _SEPARATORS if sign in text}
    if used - {"\t"}:
        used -= {"\t"}
    if not used or (used == {"\t"} and not by_rows and "\t\t" not in text.strip()):
        return _tokens(text)
    if len(used) > 1:
        return None
    sign = used.pop()
    if sign == "|":
        text = text.strip().removeprefix("|").removesuffix("|")
        if sign not in text:  # a frame
            return _tokens(text)
    cells = text.split(sign)
    found: list[str] = []
    for cell in cells:
        tokens = _tokens(cell) if cell.strip() else [EMPTY]
        if tokens is None or len(tokens) != 1:
            return None
        found += tokens
    while not by_rows and len(found) > 1 and found[-1] == EMPTY:
        found.pop()
    return found


def _without_brackets(text: str) -> str:
    """``text`` without brackets around all of it, or around each of its cards."""
    plain = text.rstrip(" ,;")
    for left, right in ("[]", "()", "{}"):
        inner = plain[1:-1]
        if plain[:1] == left and plain[-1:] == right and inner.strip():
            if left not in inner and right not in inner:
                return inner
            each = re.findall(rf"\{left}([^\{left}\{right}]*)\{right}", plain)
            rest = re.sub(rf"\{left}[^\{left}\{right}]*\{right}", "", plain)
            if not rest.strip(" ,;|\t") and all(each):
                return " ".join(each) if not rest.strip() else plain.replace(left, " ").replace(right, " ")
    return text


def _in_letters(text: str) -> str | None:
    """``text`` with words for ranks, suits and jokers as letters; None if it has other words."""
    if not re.search("(?i)[a-z]{3}| of ", text):
        return text
    for pattern, card in _JOKERS:
        text = re.sub(pattern, card, text)
    is_known = True

    def letter(match: re.Match[str]) -> str:
        nonlocal is_known
        word = match[0].lower()
        if len(word) < 3:
            return "" if word == "of" else match[0]
        if word in _RANK_WORDS or word in _SUIT_WORDS:
            return _RANK_WORDS.get(word) or _SUIT_WORDS[word]
        is_known = is_known and _JOINED.fullmatch(word) is not None
        return match[0]

    text = re.sub("(?<![a-zA-Z0-9=])[a-zA-Z]+(?![a-zA-Z0-9])", letter, text)
    return text if is_known else None


def _tokens(text: str) -> list[str] | None:
    """The cards of ``text``, which are separated by spaces, or not at all; None if it has anything else."""
    tokens = text.split()
    if _is_in_pairs(tokens):
        tokens = [one + other for one, other in zip(tokens[::2], tokens[1::2], strict=True)]
    found: list[str] = []
    for token in tokens:
        cards = _spelled(token)
        if cards is None or (len(cards) > 1 and len(tokens) > 1):  # such tokens may be columns
            return None
        found += cards
    return found or None


def _is_in_pairs(tokens: Sequence[str]) -> bool:
    """Test if the ``tokens`` are ranks and suits in turn."""
    if len(tokens) % 2:
        return False
    for ranks, suits in ((tokens[::2], tokens[1::2]), (tokens[1::2], tokens[::2])):
        if all(map(_BARE_RANK.fullmatch, ranks)) and all(suit.upper() in SUITS for suit in suits):
            return all(len(suit) == 1 for suit in suits)
    return False


def _spelled(token: str) -> list[str] | None:
    """The cards that ``token`` spells; None if it does not spell cards."""
    if _KNOWN.fullmatch(token):
        return [token.upper() if token[:1] in "xX" and token[1:2] not in "xX" else token]
    if _JOINED.fullmatch(token):
        is_suit_first = token.lstrip("<?xX")[:1].upper() in SUITS
        return [_named(piece) for piece in _PIECES[is_suit_first].findall(token)]
    with suppress(ValueError):
        return [_named(token)]
    return None


def _named(card: str) -> str:
    """The name of a card that may be face down, ``<9S>``, or unknown. Raises ValueError."""
    inner, equals, rank = card.strip("<>").partition("=")
    name = inner if inner == "??" else format_card(parse_card(inner))
    return f"<{name}>" if card[:1] == "<" else f"{name}{equals}{rank.upper()}"
