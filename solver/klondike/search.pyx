"""The searches of Klondike: for a win, and for a proof that there is none.

Best first over exact keys, which finds most wins within some hundreds of nodes. What it leaves open is asked
of the game with the relaxed stock, whose lost positions are lost: a depth-first search that labels each
position for good, by Tarjan's components. A component that is complete without a win is dead; on a win all
that is not complete reaches the path to it, and is alive. If the start is alive, the first search goes on,
and asks of each position before it is expanded. Where one card is drawn and passes are unlimited both games
are one.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from ..core.bits cimport prefetch_at
from ..core.kernel cimport (
    BEST_FIRST, MEMORY, NOTHING, RELAXATION, Kernel, may_expand, may_pass,
)
from ..core.memory cimport more_room, resize
from .parking cimport MOST_ADVANCES, advances_of
from .marks cimport may_win
from .state cimport MOST_CHILDREN, Layout, Position, children_of, close, is_won, unpack, unwasted

cdef enum:
    FIRST_ROOM = 1024       # nodes, and half the slots at first
    KEPT_ROOM = 65536       # a larger table is given back before the next deal
    TRIAL = 2000            # nodes before the relaxed game is asked
    DEAD = 0
    ALIVE = 1
    NUMBERED = 2            # the first on the path

cdef uint64_t FREE = <uint64_t>0xFFFFFFFFFFFFFFFF      # no key: no foundation is 15 high


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
