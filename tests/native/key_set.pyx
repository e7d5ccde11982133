"""Test hook: the transposition table as a set of integers, and the set of numbered records."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from winnable.solver.core.hash_set cimport (
    ADDED, NO_MEMORY, Explored, Table, explored_bytes, find_or_add, free_explored, open_keyed, record_at,
    table_free, table_insert, table_reset,
)


cdef class KeySet:
    """A transposition table of integers below 2^127."""

    cdef Table table

    def __cinit__(self, double megabytes=1024.0):
        if not table_reset(&self.table, <uint64_t>(megabytes * 1e6)):
            raise MemoryError(f"expected memory for a table, got {megabytes} megabytes")

    def __dealloc__(self):
        table_free(&self.table)

    def __len__(self):
        return self.table.count

    @property
    def slots(self):
        """The number of slots in use."""
        return self.table.mask + 1

    def add(self, key):
        """Add ``key``; return whether it is new. Raises MemoryError, changing nothing, at the limit."""
        cdef int outcome = table_insert(&self.table, key & 0xFFFFFFFFFFFFFFFF, key >> 64)
        if outcome == NO_MEMORY:
            raise MemoryError("the table is full")
        return outcome == ADDED

    def add_many(self, uint64_t first, uint64_t count):
        """Add a run of scattered keys without the interpreter; return the number of new ones."""
        cdef uint64_t i, key, before = self.table.count
        with nogil:
            for i in range(first, first + count):
                key = i * <uint64_t>0x2545F4914F6CDD1D
                if table_insert(&self.table, key, key >> 7) == NO_MEMORY:
                    break
        return self.table.count - before

    def clear(self, megabytes=None):
        """Remove all keys and shrink to the initial size, with another limit on memory if one is given."""
        table_reset(&self.table, self.table.max_bytes if megabytes is None else <uint64_t>(megabytes * 1e6))


cdef class Numbered:
    """A set of records of a key and a value, integers below 2^64."""

    cdef Explored explored

    def __cinit__(self, uint64_t most_bytes):
        memset(&self.explored, 0, sizeof(Explored))
        if not open_keyed(&self.explored, 16, 8, most_bytes):
            raise MemoryError(f"expected memory for a set, got {most_bytes} bytes")

    def __dealloc__(self):
        free_explored(&self.explored)

    def __len__(self):
        return self.explored.count

    @property
    def held_bytes(self):
        """The memory in use."""
        return explored_bytes(&self.explored)

    @property
    def share_taken(self):
        """The share of the slots that is taken."""
        return self.explored.count / (self.explored.slot_mask + 1)

    def add(self, uint64_t key, uint64_t value):
        """The number of the record with ``key``, which is added unless it is there. Raises MemoryError at the
        memory limit, the set unchanged."""
        cdef uint64_t[2] record = [key, value]
        cdef uint32_t number
        if find_or_add(&self.explored, <const uint8_t*>record, &number) < 0:
            raise MemoryError("the set is full")
        return number

    def record(self, uint32_t number):
        """The key and the value of record ``number``."""
        cdef const uint64_t* record = <const uint64_t*>record_at(&self.explored, number)
        return record[0], record[1]
