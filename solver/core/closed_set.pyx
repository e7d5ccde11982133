"""Base class of the makers of certificates: a closed set of positions, searched for and written as text.

A set that contains the start, is closed under legal moves and contains no win is an inductive invariant: it
proves that the start cannot be won. The checkers in `checker/` verify it position by position.
"""

# optimised: making a certificate must cost little compared with the search

from libc.stdint cimport uint8_t
from libc.stdio cimport snprintf
from libc.string cimport memcmp, memcpy, memset

from .border cimport Border
from .kernel cimport SEARCH, begin, begin_stage
from .work cimport CERTIFIED

from ..diagnostics import WrongAnswer

cdef enum:
    CHUNK = 65536           # characters that `lines_from` returns at once, about
    MOST_TEXTS = 104        # texts that `write_sorted` can sort


cdef class PositionList(Border):
    """The positions that can be reached from a start position, numbered in the order of discovery.

    A family of games overrides `close`, `count_positions` and `write`. A certificate of a shortest solution
    counts moves: positions are then added in order of their distance from the start, ``first_after`` holds
    the first number of each distance, and each line states how many moves a win still needs.
    """

    def __init__(self, limits):
        self.set_limits(limits)

    def __len__(self):
        return self.count_positions()

    cdef bint find_all(self, refutation) except *:
        """Run `close`. Returns True if the set is closed, False if a limit ended the search.

        Raises ``refutation``, or a WrongAnswer if that is None, if the claim is refuted. An exception from
        a signal handler during the search is raised again.
        """
        cdef Outcome outcome = OPEN
        with nogil:
            if begin(self.kernel):
                begin_stage(self.kernel, SEARCH, CERTIFIED)
                outcome = self.close()
        self.raise_error()
        if outcome == REFUTED:
            raise refutation or WrongAnswer(
                f"a deal that was said to need {self.fewest} moves takes fewer" if self.fewest
                else "a deal that was called unwinnable can be won")
        return outcome == CLOSED

    cdef Outcome close(self) noexcept nogil:
        """Find all positions that can be reached from the start."""
        return OPEN

    cdef uint64_t count_positions(self) noexcept nogil:
        """The number of positions found."""
        return 0

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write position ``number`` as text of at most LONGEST characters to ``line``; return the length."""
        return 0

    # --- Moves counted ------------------------------------------------------------------------------------

    cdef void count_moves(self, int fewest) except *:
        """Set the claimed length of a shortest solution; 0 claims that the deal is unwinnable.

        Raises ValueError if ``fewest`` is negative or above MOST_MOVES.
        """
        if not 0 <= fewest <= MOST_MOVES:
            raise ValueError(f"expected up to {MOST_MOVES} moves, got {fewest}")
        self.fewest = fewest
        self.made = 0

    cdef void begin_layers(self) noexcept nogil:
        """Reset the distances: the positions added now are 0 moves from the start."""
        memset(self.first_after, 0, sizeof(self.first_after))
        self.made = 0

    cdef void note_layer(self, uint64_t number) noexcept nogil:
        """Note that position ``number`` is expanded next. If it is the first one of its distance from the
        start, the positions added from now on are one move farther than those added before."""
        if self.fewest and number == self.first_after[self.made]:
            self.made += 1
            self.first_after[self.made] = self.count_positions()

    cdef int moves_to(self, uint64_t number) noexcept nogil:
        """The distance of position ``number`` from the start, in moves."""
        cdef int moves = 0
        while moves + 1 < self.made and number >= self.first_after[moves + 1]:
            moves += 1
        return moves

    # --- Text ---------------------------------------------------------------------------------------------

    def start(self):
        """The start position as text, without its justification."""
        cdef char line[LONGEST]
        return line[:self.write(line, 0)].decode().split(": ")[1].rstrip("\n")

    def lines_from(self, uint64_t number):
        """Lines of text from position ``number`` on, each with its justification first.

        Returns about CHUNK characters as bytes, and the number of the next position.
        """
        cdef char chunk[CHUNK + LONGEST]
        cdef int length = 0
        cdef uint64_t count = self.count_positions()
        while number < count and length < CHUNK:
            length += self.write(chunk + length, number)
            number += 1
        return chunk[:length], number


cdef int write_sorted(
        char* line, int length, const char* texts, int width, const int* sizes, int count) noexcept nogil:
    """Append ``count`` texts to ``line`` in alphabetical order, each after a space; return the new length.

    The texts are at most MOST_TEXTS; text i starts at ``texts + i * width`` and has ``sizes[i]`` characters.
    ``length`` is the number of characters that ``line`` has already.
    """
    cdef int i, j
    cdef int order[MOST_TEXTS]
    for i in range(count):
        j = i
        while j > 0 and comes_before(
                texts + i * width, sizes[i], texts + order[j - 1] * width, sizes[order[j - 1]]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    for i in range(count):
        line[length] = c" "
        memcpy(line + length + 1, texts + order[i] * width, sizes[order[i]])
        length += 1 + sizes[order[i]]
    return length


cdef inline bint comes_before(const char* text, int size, const char* other, int other_size) noexcept nogil:
    """Test if ``text`` sorts before ``other``. Their first two characters, a card, are compared first."""
    cdef int order = <int><uint8_t>text[0] - <int><uint8_t>other[0]
    if order == 0:
        order = <int><uint8_t>text[1] - <int><uint8_t>other[1]
    if order == 0:
        order = memcmp(text, other, min(size, other_size))
    return order < 0 or (order == 0 and size < other_size)


cdef int write_text(char* line, int length, const char* text) noexcept nogil:
    """Append a text that ends with a zero byte to a line of ``length`` characters; return the new length."""
    while text[0] != 0:
        line[length] = text[0]
        length += 1
        text += 1
    return length


cdef int write_number(char* line, int number) noexcept nogil:
    """Write ``number`` and a space to the start of ``line``; return the length."""
    return snprintf(line, LONGEST, b"%d ", number)
