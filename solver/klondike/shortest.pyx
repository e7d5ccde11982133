"""The search for a line of fewest moves: A* over exact keys.

A draw is a move. Nothing but a play of the top of the waste depends on draws, and they on nothing else, so
they are put off until that play, and are one step with it: each card that this pass or the next turns up is
played after as few draws as bring it up. Later passes bring up the same cards as the next one.

Some steps are made at once, and some left out. Let card c of rank r (the ace is 1) be next, with nothing on
it in its column, or, if k = 1, on top of the waste. Let each foundation of the other colour be at least r -
2 high, and that of the other suit of its colour r - 3. Then some shortest line begins with c going up. Call
*low* the cards of its suit to rank r, of the other suit of its colour to r - 2, of the other colour to r -
1. Only low cards land on low cards, and all but c and three are up; these are next. Put c up, and go on as a
shortest line does, but where it moves a low card with what lies on it, put up those of these cards that are
not up yet, and leave out all else that it does with low cards that are up. What lies in columns then lies as
it does there, but for low cards that are up: no host is harder to reach, nor an empty column, and what is
next there is next here, as no low card comes back. Every low card that is not up goes up once, which it does
in that line as well; c did already; all other moves are moves of that line. So there are not more. With k =
1 whatever follows c in the stock comes up after as many draws without it, or one less.

If nothing comes back from the foundations, it is enough that those of the other colour are r - 1 high: then
nothing lands on c. A card that would go up at once does not come back: that leads to where it came from.

A placed card y moves from its host X to the like host X' only if X goes up at once, which is one step. Let a
line begin with such a move of y, and X not go up next. Leave the move out, and go on as the line does. As
long as nothing is on X' here, nor on X there, all else lies alike. If y goes up, or the line moves it back,
a move was saved. If X goes up, move y to X' before: that is the move left out. If the line lays the card y'
like y on X, lay it on X'. The runs on X and X' lie the other way round then. Nothing lands on these hosts,
and none of them goes up, before one of the two runs has left; what is on the runs moves as it does there.
When one leaves by itself, one host is bare here and the other one there. If the line uses the bare one as a
host, use that which is bare here; if it sends it up, move the other run before; if it moves the other run,
leave that out. So there are as many moves at most, and of those that the line begins with one less is of
this kind.

A king that lies on no card does not move. Of the empty columns one is as good as another.

States wait by the moves made and those still needed at least. A state is expanded again when fewer moves are
found to lead to it; a child needs at least what its parent needs, less the moves between them. With a weight
above 1 the queue prefers states that need little: quick lines, but nothing is proved.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from ..core.kernel cimport MEMORY, may_expand, may_pass
from ..core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, STOPPED, Node, add_node, dequeue, enqueue, find_slot, first_queued, free_nodes,
    reset_nodes,
)
from .line cimport FOUNDATION, NO_SUIT, WASTE, column_with, draw_to, make
from .needed cimport cards_left, column_needs, columns_need, others_need, stock_needs
from .table cimport (
    NONE, REDEALS_AT, SLOTS_AT, bit, first_user, is_red, is_second, like, open_start, rank_of,
    read_table, run_from, suit_of, type_at, with_left, with_place,
)

cdef enum:
    UP = 60                 # targets of a move beside the cards
    EMPTY = 61
    HOST_UP = 1 << 16       # the card beneath the one that moves goes up after it
    WEIGHED = 1 << 17       # all of the bound is in what the node needs
    MOST_NEEDED = 256

ctypedef struct Step:       # a child
    uint64_t low
    uint64_t high
    int moves               # to it
    int left                # the parts of its bound
    int stock
    int columns


cdef void begin_shortest(Shortest* search) noexcept nogil:
    """Hold nothing."""
    memset(search, 0, sizeof(Shortest))


cdef void free_shortest(Shortest* search) noexcept nogil:
    """Give the memory back."""
    free_nodes(&search.nodes)


cdef bint open_shortest(
    Shortest* search, const Desk* desk, uint32_t fewest, uint32_t weight, uint64_t most, uint64_t max_bytes
) noexcept nogil:
    """Begin at a state, to look for a line of fewer than ``fewest`` moves with ``most`` states; false if
    memory does not allow it. ``lower_bound`` holds nevertheless."""
    cdef Step step
    search.fewest = search.lower_bound = fewest
    search.won = NO_NODE
    search.most = most
    open_start(&search.start, desk, &search.low, &search.high)
    read(search, search.low, search.high)
    step = Step(search.low, search.high, 0, search.left, search.stock, search.columns)
    search.lower_bound = min(fewest, <uint32_t>needs(&step))
    if not reset_nodes(&search.nodes, fewest + weight * MOST_NEEDED, weight, max_bytes):
        return False
    return offer(search, NO_NODE, &step, 0)


cdef inline int needs(const Step* step) noexcept nogil:
    """The bound of a child."""
    return step.left + step.stock + step.columns


cdef inline void read(Shortest* search, uint64_t low, uint64_t high) noexcept nogil:
    """Take a key apart."""
    cdef Table* t = &search.table
    read_table(&search.start, t, low, high)
    search.left = cards_left(&search.start, t)
    search.stock = stock_needs(&search.start, t, t.count, t.waste, t.redeals)
    search.columns = columns_need(&search.start, t)


cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil:
    """Go on until there is something to tell; see Progress. With a weight the end of ``most`` states is one
    like that of the queue, and nothing is proved."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t number, passed = 0, known = search.fewest
    while True:
        number = first_queued(nodes)
        if search.fewest < known:
            return IMPROVED
        if nodes.weight > 1:
            if number == NO_NODE or search.most == 0:
                return PROVED
            search.most -= 1
        elif number == NO_NODE or nodes.queue.first >= search.fewest:
            search.lower_bound = search.fewest
            return PROVED
        elif nodes.queue.first > search.lower_bound:
            search.lower_bound = nodes.queue.first
            return IMPROVED
        dequeue(nodes, number)
        read(search, nodes.nodes[number].low, nodes.nodes[number].high)
        if not weigh(search, number):
            if not may_pass(kernel, &passed):
                return STOPPED
            continue
        if not may_expand(kernel):
            enqueue(nodes, number)
            return STOPPED
        if not expand(search, kernel, number):
            kernel.reason = MEMORY
            return STOPPED


