"""Solvers of solitaire deals: six public names, imported lazily, and a package for each family of games.

The package of a family has its kernel, packed positions, move generation with dominances, lower bounds, the
search for shortest lines, and a test oracle that shares no code with them.
"""

TYPE_CHECKING = False  # type checkers assume it to be true

if TYPE_CHECKING:
    from .result import Goal, Limits, Result, Verdict
    from .solving import find_shortest, solve

__all__ = ["Goal", "Limits", "Result", "Verdict", "find_shortest", "solve"]


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(".solving" if name in ("find_shortest", "solve") else ".result", __name__)
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
