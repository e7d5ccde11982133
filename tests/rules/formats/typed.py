"""Tables as people type them: a position of a game, written in some of the `STYLES`, perhaps with a fault.

`tables_of` has the positions, `Typed` a text with what the reader is told and the state that is meant.
"""

import json
import re
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from tests.deals import states_of_play

from winnable.cli.terminal import board
from winnable.rules import has_unknown
from winnable.rules.board import SUIT_NAMES
from winnable.rules.cards import RANK_NAMES
from winnable.rules.formats.json_deals import object_of
from winnable.rules.formats.text import Deal, format_state
from winnable.rules.layout import picture
from winnable.rules.tables import hidden, settled

SIGNS = {"black": "♣♦♥♠", "white": "♧♢♡♤"}
CHARACTERS = {"S": 0x1F0A0, "H": 0x1F0B0, "D": 0x1F0C0, "C": 0x1F0D0}  # the ace is the next one
BACK = "\U0001f0a0"
JOKERS = {
    "BJ": ("BJ", "RJ"),
    "JB": ("JB", "JR"),
    "Black Joker": ("Black Joker", "Red Joker"),
    "joker black": ("joker black", "joker red"),
    "*B": ("*B", "*R"),
    "character": ("\U0001f0cf", "\U0001f0bf"),
}


@dataclass
class Table:
    """A position: ``state`` is the one that is meant, ``mark`` the line that says that it is in play, or
    empty. ``columns`` and ``piles`` hold cards as our own text has them, the stock may be a number."""

    variant: object
    state: object
    mark: str = ""
    columns: list = field(default_factory=list)
    piles: dict = field(default_factory=dict)
    foundations: str = ""
    others: list = field(default_factory=list)
    seed: int | None = None


class Typed(NamedTuple):
    """A text as ``data``. ``variant``, ``by`` and ``top`` are what the reader is told; ``expected`` is the
    state that is meant, None if the text has a fault. ``says_rows`` is true where the text itself shows that
    its lines are rows."""

    data: bytes
    text: str
    styles: tuple
    variant: object
    by: str
    top: str
    expected: object
    says_rows: bool


def table_of(variant, state, seed=None):
    """The table of ``state``, which may have unknown cards."""
    table = Table(variant, settled(state) if has_unknown(state) else state, seed=seed)
    for line in format_state(state).splitlines():
        name, colon, rest = line.partition(": ")
        if line.startswith("# position"):
            table.mark = line
        elif name in ("Stock", "Waste", "Removed"):
            table.piles[name] = rest.split()
        elif name == "Foundations":
            table.foundations = rest
        elif colon and line[0] != "#":
            table.others.append(line)
        elif line[0] != "#":
            table.columns.append(line.removeprefix(":").split())
    return table


def tables_of(variant, choice):
    """Some tables of one deal: itself, positions in play, and both as a player sees them, where the game
    hides cards."""
    seed = choice.randrange(10**9)
    steps = choice.choice([3, 12, 40, 100])
    prefer = choice.choice([lambda moves: moves, lambda moves: moves[-3:], lambda moves: moves[:2]])
    states = list(states_of_play(variant.deal(seed), steps, seed, prefer))
    picked = [states[0], *choice.sample(states[1:], min(len(states) - 1, 3))]
    tables = [table_of(variant, state, None if number else seed) for number, state in enumerate(picked)]
    if variant.hiding is not None:
        views = map(hidden, picked)
        tables += [table_of(variant, view) for view in views if has_unknown(view)]
    return tables


# --- Spelling ---------------------------------------------------------------------------------------------


def _rank(card):
    return "A23456789TJQK".index(card[0])


def _words(form, case=str.title):
    """A spelling in words: ``form`` has {rank}, {suit} and {short}, the rank in figures."""

    def spell(card):
        short = card[0].replace("T", "10")
        words = form.format(rank=RANK_NAMES[_rank(card)], suit=SUIT_NAMES[card[1]], short=short)
        return case(words).replace(" Of ", " of ")

    return spell


