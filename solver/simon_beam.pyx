"""Beam search through single positions for short lines: layer by layer, the best positions of each depth.

Of the positions of a layer that are in one class only the best stays: with it the same width goes several
times as far. The beam is wide early, where most moves that need not be are made. It proves nothing.
"""

import time

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

from .kernel cimport BEAM, Kernel
from .simon_board cimport Line, append, free_line, hash_card, make_move, scatter, shorten_line, wins
from .simon_class cimport Layout
from .simon_score cimport Position, Scores, at_most, class_key, make_child, rate, scores

cdef enum:
    PILOT = 60          # the width of the first try
    NARROWEST = 8
    WIDEST = 20000


# --- Sets of keys -------------------------------------------------------------------------------------------


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
    grown.max_bytes = keys.max_bytes
    if 3 * (keys.mask + 1) * sizeof(uint64_t) > keys.max_bytes or not set_keys(&grown, 2 * (keys.mask + 1)):
        memset(keys.slot, 0, (keys.mask + 1) * sizeof(uint64_t))    # forgetting is allowed here
        keys.count = 0
        return
    for i in range(keys.mask + 1):
        if keys.slot[i] != 0:
            add_key(&grown, keys.slot[i])
    free(keys.slot)
    keys[0] = grown


# --- Moves --------------------------------------------------------------------------------------------------


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
    cdef int source, target, count, top, other, size, empty = -1
    load(beam, position)
    for target in range(columns):
        if position.size[target] == 0:
            empty = target
    for source in range(columns):
        if position.size[source] == 0:
            continue
        for other in range(source):
            size = position.size[source]
            if position.size[other] == size and beam.prefix[other][size] == beam.prefix[source][size]:
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
    cdef const Scores* table = beam.scores
    cdef const int* tops = beam.tops
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
        score -= table.on_floor[card]
        heads -= card < beam.king
    elif beneath != card + 4:
        score -= table.on_card[beneath][card]
        heads -= card < beam.king
        if card < beam.king and beam.mask[source][first] >> (card + 4) & 1:
            score -= table.over_own[card]
        if (beneath >> 2) != (card >> 2) + 1:
            score -= table.by_breaks[beam.breaks[source]] - table.by_breaks[beam.breaks[source] - 1]
    if onto == 0:
        score += table.on_floor[card]
        heads += card < beam.king
    elif top != card + 4:
        score += table.on_card[top][card]
        heads += card < beam.king
        if card < beam.king and beam.mask[target][onto] >> (card + 4) & 1:
            score += table.over_own[card]
    if depth + 1 + heads >= beam.bound:
        return
    if (first == 0) != (onto == 0):
        i = beam.empty + (1 if first == 0 else -1)
        score += table.by_empty[at_most(i, 2)] - table.by_empty[at_most(beam.empty, 2)]
    if beneath >> 2 != top >> 2:
        if first > 0:
            i = beneath >> 2
            score += table.by_tops[i][at_most(tops[i] + 1, 3)] - table.by_tops[i][at_most(tops[i], 3)]
        if onto > 0:
            i = top >> 2
            score += table.by_tops[i][at_most(tops[i] - 1, 3)] - table.by_tops[i][at_most(tops[i], 3)]
    if score >= beam.worst:
        return
    prefix = beam.prefix[target][onto]
    key = position.key - scatter(prefix) - scatter(beam.prefix[source][size])
    key += scatter(beam.prefix[source][first])
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
    make_child(position, beam.layout.columns, beam.layout.ranks, source, target, count, &child)
    if is_empty(beam, &child):
        beam.is_won = True
        beam.won = position.link
        beam.won_move = make_move(source, target, count)
        return
    rate(&child, beam.layout.columns, beam.king)
    if (depth + 1 + child.heads >= beam.bound or child.score >= beam.worst
            or has_key(&beam.visited, child.key)):
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


# --- Layers -------------------------------------------------------------------------------------------------


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


