"""Greatest scores of lost deals of Klondike with redeals: against brute force over the readable rules."""

import pytest
from tests.deals import sizes
from tests.solver.klondike.test_kernel import KIND, KLONDIKE, some_position
from tests.solver.scores import compare

from winnable.solver import Limits

pytestmark = pytest.mark.skipif(KIND is None, reason="no compiled engine")


@sizes(60, full=400, slow=60_000)
def test_short_decks_score_as_much_as_brute_force_finds(deals):
    most = 400 if deals < 1000 else 5000
    assert compare(KLONDIKE, map(some_position, range(deals)), most) > 0.2 * deals


def test_without_time_no_score_is_proved():
    state = KLONDIKE.deal(12)
    found = KIND(Limits(seconds=0)).solve_score(state)
    assert (found.exact, found.score, found.score_bound, found.reason) == (False, 0, 52, "seconds")
