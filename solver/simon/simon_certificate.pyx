"""Certificates of the Simon family: sets of states that are closed under moves (inductive invariants).

The states are those of relaxation R0 (Theorem S2), classes of positions (Theorem S3), or positions (Theorem
S4): all that can be reached or, in a certificate of a shortest solution, all that may be on a line of fewer
moves than claimed. All moves of each state are made, without pruning. Records are compared in full, so a hash
collision never merges two states. docs/certificates.md describes the formats.
"""

# optimised: making a certificate must cost little compared with the search

from winnable.solver.core.certificate cimport (
    CARD_NAMES, CUT_SHORT, IS_CLOSED, REFUTED, Close, Closure, CountPositions, FreePositions, LoadPosition,
    PositionList, WritePosition, begin_layers, moves_to, note_layer, write_number, write_sorted, write_text,
)

include "parts.pxi"

# --- Bound of listed positions ------------------------------------------------------------------------------

# A simple lower bound for one deck, which the checker computes, too: the number of heads, of
# heads that wait for themselves, and of disjoint cycles of cards that wait for each other. Cycles are chosen
# greedily, a shortest one first (Theorem S8).

cdef extern from *:
    """
    static const uint64_t ONE_SUIT = 0x1111111111111;
    """
    const uint64_t ONE_SUIT     # the set of cards of the first suit


cdef inline int certificate_bound(const Position* position) noexcept nogil:
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
        waits[card] |= heads & (ONE_SUIT << (card & 3))
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


cdef inline uint64_t shortest_cycle(const uint64_t* waits, uint64_t stuck) noexcept nogil:
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


cdef inline uint64_t cycle_through(
    const uint64_t* waits, uint64_t stuck, int start, int* length
) noexcept nogil:
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
    RECORD_STEMS = 16         # numbers in a record of R0

cdef struct RelaxedRecord:  # a state of R0
    uint16_t stem[RECORD_STEMS]   # the key: the numbers of the stems, then zeros
    uint64_t behind             # the next state on the stack of states to expand, or NO_STATE

cdef struct Found:
    Explored states
    bint won                    # or the states cannot be listed
    bint full                   # out of memory
    uint64_t taken              # number of states expanded; they are the first ones
    uint32_t waiting            # of R0: the state to expand next, or NO_STATE
    uint16_t like[PARTS]        # of R0: the first part that is the same stem


cdef inline bint keep_record(Found* found, const void* record) noexcept nogil:
    """Add a state unless it is there already. Returns False, which ends the search, if memory runs out."""
    if add_record(&found.states, <const uint8_t*>record) >= 0:
        return True
    found.full = True
    return False


cdef struct StateList

# Add the state that was loaded; set ``found.full`` if memory runs out.
ctypedef void (*BeginStates)(StateList* self) noexcept nogil
# Add the successors of state ``number``. Returns False if the result would be wrong, since a capacity was
# exceeded.
ctypedef bint (*Expand)(StateList* self, uint64_t number) noexcept nogil

cdef struct StateList:      # the states that can be reached from a position; every move of each is made
    PositionList list
    Layout layout
    Found found
    uint32_t record_length  # bytes
    uint32_t key_length     # bytes of the key, the first ones of the record
    bint by_depth           # expand the state found last, instead of the first one
    BeginStates begin
    Expand expand


cdef inline void set_functions(
    StateList* self, LoadPosition load, BeginStates begin, Expand expand, WritePosition write
) noexcept nogil:
    """Set the functions of a list of one kind, and those of all kinds."""
    self.list.load = load
    self.begin = begin
    self.expand = expand
    self.list.write = write
    self.list.close = <Close>find_states
    self.list.count = <CountPositions>count_found
    self.list.free = <FreePositions>free_list
    self.list.kernel.note = <void (*)(Kernel*) noexcept nogil>note_found


cdef inline void free_list(StateList* self) noexcept nogil:
    free_explored(&self.found.states)
    free(self)


cdef inline uint64_t count_found(const StateList* self) noexcept nogil:
    return self.found.states.count


cdef inline void note_found(StateList* self) noexcept nogil:
    self.list.kernel.bytes_held = explored_bytes(&self.found.states)


cdef inline bint take(StateList* self, uint64_t* number) noexcept nogil:
    """Set ``number`` to the state to expand next. Returns False if all states are expanded."""
    if not self.by_depth:
        number[0] = self.found.taken
        self.found.taken += 1
        return number[0] < self.found.states.count
    number[0] = self.found.waiting
    if number[0] == NO_STATE:
        return False
    self.found.waiting = (<RelaxedRecord*>record_at(&self.found.states, self.found.waiting)).behind
    return True