def _sign(kind, form="{rank}{sign}"):
    signs = dict(zip("CDHS", SIGNS[kind], strict=True))
    return lambda card: form.format(rank=card[0].replace("T", "10"), sign=signs[card[1]])


def _character(card):
    at = _rank(card)
    return chr(CHARACTERS[card[1]] + at + 1 + (at > 10))  # the knight lies between jack and queen


SPELLINGS = {
    "10": lambda card: card.replace("T", "10"),
    "lower case": str.lower,
    "suit first": lambda card: card[1] + card[0],
    "suit first, lower case": lambda card: (card[1] + card[0].replace("T", "10")).lower(),
    "signs": _sign("black"),
    "white signs": _sign("white"),
    "signs first": _sign("black", "{sign}{rank}"),
    "signs with variation selectors": _sign("black", "{rank}{sign}\ufe0f"),
    "characters": _character,
    "Seven of Hearts": _words("{rank} of {suit}"),
    "seven of hearts": _words("{rank} of {suit}", str.lower),
    "7 of hearts": _words("{short} of {suit}", str),
    "Ace Spades": _words("{rank} {suit}"),
    "Spades Three": _words("{suit} {rank}"),
    "9 spades": _words("{short} {suit}", str),
    "1, 11, 12, 13": lambda card: f"{_rank(card) + 1}{card[1]}",
}

# --- Styles -----------------------------------------------------------------------------------------------


def _always(table):
    return True


def _has_unknown(table):
    return any("?" in card for cards in (*table.columns, *table.piles.values()) for card in cards)


def _has_stock(table):
    return bool(table.piles.get("Stock")) and not _is_counted(table)


def _is_counted(table):
    return table.piles.get("Stock", [""])[0].isdigit()


def _has_tops(table):
    tops = table.foundations.split()
    return any(top[-1] != "0" for top in tops) and all(re.fullmatch("[CDHS]-.", top) for top in tops)


def _is_piled(table):
    return table.variant.has_stock


def _shows_gaps(table):
    """Test if spaces tell the columns: with none but at the ends of rows, the rows are those of a deal."""
    sizes = [*map(len, table.columns)]
    return sizes == [*table.variant.sizes] or any(size < most for size, most in pairwise(sizes))


def _is_natural(table):
    """Test if no joker is declared and no card lies face down: then every format can express the cards."""
    return not any("=" in card for column in table.columns for card in column)


