# cython: language_level=3
"""The base of all kernels; see kernel.pyx."""

from libc.stdint cimport uint64_t

cdef enum Reason:
    NOTHING = 0
    NODES = 1
    SECONDS = 2
    MEMORY = 3
    INTERRUPTED = 4

cdef enum:
    POLL_MASK = 4095        # the clock and the signals are looked at every 4,096 nodes


cdef class Kernel:
    cdef readonly uint64_t expanded     # states whose successors were produced
    cdef readonly uint64_t generated    # successors produced, new or not
    cdef Reason reason                  # what ended the search early
    cdef uint64_t max_nodes
    cdef uint64_t max_bytes
    cdef double max_seconds
    cdef double deadline                # of time.monotonic(); negative for none
    cdef volatile bint stopped

    cdef void set_limits(self, limits) except *
    cdef bint begin(self) noexcept nogil
    cdef bint poll(self) noexcept nogil


cdef inline bint may_expand(Kernel kernel) noexcept nogil:
    """Count one more expanded node; false, with the reason noted, if a limit forbids it."""
    if kernel.expanded >= kernel.max_nodes:
        kernel.reason = NODES
        return False
    if kernel.expanded & POLL_MASK == POLL_MASK and not kernel.poll():
        return False
    kernel.expanded += 1
    return True
