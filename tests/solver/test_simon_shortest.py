"""Lower bounds and shortest lines of the Simon family, compared with brute force and with known optima."""

import json
import os
import random
import signal
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from winnable.rules import Deck, find_variant, simon
from winnable.rules.cards import parse_card
from winnable.solver import Limits

kernel_module = pytest.importorskip("winnable.solver.simon")
oracle = pytest.importorskip("winnable.solver.simon_oracle")

SEEDS = Path(__file__).parents[2] / "seeds" / "simon.jsonl"


def known_deals(**wanted):
    for line in SEEDS.read_text().splitlines():
        deal = json.loads(line)
        if any(deal.get(key) != value for key, value in wanted.items()):
            continue
        copies = deal.get("decks", find_variant(deal["variant"]).copies)
        deck = Deck(deal.get("ranks", 13), deal.get("suits", "CDHS"), copies)
        columns = tuple(tuple(map(parse_card, column.split())) for column in deal["columns"])
        yield deal, simon.start(deal["variant"], deck, columns)


def random_position(choice, copies):
    """A short deck in even, random or lopsided columns, or a position of its play."""
    most = 26 if copies == 1 else 20
    while True:
        suits = "".join(sorted(choice.sample("CDHS", choice.randint(1, 4))))
        deck = Deck(choice.randint(2, 7), suits, copies)
        if len(deck.cards()) <= most:
            break
    cards = deck.cards()
    choice.shuffle(cards)
    count = choice.randint(3, 7)
    columns = [[] for _ in range(count)]
    kind = choice.randrange(3)
    for i, card in enumerate(cards):
        even, one, other = i % count, choice.randrange(count), choice.randrange(count)
        columns[(even, one, min(one, other))[kind]].append(card)
    columns += [[] for _ in range(choice.choice([0, 0, 0, 1]))]
    variant = "simon-jester" if copies == 2 else "simple-simon"
    state = simon.start(variant, deck, tuple(map(tuple, columns)))
    for _ in range(choice.choice([0, 0, 3, 8])):
        moves = simon.legal_moves(state)
        if not moves:
            break
        state = simon.apply(state, choice.choice(moves))
    return state


def compare_bounds(count, seed, copies, max_states=30000):
    """Compare bounds and proofs with brute force until ``count`` winnable positions were: how they did."""
    choice = random.Random(seed)
    kernel = kernel_module.SimonKernel(Limits())
    tally = dict.fromkeys(["winnable", "heads", "circles", "bound", "fewest", "tight"], 0)
    while tally["winnable"] < count:
        state = random_position(choice, copies)
        fewest, _ = oracle.explore(state, max_states)
        if fewest is None or fewest < 0:
            continue
        heads, circles, bound = kernel.lower_bounds(state)
        assert heads <= circles <= fewest, state
        assert heads <= bound <= fewest, state
        assert bound >= circles, state
        _, moves, _ = kernel.solve(state)
        moves, lower, is_shortest = kernel.find_shortest(state, moves, 2.0 if copies == 1 else 0.004)
        assert oracle.replays(state, moves), state
        assert lower <= fewest <= len(moves), state
        assert is_shortest == (lower == len(moves)), state
        assert is_shortest or copies == 2, state
        found = {"winnable": 1, "heads": heads, "circles": circles, "bound": bound, "fewest": fewest}
        found["tight"] = bound == fewest
        for key, value in found.items():
            tally[key] += value
    return tally


def line_of(variant, state, seconds=0.2):
    kernel = kernel_module.SimonKernel(Limits())
    _, moves, _ = kernel.solve(state)
    return kernel.shorten(state, moves, seconds)


@pytest.mark.parametrize("copies", [1, 2])
def test_bounds_and_proofs_agree_with_brute_force(copies):
    tally = compare_bounds(250, copies, copies)
    assert tally["heads"] < tally["bound"] < tally["fewest"]
    assert tally["tight"] > 200


@pytest.mark.slow
@pytest.mark.parametrize("copies", [1, 2])
def test_bounds_and_proofs_agree_with_brute_force_at_full_size(copies):
    tally = compare_bounds(20000, 1000 + copies, copies)
    assert tally["tight"] > 6000


@pytest.mark.parametrize("variant", ["simon-jester", "simon-jester-triangular", "simple-simon"])
def test_no_rest_of_a_line_undercuts_the_bound(variant):
    state = find_variant(variant).deal(3)
    kernel = kernel_module.SimonKernel(Limits(seconds=0.1))
    line = line_of(variant, state)
    for done, move in enumerate(line):
        if done % 4 == 0:
            assert max(kernel.lower_bounds(state)) <= len(line) - done
        state = simon.apply(state, move)
    assert kernel.lower_bounds(state) == (0, 0, 0)


