"""Tables as people write them carelessly: each is read as intended, or refused with a reason.

A `Table` is the intended table. Each of the STYLES writes it in a careless way, and says if it must be read.
It must never be read as another table.
"""

import json
import random
from dataclasses import dataclass

import pytest
from tests.deals import SEED, rows_of, sizes, states_of_play

from winnable.rules import VARIANTS, find_variant, has_unknown
from winnable.rules.cards import UNKNOWN
from winnable.rules.formats import read_deal
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.text import FormatError

SIGNS = [dict(zip("CDHS", signs, strict=True)) for signs in ("♣♦♥♠", "♧♢♡♤")]
PILES = ("Stock", "Waste", "Removed")


@dataclass
class Table:
    """The intended table: the lines of its board, its columns and its piles as lists of cards."""

    variant: object
    state: object
    header: list[str]
    columns: list[list[str]]
    piles: dict[str, list[str]]
    others: list[str]

    def text(self, columns=None, piles=None, others=None, header=None):
        """The text of the table, with some lines replaced."""
        if columns is None:
            columns = [" ".join(column) or ":" for column in self.columns]
        if piles is None:
            piles = [f"{name}: {' '.join(cards)}" for name, cards in self.piles.items()]
        header = self.header if header is None else header
        return "\n".join([*header, *columns, *(self.others if others is None else others), *piles]) + "\n"


def table_of(variant, state):
    """The table of ``state`` as our writer writes it."""
    header, columns, piles, others = [], [], {}, []
    for line in str(state).splitlines():
        name, colon, rest = line.partition(": ")
        if line[0] == "#":
            header.append(line)
        elif name in PILES:
            piles[name] = rest.split()
        elif colon:
            others.append(line)
        else:
            columns.append(line.removeprefix(":").split())
    return Table(variant, state, header, columns, piles, others)


def each_card(table, change):
    """The text of ``table`` with every card of columns and piles changed by the function ``change``."""
    columns = [" ".join(_changed(card, change) for card in column) or ":" for column in table.columns]
    piles = [f"{name}: {' '.join(map(change, cards))}" for name, cards in table.piles.items()]
    return table.text(columns, piles)


def _changed(card, change):
    if card[0] == "<":
        return f"<{change(card[1:-1])}>"
    name, equals, rank = card.partition("=")
    return change(name) + equals + rank


def suit_first(choice, table):
    """Suit first: ``h4``, ``D10``, ``CT``, in upper or lower case."""

    def change(card):
        if card[0] == "X":
            return card
        rank = choice.choice(["10", "T"]) if card[0] == "T" else card[0]
        return choice.choice([str.lower, str.upper, str])(card[1] + rank)

    return each_card(table, change), True


def signs(choice, table):
    """Suit signs: ``4♥``, ``10♣``, ``4♡``."""
    signs = choice.choice(SIGNS)

    def change(card):
        if card[0] == "X":
            return card
        rank = choice.choice(["10", "T", "t"]) if card[0] == "T" else card[0]
        return rank + signs[card[1]] + choice.choice(["", "\ufe0e"])

    return each_card(table, change), True


def commas(choice, table):
    """Cards separated by commas, semicolons and several spaces."""
    gap = choice.choice([", ", ",", "; ", " , ", "   "])
    columns = [gap.join(column) or ":" for column in table.columns]
    if choice.random() < 0.3:
        columns = [column + gap.strip() if column != ":" else column for column in columns]
    piles = [f"{name}: {gap.join(cards)}" for name, cards in table.piles.items()]
    return table.text(columns, piles), True


def numbers(choice, table):
    """A number before each column, from 1 or carelessly from 0."""
    form = choice.choice(
        ["{}: ", "{}. ", "{}) ", "Column {}: ", "column {}. ", "Pile {}:", "Col {}) ", "{}:"]
    )
    first = choice.choice([1, 1, 1, 0])
    columns = [form.format(i) + " ".join(column) for i, column in enumerate(table.columns, first)]
    return table.text(columns), first == 1


def piles_in_lines(choice, table):
    """A stock over several lines, before or after the columns, its lines indented or not; perhaps called
    deck."""
    piles, width = [], choice.randint(1, 9)
    indent = choice.choice(["", "  ", "\t", "       "])
    for name, cards in table.piles.items():
        lines = [" ".join(cards[at : at + width]) for at in range(0, len(cards), width)]
        name = choice.choice([name, "Deck", "deck"]) if name == "Stock" else name
        piles.append(f"{name}: " + f"\n{indent}".join(lines))
    if choice.random() < 0.3:  # empty columns at the end are left out
        columns = [*table.columns]
        while columns and not columns[-1]:
            columns.pop()
        columns = [" ".join(column) or ":" for column in columns]
    else:
        columns = None
    text = table.text(columns, piles)
    if choice.random() < 0.3:
        text = table.text(columns, [], others=[], header=[*table.header, *piles]) + "\n".join(table.others)
    return text, False


def rows(choice, table):
    """The table typed by rows, without a word that says so."""
    gap = choice.choice(["", "--", "[]", ".", "_", "-"])
    lines = rows_of([" ".join(column) for column in table.columns], gap)
    header = [line.replace(", by columns", "") for line in table.header]
    return table.text([line or ":" for line in lines], header=header), False


