"""Class solutions turned into moves: for each class move, first the lateral ones that it needs.

The places that the segments have to take are reached as the proof of Theorem 1 in `simon_class` says. A run
may become complete on the way and leave although the plan wants it to stay; then the rest of the plan is
void, and the search has to go on from the position reached.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from .simon_best cimport NO_NODE, BestFirst, parent_of, read_move, read_node
from .simon_board cimport Board, append, is_legal, make_move, play, run_length
from .simon_class cimport (
    Class, Segment, Stem, class_of, copy_class, end_of, head_of, make_stem, stem_length, suit_of,
)
from .simon_moves cimport COMPLETE, ITEMS, NO_ITEM, STEM, TO_EMPTY, UNIT, Plan, generate_unit

cdef enum:
    NOT_CUT = -1


cdef bint follow(Player* player, const BestFirst* best, uint32_t won) noexcept nogil:
    """Play from the layout of ``best`` to its node ``won``, as far as the plan holds; whether it held."""
    cdef uint32_t node = won
    cdef uint32_t* path
    cdef int length = 1, i
    cdef bint held = True
    cdef Class state
    while parent_of(best, node) != NO_NODE:
        length += 1
        node = parent_of(best, node)
    path = <uint32_t*>malloc(length * sizeof(uint32_t))
    if path == NULL:
        player.failed = True
        return False
    node = won
    for i in range(length - 1, -1, -1):
        path[i] = node
        node = parent_of(best, node)
    player.layout = best.layout
    player.cut_at = NOT_CUT
    read_node(best, path[0], &state)
    for i in range(length - 1):
        if not make_class_move(player, best, &state, path[i + 1]):
            held = False
            break
    free(path)
    return held


cdef bint is_wanted(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Keep the plan that leads to the class wanted."""
    cdef Player* player = <Player*>context
    if child.low != player.low or child.high != player.high:
        return True
    player.plan = plan[0]
    player.found = True
    return False


cdef bint make_class_move(
    Player* player, const BestFirst* best, Class* state, uint32_t next_node
) noexcept nogil:
    """Play from a class to the next, which ``state`` becomes; false if the position is not in it afterwards.

    While no run leaves, it is by Theorem 1.
    """
    cdef Class target
    cdef int kind, unit, runs = player.board.removed
    read_node(best, next_node, &target)
    read_move(best, next_node, &kind, &unit)
    player.low = target.low
    player.high = target.high
    player.found = False
    player.generator.with_links = True
    generate_unit(
        &player.generator, best.layout, state, best.settings.cap, kind, unit, is_wanted, player
    )
    if not player.found:
        player.failed = True
        return False
    make(player, state)
    if player.failed:
        return False
    if player.board.removed != runs:
        class_of(state, best.layout, player.board.card, player.board.size)
        if state.low != target.low or state.high != target.high:
            return False
    copy_class(state, &target)
    return True


cdef void make(Player* player, const Class* state) noexcept nogil:
    """Make the links of the plan and then its move, as long as no run leaves before its time."""
    cdef const Plan* plan = &player.plan
    cdef int i, unit = plan.unit, column, first, target, runs = player.board.removed
    memset(player.column_of, NO_ITEM, sizeof(player.column_of))
    player.known = 0
    for i in range(plan.links):
        if plan.child[i] == UNIT:
            continue
        link(player, state, plan.child[i], plan.parent[i])
        if player.failed or player.board.removed != runs:
            return
    if plan.kind == COMPLETE:
        return
    if player.column_of[unit] == NO_ITEM:
        locate(player, state, unit, NO_ITEM)
    column = player.column_of[unit]
    if player.failed:
        return
    first = player.end_of[unit] - plan.cards
    target = -1
    for i in range(plan.links):
        if plan.child[i] == UNIT:
            if player.column_of[plan.parent[i]] == NO_ITEM:
                locate(player, state, plan.parent[i], NO_ITEM)
            if player.failed:
                return
            target = player.column_of[plan.parent[i]]
            unload(player, target, player.end_of[plan.parent[i]])
    free_run(player, column, first)
    if player.failed or player.board.removed != runs:
        return
    if plan.kind == TO_EMPTY:
        target = empty_column(&player.board)
    elif target < 0:
        target = find_target(&player.board, column, player.board.size[column] - first, -1)
    if target < 0:
        player.failed = True
        return
    go(player, column, target, player.board.size[column] - first)


