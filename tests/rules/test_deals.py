"""The dealer: the generator, the shuffle, and whole deals that must never change."""

import itertools
from collections import Counter
from pathlib import Path

import pytest

from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import Deck, format_card
from winnable.rules.deals import SplitMix64, check_seed, lay_out, shuffled

GOLDEN = Path(__file__).with_name("golden_deals.txt")
SEEDS = [0, 1, 7, 1 << 63, (1 << 64) - 1]


def golden_deals():
    rows = (line.partition(":") for line in GOLDEN.read_text().splitlines() if not line.startswith("#"))
    return {(name, int(seed)): cards.strip() for head, _, cards in rows for name, seed in [head.split()]}


def written(columns, stock):
    names = " / ".join(" ".join(map(format_card, column)) for column in columns)
    return f"{names} | {' '.join(map(format_card, stock))}".strip()


@pytest.mark.parametrize(
    ("seed", "draws"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_the_generator_draws_the_published_numbers(seed, draws):
    generator = SplitMix64(seed)
    assert [generator.draw() for _ in draws] == draws


def chi_square(counts, outcomes):
    """Pearson's statistic of ``counts`` against equally likely ``outcomes``."""
    expected = sum(counts.values()) / len(outcomes)
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 13, 52])
def test_bounded_draws_are_in_range_and_even(bound):
    generator = SplitMix64(2024)
    counts = Counter(generator.below(bound) for _ in range(20_000))
    assert set(counts) == set(range(bound))
    assert chi_square(counts, range(bound)) < bound + 4 * (2 * bound) ** 0.5


@pytest.mark.parametrize("bound", [1, 2, 1 << 32, 1 << 63])
def test_a_bound_that_is_a_power_of_two_takes_the_high_bits(bound):
    generator, same = SplitMix64(5), SplitMix64(5)
    assert all(generator.below(bound) == same.draw() * bound >> 64 for _ in range(100))


def test_a_bound_that_does_not_divide_the_draws_is_even_too():
    # Of the 2^64 draws a quarter is rejected; without that, multiples of three would come twice as often.
    generator = SplitMix64(7)
    counts = Counter(generator.below(3 << 62) % 3 for _ in range(20_000))
    assert chi_square(counts, range(3)) < 14


def test_every_order_is_equally_likely():
    deck = Deck(2, "CD")
    counts = Counter(tuple(shuffled(deck, seed)) for seed in range(12_000))
    orders = list(itertools.permutations(deck.cards()))
    assert set(counts) == set(orders)
    assert chi_square(counts, orders) < 23 + 4 * (2 * 23) ** 0.5


@pytest.mark.parametrize("seed", [-1, 1 << 64, True, False, 1.0, "1", None])
def test_a_seed_is_a_whole_number_of_64_bits(seed):
    for use in (check_seed, SplitMix64, find_variant("chessboard").deal):
        with pytest.raises(ValueError, match=r"^seed .*from 0 to 2\^64 - 1"):
            use(seed)


def test_the_golden_deals_are_of_every_deck():
    names = {name for name, _ in golden_deals()}
    assert set(golden_deals()) == set(itertools.product(names, SEEDS))
    assert {VARIANTS[name].deck() for name in names} == {variant.deck() for variant in VARIANTS.values()}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in golden_deals()))
def test_a_deal_is_the_same_for_ever(name, seed):
    variant = find_variant(name)
    board = variant.family.to_board(variant.deal(seed))
    columns = [[slot.card for slot in column] for column in board.columns]
    assert written(columns, board.stock) == golden_deals()[name, seed]


SHORT = [(1, "C"), (1, "CDHS"), (2, "DS"), (3, "CDHS"), (5, "H"), (7, "CDH"), (12, "CDHS"), (13, "CD")]


@pytest.mark.parametrize(("ranks", "suits"), [*SHORT, (13, "CDHS")])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_deal_is_a_permutation_of_its_deck(name, ranks, suits):
    variant = find_variant(name)
    deck = variant.deck(ranks, suits)
    sizes = variant.layout(deck)
    for seed in range(3):
        columns, stock = lay_out(shuffled(deck, seed), sizes)
        assert sorted([*itertools.chain(*columns), *stock]) == sorted(deck.cards())
        assert 1 <= len(columns) <= len(variant.sizes)
        assert variant.has_stock or not stock
        variant.deal(seed, ranks, suits)


@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if variant.has_stock])
def test_a_short_deck_keeps_about_its_share_of_the_stock(name):
    variant = find_variant(name)
    share = 1 - sum(variant.sizes) / len(variant.deck().cards())
    for ranks in range(5, 13):
        deck = variant.deck(ranks)
        _, stock = lay_out(shuffled(deck, 0), variant.layout(deck))
        assert share <= len(stock) / len(deck.cards()) < share + 0.2


def test_cards_go_row_by_row_and_skip_full_columns():
    assert lay_out(range(8), (1, 3, 2)) == (((0,), (1, 3, 5), (2, 4)), (6, 7))
    assert lay_out(range(4), (2, 3, 2)) == (((0, 3), (1,), (2,)), ())
    assert lay_out([], (1, 2)) == (((), ()), ())


def test_the_columns_of_a_short_deck_can_be_chosen():
    variant = find_variant("chessboard")
    assert [len(c) for c in variant.deal(0, 3, "CD", sizes=(4, 0, 2)).columns] == [4, 0, 2]
    assert variant.deal(0, sizes=list(variant.sizes)) == variant.deal(0)


@pytest.mark.parametrize(
    ("ranks", "sizes"),
    [
        (3, ()), (3, (7, 6)), (3, (-1, 13)), (3, (1,) * 12), (3, (4, 4)), (13, (26, 26)),
        (13, (5, 6, 5, 5, 5, 6, 5, 5, 5, 5)),
    ],
)  # fmt: skip
def test_columns_that_do_not_fit_are_refused(ranks, sizes):
    with pytest.raises(ValueError, match=r"sizes|left over"):
        find_variant("chessboard").deal(0, ranks, sizes=sizes)