cdef bint next_layer(Beam* beam, Kernel kernel, uint64_t depth, uint32_t width) noexcept nogil:
    """Go one move deeper with the best ``width`` positions of different classes; false at the end, and when
    the search is stopped."""
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
        if beam.is_won or (i & 255 == 255 and not kernel.poll()):
            return False
    select_best(beam, 4 * width)
    qsort(beam.candidates, beam.found, sizeof(Candidate), by_score)
    if beam.links + width > beam.history_room:
        if (3 * <uint64_t>beam.history_room + 2 * width) * sizeof(Link) > beam.max_bytes // 5:
            return False
        block = realloc(beam.history, 2 * (<uint64_t>beam.history_room + width) * sizeof(Link))
        if block == NULL:
            return False
        beam.history = <Link*>block
        beam.history_room = 2 * (beam.history_room + width)
    memset(beam.classes.slot, 0, (beam.classes.mask + 1) * sizeof(uint64_t))
    beam.classes.count = 0
    kernel.uncounted += beam.held
    kernel.bytes_beside = bytes_of(beam)
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
            &layer[candidate.parent], beam.layout.columns, beam.layout.ranks,
            candidate.move & 15, candidate.move >> 4 & 15, candidate.move >> 8, child
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


cdef uint64_t bytes_of(const Beam* beam) noexcept nogil:
    """What is held."""
    return (2 * <uint64_t>beam.room * sizeof(Position) + 2 * <uint64_t>beam.candidate_room * sizeof(Candidate)
            + beam.history_room * sizeof(Link)
            + (beam.visited.mask + beam.classes.mask + 2) * sizeof(uint64_t))


cdef double share_of(const Beam* beam, uint64_t depth) noexcept nogil:
    """How wide the beam is at a depth, as a part of its usual width."""
    return 2.0 if depth < <uint64_t>beam.wide_until else 1.0 if depth < <uint64_t>beam.usual_until else 0.3


cdef double now() noexcept nogil:
    with gil:
        return time.monotonic()


cdef bint run(
    Beam* beam, Kernel kernel, const Position* root, double width, double until, uint64_t length
) noexcept nogil:
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
        if not next_layer(beam, kernel, depth, <uint32_t>wanted):
            return beam.is_won
        ended = now()
        if beam.held >= 64:
            began = (ended - began) / beam.held
            cost = began if cost == 0.0 else 0.7 * cost + 0.3 * began
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
    beam.classes.max_bytes = beam.max_bytes
    if beam.visited.slot == NULL:
        beam.visited.max_bytes = beam.max_bytes // 2
        return set_keys(&beam.visited, 1 << 16)
    return True


cdef bint write_line(Beam* beam, const Layout* layout, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to the won position if they win and are fewer."""
    cdef Line found
    cdef uint32_t link = beam.won
    cdef uint64_t _, i, length = 1
    cdef bint better = False
    while link != 0:
        link = beam.history[link].parent
        length += 1
    if length >= line.length:
        return False
    memset(&found, 0, sizeof(Line))
    found.max_bytes = line.max_bytes
    for _ in range(length):
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


cdef bint shorten(
    Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes
) noexcept nogil:
    """Make a winning line shorter within so much time and memory; whether that succeeded.

    Layers and candidates take about a quarter of the memory at the widest, half is left to the positions
    visited, which may be forgotten, and a fifth to the moves made.
    """
    cdef Beam beam
    cdef Position root
    cdef int column, at = 0
    cdef double began = now(), used, width, widest
    cdef uint64_t layers, length = line.length
    if line.length < 2:
        return False
    shorten_line(line, layout)
    memset(&beam, 0, sizeof(Beam))
    kernel.stage_now = BEAM
    beam.layout = layout
    beam.max_bytes = max_bytes
    beam.scores = scores()
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
        layers = 6 * layout.cards // 5 if width == PILOT else line.length
        if run(&beam, kernel, &root, width, began + seconds, layers):
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
    kernel.bytes_beside = 0
    return line.length < length
