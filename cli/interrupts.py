"""Signal handling: Ctrl-C, SIGTERM and SIGHUP from the first moment of the program to its last.

Nothing is imported here that Python has not loaded by itself (``signal`` would load three modules more), so
that `begin` comes before all else. What comes before it is the start of Python, which is not ours.

- While the program begins, until a command is at work, Ctrl-C leaves at once with status 130. So it does in
  the middle of an import later on: what was half imported could not go on, and callbacks of the importer
  swallow exceptions.
- While a command is at work Ctrl-C is a KeyboardInterrupt, which the command or `main.run` answers.
- When the answer is out and Python clears up, Ctrl-C leaves at once with the status of the answer; at the
  very end, where Python takes its handlers away, it does nothing.
- Once it was answered it means nothing for a second: a storm of it is one, and what is finished is kept.

SIGTERM and SIGHUP are taken over alike: at work they raise SystemExit, so that what a command has open is
closed, and the status is 128 and their number.

Where the parent had a signal ignored, as a shell does for what it starts in the background, it stays ignored.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys
import time

INTERRUPTED = 130
"""The exit status of a program that Ctrl-C ended before there was an answer."""

_IMPORTER = "<frozen importlib"
_STORM = 1.0  # seconds in which what comes after an answered signal belongs to it


class _State:
    """``status`` is that to leave with; None while a command is at work. ``calm`` is when signals are
    answered again, by the monotonic clock."""

    status: int | None = INTERRUPTED
    calm = 0.0


def begin() -> None:
    """Take over Ctrl-C and the requests to end, unless they are ignored. To be called first of all, in the
    main thread."""
    for number in _numbers():
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, _answer)
    sys.unraisablehook = _unraisable


def _numbers() -> "list[int]":
    """The signals that are answered, where there are such."""
    return [getattr(_signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(_signal, name)]


def answered() -> None:
    """Have signals mean nothing for a second: one of them was answered, and others may follow at once."""
    _State.calm = time.monotonic() + _STORM


def leave(status: int) -> None:
    """Let Ctrl-C end the program with ``status`` from now on: the answer is out."""
    _State.status = status


def forget() -> None:
    """Ignore signals to the end, which is near: Python is about to take its handlers away."""
    for number in _numbers():
        if _signal.getsignal(number) is _answer:
            _signal.signal(number, _signal.SIG_IGN)


def end(status: int) -> None:
    """Leave at once with ``status``: nothing is left to be done, and Python would clear up for a tenth of a
    second."""
    leave(status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


class Working:
    """As long as it is entered, Ctrl-C is a KeyboardInterrupt."""

    def __enter__(self) -> None:
        _State.status = None

    def __exit__(self, *_: object) -> None:
        _State.status = INTERRUPTED


def end_with_readers() -> None:
    """Have the program end quietly, as any filter does, when nobody reads on."""
    if hasattr(_signal, "SIGPIPE"):
        _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)


def nobody_reads() -> None:
    """End as then, where Python has found out."""
    if hasattr(_signal, "SIGPIPE"):
        _signal.raise_signal(_signal.SIGPIPE)


def _answer(number: int, frame: object) -> None:
    if time.monotonic() < _State.calm:
        return
    ended = INTERRUPTED if number == _signal.SIGINT else 128 + number
    if _State.status is not None:
        os._exit(ended if _State.status == INTERRUPTED else _State.status)
    if _is_importing(frame):
        os._exit(ended)
    answered()
    if number == _signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(ended)


def _is_importing(frame: object) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTER):  # type: ignore[attr-defined]
            return True
        frame = frame.f_back  # type: ignore[attr-defined]
    return False


def _unraisable(what: "sys.UnraisableHookArgs") -> None:
    """A KeyboardInterrupt where none can be raised, in a destructor for instance, must not be lost."""
    if what.exc_type is KeyboardInterrupt:
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(what)
