"""Positions, answers and rates as HTML for notebooks."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import winnable
from winnable.rules import VARIANTS, drawing, find_variant
from winnable.rules.board import Position

STYLE = Path(__file__).parents[2] / "board" / "static" / "look.css"


def texts(markup):
    """The texts of an SVG element, which is well-formed."""
    root = ElementTree.fromstring(markup)
    return [element.text for element in root.iter() if element.tag.endswith("}text")]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_card_that_lies_open_is_drawn(name):
    state = winnable.deal(name, 8)
    shown = texts(state._repr_html_())
    cards = [
        card for column in drawing.picture(find_variant(name), state)["columns"] for card in column.split()
    ]
    for card in cards:
        if not card.startswith(("<", "X")):
            assert card[0].replace("T", "10") + drawing.SIGNS[card[1]] in shown
        elif card.startswith("<"):
            assert card not in shown


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_position_of_a_line_is_drawn(name):
    variant, state = find_variant(name), winnable.deal(name, 8)
    result = winnable.solve(name, state, winnable.Limits(nodes=20_000))
    assert isinstance(state, Position)
    for move in result.moves or ():
        state = variant.family.apply(state, move)
        texts(state._repr_html_())
    markup = result._repr_html_()
    assert markup.count("<li>") == len(result.moves or ())
    assert str(result.verdict) in markup


def test_the_colours_are_those_of_the_pages():
    by_day = STYLE.read_text().partition("}")[0]
    names = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    for name, colour in drawing.COLOURS.items():
        assert re.search(rf"--{names.get(name, name)}: {colour};", by_day)


def test_what_is_written_is_no_markup():
    assert drawing.table(("<a>",), [("7H & <b>",)]).count("<b>") == 0
    assert "7\u2665" in drawing.pretty("7H 10-f")


def test_an_interval_is_drawn_where_it_lies():
    markup = drawing.interval(0.5, 0.25, 0.75)
    assert "M60.0 8H160.0" in markup
    assert "50.000%, with 95 % between 25.000% and 75.000%" in markup
