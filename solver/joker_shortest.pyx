"""The search for short lines of joker and klondike-one-pass: A* over elementary moves of the plain rules.

Nothing is pruned but what cannot be shorter than the best line known, so that a search that ends has proved
its line to be shortest. That happens with short decks and near the end of a game. Full deals are too much for
it: there a weighted search makes lines shorter, and the bound says how far from the shortest they can be.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memset

from .joker_plain cimport (GONE, MOST_MOVES, RECORD, Game, Step, column_order, load, moves_of, play,
                           read_record, score, write_record)
from .kernel cimport MEMORY, Kernel, may_expand

cdef enum:
    FIRST_ROOM = 1024


cdef void begin_shortest(Shortest* search) noexcept nogil:
    """Hold nothing."""
    memset(search, 0, sizeof(Shortest))


cdef void free_shortest(Shortest* search) noexcept nogil:
    """Give the memory back."""
    free(search.nodes)
    free(search.slots)
    free(search.entries)
    search.nodes = NULL
    search.slots = NULL
    search.entries = NULL
    search.room = search.entry_room = 0


cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil:
    """What is held."""
    return search.room * (sizeof(Node) + 2 * sizeof(uint32_t)) + search.entry_room * sizeof(Entry)


# --- The bound ------------------------------------------------------------------------------------------


cdef bint has_jokers_in(const Game* game) noexcept nogil:
    """Whether the game is played with jokers."""
    cdef int column, i
    if game.state[0] or game.state[1]:
        return True
    for i in range(game.stock_size):
        if game.stock[i] >= 52:
            return True
    for i in range(game.waste_size):
        if game.waste[i] >= 52:
            return True
    for column in range(game.columns):
        for i in range(game.size[column]):
            if game.card[column][i] >= 52:
                return True
    return False


cdef int needed_from(const Game* game, int goal, bint has_jokers) noexcept nogil:
    """A number of moves that every line from ``game`` to a score of ``goal`` has at least.

    Only plays to the foundations raise the score, by one each: an exchange moves no card to a place that was
    not filled. So as many plays are needed as points are missing. None of them is a turn of the stock. A
    natural that is never turned never goes up; its place stays empty or a joker fills it for good. So all of
    the stock must be turned but what holds no more naturals than there are live jokers and places that may
    stay empty.

    Without live jokers, where all places must be filled: a card that lies somewhere above a lower one of its
    suit, in a column or in the waste, must leave before that one can go up, so its first move is not to the
    foundations; and if it does not lie on the next higher card of the other colour, that is a move of which
    it is the deepest card, another one for each such card.
    """
    cdef int needed = goal - score(game), spare, places = 0, jokers, suit, i
    if needed <= 0:
        return 0
    for suit in range(4):
        if game.suits >> suit & 1:
            places += game.ranks
    jokers = (game.state[0] != GONE) + (game.state[1] != GONE) if has_jokers else 0
    spare = jokers + places - goal
    i = game.stock_size
    while i > game.turned and (game.stock[i - 1] >= 52 or spare > 0):
        i -= 1
        spare -= game.stock[i] < 52
    needed += i - game.turned
    if goal == places and jokers == 0:
        needed += blockers(game)
    return needed


cdef int blockers(const Game* game) noexcept nogil:
    """The cards whose first move cannot be to the foundations, and which cannot move on top of another."""
    cdef int lowest[4]
    cdef int column, i, card, below, count = 0
    for column in range(game.columns):
        lowest[0] = lowest[1] = lowest[2] = lowest[3] = 99
        below = -1
        for i in range(game.size[column]):
            card = game.card[column][i]
            if lowest[card & 3] < card and not (i > game.hidden[column] and carries(below, card)):
                count += 1
            lowest[card & 3] = min(lowest[card & 3], card)
            below = card
    lowest[0] = lowest[1] = lowest[2] = lowest[3] = 99
    for i in range(game.waste_size):
        card = game.waste[i]
        count += lowest[card & 3] < card
        lowest[card & 3] = min(lowest[card & 3], card)
    return count


cdef inline bint carries(int below, int card) noexcept nogil:
    """Whether ``card`` lies on the next higher card of the other colour."""
    return below >> 2 == (card >> 2) + 1 and ((below & 3) in (1, 2)) != ((card & 3) in (1, 2))


# --- States met -----------------------------------------------------------------------------------------


cdef bint find_slot(const Shortest* search, const uint8_t* record, uint32_t* slot) noexcept nogil:
    """Where ``record`` is, or belongs; whether it is there."""
    cdef uint64_t hashed = <uint64_t>0xCBF29CE484222325
    cdef uint32_t mask = 2 * search.room - 1
    cdef int i
    for i in range(record[0]):
        hashed = (hashed ^ record[i]) * <uint64_t>0x100000001B3
    slot[0] = (hashed ^ (hashed >> 29)) & mask
    while search.slots[slot[0]] != 0:
        if memcmp(search.nodes[search.slots[slot[0]] - 1].record, record, record[0]) == 0:
            return True
        slot[0] = (slot[0] + 1) & mask
    return False


cdef bint make_room(Shortest* search, uint32_t room) noexcept nogil:
    """Have room for so many nodes; false if memory does not allow it."""
    cdef uint64_t bytes = room * (sizeof(Node) + 2 * sizeof(uint32_t)) + search.entry_room * sizeof(Entry)
    cdef void* block
    cdef uint32_t i, slot
    if bytes + search.room * sizeof(Node) > search.max_bytes:
        return False
    block = realloc(search.nodes, room * sizeof(Node))
    if block == NULL:
        return False
    search.nodes = <Node*>block
    free(search.slots)
    search.slots = <uint32_t*>calloc(2 * <uint64_t>room, sizeof(uint32_t))
    search.room = room
    if search.slots == NULL:
        search.room = 0
        return False
    for i in range(search.count):
        find_slot(search, search.nodes[i].record, &slot)
        search.slots[slot] = i + 1
    return True


cdef bint enqueue(Shortest* search, uint32_t node, int priority) noexcept nogil:
    """Put a node into the queue; false if memory runs out."""
    cdef uint32_t entry = search.free_entry
    cdef void* block
    cdef uint64_t bytes
    if entry != NO_NODE:
        search.free_entry = search.entries[entry].next
    else:
        if search.entry_count == search.entry_room:
            bytes = 2 * <uint64_t>(search.entry_room + FIRST_ROOM) * sizeof(Entry)
            if bytes + search.room * (sizeof(Node) + 2 * sizeof(uint32_t)) > search.max_bytes:
                return False
            block = realloc(search.entries, bytes)
            if block == NULL:
                return False
            search.entries = <Entry*>block
            search.entry_room = 2 * (search.entry_room + FIRST_ROOM)
        entry = search.entry_count
        search.entry_count += 1
    search.entries[entry].node = node
    search.entries[entry].made = search.nodes[node].made
    search.entries[entry].next = search.heads[priority]
    search.heads[priority] = entry
    search.lowest = min(search.lowest, priority)
    return True


# --- The search -----------------------------------------------------------------------------------------


cdef bint add(
    Shortest* search, const Game* game, uint32_t parent, Step step, int made, int weight
) noexcept nogil:
    """Take in a state reached by ``made`` moves, unless it is known or too far off; false if memory runs
    out."""
    cdef uint8_t record[RECORD]
    cdef uint32_t slot, index
    cdef Node* node
    cdef int needed = needed_from(game, search.goal, search.jokers)
    if made + needed >= search.fewest:
        return True
    write_record(game, record)
    if find_slot(search, record, &slot):
        index = search.slots[slot] - 1
        node = &search.nodes[index]
        if node.made <= made:
            return True
    else:
        if search.count == search.room:
            if not make_room(search, 2 * search.room):
                return False
            find_slot(search, record, &slot)
        index = search.count
        search.count += 1
        search.slots[slot] = index + 1
        node = &search.nodes[index]
        node.record = record
        node.needed = needed
    node.parent = parent
    node.made = made
    node.step = step
    if needed == 0:
        search.fewest = made
        search.last = index
        return True
    return enqueue(search, index, min(made + weight * needed, LONGEST - 1))


cdef bint find_shortest(
    Shortest* search, Kernel kernel, const Game* start, int goal, int fewest, int weight, uint64_t most
) noexcept nogil:
    """Look for a line from ``start`` to a score of ``goal`` of fewer than ``fewest`` moves, expanding up to
    ``most`` states: whether it is proved that there is none shorter than ``search.fewest``.

    With a ``weight`` above 1 states that need little come first. ``search.last`` ends the line, if one was
    found; ``search.lower_bound`` holds whatever ends the search.
    """
    cdef Game game = start[0], child
    cdef Step steps[MOST_MOVES]
    cdef Step none
    cdef uint32_t entry, index
    cdef int count, i, made
    cdef uint64_t last = kernel.expanded + most
    search.goal = goal
    search.fewest = fewest
    search.last = NO_NODE
    search.count = search.entry_count = 0
    search.free_entry = NO_NODE
    search.jokers = has_jokers_in(start)
    search.lower_bound = min(needed_from(start, goal, search.jokers), fewest)
    search.lowest = 0
    memset(search.heads, 0xFF, sizeof(search.heads))
    memset(&none, 0, sizeof(Step))
    if not make_room(search, FIRST_ROOM) or not add(search, start, NO_NODE, none, 0, weight):
        kernel.reason = MEMORY
        return False
    while search.lowest < LONGEST:
        entry = search.heads[search.lowest]
        if entry == NO_NODE:
            search.lowest += 1
            if weight == 1:     # all that waits needs so many moves in all
                search.lower_bound = max(search.lower_bound, min(search.lowest, search.fewest))
            continue
        index = search.entries[entry].node
        made = search.entries[entry].made
        search.heads[search.lowest] = search.entries[entry].next
        search.entries[entry].next = search.free_entry
        search.free_entry = entry
        if made != search.nodes[index].made or made + search.nodes[index].needed >= search.fewest:
            continue
        if kernel.expanded >= last or not may_expand(kernel):
            return False
        read_record(&game, search.nodes[index].record)
        count = moves_of(&game, steps)
        for i in range(count):
            child = game
            play(&child, steps[i])
            kernel.generated += 1
            if not add(search, &child, index, steps[i], made + 1, weight):
                kernel.reason = MEMORY
                return False
    search.lower_bound = search.fewest
    return True


cdef int write_line(const Shortest* search, const Game* start, Step* steps) noexcept nogil:
    """Write the moves of the line found to ``steps``, which has room for ``fewest``; their number, -1 if one
    of them is illegal. They are fewer than ``fewest`` where a search was ended that had since found a shorter
    way to a state of the line. Columns of a record are in the order of their deepest cards, those of the game
    in their own."""
    cdef Game game = start[0]
    cdef uint32_t index = search.last
    cdef int order[7]
    cdef int count = 0, i
    while search.nodes[index].parent != NO_NODE:
        count += 1
        index = search.nodes[index].parent
    if count > search.fewest:
        return -1
    i = count
    index = search.last
    while i > 0:
        i -= 1
        steps[i] = search.nodes[index].step
        index = search.nodes[index].parent
    for i in range(count):
        column_order(&game, order)
        if steps[i].source >= 0:
            steps[i].source = order[steps[i].source]
        if steps[i].target >= 0:
            steps[i].target = order[steps[i].target]
        if not play(&game, steps[i]):
            return -1
    return count if score(&game) >= search.goal else -1


def lower_bound(state, int goal):
    """The bound of the search: every line from ``state`` of `rules.joker` to a score of ``goal`` has at least
    so many moves. Raises ValueError for a state that is too large."""
    cdef Game game
    load(&game, state)
    return needed_from(&game, goal, has_jokers_in(&game))
