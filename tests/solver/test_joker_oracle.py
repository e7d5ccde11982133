"""The compiled oracle of joker and klondike-one-pass against the rules in Python."""

from __future__ import annotations

import random

import pytest

from winnable.rules import find_variant, joker
from winnable.rules.joker import TURN, Choices, Move

oracle = pytest.importorskip("winnable.solver.joker_oracle")
brute = pytest.importorskip("winnable.solver.joker_brute")
lines = pytest.importorskip("winnable.solver.joker_line")

CHOICES = [
    Choices(exchange, removal) for exchange in ("exposed", "turned") for removal in ("undeclared", "exposed")
]
every_choice = pytest.mark.parametrize("choices", CHOICES, ids=lambda c: f"{c.exchange}-{c.removal}")

SHAPES = [(2, "CDHS", (1, 2)), (3, "CH", (2, 1)), (3, "CDH", (2, 2, 1)), (3, "CS", (3,)), (4, "H", (1, 2))]


def reachable(state, limit=600):
    """Every state reachable from ``state``, up to a limit, by canonical form."""
    found = {joker.canonical(state): state}
    frontier = [state]
    while frontier and len(found) < limit:
        here = frontier.pop()
        for move in joker.legal_moves(here):
            after = joker.apply(here, move)
            if joker.canonical(after) not in found:
                found[joker.canonical(after)] = after
                frontier.append(after)
    return found


@every_choice
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_oracle_plays_as_the_rules_do(shape, choices):
    compared = 0
    for seed in range(2):
        state = find_variant("joker").deal(seed, *shape, choices=choices)
        found = reachable(state)
        for here in list(found.values())[::7]:
            moves = joker.legal_moves(here)
            assert set(oracle.legal_moves(here)) == set(moves)
            for move in moves:
                assert oracle.replay(here, [move]) == joker.score(joker.apply(here, move))
                compared += 1
        score, count = brute.explore(state)
        assert len(found) >= 600 or (score, count) == (max(map(joker.score, found.values())), len(found))
    assert compared > 10


@every_choice
def test_the_oracle_follows_random_play_of_full_decks(choices):
    for seed in range(2):
        rng, line = random.Random(seed), []
        start = state = find_variant("joker").deal(seed, choices=choices)
        while moves := joker.legal_moves(state):
            assert set(oracle.legal_moves(state)) == set(moves)
            eager = [move for move in moves if move != TURN] or moves
            line.append(rng.choice(eager if rng.random() < 0.8 else moves))
            state = joker.apply(state, line[-1])
            if len(line) == 150:
                break
        assert len(line) > 20
        assert oracle.replay(start, line) == joker.score(state)
        cleaned = lines.clean(start, line)
        assert len(cleaned) <= len(line)
        assert oracle.replay(start, cleaned) == joker.score(state)


def test_the_oracle_refuses_an_illegal_line():
    state = find_variant("joker").deal(1)
    with pytest.raises(ValueError, match=r"move 2 .* is illegal"):
        oracle.replay(state, [TURN, Move(0, 0)])


def test_a_cleaned_line_has_no_move_that_can_be_left_out():
    state = find_variant("klondike-one-pass").deal(4)
    rng, line, here = random.Random(1), [], state
    while moves := joker.legal_moves(here):
        line.append(rng.choice(moves))
        here = joker.apply(here, line[-1])
        if len(line) == 200:
            break
    cleaned = lines.clean(state, line)
    assert oracle.replay(state, cleaned) == joker.score(here)
    assert cleaned[-1].target == joker.FOUNDATION
