"""Tiers of Joker and one-pass Klondike: names of ranges of scores."""

NO_TIER = "none"
TIERS = ("win", "double", "triple")
"""The tiers in ascending order; each includes those before it."""

WIN, DOUBLE = 15, 25  # least filled foundation places of win and double; a triple needs all places


def tier_of(score: int, places: int) -> str:
    """The name of ``score`` in a deck of ``places`` foundation places: none, win, double or triple."""
    if score == places:
        return "triple"
    return "double" if score >= DOUBLE else "win" if score >= WIN else NO_TIER


def score_text(score: int, places: int) -> str:
    """``score`` in words, with its tier or what a win needs: ``52 of 52 (triple)``."""
    tier = tier_of(score, places)
    return f"{score} of {places} ({f'a win needs {min(WIN, places)}' if tier == NO_TIER else tier})"
