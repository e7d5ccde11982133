"""Output files of commands: checked before the work begins, and replaced atomically.

A file is written under a temporary name in the same folder and then renamed. Its permissions are those of
a plain open, and links are followed. Anything but a regular file, such as /dev/stdout or a pipe, is written
in place, as is a file in a folder without write permission.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import click

from . import console
from .arguments import find_game

_HOLDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals blocked while a file is being written."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_NO_OTHERS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)
"""Errors after which a file that cannot be replaced may still be written in place."""


class Output:
    """The output file of an option; a context manager around the work that ends with `write` or `stream`.

    The constructor checks that the file can be written, without changing it. It raises UsageError if it
    cannot be, if the path is empty, or if the file is also an input: another file on the command line, or one
    of ``inputs``.

    Inside the context a closed standard output does not end the program, so that the file is still written. A
    failed write raises its OSError only on leaving the context, so that the answer on standard output is
    still printed.
    """

    def __init__(self, option: str, path: str, inputs: Iterable[str] = ()) -> None:
        self.option = option
        self.path = path
        self.error: OSError | None = None
        if not path or "\0" in path:
            raise click.UsageError(f"{option} {path!r}: expected a name")
        if path == "-":
            raise click.UsageError(f"{option}: expected the name of a file, such as /dev/stdout, got -")
        try:
            _check_is_no_input(option, path, [*inputs, *_files_given(option)])
            check_writable(path)
        except OSError as error:
            folder = os.path.dirname(path)
            is_lost = error.errno == errno.ENOENT and folder and not os.path.isdir(folder)
            why = f" (no such folder: {folder})" if is_lost else ""
            raise click.UsageError(f"{option} {console.failure(error, path)}{why}") from None

    def __enter__(self) -> "Output":
        self.talk = console.Patience()
        self.talk.__enter__()
        return self

    def write(self, content: str | bytes) -> None:
        """Replace the file by ``content``. An error is raised on leaving the context."""
        try:
            write(self.path, content)
        except OSError as error:
            self.error = error

    def stream(self, chunks: Callable[[], Iterable[bytes]]) -> None:
        """Write as `stream` does. An error is raised on leaving the context."""
        try:
            stream(self.path, chunks)
        except OSError as error:
            self.error = error

    def __exit__(self, *raised: Any) -> None:
        self.talk.__exit__(*raised)
        if self.error is not None and raised[0] is None:
            raise self.error


def check_writable(path: str) -> None:
    """Check that `write` can write to ``path``, without changing it. Raises OSError."""
    there = _status(path)
    if not path:
        raise _error(errno.ENOENT, path)
    if there is None and path.endswith(os.sep):
        raise _error(errno.EISDIR, path)
    if there is None:
        _try_folder(os.path.realpath(path))
    elif stat.S_ISDIR(there.st_mode):
        raise _error(errno.EISDIR, path)
    elif not stat.S_ISREG(there.st_mode):
        if not os.access(path, os.W_OK):
            raise _error(errno.EACCES, path)
    elif _stream_of(there) is None:
        os.close(os.open(path, os.O_WRONLY))


def write(path: str, content: str | bytes) -> None:
    """Write ``content``, text in UTF-8, or change nothing. Raises OSError that names ``path``."""
    data = content.encode() if isinstance(content, str) else content
    _write(path, lambda: [data], _signals_held)


def stream(path: str, chunks: Callable[[], Iterable[bytes]]) -> None:
    """Write ``chunks()`` as `write` does, as it is generated. Ctrl-C leaves an existing file unchanged."""
    _write(path, chunks, nullcontext)


def _write(path: str, chunks: Callable[[], Iterable[bytes]], held: Callable[[], Any]) -> None:
    try:
        there = _status(path)
        if there is not None and (standard := _stream_of(there)) is not None:
            standard.flush()
            for data in chunks():
                getattr(standard, "buffer", standard).write(data)
            standard.flush()
        elif there is None or stat.S_ISREG(there.st_mode):
            with held():
                _replace(os.path.realpath(path), chunks, there)
        else:
            _write_in_place(path, chunks)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from None


def _replace(path: str, chunks: Callable[[], Iterable[bytes]], there: os.stat_result | None) -> None:
    """Replace ``path``, which must not be a symbolic link, by a new file with the bytes of ``chunks()``;
    ``there`` is the status of the file that is replaced, None if there is none."""
    temporary = _beside(path)
    try:
        with open(os.open(temporary, _NEW, 0o666), "wb") as file:
            if there is not None:
                _take_rights(file.fileno(), there)
            file.writelines(chunks())
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        _remove(temporary)
        if there is None or error.errno not in _NO_OTHERS:
            raise
        _write_in_place(path, chunks)
    except BaseException:
        _remove(temporary)
        raise


def _beside(path: str) -> str:
    """A unique name in the folder of ``path``."""
    return os.path.join(os.path.dirname(path), f".winnable-{os.urandom(8).hex()}.tmp")


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _take_rights(number: int, there: os.stat_result) -> None:
    """Give the open file ``number`` the owner and permissions of the file that it replaces, as far as
    possible."""
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(number, there.st_uid, there.st_gid)
        os.fchmod(number, stat.S_IMODE(there.st_mode) & 0o777)


def _write_in_place(path: str, chunks: Callable[[], Iterable[bytes]]) -> None:
    with open(path, "wb") as file:
        file.writelines(chunks())


def _try_folder(path: str) -> None:
    """Check that a file can be created at ``path``. Raises OSError."""
    temporary = _beside(path)
    with _signals_held():
        try:
            os.close(os.open(temporary, _NEW, 0o666))
        finally:
            _remove(temporary)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Block the signals that end the program, so that no incomplete file is left behind."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    numbers = [getattr(signal, name) for name in _HOLDING]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _check_is_no_input(option: str, path: str, inputs: Iterable[str]) -> None:
    """Raise UsageError if ``path`` is one of ``inputs``, or a file that another option writes."""
    there = _status(path)
    if there is None and os.path.realpath(path) in map(os.path.realpath, inputs):
        raise click.UsageError(f"{option} {path}: expected a file of its own, got that of another option")
    if there is None or not stat.S_ISREG(there.st_mode):
        return
    for name in inputs:
        with suppress(OSError, ValueError, AttributeError):
            read = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
            if os.path.samestat(read, there):
                named = "on standard input" if name == "-" else name
                raise click.UsageError(f"{option} {path}: expected an output, got the input {named}")


def _files_given(option: str) -> Iterator[str]:
    """The files named on the command line, except that of ``option``."""
    context = click.get_current_context(silent=True)
    if context is None:
        return
    for parameter in context.command.params:
        is_file = isinstance(parameter, click.Argument) or parameter.metavar == "FILE"
        if is_file and option not in parameter.opts:
            value = context.params.get(parameter.name or "")
            values = [
                each for each in (value if isinstance(value, tuple) else [value]) if isinstance(each, str)
            ]
            yield from find_game(tuple(values))[1]


def _status(path: str) -> os.stat_result | None:
    """The target of ``path``; None if there is nothing. Raises OSError."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _stream_of(there: os.stat_result) -> Any:
    """Standard output or standard error, if ``there`` is one of them."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            if os.path.samestat(os.fstat(stream.fileno()), there):
                return stream
    return None


def _error(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)
