"""Certificates of the Simon family: sets of states that are closed under moves (inductive invariants).

The states are those of relaxation R0 (Theorem S2), classes of positions (Theorem S3), or positions (Theorem
S4): all that can be reached or, in a certificate of a shortest solution, all that may be on a line of fewer
moves than claimed. All moves of each state are made, without pruning. Records are compared in full, so a hash
collision never merges two states. docs/certificates.md describes the formats.
"""

cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from ..core.bits cimport count_bits, lowest_bit, take_bit
from ..core.closed_set cimport (CLOSED, NAMES, OPEN, REFUTED, Outcome, PositionList, write_number,
                                write_sorted, write_text)
from ..core.column_move cimport count_of, source_of, target_of
from ..core.desk cimport Desk, read_simon
from ..core.hash_set cimport Explored, add_record, explored_bytes, free_explored, open_keyed, record_at
from ..core.kernel cimport MEMORY, may_expand
from .class_moves cimport ALL, NO_CAP, Generator, Plan, generate_successors
from .classes cimport (Class, Layout, Stem, class_of, copy_class, count_of_all, end_of, head_of, pack,
                       load_desk, same_suits, stem_anchor, stem_below, stem_column, stem_length,
                       stem_suits, suit_of, unpack)
from .common cimport KINDS, MAX_CARDS, MAX_COLUMNS, MAX_PACKED, MAX_RANKS, insert
from .position cimport MAX_MOVES, MadeMove, Position, do_move, generate_moves, set_position, undo_move
from .relaxation_loose cimport FIRST_RUN, PARTS, Loose, Part, Stems, generate_loose, set_start

from ...rules import check_implemented

IMPLEMENTS = {"simon-jester": {}, "simon-jester-triangular": {}, "simple-simon": {}}
"""The games of which certificates are made: see `rules.choices.Implemented`."""

# --- Bound of listed positions ------------------------------------------------------------------------------

# A simple lower bound for one deck, which the checker computes, too (docs/certificates.md, *bound*): the
# number of heads, of heads that wait for themselves, and of disjoint cycles of cards that wait for each
# other. Cycles are chosen greedily, a shortest one first (Theorem S8).

cdef extern from *:
    """
    static const uint64_t SUIT = 0x1111111111111;
    """
    const uint64_t SUIT     # the set of cards of the first suit


cdef int certificate_bound(const Position* position) noexcept nogil:
    """A lower bound on the length of winning lines from ``position``, of one deck (Theorem S8)."""
    cdef uint64_t heads = 0, kings = 0, stuck, todo
    cdef uint64_t waits[KINDS]
    cdef int card, bound
    lie_above(position, waits, &heads, &kings)
    bound = count_bits(heads)
    stuck = heads | kings
    todo = heads
    while todo:
        card = take_bit(&todo)
        waits[card] |= waits[card + 4]
        if waits[card] >> card & 1:
            bound += 1
            stuck &= ~(<uint64_t>1 << card)
    todo = kings
    while todo:
        card = take_bit(&todo)
        waits[card] |= heads & (SUIT << (card & 3))
    while True:
        stuck = less_free(waits, stuck)
        if stuck == 0:
            return bound
        bound += 1
        stuck &= ~shortest_cycle(waits, stuck)


cdef inline void lie_above(const Position* position, uint64_t* waits, uint64_t* heads,
                           uint64_t* kings) noexcept nogil:
    """Add the heads to the set ``heads`` and the kings that lie on cards to ``kings``. Set ``waits`` of each
    card to those of them that lie above it in its column."""
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
    """The cards of ``stuck`` that remain after repeatedly removing those that wait for no remaining card."""
    cdef uint64_t todo, before = 0
    cdef int card
    while stuck != before:
        before = todo = stuck
        while todo:
            card = take_bit(&todo)
            if waits[card] & stuck == 0:
                stuck &= ~(<uint64_t>1 << card)
    return stuck


cdef uint64_t shortest_cycle(const uint64_t* waits, uint64_t stuck) noexcept nogil:
    """A shortest cycle of cards that wait for each other, as a set. Each card of ``stuck`` must wait for
    another one of them, and not for itself."""
    cdef uint64_t todo = stuck, others, cycle, best = 0
    cdef int card, other, length = KINDS + 1
    while todo:
        card = take_bit(&todo)
        others = waits[card] & stuck
        while others:
            other = take_bit(&others)
            if waits[other] >> card & 1:
                return <uint64_t>1 << card | <uint64_t>1 << other
    todo = stuck
    while todo:
        card = take_bit(&todo)
        cycle = cycle_through(waits, stuck, card, &length)
        if cycle:
            best = cycle
            if length == 3:
                break
    return best


