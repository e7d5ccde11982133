"""Certificates of joker and klondike-one-pass: a set of classes of states closed under all moves.

Every legal elementary move of every class is made, in the order in which the classes are first reached. Two
lemmas of docs/certificates.md reduce the set. From a class whose upper bound (`bound`, J7) does not exceed
the claimed score no move is made; from one where a card may safely go up (J6) only that move.

Soundness does not depend on this module: `checker` verifies the certificate.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..core.bits cimport take_bit
from ..core.closed_set cimport CLOSED, NAMES, OPEN, REFUTED, Outcome, PositionList, write_sorted, write_text
from ..core.desk cimport Desk, read_joker
from ..core.hash_set cimport (Explored, add_hashed, explored_bytes, fetch_record, fetch_slot, free_explored,
                              hash_of, open_explored, record_at)
from ..core.kernel cimport MEMORY, may_expand
from ..core.memory cimport resize
from .bound cimport upper_bound
from .cards cimport DECLARED, GONE, MAX_COLUMNS, MOST, OPEN_ACE, PLACED
from .moves cimport MOST_CODES, Child, elementary, perform, safe_card
from .packing cimport RAISE, code_of
from .state cimport (NONE, NO_HIDDEN, ClassKey, ClassLayout, ClassPosition, arrange, card_in, column_under,
                     load_desk, unpack)

from ...rules import check_implemented
from ..diagnostics import WrongAnswer

IMPLEMENTS = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike-one-pass": {"draw": ("1",), "passes": ("1",), "worrying_back": ("no",)},
}
"""The games and values of rule options of which certificates are made: see `rules.choices.Implemented`."""

cdef enum:
    MOVES = 254
    BOUND = 255
    TOGETHER = 64           # children whose slots are prefetched before the first is looked up


@cython.final
cdef class ClosedSet(PositionList):
    """Set of the classes reached from a state, where those whose bound excludes a better score are not
    expanded. Built within ``limits``."""

    cdef ClassLayout layout
    cdef ClassKey key
    cdef Explored classes
    cdef uint8_t* reasons       # for each class MOVES, BOUND or the card that goes up
    cdef uint32_t room          # capacity of `reasons`
    cdef uint32_t* codes
    cdef int score
    cdef char stock[2 * MOST]       # the cards of all slots as text
    cdef ClassKey pending[TOGETHER]  # successors not looked up yet
    cdef uint64_t hashed[TOGETHER]  # their hashes
    cdef int pending_count

    def __cinit__(self):
        memset(&self.classes, 0, sizeof(Explored))
        self.reasons = NULL
        self.codes = <uint32_t*>malloc(MOST_CODES * sizeof(uint32_t))
        if self.codes == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.reasons)
        free(self.codes)
        free_explored(&self.classes)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.classes.count

    def explore(self, state, int score):
        """Build the set from ``state``, to prove that no score above ``score`` can be reached. Returns False
        if a limit ended it. Raises WrongAnswer if a higher score can be reached."""
        cdef int slot
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        read_joker(&desk, state)
        load_desk(&self.layout, &self.key, &desk)
        self.score = score
        for slot in range(self.layout.slots):
            memcpy(self.stock + 2 * slot, NAMES[self.layout.slot_card[slot]], 2)
        free_explored(&self.classes)
        return self.find_all(WrongAnswer(f"more than {score} cards can be had"))

    cdef Outcome close(self) noexcept nogil:
        """Expand all classes: by every elementary move, unless a lemma needs fewer. Returns CLOSED, OPEN at a
        limit, or REFUTED if a class has a score above ``score``."""
        cdef ClassPosition p
        cdef Child child
        cdef ClassKey key
        cdef uint32_t number = 0
        cdef int count, i, card
        self.pending_count = 0
        if (not open_explored(&self.classes, sizeof(ClassKey), self.kernel.limits.bytes)
                or not self.keep(&self.key)):
            self.kernel.reason = MEMORY
            return OPEN
        while True:
            if number == self.classes.count:
                if self.pending_count == 0:
                    return CLOSED
                if not self.add_pending():
                    self.kernel.reason = MEMORY
                    return OPEN
                continue
            memcpy(&key, record_at(&self.classes, number), sizeof(ClassKey))
            unpack(&self.layout, &key, &p)
            if p.score > self.score:
                return REFUTED
            card = safe_card(&self.layout, &p, True)
            if card != NONE:
                self.reasons[number] = card
                self.codes[0] = code_of(RAISE, card, 0)
                count = 1
            elif upper_bound(&self.layout, &p, self.score) <= self.score:
                self.reasons[number] = BOUND
                count = 0
            else:
                self.reasons[number] = MOVES
                count = elementary(&self.layout, &p, self.codes)
            if not may_expand(self.kernel):
                return OPEN
            number += 1
            for i in range(count):
                perform(&self.layout, &p, self.codes[i], &child)
                if not self.keep(&child.key):
                    self.kernel.reason = MEMORY
                    return OPEN
            self.kernel.generated += count

    cdef inline bint keep(self, const ClassKey* key) noexcept nogil:
        """Add a class to those pending and prefetch its slot; if TOGETHER are pending, store these first.
        Returns False if memory runs out."""
        if self.pending_count == TOGETHER and not self.add_pending():
            return False
        self.pending[self.pending_count] = key[0]
        self.hashed[self.pending_count] = hash_of(&self.classes, <const uint8_t*>key)
        fetch_slot(&self.classes, self.hashed[self.pending_count])
        self.pending_count += 1
        return True

    cdef bint add_pending(self) noexcept nogil:
        """Store those pending classes that are new. Returns False if memory runs out."""
        cdef int i
        for i in range(self.pending_count):
            fetch_record(&self.classes, self.hashed[i])
        for i in range(self.pending_count):
            if not self.add(&self.pending[i], self.hashed[i]):
                return False
        self.pending_count = 0
        return True

    cdef inline bint add(self, const ClassKey* key, uint64_t hashed) noexcept nogil:
        """Store a class, if it is new. Returns False if memory runs out."""
        cdef uint64_t held
        if add_hashed(&self.classes, <const uint8_t*>key, hashed) < 0:
            return False
        if self.classes.count <= self.room:
            return True
        held = explored_bytes(&self.classes)
        if (held + self.classes.room > self.kernel.limits.bytes
                or not resize(&self.reasons, self.classes.room, 1)):
            return False
        self.room = self.classes.room
        return True

    cdef void note(self) noexcept nogil:
        self.kernel.bytes_held = explored_bytes(&self.classes) + self.room

    # --- Text ---------------------------------------------------------------------------------------------

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write the text line of the class ``number``. Returns its length."""
        cdef ClassPosition p
        cdef ClassKey key
        cdef int length, i
        memcpy(&key, record_at(&self.classes, number), sizeof(ClassKey))
        unpack(&self.layout, &key, &p)
        length = write_reason(line, self.reasons[number])
        for i in range(4):
            line[length] = c"-" if p.height[i] == 0 else NAMES[4 * (p.height[i] - 1)][0]
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
        length = self.write_columns(line, length, &p)
        line[length] = c"\n"
        return length + 1

    cdef int write_columns(self, char* line, int length, const ClassPosition* p) noexcept nogil:
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
    line[length] = NAMES[card][0]
    line[length + 1] = NAMES[card][1]
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
    line[length + 1] = NAMES[4 * p.rank[colour]][0]
    return length + 2
