"""What a certificate of fewest moves of a game with one deck lists: every position through which a line of
fewer moves than claimed may lead.

It is no search: all moves of all positions are made, in the order in which these came; positions are left out
whose bound (see listed_bound) shows that no line through them is shorter. A position is its columns, in the
order of their deepest cards, as bytes: nothing is hashed.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..core.closed_set cimport (
    CLOSED, OPEN, REFUTED, Outcome, PositionList, write_number, write_sorted, write_text,
)
from ..core.column_move cimport count_of, source_of, target_of
from ..core.explored cimport Explored, add_record, explored_bytes, free_explored, open_explored, record_at
from ..core.kernel cimport MEMORY, may_expand
from .capacity cimport KINDS, MAX_COLUMNS
from .classes cimport Layout, read_layout
from .listed_bound cimport listed_bound
from .position cimport MAX_MOVES, MadeMove, Position, do_move, generate_moves, set_position, undo_move

from ...rules import check_family
from ...rules import simon as rules
from ...rules.cards import format_card

cdef enum:
    RECORD = 72             # bytes: cards counted from 1, and a 0 after each column

cdef char NAMES[KINDS][2]
for _number in range(52):
    _name = format_card(_number).encode()
    NAMES[_number][0] = _name[0]
    NAMES[_number][1] = _name[1]


@cython.final
cdef class FewestSet(PositionList):
    """The positions from which a claim of fewest moves might be refuted, within ``limits``."""

    cdef Position position
    cdef Explored found

    def __cinit__(self):
        memset(&self.found, 0, sizeof(Explored))

    def __dealloc__(self):
        free_explored(&self.found)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.found.count

    cdef void note(self) noexcept nogil:
        self.bytes_held = explored_bytes(&self.found)

    def explore(self, state, int fewest):
        """Find all positions that can be reached from ``state`` and may be on a line of less than ``fewest``
        moves; false where a limit ended it.

        Raises RuntimeError if one of them is won, ValueError for too many moves, or cards that are there
        twice.
        """
        cdef Outcome outcome
        cdef Layout layout
        check_family(state, rules)
        held = [card for column in state.columns for card in column]
        if len(set(held)) < len(held):
            raise ValueError("a card is there twice")
        self.count_moves(fewest)
        read_layout(&layout, state)
        set_position(&self.position, &layout)
        outcome = self.find_all()
        if outcome == REFUTED:
            raise RuntimeError(f"a deal that was said to need {fewest} moves takes fewer")
        return outcome == CLOSED

    cdef Outcome close(self) noexcept nogil:
        """Make every move of every position."""
        cdef uint64_t number = 0
        self.begin_layers()
        if not open_explored(&self.found, RECORD, self.max_bytes) or not self.add():
            self.reason = MEMORY
            return OPEN
        while number < self.found.count:
            if not may_expand(self):
                return OPEN
            self.note_layer(number)
            self.read(number)
            number += 1
            if number == 1 and listed_bound(&self.position) >= self.fewest:
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
            if self.made + listed_bound(&self.position) < self.fewest:
                fits = self.add()
            undo_move(&self.position, step)
            if not fits:
                return False
        return True

    cdef bint add(self) noexcept nogil:
        """Keep the present position, if it is new; false if there is no memory for it."""
        cdef const Position* p = &self.position
        cdef uint8_t record[RECORD]
        cdef int by_deepest[KINDS + 1]
        cdef int column, card, i, at = 0
        memset(record, 0, sizeof(record))
        for card in range(KINDS + 1):
            by_deepest[card] = -1
        for column in range(p.columns):
            if p.size[column] > 0:
                by_deepest[p.card[column][0]] = column
        for card in range(KINDS):
            column = by_deepest[card]
            if column < 0:
                continue
            for i in range(p.size[column]):
                record[at] = p.card[column][i] + 1
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
        cdef char texts[MAX_COLUMNS][2 * KINDS]
        cdef int sizes[MAX_COLUMNS]
        cdef int column, i, used = 0, length
        self.read(number)
        length = write_number(line, self.fewest - self.moves_to(number))
        length = write_text(
            line, length, b"bound:" if number == 0 and listed_bound(p) >= self.fewest else b"moves:"
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