def unknown(choice, table):
    """Unknown cards: ``xx``, ``?``, ``--``, ``[]``."""
    blank = choice.choice(["xx", "XX", "?", "??", "<?>", "<xx>", "<??>", "--", "[]", "##"])
    columns = [[*column] for column in table.columns]
    places = [(column, at) for column in columns for at in range(len(column))]
    stock = [*table.piles.get("Stock", [])]
    places += [(stock, at) for at in range(len(stock))]
    if table.variant.has_stock:  # face-up cards were seen
        is_marked = "<" in table.text()
        places = [
            (pile, at)
            for pile, at in places
            if pile is stock or (pile[at][0] == "<" if is_marked else at < len(pile) - 1)
        ]
    for pile, at in choice.sample(places, min(len(places), choice.choice([1, 1, 2, 5]))):
        pile[at] = blank
    piles = [f"{n}: {' '.join(stock if n == 'Stock' else cards)}" for n, cards in table.piles.items()]
    return table.text([" ".join(column) or ":" for column in columns], piles), False


def left_out(choice, table):
    """One or two lines are left out, except a line that counts redeals, since none means zero."""
    lines = table.text().splitlines(keepends=True)
    for _ in range(choice.choice([1, 1, 2])):
        at = choice.randrange(len(lines))
        if not lines[at].startswith("Redeals"):
            del lines[at]
    return "".join(lines), False


def slips(choice, table):
    """A card is mistyped, left out, duplicated or moved to another column."""
    lines = table.text().splitlines()
    columns = range(len(table.header), len(table.header) + len(table.columns))
    at = choice.choice([i for i in columns if lines[i] != ":"] or [len(lines) - 1])
    cards = lines[at].split()
    place = choice.randrange(len(cards))
    card = cards[place]
    typed = card.strip("<>")
    slip = choice.choice(
        [
            [],
            [card, card],
            ["1" + typed],
            [typed[0] + "O"],
            [typed + typed],
            [typed.replace("T", "1O")] if "T" in typed else [],
            [typed[0]],
            [typed[0], typed[1:]],
            [f"({typed})x"],
            [typed, "and"],
            [card, choice.choice(["XB", "14H", "0H", "AH2"])],
        ]
    )
    lines[at] = " ".join(cards[:place] + slip + cards[place + 1 :])
    if choice.random() < 0.2:
        other = choice.choice([i for i in columns if i != at])
        lines[other : other + 1] = [lines[other].replace(":", "") + " " + lines[at]] if other < at else [":"]
    return "\n".join(lines) + "\n", False


def run_together(choice, table):
    """Cards without spaces between them, some or all."""
    gap = choice.choice(["", "", "-", "/", "|", ".", "_"])
    columns = [gap.join(column) or ":" for column in table.columns]
    piles = [f"{name}: {gap.join(cards)}" for name, cards in table.piles.items()]
    if choice.random() < 0.3:
        columns = [" ".join(columns)]
    return table.text(columns, piles), False


def nested_json(choice, table):
    """JSON with a list for each column, or rows, and with other names of keys."""
    deal = deal_object(table.variant, table.state)
    deal["columns"] = [column.split() for column in deal["columns"]]
    for pile in ("stock", "waste", "removed"):
        if pile in deal and choice.random() < 0.7:
            deal[pile] = deal[pile].split()
    kind = choice.choice(["", "", "", "rows", "key", "case"])
    if kind == "rows":
        deal["columns"] = [row.split() for row in rows_of([" ".join(c) for c in deal["columns"]])]
        deal |= {"position": "in play"} if "position" in deal else {}
    elif kind == "key":
        renamed = choice.choice(sorted(set(deal) - {"game"}))
        deal[choice.choice(["tableau", "piles", "deck", renamed.title()])] = deal.pop(renamed)
    elif kind == "case":
        deal["columns"] = [[card.lower() if card[0] != "X" else card for card in c] for c in deal["columns"]]
    return json.dumps(deal), kind in ("", "case")


STYLES = (
    *(suit_first, signs, commas, numbers, piles_in_lines, rows),
    *(unknown, left_out, slips, run_together, nested_json),
)


def is_meant(variant, found, meant):
    """Test if the position read is the intended one; if it is partly known, each known card must be in its
    place."""
    canonical = variant.family.canonical
    if has_unknown(found):
        pairs = [*zip(found.columns, meant.columns, strict=True), (found.stock, meant.stock)]
        same = all(
            len(one) == len(other) and all(a in (b, UNKNOWN) for a, b in zip(one, other, strict=True))
            for one, other in pairs
        )
        piles = [(state.hidden, state.waste, state.foundations) for state in (found, meant)]
        return same and piles[0] == piles[1]
    return canonical(found) == canonical(meant)


def check(variant, state, style, choice):
    """Read the table written in a style. Returns whether it was read, which must be as intended; otherwise it
    must be refused in one line."""
    text, must = style(choice, table_of(variant, state))
    found, problem = None, ""
    try:
        found = read_deal(variant, text.encode(), "t", tables=True).state
    except FormatError as error:
        problem = str(error)
        assert problem.isprintable(), text
        assert len(problem) < 420, text
    assert found is None or is_meant(variant, found, state), f"{style.__name__}, seed {SEED}:\n{text}"
    assert found is not None or not must, f"{style.__name__}, seed {SEED}: {problem}\n{text}"
    return found is not None


@sizes(quick=6, full=200, slow=5000)
@pytest.mark.parametrize("name", VARIANTS)
def test_tables_in_careless_styles_are_read_as_meant_or_refused(name, deals):
    variant, choice = find_variant(name), random.Random(f"{name} {SEED}")
    read = dict.fromkeys(STYLES, 0)
    count = 0
    while count < deals:
        seed = choice.randrange(10**9)
        states = list(
            states_of_play(variant.deal(seed), choice.choice([0, 5, 40, 120]), seed, lambda m: m[-3:])
        )
        for state in choice.sample(states, min(len(states), 5)):
            for style in STYLES if deals < 100 else choice.sample(STYLES, 2):
                read[style] += check(variant, state, style, choice)
                count += 1
    assert all(read[style] for style in (suit_first, signs, commas))
