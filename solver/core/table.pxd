"""Transposition table of exact 128-bit keys; see table.pyx."""

from libc.stdint cimport uint16_t, uint64_t

from .bits cimport hash_words

cdef enum:
    KNOWN = 0
    ADDED = 1
    NO_MEMORY = -1
    NOTED = 256             # slots

# One entry, 16 bytes: |63 used|62 .. high key .. 0| and |63 .. low key .. 0|. All zero: free.
cdef struct Entry:
    uint64_t low
    uint64_t high

cdef struct Table:
    Entry* entries
    uint64_t mask           # slots in use - 1
    uint64_t count          # keys held
    uint64_t room           # keys that may still be added before it must grow
    uint64_t allocated      # slots allocated, a power of two
    uint64_t max_bytes      # what `entries` may take, while growing too
    uint16_t filled[NOTED]  # the slots of the first keys, so that few are soon cleared

cdef int table_reset(Table* table, uint64_t max_bytes) noexcept nogil
cdef int table_grow(Table* table) noexcept nogil
cdef void table_free(Table* table) noexcept nogil
cdef uint64_t table_bytes(const Table* table) noexcept nogil


cdef inline uint64_t tagged(uint64_t high) noexcept nogil:
    """The upper half of a key as an entry holds it."""
    return high | <uint64_t>0x8000000000000000


cdef inline uint64_t table_find(const Table* table, uint64_t low, uint64_t tag) noexcept nogil:
    """The slot that holds a key, or the free one where it belongs."""
    cdef uint64_t slot = hash_words(low, tag) & table.mask
    cdef const Entry* entries = table.entries
    while entries[slot].high != 0 and ((entries[slot].high ^ tag) | (entries[slot].low ^ low)) != 0:
        slot = (slot + 1) & table.mask
    return slot


cdef inline int table_insert(Table* table, uint64_t low, uint64_t high) noexcept nogil:
    """Add a key below 2^127: ADDED, KNOWN if it was there, NO_MEMORY if the table cannot grow."""
    cdef uint64_t tag = tagged(high)
    cdef uint64_t slot = table_find(table, low, tag)
    if table.entries[slot].high != 0:
        return KNOWN
    if table.room == 0:
        if not table_grow(table):
            return NO_MEMORY
        slot = table_find(table, low, tag)
    table.entries[slot].low = low
    table.entries[slot].high = tag
    if table.count < NOTED:
        table.filled[table.count] = <uint16_t>slot
    table.count += 1
    table.room -= 1
    return ADDED