cdef int empty_column(const Board* board) noexcept nogil:
    cdef int column
    for column in range(board.columns):
        if board.size[column] == 0:
            return column
    return -1


cdef int find_target(const Board* board, int source, int count, int avoid) noexcept nogil:
    """A column for the top ``count`` cards of ``source``: rather of its suit, rather not one where the run
    becomes complete; -1 if there is none."""
    cdef int column, top, value, best = -1, best_value = -1
    cdef int head = board.card[source][board.size[source] - count]
    cdef int end = board.card[source][board.size[source] - 1]
    for column in range(board.columns):
        if column == source or column == avoid or board.size[column] == 0:
            continue
        top = board.card[column][board.size[column] - 1]
        if (top >> 2) != (head >> 2) + 1:
            continue
        value = 2 if top == head + 4 else 1
        if top == head + 4 and end < 4 and run_length(board, column) + count >= board.ranks:
            value = 0
        if value > best_value:
            best = column
            best_value = value
    return best


cdef void go(Player* player, int source, int target, int count) noexcept nogil:
    """Make a move and note it; the child that is tracked goes with it."""
    cdef Board* board = &player.board
    cdef int first = board.size[source] - count, size = board.size[target]
    if (not is_legal(board, source, target, count)
            or not append(player.line, make_move(source, target, count))):
        player.failed = True
        return
    play(board, source, target, count)
    if player.child_column == source and player.child_first >= first:
        player.child_column = target
        player.child_first += size - first


cdef bint unload_once(Player* player, int column, int most) noexcept nogil:
    """Move the longest run of up to ``most`` cards from a column to another card."""
    cdef int count, target
    cdef int run = run_length(&player.board, column)
    for count in range(run if run < most else most, 0, -1):
        target = find_target(&player.board, column, count, -1)
        if target >= 0:
            go(player, column, target, count)
            return not player.failed
    player.failed = True
    return False


cdef void unload(Player* player, int column, int size) noexcept nogil:
    """Leave only the first ``size`` cards in a column."""
    cdef int runs = player.board.removed
    while player.board.size[column] > size and player.board.removed == runs:
        if not unload_once(player, column, player.board.size[column] - size):
            return


cdef void free_run(Player* player, int column, int first) noexcept nogil:
    """Unload a column until all from card ``first`` on is one run."""
    cdef int runs = player.board.removed, run
    while player.board.removed == runs:
        run = run_length(&player.board, column)
        if run >= player.board.size[column] - first:
            return
        if not unload_once(player, column, run):
            return


cdef void link(Player* player, const Class* state, int child, int parent) noexcept nogil:
    """Lay segment ``child`` on the item ``parent``."""
    cdef int column, size, runs = player.board.removed
    if player.column_of[parent] == NO_ITEM:
        locate(player, state, parent, child)
    if player.failed:
        return
    column = player.column_of[parent]
    size = player.end_of[parent]
    locate_child(player, state, child, column, size)
    if player.failed or (player.column_of[child] == column and player.first_of[child] == size):
        return
    player.child_column = player.column_of[child]
    player.child_first = player.first_of[child]
    unload(player, column, size)
    if player.failed or player.board.removed != runs:
        return
    free_run(player, player.child_column, player.child_first)
    if player.failed or player.board.removed != runs:
        return
    go(player, player.child_column, column, player.board.size[player.child_column] - player.child_first)
    player.end_of[child] += size - player.first_of[child]
    player.first_of[child] = size
    player.column_of[child] = column
    player.child_column = -1


# --- Finding items ------------------------------------------------------------------------------------------


cdef void cut_columns(Player* player) noexcept nogil:
    """See the columns as stems and segments, as `simon_class.normalise` does, if moves were made since."""
    cdef const Board* board = &player.board
    cdef int column, at, size, open_ranks = 0
    cdef const uint8_t* card
    if player.cut_at == player.line.length:
        return
    player.cut_at = player.line.length
    for column in range(board.columns):
        if board.size[column] > 0:
            open_ranks |= 1 << (board.card[column][board.size[column] - 1] >> 2)
    for column in range(board.columns):
        player.pieces[column] = 0
        card = board.card[column]
        size = board.size[column]
        at = size - 1
        while at > 0 and (card[at - 1] >> 2) == (card[at] >> 2) + 1:
            if open_ranks >> (card[at - 1] >> 2) & 1:
                player.piece[column][player.pieces[column]] = at
                player.pieces[column] += 1
                size = at
            elif (card[at - 1] & 3) != (card[at] & 3):
                break
            at -= 1
        player.stem_cards[column] = size


