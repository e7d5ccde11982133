"""Comparison of search results before and after a move, in words."""

from dataclasses import replace
from typing import Any

from ..rules import Variant, tiers
from ..rules.cards import Deck
from ..rules.move_text import count_moves
from ..solver import Result, Verdict
from ..solver.result import reason_text


def keeps(before: Result | None, after: Result | None) -> bool | None:
    """Compare ``after``, the result for the position after a move, with ``before``, that for the position
    before it. Returns True if the move keeps the win, or in scored games the best score, False if it loses
    that, None if that is not known."""
    if before is None or after is None:
        return None
    if before.score is None:
        if before.verdict is not Verdict.WINNABLE:
            return None
        return {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}.get(after.verdict)
    assert after.score is not None
    assert after.score_bound is not None
    if after.score_bound < before.score:
        return False
    return True if after.score >= (before.score_bound or 0) else None


def text(variant: Variant, places: int, result: Result) -> str:
    """``result`` in words, for the badge of a position."""
    if result.score is not None:
        return _score_text(variant, places, result)
    if result.verdict is Verdict.UNWINNABLE:
        return "lost, proved"
    if result.verdict is Verdict.UNDECIDED:
        return f"undecided ({reason_text(result.reason or '')})"
    return f"winnable {length(result)}" if result.moves else "won"


def most_up_text(places: int, result: Result) -> str:
    """The most cards that can go up in a lost position of a game without tiers, the score of ``result``, in
    words."""
    if not result.exact:
        return f"{result.score} of {places} cards can go up, at most {result.score_bound}"
    if not result.score:
        return "no card can go up"
    if not result.moves:
        return f"{result.score} of {places} cards are up, no more can be"
    return f"at most {result.score} of {places} cards can go up, {length(result)}"


def verdict(variant: Variant, deck: Deck, result: Result) -> str:
    """``result`` in words, as `text` writes it, after the goal that it is about, for the board."""
    words = text(variant, deck.places, result)
    if variant.scoring is None:
        return f"{variant.goal(deck)}: {words}"
    if result.exact and result.tier == "none":
        return f"{variant.goal(deck)}: lost, proved; {words.partition(' (')[0]} can be reached"
    if result.exact and result.score == deck.places and result.moves:
        return f"all {deck.places} cards ({result.tier}) {length(result)}"
    least = variant.tiers().get(result.tier or "none")
    return f"{'all ' if least == deck.places else ''}{least} cards: {words}" if least else words


def reached_tiers(variant: Variant, state: Any) -> tuple[str, ...]:
    """The tiers that the score of ``state`` has reached, in ascending order; none in games without scores."""
    if variant.scoring is None:
        return ()
    tier = variant.scoring.tier_of(variant.score(state), state.deck.places)
    return () if tier == tiers.NO_TIER else tiers.TIERS[: tiers.TIERS.index(tier) + 1]


def certain_text(variant: Variant, state: Any, certain: str) -> str:
    """The words for ``certain``, ``won`` or ``lost`` with hidden cards, preceded by the goal; in scored games
    a tier that is reached already is said to be so."""
    if reached := reached_tiers(variant, state):
        return f"{variant.tiers()[reached[-1]]} cards: {reached[-1]} reached"
    goal = f"{variant.tiers()['win']} cards" if variant.scoring else variant.goal(state.deck)
    words = {
        "won": "won for certain, whatever the unknown cards are",
        "lost": "hopeless, lost whatever the unknown cards are",
    }
    return f"{goal}: {words[certain]}"


def _score_text(variant: Variant, places: int, result: Result) -> str:
    bound = result.score_bound or 0
    score = tiers.score_text(result.score or 0, places)
    if result.exact and not result.moves and result.score != places:
        return f"{score} are up, no more can be"
    if result.exact:
        words = f"{score} can be reached"
    else:
        words = f"at least {score} can be reached, at most {tiers.score_text(bound, places)}"
    if result.moves and result.score == places:
        words += f" {length(result)}"
    return (
        words
        if result.exact or result.reason is None
        else f"{words}; undecided ({reason_text(result.reason)})"
    )


def tier_text(to_tier: Result) -> str:
    """The words for a line that reaches only a tier."""
    return f"{to_tier.tier} {length(to_tier)}"


def length(result: Result) -> str:
    """The length of the line and its proved bounds, in words."""
    count = count_moves(len(result.moves or ()))
    if result.shortest:
        return f"in {count} (shortest)"
    return f"in {result.lower_bound} to {count}" if result.lower_bound else f"in at most {count}"


def is_final(result: Result) -> bool:
    """True if no search can improve on ``result``, except by a shorter line or a greater lower bound."""
    return result.verdict is not Verdict.UNDECIDED and result.exact is not False


def is_better(before: Result, after: Result) -> bool:
    """True if ``after`` is a better result than ``before``, a final one, for the same position: a shorter
    line, or a greater lower bound with a line of equal length."""
    if not is_final(after):
        return False
    shorter = len(after.moves or ()) < len(before.moves or ())
    longer = len(after.moves or ()) > len(before.moves or ())
    bound = (after.lower_bound or 0) > (before.lower_bound or 0)
    return shorter or (not longer and (bound or after.shortest > before.shortest))


def after_move(variant: Variant, before: Result | None, move: Any, state: Any) -> Result | None:
    """The result for ``state``, reached by ``move``, that follows from the result ``before`` the move; None
    if nothing follows. The line of ``before`` must reach its score."""
    if variant.family.is_won(state):
        return won(variant, state)
    if before is None:
        return None
    if before.moves and before.moves[0] == move:
        bound = None if before.lower_bound is None else max(0, before.lower_bound - 1)
        return replace(before, moves=before.moves[1:], lower_bound=bound)
    if before.score is None:
        return before if before.verdict is Verdict.UNWINNABLE else None
    if before.exact and before.score == variant.score(state):
        return replace(before, moves=(), shortest=False, lower_bound=None)
    return None


def won(variant: Variant, state: Any) -> Result:
    """The result for ``state``, which is won."""
    result = Result(Verdict.WINNABLE, (), shortest=True, lower_bound=0)
    if variant.scoring is None:
        return result
    score, places = variant.score(state), state.deck.places
    tier = variant.scoring.tier_of(score, places)
    return replace(result, score=score, score_bound=places, tier=tier, exact=score == places)


def before_move(variant: Variant, known: Result | None, move: Any, after: Result) -> Result | None:
    """The result before ``move`` that follows from the result ``after`` it, if it improves on ``known``; else
    None."""
    if after.verdict is not Verdict.WINNABLE or after.moves is None:
        return None
    line = (move, *after.moves)
    if variant.scoring is not None and not after.exact:
        return None
    if known is None:  # in scored games another move may reach more
        return Result(Verdict.WINNABLE, line, engine=after.engine) if variant.scoring is None else None
    if variant.scoring is not None and known.score != after.score:
        return None
    if known.verdict is Verdict.UNDECIDED:
        return Result(Verdict.WINNABLE, line, engine=after.engine)
    if known.verdict is not Verdict.WINNABLE or len(line) >= len(known.moves or ()):
        return None
    bound = known.lower_bound
    is_shortest = bound is not None and bound == len(line)
    return replace(known, moves=line, shortest=is_shortest, reason=None if is_shortest else known.reason)
