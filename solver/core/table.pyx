"""Transposition table: a set of exact 128-bit keys, open addressing, linear probing, at most 60 % full.

It starts small, so that clearing it for the next deal costs little, and doubles when full. Where few keys are
held, it is known in which slots, and only these are cleared.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    FIRST_SLOTS = 4096
    LEAST_SLOTS = 2048      # where there is no memory for more
    KEPT_SLOTS = 65536      # a larger table is given back before the next deal


cdef uint64_t room_of(uint64_t slots) noexcept nogil:
    """The number of keys that ``slots`` slots hold before the table grows."""
    return slots * 3 // 5


cdef int table_reset(Table* table, uint64_t max_bytes) noexcept nogil:
    """Make the table empty and small, allocating it on first use. Returns 0 if memory does not allow it."""
    cdef uint64_t slots = FIRST_SLOTS if max_bytes >= FIRST_SLOTS * sizeof(Entry) else LEAST_SLOTS
    cdef uint64_t i
    table.max_bytes = max_bytes
    if max_bytes < slots * sizeof(Entry):
        return 0
    if not slots <= table.allocated <= KEPT_SLOTS:
        table_free(table)
    if table.entries == NULL:
        table.entries = <Entry*>calloc(slots, sizeof(Entry))
        if table.entries == NULL:
            return 0
        table.allocated = slots
    elif table.count > NOTED:
        memset(table.entries, 0, slots * sizeof(Entry))
    else:
        for i in range(table.count):
            table.entries[table.filled[i]].high = 0
    table.mask = slots - 1
    table.count = 0
    table.room = room_of(slots)
    return 1


cdef int table_grow(Table* table) noexcept nogil:
    """Double the slots in use. Returns 0, with nothing changed, if memory does not allow it."""
    cdef uint64_t held = table.mask + 1
    if 3 * held * sizeof(Entry) > table.max_bytes:      # whether or not they are allocated already
        return 0
    if 2 * held <= table.allocated:
        spread_out(table)
        return 1
    return move_out(table)


cdef void spread_out(Table* table) noexcept nogil:
    """Double the slots in use where they are allocated already.

    Each key is taken out and put where it belongs now, beginning behind a free slot, so that those before it
    in its row of neighbours have gone before: what it passes by then moves no more.
    """
    cdef uint64_t held = table.mask + 1, free_slot = 0, slot, i
    cdef Entry entry
    while table.entries[free_slot].high != 0:
        free_slot += 1
    memset(table.entries + held, 0, held * sizeof(Entry))
    table.mask = 2 * held - 1
    for i in range(1, held):
        slot = (free_slot + i) & (held - 1)
        entry = table.entries[slot]
        if entry.high != 0:
            table.entries[slot].high = 0
            table.entries[table_find(table, entry.low, entry.high)] = entry
    table.room = room_of(2 * held) - table.count


cdef int move_out(Table* table) noexcept nogil:
    """Double the slots in a new place. Returns 0, with nothing changed, if there is no memory."""
    cdef uint64_t held = table.mask + 1
    cdef Table grown = table[0]
    cdef uint64_t i
    grown.entries = <Entry*>calloc(2 * held, sizeof(Entry))
    if grown.entries == NULL:
        return 0
    grown.mask = 2 * held - 1
    grown.allocated = 2 * held
    grown.room = room_of(2 * held) - table.count
    for i in range(held):
        if table.entries[i].high != 0:
            grown.entries[table_find(&grown, table.entries[i].low, table.entries[i].high)] = table.entries[i]
    free(table.entries)
    table[0] = grown
    return 1


cdef void table_free(Table* table) noexcept nogil:
    """Give the memory back."""
    free(table.entries)
    table.entries = NULL
    table.allocated = 0


cdef uint64_t table_bytes(const Table* table) noexcept nogil:
    """The bytes held."""
    return table.allocated * sizeof(Entry) if table.entries != NULL else 0


cdef class KeySet:
    """A Python door to the table, for tests and benchmarks: a set of integers below 2^127."""

    cdef Table table

    def __cinit__(self, double megabytes=1024.0):
        if not table_reset(&self.table, <uint64_t>(megabytes * 1e6)):
            raise MemoryError(f"{megabytes} megabytes hold no table")

    def __dealloc__(self):
        table_free(&self.table)

    def __len__(self):
        return self.table.count

    @property
    def slots(self):
        """The number of slots in use."""
        return self.table.mask + 1

    def add(self, key):
        """Add ``key``: whether it is new. Raises MemoryError at the memory limit, the set unchanged."""
        cdef int outcome = table_insert(&self.table, key & 0xFFFFFFFFFFFFFFFF, key >> 64)
        if outcome == NO_MEMORY:
            raise MemoryError("the table is full")
        return outcome == ADDED

    def add_many(self, uint64_t first, uint64_t count):
        """Add a run of scattered keys without the interpreter: how many are new."""
        cdef uint64_t i, key, before = self.table.count
        with nogil:
            for i in range(first, first + count):
                key = i * <uint64_t>0x2545F4914F6CDD1D
                if table_insert(&self.table, key, key >> 7) == NO_MEMORY:
                    break
        return self.table.count - before

    def clear(self):
        """Forget all keys and become small again."""
        table_reset(&self.table, self.table.max_bytes)
