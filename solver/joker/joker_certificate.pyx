"""Certificates of joker and klondike-one-pass: a set of classes of states closed under all moves.

Every legal elementary move of every class is made, in the order in which the classes are first reached. Two
lemmas of docs/certificates.md reduce the set. From a class whose upper bound (`bound`, J7) does not exceed
the claimed score no move is made; from one where a card may safely go up (J6) only that move.

Soundness does not depend on this unit: `checker` verifies the certificate.
"""

# optimised: making a certificate must cost little compared with the search

from winnable.solver.core.certificate cimport (
    CARD_NAMES, CUT_SHORT, IS_CLOSED, REFUTED, Close, Closure, CountPositions, FreePositions, LoadPosition,
    PositionList, WritePosition, write_sorted, write_text,
)
from winnable.solver.core.hash_set cimport add_hashed, fetch_record, fetch_slot

include "parts.pxi"

cdef enum:
    MOVES = 254
    BOUND = 255
    TOGETHER = 64           # children whose slots are prefetched before the first is looked up


cdef struct ClosedSet:      # the classes reached; those are expanded whose bound allows a better score
    PositionList list
    Layout layout
    ClassKey key
    Explored classes
    uint8_t* reasons        # for each class MOVES, BOUND or the card that goes up
    uint32_t room           # capacity of `reasons`
    uint32_t* codes
    char stock[2 * MOST]    # the cards of all slots as text
    ClassKey pending[TOGETHER]  # successors not looked up yet
    uint64_t hashed[TOGETHER]   # their hashes
    int pending_count


cdef public PositionList* joker_list(int kind) noexcept nogil:
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
    self.codes = <uint32_t*>malloc(MOST_CODES * sizeof(uint32_t))
    if self.codes == NULL:
        free_list(self)
        return NULL
    return &self.list


cdef inline void free_list(ClosedSet* self) noexcept nogil:
    free(self.reasons)
    free(self.codes)
    free_explored(&self.classes)
    free(self)


cdef inline uint64_t count_found(const ClosedSet* self) noexcept nogil:
    return self.classes.count


cdef inline const char* load_first(ClosedSet* self, const Desk* desk, bint plain) noexcept nogil:
    cdef int slot
    pack_desk(&self.layout, &self.key, desk)
    for slot in range(self.layout.slots):
        memcpy(self.stock + 2 * slot, CARD_NAMES[self.layout.slot_card[slot]], 2)
    free_explored(&self.classes)
    return NULL


cdef inline Closure find_classes(ClosedSet* self) noexcept nogil:
    """Expand all classes: by every elementary move, unless a lemma needs fewer. Returns IS_CLOSED, CUT_SHORT
    at a limit, or REFUTED if a class has a score above that claimed."""
    cdef ClassPosition p
    cdef Child child
    cdef ClassKey key
    cdef uint32_t number = 0
    cdef int count, i, card
    self.pending_count = 0
    if (not open_explored(&self.classes, sizeof(ClassKey), self.list.kernel.limits.bytes)
            or not list_soon(self, &self.key)):
        self.list.kernel.reason = MEMORY
        return CUT_SHORT
    while True:
        if number == self.classes.count:
            if self.pending_count == 0:
                return IS_CLOSED
            if not list_pending(self):
                self.list.kernel.reason = MEMORY
                return CUT_SHORT
            continue
        memcpy(&key, record_at(&self.classes, number), sizeof(ClassKey))
        unpack(&self.layout, &key, &p)
        if p.score > self.list.claimed:
            return REFUTED
        card = safe_card_of_certificates(&self.layout, &p)
        if card != NONE:
            self.reasons[number] = card
            self.codes[0] = code_of(RAISE, card, 0)
            count = 1
        elif upper_bound(&self.layout, &p, self.list.claimed) <= self.list.claimed:
            self.reasons[number] = BOUND
            count = 0
        else:
            self.reasons[number] = MOVES
            count = elementary(&self.layout, &p, self.codes)
        if not may_expand(&self.list.kernel):
            return CUT_SHORT
        number += 1
        for i in range(count):
            perform(&self.layout, &p, self.codes[i], &child)
            if not list_soon(self, &child.key):
                self.list.kernel.reason = MEMORY
                return CUT_SHORT
        self.list.kernel.generated += count


cdef inline bint list_soon(ClosedSet* self, const ClassKey* key) noexcept nogil:
    """Add a class to those pending and prefetch its slot; if TOGETHER are pending, store these first.
    Returns False if memory runs out."""
    if self.pending_count == TOGETHER and not list_pending(self):
        return False
    self.pending[self.pending_count] = key[0]
    self.hashed[self.pending_count] = hash_of(&self.classes, <const uint8_t*>key)
    fetch_slot(&self.classes, self.hashed[self.pending_count])
    self.pending_count += 1
    return True


