"""Certificates of joker and klondike-one-pass: made, accepted, attacked."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from tests.checker.certificates import claim_for, made, made_of_seed, refusal
from tests.deals import SEED, sizes, states_of_play
from tests.native import load
from tests.positions import CHOICES, random_joker_position
from tests.rules.columns import score_of

from winnable.checker.joker import Game
from winnable.checker.joker_bound import bound
from winnable.rules import find_variant, joker
from winnable.rules.joker import USUAL
from winnable.solver import Limits, Result, Verdict
from winnable.solver.engine import decide, find_kernel

brute = load("joker_brute")
GAMES = ("joker", "klondike-one-pass")
EASY = {"joker": (142, 144, 309), "klondike-one-pass": (638, 29, 167, 23, 26, 95)}
READINGS = [("joker", "turned"), ("joker", "exposed"), ("klondike-one-pass", None)]


def solved(variant, state):
    return decide(variant, state, find_kernel(variant)(Limits()))


def game_for(state):
    return Game(claim_for(state, "exact score", ("like cards", "safe move up", "bound"), 0))


@pytest.mark.quick("klondike-one-pass-None")
@pytest.mark.parametrize(("name", "exchange"), READINGS)
def test_what_is_exact_is_accepted(tmp_path, name, exchange):
    for seed in EASY[name]:
        choices = {"exchange": exchange} if exchange else None
        text = made(find_variant(name).deal(seed, choices=choices), seed=seed)
        assert text.header["claim"] == "exact score"
        assert refusal(tmp_path, text) is None


def test_what_is_unwinnable_alone_has_a_claim_too(tmp_path):
    result = Result(Verdict.UNWINNABLE, None, score=3, score_bound=14, exact=False)
    text = made_of_seed("klondike-one-pass", 23, result=result)
    assert text.header["claim"] == "unwinnable"
    assert refusal(tmp_path, text) is None
    text.header["claim"] = "exact score"
    assert "dealt: missing" in refusal(tmp_path, text)


def compare_with_brute_force(tmp_path, decks, first):
    """The greatest score is certified, and lower ones cannot be; for a higher one there is no line."""
    counts = Counter()
    for number in range(decks):
        name, rng = GAMES[number % 3 == 0], random.Random(first + number)
        choices = CHOICES[number % 4] if name == "joker" else USUAL
        state = random_joker_position(rng, name, choices, 8 if decks < 1000 else 11)
        best, _ = brute.explore(state, 1000)
        if best in (None, state.deck.places):
            continue
        variant = find_variant(name)
        result = solved(variant, state)
        assert (result.score, result.exact) == (best, True)
        text = made(state, result)
        assert refusal(tmp_path, text) is None, first + number
        counts[name, "certified"] += 1
        text.header["value"] += 1
        why = "line: it does not reach" if best + 1 < state.deck.places else "value: expected at most"
        assert why in refusal(tmp_path, text)
        if best > score_of(state):
            with pytest.raises(RuntimeError, match="more than"):
                made(state, replace(result, score=best - 1))
            counts[name, "refused"] += 1
    return counts


@sizes(300, full=500, slow=80_000)
def test_certificates_agree_with_brute_force(tmp_path, deals):
    counts = compare_with_brute_force(tmp_path, deals, SEED)
    assert len(counts) == 4, counts
    assert min(counts.values()) > 0.003 * deals, counts


@pytest.mark.quick(1)
@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_like_cards_are_arranged_as_the_classes_of_the_search(choices):
    """A position read back from its text has that text, the same score, and the same key for each text."""
    keys = {}
    for number in range(40):
        state = find_variant("joker").deal(SEED + number, 4, "CDHS", (1, 2, 3, 4), choices)
        game = game_for(state)
        for after in states_of_play(state, 25, SEED + number):
            text, arranged = game.write(after), game.read(game.write(after))
            assert game.write(arranged) == text
            assert score_of(arranged) == score_of(after)
            assert keys.setdefault(text, joker.canonical(arranged)) == joker.canonical(arranged)


@pytest.mark.quick(1)
@pytest.mark.parametrize("choices", [None, *CHOICES], ids=str)
def test_the_bound_is_never_below_what_can_be_reached(choices):
    name = "joker" if choices else "klondike-one-pass"
    rng, compared, tight = random.Random(SEED), 0, 0
    while compared < 150 or (not tight and compared < 1500):
        state = random_joker_position(rng, name, choices or USUAL, 9)
        best, _ = brute.explore(state, 1000)
        if best is not None:
            assert bound(state) >= best, state
            tight += bound(state) == best < state.deck.places
            compared += 1
    assert tight


BESIDE_A_JOKER = (
    *("---- b- rx w s 3D/AC", "---- b- r- wAC s", "---- bx r- wAC s", "---- bx r- w2DAC s"),
    "---- bx r- w s 2D/AC",
)
"""Positions in which a safe move up needs exposed cards to be exchanged."""


@pytest.mark.parametrize(
    ("position", "reason", "why"),
    [
        ("---- b- rx w s 3D/AC", "up AC", None),
        ("---- b- r- w s /AC", "up AC", "expected a face-up card"),
        ("---- b- r- w s AC", "up ac", "not in the deck"),
        ("A--- bx rx w s 2C", "up 2C", None),
        ("A--- bx r- w s 2C AD", "up 2C", "may have to be put on it"),
        ("2A-A bx rx w s 3C", "up 3C", "may have to be put on it"),
        ("322- bx rx w s 4C", "up 4C", "may have to be put on it"),
        ("2AA- bx rx w s 3C", "up 3C", None),
        ("---- b- r- wAC s", "up AC", "its joker may change places"),
        ("---- bx r- wAC s", "up AC", None),
        ("---- bx r- w2DAC s", "up AC", "2D would be turned up"),
        ("---- bx r- w s 2D/AC", "up AC", "2D would be turned up"),
        ("---- b- r- w s AC XB", "up XB", "not next"),
        ("---- b- r- w s 2C", "up 2C", "not next"),
        ("---- b- r- w sAC", "up AC", "on top of nothing"),
        ("---- b- r- w s AC", "stay", "unknown reason"),
        ("---- b- r- w sAC 2C", "bound", "above 0"),
    ],
)
@pytest.mark.parametrize("exchange", ["exposed", "turned"])
def test_side_conditions_are_tested(position, reason, why, exchange):
    state = find_variant("joker").deal(1, choices={"exchange": exchange})
    game = game_for(state)
    if exchange == "turned" and position in BESIDE_A_JOKER:
        why = "a joker may be a card that goes on it"
    if why is None:
        assert len(list(game.named(game.parse(position), reason))) == 1
    else:
        with pytest.raises(ValueError, match=why):
            list(game.named(game.parse(position), reason))


def test_a_declared_joker_may_need_a_place_where_turned_cards_alone_change_places():
    state = find_variant("joker").deal(1, choices={"exchange": "turned"})
    game = game_for(state)
    with pytest.raises(ValueError, match="a joker may be a card that goes on it"):
        list(game.named(game.parse("AAA- b- r=A w s 2C"), "up 2C"))
