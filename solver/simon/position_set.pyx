"""What a certificate of the Simon family lists where it lists positions of the game: every one that can be
reached or, where moves are counted, through which a line of fewer moves than claimed may lead.

It is no search: all moves of all positions are made, in the order in which these came. Where moves are
counted, which is done with one deck alone, positions are left out whose bound (see listed_bound) shows that
no line through them is shorter. A position is its columns, in their order as bytes: nothing is hashed.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset

from ..core.closed_set cimport (
    CLOSED, NAMES, OPEN, REFUTED, Outcome, PositionList, write_number, write_sorted, write_text,
)
from ..core.column_move cimport count_of, source_of, target_of
from ..core.explored cimport Explored, add_record, explored_bytes, free_explored, open_explored, record_at
from ..core.kernel cimport MEMORY, may_expand
from .capacity cimport MAX_CARDS, MAX_COLUMNS
from .classes cimport Layout, read_layout
from .listed_bound cimport listed_bound
from .position cimport MAX_MOVES, MadeMove, Position, do_move, generate_moves, set_position, undo_move

from ...rules import check_family
from ...rules import simon as rules

cdef enum:
    MOST_BYTES = MAX_CARDS + MAX_COLUMNS + 2    # of a record: cards counted from 1, a 0 after each column


@cython.final
cdef class PositionSet(PositionList):
    """The positions from which a claim might be refuted, within ``limits``."""

    cdef Position position
    cdef Explored found
    cdef uint32_t length    # of a record, a multiple of 8

    def __cinit__(self):
        memset(&self.found, 0, sizeof(Explored))

    def __dealloc__(self):
        free_explored(&self.found)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.found.count

    cdef void note(self) noexcept nogil:
        self.bytes_held = explored_bytes(&self.found)

    def explore(self, state, plain=False, int fewest=0):
        """Find all positions that can be reached from ``state``; false where a limit ended it.

        With ``fewest`` above 0 only those that may be on a line of fewer moves. Raises RuntimeError if one of
        them is won, ValueError for too many moves, or where moves are counted and a card is there twice.
        """
        cdef Layout layout
        check_family(state, rules)
        held = [card for column in state.columns for card in column]
        if fewest and len(set(held)) < len(held):
            raise ValueError("a card is there twice")
        self.count_moves(fewest)
        read_layout(&layout, state)
        set_position(&self.position, &layout)
        self.length = (len(held) + layout.columns + 8) // 8 * 8
        return self.find_all(None)

    cdef Outcome close(self) noexcept nogil:
        """Make every move of every position."""
        cdef uint64_t number = 0
        self.begin_layers()
        if not open_explored(&self.found, self.length, self.max_bytes) or not self.add():
            self.reason = MEMORY
            return OPEN
        while number < self.found.count:
            if not may_expand(self):
                return OPEN
            self.note_layer(number)
            self.read(number)
            number += 1
            if number == 1 and self.is_bound():
                return CLOSED
            if self.position.left == 0:
                return REFUTED
            if not self.expand():
                self.reason = MEMORY
                return OPEN
        return CLOSED

    cdef bint expand(self) noexcept nogil:
        """Keep what the moves of the present position lead to; false if there is no memory for it."""
        cdef uint32_t moves[MAX_MOVES]
        cdef MadeMove step
        cdef int i
        cdef bint fits = True
        for i in range(generate_moves(&self.position, moves)):
            step = do_move(&self.position, source_of(moves[i]), target_of(moves[i]), count_of(moves[i]))
            self.generated += 1
            if not self.fewest or self.made + listed_bound(&self.position) < self.fewest:
                fits = self.add()
            undo_move(&self.position, step)
            if not fits:
                return False
        return True

    cdef bint is_bound(self) noexcept nogil:
        """Whether the bound of the present position, the first, is all that is claimed."""
        return self.fewest and listed_bound(&self.position) >= self.fewest

    cdef bint add(self) noexcept nogil:
        """Keep the present position, if it is new; false if there is no memory for it."""
        cdef const Position* p = &self.position
        cdef uint8_t record[MOST_BYTES]
        cdef int order[MAX_COLUMNS]
        cdef int column, i, used = 0, at = 0
        for column in range(p.columns):
            if p.size[column] == 0:
                continue
            i = used
            while i > 0 and comes_before(p, column, order[i - 1]):
                order[i] = order[i - 1]
                i -= 1
            order[i] = column
            used += 1
        memset(record, 0, sizeof(record))
        for i in range(used):
            for column in range(p.size[order[i]]):
                record[at] = p.card[order[i]][column] + 1
                at += 1
            at += 1
        return add_record(&self.found, record) >= 0

    cdef void read(self, uint64_t number) noexcept nogil:
        """Make the position that of a record."""
        cdef Layout layout
        cdef const uint8_t* record = record_at(&self.found, number)
        cdef int column = 0, at = 0
        memset(layout.size, 0, sizeof(layout.size))
        layout.columns = self.position.columns
        layout.ranks = self.position.ranks
        while record[at] != 0:
            while record[at] != 0:
                layout.card[column][layout.size[column]] = record[at] - 1
                layout.size[column] += 1
                at += 1
            column += 1
            at += 1
        set_position(&self.position, &layout)

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write the line of a position; its length."""
        cdef const Position* p = &self.position
        cdef char texts[MAX_COLUMNS][2 * MAX_CARDS]
        cdef int sizes[MAX_COLUMNS]
        cdef int column, i, used = 0, length = 0
        self.read(number)
        if self.fewest:
            length = write_number(line, self.fewest - self.moves_to(number))
        length = write_text(
            line, length, b"bound:" if number == 0 and self.is_bound() else b"moves:"
        )
        for column in range(p.columns):
            if p.size[column] == 0:
                continue
            for i in range(p.size[column]):
                texts[used][2 * i] = NAMES[p.card[column][i]][0]
                texts[used][2 * i + 1] = NAMES[p.card[column][i]][1]
            sizes[used] = 2 * p.size[column]
            used += 1
        length = write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, used)
        line[length] = c"\n"
        return length + 1


cdef inline bint comes_before(const Position* position, int column, int other) noexcept nogil:
    """Whether one column comes before another: by its cards from the deepest on, then by their number."""
    cdef int size = position.size[column], other_size = position.size[other], order
    order = memcmp(position.card[column], position.card[other], min(size, other_size))
    return order < 0 or (order == 0 and size < other_size)
