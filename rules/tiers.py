"""Tiers of Joker and one-pass Klondike: names of ranges of scores."""

NO_TIER = "none"
TIERS = ("win", "double", "triple")
"""Each is reached with those before it."""

WIN, DOUBLE = 15, 25  # the foundation places from which they begin; a triple is all there are


def tier_of(score: int, places: int) -> str:
    """The name of ``score`` in a deck of ``places`` foundation places: none, win, double or triple."""
    if score == places:
        return "triple"
    return "double" if score >= DOUBLE else "win" if score >= WIN else NO_TIER
