"""Certificates of the Simon family: lists of states, classes or positions closed under moves.

States of the relaxation with loose cards (Theorem S2), classes of positions (Theorem S3), or positions of the
game (Theorem S4): every one that can be reached or, where moves are counted, through which a line of fewer
moves than claimed may lead. No list is pruned by search: all moves are made, in the order of discovery.
Records are compared byte by byte, nothing is hashed. docs/certificates.md describes the formats.
"""

cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from ..core.bits cimport count_bits, lowest_bit
from ..core.closed_set cimport (
    CLOSED, NAMES, OPEN, REFUTED, Outcome, PositionList, write_number, write_sorted, write_text,
)
from ..core.column_move cimport count_of, source_of, target_of
from ..core.hash_set cimport Explored, add_record, explored_bytes, free_explored, open_explored, record_at
from ..core.kernel cimport MEMORY, may_expand
from ..core.memory cimport more_room
from .class_moves cimport ALL, NO_CAP, Generator, Plan, generate_successors
from .classes cimport (
    Class, Layout, Segment, Stem, class_of, copy_class, end_of, head_of, pack, read_layout, stem_anchor,
    stem_below, stem_column, stem_length, stem_suits, suit_of, unpack,
)
from .common cimport KINDS, MAX_CARDS, MAX_COLUMNS, MAX_PACKED, MAX_RANKS
from .position cimport MAX_MOVES, MadeMove, Position, do_move, generate_moves, set_position, undo_move
from .relaxation_loose cimport FIRST_RUN, PARTS, Loose, Part, Stems, generate_loose, set_start

from ...rules import check_family, simon as rules

# --- Bound of listed positions ------------------------------------------------------------------------------

# A plain lower bound for one deck, which the checker computes by docs/certificates.md (*bound*): heads, those
# that wait for themselves, and disjoint cycles of cards that wait for each other, of the shortest the first
# (Theorem S8).

cdef uint64_t SUIT = 0x1111111111111        # the cards of the first suit


cdef int listed_bound(const Position* position) noexcept nogil:
    """No line wins in fewer moves."""
    cdef uint64_t waits[KINDS]
    cdef uint64_t heads = 0, kings = 0, stuck, todo
    cdef int card, bound
    lie_above(position, waits, &heads, &kings)
    bound = count_bits(heads)
    stuck = heads | kings
    todo = heads
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        waits[card] |= waits[card + 4]
        if waits[card] >> card & 1:
            bound += 1
            stuck &= ~(<uint64_t>1 << card)
    todo = kings
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        waits[card] |= heads & (SUIT << (card & 3))
    while True:
        stuck = less_free(waits, stuck)
        if stuck == 0:
            return bound
        bound += 1
        stuck &= ~shortest_cycle(waits, stuck)


cdef inline void lie_above(
    const Position* position, uint64_t* waits, uint64_t* heads, uint64_t* kings
) noexcept nogil:
    """The heads, the kings with cards below, and which of them lie above each card in its column."""
    cdef const uint8_t* cards
    cdef int column, i, card
    cdef uint64_t above
    for column in range(position.columns):
        cards = position.card[column]
        above = 0
        for i in range(position.size[column] - 1, -1, -1):
            card = cards[i]
            waits[card] = above
            if card >> 2 == position.ranks - 1:
                if i > 0:
                    kings[0] |= <uint64_t>1 << card
                    above |= <uint64_t>1 << card
            elif i == 0 or cards[i - 1] != card + 4:
                heads[0] |= <uint64_t>1 << card
                above |= <uint64_t>1 << card


