"""What a certificate of the Simon family lists: every state of the relaxation with loose cards that can be
reached.

A state is its stems, each told by what it is, so that equal states have equal records: nothing is hashed.
"""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from .capacity cimport MAX_CARDS, MAX_COLUMNS, MAX_RANKS
from .classes cimport Class, Layout, class_of, read_layout
from .stems cimport stem_below, stem_column
from .loose cimport FIRST_RUN, PARTS, Loose, Part, Stems, generate_loose, set_start
from ..core.closed_set cimport CLOSED, NAMES, OPEN, REFUTED, Outcome, PositionList, write_sorted
from ..core.explored cimport Explored, add_record, explored_bytes, free_explored, open_explored, record_at
from ..core.kernel cimport MEMORY, may_expand
from ..core.memory cimport more_room

from ...rules import check_family
from ...rules import simon as rules

cdef enum:
    MOST_STEMS = 16         # of a record: their numbers in order, 0 where there is none
    RECORD = 2 * MOST_STEMS  # bytes

cdef struct Found:
    Explored states
    uint16_t like[PARTS]        # the first part that is the same stem
    bint won
    bint full                   # memory did not allow something
    uint32_t* waiting           # the numbers of states not expanded yet, the last to be taken first
    uint32_t used
    uint64_t room
    uint64_t max_bytes


@cython.final
cdef class ClosedSet(PositionList):
    """The states of the relaxation that can be reached from a position, within ``limits``."""

    cdef Layout layout
    cdef Loose loose
    cdef Found found
    cdef uint8_t card[PARTS][MAX_CARDS]     # of each part, the deepest first
    cdef uint8_t size[PARTS]

    def __cinit__(self):
        memset(&self.loose, 0, sizeof(Loose))
        memset(&self.found, 0, sizeof(Found))

    def __dealloc__(self):
        free_explored(&self.found.states)
        free(self.found.waiting)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.found.states.count

    def explore(self, state, plain=False):
        """Find all states that can be reached from ``state``, of `rules.simon`; false where a limit ended it.
        Raises ArithmeticError if the relaxation wins: then it proves nothing."""
        cdef Class root
        check_family(state, rules)
        read_layout(&self.layout, state)
        class_of(&root, &self.layout, self.layout.card, self.layout.size)
        set_start(&self.loose, &self.layout, &root)
        self.name_parts()
        free_explored(&self.found.states)
        return self.find_all(
            ArithmeticError("the relaxation with loose cards, of which it would be made, can be won"))

    cdef Outcome close(self) noexcept nogil:
        """Make every move of the relaxation from every state."""
        cdef Stems parent
        self.found.won = self.found.full = False
        self.found.used = 0
        self.found.max_bytes = self.max_bytes
        if not open_explored(&self.found.states, RECORD, self.max_bytes):
            self.reason = MEMORY
            return OPEN
        keep_state(&self.found, &self.loose.start)
        while self.found.used > 0 and not self.found.full and not self.found.won:
            if not may_expand(self):
                return OPEN
            self.found.used -= 1
            self.read(&parent, self.found.waiting[self.found.used])
            generate_loose(&self.loose, &parent, keep_state, &self.found)
        if self.found.won:
            return REFUTED
        if self.found.full:
            self.reason = MEMORY
            return OPEN
        return CLOSED

    cdef void read(self, Stems* state, uint32_t number) noexcept nogil:
        """The state of a number."""
        cdef uint16_t stems[MOST_STEMS]
        memcpy(stems, record_at(&self.found.states, number), RECORD)
        state.count = 0
        state.low = state.high = 0
        state.open = self.loose.open
        while state.count < MAX_COLUMNS and stems[state.count]:
            state.number[state.count] = stems[state.count]
            state.open += self.loose.part[stems[state.count]].open
            state.count += 1

    cdef void note(self) noexcept nogil:
        self.bytes_held = explored_bytes(&self.found.states) + 4 * self.found.room

    # --- Stems ----------------------------------------------------------------------------------------------

    cdef void name_parts(self) noexcept:
        """Note of each part its cards and the first part that is the same."""
        cdef const Part* part
        cdef int number, i
        firsts = {}
        for number in range(PARTS):
            part = &self.loose.part[number]
            self.size[number] = 0
            self.found.like[number] = number
            if number == 0 or part.stem == 0 or (number < FIRST_RUN and number > self.cards_dealt()):
                continue
            if number >= FIRST_RUN and not self.is_run(number):
                continue
            self.found.like[number] = firsts.setdefault(part.stem, number)
            for i in range(stem_below(part.stem)):
                self.card[number][i] = self.layout.card[stem_column(part.stem)][i]
            self.size[number] = stem_below(part.stem) + part.length
            for i in range(part.length):
                self.card[number][self.size[number] - 1 - i] = (
                    4 * (part.end + i) + (part.stem >> 2 * i & 3))

    cdef int cards_dealt(self) noexcept:
        """How many cards the position holds."""
        cdef int column, cards = 0
        for column in range(self.layout.columns):
            cards += self.layout.size[column]
        return cards

    cdef bint is_run(self, int number) noexcept:
        """Whether a part of a column that was empty has a head and a top that the deck has."""
        cdef int head = (number - FIRST_RUN) // MAX_RANKS % MAX_RANKS, end = (number - FIRST_RUN) % MAX_RANKS
        return head < self.layout.ranks and end <= head

    # --- Text -----------------------------------------------------------------------------------------------

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write the line of a state; its length."""
        cdef char texts[MAX_COLUMNS][2 * MAX_CARDS]
        cdef int sizes[MAX_COLUMNS]
        cdef Stems state
        cdef int i, j, part, length = 8
        memcpy(line, b"relaxed: ", 8)
        self.read(&state, number)
        for i in range(state.count):
            part = state.number[i]
            sizes[i] = 2 * self.size[part]
            for j in range(self.size[part]):
                memcpy(texts[i] + 2 * j, NAMES[self.card[part][j]], 2)
        length = write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, state.count)
        line[length] = c"\n"
        return length + 1


cdef bint keep_state(void* context, const Stems* child) noexcept nogil:
    """Keep a state, if it is new; false ends the work."""
    cdef Found* found = <Found*>context
    cdef uint16_t stems[MOST_STEMS]
    cdef uint16_t stem
    cdef uint32_t before
    cdef int i, j
    if child.count == 0:
        found.won = True
        return False
    memset(stems, 0, RECORD)
    for i in range(child.count):
        stem = found.like[child.number[i]]
        j = i
        while j > 0 and stems[j - 1] > stem:
            stems[j] = stems[j - 1]
            j -= 1
        stems[j] = stem
    before = found.states.count
    if add_record(&found.states, <const uint8_t*>stems) < 0:
        found.full = True
        return False
    return found.states.count == before or add_waiting(found, before)


cdef bint add_waiting(Found* found, uint32_t number) noexcept nogil:
    """Let a state wait; false if there is no memory for that."""
    cdef uint64_t room
    if found.used == found.room:
        room = more_room(&found.waiting, found.room, 1024, 4, found.max_bytes - min(
            found.max_bytes, explored_bytes(&found.states)))
        if room == 0:
            found.full = True
            return False
        found.room = room
    found.waiting[found.used] = number
    found.used += 1
    return True
