"""Compact records of a chunk, for transfer from a worker to the driver."""

import numpy as np

from ..core.record import RECORD
from .chunk import Records

Packed = tuple[int, Records]
"""The offset of the seeds, and the records, packed or not."""

_WIDE = ("seed", "expanded", "generated", "microseconds")
_PACKED = np.dtype([(name, np.uint32 if name in _WIDE else RECORD[name]) for name in RECORD.names or ()])


def pack_records(records: Records) -> Packed:
    """Pack ``records`` to 32 bytes each instead of 48; unchanged if a number does not fit."""
    first = int(records["seed"].min()) if len(records) else 0
    shifted = records.copy()
    shifted["seed"] -= np.uint64(first)
    if any((shifted[name] >> 32).any() for name in _WIDE):
        return 0, records
    return first, shifted.astype(_PACKED)


def unpack_records(packed: Packed) -> Records:
    """Undo `pack_records`."""
    first, records = packed
    wide = records.astype(RECORD)
    wide["seed"] += np.uint64(first)
    return wide
