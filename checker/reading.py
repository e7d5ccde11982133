"""Reader of certificate files: ASCII lines, as one gzip member or plain, read within limits.

The file is untrusted input. The length of a line is limited, no number in the file determines how much memory
is allocated, and time and memory are limited while the file is read and checked.
"""

import sys
import time
import zlib
from contextlib import suppress
from typing import BinaryIO

LONGEST_HEADER = (1 << 16) - 1
LONGEST_LINE = (1 << 11) - 1
MOST_SECONDS = 600.0
MOST_BYTES = 4e9
_CHUNK = 1 << 16
_GZIP = 31
"""Value of zlib's ``wbits`` for a gzip member with its header and checksum."""
_BYTES_A_PLACE = 100
"""A lower estimate of the bytes of a dictionary entry without its text."""
_CALLS_A_LOOK = 64
"""Calls of `Budget.check` between two measurements of memory, each of which takes microseconds."""


class Refused(ValueError):  # noqa: N818 - a verdict
    """A certificate that is not accepted, with the reason."""


class NotFinished(Exception):  # noqa: N818 - no verdict
    """A check that a limit ended: the certificate is neither accepted nor refused."""


class Budget:
    """Limits on the seconds of processor time, of this process, and the bytes that a check may take from now
    on. The memory used is the growth of the resident set or the size of the lines kept, whichever is greater:
    a process may reuse memory that it freed before, so that its resident set does not grow."""

    def __init__(self, seconds: float = MOST_SECONDS, max_bytes: float = MOST_BYTES) -> None:
        self.seconds = seconds
        self.max_bytes = max_bytes
        self._until = time.process_time() + seconds
        self._before = resident_bytes()
        self._calls = 0
        self._kept = 0

    def check(self) -> None:
        """Raise NotFinished if a limit is exceeded. To be called in every loop whose length a file
        determines."""
        if time.process_time() >= self._until:
            raise NotFinished(f"not finished within {self.seconds:g} seconds of processor time")
        self._calls += 1
        if self._calls % _CALLS_A_LOOK == 0 and self._before is not None:
            self._check_held((resident_bytes() or 0) - self._before)

    def keep(self, text: str) -> None:
        """Count the memory of a line that is kept. Raises NotFinished if the limit is exceeded."""
        self._kept += sys.getsizeof(text) + _BYTES_A_PLACE
        self._check_held(self._kept)

    def _check_held(self, held: int) -> None:
        if held > self.max_bytes:
            raise NotFinished(f"not finished within {self.max_bytes / 1e6:g} MB of memory")


def resident_bytes() -> int | None:
    """Return the bytes of memory of this process: its present or, on some systems, its peak resident set.
    None if unknown."""
    with suppress(OSError, ValueError, ImportError):
        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[1])
        from resource import getpagesize

        return pages * getpagesize()
    with suppress(ImportError):
        from resource import RUSAGE_SELF, getrusage

        return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return None


class Content:
    """The lines of a certificate, unpacked in chunks if they are packed. ``number`` is the number of the last
    line read."""

    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self.budget = budget
        self.number = 0
        self._file = file
        self._first = file.read(_CHUNK)  # empty once it was taken
        self._is_plain = self._first[:1] in (b"{", b" ")  # of the header; gzip begins with another byte
        self._gzip = zlib.decompressobj(_GZIP)
        self._has_more = False  # the decompressor may hold unpacked data
        self._data = b""
        self._at = 0

    def line(self, longest: int) -> str:
        """Return the next line, without its line feed. Raises Refused at the end of the file, and if the line
        is longer than ``longest`` characters or not printable ASCII."""
        self.number += 1
        while (end := self._data.find(b"\n", self._at)) < 0:
            self._check_length(len(self._data) - self._at, longest)
            more = self._unpack()
            if not more:
                raise Refused(f"line {self.number}: expected a line, got the end of the file")
            self._data, self._at = self._data[self._at :] + more, 0
        self._check_length(end - self._at, longest)
        line, self._at = self._data[self._at : end], end + 1
        text = line.decode("ascii", "replace")
        if not line.isascii() or not text.isprintable():
            raise Refused(f"line {self.number}: expected printable ASCII")
        self.budget.keep(text)
        return text

    def _check_length(self, length: int, longest: int) -> None:
        if length > longest:
            raise Refused(f"line {self.number}: longer than {longest:,} characters")

    def end(self) -> None:
        """Raise Refused if more lines or bytes follow, or the checksum is wrong."""
        if self._at < len(self._data) or self._unpack():
            raise Refused(f"line {self.number + 1}: expected nothing after the line 'end'")
        if self._gzip.unused_data or self._file.read(1):
            raise Refused("expected one gzip member and nothing after it")

    def _read(self) -> bytes:
        """Return the next bytes of the file, at most a chunk; empty at its end."""
        first, self._first = self._first, b""
        return first or self._file.read(_CHUNK)

    def _unpack(self) -> bytes:
        """Return the next unpacked bytes, at most a chunk; empty at the end of the gzip member or plain
        file."""
        if self._is_plain:
            self.budget.check()
            return self._read()
        while not self._gzip.eof:
            self.budget.check()
            piece = self._gzip.unconsumed_tail
            if not piece and not self._has_more:
                piece = self._read()
                if not piece:
                    raise Refused("expected a whole gzip file, got a part of one")
            try:
                data = self._gzip.decompress(piece, _CHUNK)
            except zlib.error:
                raise Refused("not a certificate: neither packed by gzip nor text") from None
            self._has_more = len(data) == _CHUNK
            if data:
                return data
        return b""
