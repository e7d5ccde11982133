"""Positions listed for a certificate: found by a family, numbered in the order of discovery, written as text.

A set that contains the start, is closed under legal moves and contains no win is an inductive invariant: it
proves that the start cannot be won. The checkers in `checker/` verify it position by position.

The struct of a family begins with a `PositionList`, whose functions it sets. A certificate of a shortest
solution counts moves: positions are then added in order of their distance from the start, ``first_after``
holds the first number of each distance, and each line states how many moves a win still needs.
"""

from libc.stdint cimport uint64_t, uint8_t
from libc.stdio cimport snprintf
from libc.string cimport memcmp, memcpy, memset

from .desk cimport Desk
from winnable.solver.core.kernel cimport Kernel

cdef enum:
    LONGEST_ROW = 512      # greatest length of a line: a position with its justification
    MOST_CLAIMED = 511      # greatest length of a solution that a certificate can claim to be shortest
    MOST_TEXTS = 104        # texts that `write_sorted` can sort

cdef enum Closure:
    IS_CLOSED = 0           # the set contains every position that can be reached
    REFUTED = 1             # a position was reached that the claim rules out, such as a win
    CUT_SHORT = 2           # a limit ended the search

cdef extern from *:
    """
    static const char CARD_NAMES[54][2] = {
        "AC", "AD", "AH", "AS", "2C", "2D", "2H", "2S", "3C", "3D", "3H", "3S", "4C", "4D", "4H",
        "4S", "5C", "5D", "5H", "5S", "6C", "6D", "6H", "6S", "7C", "7D", "7H", "7S", "8C", "8D",
        "8H", "8S", "9C", "9D", "9H", "9S", "TC", "TD", "TH", "TS", "JC", "JD", "JH", "JS", "QC",
        "QD", "QH", "QS", "KC", "KD", "KH", "KS", "XB", "XR"
    };
    """
    const char CARD_NAMES[54][2]    # names of the cards and jokers, indexed by card number

cdef struct PositionList

# Load a position that was checked; ``plain`` does without the lemmas that can be left out. Returns NULL, or
# what is wrong with the position, in words.
ctypedef const char* (*LoadPosition)(PositionList* self, const Desk* desk, bint plain) noexcept nogil
# Find all positions that can be reached from the one that was loaded.
ctypedef Closure (*Close)(PositionList* self) noexcept nogil
ctypedef uint64_t (*CountPositions)(const PositionList* self) noexcept nogil
# Write position ``number`` as text of at most LONGEST_ROW characters; return the length.
ctypedef int (*WritePosition)(PositionList* self, char* line, uint64_t number) noexcept nogil
ctypedef void (*FreePositions)(PositionList* self) noexcept nogil

cdef struct PositionList:
    Kernel kernel           # the first field
    int game                # number of the game in its family, as in winnable.c
    int claimed             # the score, or the length of a shortest solution; 0: that there is none
    int made                # moves from the start to the positions being added
    uint64_t first_after[MOST_CLAIMED + 1]  # [n]: number of the first position n moves from the start
    bint has_fault          # an array of fixed size was too small
    LoadPosition load
    Close close
    CountPositions count
    WritePosition write
    WritePosition write_start   # NULL where position 0 is the start; else it ignores the number
    FreePositions free


# --- Moves counted ------------------------------------------------------------------------------------------

cdef inline void begin_layers(PositionList* self) noexcept nogil:
    """Reset the distances: the positions added now are 0 moves from the start."""
    memset(self.first_after, 0, sizeof(self.first_after))
    self.made = 0


cdef inline void note_layer(PositionList* self, uint64_t number) noexcept nogil:
    """Note that position ``number`` is expanded next. If it is the first one of its distance from the start,
    the positions added from now on are one move farther than those added before."""
    if self.claimed and number == self.first_after[self.made]:
        self.made += 1
        self.first_after[self.made] = self.count(self)


cdef inline int moves_to(const PositionList* self, uint64_t number) noexcept nogil:
    """The distance of position ``number`` from the start, in moves."""
    cdef int moves = 0
    while moves + 1 < self.made and number >= self.first_after[moves + 1]:
        moves += 1
    return moves


# --- Text ---------------------------------------------------------------------------------------------------

cdef inline int write_sorted(
    char* line, int length, const char* texts, int width, const int* sizes, int count
) noexcept nogil:
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


cdef inline int write_text(char* line, int length, const char* text) noexcept nogil:
    """Append a text that ends with a zero byte to a line of ``length`` characters; return the new length."""
    while text[0] != 0:
        line[length] = text[0]
        length += 1
        text += 1
    return length


cdef inline int write_number(char* line, int number) noexcept nogil:
    """Write ``number`` and a space to the start of ``line``; return the length."""
    return snprintf(line, LONGEST_ROW, b"%d ", number)
