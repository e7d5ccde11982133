"""Short lines of joker and klondike-one-pass: proofs agree with brute force, and bounds hold."""

import pytest
from tests.deals import sizes, state_of
from tests.native import load

from winnable.rules import find_variant
from winnable.rules.joker_board import Choices
from winnable.solver import Limits, Verdict, find_shortest, solve, verify

brute, positions = load("joker_brute"), load("joker_position")

SHAPES = [(4, "CH", (1, 2)), (5, "CD", (1, 2, 2)), (4, "CDH", (1, 2, 1)), (6, "S", (1, 2))]


@pytest.mark.parametrize("variant", ["joker", "klondike-one-pass"])
@sizes(8, full=60, slow=3000)
def test_lines_are_shortest(variant, deals):
    game = find_variant(variant)
    compared = 0
    for seed in range(deals, 2 * deals):
        choices = Choices(("exposed", "turned")[seed % 2], ("undeclared", "exposed")[seed // 2 % 2])
        shape = SHAPES[seed % len(SHAPES)]
        state = game.deal(seed, *shape, choices=choices if variant == "joker" else None)
        for _ in range(seed % 4):
            moves = game.family.legal_moves(state)
            state = game.family.apply(state, moves[seed % len(moves)]) if moves else state
        solved = solve(game, state)
        goal = 25 if solved.score >= 25 else 15 if solved.score >= 15 else solved.score
        goal = solved.score if solved.score == state.deck.places else goal
        scores, _ = brute.fewest_moves(state, 3000)
        if scores is None:
            continue
        fewest = scores[goal]
        result = find_shortest(game, state)
        assert (len(result.moves), result.lower_bound, result.shortest) == (fewest, fewest, True), seed
        assert game.score(verify.replay(game, state, result.moves)) >= goal
        compared += 1
    assert compared > 0.3 * deals  # the other decks have too many states


@pytest.mark.quick("klondike-one-pass-150")
@pytest.mark.parametrize(("variant", "deals"), [("joker", 12), ("klondike-one-pass", 150)])
def test_wherever_a_search_is_ended_its_bound_holds(variant, deals):
    game, open_bounds = find_variant(variant), 0
    for seed in range(deals):
        state = game.deal(seed, *SHAPES[seed % len(SHAPES)])
        proved = find_shortest(game, state)
        assert proved.shortest, seed
        for nodes in range(solve(game, state).expanded, min(proved.expanded, 400)):
            result = find_shortest(game, state, Limits(nodes=nodes))
            if result.score == proved.score and result.lower_bound is not None:
                assert result.lower_bound <= len(proved.moves) <= len(result.moves), (seed, nodes)
                open_bounds += not result.shortest
    assert open_bounds > 100


@pytest.mark.quick("klondike-one-pass-332")
@pytest.mark.parametrize(("variant", "seed"), [("joker", 752), ("klondike-one-pass", 332)])
def test_a_search_that_is_ended_may_have_found_a_shorter_way_to_states_of_its_line(variant, seed):
    game = find_variant(variant)
    state = game.deal(seed)
    result = find_shortest(game, state, Limits(nodes=100_000))
    reached = game.score(verify.replay(game, state, result.moves))
    assert game.scoring.tier_of(reached, 52) == result.tier


@pytest.mark.full
def test_a_line_ends_where_the_tier_is_reached():
    game = find_variant("joker")
    state = game.deal(1037)
    result = find_shortest(game, state, Limits(nodes=900_000))
    assert (result.score, result.tier, result.verdict) == (31, "double", Verdict.WINNABLE)
    assert game.score(verify.replay(game, state, result.moves)) == 25


BOUNDS = [
    # Places that are not filled, and turns of the stock: all of it, or all but what may stay.
    ({"ranks": 3, "suits": "C", "columns": ["AC"], "stock": "2C 3C"}, 3, 5),
    ({"ranks": 3, "suits": "C", "columns": ["AC"], "stock": "2C 3C"}, 2, 3),
    ({"ranks": 3, "suits": "C", "columns": ["AC"], "stock": "3C 2C"}, 1, 1),
    # Cards above a lower one of their suit leave first, in columns and in the waste.
    ({"ranks": 3, "suits": "C", "columns": ["<AC> 2C"], "stock": "3C"}, 3, 5),
    ({"ranks": 3, "suits": "C", "columns": ["<AC> 2C"], "stock": "3C"}, 2, 2),
    ({"ranks": 3, "suits": "C", "columns": ["<2C> AC"], "stock": "3C"}, 3, 4),
    ({"ranks": 3, "suits": "C", "columns": ["3C"], "waste": "AC 2C"}, 3, 4),
    # Cards that another card carries along do not count, if they lie face up.
    ({"ranks": 3, "suits": "CD", "columns": ["<AD> 3C 2D"], "waste": "AC 2C", "stock": "3D"}, 6, 8),
    ({"ranks": 3, "suits": "CD", "columns": ["<AD> <3C> 2D"], "waste": "AC 2C", "stock": "3D"}, 6, 9),
    # Jokers in play fill places for good; neither they nor the cards they stand for need be turned.
    ({"ranks": 2, "suits": "C", "columns": ["AC"], "stock": "2C XB XR"}, 2, 2),
    ({"ranks": 2, "suits": "C", "columns": ["AC", "XB"], "stock": "2C", "removed": "XR"}, 2, 2),
    ({"ranks": 3, "suits": "C", "columns": ["AC", "XB"], "stock": "2C 3C", "removed": "XR"}, 3, 4),
    ({"ranks": 3, "suits": "C", "columns": ["AC"], "stock": "2C 3C", "removed": "XB XR"}, 3, 5),
    ({"ranks": 3, "suits": "C", "columns": ["<AC> 2C"], "stock": "3C", "removed": "XB XR"}, 3, 5),
    ({"ranks": 3, "suits": "C", "columns": ["<AC> 2C"], "stock": "XB 3C", "removed": "XR"}, 3, 3),
]


@pytest.mark.parametrize(("row", "goal", "moves"), BOUNDS)
def test_each_term_of_the_bound(row, goal, moves):
    row = {"foundations": dict.fromkeys(row["suits"], "0")} | row
    is_joker = "X" in str(row)
    state = state_of("joker", exchange="turned", **row) if is_joker else state_of("klondike-one-pass", **row)
    assert positions.lower_bound(state, goal) == moves