cdef inline bint list_pending(ClosedSet* self) noexcept nogil:
    """Store those pending classes that are new. Returns False if memory runs out."""
    cdef int i
    for i in range(self.pending_count):
        fetch_record(&self.classes, self.hashed[i])
    for i in range(self.pending_count):
        if not list_class(self, &self.pending[i], self.hashed[i]):
            return False
    self.pending_count = 0
    return True


cdef inline bint list_class(ClosedSet* self, const ClassKey* key, uint64_t hashed) noexcept nogil:
    """Store a class, if it is new. Returns False if memory runs out."""
    cdef uint64_t held
    if add_hashed(&self.classes, <const uint8_t*>key, hashed) < 0:
        return False
    if self.classes.count <= self.room:
        return True
    held = explored_bytes(&self.classes)
    if (held + self.classes.room > self.list.kernel.limits.bytes
            or not resize(&self.reasons, self.classes.room, 1)):
        return False
    self.room = self.classes.room
    return True


cdef inline void note_found(ClosedSet* self) noexcept nogil:
    self.list.kernel.bytes_held = explored_bytes(&self.classes) + self.room


# --- Text ---------------------------------------------------------------------------------------------------

cdef inline int write_class(ClosedSet* self, char* line, uint64_t number) noexcept nogil:
    """Write the text line of the class ``number``. Returns its length."""
    cdef ClassPosition p
    cdef ClassKey key
    cdef int length, i
    memcpy(&key, record_at(&self.classes, number), sizeof(ClassKey))
    unpack(&self.layout, &key, &p)
    length = write_reason(line, self.reasons[number])
    for i in range(4):
        line[length] = c"-" if p.height[i] == 0 else CARD_NAMES[4 * (p.height[i] - 1)][0]
        length += 1
    if self.layout.jokers:
        length = write_joker(line, length, &p, 0)
        length = write_joker(line, length, &p, 1)
    length = write_text(line, length, b" w")
    for i in range(p.turned):
        if p.waste >> i & 1:
            length = write_card(line, length, card_in(&self.layout, &key, i))
    length = write_text(line, length, b" s")
    i = 2 * (self.layout.slots - p.turned)
    memcpy(line + length, self.stock + 2 * p.turned, i)
    length += i
    length = write_columns(self, line, length, &p)
    line[length] = c"\n"
    return length + 1


cdef inline int write_columns(ClosedSet* self, char* line, int length, const ClassPosition* p) noexcept nogil:
    """Append the columns that hold cards, sorted by their texts, to the ``length`` characters of
    ``line``. Returns the new length."""
    cdef char texts[MAX_COLUMNS][128]
    cdef int sizes[MAX_COLUMNS]
    cdef uint8_t above[MOST]
    cdef uint64_t bases = p.bases
    cdef int columns = 0, j, card, column
    arrange(p, above)
    while bases:
        card = take_bit(&bases)
        column = column_under(&self.layout, p, card)
        sizes[columns] = 0
        if column != NO_HIDDEN:
            for j in range(p.hidden[column]):
                sizes[columns] = write_card(texts[columns], sizes[columns], self.layout.buried[column][j])
            sizes[columns] = write_text(texts[columns], sizes[columns], b"/")
        while card != NONE:
            sizes[columns] = write_card(texts[columns], sizes[columns], card)
            card = above[card]
        columns += 1
    return write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, columns)


cdef inline int write_card(char* line, int length, int card) noexcept nogil:
    """Append the name of a card to the ``length`` characters of ``line``. Returns the new length."""
    line[length] = CARD_NAMES[card][0]
    line[length + 1] = CARD_NAMES[card][1]
    return length + 2


cdef inline int write_reason(char* line, int reason) noexcept nogil:
    """Write a reason and its colon to ``line``. Returns the length written."""
    cdef int length
    if reason == MOVES:
        return write_text(line, 0, b"moves: ")
    if reason == BOUND:
        return write_text(line, 0, b"bound: ")
    length = write_card(line, write_text(line, 0, b"up "), reason)
    return write_text(line, length, b": ")


cdef inline int write_joker(char* line, int length, const ClassPosition* p, int colour) noexcept nogil:
    """Append the condition of a joker to the ``length`` characters of ``line``. Returns the new length."""
    length = write_text(line, length, b" r" if colour else b" b")
    if p.kind[colour] == GONE:
        return write_text(line, length, b"x")
    if p.kind[colour] == OPEN_ACE:
        return write_text(line, length, b"A")
    if p.kind[colour] == PLACED:
        return write_card(line, length, p.argument[colour])
    if p.kind[colour] != DECLARED:
        return write_text(line, length, b"-")
    line[length] = c"="
    line[length + 1] = CARD_NAMES[4 * p.rank[colour]][0]
    return length + 2