cdef inline uint64_t less_free(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    """``stuck`` without all that need not wait for ever."""
    cdef uint64_t todo, before = 0
    cdef int card
    while stuck != before:
        before = todo = stuck
        while todo:
            card = lowest_bit(todo)
            todo &= todo - 1
            if waits[card] & stuck == 0:
                stuck &= ~(<uint64_t>1 << card)
    return stuck


cdef uint64_t shortest_cycle(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    """A shortest cycle; all that are stuck wait for others that are, none for itself."""
    cdef uint64_t todo = stuck, others, cycle, best = 0
    cdef int card, other, length = KINDS + 1
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        others = waits[card] & stuck
        while others:
            other = lowest_bit(others)
            others &= others - 1
            if waits[other] >> card & 1:
                return <uint64_t>1 << card | <uint64_t>1 << other
    todo = stuck
    while todo:
        card = lowest_bit(todo)
        todo &= todo - 1
        cycle = cycle_through(waits, stuck, card, &length)
        if cycle:
            best = cycle
            if length == 3:
                break
    return best


cdef uint64_t cycle_through(const uint64_t* waits, uint64_t stuck, int start, int* length) noexcept nogil:
    """A cycle through a card, of less than ``length`` cards, which it makes its own; 0 if there is none."""
    cdef uint64_t layer[KINDS + 1]
    cdef uint64_t reached, frontier, cycle = <uint64_t>1 << start
    cdef int depth = 0, card, next_one = start
    layer[0] = reached = waits[start] & stuck
    while not reached >> start & 1:
        if layer[depth] == 0 or depth + 2 >= length[0]:
            return 0
        frontier = layer[depth]
        depth += 1
        layer[depth] = 0
        while frontier:
            layer[depth] |= waits[lowest_bit(frontier)]
            frontier &= frontier - 1
        layer[depth] &= stuck & ~reached
        reached |= layer[depth]
    length[0] = depth + 1
    while depth > 0:
        depth -= 1
        frontier = layer[depth]
        card = lowest_bit(frontier)
        while not waits[card] >> next_one & 1:
            frontier &= frontier - 1
            card = lowest_bit(frontier)
        cycle |= <uint64_t>1 << card
        next_one = card
    return cycle


# --- States of the relaxation -------------------------------------------------------------------------------

# A state is its stems, each written by its cards, so that equal states have equal records.

cdef enum:
    MOST_STEMS = 16         # of a record: their numbers in order, 0 where there is none
    RELAXED_RECORD = 2 * MOST_STEMS  # bytes

cdef struct RelaxedList:
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
    cdef RelaxedList found
    cdef uint8_t card[PARTS][MAX_CARDS]     # of each part, the deepest first
    cdef uint8_t size[PARTS]

    def __cinit__(self):
        memset(&self.loose, 0, sizeof(Loose))
        memset(&self.found, 0, sizeof(RelaxedList))

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
        if not open_explored(&self.found.states, RELAXED_RECORD, self.max_bytes):
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
        memcpy(stems, record_at(&self.found.states, number), RELAXED_RECORD)
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
        """Number of cards in the position."""
        cdef int column, cards = 0
        for column in range(self.layout.columns):
            cards += self.layout.size[column]
        return cards

    cdef bint is_run(self, int number) noexcept:
        """Test whether a part of a column that was empty has a head and a top that the deck has."""
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
    cdef RelaxedList* found = <RelaxedList*>context
    cdef uint16_t stems[MOST_STEMS]
    cdef uint16_t stem
    cdef uint32_t before
    cdef int i, j
    if child.count == 0:
        found.won = True
        return False
    memset(stems, 0, RELAXED_RECORD)
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


cdef bint add_waiting(RelaxedList* found, uint32_t number) noexcept nogil:
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


# --- Classes ------------------------------------------------------------------------------------------------

# What a certificate of the Simon family lists where the relaxation with loose cards proves nothing: every
# class of positions that can be reached.
#
# The classes are those of `classes`, and nothing is left out of what is committed. A class is written whole,
# its stems and segments in order, so that equal classes have equal records: nothing is hashed.

cdef enum:
    CLASS_RECORD = (MAX_PACKED + 7) // 8 * 8      # bytes: a class as it is packed, and zeros

cdef struct ClassList:
    Explored classes
    bint won
    bint full                   # memory did not allow something


@cython.final
cdef class ClassSet(PositionList):
    """The classes that can be reached from a position, within ``limits``."""

    cdef Layout layout
    cdef Generator generator
    cdef ClassList found

    def __cinit__(self):
        memset(&self.found, 0, sizeof(ClassList))
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
        if not open_explored(&self.found.classes, CLASS_RECORD, self.max_bytes):
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
    cdef ClassList* found = <ClassList*>context
    cdef uint8_t record[CLASS_RECORD]
    cdef Class ordered
    if child.stems == 0:
        found.won = True
        return False
    copy_class(&ordered, child)
    put_in_order(&ordered)
    memset(record, 0, CLASS_RECORD)
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


# --- Positions ----------------------------------------------------------------------------------------------

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
            raise ValueError("expected each card once, got a card twice")
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
        """Test whether the bound of the present position, the first, is all that is claimed."""
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
    """Test whether one column comes before another: by its cards from the deepest on, then by their
    number."""
    cdef int size = position.size[column], other_size = position.size[other], order
    order = memcmp(position.card[column], position.card[other], min(size, other_size))
    return order < 0 or (order == 0 and size < other_size)
