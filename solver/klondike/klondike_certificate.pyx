"""Certificates of Klondike with redeals: a set of classes of states closed under all moves.

A class belongs to the game with the relaxed stock if it is lost there too, otherwise to the real game; the
labels of `search` determine which. Classes that are dead ends (K5) are left out, and K1 to K4 and K11 of
docs/theory/klondike.md reduce the number of classes and moves.

Soundness does not depend on this unit or on the labels: `checker` makes all moves again.
"""

# optimised: making a certificate must cost little compared with the search

from libc.stdio cimport snprintf
from libc.stdlib cimport malloc

from winnable.solver.core.certificate cimport (
    CARD_NAMES, CUT_SHORT, IS_CLOSED, LONGEST_ROW, REFUTED, Close, Closure, CountPositions, FreePositions,
    LoadPosition, PositionList, WritePosition, write_text,
)
from winnable.solver.core.hash_set cimport open_explored

include "parts.pxi"

cdef enum:
    RELAXED = 127           # value of the field of the waste in keys of the relaxed stock
    MOST_PARKED = 4096
    MOST_KEYS = 32768

cdef extern from *:
    """
    static const char DIGITS[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    """
    const char* DIGITS


cdef struct ClosedSet:      # the classes that can be reached from a lost state
    PositionList list
    Layout layout
    Position desk
    uint64_t root
    Search found            # labels of positions with the relaxed stock
    bint has_labels
    Explored classes
    uint64_t* parked
    uint64_t* keys


cdef public PositionList* klondike_list(int kind) noexcept nogil:
    """An empty list of classes, the one kind, which its function ``free`` frees; NULL if allocation fails."""
    cdef ClosedSet* self = <ClosedSet*>calloc(1, sizeof(ClosedSet))
    if self == NULL:
        return NULL
    self.list.load = <LoadPosition>load_first
    self.list.close = <Close>find_classes
    self.list.count = <CountPositions>count_found
    self.list.write = <WritePosition>write_class
    self.list.free = <FreePositions>free_list
    self.list.kernel.note = <void (*)(Kernel*) noexcept nogil>note_found
    self.list.write_start = <WritePosition>write_first
    self.parked = <uint64_t*>malloc(MOST_PARKED * sizeof(uint64_t))
    self.keys = <uint64_t*>malloc(MOST_KEYS * sizeof(uint64_t))
    if self.parked == NULL or self.keys == NULL:
        free_list(self)
        return NULL
    return &self.list


cdef inline void free_list(ClosedSet* self) noexcept nogil:
    free_search(&self.found)
    free_explored(&self.classes)
    free(self.parked)
    free(self.keys)
    free(self)


cdef inline uint64_t count_found(const ClosedSet* self) noexcept nogil:
    return self.classes.count


cdef inline const char* load_first(ClosedSet* self, const Desk* desk, bint plain) noexcept nogil:
    load_desk(&self.desk, desk)
    if not open_classes(&self.layout, &self.desk, &self.root):
        return b"expected a key of at most 64 bits"
    free_explored(&self.classes)
    self.has_labels = False
    return NULL


