"""What is said where a compiled engine is missing, or was compiled and does not load."""

from __future__ import annotations

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
"""Seconds of the reference engine, where a compiled one should have been, before it is said."""


class EngineWarning(UserWarning):
    """The answers are right, but there is no compiled engine, or it does not load: they take
    about a thousand times longer."""


def load(module: str, name: str) -> Any:
    """What is called ``name`` in a compiled ``module`` of this package; None if that was not compiled.

    One that was compiled and does not load gives None too, after an `EngineWarning` that says why.
    """
    full = f"{__package__}.{module}"
    try:
        return getattr(importlib.import_module(full), name)
    except ModuleNotFoundError as error:
        if error.name == full:
            return None
        broken: Exception = error
    except MemoryError:  # the slow engine would fare no better
        raise
    except Exception as error:
        broken = error
    _warn_once(full, f"{full} was compiled, but does not load ({_cause(broken)}): install winnable again")
    return None


def _cause(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def lack(names: Sequence[str], is_all: bool) -> str:
    """That the games of these ``names`` have no compiled engine, and what to do about it."""
    games = "" if is_all else f" for {', '.join(names)}"
    return f"no compiled engine{games}, and answers take about a thousand times longer; {REMEDY}"


def refusal(what: str, variant: str = "") -> str:
    """The message of a refusal: ``what`` is not there without a compiled engine, of ``variant`` or at all."""
    game = f" for {variant}" if variant else ""
    return f"there is no compiled engine{game} here, which {what} needs: {REMEDY}"


_lock = threading.Lock()
_said: set[str] = set()
_seconds = 0.0


def _warn_once(key: str, message: str) -> None:
    """Warn, once a process."""
    with _lock:
        if key in _said:
            return
        _said.add(key)
    warnings.warn(message, EngineWarning, stacklevel=4)


def watched(variant: str, is_stopped: Callable[[], bool] = lambda: False) -> Callable[[], bool]:
    """``is_stopped`` for a search of the reference engine that stands in for a compiled one of ``variant``.

    It counts the time of such searches, and warns, once a process, when that is more than a second in all.
    """
    last = time.monotonic()

    def is_stopped_now() -> bool:
        nonlocal last
        now = time.monotonic()
        if _count(now - last) > PATIENCE:
            _warn_once(
                "slow",
                f"no compiled engine for {variant}: this takes about a thousand times longer; {REMEDY}",
            )
        last = now
        return is_stopped()

    return is_stopped_now


def _count(seconds: float) -> float:
    """Add to the time that the reference engine took, and return all of it."""
    global _seconds
    with _lock:
        _seconds += seconds
        return _seconds