cdef inline Closure find_states(StateList* self) noexcept nogil:
    cdef uint64_t number
    self.found.taken = 0
    self.found.waiting = NO_STATE
    self.found.won = self.found.full = False
    free_explored(&self.found.states)
    begin_layers(&self.list)
    if open_keyed(&self.found.states, self.record_length, self.key_length, self.list.kernel.limits.bytes):
        self.begin(self)
    else:
        self.found.full = True
    while not self.found.full and not self.found.won and take(self, &number):
        if not may_expand(&self.list.kernel):
            return CUT_SHORT
        note_layer(&self.list, number)
        if not self.expand(self, number):
            return CUT_SHORT
    if self.found.full:
        self.list.kernel.reason = MEMORY
    if self.found.won:
        return REFUTED
    return CUT_SHORT if self.found.full else IS_CLOSED


cdef inline int write_cards(char* text, const uint8_t* cards, int count) noexcept nogil:
    """Write the names of ``count`` cards to ``text``; return the number of characters."""
    cdef int i
    for i in range(count):
        memcpy(text + 2 * i, CARD_NAMES[cards[i]], 2)
    return 2 * count


# --- States of the relaxation -------------------------------------------------------------------------------

# A record has the stems of a state by number, ascending; stems with equal cards get the same number, so that
# equal states have equal records. States are expanded depth first, which soon finds a win of the relaxation
# if there is one.

cdef struct RelaxedList:    # the states of relaxation R0
    StateList of
    Loose loose
    uint8_t card[PARTS][MAX_CARDS]      # cards of each part, the deepest first
    uint8_t size[PARTS]


cdef inline PositionList* new_relaxed_list() noexcept nogil:
    """An empty list, which its function ``free`` frees; NULL if allocation fails."""
    cdef RelaxedList* self = <RelaxedList*>calloc(1, sizeof(RelaxedList))
    if self == NULL:
        return NULL
    set_functions(&self.of, <LoadPosition>load_relaxed, <BeginStates>begin_relaxed, <Expand>expand_relaxed,
                  <WritePosition>write_relaxed)
    self.of.record_length = sizeof(RelaxedRecord)
    self.of.key_length = RECORD_STEMS * sizeof(uint16_t)
    self.of.by_depth = True
    return &self.of.list


cdef inline const char* load_relaxed(RelaxedList* self, const Desk* desk, bint plain) noexcept nogil:
    cdef Class root
    load_desk(&self.of.layout, desk)
    class_of(&root, &self.of.layout, self.of.layout.card, self.of.layout.size)
    set_start(&self.loose, &self.of.layout, &root)
    name_parts(self)
    return NULL


cdef inline void begin_relaxed(RelaxedList* self) noexcept nogil:
    list_state(&self.of.found, &self.loose.start)


cdef inline bint expand_relaxed(RelaxedList* self, uint64_t number) noexcept nogil:
    cdef Stems parent
    read_relaxed(self, &parent, number)
    generate_loose(&self.loose, &parent, list_state, &self.of.found)
    return True


cdef inline void read_relaxed(RelaxedList* self, Stems* state, uint32_t number) noexcept nogil:
    cdef const uint16_t* stems = (<RelaxedRecord*>record_at(&self.of.found.states, number)).stem
    state.count = 0
    state.low = state.high = 0
    state.open = self.loose.open
    while state.count < MAX_COLUMNS and stems[state.count]:
        state.number[state.count] = stems[state.count]
        state.open += self.loose.part[stems[state.count]].open
        state.count += 1


cdef inline void name_parts(RelaxedList* self) noexcept nogil:
    """Set the cards of each part, and the first part that is the same stem."""
    cdef const Part* part
    cdef int number, i
    for number in range(PARTS):
        part = &self.loose.part[number]
        self.size[number] = 0
        self.of.found.like[number] = number
        if number == 0 or part.stem == 0 or (number < FIRST_RUN and number > self.of.layout.cards):
            continue
        if number >= FIRST_RUN and not is_run(self, number):
            continue
        i = 1
        while self.size[i] == 0 or self.loose.part[i].stem != part.stem:
            if i == number:
                break
            i += 1
        self.of.found.like[number] = i
        for i in range(stem_below(part.stem)):
            self.card[number][i] = self.of.layout.card[stem_column(part.stem)][i]
        self.size[number] = stem_below(part.stem) + part.length
        for i in range(part.length):
            self.card[number][self.size[number] - 1 - i] = (
                4 * (part.end + i) + (part.stem >> 2 * i & 3))