cdef uint64_t cycle_through(const uint64_t* waits, uint64_t stuck, int start, int* length) noexcept nogil:
    """Return a cycle of fewer than ``length`` cards through ``start`` as a set, and set ``length`` to its
    size. Returns 0 if there is none. Only cards of ``stuck`` count; ``waits`` has the set of cards that each
    card waits for."""
    cdef uint64_t reached, frontier, cycle = <uint64_t>1 << start
    cdef uint64_t layer[KINDS + 1]
    cdef int depth = 0, card, next_one = start
    layer[0] = reached = waits[start] & stuck
    while not reached >> start & 1:
        if layer[depth] == 0 or depth + 2 >= length[0]:
            return 0
        frontier = layer[depth]
        depth += 1
        layer[depth] = 0
        while frontier:
            layer[depth] |= waits[take_bit(&frontier)]
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


# --- Lists of states ----------------------------------------------------------------------------------------

cdef enum:
    NO_STATE = 0xFFFFFFFF

cdef struct Found:
    Explored states
    bint won                    # or the states cannot be listed
    bint full                   # out of memory
    uint64_t taken              # number of states expanded; they are the first ones
    uint32_t waiting            # of R0: the state to expand next, or NO_STATE
    uint16_t like[PARTS]        # of R0: the first part that is the same stem


cdef inline bint keep(Found* found, const void* record) noexcept nogil:
    """Add a state unless it is there already. Returns False, which ends the search, if memory runs out."""
    if add_record(&found.states, <const uint8_t*>record) >= 0:
        return True
    found.full = True
    return False


cdef class StateList(PositionList):
    """The states that can be reached from a position; every move of every state is made.

    A subclass for a kind of states overrides `begin_states`, `expand` and `write`, and `take` if states are
    not expanded in the order of discovery.
    """

    cdef Layout layout
    cdef Found found
    cdef uint32_t record_length     # bytes
    cdef uint32_t key_length        # bytes of the key, the first ones of the record

    def __cinit__(self):
        memset(&self.found, 0, sizeof(Found))

    def __dealloc__(self):
        free_explored(&self.found.states)

    cdef void load(self, state) except *:
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        read_simon(&desk, state)
        load_desk(&self.layout, &desk)

    cdef uint64_t count_positions(self) noexcept nogil:
        return self.found.states.count

    cdef void note(self) noexcept nogil:
        self.kernel.bytes_held = explored_bytes(&self.found.states)

    cdef void begin_states(self) noexcept nogil:
        """Add the state of ``layout``."""

    cdef bint expand(self, uint64_t number) noexcept nogil:
        """Add the successors of state ``number``. Returns False if the result would be wrong, since a
        capacity was exceeded."""
        return False

    cdef bint take(self, uint64_t* number) noexcept nogil:
        """Set ``number`` to the state to expand next. Returns False if all states are expanded."""
        number[0] = self.found.taken
        self.found.taken += 1
        return number[0] < self.found.states.count

    cdef Outcome close(self) noexcept nogil:
        cdef uint64_t number
        self.found.taken = 0
        self.found.waiting = NO_STATE
        self.found.won = self.found.full = False
        free_explored(&self.found.states)
        self.begin_layers()
        if open_keyed(&self.found.states, self.record_length, self.key_length, self.kernel.limits.bytes):
            self.begin_states()
        else:
            self.found.full = True
        while not self.found.full and not self.found.won and self.take(&number):
            if not may_expand(self.kernel):
                return OPEN
            self.note_layer(number)
            if not self.expand(number):
                return OPEN
        if self.found.full:
            self.kernel.reason = MEMORY
        if self.found.won:
            return REFUTED
        return OPEN if self.found.full else CLOSED


cdef int write_cards(char* text, const uint8_t* cards, int count) noexcept nogil:
    """Write the names of ``count`` cards to ``text``; return the number of characters."""
    cdef int i
    for i in range(count):
        memcpy(text + 2 * i, NAMES[cards[i]], 2)
    return 2 * count


# --- States of the relaxation -------------------------------------------------------------------------------

# A record has the stems of a state by number, ascending; stems with equal cards get the same number, so that
# equal states have equal records. States are expanded depth first, which soon finds a win of the relaxation
# if there is one.

cdef enum:
    MOST_STEMS = 16         # numbers in a record

