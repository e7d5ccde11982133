"""Division of a batch into chunks, and restoration of their order."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator

from ..core.record import Records
from .chunk import Piece

MOST_DEALS = 8192  # most deals of a chunk


_LEAST = 16  # the last chunks are at most this many times smaller than usual


class Supply:
    """A source of chunks of deals, in order, sized to take ``seconds`` each and to have at most ``most``
    deals.

    The last chunks are smaller, so that all ``workers`` end at about the same time.
    """

    def __init__(self, pieces: Iterable[Piece], seconds: float, most: int, workers: int) -> None:
        self.pieces = deque(piece for piece in pieces if len(piece))
        self.left = sum(map(len, self.pieces))
        self.workers = workers
        self.seconds = seconds
        self.most = most
        self.size = min(16, most)
        self.given = 0
        self.lock = threading.Lock()

    def take(self) -> tuple[int, Piece] | None:
        """The index of the next chunk and the chunk; None if no deals are left."""
        with self.lock:
            if not self.pieces:
                return None
            size = min(self.size, max(1, self.size // _LEAST, self.left // (2 * self.workers)))
            chunk = self.pieces[0][:size]
            rest = self.pieces[0][size:]
            self.left -= len(chunk)
            if len(rest):
                self.pieces[0] = rest
            else:
                self.pieces.popleft()
            self.given += 1
            return self.given - 1, chunk

    def learn(self, deals: int, seconds: float) -> None:
        """Adapt the size of chunks to the ``seconds`` that a chunk of ``deals`` deals took."""
        with self.lock:
            fitting = int(deals * self.seconds / max(seconds, 1e-6))
            self.size = max(1, min(fitting, 4 * self.size, self.most))

    def clear(self) -> None:
        """Discard the deals that were not taken yet."""
        with self.lock:
            self.pieces.clear()
            self.left = 0


def in_order(chunks: Iterable[tuple[int, Records]]) -> Iterator[Records]:
    """Yield the records of ``chunks``, pairs as from `Batch.run`, in the order of the deals."""
    early: dict[int, Records] = {}
    expected = 0
    for place, records in chunks:
        early[place] = records
        while expected in early:
            yield early.pop(expected)
            expected += 1
