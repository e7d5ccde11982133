"""Records of the deals of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import Struct, calcsize
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERDICTS = ("unwinnable", "winnable", "undecided")
OUTCOMES = ("lost", "won", "unfinished")
UNWINNABLE, WINNABLE, UNDECIDED = LOST, WON, UNFINISHED = range(3)


class Record(NamedTuple):
    """One deal of a batch.

    ``seed`` is the number of the deal. ``expanded`` and ``generated`` count states; ``microseconds`` is the
    processor time of dealing, searching and replaying. ``moves`` is the length of the line found and
    ``lower_bound`` a proved lower bound on the length of a solution; both are -1 if there is none. ``score``
    and ``score_bound`` are -1 in games without tiers, unless scores were requested. ``verdict`` indexes
    `VERDICTS` and ``reason`` `result.REASONS`. ``shortest`` and ``exact`` are 1 only if proved.

    For a deal played by a player, ``verdict`` indexes `OUTCOMES`: a game is unfinished if a limit ended it
    before it was won. ``score`` is the score reached; ``score_bound`` and ``exact`` are -1, since nothing is
    proved. ``expanded`` counts the player's simulations, ``generated`` its decisions.
    """

    seed: int
    expanded: int
    generated: int
    microseconds: int
    moves: int
    lower_bound: int
    score: int
    score_bound: int
    verdict: int
    reason: int
    shortest: int
    exact: int


_CODES = "QQQQiihhbbbb"
RECORD = [*zip(Record._fields, _CODES, strict=True)]
"""The fields of a packed record, 48 bytes, as NumPy describes the type of an array."""

_PACKED = Struct("=" + _CODES)
_PLACES = {
    name: (calcsize("=" + _CODES[:i]), code, calcsize(code))
    for i, (name, code) in enumerate(zip(Record._fields, _CODES, strict=True))
}
"""The offset in a packed record, the code and the size of each field, which is aligned."""

_VERDICT = _PLACES["verdict"][0]


class Records:
    """A sequence of records, packed in ``data``. Its slices must be contiguous."""

    def __init__(self, data: bytes | bytearray) -> None:
        self.data = data

    @classmethod
    def pack(cls, records: Iterable[Iterable[int]]) -> Records:
        """Pack records given as tuples."""
        return cls(b"".join(_PACKED.pack(*record) for record in records))

    def __len__(self) -> int:
        return len(self.data) // _PACKED.size

    def __getitem__(self, part: slice) -> Records:
        first, last, _ = part.indices(len(self))
        return Records(self.data[first * _PACKED.size : last * _PACKED.size])

    def __iter__(self) -> Iterator[Record]:
        return map(Record._make, _PACKED.iter_unpack(self.data))

    def column(self, name: str) -> list[int]:
        """The values of the field ``name`` of all records."""
        at, code, size = _PLACES[name]
        fields: memoryview[int] = memoryview(self.data).cast(code)  # type: ignore[call-overload]
        return fields[at // size :: _PACKED.size // size].tolist()

    def count(self, verdict: int) -> int:
        """The number of deals whose verdict is ``verdict``, an index of `VERDICTS` or `OUTCOMES`."""
        return self.data[_VERDICT :: _PACKED.size].count(verdict)

    @property
    def array(self) -> NDArray[Any]:
        """A NumPy array of type `RECORD` over ``data``. Importing NumPy takes longer than solving a few
        deals."""
        import numpy as np

        return np.frombuffer(self.data, RECORD)
