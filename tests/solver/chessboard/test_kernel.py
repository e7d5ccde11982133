"""The kernel of chessboard and fortress against the rules, brute force and deals with known answers."""

import random
from collections import deque
from dataclasses import replace

import pytest
from tests.deals import sizes, wander
from tests.native import load
from tests.solver.kernels import make

from winnable.rules import Deck, chessboard, find_variant
from winnable.solver import Goal, Limits, Verdict, solve, verify

positions = load("chessboard_walker")
brute = load("chessboard_brute")

VARIANTS = ("chessboard", "fortress")

# Shapes of short decks, ranks, suits and column sizes; the unsound rules of counterexamples.jsonl fail on
# some deals of nearly all of them. Brute force gives up on very few.
SHAPES = [
    (1, "CDHS", (3, 1)), (3, "CD", (3, 3)), (4, "CD", (4, 4)), (4, "CD", (3, 3, 2)), (4, "CDH", (4, 4, 4)),
    (4, "CDHS", (6, 5, 5)), (4, "CDHS", (4, 4, 4, 4)), (5, "CD", (4, 3, 3)), (5, "CD", (5, 5, 0)),
    (5, "CDH", (5, 5, 5)), (5, "CDH", (8, 6, 1, 0)), (5, "CDH", (4, 4, 4, 3)), (5, "CDHS", (5, 5, 5, 5)),
    (6, "CD", (4, 4, 4)), (6, "CDH", (6, 6, 6)), (6, "CDH", (5, 5, 4, 4)), (7, "CD", (5, 5, 4)),
    (7, "CDH", (6, 5, 5, 5)), (2, "CDHS", (3, 3, 2)),
]  # fmt: skip
# Small enough to visit every reachable state with the rules in Python.
WALKED = [
    (1, "CDHS", (2, 2)), (2, "CD", (2, 2)), (2, "CDHS", (3, 3, 2)), (3, "CDH", (3, 3, 3)),
    (4, "CD", (4, 4)), (4, "CD", (3, 3, 2)), (5, "CD", (5, 3, 2)), (5, "CDHS", (10, 10)),
    (7, "CD", (5, 5, 4)), (13, "C", (7, 6)),
]  # fmt: skip


def deal(variant, seed, shape):
    return find_variant(variant).deal(seed, *shape)


def walk(start):
    """Visit up to some hundred states reachable from ``start`` by rules and kernel; return their number."""
    walker = positions.Walker(start)
    keys = {walker.key(): chessboard.canonical(start)}
    queue, checked = deque([(start, ())]), 0
    while queue and checked < 700:
        state, line = queue.popleft()
        checked += 1
        for move in line:
            walker.do_move(move)
        assert walker.state() == state
        legal = chessboard.legal_moves(state)
        assert set(walker.legal_moves()) == set(legal)
        assert len(walker.legal_moves()) == len(legal)
        here = walker.key()
        for move in legal:
            child = chessboard.apply(state, move)
            walker.do_move(move)
            assert walker.state() == child
            key, canonical = walker.key(), chessboard.canonical(child)
            walker.undo_move()
            assert walker.key() == here
            if key not in keys:
                queue.append((child, (*line, move)))
            assert keys.setdefault(key, canonical) == canonical
        assert walker.state() == state
        for _ in line:
            walker.undo_move()
    assert len(set(keys.values())) == len(keys)
    assert checked == min(len(keys), 700)
    assert walker.key() == next(iter(keys))
    with pytest.raises(IndexError):
        walker.undo_move()
    return checked


@pytest.mark.quick(6)
@pytest.mark.parametrize("shape", WALKED)
@pytest.mark.parametrize("variant", VARIANTS)
def test_kernel_agrees_with_the_rules_on_every_reachable_state(variant, shape):
    """Moves agree as sets, states agree, keys are equal exactly if canonical forms are, and undo restores
    everything."""
    checked, seed = 0, 5
    while checked < 600 and seed < 300:
        checked += walk(deal(variant, seed, shape))
        seed += 1
    assert checked > 300


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", VARIANTS)
def test_keys_are_exact_along_full_deals(variant):
    random_moves, states = random.Random(3), 0
    for seed in range(8, 12):
        start, seen = find_variant(variant).deal(seed), {}
        walker = positions.Walker(start)
        for _ in range(30):
            state, made = start, 0
            for _ in range(80):
                moves = chessboard.legal_moves(state)
                if not moves:
                    break
                move = random_moves.choice(moves)
                assert set(walker.legal_moves()) == set(moves)
                walker.do_move(move)
                made += 1
                state = chessboard.apply(state, move)
                assert walker.state() == state
                canonical = chessboard.canonical(state)
                assert seen.setdefault(walker.key(), canonical) == canonical
            for _ in range(made):
                walker.undo_move()
        assert len(set(seen.values())) == len(seen)
        states += len(seen)
    assert states > 250


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_loaded_from_scratch_has_the_same_moves(variant):
    compared = 0
    for seed in range(200):
        state = wander(find_variant(variant).deal(seed), seed % 5, seed)
        walker, moves = positions.Walker(state), chessboard.legal_moves(state)
        assert walker.state() == state
        assert set(walker.legal_moves()) == set(moves)
        assert [walker.key() >> 104 + 4 * suit & 15 for suit in range(4)] == list(state.foundations)
        compared += len(moves)
    assert compared > 200


