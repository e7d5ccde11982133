"""Lines: moves between classes, and steps of shortest lines, written as moves of the game.

Each move of a class can be made from every state of the class, with the draws and the lateral move that it
needs (K1 of docs/theory/klondike.md). Lines are replayed by independent rules; see `replay`. `straighten`
removes detours.
"""

cdef struct Line:
    PlainMove* steps
    uint64_t capacity
    int count
    bint failed             # memory ran out, or a move could not be made


cdef enum:
    LONGEST_LINE = 100000   # moves
    MOST_STRAIGHTENED = 1000    # moves of a line that `straighten` shortens

cdef struct Sizes:          # the columns of a position, without their cards
    uint8_t size[COLUMNS]
    uint8_t hidden[COLUMNS]


# --- Steps ----------------------------------------------------------------------------------------------

cdef inline void make(Line* line, Position* p, int source, int target, int count, int suit) noexcept nogil:
    """Make a legal move in ``p`` and append it to ``line``. If allocation fails, only ``line.failed`` is
    set."""
    if line.count >= LONGEST_LINE or line.count == <int>line.capacity and not more_room(
            &line.steps, &line.capacity, 256, sizeof(PlainMove), <uint64_t>1 << 40):
        line.failed = True
    if line.failed:
        return
    line.steps[line.count] = PlainMove(source, target, count, suit, -1)
    line.count += 1
    make_move(p, &line.steps[line.count - 1])


cdef inline int empty_column(const Position* p) noexcept nogil:
    """Return the first empty column, or -1."""
    cdef int column
    for column in range(p.columns):
        if p.size[column] == 0:
            return column
    return -1


cdef inline int host_of(Line* line, const Position* p, int card) noexcept nogil:
    """Return the first column on which ``card`` may land. Sets ``line.failed`` if there is none."""
    cdef int host, column = -1
    if rank_of(card) == p.ranks - 1:
        column = empty_column(p)
    else:
        host = first_host(card)
        if p.bare >> host & 1:
            column = p.column[host]
        host = like(host)
        if p.bare >> host & 1 and (column < 0 or p.column[host] < column):
            column = p.column[host]
    if column < 0:
        line.failed = True
        return 0
    return column


cdef inline void draw_to(Line* line, Position* p, int card) noexcept nogil:
    """Append draws until ``card`` is the top of the waste. Sets ``line.failed`` if that does not happen."""
    cdef int _i
    for _i in range(2 * CARDS + 4):
        if p.waste > 0 and p.slots[p.waste - 1] == card:
            return
        make(line, p, STOCK, WASTE, 1, NO_SUIT)
    line.failed = True


cdef inline void raise_card(Line* line, Position* p, int card) noexcept nogil:
    """Append the moves of ``card`` to its foundation: from the stock with the draws needed, from a column
    after a move of the run on it, if any, to the like card."""
    cdef int row, column
    if not p.face >> card & 1:
        draw_to(line, p, card)
        make(line, p, WASTE, FOUNDATION, 1, NO_SUIT)
        return
    column = p.column[card]
    if not p.bare >> card & 1:
        row = row_of(p, card) + 1
        make(line, p, column, host_of(line, p, p.card[column][row]), p.size[column] - row, NO_SUIT)
    make(line, p, column, FOUNDATION, 1, NO_SUIT)


cdef inline void follow(Line* line, Position* p, uint32_t code) noexcept nogil:
    """Append the moves of a code that `children_of` wrote."""
    cdef int kind = code >> 8, card = card_at(code & 255), column
    if kind == RAISE or kind == RAISE_SLOT:
        raise_card(line, p, card)
    elif kind == LAND:
        if not p.face >> card & 1:
            line.failed = True
            return
        column = p.column[card]
        make(line, p, column, host_of(line, p, card), p.size[column] - row_of(p, card), NO_SUIT)
    elif kind == LAND_SLOT:
        draw_to(line, p, card)
        make(line, p, WASTE, host_of(line, p, card), 1, NO_SUIT)
    elif kind == BRING_BACK:
        make(line, p, FOUNDATION, host_of(line, p, card), 1, suit_of(card))


cdef inline void make_step(Line* line, Position* p, uint32_t code) noexcept nogil:
    """Append the moves of a step of `steps`, given by its code."""
    cdef int card = code & CODE_MASK, target = code >> TARGET_AT & CODE_MASK
    cdef int source = WASTE, count = 1, suit = NO_SUIT, column = -1
    if p.face >> card & 1:
        source = p.column[card]
        count = p.size[source] - row_of(p, card)
    elif rank_of(card) < p.height[suit_of(card)]:
        source, suit = FOUNDATION, suit_of(card)
    else:
        draw_to(line, p, card)
    if target == UP:
        column = FOUNDATION
    elif target == EMPTY:
        column = empty_column(p)
    elif p.face >> target & 1:
        column = p.column[target]
    if column == -1:
        line.failed = True
        return
    make(line, p, source, column, count, suit)
    if code & HOST_UP:
        make(line, p, source, FOUNDATION, 1, NO_SUIT)


cdef inline void raise_all(Line* line, Position* p, const uint8_t* places, int count) noexcept nogil:
    """Append the moves of the ``count`` cards, given by their bits ``places``, that `make_safe_moves`
    raised."""
    cdef int i
    for i in range(count):
        raise_card(line, p, card_at(places[i]))


