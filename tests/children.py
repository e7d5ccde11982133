"""Programs started by tests: they handle signals as usual, and end with their test."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

HANG = 300  # seconds after which a program is stuck
ANNOUNCING = Path(__file__).with_name("announcing.py")

# A program that is started in the background ignores Ctrl-C, and what it starts does so too. And if a test
# cannot end its program, the system does.
_AS_USUAL = f"""
import os, resource, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
    signal.signal(number, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CPU, ({5 * HANG},) * 2)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_children = []


class Child(subprocess.Popen):
    """A program started by a test, in a process group of its own, with pipes for text."""

    def __init__(self, *command, **options):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        as_usual = [sys.executable, "-ISc", _AS_USUAL]
        super().__init__([*as_usual, *map(str, command)], start_new_session=True, **pipes | options)
        _children.append(self)

    def finish(self, text=None, seconds=HANG):
        """Wait for the end, which must come, and return stdout and stderr; ``text`` is the input."""
        return self.communicate(text, timeout=seconds)

    def interrupt(self, number=signal.SIGINT):
        """Interrupt the program; return what it prints up to its end, which must come."""
        self.send_signal(number)
        return self.finish()

    def first_line(self):
        """Read the first line of output, and no more, so that `finish` returns the rest."""
        line = b""
        while not line.endswith(b"\n"):
            piece = _read(self.stdout.fileno())
            assert piece, f"it ended after printing {line!r}"
            line += piece
        return line.decode()

    def outlive_its_test(self):
        """Do not end the program with its test."""
        _children.remove(self)

    def end(self):
        """End the program and all that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                pipe.close()


def _read(descriptor):
    """Read a byte that is expected soon."""
    assert select.select([descriptor], [], [], HANG)[0], "nothing came"
    return os.read(descriptor, 1)


def start(*args, **options):
    """Start the program ``winnable`` with arguments; its `Child`."""
    return Child(sys.executable, "-m", "winnable", *args, **options)


def start_code(code, *args, **options):
    """Start a program in Python; its `Child`."""
    return Child(sys.executable, "-c", code, *args, **options)


def start_until(event, *args, **options):
    """Start the program ``winnable`` and wait for an event, as `announcing.py` describes them."""
    begun, announced = os.pipe()
    program = (sys.executable, ANNOUNCING, announced, event)
    child = Child(*program, *args, pass_fds=[announced], **options)
    os.close(announced)
    try:
        assert _read(begun), f"it ended before {event}: {child.finish()}"
    finally:
        os.close(begun)
    return child


class Terminal:
    """A terminal for programs; its ``descriptor`` serves as their stdout or stderr."""

    def __init__(self, columns=80):
        pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
        self.master, self.descriptor = pty.openpty()
        termios.tcsetwinsize(self.descriptor, (24, columns))
        self.pieces = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with suppress(OSError):  # the end of input, on Linux
            while piece := os.read(self.master, 10000):
                self.pieces.append(piece)
        os.close(self.master)

    def type(self, text):
        """Type keys, for programs whose stdin is the terminal."""
        os.write(self.master, text.encode())

    def shown(self):
        """The output of programs that have ended."""
        os.close(self.descriptor)
        self.reader.join(HANG)
        assert not self.reader.is_alive(), "a program still has the terminal"
        return b"".join(self.pieces).decode().replace("\r\n", "\n")


def end_children():
    """End all remaining programs that a test has started."""
    while _children:
        _children.pop().end()


def wait_until(condition):
    """Wait until a condition is true, which must happen, using little processor time."""
    ends = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < ends, "it did not come"
        time.sleep(0.001)
