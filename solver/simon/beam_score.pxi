"""Evaluation of positions in a beam: scores, keys of positions and of classes."""

# A position of a layer, 144 bytes: its cards lie one column after the other. With a row of cards for each
# column, as `position.Position` has, it takes 1,600 bytes, which the memory limit of layers does not allow,
# and the rows `simple-simon-shortest` and `simon-jester-shortest` of `winnable bench` take 1.06 and 1.05
# times as long.
cdef struct BeamPosition:
    uint64_t key
    int32_t score
    uint32_t entry              # entry of the history with the move that led to it
    uint8_t heads               # number of heads
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_CARDS + 8]     # column by column; `class_key` reads eight at a time

cdef struct Scores:             # what is added up to the score of a position, in tenths
    int on_card[KINDS][KINDS]       # [beneath][card]: a card on another one; 0 if it continues a run
    int on_floor[KINDS]             # a card as the deepest of its column
    int over_own[KINDS]             # a card above the next higher card of its suit in its column, not on it
    int by_breaks[MAX_CARDS + 1]    # a column, by the number of its breaks
    int by_tops[MAX_RANKS][4]       # a rank, by the number of its exposed cards; 3 stands for more, too
    int none_empty                  # the position, if no column is empty


cdef inline int end_of_column(const BeamPosition* position, int column) noexcept nogil:
    """The index after the last card of ``column`` in ``position.card``."""
    cdef int i, end = 0
    for i in range(column + 1):
        end += position.size[i]
    return end

cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


# The score of a position is a weighted sum of its defects; low scores are good. A *head* is a card that does
# not lie on the next card of its suit, a *break* a card that lies on one that is not one rank higher. Terms
# "by rank" are multiplied by the rank of the card less 6, the middle one; ace is 0.
#
# The weights came with the first version of this search, said to be fitted by hill climbing; neither the
# program that fitted them nor its deals are known, so they can be judged only by the lines that are found
# (rows `simple-simon-shortest` and `simon-jester-shortest` of `winnable bench`).
cdef extern from *:
    """
    typedef struct {
        double head, head_by_rank, king, column, head_on_floor, over_own, over_own_by_rank, other_suit,
            other_suit_by_rank, breaking, breaking_by_rank, breaking_by_beneath, breaking_upwards,
            root_of_breaks, none_exposed, none_exposed_by_rank, fewer_than_two_exposed, two_exposed,
            none_empty;
    } simon_weights;
    static const simon_weights WEIGHT = {
        .head = 19.85,                  // a head that is no king
        .head_by_rank = -0.46,
        .king = 3.88,                   // a king on another card
        .column = 0.30,                 // a column that is not empty
        .head_on_floor = 7.70,          // a head as the deepest card of its column, if it is no king
        .over_own = 2.68,               // a head above the next card of its suit in its column
        .over_own_by_rank = -0.27,
        .other_suit = 6.21,             // a card on one of another suit that is one rank higher
        .other_suit_by_rank = 0.49,
        .breaking = 14.65,              // a break
        .breaking_by_rank = 0.50,
        .breaking_by_beneath = -0.03,   // of the card beneath, its rank less 6
        .breaking_upwards = -6.95,      // a break whose card beneath has a lower rank
        .root_of_breaks = -1.52,        // the square root of the number of breaks of a column
        .none_exposed = 4.00,           // a rank, from 2 on, of which no card is exposed
        .none_exposed_by_rank = -0.83,
        .fewer_than_two_exposed = -1.37,    // a rank, from 2 on, of which at most one card is exposed
        .two_exposed = -0.19,           // a rank, from 2 on, of which two cards are exposed
        .none_empty = 0.57,             // no column is empty
    };
    """
    ctypedef struct Weights "simon_weights":
        double head, head_by_rank, king, column, head_on_floor, over_own, over_own_by_rank
        double other_suit, other_suit_by_rank
        double breaking, breaking_by_rank, breaking_by_beneath, breaking_upwards, root_of_breaks
        double none_exposed, none_exposed_by_rank, fewer_than_two_exposed, two_exposed
        double none_empty
    const Weights WEIGHT

