"""Certificates of Klondike with redeals: a set of classes of states closed under all moves.

A class belongs to the game with the relaxed stock if it is lost there too, otherwise to the real game; the
labels of `search` determine which. Classes that are dead ends (K5) are left out, and K1 to K4 and K11 of
docs/theory/klondike.md reduce the number of classes and moves.

Soundness does not depend on this module or on the labels: `checker` makes all moves again.
"""

# optimised: making a certificate should cost little compared with the search

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from ..core.closed_set cimport CLOSED, LONGEST, NAMES, OPEN, REFUTED, Outcome, PositionList, write_text
from ..core.desk cimport Desk, read_klondike
from ..core.hash_set cimport (Explored, add_record, explored_bytes, find_record, free_explored, open_explored,
                              record_at)
from ..core.kernel cimport MEMORY, may_expand
from .position cimport Position, load_desk, open_classes
from .search cimport (LOST, Search, Verdict, begin_search, decide_labelled, decide_relaxed, free_search,
                      macro_moves_within, search_bytes)
from .search cimport OPEN as UNDECIDED
from .state cimport (MOST_CHILDREN, SLOTS_AT, ClassPosition, Layout, children_of, left_by, make_safe_moves,
                     may_win, raised_in, safe_cards, unpack, unwasted)

from ...rules import check_implemented

VALUES = {
    "draw": ("1", "2", "3", "4", "5", "6", "7"),
    "passes": ("unlimited", "1", "2", "3", "4", "5"),
    "worrying_back": ("yes", "no"),
}
IMPLEMENTS = dict.fromkeys(("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one"), VALUES)
"""The games and values of rule options of which certificates are made: see `rules.choices.Implemented`."""

cdef enum:
    RELAXED = 127           # value of the field of the waste in keys of the relaxed stock
    MOST_SEQUENCES = 4096
    MOST_MOVES = 32768

cdef extern from *:
    """
    static const char DIGITS[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    """
    const char* DIGITS


@cython.final
cdef class ClosedSet(PositionList):
    """Set of the classes that can be reached from a lost state. Built within ``limits``."""

    cdef Layout layout
    cdef Position desk
    cdef uint64_t root
    cdef Search found           # labels of positions with the relaxed stock
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
        """Build the set from ``state``; ``plain`` has no effect. Returns False if a limit ended it. Raises
        RuntimeError if a class is won."""
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        read_klondike(&desk, state)
        load_desk(&self.desk, &desk)
        if not open_classes(&self.layout, &self.desk, &self.root):
            raise ValueError(
                f"expected a key of at most 64 bits, got {self.desk.slot_count} cards beside such columns")
        free_explored(&self.classes)
        self.has_labels = False
        return self.find_all(None)

    cdef Outcome close(self) noexcept nogil:
        """Expand all classes by all moves. Returns CLOSED, OPEN at a limit, or REFUTED if a class is won."""
        cdef uint32_t codes[MOST_CHILDREN]
        cdef ClassPosition p
        cdef Outcome outcome
        cdef uint64_t key
        cdef uint32_t number = 0
        cdef int i, count
        # The other half is for the labels.
        if not open_explored(&self.classes, sizeof(uint64_t), self.kernel.limits.bytes // 2):
            self.kernel.reason = MEMORY
            return OPEN
        outcome = self.settle(self.root)
        while outcome == CLOSED and number < self.classes.count:
            if not may_expand(self.kernel):
                return OPEN
            key = (<uint64_t*>record_at(&self.classes, number))[0]
            unpack(&self.layout, key, &p)
            number += 1
            if self.is_relaxed(key):
                count = macro_moves_within(
                    &self.layout, &p, self.parked, MOST_SEQUENCES, True, self.keys, MOST_MOVES)
                if count < 0:
                    self.kernel.reason = MEMORY
                    return OPEN
            else:
                count = children_of(&self.layout, False, &p, self.keys, codes)
            self.kernel.generated += count
            for i in range(count):
                outcome = self.settle(self.keys[i])
                if outcome != CLOSED:
                    return outcome
        return outcome

    cdef inline bint is_relaxed(self, uint64_t key) noexcept nogil:
        return key >> self.layout.waste_at & 127 == RELAXED

    cdef Outcome settle(self, uint64_t key) noexcept nogil:
        """Store the class ``key`` after safe foundation moves, as a class of the relaxed stock if it is lost
        there, unless it is stored already or a dead end. Returns CLOSED, REFUTED if it is won, OPEN at a
        limit."""
        cdef ClassPosition p
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
            self.kernel.reason = MEMORY
            return OPEN
        return CLOSED

    cdef Verdict decide(self, uint64_t key) noexcept nogil:
        """Decide the class ``key`` of the game with the relaxed stock. Returns UNDECIDED at a limit."""
        if not self.has_labels:
            self.has_labels = True
            return decide_relaxed(&self.found, self.kernel, &self.layout, key)
        self.found.max_bytes = self.kernel.limits.bytes // 2
        return decide_labelled(&self.found, self.kernel, &self.layout, key)

    cdef void raise_safe_cards(self, uint64_t* key, ClassPosition* p) noexcept nogil:
        """Make all safe foundation moves from columns and, in the relaxed stock, also from slots. Updates
        ``key`` and unpacks it to ``p``."""
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
        self.kernel.bytes_held = explored_bytes(&self.classes) + search_bytes(&self.found)

    # --- Text ---------------------------------------------------------------------------------------------

    def start(self):
        """Return the class of the deal as text."""
        cdef char line[LONGEST]
        return line[:self.write_key(line, 0, self.root)].decode().rstrip("\n")

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        cdef int length = write_text(line, 0, b"moves: ")
        return self.write_key(line, length, (<uint64_t*>record_at(&self.classes, <uint32_t>number))[0])

    cdef int write_key(self, char* line, int length, uint64_t key) noexcept nogil:
        """Append a class and a line end to the ``length`` characters of ``line``. Returns the new length."""
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
