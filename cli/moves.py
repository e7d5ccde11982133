"""The moves of a position and their results, as text and as JSON."""

from collections import Counter
from typing import TYPE_CHECKING

from ..game.evaluation import is_final, length
from ..rules import Variant
from ..rules.formats.text import Deal, deal_keys
from ..rules.move_text import count_moves
from ..solver import Result, Verdict
from ..solver.analysis.hint import Hint, Option
from ..solver.result import reason_text
from .output import late_text, score_text, verdict_text

if TYPE_CHECKING:
    from ..rules import answers

_WIDTH = 100


def hint_object(deal: Deal, advice: Hint) -> "answers.HintedMoves":
    """The public JSON of a hint."""
    return {**deal_keys(deal), **advice.to_dict(deal.state)}


# --- Text ---------------------------------------------------------------------------------------------------


def hint_text(variant: Variant, deal: Deal, advice: Hint, count: int | None) -> str:
    """The hint in words: the ``count`` best moves and a summary of the others; all moves for None."""
    answer = advice.answer
    head = f"Verdict: {verdict_text(answer, variant, deal.state.deck.places)}"
    if answer.moves and not variant.scoring:
        head += f" {length(answer)}"
    if variant.family.is_won(deal.state):
        return head
    if not advice.options:
        return f"{head}\nThere is no legal move."
    lost = [option for option in advice.options if _is_worse(answer, option)]
    kept = [option for option in advice.options if not _is_worse(answer, option)]
    if count is None:
        shown, rest, lost = list(advice.each_move()), [], []
    else:
        shown, rest = kept[:count], kept[count:]
    names = [variant.family.format_move(deal.state, option.move) for option in shown]
    width = max(map(len, names), default=0)
    lines = [f"  {name:<{width}}  {_worth(deal, option)}" for name, option in zip(names, shown, strict=True)]
    if rest:
        lines.append(_rest_text(answer, rest))
    if lost:
        lines += _lost_lines(variant, deal, answer, lost)
    if answer.reason == "seconds":
        lines.append(late_text(answer))
    return "\n".join([head, *lines, variant.legend])


def _is_worse(answer: Result, option: Option) -> bool:
    """Test if a move is proved to lose the win or tier of the position; in a lost position of a game without
    tiers, cards that could go up, where these are known."""
    if answer.tier is None and answer.score is not None and answer.moves:
        bound = option.after.score_bound  # None if Ctrl-C came before its search
        return bound is not None and bound < answer.score
    return option.keeps is False


def _worth(deal: Deal, option: Option) -> str:
    """The result after a move in words: the verdict or, in scored games, the best score, and the length."""
    after = option.after
    worth = verdict_text(after)
    if after.score is not None:
        score = score_text(after, deal.variant, deal.state.deck.places)
        worth = f"best score {score.partition(' (a win')[0]}"  # the verdict above says what a win needs
        worth += f", undecided ({reason_text(after.reason)})" if not is_final(after) and after.reason else ""
    return f"{worth} {length(after)}" if after.moves else worth


def _rest_text(answer: Result, rest: list[Option]) -> str:
    """A summary of the moves that are not printed and not proved to lose."""
    good = "winning" if answer.tier is None else f"{answer.tier}-keeping"
    # so that no move keeps a win or a tier
    is_lost = answer.verdict is not Verdict.WINNABLE or not answer.moves or answer.tier == "none"
    kept = 0 if is_lost else sum(option.keeps is True for option in rest)
    reasons = Counter(option.after.reason for option in rest if option.keeps is None)
    if kept == len(rest):
        return f"  and {kept} other {good} move{'' if kept == 1 else 's'}"
    parts = [f"{kept} {good}"] if kept else []
    parts += [f"{count} undecided ({reason_text(reason or '')})" for reason, count in reasons.items()]
    others = f"{len(rest)} other move{'' if len(rest) == 1 else 's'}"
    return f"  and {others}" + (f": {', '.join(parts)}" if parts else "")


def _lost_lines(variant: Variant, deal: Deal, answer: Result, lost: list[Option]) -> list[str]:
    """The moves proved to lose, by name; in scored games with the scores left."""
    count = len(lost)
    moves = f"{count} losing move{'' if count == 1 else 's'}"
    if answer.verdict is Verdict.WINNABLE and answer.tier not in (None, "none"):
        moves = f"{count_moves(count)} give{'s' if count == 1 else ''} up the {answer.tier}"
    if answer.verdict is Verdict.UNWINNABLE and answer.moves and not variant.scoring:
        moves = f"{count_moves(count)} that leave{'s' if count == 1 else ''} less"
    head = f"{moves} (proved):"
    tells_scores = variant.scoring is not None or bool(answer.moves)
    names = [_name(variant, deal, option, tells_scores) for option in lost]
    lines = [f"  {head}"]
    for number, name in enumerate(names, 1):
        text = name if number == count else f"{name},"
        if len(lines[-1]) + 1 + len(text) > _WIDTH:
            lines.append("   ")
        lines[-1] += f" {text}"
    return lines


def _name(variant: Variant, deal: Deal, option: Option, tells_score: bool) -> str:
    """A move and, if ``tells_score``, the score that can be reached after it."""
    name, after = variant.family.format_move(deal.state, option.move), option.after
    if after.score is None or not tells_score:
        return name
    return f"{name} ({'' if after.exact else 'at most '}{after.score_bound})"
