"""The player's evaluation of moves with hidden cards, as text and as JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...rules import Move, State, Variant
from ...rules.tables import draws_unknown, filled
from ..verify import format_line
from .chances import Chance
from .player import Advice

if TYPE_CHECKING:
    from ...rules import answers


def moves_texts(variant: Variant, table: State, moves: Sequence[Move]) -> list[str]:
    """``moves`` that can be made in ``table``, as text; a card that is turned up and was unknown before is
    ``??``."""
    texts = format_line(variant, filled(table), moves)
    return [
        f"?? {text.partition(' ')[2]}" if draws_unknown(table, move) else text
        for move, text in zip(moves, texts, strict=True)
    ]


def advice_object(moves: list[str], advice: Advice) -> "answers.Advised":
    """The public JSON of ``advice``, whose moves are given as text."""
    answer: answers.Advised = {"moves": moves, "visits": advice.visits}
    answer.update(chances_object(advice.tiers))
    if advice.reason is not None:
        answer["reason"] = advice.reason
    return answer


def chance_text(chance: Chance) -> str:
    """A chance and its standard error in a fixed width, such as `` 62% +- 2%``, or ``>99% +-<1%``, since no
    chance is 0 or 1; if all samples agree, the end of the interval, such as ``at most 3.3%``."""
    if chance.low == 0:
        return f"at most {max(chance.high, 0.001):.1%}"
    if chance.high == 1:
        return f"at least {min(chance.low, 0.999):.1%}"
    words = {"  0%": " <1%", "100%": ">99%"}
    error, share = f"{chance.error:3.0%}", f"{chance.probability:4.0%}"
    return f"{words.get(share, share)} +-{error if error.strip() != '0%' else '<1%'}"


def reason_text(reason: str) -> str:
    """A sentence for the ``reason`` why a move was not evaluated."""
    return f"Certain: it {reason}." if reason.startswith("wins") else f"Not evaluated: it {reason}."


def chances_object(tiers: dict[str, Chance]) -> Any:
    """The public JSON of the chances of each tier, by its name."""
    return {
        tier: {name: round(value, 4) for name, value in vars(chance).items()}
        for tier, chance in tiers.items()
    }
