"""Certificates of Klondike with redeals: a set of classes of states closed under all moves.

A class is that of the game with the relaxed stock where that is lost too, and else of the game itself. The
labels of the search tell which; neither they nor the search of the classes has to be trusted, since the
checker makes all moves again. Theorems K1 to K5 and K11 of docs/theory/klondike.md spare the others.
"""

# optimised: making a certificate is to cost little beside the search

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from ..core.closed_set cimport CLOSED, LONGEST, NAMES, OPEN, REFUTED, Outcome, PositionList, write_text
from ..core.hash_set cimport (Explored, add_record, explored_bytes, find_record, free_explored, open_explored,
                              record_at)
from ..core.kernel cimport MEMORY, may_expand
from .line cimport Desk, load_state
from .search cimport (LOST, Search, Verdict, begin_search, decide_labelled, decide_relaxed, free_search,
                      macro_moves_within, search_bytes)
from .search cimport OPEN as UNDECIDED
from .state cimport (MOST_CHILDREN, SLOTS_AT, Layout, Position, children_of, left_by, make_safe_moves,
                     may_win, raised_in, safe_cards, unpack, unwasted)

cdef enum:
    RELAXED = 127           # in the field of the waste: the relaxed stock
    MOST_SEQUENCES = 4096
    MOST_MOVES = 32768

cdef const char* DIGITS = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@cython.final
cdef class ClosedSet(PositionList):
    """The classes that can be reached from a state that is lost, within ``limits``."""

    cdef Layout layout
    cdef Desk desk
    cdef uint64_t root
    cdef Search found           # labels of the game with the relaxed stock
    cdef bint has_labels
    cdef Explored classes
    cdef uint64_t* parked
    cdef uint64_t* keys

    def __cinit__(self):
        begin_search(&self.found)
        memset(&self.classes, 0, sizeof(Explored))
        self.parked = <uint64_t*>malloc(MOST_SEQUENCES * sizeof(uint64_t))
        self.keys = <uint64_t*>malloc(MOST_MOVES * sizeof(uint64_t))
        if self.parked == NULL or self.keys == NULL:
            raise MemoryError

    def __dealloc__(self):
        free_search(&self.found)
        free_explored(&self.classes)
        free(self.parked)
        free(self.keys)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.classes.count

    def explore(self, state, bint plain):
        """Find all classes that ``state`` leads to; false at a limit. Raises RuntimeError if one wins."""
        load_state(&self.desk, &self.layout, &self.root, state)
        free_explored(&self.classes)
        self.has_labels = False
        return self.find_all(None)

    cdef Outcome close(self) noexcept nogil:
        """Make every move of every class that is not a dead end."""
        cdef uint32_t codes[MOST_CHILDREN]
        cdef Position p
        cdef Outcome outcome
        cdef uint64_t key
        cdef uint32_t number = 0
        cdef int i, count
        # The labels may take the other half.
        if not open_explored(&self.classes, sizeof(uint64_t), self.max_bytes // 2):
            self.reason = MEMORY
            return OPEN
        outcome = self.settle(self.root)
        while outcome == CLOSED and number < self.classes.count:
            if not may_expand(self):
                return OPEN
            key = (<uint64_t*>record_at(&self.classes, number))[0]
            unpack(&self.layout, key, &p)
            number += 1
            if self.is_relaxed(key):
                count = macro_moves_within(
                    &self.layout, &p, self.parked, MOST_SEQUENCES, True, self.keys, MOST_MOVES)
                if count < 0:
                    self.reason = MEMORY
                    return OPEN
            else:
                count = children_of(&self.layout, False, &p, self.keys, codes)
            self.generated += count
            for i in range(count):
                outcome = self.settle(self.keys[i])
                if outcome != CLOSED:
                    return outcome
        return outcome

    cdef inline bint is_relaxed(self, uint64_t key) noexcept nogil:
        return key >> self.layout.waste_at & 127 == RELAXED

    cdef Outcome settle(self, uint64_t key) noexcept nogil:
        """Keep a class that a move leads to, or what stands for it, if it is new and no dead end: CLOSED;
        REFUTED if it is won, OPEN if a limit is met."""
        cdef Position p
        cdef Verdict verdict
        cdef uint32_t slot
        cdef bint is_relaxed = self.is_relaxed(key)
        self.raise_safe_cards(&key, &p)
        if p.raised == 4 * self.layout.ranks:
            return REFUTED
        if find_record(&self.classes, <uint8_t*>&key, &slot) or not may_win(&self.layout, is_relaxed, &p):
            return CLOSED
        if not is_relaxed:
            verdict = self.decide(unwasted(&self.layout, key))
            if verdict == UNDECIDED:
                return OPEN
            if verdict == LOST:
                return self.settle(key | <uint64_t>RELAXED << self.layout.waste_at)
        if add_record(&self.classes, <uint8_t*>&key) < 0:
            self.reason = MEMORY
            return OPEN
        return CLOSED

    cdef Verdict decide(self, uint64_t key) noexcept nogil:
        """Decide a class of the game with the relaxed stock."""
        if not self.has_labels:
            self.has_labels = True
            return decide_relaxed(&self.found, self, &self.layout, key)
        self.found.max_bytes = self.max_bytes // 2
        return decide_labelled(&self.found, self, &self.layout, key)

    cdef void raise_safe_cards(self, uint64_t* key, Position* p) noexcept nogil:
        """Make all safe foundation moves from columns, and with the relaxed stock from there."""
        cdef uint64_t found
        if self.is_relaxed(key[0]):
            make_safe_moves(&self.layout, True, key, p, NULL)
            return
        while True:
            unpack(&self.layout, key[0], p)
            found = safe_cards(&self.layout, key[0]) & p.face & p.bare
            if not found:
                return
            key[0] = raised_in(left_by(&self.layout, p, key[0], lowest_bit(found)), lowest_bit(found))

    cdef void note(self) noexcept nogil:
        self.bytes_held = explored_bytes(&self.classes) + search_bytes(&self.found)

    # --- Text ---------------------------------------------------------------------------------------------

    def start(self):
        """The class of the deal as text."""
        cdef char line[LONGEST]
        return line[:self.write_key(line, 0, self.root)].decode().rstrip("\n")

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        cdef int length = write_text(line, 0, b"moves: ")
        return self.write_key(line, length, (<uint64_t*>record_at(&self.classes, <uint32_t>number))[0])

    cdef int write_key(self, char* line, int length, uint64_t key) noexcept nogil:
        """Write a class and the end of its line; the length of the line."""
        cdef const Layout* layout = &self.layout
        cdef int suit, height, column, field = key >> layout.waste_at & 127
        cdef uint64_t slots = key >> SLOTS_AT & layout.all_slots
        for suit in range(4):
            height = key >> 4 * (0x78 >> 2 * suit & 3) & 15
            line[length] = c"-" if height == 0 or not layout.suits >> suit & 1 else NAMES[4 * (height - 1)][0]
            length += 1
        line[length] = c" "
        length += 1
        for column in range(layout.columns):
            line[length] = DIGITS[key >> layout.shift[column] & layout.mask[column]]
            length += 1
        line[length] = c" "
        length += 1
        length += snprintf(line + length, LONGEST - length, b"%x ", <unsigned int>slots)
        if field == RELAXED:
            line[length] = c"*"
            length += 1
        else:
            if layout.passes:
                length += snprintf(line + length, LONGEST - length, b"%d.", field // layout.stride)
                field %= layout.stride
            length += snprintf(line + length, LONGEST - length, b"%d", field)
        line[length] = c"\n"
        return length + 1
