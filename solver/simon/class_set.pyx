"""What a certificate of the Simon family lists where the relaxation with loose cards proves nothing: every
class of positions that can be reached.

The classes are those of `classes`, and nothing is left out of what freezes. A class is written whole, its
stems and segments in order, so that equal classes have equal records: nothing is hashed.
"""

cimport cython
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .class_moves cimport ALL, Generator, Plan, generate_successors
from .capacity cimport MAX_CARDS, MAX_COLUMNS, MAX_PACKED, MAX_RANKS
from .class_edits cimport copy_class
from .classes cimport Class, Layout, Segment, Stem, class_of, pack, read_layout, unpack
from .stems cimport (
    end_of, head_of, stem_anchor, stem_below, stem_column, stem_length, stem_suits, suit_of,
)
from .stages cimport NO_CAP
from ..core.closed_set cimport (
    CLOSED, NAMES, OPEN, REFUTED, Outcome, PositionList, write_sorted, write_text,
)
from ..core.explored cimport Explored, add_record, explored_bytes, free_explored, open_explored, record_at
from ..core.kernel cimport MEMORY, may_expand

from ...rules import check_family
from ...rules import simon as rules

cdef enum:
    RECORD = (MAX_PACKED + 7) // 8 * 8      # bytes: a class as it is packed, and zeros

cdef struct Found:
    Explored classes
    bint won
    bint full                   # memory did not allow something


@cython.final
cdef class ClassSet(PositionList):
    """The classes that can be reached from a position, within ``limits``."""

    cdef Layout layout
    cdef Generator generator
    cdef Found found

    def __cinit__(self):
        memset(&self.found, 0, sizeof(Found))
        memset(&self.generator, 0, sizeof(Generator))

    def __dealloc__(self):
        free_explored(&self.found.classes)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.found.classes.count

    cdef void note(self) noexcept nogil:
        self.bytes_held = explored_bytes(&self.found.classes)

    def explore(self, state, plain=False):
        """Find all classes that can be reached from ``state``, of `rules.simon`; false where a limit ended
        it. Raises ArithmeticError if one of them is won: then they prove nothing."""
        cdef bint is_closed
        check_family(state, rules)
        read_layout(&self.layout, state)
        is_closed = self.find_all(
            ArithmeticError("the classes of positions, of which it would be made, can be won"))
        if self.generator.fault:
            raise RuntimeError("a class has more segments than there is room for")
        return is_closed

    cdef Outcome close(self) noexcept nogil:
        """Make every move of every class."""
        cdef Class parent
        cdef uint64_t number = 0
        self.found.won = self.found.full = False
        free_explored(&self.found.classes)
        if not open_explored(&self.found.classes, RECORD, self.max_bytes):
            self.reason = MEMORY
            return OPEN
        class_of(&parent, &self.layout, self.layout.card, self.layout.size)
        keep_class(&self.found, &parent, NULL)
        while number < self.found.classes.count and not self.found.full and not self.found.won:
            if not may_expand(self):
                return OPEN
            unpack(&parent, record_at(&self.found.classes, number))
            number += 1
            self.generator.produced = 0
            generate_successors(
                &self.generator, &self.layout, &parent, False, ALL, NO_CAP, keep_class, &self.found
            )
            self.generated += self.generator.produced
            if self.generator.fault:
                return OPEN
        if self.found.won:
            return REFUTED
        if self.found.full:
            self.reason = MEMORY
            return OPEN
        return CLOSED

    # --- Text -----------------------------------------------------------------------------------------------

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write the line of a class, its stems and then its segments; its length."""
        cdef char stems[MAX_COLUMNS][2 * MAX_CARDS]
        cdef char segments[MAX_CARDS][2 * MAX_RANKS]
        cdef int sizes[MAX_CARDS]
        cdef Class state
        cdef int i, length = write_text(line, 0, b"arranged:")
        unpack(&state, record_at(&self.found.classes, number))
        for i in range(state.stems):
            sizes[i] = self.write_stem(stems[i], state.stem[i])
        length = write_sorted(line, length, stems[0], sizeof(stems[0]), sizes, state.stems)
        if state.segments > 0:
            length = write_text(line, length, b" +")
        for i in range(state.segments):
            sizes[i] = write_run(
                segments[i], head_of(state.segment[i]), end_of(state.segment[i]), suit_of(state.segment[i])
            )
        length = write_sorted(line, length, segments[0], sizeof(segments[0]), sizes, state.segments)
        return write_text(line, length, b"\n")

    cdef int write_stem(self, char* text, Stem stem) noexcept nogil:
        """Write the cards of a stem; how many characters."""
        cdef int i, length = 0, cards = stem_length(stem)
        for i in range(stem_below(stem)):
            memcpy(text + length, NAMES[self.layout.card[stem_column(stem)][i]], 2)
            length += 2
        for i in range(cards):
            memcpy(
                text + length,
                NAMES[4 * (stem_anchor(stem) - i) + (stem_suits(stem) >> 2 * (cards - 1 - i) & 3)], 2,
            )
            length += 2
        return length


cdef int write_run(char* text, int head, int end, int suit) noexcept nogil:
    """Write the cards of a run; how many characters."""
    cdef int rank, length = 0
    for rank in range(head, end - 1, -1):
        memcpy(text + length, NAMES[4 * rank + suit], 2)
        length += 2
    return length


cdef bint keep_class(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Keep a class, if it is new; false ends the work."""
    cdef Found* found = <Found*>context
    cdef uint8_t record[RECORD]
    cdef Class ordered
    if child.stems == 0:
        found.won = True
        return False
    copy_class(&ordered, child)
    put_in_order(&ordered)
    memset(record, 0, RECORD)
    pack(&ordered, record)
    if add_record(&found.classes, record) < 0:
        found.full = True
        return False
    return True


cdef void put_in_order(Class* state) noexcept nogil:
    """Sort the stems and the segments."""
    cdef int i, j
    cdef Stem stem
    cdef Segment segment
    for i in range(state.stems):
        stem = state.stem[i]
        j = i
        while j > 0 and state.stem[j - 1] > stem:
            state.stem[j] = state.stem[j - 1]
            j -= 1
        state.stem[j] = stem
    for i in range(state.segments):
        segment = state.segment[i]
        j = i
        while j > 0 and state.segment[j - 1] > segment:
            state.segment[j] = state.segment[j - 1]
            j -= 1
        state.segment[j] = segment
