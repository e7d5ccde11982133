"""Signal handling: Ctrl-C, SIGTERM and SIGHUP from the first moment of the program to its last.

Only modules that Python has loaded itself are imported here (``signal`` would load three more), so that
`begin` runs before everything else but the start of Python. Until then the script ``winnable`` beside this
module, and ``__main__``, see to Ctrl-C.

- During startup, until a command runs, Ctrl-C exits at once with status 130; so it does while a module is
  loaded later, because a partial import cannot be resumed and the importer swallows exceptions.
- While a command runs Ctrl-C is a KeyboardInterrupt, handled by the command or by `main.run`.
- Once the answer is printed, Ctrl-C exits at once with its status; at the very end, when Python removes its
  handlers, it is ignored.
- After one Ctrl-C was handled, further ones are ignored for a second, so that finished work is kept.

SIGTERM and SIGHUP are handled alike: in a command they raise SystemExit, so that open files are closed, with
status 128 plus the number of the signal.

A signal ignored by the parent, as by a shell for a background job, stays ignored.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys
import time

INTERRUPTED = 130
"""The exit status after Ctrl-C before there was an answer."""

_IMPORTER = "<frozen importlib"
_LOOKUPS = frozenset({"_gcd_import", "_sanity_check", "_find_and_load", "_handle_fromlist"})
"""Functions of the importer that look up a loaded module, and otherwise call those that load it."""
_STORM = 1.0  # seconds for which signals are ignored after one was handled


class _State:
    """``status`` is the exit status, None in a command; ``calm`` is when signals are handled again."""

    status: int | None = INTERRUPTED
    calm = 0.0


def begin() -> None:
    """Install the handlers, except for ignored signals. Must be called first of all, in the main thread."""
    for number in _numbers():
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, _answer)
    sys.unraisablehook = _unraisable


def _numbers() -> "list[int]":
    """The signals that are handled and exist on this system."""
    return [getattr(_signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(_signal, name)]


def answered() -> None:
    """Ignore signals for a second, since one was handled and others may follow at once."""
    _State.calm = time.monotonic() + _STORM


def leave(status: int) -> None:
    """Let Ctrl-C end the program with ``status`` from now on: the answer is printed."""
    _State.status = status


def forget() -> None:
    """Ignore signals from now on: Python is about to remove its handlers."""
    for number in _numbers():
        if _signal.getsignal(number) is _answer:
            _signal.signal(number, _signal.SIG_IGN)


def end(status: int) -> None:
    """Exit at once with ``status``, without Python's cleanup, which takes a tenth of a second."""
    leave(status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


class Working:
    """A context in which Ctrl-C is a KeyboardInterrupt."""

    def __enter__(self) -> None:
        _State.status = None

    def __exit__(self, *_: object) -> None:
        _State.status = INTERRUPTED


def end_with_readers() -> None:
    """Let the program end silently, like any filter, once standard output is closed."""
    if hasattr(_signal, "SIGPIPE"):
        _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)


def nobody_reads() -> None:
    """End like that after Python noticed the closed output."""
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
    """Test if a module is being loaded; finding one that is loaded can be interrupted like anything else."""
    while frame is not None:
        code = frame.f_code  # type: ignore[attr-defined]
        if code.co_filename.startswith(_IMPORTER) and code.co_name not in _LOOKUPS:
            return True
        frame = frame.f_back  # type: ignore[attr-defined]
    return False


def _unraisable(what: "sys.UnraisableHookArgs") -> None:
    """Exit after a KeyboardInterrupt that cannot be raised, as in a destructor."""
    if what.exc_type is KeyboardInterrupt:
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(what)
