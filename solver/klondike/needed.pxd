"""A lower bound of the moves that a position needs; see needed.pyx."""

from libc.stdint cimport uint64_t

from .table cimport Start, Table

cdef int cards_left(const Start* start, const Table* t) noexcept nogil
cdef int stock_needs(const Start* start, const Table* t, int count, int waste, int redeals) noexcept nogil
cdef int columns_need(const Start* start, const Table* t) noexcept nogil
cdef int others_need(const Start* start, const Table* t) noexcept nogil


cdef inline int column_needs(const Start* start, int column, int left, uint64_t run) noexcept nogil:
    """What a column adds of which so many dealt cards are left, the face-up cards being ``run``."""
    return start.waiting[column][left] + ((run & start.over[column][left]) != 0)