PLAIN = {
    "spelling": str, "joker": None, "sep": " ", "prefix": "", "wrap": ("", ""), "quote": "", "hidden": None,
    "rows": None, "around": None, "stock": "Stock: {cards}", "waste": None, "up": None, "title": None,
    "above": None, "json": None, "bytes": None, "empty": ":", "top": "", "mark": None, "first": False,
    "screen": False,
}  # fmt: skip
STYLES = {
    **{f"spelling {name}": ("spelling", spell, _always) for name, spell in SPELLINGS.items()},
    **{f"joker {name}": ("joker", pair, lambda table: table.variant.jokers) for name, pair in JOKERS.items()},
    **{
        f"between cards {sep!r}": ("sep", sep, _always)
        for sep in (", ", ",", "; ", "\t", "   ", " / ", "/", "-", " - ", " | ", "|", "")
    },
    **{
        f"before a line {prefix!r}": ("prefix", prefix, _always)
        for prefix in (
            "- ",
            "* ",
            "\u2022 ",
            "{}: ",
            "{}. ",
            "{}) ",
            "Column {}: ",
            "column {} ",
            "Pile {}: ",
        )
    },
    **{
        f"around a line {''.join(pair)!r}": ("wrap", pair, _always)
        for pair in (("[", "]"), ("[ ", " ]"), ("(", ")"), ("(", "),"), ("| ", " |"), ("\u2502 ", " \u2502"))
    },
    "quotes": ("quote", '"', _always),
    "an empty column '--'": ("empty", "--", lambda table: [] in table.columns),
    "an empty column '[]'": ("empty", "[]", lambda table: [] in table.columns),
    **{
        f"hidden {token!r}": ("hidden", token, _has_unknown)
        for token in ("??", "?", "xx", "XX", "##", "[###]", "[?]", BACK, "_", "*")
    },
    **{
        f"rows with gaps {gap!r}": ("rows", gap, _shows_gaps if "aligned" in gap else _always)
        for gap in ("--", "[]", ".", "_", "tab", "comma", "aligned", "aligned, numbered", "markdown")
    },
    "top first": ("top", "first", _always),
    "a code fence": ("around", "fence", _always),
    "a table of Markdown": ("around", "markdown", _always),
    "a box": ("around", "box", _always),
    "a name of the game": ("title", "{}", _always),
    "Game:": ("title", "Game: {}", _always),
    "Tableau:": ("above", "Tableau:", _is_piled),
    "Stock (24):": ("stock", "Stock ({count}): {cards}", _has_stock),
    "Draw pile:": ("stock", "Draw pile: {cards}", _has_stock),
    "Deck:": ("stock", "Deck: {cards}", _has_stock),
    "stock on the next line": ("stock", "Stock:\n{cards}", _has_stock),
    "stock in lines": ("stock", "in lines", _has_stock),
    "24 cards": ("stock", "Stock: {cards} cards", _is_counted),
    "a stock of unknown cards": ("stock", "unknown", _is_counted),
    **{
        f"Waste: {word}": ("waste", word, lambda table: _is_piled(table) and "Waste" not in table.piles)
        for word in ("empty", "none", "-")
    },
    **{
        f"Foundations: {word}": ("up", word, lambda table: _is_piled(table) and not table.foundations)
        for word in ("none", "empty")
    },
    "Foundations: AH": ("up", "tops", _has_tops),
    "Foundation:": ("up", "singular", lambda table: table.foundations),
    "piles first": ("first", True, lambda table: table.piles or table.foundations),
    "our screen": ("screen", True, lambda table: not table.variant.has_stock and table.mark[:6] != "# seed"),
    "Position:": ("mark", "Position", lambda table: table.mark),
    **{
        f"JSON {kind}": ("json", kind, _always)
        for kind in ("columns", "columns as lists", "tableau", "piles", "tableau as lists")
    },
    **{
        f"JSON {kind}": ("json", kind, lambda table: not _lines(table))
        for kind in ("list of columns", "list of columns, single quotes")
    },
    "JSON cards as objects": ("json", "objects", _is_natural),
    **{
        f"bytes {kind}": ("bytes", kind, _always)
        for kind in (
            *("BOM", "UTF-16 LE", "UTF-16 BE", "CRLF", "no-break spaces", "zero-width spaces", "fullwidth"),
            *("colours", "blank lines between", "spaces at the ends"),
        )
    },
}
"""For each style the part of a text that it changes, its value there, and the test of tables that may have
it."""


def _lines(table):
    """The lines of a text beside its columns, which a bare list of columns does not have."""
    return [*table.piles, *table.others, *filter(None, (table.mark, table.foundations))]


def fits(table, names):
    """Test if ``table`` can be written in the styles ``names``, of which each changes another part."""
    parts = [STYLES[name][0] for name in names]
    if len(set(parts)) < len(parts) or not all(STYLES[name][2](table) for name in names):
        return False
    part = dict(zip(parts, (STYLES[name][1] for name in names), strict=True))
    if "rows" in part and part["rows"] == part.get("hidden"):
        return False  # a gap that looks like an unknown card
    if "rows" in part and {"prefix", "wrap", "around", "sep", "top", "empty"} & part.keys():
        return False
    if "around" in part and {"sep", "wrap", "prefix"} & part.keys():
        return False
    if "screen" in part and part.keys() - {"screen", "bytes"}:
        return False
    return "json" not in part or not part.keys() - {"json", "spelling", "joker", "hidden", "bytes"}


