"""Certificates of the Simon family that list classes: made, accepted, attacked."""

import random
from collections import Counter
from dataclasses import replace
from unittest.mock import patch

import pytest
from tests.checker.certificates import LOST as LOSS
from tests.checker.certificates import claim_in, made_of_seed, refusal
from tests.checker.simon import SHAPES, by_classes, columns_of
from tests.deals import SEED, laid_out, states_of_play
from tests.native import load

import winnable.solver.simon as simon_searches
from winnable.checker import simon_classes
from winnable.checker.simon_classes import arrangements, parts_of
from winnable.rules import find_variant, simon
from winnable.rules.cards import format_card
from winnable.solver import Limits
from winnable.solver.certificates import NoCertificate, certify, making

brute = load("simon_brute")
CLASSES = 1  # the kind of list
SIMPLE = find_variant("simple-simon")
LOST = {"simple-simon": (96, 294), "simon-jester": (534, 888, 741), "simon-jester-triangular": (138, 734)}
CROWDED = """2D7S3STD9H8H7H 6D3D9H6S8C9S7C6D5S4S3C2SAS 9D2S5SKHJS4H 6C3S8D7S6C5C4C AH5HAS4H
7CKD8D2C2HTH2DAC 3C9C5HAHTH TC8SJS4D3D2H QCAC2C9SQDJDTS9C JD3HKDQS 7HADQH5CKCKCQSJCTC QDADTS8CJHQHJCTD
KHQC4C6HJH8H7D6H5D4S3H KS9D8SKS7D6S5D4D"""
"""A lost position of Simon Jester whose class has more arrangements than a certificate may list."""
ONE_IS_NOT_ENOUGH = "AD 3C 2D | 3D 2C | AC"


def test_what_the_relaxed_game_wins_is_proved_by_classes(tmp_path):
    text = made_of_seed("simple-simon", 108)
    assert text.header["lemmas"] == ["order of columns", "arrangements"]
    assert len(text.lines) == 98
    assert refusal(tmp_path, text) is None
    del text.header["seed"]
    assert refusal(tmp_path, text) is None
    for lemmas, why in (
        (["loose cards"], "unknown reason 'arranged'"),
        (["loose cards", "arrangements"], "does not belong to this kind"),
        ([], "unknown reason 'arranged'"),
    ):
        assert why in refusal(tmp_path, text.changed(lemmas=["order of columns", *lemmas]))


@pytest.mark.slow
def test_the_other_of_the_first_thousand(tmp_path):
    assert refusal(tmp_path, made_of_seed("simple-simon", 464)) is None


@pytest.mark.parametrize("game", LOST)
def test_classes_are_accepted_where_the_relaxed_game_is_lost_too(tmp_path, game):
    variant = find_variant(game)
    for seed in LOST[game]:
        text = by_classes(variant.deal(seed), seed=seed)
        assert text.header["lemmas"] == ["order of columns", "arrangements"]
        assert all(line.startswith("arranged: ") for line in text.lines)
        assert refusal(tmp_path, text) is None


def test_parts_by_hand():
    assert parts_of(columns_of("2C2D 3D3C ADAC")) == (sorted(columns_of("2C2D 3D3C ADAC")), [])
    stems, runs = parts_of(columns_of("AD3C2D 3D2C AC"))
    assert (stems, runs) == (sorted(columns_of("AD3C2D 3D2C AC")), [])
    stems, runs = parts_of(columns_of("AD3C2D 3D AC2C"))
    assert (stems, runs) == (sorted(columns_of("AD3C 3D AC2C")), columns_of("2D"))
    stems, runs = parts_of(columns_of("5C4C3D2D 4D 2C"))
    assert (stems, runs) == (sorted(columns_of("5C4C 4D 2C")), columns_of("3D2D"))
    stems, runs = parts_of(columns_of("5C4C3D2C 4D"))
    assert (stems, runs) == (sorted(columns_of("5C4C3D2C 4D")), [])
    laid = {tuple(sorted(columns)) for columns in arrangements((columns_of("3C 3D"), columns_of("2C AC")))}
    assert laid == {tuple(sorted(columns_of(text))) for text in ("3C2CAC 3D", "3D2CAC 3C")}
    with pytest.raises(ValueError, match="more than 100,000 arrangements"):
        list(arrangements((columns_of("2C " * 9), columns_of("AD " * 8))))


def crowded():
    return replace(find_variant("simon-jester").deal(1), columns=tuple(columns_of(CROWDED)))


def is_listed(state):
    """Test if the class of a position may be listed in a certificate that we write."""
    positions = making.list_of(find_variant(state.variant), CLASSES, Limits(nodes=0))
    return positions.explore(state) == "cut short"


def may_be_listed(state):
    """Test if checkers take the class of a position."""
    try:
        return arrangements(parts_of([column for column in state.columns if column])) is not None
    except ValueError:
        return False


