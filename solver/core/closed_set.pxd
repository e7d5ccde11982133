"""Base class of certificates; see closed_set.pyx."""

from libc.stdint cimport uint64_t

from .kernel cimport Kernel

cdef enum:
    LONGEST = 512           # characters of a position with its reason
    MOST_MOVES = 511        # that a claim may count

cdef enum Outcome:
    CLOSED = 0              # everything that can be reached is there
    REFUTED = 1             # among it is what the claim rules out
    OPEN = 2                # a limit ended it

cdef char NAMES[54][2]      # of cards, jokers too, by their numbers

cdef class PositionList(Kernel):
    cdef int fewest         # the moves that a win takes, as is claimed; 0 where no moves are counted
    cdef int made           # the moves that lead to what is added now
    cdef uint64_t first_after[MOST_MOVES + 1]   # the first position that so many lead to

    cdef void count_moves(self, int fewest) except *
    cdef void begin_layers(self) noexcept nogil
    cdef void note_layer(self, uint64_t number) noexcept nogil
    cdef int moves_to(self, uint64_t number) noexcept nogil
    cdef bint find_all(self, refutation) except *
    cdef Outcome close(self) noexcept nogil
    cdef uint64_t count_positions(self) noexcept nogil
    cdef int write(self, char* line, uint64_t number) noexcept nogil

cdef int write_sorted(
    char* line, int length, const char* texts, int width, const int* sizes, int count) noexcept nogil
cdef int write_text(char* line, int length, const char* text) noexcept nogil
cdef int write_number(char* line, int number) noexcept nogil