def picked(table, choice, most=4):
    """Names of some styles in which ``table`` can be written."""
    while True:
        names = choice.sample(list(STYLES), choice.randint(0, most))
        if fits(table, names):
            return tuple(names)


# --- Writing ----------------------------------------------------------------------------------------------


def write(table, names, choice, told_rows=True):
    """``table`` in the styles ``names``. Without ``told_rows`` the reader is not told that lines are rows."""
    part = PLAIN | {STYLES[name][0]: STYLES[name][1] for name in names}
    if part["sep"] == " " and any(" " in name for name in (part["spelling"]("2H"), *(part["joker"] or ()))):
        part["sep"] = ", "
    if part["screen"]:
        drawn = picture(table.variant, table.state) | {
            "columns": [" ".join(cards) for cards in table.columns]
        }
        text = board(drawn, table.variant.wing)
    elif part["json"]:
        text = _json(table, part)
    else:
        text = _text(table, part, choice)
    by = "rows" if part["rows"] and told_rows else "columns"
    says_rows = part["rows"] in ("aligned", "aligned, numbered", "markdown", "tab", "comma") or part["screen"]
    variant = None if part["title"] and not part["json"] else table.variant
    data = _encoded(text, part["bytes"])
    return Typed(data, text, tuple(names), variant, by, part["top"], table.state, says_rows)


def _cell(card, part, is_column=True):
    inner = card.strip("<>")
    if inner == "??":
        token = part["hidden"] or ("<??>" if is_column else "??")
        return part["quote"] + token + part["quote"]
    name, equals, rank = inner.partition("=")
    if not re.fullmatch("[A2-9TJQK][CDHS]|X[BR]", name):
        text = name
    elif name[0] == "X":
        text = part["joker"][name == "XR"] if part["joker"] else name
    else:
        text = part["spelling"](name)
    text = f"{text}={rank}" if equals else text
    text = f"<{text}>" if card[0] == "<" else text
    return part["quote"] + text + part["quote"]


def _text(table, part, choice):
    lines = []
    if part["title"]:
        lines.append(part["title"].format(table.variant.name.replace("-", " ").title()))
    mark = table.mark.replace(", by columns", "") if part["rows"] else table.mark
    if mark:
        lines.append(mark.replace("# p", "P") if part["mark"] else mark)
    if part["above"]:
        lines.append(part["above"])
    columns = _rows(table, part) if part["rows"] else _columns(table, part)
    lines += [*([] if part["first"] else columns), *table.others]
    if part["up"] in ("none", "empty"):
        lines.append(f"Foundations: {part['up']}")
    elif part["up"] == "tops":
        tops = [top[2] + top[0] for top in table.foundations.split() if top[-1] != "0"]
        lines.append(f"Foundations: {part['sep'].join(_cell(top, part) for top in tops)}")
    elif table.foundations:
        lines.append(f"{'Foundation' if part['up'] else 'Foundations'}: {table.foundations}")
    if part["waste"]:
        lines.append(f"Waste: {part['waste']}")
    for name, cards in table.piles.items():
        lines.append(_pile(name, cards, part, choice))
    lines += columns if part["first"] else []
    if part["around"] == "fence":
        lines = ["```", *lines, "```"]
    return "\n".join(lines) + "\n"


def _pile(name, cards, part, choice):
    sep = part["sep"] if not part["rows"] else " "
    if name != "Stock":
        return f"{name}: {sep.join(_cell(card, part, False) for card in cards)}"
    form = part["stock"]
    if cards[0].isdigit():
        if form != "unknown":
            return form.format(cards=cards[0], count=cards[0])
        cards, form = ["??"] * int(cards[0]), PLAIN["stock"]
    cells = [_cell(card, part, False) for card in cards]
    if form == "in lines":
        width, indent = choice.randint(5, 13), choice.choice(["", "  ", "\t", "       "])
        return "Stock: " + f"\n{indent}".join(
            sep.join(cells[at : at + width]) for at in range(0, len(cells), width)
        )
    return form.format(cards=sep.join(cells), count=len(cards))


