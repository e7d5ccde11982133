"""Steps between exact positions of Klondike with redeals, and the part of the bound that they update.

The bound adds disjoint kinds of moves (K7), and a step updates it at little cost: the last move of each card,
the first draw of each card of the stock, and moves of cards that lie above a lower one of their suit in a
column or in the waste. `landmarks` may give a better bound than the latter. A step of the search is a move,
or several that some shortest line makes together: draws join the play that needs them (K8), a safe foundation
move is the only step (K9), and a run moves between like hosts only if the freed host goes up (K10). A step
changes the key; the position from which it is made stays. The theorems are those of docs/theory/klondike.md.
"""

cdef enum:
    MOST_STEPS = 256
    UP = 60                 # target of a step: the foundation
    EMPTY = 61              # target of a step: an empty column; other targets are cards
    TARGET_AT = 6           # shift of the target in the code of a step, after the card
    CODE_MASK = 63          # mask of card and target
    HOST_UP = 1 << 12       # the card beneath the moved one goes up after it
    REDEALT = 1 << 13       # the step begins with a redeal
    LAST_AT = 15            # shift, in the code of a step, of the card or column that it freed, 0 for none
    OLDER_AT = 21           # shift, in the code of a step, of what an earlier step freed

ctypedef struct Step:       # a move, or several moves made together, and the key after it
    uint64_t low, high
    int moves               # moves made from the start on
    int left, stock, columns    # the three parts of the bound
    uint32_t code           # the move, for `line.make_step`

cdef struct Steps:
    const ExactLayout* start
    const Position* table
    int count
    bint is_safe            # the only step is a safe foundation move
    Step step[MOST_STEPS]


cdef inline int draws_left(const ExactLayout* start, uint64_t low, uint64_t high) noexcept nogil:
    """Return a lower bound of the draws that turn up the rest of the stock for the first time. It is 0 unless
    the goal is all cards, which needs the whole stock."""
    cdef uint64_t slots = low >> SLOTS_AT & ((<uint64_t>1 << start.slots) - 1)
    if not start.is_full:
        return 0
    return (count_bits(slots) - <int>(high & 63) + start.draw - 1) // start.draw


# --- Lower bound ----------------------------------------------------------------------------------------

cdef inline int column_bound(const ExactLayout* start, int column, int left, uint64_t run) noexcept nogil:
    """Return a lower bound of the extra moves of waiting cards of a column with ``left`` dealt cards left and
    the face-up cards ``run``."""
    return start.waiting[column][left] + ((run & start.over[column][left]) != 0)


cdef inline int cards_left(const ExactLayout* start, const Position* t) noexcept nogil:
    """Return the number of cards still to go up to reach the goal."""
    return start.goal - t.height[0] - t.height[1] - t.height[2] - t.height[3]


