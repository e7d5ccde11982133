"""The compiled dealer against the dealer of the rules."""

import random

import pytest
from tests.compiled import SEARCHED

from winnable.rules import VARIANTS
from winnable.rules.cards import Deck
from winnable.rules.deals import shuffled

dealer = pytest.importorskip("winnable.solver.core.border", reason="no compiled engine")


@pytest.mark.parametrize("name", SEARCHED)
def test_both_dealers_deal_the_same_cards(name):
    deck = VARIANTS[name].deck()
    numbers = random.Random(name)
    for seed in [0, 1, 7, 2**63, 2**64 - 1, *(numbers.getrandbits(64) for _ in range(300))]:
        assert dealer.shuffled(deck.cards(), seed) == shuffled(deck, seed)


def test_short_decks_too():
    for ranks in range(1, 14):
        deck = Deck(ranks, "CH")
        assert dealer.shuffled(deck.cards(), ranks) == shuffled(deck, ranks)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range_are_refused(seed):
    with pytest.raises(OverflowError):
        dealer.shuffled([0, 1], seed)