cdef struct RelaxedRecord:
    uint16_t stem[MOST_STEMS]   # the key: the numbers of the stems, then zeros
    uint64_t behind             # the next state on the stack of states to expand, or NO_STATE


@cython.final
cdef class ClosedSet(StateList):
    """The states of relaxation R0."""

    cdef Loose loose
    cdef uint8_t card[PARTS][MAX_CARDS]     # cards of each part, the deepest first
    cdef uint8_t size[PARTS]

    def __cinit__(self):
        memset(&self.loose, 0, sizeof(Loose))
        self.record_length = sizeof(RelaxedRecord)
        self.key_length = MOST_STEMS * sizeof(uint16_t)

    def explore(self, state, plain=False):
        """Find all states that can be reached from ``state``, of `rules.simon`. Returns False if a limit
        ended the search. Raises ArithmeticError if the relaxation can be won and thus proves nothing."""
        cdef Class root
        self.load(state)
        class_of(&root, &self.layout, self.layout.card, self.layout.size)
        set_start(&self.loose, &self.layout, &root)
        self.name_parts()
        return self.find_all(
            ArithmeticError("the relaxation with loose cards, of which it would be made, can be won"))

    cdef void begin_states(self) noexcept nogil:
        keep_state(&self.found, &self.loose.start)

    cdef bint take(self, uint64_t* number) noexcept nogil:
        number[0] = self.found.waiting
        if number[0] == NO_STATE:
            return False
        self.found.waiting = (<RelaxedRecord*>record_at(&self.found.states, self.found.waiting)).behind
        return True

    cdef bint expand(self, uint64_t number) noexcept nogil:
        cdef Stems parent
        self.read(&parent, number)
        generate_loose(&self.loose, &parent, keep_state, &self.found)
        return True

    cdef void read(self, Stems* state, uint32_t number) noexcept nogil:
        cdef const uint16_t* stems = (<RelaxedRecord*>record_at(&self.found.states, number)).stem
        state.count = 0
        state.low = state.high = 0
        state.open = self.loose.open
        while state.count < MAX_COLUMNS and stems[state.count]:
            state.number[state.count] = stems[state.count]
            state.open += self.loose.part[stems[state.count]].open
            state.count += 1

    # --- Stems ----------------------------------------------------------------------------------------------

    cdef void name_parts(self) noexcept:
        """Set the cards of each part, and the first part that is the same stem."""
        cdef const Part* part
        cdef int number, i
        firsts = {}
        for number in range(PARTS):
            part = &self.loose.part[number]
            self.size[number] = 0
            self.found.like[number] = number
            if number == 0 or part.stem == 0 or (number < FIRST_RUN and number > self.layout.cards):
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

    cdef bint is_run(self, int number) noexcept:
        """Test if part ``number``, a run alone in a column, has a head and a top that the deck has."""
        cdef int head = (number - FIRST_RUN) // MAX_RANKS % MAX_RANKS, end = (number - FIRST_RUN) % MAX_RANKS
        return head < self.layout.ranks and end <= head

    # --- Text -----------------------------------------------------------------------------------------------

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        cdef char texts[MAX_COLUMNS][2 * MAX_CARDS]
        cdef int sizes[MAX_COLUMNS]
        cdef Stems state
        cdef int i, part, length = write_text(line, 0, b"relaxed:")
        self.read(&state, number)
        for i in range(state.count):
            part = state.number[i]
            sizes[i] = write_cards(texts[i], self.card[part], self.size[part])
        length = write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, state.count)
        return write_text(line, length, b"\n")


cdef bint keep_state(void* context, const Stems* child) noexcept nogil:
    """Add a state of R0 unless it is there already. A StemsConsumer; returns False, which ends the search,
    for a win or if memory runs out."""
    cdef Found* found = <Found*>context
    cdef RelaxedRecord record
    cdef uint32_t before
    cdef int i
    if child.count == 0:
        found.won = True
        return False
    memset(&record, 0, sizeof(RelaxedRecord))
    for i in range(child.count):
        insert(record.stem, i, found.like[child.number[i]])
    record.behind = found.waiting
    before = found.states.count
    keep(found, &record)
    if found.states.count > before:
        found.waiting = before
    return not found.full


# --- Classes ------------------------------------------------------------------------------------------------

# If R0 can be won, a certificate lists every class of positions that can be reached. Commitments have no
# branching limit. A record has the stems and segments of a class in ascending order, so that equal classes
# have equal records.

