"""Brute force over the rules of the oracle: every reachable state, every move, no pruning."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from .joker_oracle cimport (
    JOKERS,
    MOST_CARDS,
    MOST_COLUMNS,
    MOST_MOVES,
    Game,
    Move,
    legal_moves_of,
    load,
    play,
    score,
)

cdef enum:
    HEAD = 12           # bytes of a stored state: its length, stock, waste, jokers, foundations; then cards
    RECORD = HEAD + MOST_CARDS + 2 * MOST_COLUMNS
    NOWHERE = 255


cdef struct Explored:
    uint8_t* records    # RECORD bytes each, in the order of discovery
    uint32_t* slots     # index of a record + 1, or 0; at most half are taken
    uint32_t count
    uint32_t room


cdef int deepest_card(const Game* game, int column) noexcept nogil:
    return game.column[column].card[0] if game.column[column].count > 0 else NOWHERE


cdef void order_columns(const Game* game, int* order) noexcept nogil:
    """The columns by their deepest cards, empty ones last."""
    cdef int i, j
    for i in range(game.columns):
        j = i
        while j > 0 and deepest_card(game, order[j - 1]) > deepest_card(game, i):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


cdef int place_of(const Game* game, int joker) noexcept nogil:
    """The natural whose foundation place ``joker`` fills, or NOWHERE."""
    cdef int suit, rank
    for suit in range(4):
        for rank in range(game.foundation[suit].count):
            if game.foundation[suit].card[rank] == joker:
                return 4 * rank + suit
    return NOWHERE


cdef void write_record(const Game* game, uint8_t* record) noexcept nogil:
    """All that can change in a game, columns in order: equal exactly for interchangeable states."""
    cdef int order[MOST_COLUMNS]
    cdef int i, column, length = HEAD
    order_columns(game, order)
    record[1] = game.stock.count
    record[2] = game.waste.count
    record[3] = 0
    for i in range(2):
        record[3] |= (game.is_open_ace[i] | game.is_out[i] << 1) << 2 * i
        record[4 + i] = game.declared[i] + 1
        record[6 + i] = place_of(game, JOKERS + i)
    for i in range(4):
        record[8 + i] = game.foundation[i].count
    memcpy(record + length, game.waste.card, game.waste.count)
    length += game.waste.count
    for i in range(game.columns):
        column = order[i]
        record[length] = game.column[column].count
        record[length + 1] = game.face_down[column]
        memcpy(record + length + 2, game.column[column].card, game.column[column].count)
        length += 2 + game.column[column].count
    record[0] = length


cdef void read_record(Game* game, const uint8_t* record) noexcept nogil:
    """Go to a state of the game loaded, whose stock is the same but for its count."""
    cdef int i, rank, at = HEAD
    game.stock.count = record[1]
    game.waste.count = record[2]
    for i in range(2):
        game.is_open_ace[i] = record[3] >> 2 * i & 1
        game.is_out[i] = record[3] >> 2 * i + 1 & 1
        game.declared[i] = <int>record[4 + i] - 1
    for i in range(4):
        game.foundation[i].count = record[8 + i]
        for rank in range(game.foundation[i].count):
            game.foundation[i].card[rank] = 4 * rank + i
    for i in range(2):
        if record[6 + i] != NOWHERE:
            game.foundation[record[6 + i] % 4].card[record[6 + i] // 4] = JOKERS + i
    memcpy(game.waste.card, record + at, game.waste.count)
    at += game.waste.count
    for i in range(game.columns):
        game.column[i].count = record[at]
        game.face_down[i] = record[at + 1]
        memcpy(game.column[i].card, record + at + 2, game.column[i].count)
        at += 2 + game.column[i].count


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
    cdef Move moves[MOST_MOVES]
    cdef Move step
    if not add(explored, game):
        return -1
    while i < explored.count:
        read_record(game, explored.records + <uint64_t>i * RECORD)
        i += 1
        if score(game) > best:
            best = score(game)
        count = legal_moves_of(game, moves)
        for move in range(count):
            child = game[0]
            step = moves[move]
            play(&child, step.source, step.target, step.count, step.suit, step.rank)
            if explored.count >= max_states or not add(explored, &child):
                return -1
    return best


def explore(state, uint32_t max_states=1000000):
    """The greatest score that ``state`` of `rules.joker` can reach, by expanding every reachable state.

    Returns (score, states stored); the score is None if there are more than ``max_states``. Raises ValueError
    for more than 7 columns or 54 cards.
    """
    cdef Game game
    cdef Explored explored
    cdef int best
    load(&game, state)
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
