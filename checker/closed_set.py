"""Check of closed sets of positions (inductive invariants): no move leaves them.

A certificate lists positions, each with a *reason* that names some of its successors. The checker tests that

1. the position of the deal is listed;
2. no listed position meets the goal (a won game, or a score above the one claimed);
3. the reason of each position is one of its game, and its side condition holds;
4. each position that a reason names is listed.

So the goal cannot be met from the deal; docs/certificates.md has the proof. Positions with the same text
count as one; a lemma justifies that, too.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from ..rules.cards import shown
from .claim import Claim
from .reading import LONGEST_LINE, Budget, Content, Refused


class Game(Protocol):
    """Interface that the module of a family implements for the check. Its *states* are the listed positions,
    in whatever form the family gives them."""

    front_words: int
    """Number of words before the columns in the text of a position."""
    tick: Callable[[], None] = staticmethod(lambda: None)
    """To be called in loops of `named` that may run long before the next state."""

    def read(self, text: str) -> Any:
        """Return the state written as ``text``. Raises ValueError for invalid text."""

    def write(self, state: Any) -> str:
        """Return ``state`` as text, the same for all states that the lemmas identify."""

    def position(self) -> Any:
        """Return the position of the claim, a state of `rules`. Raises ValueError if it is invalid."""

    def of_state(self, state: Any) -> Any:
        """Return the listed form of a state of `rules`. By default it is the state itself."""
        return state

    def meets_goal(self, state: Any) -> bool:
        """Test if ``state`` refutes the claim."""

    def holds_line(self, state: Any) -> bool:
        """Test if the line of the claim, which ends in ``state``, reaches the result claimed. By default
        False: such families have no claim with a line."""
        return False

    def named(self, state: Any, reason: str) -> Iterable[tuple[Any, Any]]:
        """Return the states that ``reason`` names as successors of ``state``, each with the move that leads
        there. Raises ValueError if the side condition of the reason does not hold."""

    def is_settled(self, state: Any, listed: Mapping[str, str]) -> bool:
        """Test if ``state`` is listed, or a lemma makes that unnecessary."""
        return self.write(state) in listed


def read_positions(content: Content, count: int) -> dict[str, str]:
    """Return the reason of each listed position, both as text. Raises Refused for malformed lines, repeated
    positions, and more or fewer than ``count`` of them."""
    reasons: dict[str, str] = {}
    known: dict[str, str] = {}
    while (line := content.line(LONGEST_LINE)) != "end":
        content.budget.check()
        reason, colon, position = line.partition(": ")
        if not colon:
            raise Refused(f"line {content.number}: expected a reason, a colon and a position")
        if position in reasons:
            raise Refused(f"line {content.number}: the position is listed twice")
        if len(reasons) == count:
            raise Refused(f"line {content.number}: expected {count:,} positions, as in the header, got more")
        reasons[position] = known.setdefault(reason, reason)
    if len(reasons) != count:
        raise Refused(f"expected {count:,} positions, as in the header, got {len(reasons):,}")
    content.end()
    return reasons


def check(claim: Claim, reasons: dict[str, str], game: Game, budget: Budget) -> None:
    """Verify the four conditions. Raises Refused for the first position and move that fail."""
    game.tick = budget.check
    try:
        is_settled = claim.start in reasons or game.is_settled(game.read(claim.start), reasons)
    except ValueError as error:
        raise Refused(f"line 1: start: {error}") from None
    if not is_settled:
        raise Refused("the position of the deal is not listed")
    check_each(reasons, _check_one, game, budget)


def check_each(reasons: dict[str, str], check_one: Callable[..., None], game: Any, budget: Budget) -> None:
    """Call ``check_one`` with each position, its reason, all reasons, game and budget. Raises Refused for the
    first position that fails."""
    for position, reason in reasons.items():
        budget.check()
        try:
            check_one(position, reason, reasons, game, budget)
        except Refused:
            raise
        except ValueError as error:
            name = position if len(position) <= 300 else shown(position)
            raise Refused(f"position {name}: {error}") from None


def _check_one(position: str, reason: str, listed: dict[str, str], game: Game, budget: Budget) -> None:
    state = game.read(position)
    if game.write(state) != position:
        raise ValueError("not in normal form")
    if game.meets_goal(state):
        raise ValueError("it refutes the claim")
    for move, follower in game.named(state, reason):
        budget.check()
        if not game.is_settled(follower, listed):
            raise ValueError(f"{move} leads to {game.write(follower)}, which is not listed")