cdef enum:
    SHAKE = 30      # greatest noise of an entry of the table, in tenths


cdef inline void make_scores(Scores* table, uint64_t seed) noexcept nogil:
    """Fill the table of scores. If ``seed`` is not 0, add noise from -SHAKE to SHAKE to the entries of single
    cards and of pairs, so that beams with different seeds make different mistakes."""
    cdef int card, beneath
    fill_scores(table)
    if seed == 0:
        return
    for card in range(KINDS):
        table.on_floor[card] += by_chance(seed, KINDS, card)
        table.over_own[card] += by_chance(seed, KINDS + 1, card)
        for beneath in range(KINDS):
            if beneath != card + 4:
                table.on_card[beneath][card] += by_chance(seed, beneath, card)


cdef inline int by_chance(uint64_t seed, int beneath, int card) noexcept nogil:
    """A pseudorandom number from -SHAKE to SHAKE, determined by ``seed``, ``beneath`` and ``card``."""
    return <int>(mix_low(seed << 32 | beneath << 16 | card) % (2 * SHAKE + 1)) - SHAKE


cdef inline void fill_scores(Scores* table) noexcept nogil:
    """Fill the table of scores without noise."""
    cdef const Weights* w = &WEIGHT
    cdef int card, beneath, rank, under
    cdef double head, link
    memset(table, 0, sizeof(Scores))
    for card in range(KINDS):
        rank = card >> 2
        head = w.head + w.head_by_rank * (rank - 6) if rank < 12 else w.king
        table.on_floor[card] = tenths(w.column + (head + w.head_on_floor if rank < 12 else 0.0))
        table.over_own[card] = tenths(w.over_own + w.over_own_by_rank * (rank - 6)) if rank < 12 else 0
        for beneath in range(KINDS):
            under = beneath >> 2
            if under == rank + 1:
                link = w.other_suit + w.other_suit_by_rank * (rank - 6)
            else:
                link = (w.breaking + w.breaking_by_rank * (rank - 6) + w.breaking_by_beneath * (under - 6)
                        + (w.breaking_upwards if rank > under else 0.0))
            table.on_card[beneath][card] = 0 if beneath == card + 4 else tenths(head + link)
    for under in range(MAX_CARDS + 1):
        table.by_breaks[under] = tenths(w.root_of_breaks * sqrt(<double>under))
    for rank in range(1, MAX_RANKS):
        table.by_tops[rank][0] = tenths(
            w.none_exposed + w.none_exposed_by_rank * (rank - 6) + w.fewer_than_two_exposed)
        table.by_tops[rank][1] = tenths(w.fewer_than_two_exposed)
        table.by_tops[rank][2] = tenths(w.two_exposed)
    table.none_empty = tenths(w.none_empty)


cdef inline int tenths(double value) noexcept nogil:
    """``value`` in tenths, rounded."""
    return <int>(10 * value + (0.5 if value >= 0 else -0.5))


cdef inline int score_column(const Scores* table, const uint8_t* card, int size, int king,
                             int* heads) noexcept nogil:
    """The score of a column of ``size`` cards; adds the number of its heads to ``heads``."""
    cdef int i, total, breaks = 0
    cdef uint64_t held = 0
    if size == 0:
        return 0
    total = table.on_floor[card[0]]
    for i in range(size):
        if i == 0 or card[i - 1] != card[i] + 4:
            heads[0] += card[i] < king
            if i > 0:
                total += table.on_card[card[i - 1]][card[i]]
                breaks += (card[i - 1] >> 2) != (card[i] >> 2) + 1
            if card[i] < king and held >> (card[i] + 4) & 1:
                total += table.over_own[card[i]]
        held |= <uint64_t>1 << card[i]
    return total + table.by_breaks[breaks]


