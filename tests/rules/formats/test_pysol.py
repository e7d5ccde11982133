"""PySolFC's deals: published values, and the package's own deals where it deals the game."""

import sys

import pytest

from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deal, read_deals, write_deals
from winnable.rules.formats.foreign import pysol
from winnable.rules.formats.text import Deal

LONG = "12345678901234567890"


def columns(name, number):
    variant = find_variant(name)
    text = "".join(write_deals(variant, [Deal(pysol.deal(variant, number))], "fc-solve", True))
    return text.splitlines()


@pytest.fixture
def package():
    return pytest.importorskip("pysol_cards.deal_game", reason="the extra 'pysol' is not installed")


@pytest.mark.usefixtures("package")
def test_check_values():
    triangle = columns("simon-jester-triangular", LONG)
    assert triangle[0] == "2C 5D 9H 8D 4D 9D QD JS QS KD JH 9C 5C"
    assert triangle[-1] == "JS"
    assert [len(column.split()) for column in triangle] == [13, *range(13, 0, -1)]
    assert columns("fortress", LONG)[0] == "AH 7S QH 6D 7C QS"
    assert [len(column.split()) for column in columns("fortress", LONG)] == [6, 6] + [5] * 8
    assert columns("chessboard", LONG) == columns("fortress", LONG)
    assert columns("simple-simon", LONG)[0] == "AH 3C 7D TS 6D 5S AD 8H"
    assert columns("simple-simon", LONG) == columns("simple-simon", "12,345,678,901,234,567,890")


@pytest.mark.parametrize("number", [1, 2, 617, 11982, 31999, 32001, 100000, 2**40 + 1, 10**20 - 1])
def test_simple_simon_is_dealt_as_the_package_deals_it(package, number):
    from pysol_cards.cards import CardRenderer

    game = package.Game("simple_simon", number, package.shuffle.__globals__["RandomBase"].DEALS_PYSOLFC)
    theirs = game.calc_layout_string(CardRenderer(True)).splitlines()
    assert columns("simple-simon", str(number)) == [line.strip() for line in theirs]


def test_deal_32000_is_no_microsoft_deal(package):
    """PySolFC uses Microsoft's generator below 32000, the package's shuffle() at 32000 too."""
    from pysol_cards.cards import CardRenderer

    game = package.Game("simple_simon", 32000, package.shuffle.__globals__["RandomBase"].DEALS_PYSOLFC)
    theirs = game.calc_layout_string(CardRenderer(True)).splitlines()
    assert columns("simple-simon", "ms32000") == theirs
    assert columns("simple-simon", "32000") != theirs
    assert columns("simple-simon", "31999") == columns("simple-simon", "ms31999")
    assert columns("simple-simon", "32001") != columns("simple-simon", "ms32001")


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("name", [name for name, each in VARIANTS.items() if each.pysol])
def test_every_card_is_dealt_and_every_number_deals_otherwise(name):
    variant = find_variant(name)
    states = [pysol.deal(variant, number) for number in ("1", "2", "31999", "32000", LONG, "ms8589934591")]
    assert len(set(states)) == len(states)
    for state in states:
        stock = getattr(state, "stock", ())
        assert sorted(sum(state.columns, stock)) == sorted(variant.deck().cards())
        if name not in ("chessboard", "fortress"):
            assert tuple(map(len, state.columns)) == variant.sizes


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1", "1"),
        ("00000000000000012345", "12345"),
        (" #12,345 ", "12345"),
        ("12_345L", "12345"),
        ("1.234.567", "1234567"),
        ("ms00012", "ms12"),
        ("9" * 20, "9" * 20),
    ],
)
def test_numbers_are_read_as_pysolfc_shows_them(text, plain):
    assert pysol.parse_number(text) == plain


@pytest.mark.parametrize(
    "text",
    ["", "0", "ms0", "x", "ms", "MS5", "1e5", "9" * 21, "ms8589934592", "Custom", "-", "1.5", "1-1,000"],
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match="PySolFC deal '"):
        pysol.parse_number(text)


def test_numbers_follow_one_another():
    assert pysol.next_number("31999") == "32000"
    assert pysol.next_number("ms9") == "ms10"
    with pytest.raises(ValueError, match="PySolFC deal"):
        pysol.next_number("9" * 20)


def test_without_the_package_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysol_cards.cards", None)
    with pytest.raises(pysol.MissingPackage, match=r"pip install 'winnable\[pysol\]'"):
        pysol.deal(find_variant("fortress"), "1")


@pytest.mark.usefixtures("package")
def test_json_keeps_the_number():
    variant = find_variant("fortress")
    deals = [Deal(pysol.deal(variant, number), pysol=number) for number in ("5", "ms5")]
    text = "".join(write_deals(variant, deals, "jsonl", False))
    assert list(read_deals(variant, text.encode(), "t")) == deals
    with pytest.raises(ValueError, match="t:1: PySolFC deal 'five'"):
        read_deal(variant, text.splitlines()[0].replace('"5"', '"five"').encode(), "t")
    with pytest.raises(ValueError, match="t:1: not the cards of pysol 6"):
        read_deal(variant, text.splitlines()[0].replace('"5"', '"6"').encode(), "t")


def test_a_game_that_lies_otherwise_there_is_offered_as_it_lies():
    with pytest.raises(
        ValueError, match=r"simon-jester has none, PySolFC lays it out as simon-jester-triangular"
    ):
        pysol.deal(find_variant("simon-jester"), "12345")
    with pytest.raises(ValueError, match="joker has none, only chessboard, "):
        pysol.deal(find_variant("joker"), "12345")
