"""Decides solitaire deals: winnable or not, in how few moves, how often.

The names that most programs need stand here, and are loaded when they are asked for: ``import winnable``
alone loads nothing else.

>>> from winnable import deal, solve
>>> result = solve("fortress", deal("fortress", 8))
>>> print(result)
winnable, 91 moves
>>> print(*result.moves[:3], sep=", ")
AH 9-f, TS 2-4, 2H 2-f
"""

__version__ = "4.0.0"
SCHEMA = "winnable/2"  # the name of the schema, which every answer in JSON carries

__all__ = [
    "VARIANTS",
    "FairReview",
    "Goal",
    "Limits",
    "Move",
    "Result",
    "State",
    "Variant",
    "Verdict",
    "deal",
    "difficulty",
    "fair_review",
    "find_shortest",
    "find_variant",
    "hint",
    "read_deal",
    "replay",
    "review",
    "solve",
    "solve_many",
]

TYPE_CHECKING = False  # type checkers take it for true; the module of that name takes milliseconds to load

if TYPE_CHECKING:
    from .rules import VARIANTS, Move, State, Variant, find_variant
    from .rules.loading import deal, read_deal
    from .solver import Goal, Limits, Result, Verdict, find_shortest, solve
    from .solver.analysis.difficulty import difficulty
    from .solver.analysis.fair import FairReview, fair_review
    from .solver.analysis.hint import hint
    from .solver.analysis.review import review
    from .solver.batch import solve_many
    from .solver.verify import replay
else:
    _HOMES = {
        "rules": ("VARIANTS", "Move", "State", "Variant", "find_variant"),
        "rules.loading": ("deal", "read_deal"),
        "solver": ("Goal", "Limits", "Result", "Verdict", "find_shortest", "solve"),
        "solver.analysis.difficulty": ("difficulty",),
        "solver.analysis.fair": ("FairReview", "fair_review"),
        "solver.analysis.hint": ("hint",),
        "solver.analysis.review": ("review",),
        "solver.batch": ("solve_many",),
        "solver.verify": ("replay",),
    }

    def __getattr__(name):
        from importlib import import_module

        for home, names in _HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