def _columns(table, part):
    first, last = part["wrap"]
    lines = []
    for number, column in enumerate(table.columns, 1):
        cells = [_cell(card, part) for card in (column[::-1] if part["top"] else column)]
        prefix = part["prefix"].format(number)
        if part["around"] in ("markdown", "box"):
            lines.append(cells)
        elif cells or prefix.rstrip()[-1:] in (":", ".", ")") or first:
            lines.append((prefix + first + part["sep"].join(cells) + last).rstrip(" "))
        else:
            lines.append(prefix + part["empty"])
    if part["around"] in ("markdown", "box"):
        return _framed(lines, part["around"])
    return lines


def _framed(lines, kind):
    """Lines of cells with signs between them, as in Markdown or in a box."""
    width = max(map(len, lines))
    cells = [[*line, *[""] * (width - len(line))] for line in lines]
    most = max(len(cell) for line in cells for cell in line)
    if kind == "markdown":
        rows = [f"| {' | '.join(cell.ljust(most) for cell in line)} |" for line in cells]
        return [rows[0], "|" + "|".join(["-" * (most + 2)] * width) + "|", *rows[1:]]
    side, bar = "\u2502", "\u2500" * (most + 2)
    rows = [f"{side} {f' {side} '.join(cell.ljust(most) for cell in line)} {side}" for line in cells]
    top, bottom = (
        a + mid.join([bar] * width) + z for a, mid, z in ("\u250c\u252c\u2510", "\u2514\u2534\u2518")
    )
    return [top, *rows, bottom]


def _rows(table, part):
    kind = part["rows"]
    gap = {"tab": "", "comma": "", "aligned": "", "aligned, numbered": "", "markdown": ""}.get(kind, kind)
    cells = [[_cell(card, part) for card in column] for column in table.columns]
    rows = [list(row) for row in zip_longest(*cells, fillvalue=gap)] or [[]]
    if kind == "markdown":
        numbers = [str(number) for number in range(1, len(cells) + 1)]
        return _framed([numbers, *rows], "markdown")
    if kind in ("tab", "comma"):
        return [{"tab": "\t", "comma": ","}[kind].join(row) for row in rows]
    if not kind.startswith("aligned"):
        return [" ".join(row) for row in rows]
    if "numbered" in kind:
        rows.insert(0, [str(number) for number in range(1, len(cells) + 1)])
    most = max(len(cell) for row in rows for cell in row)
    return [" ".join(cell.ljust(most) for cell in row).rstrip() for row in rows]


def _json(table, part):
    kind = part["json"]
    columns = [[_cell(card, part) for card in column] for column in table.columns]
    if kind == "list of columns":
        return json.dumps(columns)
    if kind == "list of columns, single quotes":
        return repr(columns).replace("],", "],\n")
    deal = dict(object_of(Deal(table.state, table.seed if table.mark.startswith("# seed") else None)))
    for name in ("stock", "waste", "removed"):
        deal.pop(name, None)
    for name, cards in table.piles.items():
        is_counted = cards[0].isdigit()
        deal[name.lower()] = (
            int(cards[0]) if is_counted else " ".join(_cell(card, part, False) for card in cards)
        )
    if kind == "objects":
        deal["columns"] = [[_object(card, table) for card in column] for column in table.columns]
        return json.dumps(deal)
    deal.pop("columns")
    key, _, lists = kind.partition(" as ")
    deal[key] = columns if lists else [" ".join(column) for column in columns]
    return json.dumps(deal, ensure_ascii=False)


