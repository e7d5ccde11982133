"""Certificates of Simon Jester and Simple Simon: selection of the kind.

That a deal is unwinnable is shown by positions of a relaxed game (`simon_relaxed`), where that is won by
classes of positions of the game itself (`simon_classes`), and where these are won by its positions
(`simon_moves`); the moves that a game of one deck needs by positions too.
"""

from typing import Any

from . import simon_classes, simon_moves, simon_relaxed
from .claim import Claim

LEMMAS = ("order of columns", "loose cards", "arrangements", "bound")
ALWAYS = ("order of columns",)
KINDS = {"loose cards": simon_relaxed, "arrangements": simon_classes}
"""Modules of certificates that do not list positions of the game, by their lemma."""


def game_of(claim: Claim) -> Any:
    """The check of ``claim``, whose lemmas determine the kind of certificate. Raises ValueError for lemmas
    that exclude each other."""
    module: Any = simon_moves
    if claim.counts_moves and claim.deck.copies > 1:
        raise ValueError("with two decks numbers of moves are not proved")
    if not claim.counts_moves:
        module = next((KINDS[lemma] for lemma in claim.lemmas if lemma in KINDS), simon_moves)
    for lemma in claim.lemmas:
        if lemma not in (*ALWAYS, *module.lemmas_of(claim)):
            raise ValueError(f"the lemma {lemma!r} does not belong to this kind of certificate")
    return module.Game(claim)