cdef inline void rate(const Scores* table, BeamPosition* position, int columns, int king) noexcept nogil:
    """Set score, heads and key of a position. Cards from number ``king`` on are kings."""
    cdef int column, i, at = 0, empty = 0, heads = 0
    cdef int tops[MAX_RANKS]
    cdef uint64_t prefix
    memset(tops, 0, sizeof(tops))
    position.score = 0
    position.key = 0
    for column in range(columns):
        position.score += score_column(table, position.card + at, position.size[column], king, &heads)
        prefix = 0
        for i in range(at, at + position.size[column]):
            prefix = hash_card(prefix, position.card[i])
        position.key += scatter(prefix)
        at += position.size[column]
        if position.size[column] == 0:
            empty += 1
        else:
            tops[position.card[at - 1] >> 2] += 1
    if empty == 0:
        position.score += table.none_empty
    for i in range(1, MAX_RANKS):
        position.score += table.by_tops[i][at_most(tops[i], 3)]
    position.heads = heads


cdef inline uint64_t class_key(const BeamPosition* position, int columns) noexcept nogil:
    """A 64-bit hash of the class of a position; see `classes`. A collision costs a position of the beam."""
    cdef uint64_t total = 0
    cdef const uint8_t* card = &position.card[0]
    cdef int column, at, size, open_ranks = 0
    for column in range(columns):
        size = position.size[column]
        if size > 0:
            card += size
            open_ranks |= 1 << ((card - 1)[0] >> 2)
    card = &position.card[0]
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
        total += hash_column(card, size)
        card += position.size[column]
    return total


cdef inline uint64_t hash_column(const uint8_t* card, int size) noexcept nogil:
    """A hash of ``size`` cards, read eight at a time; 0 for no cards. Seven bytes after them must be
    readable."""
    cdef uint64_t hashed = size, word
    while size > 0:
        word = eight_from(card)
        if size < 8:
            word &= (<uint64_t>1 << 8 * size) - 1
        hashed = (hashed ^ word) * <uint64_t>0x9E3779B97F4A7C15
        hashed ^= hashed >> 29
        card += 8
        size -= 8
    return scatter(hashed)


cdef inline uint64_t eight_from(const uint8_t* card) noexcept nogil:
    """Eight bytes as a little-endian number on any machine; compilers turn it into one load."""
    cdef uint64_t first = card[0] | card[1] << 8 | card[2] << 16 | <uint64_t>card[3] << 24
    cdef uint64_t second = card[4] | card[5] << 8 | card[6] << 16 | <uint64_t>card[7] << 24
    return first | second << 32


cdef inline void make_child(const BeamPosition* position, int columns, int ranks, int source, int target,
                            int count, BeamPosition* child) noexcept nogil:
    """Set the cards and sizes of ``child`` to those of ``position`` after a move, without complete runs.

    The caller sets score, heads and key. The cards of the columns between the two are shifted.
    """
    cdef int end_of_source = end_of_column(position, source), end_of_target = end_of_column(position, target)
    cdef const uint8_t* unit = position.card + end_of_source - count
    cdef int at
    memcpy(child.size, position.size, sizeof(child.size))
    memcpy(child.card, position.card, sizeof(child.card))
    child.size[source] -= count
    child.size[target] += count
    if source < target:
        at = end_of_target - count
        memcpy(child.card + end_of_source - count, unit + count, end_of_target - end_of_source)
    else:
        at = end_of_target
        memcpy(child.card + at + count, position.card + at, end_of_source - count - at)
    memcpy(child.card + at, unit, count)
    let_leave(child, columns, ranks, source)
    let_leave(child, columns, ranks, target)


cdef inline void let_leave(BeamPosition* position, int columns, int ranks, int column) noexcept nogil:
    """Remove the complete runs on top of ``column``."""
    cdef int end
    if position.size[column] < ranks:
        return
    end = end_of_column(position, column)
    while has_complete_run(position.card + end - position.size[column], position.size[column], ranks):
        memmove(position.card + end - ranks, position.card + end, end_of_column(position, columns - 1) - end)
        position.size[column] -= ranks
        end -= ranks
