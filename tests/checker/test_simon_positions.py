"""Certificates of the Simon family that list positions of the game itself: made, accepted, attacked."""

import re

import pytest
from tests.checker.certificates import made, refusal
from tests.native import load

from winnable.rules import find_variant
from winnable.solver import Limits, solve
from winnable.solver.certificates import making

brute = load("simon_brute")
JESTER = find_variant("simon-jester")
SHAPE = (3, "CD", (4, 4, 4))
NO_OTHER_KIND = {13641: 23, 16437: 13}
"""Short decks of two decks of cards that are lost, where the relaxed game and the classes are won; how many
positions play comes to."""


@pytest.mark.parametrize("seed", NO_OTHER_KIND)
def test_what_has_no_other_kind_is_proved_by_positions(tmp_path, seed):
    state = JESTER.deal(seed, *SHAPE)
    result = solve(JESTER, state)
    for text in (made(state, result), made(state, plain=True)):
        assert text.header["lemmas"] == ["order of columns"]
        assert len(text.lines) == NO_OTHER_KIND[seed] == brute.explore(state)[1]
        assert all(line.startswith("moves: ") for line in text.lines)
        assert refusal(tmp_path, text) is None
    for lemma, why in (
        ("loose cards", "unknown reason 'moves'|line 1: dealt"),
        ("arrangements", "unknown reason 'moves'|line 1: dealt"),
        ("bound", "does not belong to this kind"),
        ("must go up", "not one of simon-jester"),
    ):
        lemmas = [*text.header["lemmas"], lemma]
        assert re.search(why, refusal(tmp_path, text.changed(lemmas=lemmas))), lemma


def test_plain_ones_list_positions_where_they_are_few(tmp_path):
    """simple-simon 108 has 642 positions; 575 has 11,314, and 2,995 classes."""
    simple = find_variant("simple-simon")
    few, many = (made(simple.deal(seed), seed=seed, plain=True) for seed in (108, 575))
    assert few.header["lemmas"] == ["order of columns"]
    assert len(few.lines) == 642
    assert refusal(tmp_path, few) is None
    assert many.header["lemmas"] == ["order of columns", "arrangements"]
    assert len(many.lines) == 2995


def test_lines_are_tested(tmp_path):
    text = made(JESTER.deal(16437, *SHAPE))
    position = text.header["start"]
    for reason in ("bound", "1 moves", "up AC", "relaxed"):
        other = text.with_lines(f"{reason}: {position}", *text.lines[1:])
        assert f"unknown reason '{reason}'" in refusal(tmp_path, other)
    for new, why in (
        ("2C2D 3C2CAD2D 3D3C ACAD3DAC", "at most 3 columns, got 4"),
        ("2C2D3D3C 3C2CAD2D ACAD3D2C", "card AC: 1 in the columns, of its king 2"),
        ("2C2D3C2CAC3D3C 3C2CAD2D ACAD3DAC", "of its king 3, in the deck 2"),
        ("2D3D 3C2CAC 3C2C2D3DACADAD", "expected no complete run on top of a column"),
        ("3C2CAD2D 2C2D3D3C ACAD3DAC", "not in normal form"),
        ("", "it refutes the claim"),
    ):
        assert why in refusal(tmp_path, text.with_lines(f"moves: {new}", *text.lines)), new


def test_the_deal_is_tested(tmp_path):
    text = made(JESTER.deal(16437, *SHAPE))
    other = text.changed(dealt="3C2CAD2D ACAD3DAC 2D2C3D3C")
    assert "line 1: dealt: the start is not its normal form" in refusal(tmp_path, other)
    other.header["start"] = "2D2C3D3C 3C2CAD2D ACAD3DAC"
    assert "the position of the deal is not listed" in refusal(tmp_path, other)
    del other.header["dealt"]
    assert "line 1: dealt: missing" in refusal(tmp_path, other)
    other = text.changed(suits="C", dealt="2C3C2CAC 3CAC -", start="2C3C2CAC 3CAC")
    assert "line 1: dealt: expected no complete run on top of a column" in refusal(tmp_path, other)


def test_a_card_that_is_twice_is_refused_where_moves_are_counted(tmp_path):
    text = made(JESTER.deal(16437, *SHAPE))
    text.header |= {"claim": "at least", "value": 1, "lemmas": ["order of columns", "bound"]}
    text.lines = [f"1 {line}" for line in text.lines]
    assert "with two decks numbers of moves are not proved" in refusal(tmp_path, text)
    with pytest.raises(ValueError, match="got a card twice"):
        making.list_of(JESTER, 2, Limits()).explore(JESTER.deal(1), False, 5)
