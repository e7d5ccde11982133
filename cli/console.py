"""Console output: answers on standard output, messages on standard error.

On a terminal cards have suit signs and colours, unless the command line or the environment turns them off.
"""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO

import click

from .. import SCHEMA
from . import terminal

CHOICES = ("auto", "always", "never")

_CARD = r"\b([A2-9TJQK]|10)([CDHS])\b|\bX[BR]\b(=\w)?"
_ENDLESS = r"(\S{100})\S{900,}"
_SIGNS = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
_COLOURS = {"C": "green", "D": "blue", "H": "red"}


class _Talk:
    """Console state: the colours chosen, whether anything was printed (``was_said``), whether errors of
    standard output are kept for later (``is_patient``), the first of these (``wrong``), and a ``note`` on
    what was read, which goes to standard error before the answer."""

    choice = "auto"
    was_said = False
    is_patient = False
    wrong: OSError | None = None
    note = ""


def begin(choice: str = "auto") -> None:
    """Reset the state, with colours ``auto``, ``always`` or ``never``."""
    _Talk.choice, _Talk.was_said, _Talk.note = choice, False, ""


def choose(choice: str) -> None:
    """Set colours to ``auto``, ``always`` or ``never``."""
    _Talk.choice = choice


def note(text: str) -> None:
    """Print ``text`` on standard error before the answer; nothing, if there is none."""
    _Talk.note = text


def tell_note() -> None:
    """Print the `note` that waits."""
    if _Talk.note:
        tell(_Talk.note)
        _Talk.note = ""


def was_said() -> bool:
    """Test if `say` printed anything."""
    return _Talk.was_said


def say(text: str, end: str = "\n", is_plain: bool = False) -> None:
    """Print ``text``, with cards in colour if colours are on and ``is_plain`` is false. Raises OSError."""
    if _Talk.wrong is not None:
        return
    tell_note()
    shown = (painted(text) if not is_plain and has_colours(sys.stdout) else text) + end
    _Talk.was_said = _Talk.was_said or bool(shown)  # set before printing, since Ctrl-C may follow at once
    try:
        print(shown, end="", flush=True)
    except OSError as error:
        if not _Talk.is_patient:
            raise
        _Talk.wrong = error


def stamped(answer: Mapping[str, Any], indent: int | None = None) -> str:
    """``answer`` as JSON text with the name of its schema."""
    import json

    return json.dumps({"schema": SCHEMA, **answer}, indent=indent)


def printable(text: str) -> str:
    """``text`` as one line; unprintable characters are escaped, and very long words are cut."""
    words = re.sub(_ENDLESS, r"\1...", " ".join(text.split()))
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in words)


def failure(error: OSError, path: str | None = None) -> str:
    """The line of a message for ``error``, of ``path`` or else of the file that it names, which is standard
    output for an error of the system without a name; other errors have their own text."""
    place = path or error.filename or ("output" if error.strerror else None)
    why = error.strerror or ("" if error.filename else str(error)) or type(error).__name__
    return f"{place}: {why}" if place else why


def complain(text: str) -> None:
    """Print ``text``, made `printable`, on standard error after the name of the program, wrapped on a
    terminal."""
    head = "winnable:"
    line = f"{head} {printable(text)}"
    width = terminal.columns(sys.stderr)
    if width is not None:
        line = terminal.fit(line, width)
    is_coloured = has_colours(sys.stderr)
    if is_coloured:
        line = click.style(head, fg="red", bold=True) + line.removeprefix(head)
    tell(line, is_coloured)


def tell(text: str, is_coloured: bool = False) -> None:
    """Print ``text`` on standard error; a failure is ignored."""
    try:
        click.echo(text, err=True, color=is_coloured)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Redirect ``stream`` to the null device, so that Python does not try to flush it again at exit."""
    with suppress(OSError, ValueError):  # a stream of a test may have no descriptor
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


class Patience:
    """A context in which a closed or full standard output does not end the program; it does on leaving the
    context."""

    def __enter__(self) -> None:
        import signal

        _Talk.is_patient, _Talk.wrong = True, None
        if hasattr(signal, "SIGPIPE"):
            self.before = signal.signal(signal.SIGPIPE, signal.SIG_IGN) or signal.SIG_DFL

    def __exit__(self, *raised: Any) -> None:
        import signal

        wrong, _Talk.wrong, _Talk.is_patient = _Talk.wrong, None, False
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, self.before)
            if isinstance(wrong, BrokenPipeError) and self.before == signal.SIG_DFL:
                signal.raise_signal(signal.SIGPIPE)
        if wrong is not None and raised[0] is None:
            raise wrong


def painted(text: str) -> str:
    """``text`` with its cards in four colours, and with suit signs if they can be encoded."""
    return re.sub(_CARD, _painted_card, text)


def _painted_card(match: re.Match[str]) -> str:
    rank, suit = match[1], match[2]
    if suit is None:
        return click.style(match[0], fg="magenta", bold=True)
    sign = _SIGNS[suit] if _can_show(_SIGNS[suit]) else suit
    return click.style(rank + sign, fg=_COLOURS.get(suit), bold=True)


def _can_show(sign: str) -> bool:
    try:
        sign.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def has_colours(stream: TextIO) -> bool:
    """Test if colours are used on ``stream``: as --color, NO_COLOR, FORCE_COLOR or CLICOLOR_FORCE say, else
    on a terminal."""
    if _Talk.choice != "auto":
        return _Talk.choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