def test_known_optima():
    tested = 0
    for deal, state in known_deals(variant="simple-simon", verdict="winnable"):
        if "shortest" not in deal or deal["shortest"] > 60:
            continue
        moves = line_of(deal["variant"], state, 0.05)
        kernel = kernel_module.SimonKernel(Limits())
        moves, bound, is_shortest = kernel.find_shortest(state, moves)
        assert (len(moves), bound, is_shortest) == (deal["shortest"], deal["shortest"], True)
        assert oracle.replays(state, moves)
        tested += 1
        if tested == 8:
            break
    assert tested == 8


@pytest.mark.parametrize("variant", ["simon-jester", "simon-jester-triangular"])
def test_two_decks_get_shorter_lines_and_higher_bounds(variant):
    state = find_variant(variant).deal(4)
    kernel = kernel_module.SimonKernel(Limits())
    _, first, _ = kernel.solve(state)
    news = []
    moves, bound, is_shortest = kernel.find_shortest(
        state, first, 2.0, lambda line, lower: news.append((len(line), lower))
    )
    assert oracle.replays(state, moves)
    assert len(moves) < len(first)
    assert bound <= len(moves)
    assert not is_shortest
    assert news[-1] == (len(moves), bound)
    assert all(a[0] >= b[0] and a[1] <= b[1] and a != b for a, b in pairwise(news))


def test_limits_and_errors():
    variant = find_variant("simple-simon")
    state = variant.deal(6)
    line = line_of("simple-simon", state)
    for limits in (Limits(nodes=50), Limits(megabytes=4), Limits(seconds=0.05), Limits(megabytes=0.1)):
        kernel = kernel_module.SimonKernel(limits)
        moves, bound, is_shortest = kernel.find_shortest(state, line)
        assert oracle.replays(state, moves)
        assert bound < len(moves) <= len(line)
        assert not is_shortest
        assert limits.nodes is None or kernel.expanded <= limits.nodes
    with pytest.raises(ValueError, match="do not win"):
        kernel.find_shortest(state, line[:-1])
    won = simon.State("simple-simon", Deck(), ((),) * 10)
    assert kernel_module.SimonKernel(Limits()).find_shortest(won, []) == ([], 0, True)


def test_stop_keeps_the_best_line():
    state = find_variant("simon-jester").deal(5)
    line = line_of("simon-jester", state, 0.01)
    kernel = kernel_module.SimonKernel(Limits())
    timer = threading.Timer(0.5, kernel.stop)
    timer.start()
    moves, bound, is_shortest = kernel.find_shortest(state, line)
    timer.join()
    assert kernel.was_stopped
    assert oracle.replays(state, moves)
    assert 80 < bound <= len(moves) <= len(line)
    assert not is_shortest


def test_ctrl_c_keeps_the_best_line():
    state = find_variant("simon-jester").deal(5)
    line = line_of("simon-jester", state, 0.01)
    kernel = kernel_module.SimonKernel(Limits())
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    moves, _, _ = kernel.find_shortest(state, line)
    timer.join()
    assert kernel.was_stopped
    assert oracle.replays(state, moves)


def test_what_a_listener_raises_is_raised():
    state = find_variant("simple-simon").deal(1)
    line = line_of("simple-simon", state, 0.01)

    def refuse(moves, bound):
        raise KeyError(bound)

    with pytest.raises(KeyError):
        kernel_module.SimonKernel(Limits()).find_shortest(state, line, on_improvement=refuse)


@pytest.mark.parametrize("variant", ["simon-jester", "simple-simon"])
def test_batches(variant):
    seconds = 60 if variant == "simple-simon" else 0.5
    kernel = kernel_module.SimonKernel(Limits(seconds=seconds))
    plain = kernel.solve_seeds(variant, 3, 3)
    assert set(plain["lower_bound"]) == {-1}
    for row, before in zip(kernel.solve_seeds(variant, 3, 3, shortest=True), plain, strict=True):
        assert row["verdict"] == before["verdict"] == 1
        assert 0 < row["lower_bound"] <= row["moves"] <= before["moves"]
        assert row["shortest"] == (row["lower_bound"] == row["moves"])
        assert row["shortest"] or variant == "simon-jester"
