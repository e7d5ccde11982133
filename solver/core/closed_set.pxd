"""Base class of certificates; see closed_set.pyx."""

from libc.stdint cimport uint64_t

from .border cimport Border

cdef enum:
    LONGEST = 512           # greatest length of a line: a position with its justification
    MOST_MOVES = 511        # greatest length of a solution that a certificate can claim to be shortest

cdef enum Outcome:
    CLOSED = 0              # the set contains every position that can be reached
    REFUTED = 1             # a position was reached that the claim rules out, such as a win
    OPEN = 2                # a limit ended the search

cdef extern from *:
    """
    static const char NAMES[54][2] = {
        "AC", "AD", "AH", "AS", "2C", "2D", "2H", "2S", "3C", "3D", "3H", "3S", "4C", "4D", "4H",
        "4S", "5C", "5D", "5H", "5S", "6C", "6D", "6H", "6S", "7C", "7D", "7H", "7S", "8C", "8D",
        "8H", "8S", "9C", "9D", "9H", "9S", "TC", "TD", "TH", "TS", "JC", "JD", "JH", "JS", "QC",
        "QD", "QH", "QS", "KC", "KD", "KH", "KS", "XB", "XR"
    };
    """
    const char NAMES[54][2]     # names of the cards and jokers, indexed by card number

cdef class PositionList(Border):
    cdef int fewest         # claimed length of a shortest solution; 0 for the claim that there is none
    cdef int made           # moves from the start to the positions being added
    cdef uint64_t first_after[MOST_MOVES + 1]   # [n]: number of the first position n moves from the start

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
