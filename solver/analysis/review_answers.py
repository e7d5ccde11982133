"""Reviews of games as text and as JSON."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...rules import Variant
from ...rules.tiers import TIERS
from ..player.advice import chances_object
from ..player.chances import tier_names
from ..result import Result
from .fair import BEST, GOOD, WORDS, FairReview, FairStep
from .move_chances import TIER_WORTHS
from .review import Step

if TYPE_CHECKING:
    from ...rules import answers

_WORDS = (BEST, GOOD, *reversed([word for word, _ in WORDS]))
_MANY = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
_MARKED = {word for word, _ in WORDS}


# --- With all cards seen ------------------------------------------------------------------------------------


def review_object(steps: Sequence[Step]) -> "answers.ReviewedLine":
    """The public JSON of a review of at least one move."""
    return {
        **_reached(steps[0].before),
        "steps": [
            {"number": number, "move": step.move, **_reached(step.after), "better": step.better}
            for number, step in enumerate(steps, 1)
        ],
        "mistakes": [number for number, step in enumerate(steps, 1) if step.better is not None],
    }


def _reached(answer: Result) -> "answers.Reached":
    return {
        "verdict": answer.verdict.value,
        "score": answer.score,
        "tier": answer.tier,
        "score_bound": answer.score_bound,
        "exact": answer.exact,
        "reason": answer.reason,
    }


# --- By what the player saw ---------------------------------------------------------------------------------


def fair_object(review: FairReview, sees: Any) -> "answers.FairLine":
    """The public JSON of a review by what the player saw, which was ``sees`` of `tables.SEES`."""
    return {
        "sees": sees,
        "start": _rounded(review.start),
        "lost": round(review.lost, 4),
        "luck": None if review.interrupted else _rounded(review.luck),
        "result": round(review.score, 4),
        "gone": review.gone,
        "words": {word: review.count(word) for word in _WORDS},
        "forced": sum(step.is_forced for step in review.steps),
        "steps": [_step_object(number, step) for number, step in enumerate(review.steps, 1)],
        "mistakes": [number for number, step in enumerate(review.steps, 1) if step.word in _MARKED],
        "reason": "interrupted" if review.interrupted else None,
    }


def _step_object(number: int, step: FairStep) -> "answers.FairMove":
    return {
        "number": number,
        "move": step.move,
        "word": step.word,
        "forced": step.is_forced,
        "certain": step.is_certain,
        "games": step.games,
        "best": None if step.is_forced else round(step.best, 4),
        "made": None if step.is_forced else round(step.made, 4),
        "loss": round(step.loss, 4),
        "error": round(step.error, 4),
        "better": step.better,
        "chances": chances_object(step.tiers),
        "best_chances": chances_object(step.best_tiers),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def fair_loss(step: FairStep) -> str:
    """The loss by a move in words, such as ``a mistake, 62% -> 48%``; nothing if it is less than an
    inaccuracy."""
    if step.word not in _MARKED:
        return ""
    article = "an" if step.word == "inaccuracy" else "a"
    return f"{article} {step.word}, {step.best:.0%} -> {step.made:.0%}"


def fair_figures(variant: Variant, review: FairReview) -> list[str]:
    """The figures of a review, one a line: the moves by their words, what was lost by play, luck, and the
    move after which each tier was out of reach with all cards seen."""
    lines = [_words_text(review), _lost_text(review)]
    luck = review.luck
    if luck is not None and not review.interrupted:
        start, reached = f"{review.start:.0%}", f"{review.score:.0%}"
        lines.append(
            f"Luck: {100 * luck:+.0f} points, from a chance of {start} at the start to {reached} at the end"
        )
    if len(tier_names(variant.name)) > 1:
        worths = _listed([str(worth) for worth in TIER_WORTHS])
        lines.append(f"Winning chance: the mean of {_listed(TIERS)}, weighted {worths}")
    return [*lines, *_gone_text(review)]


def _words_text(review: FairReview) -> str:
    counts = [(word, review.count(word)) for word in _WORDS]
    forced = sum(step.is_forced for step in review.steps)
    parts = [f"{count} {word if count == 1 else _MANY.get(word, word)}" for word, count in counts if count]
    return "Moves: " + ", ".join([*parts, *([f"{forced} forced"] if forced else [])])


def _lost_text(review: FairReview) -> str:
    small = sum(step.loss for step in review.steps if step.word not in _MARKED)
    rest = f", {round(100 * small)} of them in small losses" if round(100 * small) else ""
    return f"Lost by play: {_points(review.lost)} of winning chance{rest}"


def _points(share: float) -> str:
    points = round(100 * share)
    return f"{points} point{'' if points == 1 else 's'}"


def _gone_text(review: FairReview) -> list[str]:
    """A sentence about the tiers that were out of reach with all cards seen; none if none is known to be."""
    parts = []
    for number, tiers in groupby(review.gone, review.gone.__getitem__):
        if number is not None:
            when = f"after move {number}" if number else "from the start"
            which = _listed([f"the {tier}" for tier in tiers])
            verb = "was" if which.count("the ") == 1 else "were"
            parts.append(f"{which} {verb} out of reach {when}")
    return [f"For someone who sees all cards, {'; '.join(parts)}"] if parts else []


def _listed(words: Sequence[str]) -> str:
    """The words with commas and a last "and"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
