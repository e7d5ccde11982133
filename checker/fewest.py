"""Proofs of fewest moves by positions with lower bounds.

A certificate lists positions, each with a number of moves and a reason that names some successors. The
checker tests that

1. the position of the deal is listed, with the number of the claim;
2. no won position has a number above 0;
3. the reason of each position is one of its game, and its side condition holds;
4. each position that a reason names is listed with a number at most one lower, or its *bound* is that high.

So no listed position can be won in fewer moves than its number; docs/certificates.md has the proof. The
reason ``bound`` names no successor, and the bound must be at least the number. The reason ``base`` names the
same position with each base rank, which must be listed with the same number.
"""

from typing import Any

from .claim import Claim
from .closed_set import check_each
from .reading import Budget, Refused

MOST_DIGITS = 4


def check(claim: Claim, reasons: dict[str, str], game: Any, budget: Budget) -> None:
    """Verify the four conditions. Raises Refused for the first position and move that fail."""
    if claim.start not in reasons:
        raise Refused("the position of the deal is not listed")
    if _number(reasons[claim.start]) != claim.value:
        raise Refused(f"the position of the deal is not listed with {claim.value} moves")
    check_each(reasons, _check_one, game, budget)


def _check_one(position: str, text: str, listed: dict[str, str], game: Any, budget: Budget) -> None:
    number, reason = _number(text), text.partition(" ")[2]
    state = game.read(position)
    if game.write(state) != position:
        raise ValueError("not in normal form")
    if number and game.meets_goal(state):
        raise ValueError("it refutes the claim")
    if reason == "bound":
        if game.bound(state) < number:
            raise ValueError(f"expected a bound of {number} or more, got {game.bound(state)}")
        return
    needed = number if reason == "base" else number - 1
    for move, follower in game.with_bases(state) if reason == "base" else game.named(state, reason):
        budget.check()
        name = game.write(follower)
        is_listed = name in listed and _number(listed[name]) >= needed
        if not is_listed and game.bound(follower) < needed:
            raise ValueError(
                f"{move} leads to {name}, which is not listed with {needed}, nor bound to need it"
            )


def _number(text: str) -> int:
    """Return the number before a reason. Raises Refused if it is missing."""
    number, space, _ = text.partition(" ")
    if not number.isdigit() or len(number) > MOST_DIGITS or not space:
        raise Refused("expected a number of moves before each reason")
    return int(number)
