"""Cards that block each other: a proof that a position is lost, compared with searches of short decks."""

import pytest
from tests.compiled import needs_kernels
from tests.deals import sizes, wander

from winnable.rules import find_variant
from winnable.solver import solve
from winnable.solver.analysis.blocking import blocks, sentence

pytestmark = needs_kernels
DECKS = {  # kinds of short decks, with the least number of explained positions among 100 lost ones
    "chessboard": ({"ranks": 5, "suits": "CDH", "sizes": [4, 4, 4, 3]}, 10),
    "fortress": ({"ranks": 6, "suits": "CDH", "sizes": [5, 5, 4, 4]}, 30),
    "simple-simon": ({"ranks": 6, "suits": "CDH", "sizes": [6, 5, 4, 3]}, 30),
    "klondike": ({"ranks": 6, "suits": "CDHS"}, 0),
    "klondike-vegas-one": ({"ranks": 6, "suits": "CDHS", "choices": {"worrying_back": "no"}}, 0),
}


def positions(name, kind, count):
    """Positions on random lines of play from ``count`` deals."""
    for number in range(count):
        yield wander(find_variant(name).deal(number, **kind), number % 12, number)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", DECKS)
@sizes(400, slow=100_000)
def test_what_is_blocked_is_lost(name, deals):
    variant, (kind, _) = find_variant(name), DECKS[name]
    lost = explained = 0
    for state in positions(name, kind, deals):
        verdict, found = solve(variant, state, shorten=0).verdict, blocks(variant, state)
        assert not found or verdict == "unwinnable", f"{state}\n{found}"
        lost += verdict == "unwinnable"
        explained += bool(found)
    assert lost > deals // 20
    assert explained >= lost * DECKS[name][1] / 100


def test_every_card_waits_for_cards_that_lie_under_others():
    """The set is closed: the cards that its cards wait for lie only in columns of blocking cards."""
    variant = find_variant("fortress")
    state = variant.deal(1)
    found = blocks(variant, state)
    fronts = {block.spot[0]: block.spot[1] for block in found}
    assert found
    assert all(fronts[column] >= depth for block in found for column, depth in block.waits)
    assert sentence(state, found[0]).endswith(tuple(f"in column {n}" for n in range(1, 11)))


def test_games_with_scores_have_no_such_proof():
    variant = find_variant("joker")
    assert blocks(variant, variant.deal(1)) == []
