"""Test hook: the transposition table as a set of integers."""

from libc.stdint cimport uint64_t

from winnable.solver.core.hash_set cimport (
    ADDED, NO_MEMORY, Table, table_free, table_insert, table_reset,
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
        """Add ``key``; true if it is new. Raises MemoryError at the memory limit, the set unchanged."""
        cdef int outcome = table_insert(&self.table, key & 0xFFFFFFFFFFFFFFFF, key >> 64)
        if outcome == NO_MEMORY:
            raise MemoryError("the table is full")
        return outcome == ADDED

    def add_many(self, uint64_t first, uint64_t count):
        """Add a run of scattered keys without the interpreter; the number that is new."""
        cdef uint64_t i, key, before = self.table.count
        with nogil:
            for i in range(first, first + count):
                key = i * <uint64_t>0x2545F4914F6CDD1D
                if table_insert(&self.table, key, key >> 7) == NO_MEMORY:
                    break
        return self.table.count - before

    def clear(self, megabytes=None):
        """Forget all keys and become small again, with another limit on memory if one is given."""
        table_reset(&self.table, self.table.max_bytes if megabytes is None else <uint64_t>(megabytes * 1e6))
