"""The deals of a batch in chunks: handed out in order, and put in order again when they are solved."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator

from .chunk import Piece, Records

MOST_DEALS = 8192  # of a chunk


class Supply:
    """Hands out the deals in chunks, in order, of a size that follows the time they take."""

    def __init__(self, pieces: Iterable[Piece], seconds: float, most: int) -> None:
        self.pieces = deque(piece for piece in pieces if len(piece))
        self.seconds = seconds
        self.most = most
        self.size = min(16, most)
        self.given = 0
        self.lock = threading.Lock()

    def take(self) -> tuple[int, Piece] | None:
        """The next chunk and its place in the order; None if there is nothing left."""
        with self.lock:
            if not self.pieces:
                return None
            chunk = self.pieces[0][: self.size]
            rest = self.pieces[0][self.size :]
            if len(rest):
                self.pieces[0] = rest
            else:
                self.pieces.popleft()
            self.given += 1
            return self.given - 1, chunk

    def learn(self, deals: int, seconds: float) -> None:
        """Take note of what a chunk took."""
        with self.lock:
            fitting = int(deals * self.seconds / max(seconds, 1e-6))
            self.size = max(1, min(fitting, 4 * self.size, self.most))

    def clear(self) -> None:
        """Leave out what was not given yet."""
        with self.lock:
            self.pieces.clear()


def in_order(chunks: Iterable[tuple[int, Records]]) -> Iterator[Records]:
    """The records of ``chunks``, as `Batch.run` yields them, in the order of the deals."""
    early: dict[int, Records] = {}
    expected = 0
    for place, records in chunks:
        early[place] = records
        while expected in early:
            yield early.pop(expected)
            expected += 1
