"""Certificates of the Simon family that a deal is unwinnable, for the tests to attack."""

from collections import Counter
from unittest.mock import patch

from tests.checker.certificates import made, refusal
from tests.native import load

import winnable.solver.simon as simon_searches
from winnable.rules import find_variant
from winnable.rules.cards import parse_card

SHAPES = {
    "simple-simon": [
        (3, "CD", (3, 3)), (4, "CD", (3, 3, 2)), (3, "CDH", (3, 3, 3)), (4, "CDH", (5, 4, 3)),
        (2, "CDHS", (3, 3, 2)), (5, "CD", (4, 4, 2)), (3, "CD", (3, 2, 1)),
    ],
    "simon-jester": [(2, "CD", (3, 3, 2)), (3, "CD", (4, 4, 4)), (2, "CDH", (4, 4, 4)), (4, "C", (3, 3, 2))],
}  # fmt: skip
"""Short decks: ranks, suits and column sizes."""


def columns_of(text):
    """The columns of words such as ``2CAC``."""
    return [tuple(parse_card(word[at : at + 2]) for at in range(0, len(word), 2)) for word in text.split()]


def by_classes(state, **options):
    """The certificate by classes or, if the classes can be won, by positions."""
    with patch.object(simon_searches, "KINDS", simon_searches.KINDS[-2:]):
        return made(state, **options)


def by_positions(state, **options):
    """The certificate by positions, even if there is one of another kind."""
    with patch.object(simon_searches, "KINDS", simon_searches.KINDS[-1:]):
        return made(state, **options)


def compare_with_brute_force(folder, name, decks, first, make=made):
    """Check that each lost short deck has a certificate that is accepted, and that no other deck has one.
    Returns the number of certificates by lemma, *order of columns* left out."""
    brute = load("simon_brute").explore
    counts, variant = Counter(), find_variant(name)
    for number in range(first, first + decks):
        shape = SHAPES[name][number % len(SHAPES[name])]
        state = variant.deal(number, *shape)
        fewest = brute(state)[0]
        if not any(state.columns) or fewest is None:
            continue
        try:
            text = make(state)
        except RuntimeError:
            assert fewest != -1, (name, shape, number)
            counts["can be won"] += 1
            continue
        assert fewest == -1, (name, shape, number)
        assert refusal(folder, text) is None, (name, shape, number)
        counts["accepted"] += 1
        counts.update(text.header["lemmas"][1:] or ["positions"])
    return counts