cdef inline void finish(Line* line, Position* p) noexcept nogil:
    """Append the moves of all remaining cards to the foundations, those in columns first. Sets
    ``line.failed`` if that is impossible."""
    cdef int suit, card, found
    cdef bint is_over = False
    while not is_over and not line.failed:
        is_over = True
        found = -1
        for suit in range(4):
            card = next_card(p, suit)
            if card == NO_CARD:
                continue
            is_over = False
            if p.bare >> card & 1:
                found = card
                break
            if not p.face >> card & 1 and found < 0:
                found = card
        if not is_over:
            if found < 0:
                line.failed = True
                return
            raise_card(line, p, found)


# --- Straightening --------------------------------------------------------------------------------------

cdef inline uint64_t hash_position(const Position* p) noexcept nogil:
    """Hash the face-up cards of all columns and the foundations."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(4):
        found = found << 8 | p.height[i]
    for i in range(p.columns):
        found = hash_words(found, p.runs[i])
    return found


cdef inline void straighten(Line* line, const Position* start) noexcept nogil:
    """Shorten a line: cut out loops, which lead back to an earlier state, and stopovers of runs."""
    if line.failed or line.count > MOST_STRAIGHTENED:
        return
    cut_loops(line, start)
    while skip_stopovers(line, start):
        pass


cdef inline void cut_loops(Line* line, const Position* start) noexcept nogil:
    """Cut out loops. No loop contains a move that turns a card up, takes one from the waste or, unless one
    comes back, puts one on a foundation; nor a draw, since a line draws only to the card that it plays next.
    Where two other moves follow each other, hashes tell the states between such moves apart."""
    cdef uint64_t before[MOST_STRAIGHTENED + 1]
    cdef bint irreversible[MOST_STRAIGHTENED + 1]
    cdef Position p
    cdef Sizes sizes
    cdef const PlainMove* step
    cdef int i, j, hidden, end = 0, count = line.count
    cdef bint comes_back = False, may_loop = False
    for i in range(count):
        if line.steps[i].source == FOUNDATION:
            comes_back = True
    take_sizes(&sizes, start)
    irreversible[count] = True
    for i in range(count):
        step = &line.steps[i]
        hidden = sizes.hidden[step.source] if step.source >= 0 else 0
        move_sizes(&sizes, step)
        irreversible[i] = (step.source == STOCK or step.source == WASTE
                           or step.target == FOUNDATION and not comes_back
                           or step.source >= 0 and sizes.hidden[step.source] < hidden)
        if i > 0 and not irreversible[i] and not irreversible[i - 1]:
            may_loop = True
    if not may_loop:
        return
    p = start[0]
    for i in range(count):
        if not irreversible[i] or i > 0 and not irreversible[i - 1]:
            before[i] = hash_position(&p)
        make_move(&p, &line.steps[i])
    before[count] = hash_position(&p)
    line.count = i = 0
    while i < count:
        end = max(end, i)
        while not irreversible[end]:
            end += 1
        j = end
        while j > i and before[j] != before[i]:
            j -= 1
        if j == i:
            line.steps[line.count] = line.steps[i]
            line.count += 1
            j += 1
        i = j


cdef inline void take_sizes(Sizes* sizes, const Position* p) noexcept nogil:
    """Take the sizes of the columns of ``p``."""
    memcpy(sizes.size, p.size, sizeof(sizes.size))
    memcpy(sizes.hidden, p.hidden, sizeof(sizes.hidden))


cdef inline void move_sizes(Sizes* sizes, const PlainMove* step) noexcept nogil:
    """Change the sizes of the columns as a legal move does."""
    if step.source >= 0:
        sizes.size[step.source] -= step.count
        if 0 < sizes.size[step.source] == sizes.hidden[step.source]:
            sizes.hidden[step.source] -= 1
    if step.target >= 0:
        sizes.size[step.target] += step.count


cdef inline bint skip_stopovers(Line* line, const Position* start) noexcept nogil:
    """Join two moves of the same run, or of a card from the foundations, to one if the line does not touch
    the source and the target of the first between them. Returns whether any were joined."""
    cdef Sizes sizes
    cdef PlainMove* step
    cdef PlainMove* later
    cdef int i, j, kept = 0
    take_sizes(&sizes, start)
    for i in range(line.count):
        step = &line.steps[i]
        j = next_of_run(line, i)
        if j > 0:
            later = &line.steps[j]
            if later.target != step.source:
                later.source = step.source
                later.suit = step.suit
                step.count = 0
            elif (step.source == FOUNDATION
                    or sizes.hidden[step.source] < sizes.size[step.source] - step.count):
                step.count = later.count = 0
        if step.count > 0:
            move_sizes(&sizes, step)
    for i in range(line.count):
        if line.steps[i].count > 0:
            line.steps[kept] = line.steps[i]
            kept += 1
    i = line.count
    line.count = kept
    return kept < i


cdef inline int next_of_run(const Line* line, int number) noexcept nogil:
    """Return the number of a later move of exactly the cards that move ``number`` moved, if the line touches
    neither source nor target of that move between the two; otherwise 0."""
    cdef const PlainMove* step = &line.steps[number]
    cdef const PlainMove* later
    cdef int j
    if step.count == 0 or step.target < 0 or step.source == STOCK or step.source == WASTE:
        return 0
    for j in range(number + 1, line.count):
        later = &line.steps[j]
        if later.count == 0:
            continue
        if later.source == step.target:
            return j if later.count == step.count else 0
        if later.target == step.target:
            return 0
        if step.source == FOUNDATION:
            if later.source == FOUNDATION and later.suit == step.suit:
                return 0
        elif later.source == step.source or later.target == step.source:
            return 0
    return 0