@pytest.mark.full
def test_no_class_is_listed_that_checkers_refuse():
    """Positions of Simon Jester some moves after one with many arrangements."""
    counts = Counter()
    for number in range(20):
        for state in states_of_play(crowded(), 60, SEED + number):
            assert is_listed(state) == may_be_listed(state), state
            counts[is_listed(state)] += 1
    assert min(counts[True], counts[False]) > 20, counts


def test_a_deal_without_a_class_to_list_gets_no_certificate_by_classes():
    variant, state, limits = find_variant("simon-jester"), crowded(), Limits(megabytes=20)
    with pytest.raises(NoCertificate, match="limit on memory"):  # of the positions, which are tried instead
        certify(variant, state, LOSS, limits, plain=True)
    with (
        patch.object(simon_searches, "KINDS", simon_searches.KINDS[2:3]),
        pytest.raises(NoCertificate, match="one has too many arrangements"),
    ):
        certify(variant, state, LOSS, limits)


def test_a_deal_with_a_complete_run_on_top_is_refused(tmp_path):
    text = made_of_seed("simple-simon", 108)
    text.header |= {"ranks": 2, "suits": "C", "columns": 2, "dealt": "2CAC -", "start": "2C + AC"}
    del text.header["seed"]
    text.lines = ["arranged: 2C + AC", "arranged: 2CAC"]
    text.count()
    assert "expected no complete run on top of a column" in refusal(tmp_path, text)


def test_claims_and_columns_that_there_are_not(tmp_path):
    text = made_of_seed("simple-simon", 108)
    assert "value: not part of this claim" in refusal(tmp_path, text.changed(value=60))
    assert "claim 'exact score': expected" in refusal(tmp_path, text.changed(claim="exact score", value=3))
    game = simon_classes.Game(replace(claim_in(text), columns=2))
    assert game.columns_of("KC KD") == columns_of("KC KD")
    problems = {"KC KD KH": "got 3", "KC ": "expected non-empty columns", "KC 1C": "not in the deck"}
    for columns, why in problems.items():
        with pytest.raises(ValueError, match=why):
            game.columns_of(columns)


def test_an_arrangement_with_a_complete_run_on_top_is_no_position():
    text = made_of_seed("simple-simon", 108)
    del text.header["seed"]
    text.header |= {"ranks": 2, "suits": "C", "columns": 2, "dealt": "AC2C -", "start": "AC2C"}
    game = simon_classes.Game(claim_in(text))
    assert list(game.named(game.read("2C + AC"), "arranged")) == []
    assert [str(move) for move, _ in game.named(game.read("2C AC"), "arranged")] == ["AC 2-1"]
    text.header["columns"] = 3
    game = simon_classes.Game(claim_in(text))
    moves = [str(move) for move, _ in game.named(game.read("2C AC"), "arranged")]
    assert moves == ["AC 2-1", "2C 1-3", "AC 2-3"]


def closed_by_one_position_each(state):
    """The reachable classes, if each is explored only from the position in which it was first reached; none
    is won."""
    met, waiting = {text_of(state)}, [state]
    for here in waiting:
        for after in (simon.apply(here, move) for move in simon.legal_moves(here)):
            assert not simon.is_won(after)
            if text_of(after) not in met:
                met.add(text_of(after))
                waiting.append(after)
    return met


def text_of(state):
    parts = parts_of([column for column in state.columns if column])
    stems, runs = (sorted("".join(map(format_card, part)) for part in kind) for kind in parts)
    return " ".join([*stems, "+", *runs] if runs else stems)


def test_one_position_of_each_class_is_not_enough(tmp_path):
    state = laid_out(ONE_IS_NOT_ENOUGH)
    assert brute.explore(state)[0] == 5
    classes = closed_by_one_position_each(state)
    assert len(classes) == 3
    text = made_of_seed("simple-simon", 108)
    del text.header["seed"]
    text.header |= {"ranks": 3, "suits": "CD", "columns": 3, "start": text_of(state)}
    text.header["dealt"] = ONE_IS_NOT_ENOUGH.replace(" | ", "/").replace(" ", "").replace("/", " ")
    text.lines = [f"arranged: {each}" for each in classes]
    assert "is not listed" in refusal(tmp_path, text.count())


def test_classes_of_the_maker_are_those_of_the_checker():
    """Every class that moves lead to is listed, for positions reached by random moves."""
    rng, compared = random.Random(SEED), 0
    for number in range(60):
        state = SIMPLE.deal(SEED + number, *rng.choice(SHAPES["simple-simon"]))
        try:
            listed = {line.partition(": ")[2] for line in by_classes(state).lines}
        except RuntimeError:
            continue
        for here in states_of_play(state, 14, number):
            assert text_of(here) in listed
            compared += 1
    assert compared > 50
    assert simon_classes.MOST_ARRANGEMENTS == 100_000