cdef enum:
    CLASS_RECORD = (MAX_PACKED + 7) // 8 * 8      # bytes: a packed class, then zeros
    MOST_ARRANGEMENTS = 100000      # of a class: checkers refuse more


@cython.final
cdef class ClassSet(StateList):
    """The classes of positions that can be reached."""

    cdef Generator generator

    def __cinit__(self):
        memset(&self.generator, 0, sizeof(Generator))
        self.record_length = self.key_length = CLASS_RECORD

    def explore(self, state, plain=False):
        """Find all classes that can be reached from ``state``, of `rules.simon`. Returns False if a limit
        ended the search. Raises ArithmeticError if a class is won, and the list thus proves nothing, or has
        more arrangements than a certificate may list."""
        cdef bint is_closed
        self.load(state)
        is_closed = self.find_all(
            ArithmeticError("the classes of positions, of which it would be made, can be won, or one has "
                            f"more than {MOST_ARRANGEMENTS:,} arrangements"))
        if self.generator.fault:
            raise RuntimeError("expected room for all segments of a class, got more")
        return is_closed

    cdef void begin_states(self) noexcept nogil:
        cdef Class root
        class_of(&root, &self.layout, self.layout.card, self.layout.size)
        keep_class(&self.found, &root, NULL)

    cdef bint expand(self, uint64_t number) noexcept nogil:
        cdef Class parent
        unpack(&parent, record_at(&self.found.states, number))
        self.generator.produced = 0
        generate_successors(&self.generator, &self.layout, &parent, ALL, NO_CAP, keep_class,
                            &self.found)
        self.kernel.generated += self.generator.produced
        return not self.generator.fault

    # --- Text -----------------------------------------------------------------------------------------------

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        """Write the text of a class, its stems and then its segments, to ``line``; return its length."""
        cdef char stems[MAX_COLUMNS][2 * MAX_CARDS]
        cdef char segments[MAX_CARDS][2 * MAX_RANKS]
        cdef int sizes[MAX_CARDS]
        cdef Class state
        cdef int i, cards, length = write_text(line, 0, b"arranged:")
        unpack(&state, record_at(&self.found.states, number))
        for i in range(state.stems):
            sizes[i] = self.write_stem(stems[i], state.stem[i])
        length = write_sorted(line, length, stems[0], sizeof(stems[0]), sizes, state.stems)
        if state.segments > 0:
            length = write_text(line, length, b" +")
        for i in range(state.segments):
            cards = head_of(state.segment[i]) - end_of(state.segment[i]) + 1
            sizes[i] = write_run(segments[i], head_of(state.segment[i]), cards,
                                 same_suits(suit_of(state.segment[i]), cards))
        length = write_sorted(line, length, segments[0], sizeof(segments[0]), sizes, state.segments)
        return write_text(line, length, b"\n")

    cdef int write_stem(self, char* text, Stem stem) noexcept nogil:
        """Write the cards of a stem to ``text``; return the number of characters."""
        cdef int cards = stem_length(stem)
        cdef int length = write_cards(text, self.layout.card[stem_column(stem)], stem_below(stem))
        return length + write_run(text + length, stem_anchor(stem), cards, stem_suits(stem))


cdef int write_run(char* text, int head, int count, int suits) noexcept nogil:
    """Write ``count`` cards that descend by rank from ``head`` to ``text``; return the number of characters.
    ``suits`` has two bits for each, those of the last card lowest."""
    cdef int i
    for i in range(count):
        memcpy(text + 2 * i, NAMES[4 * (head - i) + (suits >> 2 * (count - 1 - i) & 3)], 2)
    return 2 * count


