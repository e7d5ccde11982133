"""Tables as people type them, from `typed`: each is read as what is meant, or refused; see also
`test_careless_tables`, which has fewer ways and more mistakes. ``python -m tests.rules.formats.test_typed``
prints how many tables of each style are refused."""

import random
import re
from functools import cache

import pytest
from tests.deals import SEED, sizes
from tests.rules.formats.typed import STYLES, faulty, fits, picked, tables_of, write

from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deal
from winnable.rules.formats.text import FormatError, Way

LONGEST = 420  # characters of a message

MAY = ("before a line 'column {} '", "between cards ' - '")
"""Styles that may be refused."""

READ = ["", *(name for name in STYLES if name not in MAY)]
"""The styles that must be read, wherever a table can be written in them."""

NO_GAP = "places, expected [0-9]+ with empty ones written --|the empty places of the rows are not clear"
"""Pattern of the refusals of rows that end before the last columns and have no gap, and of rows whose spaces
may be empty cells or the width of columns; such rows are refused in styles of `READ`, too."""


def read(typed):
    """The state read from ``typed``, or the message of the refusal."""
    way = Way(typed.by, typed.top or "last")
    try:
        return read_deal(typed.variant, typed.data, "t", way=way, tables=True).state
    except FormatError as error:
        return str(error)


def check(typed, expected, note=""):
    """Read ``typed``. Returns the message if it is refused; if it is read, it must be as ``expected``."""
    found = read(typed)
    if isinstance(found, str):
        assert "\n" not in found, repr(found)
        assert len(found) < LONGEST, found
        return found
    where = f"{', '.join(typed.styles) or 'plain'} {note}, seed {SEED}, by {typed.by}, read as\n{found}\nfrom"
    assert found == expected, f"{where}\n{typed.text}"
    return ""


def tables(variant, choice):
    """Tables without end, each with names of styles in which it is to be written."""
    while True:
        for table in tables_of(variant, choice):
            for _ in range(6):
                names = picked(table, choice)
                yield table, names


@sizes(quick=60, full=5000)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_typed_table_is_read_as_what_is_meant_or_refused(name, deals):
    choice = random.Random(f"{name} {SEED}")
    found = 0
    for number, (table, names) in enumerate(tables(find_variant(name), choice)):
        if number == deals:
            break
        note, expected = "", table.state
        if choice.random() < 0.2:
            table, note, expected = faulty(table, choice)
            names = names if fits(table, names) else ()
        found += not check(write(table, names, choice), expected, note)
    assert found > deals // 5


@sizes(quick=60, full=1000)
@pytest.mark.parametrize("name", VARIANTS)
def test_rows_that_are_not_told_are_never_read_as_columns(name, deals):
    choice = random.Random(f"{name} {SEED}")
    styles = [style for style in STYLES if style.startswith("rows")]
    count = 0
    while count < deals:
        for table in tables_of(find_variant(name), choice)[1:]:
            typed = write(table, (choice.choice(styles),), choice, told_rows=False)
            check(typed, table.state if typed.says_rows else None, "not told")
            count += 1


@cache
def pool():
    """Tables of all games."""
    choice = random.Random(SEED)
    return [table for name in VARIANTS for _ in range(3) for table in tables_of(find_variant(name), choice)]


def styled(style, choice, most):
    """Some tables written in a style, each of which it changes."""
    names = (style,) if style else ()
    for table in choice.sample(pool(), len(pool())):
        if most and fits(table, names):
            typed = write(table, names, choice)
            if not style or style == "top first" or typed.data != write(table, (), choice).data:
                most -= 1
                yield typed


@sizes(quick=4, full=60)
@pytest.mark.parametrize("style", READ)
def test_a_style_is_read_in_every_game_that_can_have_it(style, deals):
    choice = random.Random(f"{style} {SEED}")
    refused = [message for typed in styled(style, choice, deals) if (message := check(typed, typed.expected))]
    refused = [message for message in refused if not re.search(NO_GAP, message)]
    assert not refused, refused[0]


def main():
    """Print how many tables of each style are read and refused, and one message."""
    choice = random.Random(SEED)
    for style in READ:
        count, refused = 0, []
        for typed in styled(style, choice, 200):
            found = read(typed)
            count += 1
            if isinstance(found, str):
                refused.append(found)
            elif found != typed.expected:
                print(f"WRONG {style}: read as\n{found}\nfrom\n{typed.text}")
        print(
            f"{style or 'plain':45} refused {len(refused)} of {count} {refused[0][:110] if refused else ''}"
        )


if __name__ == "__main__":
    main()