cdef inline bint is_run(const RelaxedList* self, int number) noexcept nogil:
    """Test if part ``number``, a run alone in a column, has a head and a top that the deck has."""
    cdef int head = (number - FIRST_RUN) // MAX_RANKS % MAX_RANKS, end = (number - FIRST_RUN) % MAX_RANKS
    return head < self.of.layout.ranks and end <= head


cdef inline int write_relaxed(RelaxedList* self, char* line, uint64_t number) noexcept nogil:
    cdef char texts[MAX_COLUMNS][2 * MAX_CARDS]
    cdef int sizes[MAX_COLUMNS]
    cdef Stems state
    cdef int i, part, length = write_text(line, 0, b"relaxed:")
    read_relaxed(self, &state, number)
    for i in range(state.count):
        part = state.number[i]
        sizes[i] = write_cards(texts[i], self.card[part], self.size[part])
    length = write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, state.count)
    return write_text(line, length, b"\n")


cdef inline bint list_state(void* context, const Stems* child) noexcept nogil:
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
    keep_record(found, &record)
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


cdef struct ClassList:      # the classes of positions that can be reached
    StateList of
    Generator generator


cdef inline PositionList* new_class_list() noexcept nogil:
    """An empty list, which its function ``free`` frees; NULL if allocation fails."""
    cdef ClassList* self = <ClassList*>calloc(1, sizeof(ClassList))
    if self == NULL:
        return NULL
    set_functions(&self.of, <LoadPosition>load_class, <BeginStates>begin_classes, <Expand>expand_class,
                  <WritePosition>write_class)
    self.of.record_length = self.of.key_length = CLASS_RECORD
    return &self.of.list


cdef inline const char* load_class(ClassList* self, const Desk* desk, bint plain) noexcept nogil:
    load_desk(&self.of.layout, desk)
    return NULL


cdef inline void begin_classes(ClassList* self) noexcept nogil:
    cdef Class root
    class_of(&root, &self.of.layout, self.of.layout.card, self.of.layout.size)
    list_class(&self.of.found, &root, NULL)


cdef inline bint expand_class(ClassList* self, uint64_t number) noexcept nogil:
    cdef Class parent
    unpack(&parent, record_at(&self.of.found.states, number))
    self.generator.produced = 0
    generate_successors(&self.generator, &self.of.layout, &parent, ALL, NO_CAP, list_class,
                        &self.of.found)
    self.of.list.kernel.generated += self.generator.produced
    self.of.list.has_fault = self.generator.fault
    return not self.generator.fault


cdef inline int write_class(ClassList* self, char* line, uint64_t number) noexcept nogil:
    """Write the text of a class, its stems and then its segments, to ``line``; return its length."""
    cdef char stems[MAX_COLUMNS][2 * MAX_CARDS]
    cdef char segments[MAX_CARDS][2 * MAX_RANKS]
    cdef int sizes[MAX_CARDS]
    cdef Class state
    cdef int i, cards, length = write_text(line, 0, b"arranged:")
    unpack(&state, record_at(&self.of.found.states, number))
    for i in range(state.stems):
        sizes[i] = write_stem(self, stems[i], state.stem[i])
    length = write_sorted(line, length, stems[0], sizeof(stems[0]), sizes, state.stems)
    if state.segments > 0:
        length = write_text(line, length, b" +")
    for i in range(state.segments):
        cards = head_of(state.segment[i]) - end_of(state.segment[i]) + 1
        sizes[i] = write_run(segments[i], head_of(state.segment[i]), cards,
                             same_suits(suit_of(state.segment[i]), cards))
    length = write_sorted(line, length, segments[0], sizeof(segments[0]), sizes, state.segments)
    return write_text(line, length, b"\n")


cdef inline int write_stem(ClassList* self, char* text, Stem stem) noexcept nogil:
    """Write the cards of a stem to ``text``; return the number of characters."""
    cdef int cards = stem_length(stem)
    cdef int length = write_cards(text, self.of.layout.card[stem_column(stem)], stem_below(stem))
    return length + write_run(text + length, stem_anchor(stem), cards, stem_suits(stem))


cdef inline int write_run(char* text, int head, int count, int suits) noexcept nogil:
    """Write ``count`` cards that descend by rank from ``head`` to ``text``; return the number of characters.
    ``suits`` has two bits for each, those of the last card lowest."""
    cdef int i
    for i in range(count):
        memcpy(text + 2 * i, CARD_NAMES[4 * (head - i) + (suits >> 2 * (count - 1 - i) & 3)], 2)
    return 2 * count


