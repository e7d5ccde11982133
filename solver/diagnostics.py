"""Diagnostics for compiled modules that are missing, do not load or give a wrong answer."""

import importlib
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

REMEDY = (
    "install a C compiler and the headers of Python (in Debian: apt install gcc python3-dev), then install"
    " winnable again"
)
PATIENCE = 1.0
"""Seconds of searching by the reference engine instead of a compiled one before a warning."""


class EngineWarning(UserWarning):
    """Warns that a compiled engine is missing. Results are correct, but take about a thousand times
    longer."""


class WrongAnswer(RuntimeError):  # noqa: N818 - it is the answer that is wrong
    """An answer of a kernel that the rules refute. Its text says where to read about debugging."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}; see 'Debugging a kernel' in CONTRIBUTING.md of winnable's source")


def load(module: str, name: str) -> Any:
    """Load ``name`` from a compiled ``module`` of this package. Returns None if that was not compiled or,
    after an `EngineWarning` with the cause, does not load."""
    full = f"{__package__}.{module}"
    try:
        return getattr(importlib.import_module(full), name)
    except ModuleNotFoundError as error:
        if error.name == full:
            return None
        broken: Exception = error
    except MemoryError:  # the reference engine would run out of memory, too
        raise
    except Exception as error:
        broken = error
    cause = f"{type(broken).__name__}: {' '.join(str(broken).split())}"
    _warn_once(full, f"{full} was compiled, but does not load ({cause}): install winnable again")
    with _lock:
        _said.add(_SLOW)  # this was the reason, and the remedy
    return None


def lack(names: Sequence[str], is_all: bool) -> str:
    """A message that the games ``names`` have no compiled engine, with the remedy; they are not named if
    ``is_all`` is true."""
    games = "" if is_all else f" for {', '.join(names)}"
    return f"no compiled engine{games}, and answers take about a thousand times longer; {REMEDY}"


def refusal(what: str, variant: str = "") -> str:
    """An error message that ``what`` needs a compiled engine, of ``variant`` if that is not empty."""
    game = f" for {variant}" if variant else ""
    return f"there is no compiled engine{game} here, which {what} needs: {REMEDY}"


def by_reference(rules: str, what: str = "") -> str:
    """A message that no compiled engine implements ``rules``, a game or the game with a value of a rule
    option, so that the reference engine decides it; or, if it is not empty, that ``what`` is not to be
    had."""
    if what:
        return f"no compiled engine implements {rules}, which {what} needs"
    return f"{rules} is decided by the reference engine, about a thousand times slower"


_SLOW = "slow"  # the key of the warning that a search takes long
_lock = threading.Lock()
_said: set[str] = set()
_seconds = 0.0


def _warn_once(key: str, message: str) -> None:
    """Warn with ``message`` once per process and ``key``."""
    with _lock:
        if key in _said:
            return
        _said.add(key)
    warnings.warn(message, EngineWarning, stacklevel=4)


def watched(message: str, is_stopped: Callable[[], bool] = lambda: False) -> Callable[[], bool]:
    """Wrap ``is_stopped`` for a search of the reference engine where none is compiled, for the reason in
    ``message``.

    Adds up the time of such searches, and warns with ``message`` once per process when it exceeds `PATIENCE`
    in all, unless it was said already that a module does not load.
    """
    last = time.monotonic()

    def is_stopped_now() -> bool:
        global _seconds
        nonlocal last
        now = time.monotonic()
        with _lock:
            _seconds += now - last
            seconds = _seconds
        if seconds > PATIENCE:
            _warn_once(_SLOW, message)
        last = now
        return is_stopped()

    return is_stopped_now
