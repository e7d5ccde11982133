"""Shortest lines of chessboard and fortress against brute force, and deals with known optima."""

import random
from dataclasses import replace

import pytest
from tests.deals import known_deals, sizes, wander
from tests.solver.chessboard.test_kernel import SHAPES, VARIANTS, brute, positions
from tests.solver.kernels import make

from winnable.rules import chessboard, find_variant
from winnable.rules.cards import SUITS, rank_of, suit_of
from winnable.solver import Limits, Verdict, find_shortest, solve, verify
from winnable.solver.analysis.bases import solve_bases
from winnable.solver.result import REASONS


def shortest_line(kernel, state):
    """The line found and the proved number of moves; None and None if the deal cannot be won."""
    answer = kernel.solve(state)
    if not answer.won:
        return None, None
    told = []
    kernel.prove_optimal(state, answer.moves, lambda *pair: told.append(pair))
    return told[-1]


def compare_with_brute_force(variant, seeds, max_states=30000):
    """Compare lengths with brute force; return the numbers of deals compared and of winnable ones."""
    kernel = make(variant)
    compared = winnable = 0
    for seed in seeds:
        state = find_variant(variant).deal(seed, *SHAPES[seed % len(SHAPES)])
        if seed % 3:
            state = wander(state, seed % 11, seed)
        fewest, _ = brute.explore(state, max_states)
        if fewest is None:
            continue
        line, bound = shortest_line(kernel, state)
        least = positions.lower_bound(state)
        if fewest < 0:
            assert line is None, (variant, seed)
        else:
            assert len(line) == bound == fewest, (variant, seed, len(line), bound, fewest)
            assert least is not None
            assert least <= fewest, (variant, seed, least, fewest)
            assert chessboard.is_won(verify.replay(find_variant(variant), state, line))
        compared += 1
        winnable += fewest >= 0
    return compared, winnable


@sizes(150, full=450, slow=25_000)
@pytest.mark.parametrize("variant", VARIANTS)
def test_shortest_lines_agree_with_brute_force(variant, deals):
    compared, winnable = compare_with_brute_force(variant, range(deals))
    assert compared > 0.7 * deals
    assert 0.2 < winnable / compared < 0.9


def with_cards_up(state, choice):
    """A position with the lowest cards of some suits up and a base rank, reachable in play or not."""
    ranks = state.deck.ranks
    base = choice.randrange(ranks) if state.variant == "chessboard" else 0
    heights = tuple(
        choice.choice([0, choice.randint(0, ranks)]) if suit in state.deck.suits else 0 for suit in SUITS
    )
    columns = tuple(
        tuple(card for card in column if (rank_of(card) - base) % ranks >= heights[suit_of(card)])
        for column in state.columns
    )
    return replace(state, columns=columns, foundations=heights, base=base)


@sizes(300, full=1500)
@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_by_hand_have_the_lines_of_brute_force(variant, deals):
    choice = random.Random(8)
    kernel = make(variant)
    lengths = []
    for seed in range(deals):
        deal = find_variant(variant).deal(seed, *SHAPES[seed % len(SHAPES)])
        state = with_cards_up(deal, choice)
        fewest, _ = brute.explore(state, 20_000)
        if fewest is not None:
            line, bound = shortest_line(kernel, state)
            assert (-1 if line is None else len(line)) == fewest, state
            assert line is None or positions.lower_bound(state) <= bound == fewest, state
            lengths.append(fewest)
    assert len(lengths) > 0.8 * deals
    assert deals / 10 < lengths.count(-1) < deals / 2


@pytest.mark.quick("counterexamples.jsonl")
@pytest.mark.parametrize("name", ["chessboard.jsonl", "counterexamples.jsonl"])
def test_known_shortest_lines_are_found(name):
    count = 0
    for row, variant, state in known_deals(name):
        if "shortest" in row and row["game"] in VARIANTS:
            result = find_shortest(variant, state)
            assert (result.shortest, result.lower_bound, result.reason) == (True, row["shortest"], None)
            assert len(result.moves) == row["shortest"]
            count += 1
    assert count > 1


