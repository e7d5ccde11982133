"""The public functions `solve` and `find_shortest`, which check their arguments, then call `engine` or
`unknown_cards`."""

from collections.abc import Callable
from typing import cast

from ..rules import State, Variant, find_variant, has_unknown, of_state
from ..rules.tables import check_table
from .engine import SHORTEN, find_kernel, read_goal, search, search_shortest
from .progress import Watch
from .result import Goal, Limits, Result, check_limits, check_work


@of_state
def solve(
    variant: Variant | str,
    state: State,
    limits: Limits | None = None,
    goal: Goal | str = Goal.WIN,
    engine: str = "auto",
    shorten: int = SHORTEN,
    watch: Watch | None = None,
    score: bool = False,
) -> Result:
    """Decide ``state`` of ``variant``, which may be left out, within ``limits``.

    The line of a result was replayed through `rules`; "unwinnable" is the result of a completed sound search;
    anything else is "undecided" with its reason. Ctrl-C ends the search with reason ``interrupted``.

    ``engine`` is ``compiled``, ``reference``, or ``auto`` for the best available. After a win, a kernel that
    can shorten lines does so for ``shorten`` units of work, in addition to those of ``limits``. ``watch``
    reports progress to another thread. If ``score`` is true, the result of a game without tiers has a score,
    the cards on the foundations; for a lost deal the best score is searched for.

    ``state`` may be a table with unknown cards, as read by `rules.loading.read_deal`. The result is then a
    `table_result.TableResult`; the seconds of ``limits`` apply to all arrangements together, the other limits
    to each.

    Raises ValueError for an unknown variant, engine or goal; an argument of another type; an invalid state,
    of another variant or with duplicate or missing cards; ``score`` for a game without a search for the best
    score; and for goal, engine or score with a table with unknown cards.
    """
    variant = find_variant(variant)
    if has_unknown(state):
        if read_goal(goal) is not Goal.WIN or engine != "auto" or score:
            raise ValueError("goal, engine and score: expected a position without unknown cards")
        from .unknown_cards import solve_table  # other positions do without

        check_table(variant, state)
        return cast("Result", solve_table(state, limits=limits, watch=watch))
    variant.check(state, cards=True)
    limits, goal, shorten = check_limits(limits, watch), read_goal(goal), check_work("shorten", shorten)
    if goal is Goal.SHORTEST and engine != "reference" and find_kernel(variant, state.choices):
        return search_shortest(variant, state, limits, engine, watch=watch, score=score)
    return search(variant, state, limits, goal, engine, shorten, watch, score)


@of_state
def find_shortest(
    variant: Variant | str,
    state: State,
    limits: Limits | None = None,
    engine: str = "auto",
    on_improvement: Callable[[Result], object] | None = None,
    watch: Watch | None = None,
    score: bool = False,
) -> Result:
    """Decide ``state`` of ``variant``, which may be left out, then search for a shortest line until it is
    proved shortest or a limit is reached.

    ``on_improvement`` is called with the result as soon as the verdict is known, and again whenever the line
    is shorter or the lower bound is greater; each line was replayed. ``limits`` apply to both searches
    together. If ``score`` is true, a shortest line to the best score of a lost deal is searched for, too.
    Ctrl-C ends the search with the best line so far. Raises ValueError like `solve`.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    limits = check_limits(limits, watch)
    return search_shortest(variant, state, limits, engine, on_improvement, watch, score)
