"""Cleaning of texts: what is understood is spelled as our writers do, and the rest stays as it is."""

import pytest

from winnable.rules import find_variant
from winnable.rules.formats import read_deal
from winnable.rules.formats.cleaning import clean_line, cleaned, decode
from winnable.rules.formats.text import FormatError, Way


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("9S 7D", "9S 7D"),
        ("10c h4 as", "TC 4H AS"),
        ("1S 11D 12h 13C", "AS JD QH KC"),
        ("Seven of Hearts, Ten of Clubs", "7H TC"),
        ("Hearts Seven Clubs Ten", "7H TC"),
        ("7 H T C", "7H TC"),
        ("3S8HTH", "3S 8H TH"),
        ("9S-7D-5S", "9S 7D 5S"),
        ("| 9S | 7D |", "9S 7D"),
        ("[9S] [7D]", "9S 7D"),
        ('("9S", "7D"),', "9S 7D"),
        ("9S / 7D / 5S", "9S 7D 5S"),
        ("<Seven of Hearts> BJ", "<7H> XB"),
        ("Stock (2): 9s, 7d", "Stock (2): 9S 7D"),
        ("3. 9s 7d", "3. 9S 7D"),
        ("[ ]", "--"),
    ],
)
def test_cards_are_spelled_as_ours(written, plain):
    assert clean_line(written) == plain


@pytest.mark.parametrize(
    "text",
    [
        "9S 7D ZZ",
        "9S7D 5SKD",  # columns without spaces within
        "9S, 7D 5S",
        "9S | 7D 5S | KD",
        "(9S) 7D",
        "Here is my deal",
        "7S 10-f",
        "C-3 D-0",
        "Seven of Hearts and Ten of Clubs",
        "Joker 7D",
    ],
)
def test_a_line_that_is_not_understood_as_a_whole_stays(text):
    assert clean_line(text) == text


@pytest.mark.parametrize(
    ("rows", "plain"),
    [
        (["9S\t7D\t5S", "8S\t\t4S"], ["9S 7D 5S", "8S -- 4S"]),
        (["9S,7D,5S", ",6D,"], ["9S 7D 5S", "-- 6D --"]),
        (["9S 7D 5S", "8S    4S"], ["9S 7D 5S --", "8S -- 4S --"]),
        ([" 9S  7D  5S", "10S      4S"], ["9S 7D 5S --", "TS -- 4S --"]),
        (["9S 7D 5S", "8S  4S"], ["9S 7D 5S --", "8S -- 4S --"]),  # one space beside an empty cell
        ([" 1  2  3", "9S 7D 5S", "   6D"], ["Rows: 3", "9S 7D 5S", "-- 6D --"]),
        (["nine spades   ace hearts", "              two hearts"], ["Rows: unclear", ""]),
    ],
)
def test_empty_cells_of_rows_are_seen(rows, plain):
    assert [line.text for line in cleaned(rows, by_rows=True)] == plain


def test_bullets_are_those_of_all_lines():
    assert [line.text for line in cleaned(["* 9S 7D", "* 5S"], by_rows=False)] == ["9S 7D", "5S"]
    assert [line.text for line in cleaned(["9S", "* 5S"], by_rows=False)] == ["9S", "* 5S"]
    titled = ["Fortress", "- 9S 7D", "- 5S"]
    assert [line.text for line in cleaned(titled, by_rows=False)] == ["Fortress", "9S 7D", "5S"]
    assert next(cleaned(["- 9S 7D", "- 5S -"], by_rows=False)).text == "- 9S 7D"


def test_a_line_is_yielded_before_the_next_is_read():
    def lines():
        yield "9S, 7D"
        raise AssertionError("it was read further")

    assert next(cleaned(lines(), by_rows=False)).text == "9S 7D"


def test_bytes_become_letters():
    text = "\u26607 \U0001f0b1\U0001f0a0\x1b[31m9\u2666\ufe0f\x1b[0m \uff19\uff33"
    assert decode(text.encode(), "t").split() == ["S7", "AH??9D", "9S"]
    assert decode(text.encode("utf-16"), "t") == decode(text.encode(), "t")
    with pytest.raises(FormatError, match=r"^t:1: expected UTF-16 text"):
        decode(b"\xff\xfe9", "t")
    with pytest.raises(FormatError, match=r"^t:2: byte 0xff is not UTF-8 text"):
        decode(b"9S\n\xff", "t")


LONG = (
    "a" + " " * 10**6 + "x",
    "\u2665" + "a b " * 10**5,
    "[]" + " " * 10**6 + "x",
    '["a"' + '   "a"' * 2000 + " !]",
)


@pytest.mark.parametrize("text", [*LONG, "[" * 50_000, "9S" * 10**5, "\u200b" * 10**6 + "x", "<9S" * 50_000])
@pytest.mark.parametrize("by", ["columns", "rows"])
def test_a_long_line_of_rubbish_is_refused(text, by):
    """None takes time that grows as the square of its length, as patterns with several repeats may."""
    with pytest.raises(FormatError):
        read_deal(find_variant("klondike"), text.encode(), "t", way=Way(by))