cdef inline bint list_class(void* context, Class* child, const Plan* plan) noexcept nogil:
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
    return keep_record(found, record)


cdef inline double count_arrangements(const Class* state) noexcept nogil:
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


cdef struct ExactList:      # the positions that can be reached, or be on a line of fewer moves than claimed
    StateList of
    Position position


cdef inline PositionList* new_exact_list() noexcept nogil:
    """An empty list, which its function ``free`` frees; NULL if allocation fails."""
    cdef ExactList* self = <ExactList*>calloc(1, sizeof(ExactList))
    if self == NULL:
        return NULL
    set_functions(&self.of, <LoadPosition>load_exact, <BeginStates>begin_positions, <Expand>expand_position,
                  <WritePosition>write_position)
    return &self.of.list


cdef inline const char* load_exact(ExactList* self, const Desk* desk, bint plain) noexcept nogil:
    cdef int column, cards = 0
    if self.of.list.claimed and has_two(desk):
        return b"expected each card once, got a card twice"
    for column in range(desk.columns):
        cards += desk.size[column]
    load_desk(&self.of.layout, desk)
    self.of.record_length = self.of.key_length = (cards + desk.columns + 8) // 8 * 8
    return NULL


cdef inline bint has_two(const Desk* desk) noexcept nogil:
    """Test if a card is there twice."""
    cdef uint64_t seen = 0, card
    cdef int column, i
    for column in range(desk.columns):
        for i in range(desk.size[column]):
            card = <uint64_t>1 << desk.card[column][i]
            if seen & card:
                return True
            seen |= card
    return False


cdef inline void begin_positions(ExactList* self) noexcept nogil:
    set_position(&self.position, &self.of.layout)
    list_position(self)


cdef inline bint expand_position(ExactList* self, uint64_t number) noexcept nogil:
    cdef uint32_t moves[MAX_MOVES]
    cdef MadeMove step
    cdef int i
    read_position(self, number)
    if number == 0 and is_bound(self):
        return True
    if self.position.left == 0:
        self.of.found.won = True
        return True
    for i in range(generate_moves(&self.position, moves)):
        step = do_move(&self.position, source_of(moves[i]), target_of(moves[i]), count_of(moves[i]))
        self.of.list.kernel.generated += 1
        if not is_beyond(self):
            list_position(self)
        undo_move(&self.position, step)
        if self.of.found.full:
            break
    return True


cdef inline bint is_beyond(const ExactList* self) noexcept nogil:
    """Test if the bound shows that no line through the present position is shorter than claimed."""
    cdef int claimed = self.of.list.claimed
    return claimed and self.of.list.made + certificate_bound(&self.position) >= claimed


cdef inline bint is_bound(ExactList* self) noexcept nogil:
    """Test if the bound of the present position, the first one, proves the claim alone."""
    return self.of.list.claimed and certificate_bound(&self.position) >= self.of.list.claimed


cdef inline void list_position(ExactList* self) noexcept nogil:
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
    keep_record(&self.of.found, record)


cdef inline void read_position(ExactList* self, uint64_t number) noexcept nogil:
    cdef Layout layout
    cdef const uint8_t* record = record_at(&self.of.found.states, number)
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


cdef inline int write_position(ExactList* self, char* line, uint64_t number) noexcept nogil:
    cdef const Position* p = &self.position
    cdef char texts[MAX_COLUMNS][2 * MAX_CARDS]
    cdef int column, used = 0, length = 0
    cdef int sizes[MAX_COLUMNS]
    read_position(self, number)
    if self.of.list.claimed:
        length = write_number(line, self.of.list.claimed - moves_to(&self.of.list, number))
    length = write_text(
        line, length, b"bound:" if number == 0 and is_bound(self) else b"moves:"
    )
    for column in range(p.columns):
        if p.size[column] == 0:
            continue
        sizes[used] = write_cards(texts[used], p.card[column], p.size[column])
        used += 1
    length = write_sorted(line, length, texts[0], sizeof(texts[0]), sizes, used)
    return write_text(line, length, b"\n")


# --- All kinds ----------------------------------------------------------------------------------------------

cdef public PositionList* simon_list(int kind) noexcept nogil:
    """An empty list for a certificate: of states of relaxation R0, kind 0, classes, 1, or positions, 2. NULL
    if allocation fails."""
    if kind == 0:
        return new_relaxed_list()
    return new_class_list() if kind == 1 else new_exact_list()