cdef inline bint weigh(Shortest* search, uint32_t number) noexcept nogil:
    """Whether a node, whose key is taken apart, may be expanded now. Once all of its bound is worked out,
    which takes longer, it may have to wait for others."""
    cdef Node* node = &search.nodes.nodes[number]
    cdef int needed
    if node.move & WEIGHED or search.nodes.weight > 1:
        return True
    node.move |= WEIGHED
    needed = search.left + search.stock + search.columns + others_need(&search.start, &search.table)
    if needed <= node.needed:
        return True
    node.needed = needed
    if node.moves + needed < search.fewest:
        enqueue(&search.nodes, number)
    return False


cdef bint offer(
    Shortest* search, uint32_t parent, const Step* step, uint32_t move
) noexcept nogil:
    """Take in a child, if it is new or fewer moves lead to it now, and a line through it could be shorter
    than the best one. False if memory runs out."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t* slot
    cdef uint32_t number, moves = step.moves, needed = needs(step)
    cdef Node* node
    if parent != NO_NODE:
        needed = max(needed, <int>nodes.nodes[parent].needed + nodes.nodes[parent].moves - step.moves)
    if moves + needed >= search.fewest:
        return True
    slot = find_slot(nodes, step.low, step.high)
    if slot[0] != 0:
        number = slot[0] - 1
        node = &nodes.nodes[number]
        if moves >= node.moves:
            return True
        needed = max(needed, node.needed)
        move |= node.move & WEIGHED
        if node.queued:
            dequeue(nodes, number)
    else:
        number = add_node(nodes, slot, step.low, step.high)
        if number == NO_NODE:
            return False
        node = &nodes.nodes[number]
    node.parent = parent
    node.moves = moves
    node.needed = needed
    node.move = move
    if step.left == 0:
        search.fewest = moves
        search.won = number
    else:
        enqueue(nodes, number)
    return True


# --- Steps ----------------------------------------------------------------------------------------------


cdef inline int next_of(const Shortest* search, int suit) noexcept nogil:
    """The next card of a suit, or NONE."""
    cdef int height = search.table.height[suit]
    return 4 * height + suit if height < search.start.ranks else NONE


cdef bint is_safe(const Shortest* search, int card) noexcept nogil:
    """Whether a card that is next goes up in some shortest line, as soon as nothing lies on it."""
    cdef const int* height = search.table.height
    cdef int other = 0 if is_red(card) else 1, rank = rank_of(card)
    cdef int lowest = min(height[other], height[other ^ 3])
    if lowest >= rank - 1 and height[suit_of(card) ^ 3] >= rank - 2:
        return True
    return lowest >= rank and not search.start.backward


cdef bint expand(Shortest* search, Kernel kernel, uint32_t number) noexcept nogil:
    """Offer the children of a node, whose key is taken apart; false if memory runs out."""
    cdef Table* t = &search.table
    cdef Step step
    cdef int suit, card, top
    cdef bint fits = True
    step = Step(t.low, t.high, search.nodes.nodes[number].moves, search.left, search.stock, search.columns)
    top = t.slot[t.waste - 1] if t.waste > 0 and search.start.draw == 1 else NONE
    for suit in range(4):
        card = next_of(search, suit)
        if card == NONE or not is_safe(search, card):
            continue
        if t.bare >> card & 1:
            kernel.generated += 1
            return raise_card(search, number, step, card)
        if card == top:
            kernel.generated += 1
            return play(search, kernel, number, step, t.waste, 0, True)
    for suit in range(4):
        card = next_of(search, suit)
        if card != NONE and t.bare >> card & 1:
            kernel.generated += 1
            fits = fits and raise_card(search, number, step, card)
    fits = fits and move_columns(search, kernel, number, step)
    fits = fits and play_stock(search, kernel, number, step)
    if search.start.backward:
        fits = fits and bring_back(search, kernel, number, step)
    return fits


cdef inline void take_away(const Shortest* search, Step* step, int card) noexcept nogil:
    """A face-up card leaves where it lies, with what lies on it."""
    cdef const Table* t = &search.table
    cdef const Start* start = &search.start
    cdef int column = t.column[card], left
    cdef uint64_t run
    if column == NONE:
        return
    left = t.left[column]
    step.columns -= column_needs(start, column, left, t.runs[column])
    if t.bases >> card & 1:
        run = bit(start.dealt[column][left - 2]) if left > 1 else 0
        step.low = with_left(start, step.low, column, left - 1)
        step.columns += column_needs(start, column, left - 1, run)
    else:
        step.columns += column_needs(start, column, left, t.runs[column] & ~run_from(t, card))


cdef inline void put_on(const Shortest* search, Step* step, int card, uint64_t run, int host) noexcept nogil:
    """A card with its run, which it begins, lands on a host."""
    cdef const Table* t = &search.table
    cdef int column = t.column[host]
    cdef bint tells = not (is_second(card) and t.placed >> like(card) & 1)
    if tells:
        step.high = with_place(step.high, host)
    if column == NONE:
        return
    step.columns -= column_needs(&search.start, column, t.left[column], t.runs[column])
    step.columns += column_needs(&search.start, column, t.left[column], t.runs[column] | run)


cdef inline uint32_t move_of(int card, int target) noexcept nogil:
    """What a node holds of the move that leads to it."""
    return card | target << 8


cdef inline void put_up(const Shortest* search, Step* step, int card) noexcept nogil:
    """A card of a column goes up; what lies on it has moved."""
    cdef const Table* t = &search.table
    step.moves += 1
    step.left -= 1
    step.low += bit(4 * suit_of(card))
    if t.placed >> card & 1:
        step.high &= ~bit(type_at(t.under[card]))
        if t.placed >> like(card) & 1:
            step.high = with_place(step.high, t.under[like(card)])
    take_away(search, step, card)


cdef bint raise_card(Shortest* search, uint32_t parent, Step step, int card) noexcept nogil:
    """Offer a card of a column going up."""
    put_up(search, &step, card)
    return offer(search, parent, &step, move_of(card, UP))


cdef bint free_host(
    Shortest* search, Kernel kernel, uint32_t parent, Step step, int card, int host
) noexcept nogil:
    """Offer that a placed card moves to a like host, and the one where it lies goes up."""
    cdef int freed = search.table.under[card]
    if next_of(search, suit_of(freed)) != freed:
        return True
    kernel.generated += 1
    step.moves += 1
    put_up(search, &step, freed)
    put_on(search, &step, card, run_from(&search.table, card), host)
    return offer(search, parent, &step, move_of(card, host) | HOST_UP)


cdef bint move_columns(Shortest* search, Kernel kernel, uint32_t parent, Step step) noexcept nogil:
    """Offer what moves from column to column."""
    cdef const Table* t = &search.table
    cdef uint64_t rest = t.bare & ~<uint64_t>15, kings
    cdef int host, card, _which
    cdef Step child
    while rest:
        host = lowest_bit(rest)
        rest &= rest - 1
        card = first_user(host)
        for _which in range(2):
            if t.bases >> card & 1:
                child = step
                child.moves += 1
                kernel.generated += 1
                take_away(search, &child, card)
                put_on(search, &child, card, run_from(t, card), host)
                if not offer(search, parent, &child, move_of(card, host)):
                    return False
            elif t.placed >> card & 1 and not free_host(search, kernel, parent, step, card, host):
                return False
            card = like(card)
    kings = t.bases & search.start.kings if t.empty > 0 else 0
    while kings:
        card = lowest_bit(kings)
        kings &= kings - 1
        child = step
        child.moves += 1
        kernel.generated += 1
        take_away(search, &child, card)
        if not offer(search, parent, &child, move_of(card, EMPTY)):
            return False
    return True


cdef bint play_stock(Shortest* search, Kernel kernel, uint32_t parent, Step step) noexcept nogil:
    """Offer what plays cards of the waste and the stock."""
    cdef const Table* t = &search.table
    cdef int draw = search.start.draw, place = t.waste, draws = 0
    cdef uint32_t seen = 0
    if t.count == 0:
        return True
    while True:
        if place > 0:
            seen |= <uint32_t>1 << place
            if not play(search, kernel, parent, step, place, draws, False):
                return False
        if place == t.count:
            break
        place = min(place + draw, t.count)
        draws += 1
    if t.count <= draw or (search.start.passes > 0 and t.redeals + 1 >= search.start.passes):
        return True
    if search.start.passes > 0:
        step.high += bit(REDEALS_AT)
    place = 0
    while place < t.count:
        place = min(place + draw, t.count)
        draws += 1
        if not seen >> place & 1 and not play(search, kernel, parent, step, place, draws, False):
            return False
    return True


cdef bint play(
    Shortest* search, Kernel kernel, uint32_t parent, Step step, int place, int draws, bint up_only
) noexcept nogil:
    """Offer what plays the card at a place of the waste and the stock, from 1, after so many draws."""
    cdef const Table* t = &search.table
    cdef const Start* start = &search.start
    cdef int card = t.slot[place - 1], redeals = step.high >> REDEALS_AT & 7
    cdef Step child
    step.moves += draws + 1
    step.low &= ~bit(SLOTS_AT + start.slot_of[card])
    step.high = step.high & ~<uint64_t>63 | <uint64_t>(place - 1)
    step.stock = stock_needs(start, t, t.count - 1, place - 1, redeals)
    if rank_of(card) == t.height[suit_of(card)]:
        child = step
        child.low += bit(4 * suit_of(card))
        child.left -= 1
        kernel.generated += 1
        if not offer(search, parent, &child, move_of(card, UP)):
            return False
    return up_only or land(search, kernel, parent, step, card)


cdef bint bring_back(Shortest* search, Kernel kernel, uint32_t parent, Step step) noexcept nogil:
    """Offer what comes back from the foundations."""
    cdef const Table* t = &search.table
    cdef int suit, card
    cdef Step child
    for suit in range(4):
        card = 4 * (t.height[suit] - 1) + suit
        if t.height[suit] == 0 or not search.start.deck >> card & 1 or is_safe(search, card):
            continue
        child = step
        child.moves += 1
        child.left += 1
        child.low -= bit(4 * suit)
        if not land(search, kernel, parent, child, card):
            return False
    return True


cdef bint land(Shortest* search, Kernel kernel, uint32_t parent, Step step, int card) noexcept nogil:
    """Offer what lays a card that is in no column on each host, or in an empty column."""
    cdef const Table* t = &search.table
    cdef Step child
    cdef int host, _which
    if rank_of(card) == search.start.ranks - 1:
        if t.empty == 0:
            return True
        kernel.generated += 1
        return offer(search, parent, &step, move_of(card, EMPTY))
    host = (card & ~3) + 4 | (0 if is_red(card) else 1)
    for _which in range(2):
        if t.bare >> host & 1:
            child = step
            kernel.generated += 1
            put_on(search, &child, card, bit(card), host)
            if not offer(search, parent, &child, move_of(card, host)):
                return False
        host = like(host)
    return True


# --- Lines ----------------------------------------------------------------------------------------------


cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil:
    """Write the line found, which begins at ``desk``; if a shorter way to one of its states is known now, it
    has fewer moves than `fewest`, which becomes their number."""
    cdef Node* nodes = search.nodes.nodes
    cdef Desk now = desk[0]
    cdef uint32_t number = search.won, after = NO_NODE, parent
    line.count = 0
    line.failed = False
    while number != NO_NODE:        # turn the links round, and back when they are followed
        parent = nodes[number].parent
        nodes[number].parent = after
        after = number
        number = parent
    number = NO_NODE
    while after != NO_NODE:
        parent = nodes[after].parent
        nodes[after].parent = number
        if number != NO_NODE:
            follow(line, &now, nodes[after].move)
        number = after
        after = parent
    search.fewest = line.count


cdef void follow(Line* line, Desk* desk, uint32_t move) noexcept nogil:
    """Make the moves of a step."""
    cdef int card = move & 255, target = move >> 8 & 255
    cdef int row = 0, source = column_with(desk, card, &row), count = 1, suit = NO_SUIT, column
    if source >= 0:
        count = desk.size[source] - row
    elif rank_of(card) < desk.height[suit_of(card)]:
        source, suit = FOUNDATION, suit_of(card)
    else:
        draw_to(line, desk, card)
        source = WASTE
    if target == UP:
        column = FOUNDATION
    elif target == EMPTY:
        column = 0
        while column < desk.columns and desk.size[column] > 0:
            column += 1
    else:
        column = column_with(desk, target, &row)
    if column == -1 or column == desk.columns:
        line.failed = True
        return
    make(line, desk, source, column, count, suit)
    if move & HOST_UP:
        make(line, desk, source, FOUNDATION, 1, NO_SUIT)


cdef int bound_of(const Desk* desk) noexcept nogil:
    """The bound of a state, for tests."""
    cdef Shortest search
    open_start(&search.start, desk, &search.low, &search.high)
    read(&search, search.low, search.high)
    return search.left + search.stock + search.columns + others_need(&search.start, &search.table)