def perft(state, depth):
    if depth == 0:
        return 1
    return sum(perft(chessboard.apply(state, m), depth - 1) for m in chessboard.legal_moves(state))


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_counts_agree(variant):
    for seed, depth in ((1, 3), (2, 3)):
        state = find_variant(variant).deal(seed)
        assert positions.Walker(state).perft(depth) == perft(state, depth)
    state = deal(variant, 3, (4, "CD", (3, 3, 2)))
    assert positions.Walker(state).perft(5) == perft(state, 5)


def compare_with_brute_force(variant, seeds, max_states):
    """Compare verdicts with brute force; return the numbers of deals compared and of winnable ones."""
    solver = make(variant)
    compared = winnable = 0
    for seed in seeds:
        state = deal(variant, seed, SHAPES[seed % len(SHAPES)])
        if seed % 3 == 0:
            state = wander(state, seed % 7, seed)
        fewest, _ = brute.explore(state, max_states)
        if fewest is None:
            continue
        answer = solver.solve(state)
        assert (answer.won, answer.reason) == (fewest >= 0, None), (variant, seed, state)
        if answer.won:
            assert len(answer.moves) >= fewest
            if seed % 50 == 0:
                assert chessboard.is_won(verify.replay(find_variant(variant), state, answer.moves))
        compared += 1
        winnable += answer.won
    return compared, winnable


@sizes(150, full=3000, slow=300_000)
@pytest.mark.parametrize("variant", VARIANTS)
def test_verdicts_agree_with_brute_force(variant, deals):
    most_states, least = (20_000, 0.9) if deals < 10_000 else (50_000, 0.95)
    compared, winnable = compare_with_brute_force(variant, range(deals), most_states)
    assert compared > least * deals
    assert 0.2 < winnable / compared < 0.8


@pytest.mark.full
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_brute_force_agrees_with_the_reference_search(variant):
    compared = []
    for seed in range(120):
        state = deal(variant, seed, WALKED[seed % len(WALKED)])
        fewest, states = brute.explore(state)
        result = solve(variant, state, Limits(nodes=1500), Goal.SHORTEST, engine="reference")
        if result.reason is None:
            assert fewest == (-1 if result.moves is None else len(result.moves))
            assert result.verdict is not Verdict.UNWINNABLE or result.expanded == states
            compared.append(result.verdict)
    assert compared.count(Verdict.WINNABLE) > 30
    assert compared.count(Verdict.UNWINNABLE) > 15


@pytest.mark.parametrize(
    "change",
    [
        {"columns": ((0,),) * 11}, {"columns": ((0, 4), (0,))}, {"columns": ((0, 60),)},
        {"columns": ((0, -1),)}, {"foundations": (14, 0, 0, 0)}, {"base": 13},
    ],
)  # fmt: skip
def test_states_that_cannot_be_are_refused(change):
    state = replace(chessboard.State("chessboard", Deck(), ((0,),)), **change)
    with pytest.raises(ValueError, match=r"expected .* as in play"):
        make("chessboard").solve(state)
    with pytest.raises(ValueError, match="no state of chessboard"):
        solve("chessboard", state)


@pytest.mark.parametrize(
    ("variant", "base", "up"),
    [("fortress", None, 0), ("fortress", 2, 0), ("chessboard", None, 1), ("chessboard", 1, 0)],
)
def test_a_base_rank_that_cannot_be_is_refused(variant, base, up):
    columns = (tuple(4 * rank for rank in range(up, 3)), (1, 5, 9))
    state = chessboard.State(variant, Deck(3, "CD"), columns, (up, 0, 0, 0), base)
    with pytest.raises(ValueError, match=r"base: expected .*, got "):
        solve(variant, state)


# --- Lines without detours ----------------------------------------------------------------------------------


def detours(hops):
    """The number of cards that leave a column in which nothing has changed since they came, while the columns
    they came from and go to have not changed either."""
    count = 0
    for j, (source, target) in enumerate(hops):
        i = max((i for i in range(j) if source in hops[i]), default=None)
        if i is not None and hops[i][1] == source:
            since = {place for hop in hops[i + 1 : j] for place in hop}
            count += hops[i][0] not in since or (target != hops[i][0] and target not in since)
    return count


@pytest.mark.parametrize(("variant", "length"), [("chessboard", 13408), ("fortress", 3184)])
def test_first_lines_have_hardly_a_detour(variant, length):
    game = find_variant(variant)
    found = [solve(game, game.deal(seed), Limits(nodes=10_000)).moves for seed in range(1, 151)]
    lines = [[(move.source, move.target) for move in moves] for moves in found if moves is not None]
    assert sum(map(len, lines)) == length
    assert sum(map(detours, lines)) < length / 300
