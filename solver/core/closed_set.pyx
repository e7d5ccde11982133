"""Base class of certificates: closed sets of positions, found within limits and written as lines."""

# optimised: making a certificate is to cost little beside the search

from libc.stdint cimport uint8_t
from libc.stdio cimport snprintf
from libc.string cimport memcmp, memcpy, memset

from .kernel cimport SEARCH
from .work cimport CERTIFIED

from ...rules.cards import format_card

for _number in range(54):
    _name = format_card(_number).encode()
    NAMES[_number][0] = _name[0]
    NAMES[_number][1] = _name[1]

cdef enum:
    CHUNK = 65536           # of characters at a time
    MOST_TEXTS = 104        # that one line puts in order


cdef class PositionList(Kernel):
    """The positions that can be reached from one, numbered in the order in which they came.

    A family overrides `close`, `count_positions` and `write`. Where moves are counted, the positions come in
    the order of the moves that lead to them, which ``first_after`` counts; what is written with each is
    how many are still needed.
    """

    def __init__(self, limits):
        self.set_limits(limits)

    def __len__(self):
        return self.count_positions()

    cdef bint find_all(self, refutation) except *:
        """Run `close`; false where a limit ended it. Raises ``refutation`` if the claim is refuted, or where
        that is None a RuntimeError; and what the handler of a signal raised."""
        cdef Outcome outcome = OPEN
        with nogil:
            if self.begin():
                self.begin_stage(SEARCH, CERTIFIED)
                outcome = self.close()
        self.raise_error()
        if outcome == REFUTED:
            raise refutation or RuntimeError(
                f"a deal that was said to need {self.fewest} moves takes fewer" if self.fewest
                else "a deal that was called unwinnable can be won")
        return outcome == CLOSED

    cdef Outcome close(self) noexcept nogil:
        """Find the positions."""
        return OPEN

    cdef uint64_t count_positions(self) noexcept nogil:
        """The number of positions found."""
        return 0

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write the line of a position, at most LONGEST characters; its length."""
        return 0

    # --- Moves counted ------------------------------------------------------------------------------------

    cdef void count_moves(self, int fewest) except *:
        """Claim that a win takes ``fewest`` moves, 0 for no claim. Raises ValueError for too many."""
        if not 0 <= fewest <= MOST_MOVES:
            raise ValueError(f"expected up to {MOST_MOVES} moves, got {fewest}")
        self.fewest = fewest
        self.made = 0

    cdef void begin_layers(self) noexcept nogil:
        """No moves lead to what is added now."""
        memset(self.first_after, 0, sizeof(self.first_after))
        self.made = 0

    cdef void note_layer(self, uint64_t number) noexcept nogil:
        """Position ``number`` is looked at next: where more moves lead to it than to the last one, so they do
        to what is added from now on."""
        if self.fewest and number == self.first_after[self.made]:
            self.made += 1
            self.first_after[self.made] = self.count_positions()

    cdef int moves_to(self, uint64_t number) noexcept nogil:
        """The fewest moves that lead to a position."""
        cdef int moves = 0
        while moves + 1 < self.made and number >= self.first_after[moves + 1]:
            moves += 1
        return moves

    # --- Text ---------------------------------------------------------------------------------------------

    def start(self):
        """The first position as text, without its reason."""
        cdef char line[LONGEST]
        return line[:self.write(line, 0)].decode().split(": ")[1].rstrip("\n")

    def lines_from(self, uint64_t number):
        """Position ``number`` and some later ones as lines of text, each after its reason: some thousand
        characters, and the number that comes after them."""
        cdef char chunk[CHUNK + LONGEST]
        cdef int length = 0
        cdef uint64_t count = self.count_positions()
        while number < count and length < CHUNK:
            length += self.write(chunk + length, number)
            number += 1
        return chunk[:length], number


cdef int write_sorted(
        char* line, int length, const char* texts, int width, const int* sizes, int count) noexcept nogil:
    """Write ``count`` texts in their order, at most MOST_TEXTS, each after a space; the length of the line.

    They lie ``width`` characters apart.
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
    """Test if one text sorts before another; the first two characters, a card, mostly decide."""
    cdef int order = <int><uint8_t>text[0] - <int><uint8_t>other[0]
    if order == 0:
        order = <int><uint8_t>text[1] - <int><uint8_t>other[1]
    if order == 0:
        order = memcmp(text, other, min(size, other_size))
    return order < 0 or (order == 0 and size < other_size)


cdef int write_text(char* line, int length, const char* text) noexcept nogil:
    """Write a text at the end of a line; its length then."""
    while text[0] != 0:
        line[length] = text[0]
        length += 1
        text += 1
    return length


cdef int write_number(char* line, int number) noexcept nogil:
    """Begin a line with a number and a space; its length then."""
    return snprintf(line, LONGEST, b"%d ", number)
