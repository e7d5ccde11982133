"""The compiled dealer against the one of the rules."""

import random

import pytest

from winnable.rules import VARIANTS
from winnable.rules.cards import Deck
from winnable.rules.deals import lay_out, shuffled

dealer = pytest.importorskip("winnable.solver.core.dealer", reason="the compiled engine is not installed")


@pytest.mark.parametrize("name", VARIANTS)
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


def test_cards_are_laid_out_as_by_the_readable_dealer():
    chance, stocks, short = random.Random(5), 0, 0
    for _ in range(2000):
        cards = [chance.randrange(54) for _ in range(chance.randint(0, 104))]
        sizes = [chance.randint(0, 12) for _ in range(chance.randint(0, 14))]
        expected = lay_out(cards, sizes)
        assert dealer.laid_out(cards, sizes) == expected, (cards, sizes)
        stocks += len(expected[1]) > 0
        short += any(len(column) < size for column, size in zip(expected[0], sizes, strict=True))
    assert min(stocks, short) > 500


def test_too_many_cards_or_columns_are_refused():
    for cards, sizes in ((range(105), (5,)), (range(52), (1,) * 15)):
        with pytest.raises(ValueError, match="up to 104 cards in 14 columns"):
            dealer.laid_out(list(cards), sizes)
