"""Certificates of the moves that a game of the Simon family with one deck needs: made, accepted, attacked."""

from collections import Counter

import pytest
from tests.checker.certificates import check_length, claim_for, made, proved, refusal
from tests.deals import SEED, laid_out, sizes
from tests.native import load

from winnable.checker.simon_bound import bound, shortest_cycle
from winnable.checker.simon_moves import Game
from winnable.rules import find_variant
from winnable.solver import find_shortest

brute = load("simon_brute")
SIMPLE = find_variant("simple-simon")
SHAPES = [(3, "CD", (2, 2, 2)), (3, "CDH", (3, 3, 3)), (4, "CD", (3, 3, 2)), (4, "CDH", (4, 4, 4)),
          (3, "CDHS", (4, 4, 4)), (4, "CDHS", (4, 4, 4, 4)), (5, "CD", (4, 3, 3))]  # fmt: skip


def large_deals():
    return (SIMPLE.deal(seed, *SHAPES[5]) for seed in range(150))


def game_of(state):
    return Game(claim_for(state, "at least", ("order of columns", "bound"), 0))


def test_a_shortest_line_is_accepted(tmp_path):
    results = ((state, find_shortest(SIMPLE, state)) for state in large_deals())
    texts = ((result, made(state, result, shortest=True)) for state, result in results if result.moves)
    result, text = next((result, text) for result, text in texts if len(text.lines) > 10)
    assert refusal(tmp_path, text) is None
    assert text.header["claim"] == "fewest moves"
    assert text.header["value"] == len(text.header["line"]) == len(result.moves)
    assert text.header["lemmas"] == ["order of columns", "bound"]
    for change in ({"value": text.header["value"] - 1}, {"line": text.header["line"][:-1]}):
        assert "does not reach the claim" in refusal(tmp_path, text.changed(**change))


def compare_with_brute_force(tmp_path, decks, first):
    counts = Counter()
    for number in range(decks):
        state = SIMPLE.deal(first + number, *SHAPES[number % len(SHAPES)])
        moves = brute.explore(state)[0]
        if moves is None or moves < 1:
            continue
        check_length(tmp_path, state, moves)
        assert bound(state) <= moves
        counts["all"] += 1
        counts["bound is exact"] += bound(state) == moves
    return counts


@sizes(150, slow=15_000)
def test_certificates_agree_with_brute_force(tmp_path, deals):
    counts = compare_with_brute_force(tmp_path, deals, SEED)
    assert min(counts.values()) > 0.06 * deals, counts


@pytest.mark.parametrize(
    ("columns", "moves", "needed"),
    [
        ("3C 2C | AC", 1, 1),
        ("3C 2C | AC 3D 2D | AD", 2, 2),
        ("2C 3C | AC |", 3, 3),  # a head and the king on it
        ("3C AC 2C |", 3, 3),  # a head that waits for itself
        ("2C AC | AD 3C | 2D 3D", 4, 4),  # pairs with a card in common, of kings too
        ("3D 2C 2D | AC AD 3C |", 6, 6),  # what waits for itself is in no cycle
    ],
)
def test_examples_of_the_bound(columns, moves, needed):
    state = laid_out(columns)
    assert (brute.explore(state)[0], bound(state)) == (moves, needed)


def test_the_first_of_the_shortest_cycles_is_taken():
    waits = {0: {2}, 2: {4}, 4: {0}, 5: {6}, 6: {5}, 7: {6}, 8: {4}}
    assert shortest_cycle(waits, set(waits)) == [5, 6]
    assert shortest_cycle(waits, set(waits) - {5}) == [0, 4, 2]
    assert shortest_cycle(waits, set(waits) - {5, 2}) == []
    waits = {0: {1, 2}, 1: {3}, 2: {3}, 3: {0}, 4: {5, 6}, 5: {4}, 6: {4}}
    assert shortest_cycle(waits, set(waits)) == [4, 5]
    assert shortest_cycle(waits, {0, 1, 2, 3}) == [0, 3, 1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3C2C 3C", "card AC: 0 in the columns, of its king 2"), ("AC  2C3C", "expected non-empty columns"),
        ("3C2C", "card AC: 0 in the columns, of its king 1"), ("4C3C", "not in the deck"),
        ("AC 2C3C AC 2C3C", "of its king 2, in the deck 1"), ("AC 2C 3C 3D 2D", "at most 4 columns, got 5"),
        ("3C2CAC", "expected no complete run on top of a column"),
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(text, why):
    with pytest.raises(ValueError, match=why):
        game_of(laid_out("3C 2C | AC 3D 2D | AD |")).read(text)


def test_lines_are_tested(tmp_path):
    texts = (proved(state, moves) for state in large_deals() if (moves := brute.explore(state)[0]) > 0)
    text = next(text for text in texts if len(text.lines) > 5)
    first, second = text.lines[:2]
    position = second.partition(": ")[2]
    for old, new, why in (
        (first, first.replace("moves", "bound"), "expected a bound of"),
        (first, first.replace("moves", "base"), "unknown reason 'base'"),
        (first, first.replace("moves", "up AC"), "unknown reason 'up AC'"),
        (second, f"0 {second.partition(' ')[2]}", "which is not listed with"),
    ):
        lines = [new if line == old else line for line in text.lines]
        assert why in refusal(tmp_path, text.with_lines(*lines)), (old, new)
    backwards = " ".join(reversed(position.split(" ")))
    for line, why in ((f"1 moves: {backwards}", "not in normal form"), ("1 moves: ", "it refutes the claim")):
        assert why in refusal(tmp_path, text.with_lines(*text.lines, line))
    text.header["lemmas"].remove("bound")
    assert "expected the lemma 'bound' in the header" in refusal(tmp_path, text)
