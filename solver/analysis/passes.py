"""The fewest passes through the stock with which a deal of Klondike can be won."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...rules.variants import variant_of
from ..engine import search, search_shortest
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits


def solve_passes(
    state: Any,
    limits: Limits | None = None,
    engine: str = "auto",
    watch: Watch | None = None,
    shortest: bool = False,
) -> Iterator[tuple[int, Result]]:
    """Yield each number of passes that is less than the rules of ``state`` allow, the least first, with the
    result of `solve` if no more are allowed, or of `find_shortest` if ``shortest`` is true. It ends after the
    first that wins.

    The lines are valid from ``state``, too. Passes that are over in ``state`` count; where the rules do not
    limit them they are not counted, and the present one is the first. ``limits`` apply to each number.
    ``watch`` reports progress to another thread. Raises ValueError at once for a state of a game in which
    players do not agree on passes.
    """
    variant = variant_of(state)
    if "passes" not in variant.choices:
        raise ValueError(f"expected a game whose passes may be limited, got {variant.name}")
    variant.check(state, cards=True)
    limits = check_limits(limits, watch)
    allowed = state.choices.most_passes
    numbers = sorted(int(value) for value in variant.choices["passes"] if value.isdecimal())

    def results() -> Iterator[tuple[int, Result]]:
        for number in numbers:
            if not state.redeals < number or (allowed is not None and number >= allowed):
                continue
            limited = replace(state, choices=replace(state.choices, passes=str(number)))
            if shortest:
                result = search_shortest(variant, limited, limits, engine, watch=watch)
            else:
                result = search(variant, limited, limits, engine=engine, watch=watch)
            yield number, result
            if result.verdict is Verdict.WINNABLE:
                return

    return results()


def fewest_passes(
    state: Any, result: Result, tried: Sequence[tuple[int, Result]]
) -> tuple[int, int | None] | None:
    """The least and the greatest number of passes that the fewest may be, by ``result``, that of ``state``,
    and by those of `solve_passes`; the greatest is None if there is no limit. None if no number wins, or that
    is not known."""
    if result.verdict is Verdict.WINNABLE and not result.moves:
        return state.redeals + 1, state.redeals + 1
    wins = [number for number, each in tried if each.verdict is Verdict.WINNABLE]
    if not wins and result.verdict is not Verdict.WINNABLE:
        return None
    most = wins[0] if wins else state.choices.most_passes
    lost = [number for number, each in tried if each.verdict is Verdict.UNWINNABLE]
    return max([state.redeals, *lost]) + 1, most