@pytest.mark.quick("fortress")
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_bound_holds_all_along_shortest_lines(variant):
    """Each position of a shortest line needs one move less than the one before."""
    game, checked = find_variant(variant), 0
    for seed in range(20):
        state = game.deal(seed)
        moves = find_shortest(game, state).moves
        for number, move in enumerate(moves or ()):
            to_go = len(moves) - number
            assert positions.lower_bound(state) <= to_go
            if number % 16 == 5:
                assert len(find_shortest(game, state).moves) == to_go
                checked += 1
            state = chessboard.apply(state, move)
    assert checked > 5


def test_limits_hold_and_leave_the_verdict_the_line_and_a_bound():
    variant = find_variant("fortress")
    state = next(s for s in map(variant.deal, range(100)) if solve(variant, s).verdict is Verdict.WINNABLE)
    verdict, whole = solve(variant, state), find_shortest(variant, state)
    assert whole.shortest
    for limits in (
        Limits(nodes=verdict.expanded),
        Limits(nodes=verdict.expanded + 300),
        Limits(nodes=whole.expanded - 1),
        Limits(megabytes=0.06),
        Limits(megabytes=0.1),
    ):
        result = find_shortest(variant, state, limits)
        assert result.verdict is Verdict.WINNABLE
        assert result.reason == ("memory" if limits.nodes is None else "nodes")
        assert limits.nodes is None or result.expanded == limits.nodes
        assert not result.shortest
        assert result.lower_bound <= len(whole.moves) <= len(result.moves) <= len(verdict.moves)
    batch = make("chessboard", Limits(nodes=500)).solve_seeds("chessboard", 1, 50, shortest=True).array
    open_ones = batch[(batch["verdict"] == 1) & (batch["shortest"] == 0)]
    assert len(open_ones)
    assert (open_ones["lower_bound"] > 51).all()
    assert (open_ones["lower_bound"] < open_ones["moves"]).all()
    assert (open_ones["expanded"] == 500).all()
    assert {REASONS[reason] for reason in open_ones["reason"]} == {"nodes"}


def test_a_deal_without_a_win_has_no_shortest_line():
    told = []
    result = find_shortest("chessboard", find_variant("chessboard").deal(7), on_improvement=told.append)
    assert told == [result]
    assert (result.verdict, result.lower_bound, result.shortest) == (Verdict.UNWINNABLE, None, False)


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(ValueError, match="expected a limit on work or seconds"):
        find_shortest("simon-jester", find_variant("simon-jester").deal(1))
    state = chessboard.State("chessboard", find_variant("chessboard").deck(), ((0,),))
    for moves in ([], [chessboard.Move(0, chessboard.FOUNDATION)]):
        with pytest.raises(ValueError, match="expected each card of a deck of chessboard in one place"):
            make("chessboard").prove_optimal(state, moves, print)


def test_each_base_rank_has_its_answer():
    shape = (4, "CDH", (4, 4, 4))
    won = 0
    for seed in range(40):
        state = find_variant("chessboard").deal(seed, *shape)
        answers = dict(solve_bases(state))
        assert list(answers) == [0, 1, 2, 3]
        for base, answer in answers.items():
            fewest, _ = brute.explore(replace(state, base=base))
            assert (-1 if answer.moves is None else len(answer.moves)) == fewest
            assert answer.moves is None or chessboard.is_won(
                verify.replay(find_variant("chessboard"), state, answer.moves)
            )
        lengths = [len(answer.moves) for answer in answers.values() if answer.moves is not None]
        whole = find_shortest("chessboard", state)
        assert whole.lower_bound == (min(lengths) if lengths else None)
        won += bool(lengths)
    assert won > 5
