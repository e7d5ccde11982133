# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Beam search through single positions for short lines: layer by layer, the best positions of each depth.

Of the positions of a layer that are in one class only the best stays: with it the same width goes several
times as far. The beam is wide early, where most moves that need not be are made. It proves nothing.
"""

import time

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

from .kernel cimport Kernel
from .simon_board cimport Line, append, free_line, hash_card, make_move, scatter, shorten_line, wins
from .simon_class cimport MAX_CARDS, MAX_COLUMNS, Layout, mix_low

cdef enum:
    PILOT = 60          # the width of the first try
    NARROWEST = 8
    WIDEST = 20000
    MANY_BREAKS = 104

# The score of a position, in tenths: what keeps it from being won. The weights were fitted by hill climbing.
cdef double[20] WEIGHTS = [
    19.85, 6.21, 14.65, 3.88, 2.68, -1.52, 0.30, 7.70, -6.95, -0.46,
    0.49, 0.50, -0.03, 4.00, -0.27, -1.37, -0.83, 0.57, 0.00, -0.19,
]
cdef int on_card[52][52]        # [beneath][card]; 0 for a continued run
cdef int on_floor[52]
cdef int over_own[52]           # its next higher card lies deeper in its column
cdef int by_breaks[MANY_BREAKS + 1]
cdef int by_tops[13][4]         # of a rank, by the number of its exposed cards, 3 for more
cdef int by_empty[3]


cdef void make_tables() noexcept:
    cdef const double* w = WEIGHTS
    cdef int card, beneath, rank, under
    cdef double head, link
    for card in range(52):
        rank = card >> 2
        head = w[0] + w[9] * (rank - 6) if rank < 12 else w[3]
        on_floor[card] = tenths(w[6] + (head + w[7] if rank < 12 else 0.0))
        over_own[card] = tenths(w[4] + w[14] * (rank - 6)) if rank < 12 else 0
        for beneath in range(52):
            under = beneath >> 2
            if under == rank + 1:
                link = w[1] + w[10] * (rank - 6)
            else:
                link = w[2] + w[11] * (rank - 6) + w[12] * (under - 6) + (w[8] if rank > under else 0.0)
            on_card[beneath][card] = 0 if beneath == card + 4 else tenths(head + link)
    for under in range(MANY_BREAKS + 1):
        by_breaks[under] = tenths(w[5] * sqrt(<double>under))
    for rank in range(1, 13):
        by_tops[rank][0] = tenths(w[13] + w[16] * (rank - 6) + w[15])
        by_tops[rank][1] = tenths(w[15])
        by_tops[rank][2] = tenths(w[19])
    by_empty[0] = tenths(w[17])
    by_empty[1] = tenths(w[18])


cdef int tenths(double value) noexcept nogil:
    return <int>(10 * value + (0.5 if value >= 0 else -0.5))


make_tables()


# --- Sets of keys ---------------------------------------------------------------------------------------------


cdef bint add_key(KeySet* keys, uint64_t key) noexcept nogil:
    """Whether ``key`` is new; it is a member now, as far as memory allows."""
    cdef uint64_t i = key & keys.mask
    key |= key == 0
    while keys.slot[i] != 0:
        if keys.slot[i] == key:
            return False
        i = (i + 1) & keys.mask
    keys.slot[i] = key
    keys.count += 1
    if 2 * keys.count > keys.mask:
        grow_keys(keys)
    return True


cdef inline bint has_key(const KeySet* keys, uint64_t key) noexcept nogil:
    cdef uint64_t i = key & keys.mask
    key |= key == 0
    while keys.slot[i] != 0:
        if keys.slot[i] == key:
            return True
        i = (i + 1) & keys.mask
    return False


cdef bint set_keys(KeySet* keys, uint64_t slots) noexcept nogil:
    """Empty set with room for half of ``slots``, a power of two."""
    free(keys.slot)
    keys.slot = <uint64_t*>calloc(slots, sizeof(uint64_t))
    keys.mask = slots - 1
    keys.count = 0
    return keys.slot != NULL


cdef void grow_keys(KeySet* keys) noexcept nogil:
    cdef KeySet grown
    cdef uint64_t i
    grown.slot = NULL
    if not set_keys(&grown, 2 * (keys.mask + 1)):
        memset(keys.slot, 0, (keys.mask + 1) * sizeof(uint64_t))    # forgetting is allowed here
        keys.count = 0
        return
    for i in range(keys.mask + 1):
        if keys.slot[i] != 0:
            add_key(&grown, keys.slot[i])
    free(keys.slot)
    keys[0] = grown


# --- Scores and keys of whole positions -----------------------------------------------------------------------


cdef int score_column(const uint8_t* card, int size, int king, int* heads) noexcept nogil:
    """What one column adds to the score; its run heads that are no kings are added to ``heads``."""
    cdef int i, total, breaks = 0
    cdef uint64_t held = 0
    if size == 0:
        return 0
    total = on_floor[card[0]]
    for i in range(size):
        if i == 0 or card[i - 1] != card[i] + 4:
            heads[0] += card[i] < king
            if i > 0:
                total += on_card[card[i - 1]][card[i]]
                breaks += (card[i - 1] >> 2) != (card[i] >> 2) + 1
            if card[i] < king and held >> (card[i] + 4) & 1:
                total += over_own[card[i]]
        held |= <uint64_t>1 << card[i]
    return total + by_breaks[breaks]


cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


cdef int score_tops(const int* tops, int empty) noexcept nogil:
    """What the exposed ranks and the empty columns add to the score."""
    cdef int rank, total = by_empty[at_most(empty, 2)]
    for rank in range(1, 13):
        total += by_tops[rank][at_most(tops[rank], 3)]
    return total


cdef void rate(Position* position, int columns, int king) noexcept nogil:
    """Work out score, heads and key. Cards from ``king`` on are kings."""
    cdef int tops[16]
    cdef int column, i, at = 0, empty = 0, heads = 0
    cdef uint64_t prefix
    memset(tops, 0, sizeof(tops))
    position.score = 0
    position.key = 0
    for column in range(columns):
        position.score += score_column(position.card + at, position.size[column], king, &heads)
        prefix = 0
        for i in range(at, at + position.size[column]):
            prefix = hash_card(prefix, position.card[i])
        position.key += scatter(prefix)
        at += position.size[column]
        if position.size[column] == 0:
            empty += 1
        else:
            tops[position.card[at - 1] >> 2] += 1
    position.score += score_tops(tops, empty)
    position.heads = heads


cdef uint64_t class_key(const Position* position, int columns) noexcept nogil:
    """A key of the class of a position; see simon_class."""
    cdef uint64_t total = 0, prefix
    cdef const uint8_t* card = position.card
    cdef int column, at, size, i, open_ranks = 0
    for column in range(columns):
        size = position.size[column]
        if size > 0:
            card += size
            open_ranks |= 1 << ((card - 1)[0] >> 2)
    card = position.card
    for column in range(columns):
        size = position.size[column]
        at = size - 1
        while at > 0 and (card[at - 1] >> 2) == (card[at] >> 2) + 1:
            if open_ranks >> (card[at - 1] >> 2) & 1:
                total += mix_low(card[at] | card[size - 1] << 8)
                size = at
            elif (card[at - 1] & 3) != (card[at] & 3):
                break
            at -= 1
        prefix = 0
        for i in range(size):
            prefix = hash_card(prefix, card[i])
        total += scatter(prefix)
        card += position.size[column]
    return total


# --- Moves ----------------------------------------------------------------------------------------------------


cdef void load(Beam* beam, const Position* position) noexcept nogil:
    """Prepare a position for expansion."""
    cdef int column, i, size
    cdef const uint8_t* card = position.card
    memset(beam.tops, 0, sizeof(beam.tops))
    beam.empty = 0
    for column in range(beam.layout.columns):
        size = position.size[column]
        beam.column[column] = card
        beam.prefix[column][0] = beam.mask[column][0] = 0
        beam.breaks[column] = 0
        beam.run[column] = 0
        for i in range(size):
            beam.prefix[column][i + 1] = hash_card(beam.prefix[column][i], card[i])
            beam.mask[column][i + 1] = beam.mask[column][i] | <uint64_t>1 << card[i]
            if i > 0 and card[i - 1] == card[i] + 4:
                beam.run[column] += 1
            else:
                beam.run[column] = 1
                beam.breaks[column] += i > 0 and (card[i - 1] >> 2) != (card[i] >> 2) + 1
        if size == 0:
            beam.empty += 1
        else:
            beam.tops[card[size - 1] >> 2] += 1
        card += size


cdef void expand(Beam* beam, uint32_t number, uint64_t depth) noexcept nogil:
    """Add the successors of a position of the layer to the candidates."""
    cdef const Position* position = &beam.layer[number]
    cdef int columns = beam.layout.columns
    cdef int source, target, count, top, other, empty = -1
    load(beam, position)
    for target in range(columns):
        if position.size[target] == 0:
            empty = target
    for source in range(columns):
        if position.size[source] == 0:
            continue
        for other in range(source):
            if (position.size[other] == position.size[source]
                    and beam.prefix[other][position.size[other]] == beam.prefix[source][position.size[source]]):
                break
        else:
            top = beam.column[source][position.size[source] - 1] >> 2
            for target in range(columns):
                if target == source or position.size[target] == 0:
                    continue
                count = (beam.column[target][position.size[target] - 1] >> 2) - top
                if 1 <= count <= beam.run[source]:
                    consider(beam, position, number, source, target, count, depth)
            if empty >= 0:
                for count in range(1, at_most(beam.run[source], position.size[source] - 1) + 1):
                    consider(beam, position, number, source, empty, count, depth)


cdef inline void consider(
    Beam* beam, const Position* position, uint32_t number, int source, int target, int count, uint64_t depth
) noexcept nogil:
    """Rate one move by what it changes and keep it if it may be among the best."""
    cdef int size = position.size[source], onto = position.size[target], first = size - count
    cdef const uint8_t* unit = beam.column[source] + first
    cdef int card = unit[0], score = position.score, heads = position.heads, beneath = -1, top = -1, i
    cdef int* tops = beam.tops
    cdef uint64_t key, prefix
    cdef Candidate* candidate
    if first > 0:
        beneath = beam.column[source][first - 1]
    if onto > 0:
        top = beam.column[target][onto - 1]
    if ((unit[count - 1] < 4 and top == card + 4 and beam.run[target] + count >= beam.layout.ranks)
            or 0 <= beneath < 4):
        consider_removal(beam, position, number, source, target, count, depth)
        return
    if first == 0:
        score -= on_floor[card]
        heads -= card < beam.king
    elif beneath != card + 4:
        score -= on_card[beneath][card]
        heads -= card < beam.king
        if card < beam.king and beam.mask[source][first] >> (card + 4) & 1:
            score -= over_own[card]
        if (beneath >> 2) != (card >> 2) + 1:
            score -= by_breaks[beam.breaks[source]] - by_breaks[beam.breaks[source] - 1]
    if onto == 0:
        score += on_floor[card]
        heads += card < beam.king
    elif top != card + 4:
        score += on_card[top][card]
        heads += card < beam.king
        if card < beam.king and beam.mask[target][onto] >> (card + 4) & 1:
            score += over_own[card]
    if depth + 1 + heads >= beam.bound:
        return
    if (first == 0) != (onto == 0):
        i = beam.empty + (1 if first == 0 else -1)
        score += by_empty[at_most(i, 2)] - by_empty[at_most(beam.empty, 2)]
    if beneath >> 2 != top >> 2:
        if first > 0:
            i = beneath >> 2
            score += by_tops[i][at_most(tops[i] + 1, 3)] - by_tops[i][at_most(tops[i], 3)]
        if onto > 0:
            i = top >> 2
            score += by_tops[i][at_most(tops[i] - 1, 3)] - by_tops[i][at_most(tops[i], 3)]
    if score >= beam.worst:
        return
    prefix = beam.prefix[target][onto]
    key = position.key - scatter(prefix) - scatter(beam.prefix[source][size]) + scatter(beam.prefix[source][first])
    for i in range(count):
        prefix = hash_card(prefix, unit[i])
    key += scatter(prefix)
    if has_key(&beam.visited, key):
        return
    candidate = &beam.candidates[beam.found]
    candidate.key = key
    candidate.score = score
    candidate.parent = number
    candidate.move = make_move(source, target, count)
    candidate.heads = heads
    beam.found += 1
    if beam.found == beam.candidate_room:
        select_best(beam, beam.keep)


cdef void consider_removal(
    Beam* beam, const Position* position, uint32_t number, int source, int target, int count, uint64_t depth
) noexcept nogil:
    """The same where a run may leave: by making the move."""
    cdef Position child
    cdef Candidate* candidate
    make_child(beam, position, source, target, count, &child)
    if is_empty(beam, &child):
        beam.is_won = True
        beam.won = position.link
        beam.won_move = make_move(source, target, count)
        return
    rate(&child, beam.layout.columns, beam.king)
    if depth + 1 + child.heads >= beam.bound or child.score >= beam.worst or has_key(&beam.visited, child.key):
        return
    candidate = &beam.candidates[beam.found]
    candidate.key = child.key
    candidate.score = child.score
    candidate.parent = number
    candidate.move = make_move(source, target, count)
    candidate.heads = child.heads
    beam.found += 1
    if beam.found == beam.candidate_room:
        select_best(beam, beam.keep)


cdef bint is_empty(const Beam* beam, const Position* position) noexcept nogil:
    cdef int column
    for column in range(beam.layout.columns):
        if position.size[column] > 0:
            return False
    return True


cdef void make_child(
    const Beam* beam, const Position* position, int source, int target, int count, Position* child
) noexcept nogil:
    """The position after a move and after complete runs have left; score, heads and key are the caller's."""
    cdef int column, size, at = 0, to = 0
    cdef const uint8_t* unit = NULL
    for column in range(source + 1):
        at += position.size[column]
    unit = position.card + at - count
    at = 0
    for column in range(beam.layout.columns):
        size = position.size[column]
        if column == source:
            size -= count
        memcpy(child.card + to, position.card + at, size)
        if column == target:
            memcpy(child.card + to + size, unit, count)
            size += count
        if column == source or column == target:
            while size > 0 and has_complete_run(child.card + to, size, beam.layout.ranks):
                size -= beam.layout.ranks
        child.size[column] = size
        at += position.size[column]
        to += size


