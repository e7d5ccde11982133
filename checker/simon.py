"""Certificates of Simon Jester and Simple Simon: selection of the kind of positions listed.

A certificate that a deal is unwinnable lists positions of a relaxed game (`simon_relaxed`); if that can be
won, classes of positions of the game itself (`simon_classes`); and if these contain a won one, single
positions (`simon_moves`). Certificates of the fewest moves, for games of one deck, list single positions.
"""

from typing import Any

from ..rules.choices import Implemented
from . import simon_classes, simon_moves, simon_relaxed
from .claim import AT_LEAST, FEWEST, UNWINNABLE, Claim

IMPLEMENTS: Implemented = {"simon-jester": {}, "simon-jester-triangular": {}, "simple-simon": {}}
"""The games whose certificates are checked here: see `rules.choices.Implemented`."""
CLAIMS = (UNWINNABLE, FEWEST, AT_LEAST)
LEMMAS = ("order of columns", "loose cards", "arrangements", "bound")
ALWAYS = ("order of columns",)
IS_DEALT_IN_FULL = True
KINDS = {"loose cards": simon_relaxed, "arrangements": simon_classes}
"""By lemma: the module of certificates that list something other than positions of the game."""


def game_of(claim: Claim) -> Any:
    """Return the check of ``claim``, whose lemmas determine the kind of certificate. Raises ValueError for
    lemmas that exclude each other, and for moves counted with two decks."""
    module: Any = simon_moves
    if claim.counts_moves and claim.deck.copies > 1:
        raise ValueError("with two decks numbers of moves are not proved")
    if not claim.counts_moves:
        module = next((KINDS[lemma] for lemma in claim.lemmas if lemma in KINDS), simon_moves)
    for lemma in claim.lemmas:
        if lemma not in (*ALWAYS, *module.lemmas_of(claim)):
            raise ValueError(f"the lemma {lemma!r} does not belong to this kind of certificate")
    return module.Game(claim)