cdef bint is_known(const Player* player, int column, int first) noexcept nogil:
    """Whether the segment that begins there belongs to an item already."""
    cdef int i, item
    for i in range(player.known):
        item = player.known_item[i]
        if item < STEM and player.column_of[item] == column and player.first_of[item] == first:
            return True
    return False


cdef int end_of_piece(const Player* player, int column, int i) noexcept nogil:
    """The number of cards up to the top of a column's segment number ``i``."""
    return player.board.size[column] if i == 0 else player.piece[column][i - 1]


cdef bint is_segment(const Player* player, int column, int i, Segment segment) noexcept nogil:
    cdef int head = player.board.card[column][player.piece[column][i]]
    cdef int cards = end_of_piece(player, column, i) - player.piece[column][i]
    return (head == (head_of(segment) << 2 | suit_of(segment))
            and cards == head_of(segment) - end_of(segment) + 1)


cdef bint lies_on(const Player* player, const Class* state, int child, int column, int i) noexcept nogil:
    """Whether a column's segment number ``i`` can be the item ``child``."""
    return (child != NO_ITEM and is_segment(player, column, i, state.segment[child])
            and not is_known(player, column, player.piece[column][i]))


cdef bint is_stem(const Player* player, int column, Stem stem) noexcept nogil:
    cdef const Board* board = &player.board
    cdef int size = player.stem_cards[column], first = size - stem_length(stem), i, suits = 0
    if size == 0 or first < 0:
        return False
    for i in range(first, size):
        suits = suits << 2 | (board.card[column][i] & 3)
    if first > 0 and (board.card[column][first - 1] >> 2) == (board.card[column][first] >> 2) + 1:
        return False
    return stem == make_stem(
        player.layout.twin[column][first], first, board.card[column][first] >> 2, size - first, suits
    )


cdef void set_item(Player* player, int item, int column, int first, int end) noexcept nogil:
    if player.column_of[item] == NO_ITEM:
        player.known_item[player.known] = item
        player.known += 1
    player.column_of[item] = column
    player.first_of[item] = first
    player.end_of[item] = end


cdef void locate(Player* player, const Class* state, int item, int child) noexcept nogil:
    """Find an item that is not known yet, rather one on which the segment ``child`` lies already."""
    cdef int column, i, other, end
    cdef bint carries
    cut_columns(player)
    for column in range(player.board.columns):
        if item >= STEM:
            if not is_stem(player, column, state.stem[item - STEM]):
                continue
            for other in range(STEM, ITEMS):
                if player.column_of[other] == column:
                    break
            else:
                i = player.pieces[column]
                carries = i > 0 and lies_on(player, state, child, column, i - 1)
                if player.column_of[item] == NO_ITEM or carries:
                    set_item(player, item, column, 0, player.stem_cards[column])
                if carries:
                    return
            continue
        for i in range(player.pieces[column]):
            if not is_segment(player, column, i, state.segment[item]):
                continue
            if is_known(player, column, player.piece[column][i]):
                continue
            end = end_of_piece(player, column, i)
            carries = i > 0 and lies_on(player, state, child, column, i - 1)
            if player.column_of[item] == NO_ITEM or carries:
                set_item(player, item, column, player.piece[column][i], end)
            if carries:
                return
    if player.column_of[item] == NO_ITEM:
        player.failed = True


cdef void locate_child(Player* player, const Class* state, int child, int column, int size) noexcept nogil:
    """Find segment ``child``, rather the one that begins at card ``size`` of ``column``."""
    cdef int i
    cut_columns(player)
    for i in range(player.pieces[column]):
        if (player.piece[column][i] == size and is_segment(player, column, i, state.segment[child])
                and not is_known(player, column, size)):
            set_item(player, child, column, size, end_of_piece(player, column, i))
            return
    locate(player, state, child, NO_ITEM)
