"""Certificates of the Simon family that a deal is unwinnable, for the tests to attack."""

from collections import Counter

from tests.checker import attacks
from tests.checker.certificates import made, refusal

from winnable.rules import find_variant, simon
from winnable.rules.cards import parse_card
from winnable.solver import solve

SHAPES = {
    "simple-simon": [
        (3, "CD", (3, 3)), (4, "CD", (3, 3, 2)), (3, "CDH", (3, 3, 3)), (4, "CDH", (5, 4, 3)),
        (2, "CDHS", (3, 3, 2)), (5, "CD", (4, 4, 2)), (3, "CD", (3, 2, 1)),
    ],
    "simon-jester": [(2, "CD", (3, 3, 2)), (3, "CD", (4, 4, 4)), (2, "CDH", (4, 4, 4)), (4, "C", (3, 3, 2))],
}  # fmt: skip
"""Short decks: ranks, suits and column sizes."""

NEVER = {"leave_one_out", "repeat_one", "wrong_count", "force_a_top_card"}
"""What no checker accepts."""


def columns_of(text):
    """The columns of words such as ``2CAC``."""
    return [tuple(parse_card(word[at : at + 2]) for at in range(0, len(word), 2)) for word in text.split()]


def lost(seeds, plain=False):
    """The certificates of deals, by game, that are of a handy size; more than two."""
    texts = [
        made(find_variant(name), find_variant(name).deal(seed), seed=seed, plain=plain)
        for name, numbers in seeds.items()
        for seed in numbers
    ]
    texts = [text for text in texts if 1 < len(text.lines) < 150]
    assert len(texts) > 2
    return texts


def accepted_when_spoilt(folder, texts, mutations, first, changes=attacks.CHANGES):
    """Spoil certificates; how many of each kind were accepted, all of which must be true nevertheless."""
    accepted = Counter()
    for number in range(mutations):
        names, text = attacks.spoilt(first + number, texts[number % len(texts)], changes)
        if refusal(folder, text) is None:
            accepted[names] += 1
            state = dealt(text.header)
            verdict = solve(find_variant(state.variant), state, shorten=0).verdict
            assert verdict == "unwinnable", (first + number, names)
    return accepted


def dealt(header):
    """The position of the deal that a header gives."""
    columns = [columns_of(word)[0] if word != "-" else () for word in header["dealt"].split(" ")]
    columns += [()] * (header["columns"] - len(columns))
    return simon.State(header["game"], find_variant(header["game"]).deck(), tuple(columns))