cdef inline Closure find_classes(ClosedSet* self) noexcept nogil:
    """Expand all classes by all moves. Returns IS_CLOSED, CUT_SHORT at a limit, or REFUTED if a class
    is won."""
    cdef uint32_t codes[MOST_CHILDREN]
    cdef ClassPosition p
    cdef Closure outcome
    cdef uint64_t key
    cdef uint32_t number = 0
    cdef int i, count
    # The other half is for the labels.
    if not open_explored(&self.classes, sizeof(uint64_t), self.list.kernel.limits.bytes // 2):
        self.list.kernel.reason = MEMORY
        return CUT_SHORT
    outcome = list_class(self, self.root)
    while outcome == IS_CLOSED and number < self.classes.count:
        if not may_expand(&self.list.kernel):
            return CUT_SHORT
        key = (<uint64_t*>record_at(&self.classes, number))[0]
        unpack(&self.layout, key, &p)
        number += 1
        if is_relaxed(self, key):
            count = macro_moves_within(
                &self.layout, &p, self.parked, MOST_PARKED, True, self.keys, MOST_KEYS)
            if count < 0:
                self.list.kernel.reason = MEMORY
                return CUT_SHORT
        else:
            count = children_of(&self.layout, False, &p, self.keys, codes)
        self.list.kernel.generated += count
        for i in range(count):
            outcome = list_class(self, self.keys[i])
            if outcome != IS_CLOSED:
                return outcome
    return outcome


cdef inline bint is_relaxed(ClosedSet* self, uint64_t key) noexcept nogil:
    return key >> self.layout.waste_at & 127 == RELAXED


cdef inline Closure list_class(ClosedSet* self, uint64_t key) noexcept nogil:
    """Store the class ``key`` after safe foundation moves, as a class of the relaxed stock if it is lost
    there, unless it is stored already or a dead end. Returns IS_CLOSED, REFUTED if it is won, CUT_SHORT at a
    limit."""
    cdef ClassPosition p
    cdef Verdict verdict
    cdef uint32_t slot
    cdef bint relaxed = is_relaxed(self, key)
    raise_safe_cards(self, &key, &p)
    if p.raised == 4 * self.layout.ranks:
        return REFUTED
    if find_record(&self.classes, <uint8_t*>&key, &slot) or not may_win(&self.layout, relaxed, &p):
        return IS_CLOSED
    if not relaxed:
        verdict = decide_class(self, unwasted(&self.layout, key))
        if verdict == OPEN:
            return CUT_SHORT
        if verdict == LOST:
            return list_class(self, key | <uint64_t>RELAXED << self.layout.waste_at)
    if add_record(&self.classes, <uint8_t*>&key) < 0:
        self.list.kernel.reason = MEMORY
        return CUT_SHORT
    return IS_CLOSED


cdef inline Verdict decide_class(ClosedSet* self, uint64_t key) noexcept nogil:
    """Decide the class ``key`` of the game with the relaxed stock. Returns OPEN at a limit."""
    if not self.has_labels:
        self.has_labels = True
        return decide_relaxed(&self.found, &self.list.kernel, &self.layout, key)
    self.found.max_bytes = self.list.kernel.limits.bytes // 2
    return decide_labelled(&self.found, &self.list.kernel, &self.layout, key)


cdef inline void raise_safe_cards(ClosedSet* self, uint64_t* key, ClassPosition* p) noexcept nogil:
    """Make all safe foundation moves from columns and, in the relaxed stock, also from slots. Updates
    ``key`` and unpacks it to ``p``."""
    cdef uint64_t found
    if is_relaxed(self, key[0]):
        make_safe_moves(&self.layout, True, key, p, NULL)
        return
    while True:
        unpack(&self.layout, key[0], p)
        found = safe_cards(&self.layout, key[0]) & p.face & p.bare
        if not found:
            return
        key[0] = raised_in(left_by(&self.layout, p, key[0], lowest_bit(found)), lowest_bit(found))


cdef inline void note_found(ClosedSet* self) noexcept nogil:
    self.list.kernel.bytes_held = explored_bytes(&self.classes) + search_bytes(&self.found)


# --- Text ---------------------------------------------------------------------------------------------------

cdef inline int write_first(ClosedSet* self, char* line, uint64_t number) noexcept nogil:
    """Write the class of the deal, which may not be listed; return the length."""
    return write_key(self, line, 0, self.root)


cdef inline int write_class(ClosedSet* self, char* line, uint64_t number) noexcept nogil:
    cdef int length = write_text(line, 0, b"moves: ")
    return write_key(self, line, length, (<uint64_t*>record_at(&self.classes, <uint32_t>number))[0])


cdef inline int write_key(ClosedSet* self, char* line, int length, uint64_t key) noexcept nogil:
    """Append a class and a line end to the ``length`` characters of ``line``. Returns the new length."""
    cdef const Layout* layout = &self.layout
    cdef int suit, height, column, field = key >> layout.waste_at & 127
    cdef uint64_t slots = key >> SLOTS_AT & layout.all_slots
    for suit in range(4):
        height = key >> 4 * (0x78 >> 2 * suit & 3) & 15
        line[length] = c"-"
        if height > 0 and layout.suits >> suit & 1:
            line[length] = CARD_NAMES[4 * (height - 1)][0]
        length += 1
    line[length] = c" "
    length += 1
    for column in range(layout.columns):
        line[length] = DIGITS[key >> layout.shift[column] & layout.mask[column]]
        length += 1
    line[length] = c" "
    length += 1
    length += snprintf(line + length, LONGEST_ROW - length, b"%x ", <unsigned int>slots)
    if field == RELAXED:
        line[length] = c"*"
        length += 1
    else:
        if layout.passes:
            length += snprintf(line + length, LONGEST_ROW - length, b"%d.", field // layout.stride)
            field %= layout.stride
        length += snprintf(line + length, LONGEST_ROW - length, b"%d", field)
    line[length] = c"\n"
    return length + 1
