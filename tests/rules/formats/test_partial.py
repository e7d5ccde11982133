"""Partly known positions: everything that a person can write down of a game."""

from __future__ import annotations

import json

import pytest
from tests.positions import TABLE

from winnable.rules import find_variant
from winnable.rules.cards import UNKNOWN
from winnable.rules.formats import read_deal
from winnable.rules.formats.json_deals import table_object
from winnable.rules.formats.partial import read_table
from winnable.rules.formats.text import Deal, FormatError, format_board, format_table
from winnable.rules.tables import missing_cards

JOKER = find_variant("joker")


def test_what_is_hidden_is_counted():
    table = read_table(JOKER, TABLE, "game").state
    assert table.hidden == (0, 1, 2, 3, 4, 5, 6)
    assert (table.stock, len(table.waste), table.foundations) == ((UNKNOWN,) * 23, 1, (2, 0, 0, 0))
    assert table.jokers[1].rank == 5
    assert len(missing_cards(table)) == 44
    assert read_table(JOKER, format_table(table), "again").state == table
    other = TABLE.replace("Stock: 23", "stock:" + " ??" * 23)
    assert read_table(JOKER, other, "game").state == table


TOO_MANY_DOWN = {"TS\n": "<??> TS\n", "<??> XR=6": "<??> <??> XR=6", "Stock: 23": "Stock: 21"}
NONE_TURNED = {"<??> XR=6": "XR=6", "<??> <??> 4D": "4D", "Stock: 23": "Stock: 26"}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (TOO_MANY_DOWN, "columns: 1 2 2 3 4 5 6 cards face down, where a deal has 0 1 2 3 4 5 6 at most"),
        (NONE_TURNED, "waste: 1 cards, but only 0 have been turned"),
        ({"Stock: 23": "Stock: 24"}, "game:3: 44 cards are not written, but 45 places are left for them"),
        ({"Stock: 23": "Stock: 99"}, r"game:11: stock: expected at most \d+ cards, got 99"),
        ({"Stock: 23": ""}, "44 cards are not written, but 21 places"),
        ({"TS": "9S"}, "column 7: duplicate card 9S .also in column 1.$"),
        ({"TS": "0S"}, "game:3: column 1: '0S' is not a card"),
        ({"Waste: KD": "Waste: KD KS"}, "game:3: 43 cards are not written, but 44"),
        ({"<??> <??> 4D": "<??> <??> <??>"}, r"column 3: card '<\?\?>' is the top and must lie face up"),
        ({"KD": "??"}, r"game:12: waste: card '\?\?' is the top and must be known"),
        ({"<??> <??> 4D": "<??> 4D <??>"}, "game:5: column 3: .* face down above a face-up card"),
        ({"XB=AC": "XB=2D", "Stock: 23": "Stock: 22"}, "game:10: foundations: card XB cannot be 2D"),
        ({"XB=AC": "XB=0C"}, "game:10: foundations: XB: '0C' is not a card"),
        ({"Foundations": "Fundations"}, "game:10: 'Fundations': no such field"),
    ],
)
def test_impossible_positions_are_refused_and_say_why(changes, problem):
    text = TABLE
    for old, new in changes.items():
        text = text.replace(old, new, 1)
    with pytest.raises(FormatError, match=problem):
        read_table(JOKER, text, "game")


def test_short_decks_are_read():
    table = read_table(JOKER, "Ranks: 2\nExchange: turned\nAC\n<??> 2C\nStock: 7\n", "game").state
    assert len(missing_cards(table)) == 8


def as_object(text):
    """A partly known position in text as the JSON object of the same position."""
    return table_object(read_table(JOKER, text, "text").state)


def test_json_says_the_same_as_text():
    deal = as_object(TABLE)
    assert deal["columns"][:3] == ["TS", "<??> XR=6", "<??> <??> 4D"]
    assert (deal["stock"], deal["waste"]) == (23, "KD")
    assert deal["foundations"] == {"C": "2", "D": "0", "H": "0", "S": "0", "XB": "AC"}
    table = read_table(JOKER, TABLE, "text").state
    assert read_table(JOKER, json.dumps(deal), "json").state == table
    bare = [column.replace("<??>", "??") for column in deal["columns"]]
    by_blanks = deal | {"columns": bare, "stock": " ".join(["??"] * 23)}
    assert read_table(JOKER, json.dumps([by_blanks], indent=1), "json").state == table


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"stock": 24}, "game:1: 44 cards are not written, but 45 places are left for them"),
        ({"stock": -1}, "game:1: stock '-1': expected a string or a number of cards"),
        ({"stock": 2.5}, "game:1: stock '2.5': expected a string or a number"),
        ({"stock": True}, "game:1: stock 'true': expected a string or a number"),
        ({"stock": 10**6}, r"game:1: stock: expected at most \d+ cards, got 1000000"),
        ({"stock": ["??"]}, "game:1: 44 cards are not written, but 22 places are left for them"),
        ({"stock": [3]}, r"game:1: stock: expected \"3S 8H\" or \[\"3S\", \"8H\"\], got '\[3\]'"),
        ({"columns": ["<??>"]}, r"game:1: column 1: card '<\?\?>' is the top and must lie face up"),
        ({"waste": "??"}, r"game:1: waste: card '\?\?' is the top and must be known"),
        ({"ranks": 2}, "game:1: .*"),
        ({"colour": "red"}, "game:1: 'colour': no such key"),
    ],
)
def test_json_that_is_no_position_is_refused(changes, problem):
    text = json.dumps(as_object(TABLE) | changes)
    with pytest.raises(FormatError, match=problem):
        read_table(JOKER, text, "game")


def test_a_fully_known_position_is_a_deal():
    state = JOKER.deal(3)
    assert read_table(JOKER, format_board(JOKER, state, 3), "deal") == Deal(state, 3)
    with pytest.raises(FormatError, match="game:4: more than one deal"):
        read_table(JOKER, "\n".join([json.dumps(as_object(TABLE))] * 2 + [""]).replace("}", "\n}"), "game")


def test_an_unknown_card_of_a_deal_to_be_decided_is_refused():
    for text, problem in (
        (TABLE, r"deal:4: column 2: card '<\?\?>'"),
        ("TS\nStock: 5\n", "deal:2: stock"),
    ):
        with pytest.raises(FormatError, match=f"{problem}.*: expected all cards known$"):
            read_deal(JOKER, text.encode(), "deal")
