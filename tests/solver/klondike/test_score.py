"""Greatest scores of lost deals of Klondike with redeals: against brute force over the readable rules."""

from collections import deque

import pytest
from tests.deals import sizes
from tests.solver.klondike.test_kernel import KIND, KLONDIKE, some_position

from winnable.rules import klondike
from winnable.solver import Limits, find_shortest, solve

pytestmark = pytest.mark.skipif(KIND is None, reason="no compiled engine")


def brute_score(start, most_states):
    """The most cards up, and the fewest moves to them, by brute force; None if there are too many states."""
    known, frontier, best = {klondike.canonical(start)}, deque([(start, 0)]), (sum(start.foundations), 0)
    while frontier:
        state, moves = frontier.popleft()
        for move in klondike.legal_moves(state):
            child = klondike.apply(state, move)
            key = klondike.canonical(child)
            if key in known:
                continue
            known.add(key)
            if len(known) > most_states:
                return None
            frontier.append((child, moves + 1))
            if sum(child.foundations) > best[0]:
                best = sum(child.foundations), moves + 1
    return best


def compare(seeds, most_states):
    """Compare scores of lost deals, and the fewest moves to them, with brute force; return the number
    compared."""
    count = 0
    for seed in seeds:
        state = some_position(seed)
        if solve(KLONDIKE, state).verdict != "unwinnable":
            continue
        best = brute_score(state, most_states)
        if best is None:
            continue
        count += 1
        result = find_shortest(KLONDIKE, state, score=True)
        found = (result.score, result.score_bound, result.exact, len(result.moves), result.shortest)
        assert found == (best[0], best[0], True, best[1], True), f"seed {seed}\n{state}"
    return count


@sizes(60, full=400, slow=60_000)
def test_short_decks_score_as_much_as_brute_force_finds(deals):
    assert compare(range(deals), 400 if deals < 1000 else 5000) > 0.2 * deals


def test_without_time_no_score_is_proved():
    state = KLONDIKE.deal(12)
    found = KIND(Limits(seconds=0)).solve_score(state)
    assert (found.exact, found.score, found.score_bound, found.reason) == (False, 0, 52, "seconds")
