"""Execution of plans: paths of class moves turned into moves of runs.

Each class move is preceded by the lateral moves that it needs; they lay the segments as in the proof of
Theorem S15. A run may become complete on the way and leave although the plan needs it; then the rest of the
plan is void, and the search has to be continued from the position reached.
"""

cdef struct Execution:
    const Layout* layout
    Position position
    Line* line
    bint failed                     # a move could not be made, or memory ran out
    # The plan of the present class move:
    Generator generator
    Plan plan
    uint64_t low, high              # key of the class that it must lead to
    bint found
    # The items of the class, in the columns of the position:
    uint8_t column_of[ITEMS]        # the column of an item, or NO_ITEM if it was not located yet
    uint8_t first_of[ITEMS]         # index of its first card in the column; 0 for a stem
    uint8_t end_of[ITEMS]           # index after its last card
    int known                       # number of items located
    uint8_t known_item[ITEMS]       # these items
    # The columns cut into stems and segments:
    uint64_t cut_at                 # length of the line when `cut_columns` set them
    int stem_cards[MAX_COLUMNS]     # number of cards of the stem
    int pieces[MAX_COLUMNS]         # number of segments
    uint8_t piece[MAX_COLUMNS][MAX_RANKS + 1]       # index of the first card of each segment, top one first
    int child_column                # column and index of a card that `go` keeps track of
    int child_first


cdef enum:
    NOT_CUT = -1


cdef inline void follow(Execution* execution, const BestFirst* best, uint32_t won) noexcept nogil:
    """Play from the layout of ``best`` along the path to its node ``won``, until the plan fails or is done.
    Sets ``execution.failed`` if a move could not be made or memory runs out."""
    cdef uint32_t node = won
    cdef uint32_t* path
    cdef int length = 1, i
    cdef Class state
    while header_of(best, node).parent != NO_NODE:
        length += 1
        node = header_of(best, node).parent
    path = <uint32_t*>malloc(length * sizeof(uint32_t))
    if path == NULL:
        execution.failed = True
        return
    node = won
    for i in range(length - 1, -1, -1):
        path[i] = node
        node = header_of(best, node).parent
    execution.layout = best.layout
    execution.cut_at = NOT_CUT
    read_node(best, path[0], &state)
    for i in range(length - 1):
        if not make_class_move(execution, best, &state, path[i + 1]):
            break
    free(path)