cdef inline int stock_bound(const ExactLayout* start, const Position* t, int count, int waste,
                            int redeals) noexcept nogil:
    """Return a lower bound of the draws and of the extra moves of waiting cards of the waste, after
    ``redeals``. The waste is the first ``waste`` of the ``count`` cards left in waste and stock."""
    cdef int i, card, waiting = 0
    cdef int lowest[4]
    if not start.is_full:
        return 0
    for i in range(4):
        lowest[i] = NO_CARD
    for i in range(waste):
        card = t.slots[i]
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
        else:
            waiting += 1
    if start.passes == 0 or redeals + 1 < start.passes:
        waiting = min(waiting, (waiting + start.draw) // start.draw)
    return (count - waste + start.draw - 1) // start.draw + waiting


cdef inline int columns_bound(const ExactLayout* start, const Position* t) noexcept nogil:
    """Return a lower bound of the extra moves of waiting cards in columns."""
    cdef int column, total = 0
    for column in range(start.columns):
        total += column_bound(start, column, t.left[column], t.runs[column])
    return total


# --- Steps ----------------------------------------------------------------------------------------------

cdef inline bint is_safe(const Position* t, int card) noexcept nogil:
    """Test whether a next card, once bare, goes up in some shortest line (Theorem K9)."""
    cdef int other = 0 if is_red(card) else 1
    cdef int lowest = min(t.height[other], t.height[like(other)])
    return is_unneeded(rank_of(card), lowest, t.height[suit_of(like(card))], t.backward)


cdef inline void find_steps(Steps* steps, const ExactLayout* start, const Position* table,
                            const Step* here) noexcept nogil:
    """Generate all steps from ``here``, whose key is unpacked in ``table``."""
    cdef int suit, card
    steps.start = start
    steps.table = table
    steps.count = 0
    steps.is_safe = add_safe_step(steps, here)
    if steps.is_safe:
        return
    for suit in range(4):
        card = next_card(steps.table, suit)
        if card != NO_CARD and table.bare >> card & 1:
            raise_bare(steps, here[0], card)
    move_columns(steps, here)
    play_stock(steps, here[0])
    if start.backward:
        bring_back(steps, here)


cdef inline bint add_safe_step(Steps* steps, const Step* here) noexcept nogil:
    """Add a safe foundation move from ``here``. Returns False if there is none."""
    cdef const Position* t = steps.table
    cdef int suit, card, top = t.slots[t.waste - 1] if t.waste > 0 and steps.start.draw == 1 else NO_CARD
    for suit in range(4):
        card = next_card(steps.table, suit)
        if card == NO_CARD or not is_safe(t, card):
            continue
        if t.bare >> card & 1:
            raise_bare(steps, here[0], card)
            return True
        if card == top:
            play(steps, here[0], t.waste, 0, 0, True)
            return True
    return False


cdef inline void add_step(Steps* steps, const Step* step, uint32_t code) noexcept nogil:
    """Append ``step`` with the code ``code`` to the steps."""
    invariant(steps.count < MOST_STEPS)
    steps.step[steps.count] = step[0]
    steps.step[steps.count].code = code
    steps.count += 1


cdef inline int column_field(const ExactLayout* start, int column, int left) noexcept nogil:
    """Return the field of a column with ``left`` dealt cards left: that number, or 0 if only a king is."""
    if left == 1 and start.kings >> start.dealt[column][0] & 1:
        return 0
    return left


cdef inline uint64_t run_from(const Position* t, int card) noexcept nogil:
    """Return the run from a face-up card to the top."""
    cdef int column = t.column[card], i = t.size[column] - 1
    cdef uint64_t cards = bit(card)
    while t.card[column][i] != card:
        cards |= bit(t.card[column][i])
        i -= 1
    return cards


cdef inline void take_away(const Steps* steps, Step* step, int card) noexcept nogil:
    """Remove a face-up card and the run on it from its place."""
    cdef const Position* t = steps.table
    cdef const ExactLayout* start = steps.start
    cdef int column = t.column[card], left = t.left[column]
    cdef uint64_t run
    step.columns -= column_bound(start, column, left, t.runs[column])
    if t.bases >> card & 1:
        run = bit(t.card[column][left - 2]) if left > 1 else 0
        step.low &= ~(<uint64_t>start.mask[column] << start.shift[column])
        step.low |= <uint64_t>column_field(start, column, left - 1) << start.shift[column]
        step.columns += column_bound(start, column, left - 1, run)
    else:
        step.columns += column_bound(start, column, left, t.runs[column] & ~run_from(t, card))


cdef inline void put_on(const Steps* steps, Step* step, int card, uint64_t run, int host) noexcept nogil:
    """Put ``card``, with the ``run`` that it begins, on ``host``."""
    cdef const Position* t = steps.table
    cdef int column = t.column[host]
    cdef bint sets_bit = not (is_second(card) and t.placed >> like(card) & 1)
    if sets_bit:
        step.high = with_place(step.high, host)
    step.columns -= column_bound(steps.start, column, t.left[column], t.runs[column])
    step.columns += column_bound(steps.start, column, t.left[column], t.runs[column] | run)


cdef inline uint32_t code_of(int card, int target) noexcept nogil:
    """Encode a move for its node: the card, and where it goes."""
    return card | target << TARGET_AT


cdef inline void put_up(const Steps* steps, Step* step, int card) noexcept nogil:
    """Move a bare card of a column to its foundation."""
    cdef const Position* t = steps.table
    step.moves += 1
    step.left -= 1
    step.low += bit(4 * suit_of(card))
    if t.placed >> card & 1:
        step.high &= ~bit(type_at(t.under[card]))
        if t.placed >> like(card) & 1:
            step.high = with_place(step.high, t.under[like(card)])
    take_away(steps, step, card)


cdef inline void raise_bare(Steps* steps, Step step, int card) noexcept nogil:
    """Add the move of a card of a column to its foundation."""
    put_up(steps, &step, card)
    add_step(steps, &step, code_of(card, UP))


cdef inline void free_host(Steps* steps, Step step, int card, int host) noexcept nogil:
    """Add the move of a placed card to a like host, together with the move up of the host that it frees
    (K10). Adds nothing if that host is not next on its foundation."""
    cdef int freed = steps.table.under[card]
    if next_card(steps.table, suit_of(freed)) != freed:
        return
    step.moves += 1
    put_up(steps, &step, freed)
    put_on(steps, &step, card, run_from(steps.table, card), host)
    add_step(steps, &step, code_of(card, host) | HOST_UP)


cdef inline void move_columns(Steps* steps, const Step* here) noexcept nogil:
    """Add the moves from column to column."""
    cdef const Position* t = steps.table
    cdef uint64_t rest = t.bare & ~<uint64_t>15, kings
    cdef int host, card, _which
    cdef Step child
    while rest:
        host = take_bit(&rest)
        card = (host & ~3) - 4 | (0 if is_red(host) else 1)     # the first of the two that fit
        for _which in range(2):
            if t.bases >> card & 1:
                child = here[0]
                child.moves += 1
                take_away(steps, &child, card)
                put_on(steps, &child, card, run_from(t, card), host)
                add_step(steps, &child, code_of(card, host))
            elif t.placed >> card & 1:
                free_host(steps, here[0], card, host)
            card = like(card)
    kings = t.bases & steps.start.kings if t.empty > 0 else 0
    while kings:
        card = take_bit(&kings)
        child = here[0]
        child.moves += 1
        take_away(steps, &child, card)
        add_step(steps, &child, code_of(card, EMPTY))


cdef inline void play_stock(Steps* steps, Step step) noexcept nogil:
    """Add the plays of cards of the waste and the stock, with their draws (Theorem K8)."""
    cdef const Position* t = steps.table
    cdef int draw = steps.start.draw, place = t.waste, draws = 0
    cdef uint32_t seen = 0
    if t.slot_count == 0:
        return
    while True:
        if place > 0:
            seen |= <uint32_t>1 << place
            play(steps, step, place, draws, 0, False)
        if place == t.slot_count:
            break
        place = min(place + draw, t.slot_count)
        draws += 1
    if t.slot_count <= draw or (steps.start.passes > 0 and t.redeals + 1 >= steps.start.passes):
        return
    if steps.start.passes > 0:
        step.high += bit(REDEALS_AT)
    place = 0
    while place < t.slot_count:
        place = min(place + draw, t.slot_count)
        draws += 1
        if not seen >> place & 1:
            play(steps, step, place, draws, REDEALT, False)


cdef inline void play(Steps* steps, Step step, int place, int draws, uint32_t also,
                      bint up_only) noexcept nogil:
    """Add the plays of a card of the waste and stock after ``draws`` draws. ``place`` is its number among the
    cards left there, from 1; ``also`` is or-ed to the codes; with ``up_only`` only its move up is added."""
    cdef const Position* t = steps.table
    cdef const ExactLayout* start = steps.start
    cdef int card = t.slots[place - 1], redeals = step.high >> REDEALS_AT & 7
    cdef Step child
    step.moves += draws + 1
    step.low &= ~bit(SLOTS_AT + start.slot_of[card])
    step.high = step.high & ~<uint64_t>63 | <uint64_t>(place - 1)
    step.stock = stock_bound(start, t, t.slot_count - 1, place - 1, redeals)
    if rank_of(card) == t.height[suit_of(card)]:
        child = step
        child.low += bit(4 * suit_of(card))
        child.left -= 1
        add_step(steps, &child, code_of(card, UP) | also)
    if not up_only:
        land(steps, step, card, also)


cdef inline void bring_back(Steps* steps, const Step* here) noexcept nogil:
    """Add the moves from the foundations back to columns."""
    cdef const Position* t = steps.table
    cdef int suit, card
    cdef Step child
    for suit in range(4):
        card = 4 * (t.height[suit] - 1) + suit
        if t.height[suit] == 0 or not steps.start.deck >> card & 1 or is_safe(t, card):
            continue
        child = here[0]
        child.moves += 1
        child.left += 1
        child.low -= bit(4 * suit)
        land(steps, child, card, 0)


cdef inline void land(Steps* steps, Step step, int card, uint32_t also) noexcept nogil:
    """Add the moves of a card of the waste or of a foundation to each host, or of a king to an empty column.
    ``also`` is or-ed to the codes."""
    cdef const Position* t = steps.table
    cdef Step child
    cdef int host, _which
    if rank_of(card) == steps.start.ranks - 1:
        if t.empty > 0:
            add_step(steps, &step, code_of(card, EMPTY) | also)
        return
    host = first_host(card)
    for _which in range(2):
        if t.bare >> host & 1:
            child = step
            put_on(steps, &child, card, bit(card), host)
            add_step(steps, &child, code_of(card, host) | also)
        host = like(host)


# --- Postponed steps -------------------------------------------------------------------------------------

cdef enum:
    SUIT_AT = 6             # shift, in what a step freed, of 1 + the suit of a foundation
    MOVE_MASK = (1 << 12) - 1   # card and target of a code


cdef inline uint32_t freed_by(const Position* t, uint32_t code) noexcept nogil:
    """Return 1 + the card, or EMPTY for a column, that a postponable step from ``t`` frees; 0 for a step that
    cannot be postponed (K14). Foundations are not considered."""
    cdef int card = code & CODE_MASK, column
    if code & HOST_UP:
        return 0
    if card >> 2 < t.height[card & 3]:
        return card + 1
    if not t.face >> card & 1:
        return 0
    if t.placed >> card & 1:
        return t.under[card] + 1
    column = t.column[card]
    if t.hidden[column] > 0:
        return t.card[column][t.hidden[column] - 1] + 1
    return EMPTY + 1


cdef inline bint needs(const Position* t, uint32_t code, uint32_t freed) noexcept nogil:
    """Test whether a step from ``t`` may need ``freed``, the card, column or foundation that an earlier step
    freed. True if ``freed`` is 0."""
    cdef uint32_t card = code & CODE_MASK, target = code >> TARGET_AT & CODE_MASK, what = freed & 63
    if freed == 0 or card + 1 == what or target + 1 == what:
        return True
    return freed >> SUIT_AT == 1 + (card & 3) and (
        target == UP or card >> 2 < t.height[card & 3])


cdef inline bint may_follow(const Position* t, uint32_t before, uint32_t* code) noexcept nogil:
    """Test whether a step from ``t`` may follow the step with the code ``before`` (K14), and add to its
    ``code`` what it and earlier steps free that no step has needed yet."""
    cdef uint32_t last = before >> LAST_AT & 63, older = before >> OLDER_AT, freed, rest = 0
    cdef uint32_t card = before & CODE_MASK
    cdef bint needs_last, needs_older
    if last > 0 and (last == card + 1 or before >> TARGET_AT & CODE_MASK == UP):
        last |= (1 + (card & 3)) << SUIT_AT
    if code[0] & HOST_UP:
        return True
    freed = freed_by(t, code[0])
    needs_last = needs(t, code[0], last)
    needs_older = needs(t, code[0], older)
    if freed == 0:
        return needs_last and needs_older
    if not needs_last:
        if (code[0] & MOVE_MASK) < (before & MOVE_MASK):
            return False
        rest = last
    elif not needs_older:
        rest = older
    code[0] |= freed << LAST_AT | rest << OLDER_AT
    return True
