"""The searches of Klondike: for a win, and for a proof that there is none.

Best first over exact keys, which finds most wins within some hundreds of nodes. What it leaves open is asked
of the game with the relaxed stock, whose lost positions are lost: a depth-first search that labels each
position for good, by Tarjan's components. A component that is complete without a win is dead; on a win all
that is not complete reaches the path to it, and is alive. If the start is alive, the first search goes on,
and asks of each position before it is expanded. Where one card is drawn and passes are unlimited both games
are one.

Moves of the relaxed game with the cards that they need parked.

To *park* a card is to land one of the stock or to bring one back from a foundation. It makes that card bare
and covers another, and it can wait until somebody needs it. So an *advance* is any other move together with
the cards without which it could not be made.

A landing from a slot is *telling* if a slot that may not be played yet is above it, or just below it. Only
such a landing can ever open a slot, as slots that are open stay so. It counts among the other moves; what is
left, and what comes back, are the *idle* moves.

Take a shortest line to a win. Let an idle move park card c in it, and any other move m come next.

- m can be made first, unless it needs a bare card of the type of c and there is no other: the idle move makes
  nothing else better. If m puts c up again both could be left out, or, where c is of the stock, be one move,
  and the line would not be shortest.
- The idle move can be made after m. Both covered what they covered in the line, and the counts of bare cards
  after both are the same. A foundation that c left is as it was, as no other card of its suit could go up.
- Neither becomes telling or idle by it, since the slots that may not be played are the same.

So there is a shortest line in which every idle move is as late as can be. Then what comes between two other
moves is a *run* of idle moves that the next move m needs: if there was one that neither m nor another of the
run needs, it could be made last of them, and then after m. Now m needs one card at most: where a base, or a
card from a telling slot, lands, one of the type it lands on, if none is bare; where a covered card goes up,
one like it. A parked card needs one of the type that it lands on, or for a king an empty column; and if it
comes back, the next card of its suit, if that is up, to come back before. All these have a higher rank. So a
run can be made from its highest rank down, and is found from its lowest card up: of each rank the cards that
come back because lower ones do, and as many others as the landings from below lack bare cards of their types.

Let d be the least number of moves to a win. An advance of such a line makes d smaller by all of its moves,
and what `state` forces between advances does not make it larger. So some line of advances comes to the win. A
shortest line never brings back what is safe then, since this could go up again and d would have risen.
Heights only fall in a run, so what is safe after it was safe when it came.

Tempting and wrong, each with its deal in ``seeds/telling.jsonl``: every parked card is used by the very next
one or by m; no card is parked for a like one that goes up; if three cards are drawn no landing is telling.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport highest_bit, lowest_bit, prefetch_at
from ..core.kernel cimport (
    BEST_FIRST, MEMORY, NOTHING, RELAXATION, Kernel, may_expand, may_pass,
)
from ..core.memory cimport more_room, resize
from .dead_ends cimport may_win
from .state cimport (
    MOST_CHILDREN, SLOTS_AT, Layout, Position, bit, cards_in, children_of, close, is_won, open_relaxed,
    raised_in, safe_cards, suit_at, take_bit, unpack, unwasted, without,
)

cdef enum:
    MOST_RUNS = 48          # of parked cards that make one of a type bare
    MOST_ADVANCES = 512     # of a position
    FIRST_ROOM = 1024       # nodes, and half the slots at first
    KEPT_ROOM = 65536       # a larger table is given back before the next deal
    TRIAL = 2000            # nodes before the relaxed game is asked
    DEAD = 0
    ALIVE = 1
    NUMBERED = 2            # the first on the path

cdef uint64_t FREE = <uint64_t>0xFFFFFFFFFFFFFFFF      # no key: no foundation is 15 high

cdef struct Runs:           # that make a card of some type bare
    const Layout* layout
    uint64_t counts         # bare cards of each type, in fields of two bits
    uint64_t lent           # cards of the stock that may be parked
    uint64_t risen          # cards that may come back
    int empty
    int count               # MOST_RUNS: too many
    uint64_t keys[MOST_RUNS]


cdef void begin_search(Search* search) noexcept nogil:
    """Use all that spares work. What is held comes with the first search."""
    search.uses_judge = search.uses_marks = True
    search.trial = TRIAL


cdef void free_search(Search* search) noexcept nogil:
    """Give all memory back."""
    free(search.tree.nodes)
    free(search.tree.slots)
    search.tree.nodes = NULL
    search.tree.slots = NULL
    search.tree.room = search.tree.slot_mask = 0
    free_judge(&search.judge)


cdef void free_judge(Judge* judge) noexcept nogil:
    free(judge.keys)
    free(judge.values)
    free(judge.frames)
    free(judge.children)
    free(judge.path)
    memset(judge, 0, sizeof(Judge))


cdef uint64_t tree_bytes(const Tree* tree) noexcept nogil:
    return tree.room * sizeof(SearchNode) + (tree.slot_mask + 1) * sizeof(uint32_t)


cdef uint64_t judge_bytes(const Judge* judge) noexcept nogil:
    return (
        (judge.slot_mask + 1) * (sizeof(uint64_t) + sizeof(uint32_t)) + judge.frame_room * sizeof(Frame)
        + (judge.child_room + judge.path_room) * sizeof(uint64_t)
    )


cdef uint64_t search_bytes(const Search* search) noexcept nogil:
    """What is held."""
    return tree_bytes(&search.tree) + judge_bytes(&search.judge)


cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    """A key scattered."""
    key = (key ^ key >> 31) * <uint64_t>0x7FB5D329728EA185
    key = (key ^ key >> 27) * <uint64_t>0x81DADEF4BC2DD44D
    return key ^ key >> 33


cdef inline int priority_of(const Layout* layout, const Position* p) noexcept nogil:
    """Little where little is left to do."""
    return 4 * p.face_down + p.count + 4 * layout.ranks - p.raised


# --- The search with exact keys -------------------------------------------------------------------------


cdef bint open_tree(Tree* tree, uint64_t max_bytes) noexcept nogil:
    """Begin empty and small; false if memory does not allow it."""
    cdef int i
    if tree.room > KEPT_ROOM or tree.nodes == NULL:
        free(tree.nodes)
        free(tree.slots)
        tree.nodes = NULL
        tree.slots = NULL
        tree.room = tree.slot_mask = 0
    if FIRST_ROOM * (sizeof(SearchNode) + 2 * sizeof(uint32_t)) > max_bytes:
        return False
    if not resize(&tree.nodes, max(tree.room, <uint64_t>FIRST_ROOM), sizeof(SearchNode)):
        return False
    if not resize(&tree.slots, 2 * max(tree.room, <uint64_t>FIRST_ROOM), sizeof(uint32_t)):
        return False
    tree.room = FIRST_ROOM
    tree.slot_mask = 2 * FIRST_ROOM - 1
    memset(tree.slots, 0, 2 * FIRST_ROOM * sizeof(uint32_t))
    for i in range(PRIORITIES):
        tree.queues[i] = NO_NODE
    tree.count = 0
    tree.first = PRIORITIES
    return True


cdef bint grow_tree(Tree* tree, uint64_t max_bytes) noexcept nogil:
    """Have room for as many nodes again; false, with nothing changed, if memory does not allow it."""
    cdef uint64_t room = 2 * tree.room, slot
    cdef uint32_t i
    if (room + tree.room) * (sizeof(SearchNode) + 2 * sizeof(uint32_t)) > max_bytes or room >= NO_NODE:
        return False
    if not resize(&tree.nodes, room, sizeof(SearchNode)):
        return False
    if not resize(&tree.slots, 2 * room, sizeof(uint32_t)):
        return False
    tree.room = room
    tree.slot_mask = 2 * room - 1
    memset(tree.slots, 0, 2 * room * sizeof(uint32_t))
    for i in range(tree.count):
        slot = mixed(tree.nodes[i].key) & tree.slot_mask
        while tree.slots[slot] != 0:
            slot = (slot + 1) & tree.slot_mask
        tree.slots[slot] = i + 1
    return True


cdef inline bint add_node(Tree* tree, uint64_t key, uint32_t parent, int priority) noexcept nogil:
    """Take in a key, for which there is room; whether it is new."""
    cdef uint64_t slot = mixed(key) & tree.slot_mask
    cdef SearchNode* node
    while tree.slots[slot] != 0:
        if tree.nodes[tree.slots[slot] - 1].key == key:
            return False
        slot = (slot + 1) & tree.slot_mask
    node = &tree.nodes[tree.count]
    node.key = key
    node.parent = parent
    node.following = tree.queues[priority]
    tree.queues[priority] = tree.count
    if priority < tree.first:
        tree.first = priority
    tree.count += 1
    tree.slots[slot] = tree.count
    return True


cdef inline uint32_t take_node(Tree* tree) noexcept nogil:
    """The next node, or NO_NODE."""
    cdef uint32_t node
    while tree.first < PRIORITIES:
        node = tree.queues[tree.first]
        if node != NO_NODE:
            tree.queues[tree.first] = tree.nodes[node].following
            return node
        tree.first += 1
    return NO_NODE


cdef Outcome decide(Search* search, Kernel kernel, const Layout* layout, uint64_t root) noexcept nogil:
    """Whether ``root``, where nothing is forced, can be won; if so, ``won`` is the node that shows it."""
    cdef Position p
    cdef Outcome outcome
    search.won = 0
    kernel.stage_now = BEST_FIRST
    unpack(layout, root, &p)
    search.max_bytes = kernel.max_bytes
    if not open_tree(&search.tree, kernel.max_bytes):
        kernel.reason = MEMORY
        return OPEN
    add_node(&search.tree, root, NO_NODE, priority_of(layout, &p))
    if is_won(layout, False, &p):
        return WON
    if search.uses_marks and not may_win(layout, False, &p):
        return LOST
    outcome = expand_some(search, kernel, layout, search.trial if search.uses_judge else FREE, False)
    if outcome != OPEN or kernel.reason != NOTHING:
        return outcome
    outcome = decide_relaxed(search, kernel, layout, root)
    if outcome != WON:
        return outcome
    kernel.stage_now = BEST_FIRST
    return expand_some(search, kernel, layout, FREE, True)


cdef Outcome expand_some(
    Search* search, Kernel kernel, const Layout* layout, uint64_t nodes, bint is_judged
) noexcept nogil:
    """Expand so many nodes: LOST if none is left; OPEN if there are more, or with the reason that ended it.
    """
    cdef Position p
    cdef Outcome outcome
    cdef uint32_t number, passed = 0
    cdef uint64_t done = 0
    while done < nodes:
        number = take_node(&search.tree)
        if number == NO_NODE:
            return LOST
        unpack(layout, search.tree.nodes[number].key, &p)
        if search.uses_marks and number > 0 and not may_win(layout, False, &p):
            if not may_pass(kernel, &passed):
                return OPEN
            continue
        if is_judged:
            outcome = ask(search, kernel, layout, unwasted(layout, p.key))
            if outcome == OPEN:
                return OPEN
            if outcome == LOST:
                if not may_pass(kernel, &passed):
                    return OPEN
                continue
        passed = 0
        if not may_expand(kernel):
            return OPEN
        done += 1
        outcome = expand(search, kernel, layout, &p, number)
        if outcome == WON or kernel.reason != NOTHING:
            return outcome
    return OPEN


cdef Outcome expand(
    Search* search, Kernel kernel, const Layout* layout, const Position* p, uint32_t number
) noexcept nogil:
    """Take in the children of a node: WON if one of them is, else OPEN."""
    cdef uint64_t keys[MOST_CHILDREN]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int priorities[MOST_CHILDREN]
    cdef Position child
    cdef Tree* tree = &search.tree
    cdef int i, count = children_of(layout, False, p, keys, codes)
    kernel.generated += count
    if tree.count + count + 1 > tree.room:
        if not grow_tree(tree, search.max_bytes - min(search.max_bytes, judge_bytes(&search.judge))):
            kernel.reason = MEMORY
            return OPEN
    for i in range(count):
        close(layout, False, &keys[i], &child, NULL)
        if is_won(layout, False, &child):
            if add_node(tree, keys[i], number, 0):
                search.won = tree.count - 1
                return WON
        priorities[i] = priority_of(layout, &child)
        prefetch_at(&tree.slots[mixed(keys[i]) & tree.slot_mask])
    for i in range(count - 1, -1, -1):
        add_node(tree, keys[i], number, priorities[i])
    return OPEN


# --- The relaxed stock ----------------------------------------------------------------------------------


cdef bint open_judge(Judge* judge, uint64_t max_bytes) noexcept nogil:
    """Know nothing; false if memory does not allow it."""
    if judge.slot_mask >= KEPT_ROOM or judge.frame_room > KEPT_ROOM or judge.child_room > KEPT_ROOM:
        free_judge(judge)
    judge.count = judge.frame_count = judge.child_count = judge.path_count = 0
    if 2 * FIRST_ROOM * 12 + FIRST_ROOM * (sizeof(Frame) + 16) > max_bytes:
        return False
    if not resize(&judge.keys, 2 * FIRST_ROOM, sizeof(uint64_t)):
        return False
    if not resize(&judge.values, 2 * FIRST_ROOM, sizeof(uint32_t)):
        return False
    judge.slot_mask = 2 * FIRST_ROOM - 1
    if not resize(&judge.frames, FIRST_ROOM, sizeof(Frame)):
        return False
    if not resize(&judge.children, FIRST_ROOM, 8) or not resize(&judge.path, FIRST_ROOM, 8):
        return False
    judge.frame_room = judge.child_room = judge.path_room = FIRST_ROOM
    memset(judge.keys, 255, 2 * FIRST_ROOM * sizeof(uint64_t))
    return True


cdef inline uint64_t slot_of(const Judge* judge, uint64_t key) noexcept nogil:
    """Where a key is, or belongs."""
    cdef uint64_t slot = mixed(key) & judge.slot_mask
    while judge.keys[slot] != FREE and judge.keys[slot] != key:
        slot = (slot + 1) & judge.slot_mask
    return slot


cdef bint label(Search* search, uint64_t key, uint32_t value) noexcept nogil:
    """Note what is known of a key; false if memory runs out."""
    cdef Judge* judge = &search.judge
    cdef uint64_t slot = slot_of(judge, key)
    if judge.keys[slot] == FREE:
        if 10 * judge.count >= 7 * judge.slot_mask:
            if not grow_judge(search):
                return False
            slot = slot_of(judge, key)
        judge.keys[slot] = key
        judge.count += 1
    judge.values[slot] = value
    return True


cdef bint grow_judge(Search* search) noexcept nogil:
    """Double the table; false, with nothing changed, if memory does not allow it."""
    cdef Judge* judge = &search.judge
    cdef Judge old = judge[0]
    cdef uint64_t slots = 2 * (judge.slot_mask + 1), i, slot
    if search_bytes(search) + slots * 12 > search.max_bytes:
        return False
    judge.keys = NULL
    judge.values = NULL
    if not resize(&judge.keys, slots, sizeof(uint64_t)):
        judge[0] = old
        return False
    if not resize(&judge.values, slots, sizeof(uint32_t)):
        free(judge.keys)
        judge[0] = old
        return False
    judge.slot_mask = slots - 1
    memset(judge.keys, 255, slots * sizeof(uint64_t))
    for i in range(old.slot_mask + 1):
        if old.keys[i] != FREE:
            slot = slot_of(judge, old.keys[i])
            judge.keys[slot] = old.keys[i]
            judge.values[slot] = old.values[i]
    free(old.keys)
    free(old.values)
    return True


cdef bint make_room(Search* search, Kernel kernel, int count) noexcept nogil:
    """Have room for a frame, its key and ``count`` children; false, with the reason noted, if not."""
    cdef Judge* judge = &search.judge
    cdef uint64_t room, left = search.max_bytes - min(search.max_bytes, search_bytes(search))
    kernel.reason = MEMORY
    if judge.frame_count >= judge.frame_room:
        room = more_room(&judge.frames, judge.frame_room, 1, sizeof(Frame), left)
        if room == 0:
            return False
        judge.frame_room = room
    if judge.path_count >= judge.path_room:
        room = more_room(&judge.path, judge.path_room, 1, 8, left)
        if room == 0:
            return False
        judge.path_room = room
    if judge.child_count + count > judge.child_room:
        room = more_room(&judge.children, judge.child_room, 1, 8, left)
        if room == 0:
            return False
        judge.child_room = room
    kernel.reason = NOTHING
    return True


cdef Outcome decide_relaxed(
    Search* search, Kernel kernel, const Layout* layout, uint64_t root
) noexcept nogil:
    """Whether a position is won with the relaxed stock."""
    cdef uint64_t held = tree_bytes(&search.tree)
    kernel.stage_now = RELAXATION
    search.max_bytes = kernel.max_bytes
    if not open_judge(&search.judge, search.max_bytes - min(search.max_bytes, held)):
        kernel.reason = MEMORY
        return OPEN
    return ask(search, kernel, layout, unwasted(layout, root))


cdef Outcome ask(Search* search, Kernel kernel, const Layout* layout, uint64_t key) noexcept nogil:
    """Whether a position is won with the relaxed stock, by what is known or by searching on."""
    cdef Judge* judge = &search.judge
    cdef Position p
    cdef uint64_t slot
    cdef uint32_t value
    cdef Frame* frame
    cdef Outcome outcome
    close(layout, True, &key, &p, NULL)
    if is_won(layout, True, &p):
        return WON
    outcome = enter(search, kernel, layout, key, &p)
    if judge.frame_count == 0:
        return outcome
    while outcome == OPEN and kernel.reason == NOTHING and judge.frame_count > 0:
        frame = &judge.frames[judge.frame_count - 1]
        if judge.child_count > frame.children:
            judge.child_count -= 1
            key = judge.children[judge.child_count]
            slot = slot_of(judge, key)
            if judge.keys[slot] == FREE:
                unpack(layout, key, &p)
                outcome = enter(search, kernel, layout, key, &p)
                if outcome == LOST:
                    outcome = OPEN
                continue
            value = judge.values[slot]
            if value == ALIVE:
                outcome = WON
            elif value >= NUMBERED and value < frame.lowest:
                frame.lowest = value
        else:
            leave(judge)
    return end_path(search, kernel, outcome)


cdef Outcome end_path(Search* search, Kernel kernel, Outcome outcome) noexcept nogil:
    """What a search of the judge came to: alive is all that it left open, if it met a win."""
    cdef Judge* judge = &search.judge
    cdef uint64_t i
    if kernel.reason != NOTHING:
        return OPEN
    if outcome != WON:
        return LOST
    for i in range(judge.path_count):
        judge.values[slot_of(judge, judge.path[i])] = ALIVE
    judge.path_count = judge.frame_count = judge.child_count = 0
    return WON


cdef Outcome enter(
    Search* search, Kernel kernel, const Layout* layout, uint64_t key, const Position* p
) noexcept nogil:
    """Begin with a position: WON or LOST if that is known, else OPEN, with a frame or the reason why not."""
    cdef Judge* judge = &search.judge
    cdef uint64_t keys[MOST_ADVANCES]
    cdef uint32_t codes[MOST_CHILDREN]
    cdef int priorities[MOST_ADVANCES]
    cdef int order[MOST_ADVANCES]
    cdef Position child
    cdef Frame* frame
    cdef uint64_t slot = slot_of(judge, key)
    cdef int i, j, count
    if judge.keys[slot] != FREE and judge.values[slot] < NUMBERED:
        return WON if judge.values[slot] == ALIVE else LOST
    if search.uses_marks and not may_win(layout, True, p):
        if not label(search, key, DEAD):
            kernel.reason = MEMORY
            return OPEN
        return LOST
    if not may_expand(kernel):
        return OPEN
    count = children_of(layout, True, p, keys, codes) if layout.is_plain else advances_of(layout, p, keys)
    kernel.generated += count
    if not make_room(search, kernel, count) or not label(search, key, judge.path_count + NUMBERED):
        kernel.reason = MEMORY
        return OPEN
    frame = &judge.frames[judge.frame_count]
    frame.key = key
    frame.number = frame.lowest = judge.path_count + NUMBERED
    frame.children = judge.child_count
    judge.frame_count += 1
    judge.path[judge.path_count] = key
    judge.path_count += 1
    for i in range(count):
        close(layout, True, &keys[i], &child, NULL)
        if is_won(layout, True, &child):
            return WON
        prefetch_at(&judge.keys[mixed(keys[i]) & judge.slot_mask])
        priorities[i] = priority_of(layout, &child)
        j = i
        while j > 0 and priorities[order[j - 1]] > priorities[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    for i in range(count - 1, -1, -1):
        judge.children[judge.child_count] = keys[order[i]]
        judge.child_count += 1
    return OPEN


cdef inline void leave(Judge* judge) noexcept nogil:
    """The last position has no child that was not entered: its component is complete, or goes on below."""
    cdef Frame done
    judge.frame_count -= 1
    done = judge.frames[judge.frame_count]
    if done.lowest == done.number:
        while judge.path_count + NUMBERED > done.number:
            judge.path_count -= 1
            judge.values[slot_of(judge, judge.path[judge.path_count])] = DEAD
    elif done.lowest < judge.frames[judge.frame_count - 1].lowest:
        judge.frames[judge.frame_count - 1].lowest = done.lowest


# --- Macro moves of the relaxed game --------------------------------------------------------------------


cdef int advances_of(const Layout* layout, const Position* p, uint64_t* keys) noexcept nogil:
    """The keys after each advance: how many. Where they are too many, those after each single move."""
    cdef uint32_t codes[MOST_CHILDREN]
    cdef uint64_t opened = open_relaxed(layout, p), telling, hosts, group
    cdef Runs runs
    cdef int i, place, count
    telling = cards_in(layout, opened & telling_slots(p.slots & ~opened))
    opened = cards_in(layout, opened)
    count = single_moves(layout, p, opened, telling, keys)
    hosts = (((p.bases | telling) & ~p.fits & ~layout.kings) << 4) | (p.next & p.face & ~p.bare)
    if hosts == 0:
        return count
    runs.layout = layout
    runs.counts = p.counts
    runs.lent = opened & ~telling
    runs.risen = p.up & layout.deck if layout.backward else 0
    runs.empty = p.empty
    while hosts:
        place = lowest_bit(hosts) & ~1
        group = <uint64_t>3 << place
        hosts &= ~group
        runs.count = 0
        climb(&runs, place >> 2, 1 << (place & 2), 0, p.key)
        if runs.count == MOST_RUNS or count + 6 * runs.count > MOST_ADVANCES:
            return children_of(layout, True, p, keys, codes)
        for i in range(runs.count):
            if not comes_in_vain(layout, p.key, runs.keys[i]):
                count = add_moves(layout, p, runs.keys[i], group, telling, keys, count)
    return count


cdef inline uint64_t telling_slots(uint64_t closed) noexcept nogil:
    """The slots of which the cards open others, of which some are ``closed``."""
    return (bit(highest_bit(closed)) - 1) | closed << 1 if closed else 0


cdef inline int single_moves(
    const Layout* layout, const Position* p, uint64_t opened, uint64_t telling, uint64_t* keys
) noexcept nogil:
    """The keys after each move that is not idle and needs nothing: how many."""
    cdef uint64_t found = p.bases & p.fits
    cdef int card, count = 0
    while found:
        keys[count] = without(layout, p.key, take_bit(&found))
        count += 1
    found = p.next & p.face & p.bare
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(left_by(layout, p, p.key, card), card)
        count += 1
    found = p.next & opened
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(p.key ^ bit(SLOTS_AT + layout.slot_of[card]), card)
        count += 1
    found = p.fits & telling
    while found:
        keys[count] = p.key ^ bit(SLOTS_AT + layout.slot_of[take_bit(&found)])
        count += 1
    return count


cdef inline uint64_t left_by(const Layout* layout, const Position* p, uint64_t key, int card) noexcept nogil:
    """A key after a card left its column."""
    return without(layout, key, card) if p.bases >> card & 1 else key


cdef inline int add_moves(
    const Layout* layout, const Position* p, uint64_t key, uint64_t group, uint64_t telling, uint64_t* keys,
    int count
) noexcept nogil:
    """Add the keys after ``key``, where a run made a card of ``group`` bare, and a move that needs it."""
    cdef uint64_t found = p.bases & group >> 4
    cdef int card
    while found:
        keys[count] = without(layout, key, take_bit(&found))
        count += 1
    found = p.next & p.face & group
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(left_by(layout, p, key, card), card)
        count += 1
    found = telling & group >> 4
    while found:
        keys[count] = key ^ bit(SLOTS_AT + layout.slot_of[take_bit(&found)])
        count += 1
    return count


cdef inline bint comes_in_vain(const Layout* layout, uint64_t before, uint64_t key) noexcept nogil:
    """Whether a card that came back from a foundation would go up at once."""
    cdef int suit
    cdef uint64_t safe
    if (before ^ key) & 0xFFFF == 0:
        return False
    safe = safe_cards(layout, key)
    while safe:
        suit = suit_at(take_bit(&safe))
        if (before ^ key) >> 4 * suit & 15:
            return True
    return False


cdef void climb(Runs* runs, int rank, int wanted, int coming, uint64_t key) noexcept nogil:
    """Note all runs, until they are too many, that make ``wanted`` cards of ``rank`` bare, two bits for each
    of its types, and bring back ``coming``, a bit for each of its cards. ``key`` is after what is parked
    below."""
    cdef int first, second, half, missing, candidates
    cdef int choices[2][2]
    cdef int counts[2]
    if runs.count == MOST_RUNS:
        return
    if wanted == 0 and coming == 0:
        note(runs, key)
        return
    if rank == runs.layout.ranks:
        if (wanted & 3) + (wanted >> 2) <= runs.empty:
            note(runs, key)
        return
    candidates = (runs.lent | runs.risen) >> 4 * rank & 15 & ~coming
    for half in range(2):
        missing = wanted >> 2 * half & 3
        missing -= (runs.counts >> 4 * rank + 2 * half & 3) + pair_count(coming >> 2 * half)
        counts[half] = options(candidates & 3 << 2 * half, missing, choices[half])
    for first in range(counts[0]):
        for second in range(counts[1]):
            climb_on(runs, rank, coming | choices[0][first] | choices[1][second], key)


cdef inline int pair_count(int cards) noexcept nogil:
    """How many of two cards are in a set."""
    return (cards & 1) + (cards >> 1 & 1)


cdef inline int options(int candidates, int missing, int* choices) noexcept nogil:
    """The sets of ``missing`` of at most two candidates: how many."""
    cdef int lowest = candidates & -candidates
    if missing <= 0:
        choices[0] = 0
        return 1
    if missing == 1 and candidates:
        choices[0] = lowest
        choices[1] = candidates ^ lowest
        return 2 if choices[1] else 1
    choices[0] = candidates
    return missing == 2 and candidates != lowest       # as none is more than two


cdef void climb_on(Runs* runs, int rank, int parked, uint64_t key) noexcept nogil:
    """Go on above a rank of which these cards are parked."""
    cdef const Layout* layout = runs.layout
    cdef uint64_t cards = <uint64_t>parked << 4 * rank
    cdef int card, back = 0
    while cards:
        card = take_bit(&cards)
        if runs.risen >> card & 1:
            key -= bit(4 * suit_at(card))
            back |= 1 << (card & 3)
        else:
            key ^= bit(SLOTS_AT + layout.slot_of[card])
    # The next cards of their suits: the bit of the colour turns.
    back = ((back & 3) << 2 | back >> 2) & (runs.risen >> 4 * rank >> 4 & 15)
    climb(runs, rank + 1, pair_count(parked) | pair_count(parked >> 2) << 2, back, key)


cdef inline void note(Runs* runs, uint64_t key) noexcept nogil:
    runs.keys[runs.count] = key
    runs.count += 1
