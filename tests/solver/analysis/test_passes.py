"""The fewest passes through the stock that win."""

from dataclasses import replace

import pytest
from tests.compiled import needs_kernels
from tests.deals import sizes, wander
from tests.solver.klondike.test_kernel import some_position

from winnable.rules import find_variant
from winnable.rules.formats import read_deal
from winnable.solver import Limits, Result, Verdict, solve
from winnable.solver.analysis.passes import fewest_passes, solve_passes
from winnable.solver.verify import replay

pytestmark = needs_kernels

FOUR = (
    "122021053133044042092074131071132062123061011022101013064091114073063082034041014024103121094113102031033134"
    "072111084032023052012081112124043104083093051054"
)
"""A deal of Klondike, in the format of Klondike-Solver, that needs four passes with three cards a draw."""


def test_three_passes_do_not_suffice_and_four_do():
    state = read_deal(find_variant("klondike"), FOUR.encode(), "deal").state
    tried = list(solve_passes(state))
    assert [(number, result.verdict) for number, result in tried] == [
        (1, "unwinnable"), (2, "unwinnable"), (3, "unwinnable"), (4, "winnable"),
    ]  # fmt: skip
    line = tried[-1][1].moves
    assert replay("klondike", state, line) is not None
    limited = replace(state, choices=replace(state.choices, passes="4"))
    assert find_variant("klondike").family.is_won(replay("klondike", limited, line))
    assert fewest_passes(state, solve(state), tried) == (4, 4)
    *_, (number, shortest) = solve_passes(state, Limits(work=3_000_000), shortest=True)
    assert number == 4
    assert len(shortest.moves) <= len(line)
    assert shortest.lower_bound is not None


@sizes(40, full=400)
def test_short_decks_need_as_many_passes_as_searches_one_by_one_say(deals):
    found = set()
    for seed in range(deals):
        state = replace(some_position(seed), redeals=0)
        answer, most = solve(state), state.choices.most_passes or 6
        tried = list(solve_passes(state))
        by_hand = []
        for number in range(1, min(most, 6)):
            limited = replace(state, choices=replace(state.choices, passes=str(number)))
            by_hand.append((number, solve(limited).verdict))
            if by_hand[-1][1] == "winnable":
                break
        assert [(number, result.verdict) for number, result in tried] == by_hand
        fewest = fewest_passes(state, answer, tried)
        assert (fewest is None) == (answer.verdict is Verdict.UNWINNABLE)
        found.add(fewest and fewest[0])
    assert len(found) > 1


def test_a_position_in_play_begins_at_its_pass():
    state = find_variant("klondike-vegas").deal(1)
    for seed in range(40):
        at = wander(state, 60, seed)
        assert [number for number, _ in solve_passes(at, Limits(nodes=1))] == list(range(at.redeals + 1, 3))


def test_limits_leave_bounds():
    state = find_variant("klondike").deal(1)
    lost, won, open_ = Result(Verdict.UNWINNABLE), Result(Verdict.WINNABLE, ("x",)), Result(Verdict.UNDECIDED)
    assert fewest_passes(state, won, [(1, lost), (2, open_), (3, won)]) == (2, 3)
    assert fewest_passes(state, won, [(1, lost), (2, open_)]) == (2, None)
    assert fewest_passes(state, won, [(1, open_), (2, lost)]) == (3, None)
    assert fewest_passes(state, open_, [(1, lost)]) is None
    assert fewest_passes(state, lost, []) is None
    assert fewest_passes(state, Result(Verdict.WINNABLE, ()), []) == (1, 1)


@pytest.mark.parametrize("name", ["chessboard", "joker", "klondike-one-pass", "simple-simon"])
def test_other_games_are_refused(name):
    with pytest.raises(ValueError, match=f"expected a game whose passes may be limited, got {name}"):
        solve_passes(find_variant(name).deal(1))
