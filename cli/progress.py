"""Progress line of a long search, on a terminal."""

import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..solver.progress import Progress, Watch
from .console import tell_note
from .terminal import real_columns

DELAY = 2.0  # seconds without output before the line appears
_INTERVAL = 0.25  # seconds between two updates
_RATE_OVER = 8  # updates over which the rate is measured
_POWERS = "kMGT"


class ProgressLine:
    """A line on stderr that is shown during a long search and erased on leaving the context.

    It appears only if stderr is a terminal and ``is_silent`` is not set, `DELAY` seconds after the last
    output to a terminal. ``watch`` is the argument of the searches, None if there is no line. Other output is
    printed in a context of `hidden`.
    """

    def __init__(self, is_silent: bool) -> None:
        self.watch = Watch() if not is_silent and sys.stderr.isatty() else None
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._due = 0.0  # monotonic time from which the line may appear
        self._bar: Any = None
        self._drawn = 0  # greatest width of a text so far
        self._looks: deque[tuple[float, int]] = deque(maxlen=_RATE_OVER + 1)

    def __enter__(self) -> "ProgressLine":
        if self.watch is not None:
            began = time.monotonic()
            self._due = began + DELAY
            self._looks.append((began, 0))
            threading.Thread(target=self._show, args=[self.watch], daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Erase the line and stop showing it."""
        self._ended.set()
        with self._lock:
            if self._bar is not None:
                self._bar.close()
                self._bar = None

    @contextmanager
    def hidden(self, to_stderr: bool = False) -> Iterator[None]:
        """Erase the line while other output is printed, and for `DELAY` seconds after. Output that does not
        go to a terminal leaves the line unchanged, unless it goes ``to_stderr``."""
        if not to_stderr and not sys.stdout.isatty():
            yield
            return
        with self._lock:
            if self._bar is not None:
                self._bar.clear()
            try:
                yield
            finally:
                self._due = time.monotonic() + DELAY

    def _show(self, watch: Watch) -> None:
        """Show the line whenever it is due, until the end; runs in its own thread."""
        while not self._ended.wait(_INTERVAL):
            progress = watch.progress()
            if progress is None:
                continue
            rate = self._rate(progress)
            if time.monotonic() >= self._due:
                self._draw(line_text(watch.part, progress, rate, real_columns(sys.stderr) - 1))

    def _draw(self, text: str) -> None:
        """Show ``text`` as the line, unless it is no longer due."""
        from tqdm import tqdm  # late, since its import is slow

        with self._lock:
            if self._ended.is_set() or time.monotonic() < self._due:
                return
            self._drawn = max(self._drawn, len(text))  # spaces cover the rest of a longer text
            # The cursor waits at the start, so that the ^C of a terminal is erased with the line.
            text = text.ljust(self._drawn) + "\r"
            tell_note()
            if self._bar is None:
                tqdm.set_lock(self._lock)
                tqdm.monitor_interval = 0  # no further thread
                self._bar = tqdm(file=sys.stderr, leave=False, bar_format="{desc}", desc=text)
            else:
                self._bar.set_description_str(text)

    def _rate(self, progress: Progress) -> float:
        """The states per second over the last updates."""
        now = time.monotonic()
        began, before = self._looks[0]
        self._looks.append((now, progress.states))
        return max(0.0, (progress.states - before) / (now - began)) if now > began else 0.0


def line_text(part: str, progress: Progress, rate: float, width: int) -> str:
    """The progress as a line of fewer than ``width`` characters; the least important fields are dropped if it
    is too long."""
    unit = "samples" if progress.stage == "sampling" else "states"
    fields = [f"{_short(progress.states)} {unit}"]
    if progress.score is not None:
        fields.append(f"best score {progress.score}")
    if progress.moves is not None:
        least, moves = progress.lower_bound, progress.moves
        fields.append(f"{moves} moves" + ("" if least is None else f" (the shortest has {least} to {moves})"))
    fields += [f"{_short(round(rate))} {unit}/s", f"{progress.megabytes:,.0f} MB"]
    head = f"{part}: {progress.stage}" if part else progress.stage
    while len(fields) > 1 and len(head) + 2 + len(", ".join(fields)) >= width:
        fields.pop()
    return f"{head}: {', '.join(fields)}"[: max(0, width - 1)]


def _short(number: int) -> str:
    """A whole number in at most five characters, up to 10^15: ``9,999``, ``12.3k``, ``123M``."""
    if number < 10_000:
        return f"{number:,}"
    power = 1
    while power < len(_POWERS) and number >= 999.5 * 1000**power:
        power += 1
    value = number / 1000**power
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}{_POWERS[power - 1]}"