cdef bint has_complete_run(const uint8_t* card, int size, int ranks) noexcept nogil:
    cdef int i
    if size < ranks or card[size - 1] >= 4:
        return False
    for i in range(1, ranks):
        if card[size - 1 - i] != card[size - i] + 4:
            return False
    return True


# --- Layers ---------------------------------------------------------------------------------------------------


cdef void select_best(Beam* beam, uint32_t keep) noexcept nogil:
    """Keep only the best candidates; only better ones are wanted then."""
    cdef int64_t low = 0, high = <int64_t>beam.found - 1, i, j
    cdef int32_t pivot
    cdef Candidate held
    cdef Candidate* list = beam.candidates
    if beam.found <= keep:
        return
    while low < high:
        pivot = list[(low + high) // 2].score
        i = low
        j = high
        while i <= j:
            while list[i].score < pivot:
                i += 1
            while list[j].score > pivot:
                j -= 1
            if i <= j:
                held = list[i]
                list[i] = list[j]
                list[j] = held
                i += 1
                j -= 1
        if <int64_t>keep - 1 <= j:
            high = j
        elif <int64_t>keep - 1 >= i:
            low = i
        else:
            break
    beam.worst = list[keep - 1].score
    beam.found = keep


cdef int by_score(const void* one, const void* other) noexcept nogil:
    cdef const Candidate* a = <const Candidate*>one
    cdef const Candidate* b = <const Candidate*>other
    if a.score != b.score:
        return -1 if a.score < b.score else 1
    return (a.key > b.key) - (a.key < b.key)


cdef bint next_layer(Beam* beam, uint64_t depth, uint32_t width) noexcept nogil:
    """Go one move deeper with the best ``width`` positions of different classes; false at the end."""
    cdef uint32_t i, number
    cdef Candidate* candidate
    cdef Position* child
    cdef Position* layer
    cdef void* block
    beam.found = 0
    beam.worst = 0x7FFFFFFF
    beam.keep = 5 * width
    beam.candidate_room = 10 * width + 5000
    for i in range(beam.held):
        expand(beam, i, depth)
        if beam.is_won:
            return False
    select_best(beam, 4 * width)
    qsort(beam.candidates, beam.found, sizeof(Candidate), by_score)
    if beam.links + width > beam.history_room:
        block = realloc(beam.history, 2 * (<uint64_t>beam.history_room + width) * sizeof(Link))
        if block == NULL:
            return False
        beam.history = <Link*>block
        beam.history_room = 2 * (beam.history_room + width)
    memset(beam.classes.slot, 0, (beam.classes.mask + 1) * sizeof(uint64_t))
    beam.classes.count = 0
    layer = beam.next_layer
    i = 0
    beam.next_layer = beam.layer
    beam.layer = layer
    layer = beam.next_layer
    for number in range(beam.found):
        if i == width:
            break
        candidate = &beam.candidates[number]
        if not add_key(&beam.visited, candidate.key):
            continue
        child = &beam.layer[i]
        make_child(
            beam, &layer[candidate.parent], candidate.move & 15, candidate.move >> 4 & 15, candidate.move >> 8, child
        )
        if not add_key(&beam.classes, class_key(child, beam.layout.columns)):
            continue
        child.key = candidate.key
        child.score = candidate.score
        child.heads = candidate.heads
        beam.history[beam.links].parent = layer[candidate.parent].link
        beam.history[beam.links].move = candidate.move
        child.link = beam.links
        beam.links += 1
        i += 1
    beam.held = i
    return i > 0


cdef double share_of(const Beam* beam, uint64_t depth) noexcept nogil:
    """How wide the beam is at a depth, as a part of its usual width."""
    return 2.0 if depth < <uint64_t>beam.wide_until else 1.0 if depth < <uint64_t>beam.usual_until else 0.3


cdef double now() noexcept nogil:
    with gil:
        return time.monotonic()


cdef bint run(Beam* beam, Kernel kernel, const Position* root, double width, double until, uint64_t length) noexcept nogil:
    """One beam from ``root``, made narrower if it would not end by ``until`` in ``length`` layers."""
    cdef uint64_t depth = 0, later
    cdef double rest, began, ended, cost = 0.0, wanted
    beam.layer[0] = root[0]
    beam.layer[0].link = 0
    beam.held = 1
    beam.links = 1
    beam.is_won = False
    memset(beam.visited.slot, 0, (beam.visited.mask + 1) * sizeof(uint64_t))
    beam.visited.count = 0
    add_key(&beam.visited, root.key)
    began = now()
    while True:
        rest = 0.0
        for later in range(depth, length if length > depth + 4 else depth + 4):
            rest += share_of(beam, later)
        wanted = width
        if cost > 0.0 and until - began < cost * rest * width:
            wanted = (until - began) / (cost * rest)
        if began >= until or kernel.reason or not kernel.poll():
            return False
        wanted *= share_of(beam, depth)
        if wanted < NARROWEST:
            wanted = NARROWEST
        if not next_layer(beam, depth, <uint32_t>wanted):
            return beam.is_won
        ended = now()
        if beam.held >= 64:
            cost = (ended - began) / beam.held if cost == 0.0 else 0.7 * cost + 0.3 * (ended - began) / beam.held
        began = ended
        depth += 1


cdef bint set_room(Beam* beam, uint64_t width) noexcept nogil:
    """Memory for beams up to ``width``; false if it does not allow that."""
    cdef uint64_t slots = 1 << 12
    beam.room = 2 * width
    free(beam.layer)
    free(beam.next_layer)
    free(beam.candidates)
    beam.layer = <Position*>malloc(beam.room * sizeof(Position))
    beam.next_layer = <Position*>malloc(beam.room * sizeof(Position))
    beam.candidates = <Candidate*>malloc((20 * width + 5001) * sizeof(Candidate))
    while slots < 4 * beam.room:
        slots *= 2
    if beam.layer == NULL or beam.next_layer == NULL or beam.candidates == NULL:
        return False
    if not set_keys(&beam.classes, slots):
        return False
    if beam.visited.slot == NULL:
        return set_keys(&beam.visited, 1 << 16)
    return True


cdef bint write_line(Beam* beam, const Layout* layout, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to the won position if they win and are fewer."""
    cdef Line found
    cdef uint32_t link = beam.won
    cdef uint64_t i, length = 1
    cdef bint better = False
    while link != 0:
        link = beam.history[link].parent
        length += 1
    if length >= line.length:
        return False
    memset(&found, 0, sizeof(Line))
    found.max_bytes = line.max_bytes
    for i in range(length):
        if not append(&found, 0):
            free_line(&found)
            return False
    found.move[length - 1] = beam.won_move
    link = beam.won
    i = length - 1
    while link != 0:
        i -= 1
        found.move[i] = beam.history[link].move
        link = beam.history[link].parent
    if wins(&found, layout):
        memcpy(line.move, found.move, length * sizeof(uint32_t))
        line.length = length
        better = True
    free_line(&found)
    return better


cdef bint shorten(Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes) noexcept nogil:
    """Make a winning line shorter within so much time and memory; whether that succeeded."""
    cdef Beam beam
    cdef Position root
    cdef int column, at = 0
    cdef double began = now(), used, width, widest
    cdef uint64_t length = line.length
    if line.length < 2:
        return False
    shorten_line(line, layout)
    memset(&beam, 0, sizeof(Beam))
    beam.layout = layout
    beam.king = 4 * layout.ranks - 4
    beam.wide_until = 45 * layout.cards // 104
    beam.usual_until = 90 * layout.cards // 104
    for column in range(layout.columns):
        root.size[column] = layout.size[column]
        memcpy(root.card + at, layout.card[column], layout.size[column])
        at += layout.size[column]
    rate(&root, layout.columns, beam.king)
    widest = max_bytes // 4096
    width = PILOT
    while width <= widest and now() - began < 0.85 * seconds:
        if not set_room(&beam, <uint64_t>width):
            break
        used = now()
        beam.bound = line.length
        if run(&beam, kernel, &root, width, began + seconds, 6 * layout.cards // 5 if width == PILOT else line.length):
            write_line(&beam, layout, line)
        if kernel.reason:
            break
        used = now() - used
        if width >= WIDEST:
            break
        width = width * 0.85 * (began + seconds - now()) / (used if used > 0.001 else 0.001)
        width = <int>width if width < WIDEST else WIDEST
        if width < 2 * NARROWEST:
            break
    free(beam.layer)
    free(beam.next_layer)
    free(beam.candidates)
    free(beam.history)
    free(beam.visited.slot)
    free(beam.classes.slot)
    return line.length < length
