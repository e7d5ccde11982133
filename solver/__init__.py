"""How deals are decided: a door of six names, loaded when they are asked for, and rooms behind it.

A family's room has its `kernel`, the packed positions, the moves that are tried with the dominances and
their proofs, its bounds, the search for shortest lines, and an `oracle` that shares no code with them.
"""

TYPE_CHECKING = False  # type checkers take it for true

if TYPE_CHECKING:
    from .engine import find_shortest, solve
    from .result import Goal, Limits, Result, Verdict

__all__ = ["Goal", "Limits", "Result", "Verdict", "find_shortest", "solve"]


def __getattr__(name: str) -> object:
    """A name of the door."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(".engine" if name in ("find_shortest", "solve") else ".result", __name__)
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