cdef bint keep_class(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Add a class unless it is there already. A Consumer; returns False, which ends the search, for a win,
    for too many arrangements or if memory runs out."""
    cdef Found* found = <Found*>context
    cdef uint8_t record[CLASS_RECORD]
    cdef Class ordered
    cdef int i
    if child.stems == 0 or count_arrangements(child) > MOST_ARRANGEMENTS:
        found.won = True
        return False
    copy_class(&ordered, child)
    for i in range(ordered.stems):
        insert(ordered.stem, i, ordered.stem[i])
    for i in range(ordered.segments):
        insert(ordered.segment, i, ordered.segment[i])
    memset(record, 0, CLASS_RECORD)
    pack(&ordered, record)
    return keep(found, record)


cdef double count_arrangements(const Class* state) noexcept nogil:
    """The number of ways of laying the segments one by one on cards one rank higher, as checkers count it."""
    cdef double count = 1
    cdef int rank, i, ends
    for rank in range(MAX_RANKS):
        ends = count_of_all(state.ends, rank)
        for i in range(count_of_all(state.heads, rank)):
            count *= ends - i
    return count


# --- Positions ----------------------------------------------------------------------------------------------

cdef enum:
    FIRST_CARD = 64         # the byte of card 0 in a record
    MOST_BYTES = MAX_CARDS + MAX_COLUMNS + 2    # of a record: sorted columns, each after a space, then zeros


@cython.final
cdef class PositionSet(StateList):
    """The positions that can be reached, or that may be on a line of fewer moves than claimed."""

    cdef Position position

    def explore(self, state, plain=False, int fewest=0):
        """Find all positions that can be reached from ``state``, of `rules.simon`; if ``fewest``, the claimed
        length of a shortest solution, is not 0, only those that may be on a shorter line.

        Returns False if a limit ended the search. Raises WrongAnswer if one of them is won; ValueError if
        ``fewest`` is too large, or if it is not 0 and a card is there twice.
        """
        self.load(state)
        held = [card for column in state.columns for card in column]
        if fewest and len(set(held)) < len(held):
            raise ValueError("expected each card once, got a card twice")
        self.count_moves(fewest)
        self.record_length = self.key_length = (len(held) + len(state.columns) + 8) // 8 * 8
        return self.find_all(None)

    cdef void begin_states(self) noexcept nogil:
        set_position(&self.position, &self.layout)
        self.add()

    cdef bint expand(self, uint64_t number) noexcept nogil:
        cdef uint32_t moves[MAX_MOVES]
        cdef MadeMove step
        cdef int i
        self.read(number)
        if number == 0 and self.is_bound():
            return True
        if self.position.left == 0:
            self.found.won = True
            return True
        for i in range(generate_moves(&self.position, moves)):
            step = do_move(&self.position, source_of(moves[i]), target_of(moves[i]), count_of(moves[i]))
            self.kernel.generated += 1
            if not self.fewest or self.made + certificate_bound(&self.position) < self.fewest:
                self.add()
            undo_move(&self.position, step)
            if self.found.full:
                break
        return True

    cdef bint is_bound(self) noexcept nogil:
        """Test if the bound of the present position, the first one, proves the claim alone."""
        return self.fewest and certificate_bound(&self.position) >= self.fewest

    cdef void add(self) noexcept nogil:
        """Add the present position unless it is there already; sets ``found.full`` if memory runs out."""
        cdef const Position* p = &self.position
        cdef char record[MOST_BYTES]
        cdef char texts[MAX_COLUMNS][MAX_CARDS + 1]
        cdef int sizes[MAX_COLUMNS]
        cdef int column, i, used = 0
        memset(record, 0, sizeof(record))
        for column in range(p.columns):
            if p.size[column] > 0:
                for i in range(p.size[column]):
                    texts[used][i] = p.card[column][i] + FIRST_CARD
                texts[used][p.size[column]] = 0
                sizes[used] = p.size[column]
                used += 1
        write_sorted(record, 0, texts[0], sizeof(texts[0]), sizes, used)
        keep(&self.found, record)

    cdef void read(self, uint64_t number) noexcept nogil:
        cdef Layout layout
        cdef const uint8_t* record = record_at(&self.found.states, number)
        cdef int column = 0, at = 0
        memset(layout.size, 0, sizeof(layout.size))
        layout.columns = self.position.columns
        layout.ranks = self.position.ranks
        while record[at] != 0:
            at += 1
            while record[at] >= FIRST_CARD:
                layout.card[column][layout.size[column]] = record[at] - FIRST_CARD
                layout.size[column] += 1
                at += 1
            column += 1
        set_position(&self.position, &layout)

    cdef int write(self, char* line, uint64_t number) noexcept nogil:
        cdef const Position* p = &self.position
        cdef char texts[MAX_COLUMNS][2 * MAX_CARDS]
        cdef int column, used = 0, length = 0
        cdef int sizes[MAX_COLUMNS]
        self.read(number)
        if self.fewest:
            length = write_number(line, self.fewest - self.moves_to(number))
        length = write_text(
            line, length, b"bound:" if number == 0 and self.is_bound() else b"moves:"
        )
        for column in range(p.columns):
            if p.size[column] == 0:
                continue
            sizes[used] = write_cards(texts[used], p.card[column], p.size[column])
            used += 1
        length = write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, used)
        return write_text(line, length, b"\n")
