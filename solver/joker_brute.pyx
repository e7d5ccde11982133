# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Brute force over the plain rules of the oracle: every reachable state, every move, no pruning."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from .joker_oracle cimport MOST_MOVES, Game, Step, load, moves_of, play, score

cdef enum:
    RECORD = 96         # bytes of a stored state: its length, foundations, jokers, stock, waste, columns


cdef struct Explored:
    uint8_t* records    # RECORD bytes each, in the order of discovery
    uint32_t* slots     # index of a record + 1, or 0; at most half are taken
    uint32_t count
    uint32_t room


cdef int first_card(const Game* game, int column) noexcept nogil:
    return game.card[column][0] if game.size[column] > 0 else 255


cdef void column_order(const Game* game, int* order) noexcept nogil:
    """The columns in the order of their deepest cards, empty ones last."""
    cdef int i, j
    for i in range(game.columns):
        j = i
        while j > 0 and first_card(game, order[j - 1]) > first_card(game, i):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


cdef void write_record(const Game* game, uint8_t* record) noexcept nogil:
    """All but the stock, the columns in order: equal exactly for interchangeable states."""
    cdef int order[7]
    cdef int i, column, length
    column_order(game, order)
    memcpy(record + 1, game.height, 4)
    for i in range(2):
        record[5 + i] = game.state[i] << 6 | game.value[i]
    record[7] = game.turned
    record[8] = game.waste_size
    record[9] = game.state[0] | game.state[1] << 4
    memcpy(record + 10, game.waste, game.waste_size)
    length = 10 + game.waste_size
    for i in range(game.columns):
        column = order[i]
        record[length] = game.size[column]
        record[length + 1] = game.hidden[column]
        length += 2
        memcpy(record + length, game.card[column], game.size[column])
        length += game.size[column]
    record[0] = length


cdef void read_record(Game* game, const uint8_t* record) noexcept nogil:
    cdef int i, at
    memcpy(game.height, record + 1, 4)
    for i in range(2):
        game.state[i] = record[9] >> (4 * i) & 15
        game.value[i] = record[5 + i] & 63
    game.turned = record[7]
    game.waste_size = record[8]
    memcpy(game.waste, record + 10, game.waste_size)
    at = 10 + game.waste_size
    for i in range(game.columns):
        game.size[i] = record[at]
        game.hidden[i] = record[at + 1]
        memcpy(game.card[i], record + at + 2, game.size[i])
        at += 2 + game.size[i]


cdef bint find_slot(const Explored* explored, const uint8_t* record, uint32_t* slot) noexcept nogil:
    """Where ``record`` is, or belongs; whether it is there."""
    cdef uint64_t hashed = <uint64_t>0xCBF29CE484222325
    cdef const uint8_t* known
    cdef int i
    for i in range(record[0]):
        hashed = (hashed ^ record[i]) * <uint64_t>0x100000001B3
    slot[0] = (hashed ^ (hashed >> 32)) & (2 * explored.room - 1)
    while explored.slots[slot[0]] != 0:
        known = explored.records + <uint64_t>(explored.slots[slot[0]] - 1) * RECORD
        if memcmp(known, record, record[0]) == 0:
            return True
        slot[0] = (slot[0] + 1) & (2 * explored.room - 1)
    return False


cdef bint grow(Explored* explored) noexcept nogil:
    cdef uint32_t i, slot
    cdef uint8_t* records = <uint8_t*>realloc(explored.records, <uint64_t>explored.room * 2 * RECORD)
    if records == NULL:
        return False
    explored.records = records
    free(explored.slots)
    explored.room *= 2
    explored.slots = <uint32_t*>calloc(2 * explored.room, sizeof(uint32_t))
    if explored.slots == NULL:
        return False
    for i in range(explored.count):
        find_slot(explored, records + <uint64_t>i * RECORD, &slot)
        explored.slots[slot] = i + 1
    return True


cdef bint add(Explored* explored, const Game* game) noexcept nogil:
    """Store a state unless it is known; false if memory runs out."""
    cdef uint8_t record[RECORD]
    cdef uint32_t slot
    write_record(game, record)
    if find_slot(explored, record, &slot):
        return True
    if explored.count == explored.room:
        if not grow(explored):
            return False
        find_slot(explored, record, &slot)
    memcpy(explored.records + <uint64_t>explored.count * RECORD, record, RECORD)
    explored.count += 1
    explored.slots[slot] = explored.count
    return True


cdef int expand_all(Game* game, Explored* explored, uint32_t max_states) noexcept nogil:
    """The greatest score of any reachable state; -1: there are more than ``max_states`` states."""
    cdef uint32_t i = 0
    cdef int best = 0, move, count
    cdef Game child
    cdef Step steps[MOST_MOVES]
    if not add(explored, game):
        return -1
    while i < explored.count:
        read_record(game, explored.records + <uint64_t>i * RECORD)
        i += 1
        if score(game) > best:
            best = score(game)
        count = moves_of(game, steps)
        for move in range(count):
            child = game[0]
            play(&child, steps[move])
            if explored.count >= max_states or not add(explored, &child):
                return -1
    return best


def explore(state, uint32_t max_states=1000000):
    """The greatest score that ``state`` of `rules.joker` can reach, by expanding every reachable state.

    Returns (score, states stored); the score is None if there are more than ``max_states``. Raises ValueError
    for positions too large to store.
    """
    cdef Game game
    cdef Explored explored
    cdef int best
    load(&game, state)
    held = sum(map(len, state.columns)) + len(state.stock) + len(state.waste)
    if 10 + held + 4 + 2 * len(state.columns) > RECORD:
        raise ValueError(f"{held} cards are too many for brute force")
    explored.count = 0
    explored.room = 256
    explored.records = <uint8_t*>malloc(explored.room * RECORD)
    explored.slots = <uint32_t*>calloc(2 * explored.room, sizeof(uint32_t))
    try:
        if explored.records == NULL or explored.slots == NULL:
            raise MemoryError
        with nogil:
            best = expand_all(&game, &explored, max_states)
        return (None if best < 0 else best), explored.count
    finally:
        free(explored.records)
        free(explored.slots)