cdef inline bint is_wanted(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Keep ``plan`` if it leads to the class with the key in ``execution``. A Consumer: returns False, which
    ends the generation, if it does."""
    cdef Execution* execution = <Execution*>context
    if child.low != execution.low or child.high != execution.high:
        return True
    execution.plan = plan[0]
    execution.found = True
    return False


cdef inline bint make_class_move(Execution* execution, const BestFirst* best, Class* state,
                                 uint32_t next_node) noexcept nogil:
    """Play from the class ``state`` to that of ``next_node``, and set ``state`` to it. Returns False if the
    position reached is in another class, which cannot happen unless a run leaves (Theorem S15)."""
    cdef Class target
    cdef const Header* move = header_of(best, next_node)
    cdef int runs = execution.position.removed
    read_node(best, next_node, &target)
    execution.low = target.low
    execution.high = target.high
    execution.found = False
    execution.generator.with_links = True
    generate_unit(&execution.generator, best.layout, state, best.settings.cap, move.kind, move.unit,
                  is_wanted, execution)
    if not execution.found:
        execution.failed = True
        return False
    make(execution, state)
    if execution.failed:
        return False
    if execution.position.removed != runs:
        class_of(state, best.layout, execution.position.card, execution.position.size)
        if state.low != target.low or state.high != target.high:
            return False
    copy_class(state, &target)
    return True


cdef inline void make(Execution* execution, const Class* state) noexcept nogil:
    """Make the links of the present plan and then its move. Stops if a run leaves on the way."""
    cdef const Plan* plan = &execution.plan
    cdef int i, unit = plan.unit, column, first, target, runs = execution.position.removed
    memset(execution.column_of, NO_ITEM, sizeof(execution.column_of))
    execution.known = 0
    for i in range(plan.links):
        if plan.child[i] == UNIT_ITEM:
            continue
        link(execution, state, plan.child[i], plan.parent[i])
        if execution.failed or execution.position.removed != runs:
            return
    if plan.kind == COMPLETE:
        return
    if execution.column_of[unit] == NO_ITEM:
        locate(execution, state, unit, NO_ITEM)
    column = execution.column_of[unit]
    if execution.failed:
        return
    first = execution.end_of[unit] - plan.cards
    target = -1
    for i in range(plan.links):
        if plan.child[i] == UNIT_ITEM:
            if execution.column_of[plan.parent[i]] == NO_ITEM:
                locate(execution, state, plan.parent[i], NO_ITEM)
            if execution.failed:
                return
            target = execution.column_of[plan.parent[i]]
            unload(execution, target, execution.end_of[plan.parent[i]])
    free_run(execution, column, first)
    if execution.failed or execution.position.removed != runs:
        return
    if plan.kind == TO_EMPTY:
        target = empty_column(&execution.position)
    elif target < 0:
        target = find_target(&execution.position, column, execution.position.size[column] - first)
    if target < 0:
        execution.failed = True
        return
    go(execution, column, target, execution.position.size[column] - first)


cdef inline int empty_column(const Position* position) noexcept nogil:
    cdef int column
    for column in range(position.columns):
        if position.size[column] == 0:
            return column
    return -1


cdef inline int find_target(const Position* position, int source, int count) noexcept nogil:
    """The best column to move the top ``count`` cards of ``source`` onto, or -1 if there is none.

    Prefers a top of the same suit, then one of another suit, then one on which the run becomes complete.
    """
    cdef int column, top, value, best = -1, best_value = -1
    cdef int head = position.card[source][position.size[source] - count]
    cdef int end = position.card[source][position.size[source] - 1]
    for column in range(position.columns):
        if column == source or position.size[column] == 0:
            continue
        top = position.card[column][position.size[column] - 1]
        if (top >> 2) != (head >> 2) + 1:
            continue
        value = 2 if top == head + 4 else 1
        if top == head + 4 and end < 4 and run_length(position, column) + count >= position.ranks:
            value = 0
        if value > best_value:
            best = column
            best_value = value
    return best


cdef inline void go(Execution* execution, int source, int target, int count) noexcept nogil:
    """Make a move and append it to the line. If it moves the card at ``child_column``, update its place. Sets
    ``failed`` if the move is illegal or memory runs out."""
    cdef Position* position = &execution.position
    cdef int first = position.size[source] - count, size = position.size[target]
    if (not is_legal(position, source, target, count)
            or not append(execution.line, pack_move(source, target, count))):
        execution.failed = True
        return
    do_move(position, source, target, count)
    if execution.child_column == source and execution.child_first >= first:
        execution.child_column = target
        execution.child_first += size - first


cdef inline bint unload_once(Execution* execution, int column, int most) noexcept nogil:
    """Move the longest run of up to ``most`` cards that can be moved from ``column`` onto a card. Returns
    False, setting ``failed``, if there is none."""
    cdef int count, target, run = run_length(&execution.position, column)
    for count in range(run if run < most else most, 0, -1):
        target = find_target(&execution.position, column, count)
        if target >= 0:
            go(execution, column, target, count)
            return not execution.failed
    execution.failed = True
    return False


cdef inline void unload(Execution* execution, int column, int size) noexcept nogil:
    """Move all cards but the first ``size`` from ``column``, unless a run leaves on the way."""
    cdef int runs = execution.position.removed
    while execution.position.size[column] > size and execution.position.removed == runs:
        if not unload_once(execution, column, execution.position.size[column] - size):
            return


cdef inline void free_run(Execution* execution, int column, int first) noexcept nogil:
    """Unload ``column`` until the cards from index ``first`` on are one run."""
    cdef int runs = execution.position.removed, run
    while execution.position.removed == runs:
        run = run_length(&execution.position, column)
        if run >= execution.position.size[column] - first:
            return
        if not unload_once(execution, column, run):
            return


cdef inline void link(Execution* execution, const Class* state, int child, int parent) noexcept nogil:
    """Move segment ``child`` onto the item ``parent``, unless it lies there already."""
    cdef int column, size, count, runs = execution.position.removed
    if execution.column_of[parent] == NO_ITEM:
        locate(execution, state, parent, child)
    if execution.failed:
        return
    column = execution.column_of[parent]
    size = execution.end_of[parent]
    locate_child(execution, state, child, column, size)
    if execution.failed or (execution.column_of[child] == column and execution.first_of[child] == size):
        return
    execution.child_column = execution.column_of[child]
    execution.child_first = execution.first_of[child]
    unload(execution, column, size)
    if execution.failed or execution.position.removed != runs:
        return
    free_run(execution, execution.child_column, execution.child_first)
    if execution.failed or execution.position.removed != runs:
        return
    count = execution.position.size[execution.child_column] - execution.child_first
    go(execution, execution.child_column, column, count)
    execution.end_of[child] += size - execution.first_of[child]
    execution.first_of[child] = size
    execution.column_of[child] = column
    execution.child_column = -1


# --- Finding items ----------------------------------------------------------------------------------------

cdef inline void cut_columns(Execution* execution) noexcept nogil:
    """Cut the columns into stems and segments like `classes.normalise`, if moves were made since the last
    time."""
    cdef const Position* position = &execution.position
    cdef int column, at, size, open_ranks = 0
    cdef const uint8_t* card
    if execution.cut_at == execution.line.length:
        return
    execution.cut_at = execution.line.length
    for column in range(position.columns):
        if position.size[column] > 0:
            open_ranks |= 1 << (position.card[column][position.size[column] - 1] >> 2)
    for column in range(position.columns):
        execution.pieces[column] = 0
        card = position.card[column]
        size = position.size[column]
        at = size - 1
        while at > 0 and (card[at - 1] >> 2) == (card[at] >> 2) + 1:
            if open_ranks >> (card[at - 1] >> 2) & 1:
                execution.piece[column][execution.pieces[column]] = at
                execution.pieces[column] += 1
                size = at
            elif (card[at - 1] & 3) != (card[at] & 3):
                break
            at -= 1
        execution.stem_cards[column] = size


cdef inline bint is_known(const Execution* execution, int column, int first) noexcept nogil:
    """Test if the segment or stem whose first card has index ``first`` in ``column`` is an item located
    already."""
    cdef int i, item
    for i in range(execution.known):
        item = execution.known_item[i]
        if execution.column_of[item] == column and execution.first_of[item] == first:
            return True
    return False


cdef inline int end_of_piece(const Execution* execution, int column, int i) noexcept nogil:
    """The index after the last card of segment number ``i`` of ``column``, counted from the top; of its stem
    if ``i`` is the number of segments."""
    return execution.position.size[column] if i == 0 else execution.piece[column][i - 1]


cdef inline bint can_be(const Execution* execution, const Class* state, int item, int column,
                        int i) noexcept nogil:
    """Test if segment number ``i`` of ``column``, or its stem if ``i`` is the number of segments, is equal to
    ``item`` and is not an item located already."""
    cdef int first
    if item == NO_ITEM or (item >= STEM) != (i == execution.pieces[column]):
        return False
    if item >= STEM:
        return is_stem(execution, column, state.stem[item - STEM]) and not is_known(execution, column, 0)
    first = execution.piece[column][i]
    return is_segment(execution, column, i, state.segment[item]) and not is_known(execution, column, first)


cdef inline bint is_segment(const Execution* execution, int column, int i, Segment segment) noexcept nogil:
    cdef int head = execution.position.card[column][execution.piece[column][i]]
    cdef int cards = end_of_piece(execution, column, i) - execution.piece[column][i]
    return (head == (head_of(segment) << 2 | suit_of(segment))
            and cards == head_of(segment) - end_of(segment) + 1)


cdef inline bint is_stem(const Execution* execution, int column, Stem stem) noexcept nogil:
    cdef const Position* position = &execution.position
    cdef int size = execution.stem_cards[column], first = size - stem_length(stem), i, suits = 0
    if size == 0 or first < 0:
        return False
    for i in range(first, size):
        suits = suits << 2 | (position.card[column][i] & 3)
    if first > 0 and (position.card[column][first - 1] >> 2) == (position.card[column][first] >> 2) + 1:
        return False
    return stem == make_stem(execution.layout.alike[column][first], first, position.card[column][first] >> 2,
                             size - first, suits)


cdef inline void set_item(Execution* execution, int item, int column, int i) noexcept nogil:
    """Set the place of ``item``: segment number ``i`` of ``column``, or its stem."""
    if execution.column_of[item] == NO_ITEM:
        execution.known_item[execution.known] = item
        execution.known += 1
    execution.column_of[item] = column
    execution.first_of[item] = 0 if item >= STEM else execution.piece[column][i]
    execution.end_of[item] = end_of_piece(execution, column, i)


cdef inline void locate(Execution* execution, const Class* state, int item, int child) noexcept nogil:
    """Locate ``item``, preferably a place where the segment ``child`` lies on it already. Sets ``failed`` if
    it is nowhere."""
    cdef int column, i
    cdef bint carries
    cut_columns(execution)
    for column in range(execution.position.columns):
        for i in range(execution.pieces[column] if item >= STEM else 0, execution.pieces[column] + 1):
            if not can_be(execution, state, item, column, i):
                continue
            carries = i > 0 and can_be(execution, state, child, column, i - 1)
            if execution.column_of[item] == NO_ITEM or carries:
                set_item(execution, item, column, i)
            if carries:
                return
    if execution.column_of[item] == NO_ITEM:
        execution.failed = True


cdef inline void locate_child(Execution* execution, const Class* state, int child, int column,
                              int size) noexcept nogil:
    """Locate segment ``child``, preferably the one whose first card has index ``size`` in ``column``."""
    cdef int i
    cut_columns(execution)
    for i in range(execution.pieces[column]):
        if execution.piece[column][i] == size and can_be(execution, state, child, column, i):
            set_item(execution, child, column, i)
            return
    locate(execution, state, child, NO_ITEM)
