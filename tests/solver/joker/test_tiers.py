"""The compiled tiers are those of the rules, in decks of every size."""

from tests.native import load

from winnable.rules import find_variant
from winnable.rules.tiers import NO_TIER, TIERS, tier_of

walker = load("joker_walker")
LARGEST = 13 * 4
NAMES = (NO_TIER, *TIERS)


def test_tiers_of_every_score():
    for places in range(LARGEST + 1):
        names = [tier_of(score, places) for score in range(places + 1)]
        assert [NAMES[walker.tiers_reached(score, places)] for score in range(places + 1)] == names
        for count in range(len(NAMES)):
            least = min(score for score in range(places + 1) if NAMES.index(names[score]) >= count)
            assert walker.score_for(count, places) == least


def test_the_tiers_of_a_game_are_these():
    for name in ("joker", "klondike-one-pass"):
        least = {NAMES[count]: walker.score_for(count, LARGEST) for count in range(len(NAMES))}
        assert find_variant(name).tiers() == least