def _object(card, table):
    """A card as an object, as web pages write it."""
    inner = card.strip("<>")
    if inner == "??":
        return {"face_up": False}
    down = {"face_up": card[0] != "<"} if table.variant.hiding is not None else {}
    if inner in ("XB", "XR"):
        return {"rank": "joker", "suit": "black" if inner == "XB" else "red", **down}
    return {"rank": inner[:-1].replace("T", "10"), "suit": SUIT_NAMES.get(inner[-1], inner[-1]), **down}


def _encoded(text, kind):
    if kind == "BOM":
        return text.encode("utf-8-sig")
    if kind in ("UTF-16 LE", "UTF-16 BE"):
        return ("\ufeff" + text).encode(kind.replace(" ", "-"))
    if kind == "CRLF":
        text = text.replace("\n", "\r\n")
    elif kind == "no-break spaces":
        text = text.replace(" ", "\u00a0")
    elif kind == "zero-width spaces":
        text = re.sub(r"(?<=\w) ", " \u200b", text)
    elif kind == "fullwidth":
        text = "".join(
            chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalnum() else sign for sign in text
        )
    elif kind == "colours":
        text = re.sub(r"([A2-9TJQK0♣♠][DH♦♥])", "\x1b[31m\\1\x1b[0m", text)
    elif kind == "blank lines between":
        text = text.replace("\n", "\n\n")
    elif kind == "spaces at the ends":
        text = text.replace("\n", "  \n")
    return text.encode()


# --- Faults -----------------------------------------------------------------------------------------------


def faulty(table, choice):
    """``table`` with a fault, the name of it, and the state that may be read all the same, or None."""
    columns = [[*column] for column in table.columns]
    piles = {name: [*cards] for name, cards in table.piles.items()}
    changed = replace(table, columns=columns, piles=piles)
    places = [(pile, at) for pile in (*columns, *piles.values()) for at in range(len(pile))]
    known = [(pile, at) for pile, at in places if pile[at].strip("<>")[1:] and "?" not in pile[at]]
    known = [(pile, at) for pile, at in known if not pile[at].isdigit()]
    is_down = any("<" in card for column in columns for card in column)
    down = [
        (pile, at)
        for pile, at in known
        if not table.variant.has_stock
        or pile is piles.get("Stock")
        or (
            pile[at][0] == "<"
            if is_down
            else any(pile is column for column in columns) and at < len(pile) - 1
        )
    ]
    kinds = ["missing", "doubled", "replaced", "no card"]
    kinds += ["marked unknown"] if down and not has_unknown(table.state) else []
    kind = choice.choice([*kinds, "shuffled"] if table.seed is not None else kinds)
    pile, at = choice.choice(down if kind == "marked unknown" else known)
    other, there = choice.choice([place for place in known if place[0][place[1]] != pile[at]])
    meant = None
    if kind == "missing":
        del pile[at]
    elif kind == "doubled":
        other.insert(there, pile[at])
    elif kind == "replaced":
        other[there] = pile[at].strip("<>") if "<" not in other[there] else f"<{pile[at].strip('<>')}>"
    elif kind == "no card":
        wrong = ["1X", "14H", "0S", "ZZ", "7", "\U0001f0ac", "XX7", *([] if table.variant.jokers else ["XB"])]
        if (pile, at) == (piles.get("Stock"), 0):
            wrong.remove("7")  # written alone, as the number of cards
        pile[at] = choice.choice(wrong)
    elif kind == "marked unknown":
        pile[at], meant = "<??>" if any(pile is column for column in columns) else "??", table.state
    else:
        pile = choice.choice([column for column in columns if len(set(column)) > 1])
        before = [*pile]
        while pile == before:
            choice.shuffle(pile)
        changed.mark = f"# seed: {table.seed}"
    changed.piles = {name: cards for name, cards in piles.items() if cards}
    return changed, kind, meant
