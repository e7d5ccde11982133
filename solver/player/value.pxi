"""Value network of the Joker family: features of an information set, and a small neural network over them.

The network predicts the outcome of games that the search player plays from a position. One encoder reads
each column, another each card of the waste; their outputs are summed and join the features of the whole in
the first of two hidden layers. Hidden units are rectified, the outputs logistic. `weights` loads the
parameters, for each game its own; `benchmarks/train_player.py` fits them by self-play.

The features do not name suits or columns, so that what is learned of one holds for all. Those of the whole
give the place of each card, once by its rank and once by how many ranks its foundation lacks below it; the
places of cards that others could lie on; the numbers of choices of each kind; and the places of the next
cards of each suit, in pairs. Those of a column and of a card of the waste are for the encoders, which can
learn what takes several features to see, such as that a short run over many hidden cards lacks a card that
lies in the waste. Where only turned cards are exchanged, there are features of whether a card for which a
joker stands may still be turned up, and of the cards in columns and the waste whose places jokers fill.

Rows of weights are added in registers as wide as the processor has them. Each number is a sum of its own,
in the order of the rows, so the output is the same on all processors.
"""

from libc.math cimport expf
from libc.stdint cimport int16_t

cdef enum:      # features of the whole: the first of each group
    BY_RANK = 0
    BY_NEED = 221
    JOKER = 459
    DOWN = 493
    SIZE = 502
    STOCK_LEFT = 516
    HIDDEN = 543
    DEPTH = 565
    CARDS_UP = 592
    LOWEST = 645
    HIGHEST = 659
    INVERSIONS = 673
    RUN_HEAD = 689
    LODGING = 767
    KING_LODGING = 867
    CHOICES = 871
    PAIRS = 952
    KINGS = 1144
    BOTH_JOKERS = 1168
    FATE = 1364
    WHOLE = 1404

cdef enum:      # features of a column
    COLUMN_DOWN = 0
    COLUMN_SIZE = 8
    COLUMN_HEAD = 22
    COLUMN_WANTS = 37
    COLUMN_TOP = 63
    COLUMN_HOSTS = 78
    COLUMN_LACKS = 103
    COLUMN_BEFORE = 139
    COLUMN_JOKER = 171
    COLUMN_FATE = 175
    COLUMN_REPLACED = 187
    COLUMN = 191

cdef enum:      # features of a card of the waste
    WASTE_DEPTH = 0
    WASTE_OWN_RANK = 8
    WASTE_LACKS = 22
    WASTE_WANTS = 31
    WASTE_BEFORE = 57
    WASTE_OVER = 65
    WASTE_STOOD_FOR = 67
    WASTE_CARD = 70

cdef enum:
    # Features of the whole, repeated where they count more than once: two of each natural, one of each joker;
    # 20 sizes; 7 columns, 54 cards of the waste and their order; choices, pairs.
    MOST_OF_WHOLE = 320
    MOST_OF_COLUMN = 56
    OF_WASTE = 7        # of each card at most
    MOST_OF_THE_WASTE = 54

cdef struct Features:
    int16_t whole[MOST_OF_WHOLE]
    int whole_count
    int16_t of_column[COLUMNS][MOST_OF_COLUMN]
    int column_count[COLUMNS]
    int16_t of_waste[MOST_OF_THE_WASTE][OF_WASTE]
    int card_count[MOST_OF_THE_WASTE]
    int waste_count

cdef enum:
    FIRST = 64          # the first layer
    OF_COLUMNS = 32     # units of the encoder of columns
    OF_CARDS = 16       # of that of the cards of the waste
    POOLED = 48         # of both
    SECOND = 32
    OUTPUTS = 4         # the tiers, and the cards that go up

cdef struct Network:
    float first[WHOLE][FIRST]
    float first_bias[FIRST]
    float column[COLUMN][OF_COLUMNS]
    float column_bias[OF_COLUMNS]
    float waste[WASTE_CARD][OF_CARDS]
    float waste_bias[OF_CARDS]
    float pooled[POOLED][FIRST]
    float second[FIRST][SECOND]
    float second_bias[SECOND]
    float last[SECOND][OUTPUTS]
    float last_bias[OUTPUTS]

cdef enum:
    PLACES = 17         # where a natural can lie: not seen, in columns, in the waste
    AT_COLUMN = 1       # by cards above it, at most 3, and whether face-down cards lie below
    AT_WASTE = 9        # by depth
    REPLACED = 13       # the rank that a natural lacks, of one whose place a joker took
    REGIONS = 8         # places, fewer of them
    CHOICE_KINDS = 27
    MOST_LACKING = 8    # ranks
    FATES = 20          # of a joker, see `add_fates`

cdef enum Status:       # of a natural that another card wants to lie on
    NOT_SEEN, TOP, COVERED, WASTED, PLAYED_UP, STATUSES

cdef enum:              # where a joker is, within its group
    JOKER_UNSEEN = 0
    JOKER_WASTE = 1     # by depth
    JOKER_COLUMN = 9    # by face-down cards below
    JOKER_DECLARED = 18     # by rank
    JOKER_GONE = 31
    JOKER_OPEN_ACE = 32
    JOKER_PLACED = 33


cdef struct CardPlaces:     # where each card is
    uint8_t place[MOST]
    uint8_t status[MOST]


# --- Features -------------------------------------------------------------------------------------------

cdef inline int depth_class(int above) noexcept nogil:
    """Return one of eight classes of the number of cards that lie above a card of the waste."""
    if above < 4:
        return above
    return 4 if above < 6 else 5 if above < 9 else 6 if above < 14 else 7


cdef inline void add_feature(int16_t* active, int* count, int feature) noexcept nogil:
    invariant(count[0] < MOST_OF_WHOLE and 0 <= feature < WHOLE)
    active[count[0]] = feature
    count[0] += 1


cdef inline void locate(const Position* p, CardPlaces* layout) noexcept nogil:
    """Find the place of each card; 0 for those not seen."""
    cdef const uint8_t* up
    cdef int column, i, above, card, suit, size
    memset(layout, 0, sizeof(CardPlaces))
    for column in range(COLUMNS):
        up = cards_up(p, column)
        size = face_up(p, column)
        for i in range(size):
            card = up[i]
            above = size - 1 - i
            layout.place[card] = AT_COLUMN + 2 * min(above, 3) + (p.hidden[column] > 0)
            layout.status[card] = COVERED if above else TOP
    for i in range(p.waste_size):
        card = p.waste[i]
        if card >= MOST:    # not seen
            continue
        layout.place[card] = AT_WASTE + depth_class(p.waste_size - 1 - i)
        layout.status[card] = WASTED
    for suit in range(4):
        for i in range(p.height[suit]):
            card = 4 * i + suit
            if layout.place[card] == 0:
                layout.status[card] = PLAYED_UP


cdef inline bint is_replaced(const Position* p, int natural) noexcept nogil:
    """Test whether a joker fills the place of ``natural`` on its foundation."""
    cdef int colour = colour_of(natural)
    return p.condition[colour] == PLACED and p.value[colour] == natural


cdef inline void add_cards(const Position* p, const CardPlaces* layout, int16_t* active,
                           int* count) noexcept nogil:
    """Add naturals that are not up, and jokers."""
    cdef int card, rank, lacking, colour
    for card in range(XB):
        if layout.status[card] == PLAYED_UP and not is_replaced(p, card):
            continue
        rank = card >> 2
        lacking = rank - p.height[card & 3]
        if lacking < 0:
            lacking = REPLACED
        add_feature(active, count, BY_RANK + rank * PLACES + layout.place[card])
        add_feature(active, count, BY_NEED + lacking * PLACES + layout.place[card])
    for colour in range(2):
        add_feature(active, count, JOKER + joker_place(p, layout, colour))


cdef inline int joker_place(const Position* p, const CardPlaces* layout, int colour) noexcept nogil:
    """Return the place of the joker of a colour, within its group of features."""
    cdef int place = layout.place[XB + colour], column
    if p.condition[colour] == GONE:
        return JOKER_GONE
    if p.condition[colour] == OPEN_ACE:
        return JOKER_OPEN_ACE
    if p.condition[colour] == PLACED:
        return JOKER_PLACED
    if p.condition[colour] == DECLARED:
        return JOKER_DECLARED + p.value[colour]
    if place >= AT_WASTE:
        return JOKER_WASTE + place - AT_WASTE
    if place:
        for column in range(COLUMNS):
            if face_up(p, column) > 0 and base_of(p, column) == XB + colour:
                return JOKER_COLUMN + p.hidden[column]
    return JOKER_UNSEEN


cdef inline void add_sizes(const Position* p, int16_t* active, int* count) noexcept nogil:
    """Add the sizes of columns, stock, waste and foundations."""
    cdef int i, hidden = 0, lowest = KING + 1, highest = 0, score = 0
    for i in range(COLUMNS):
        hidden += p.hidden[i]
        add_feature(active, count, DOWN + (p.hidden[i] if face_up(p, i) else 8))
        add_feature(active, count, SIZE + min(face_up(p, i), 13))
    for i in range(4):
        score += p.height[i]
        lowest = min(lowest, p.height[i])
        highest = max(highest, p.height[i])
    add_feature(active, count, STOCK_LEFT + stock_left(p))
    add_feature(active, count, HIDDEN + hidden)
    add_feature(active, count, DEPTH + p.waste_size)
    add_feature(active, count, CARDS_UP + score)
    add_feature(active, count, LOWEST + lowest)
    add_feature(active, count, HIGHEST + highest)


cdef inline int wanted_by(const CardPlaces* layout, int natural_rank, int colour) noexcept nogil:
    """Return the places of the two cards on which one of this rank and colour could lie, in either order."""
    cdef int other = 4 * (natural_rank + 1), one = layout.status[other + (0 if colour else 1)]
    cdef int two = layout.status[other + (3 if colour else 2)]
    return STATUSES * min(one, two) + max(one, two)


cdef inline void add_wants(const Position* p, const CardPlaces* layout, int16_t* active,
                           int* count) noexcept nogil:
    """Add for runs over face-down cards, by their number, and cards of the waste, by depth, what they want
    to lie on. Cards of the waste that lie over lower ones of their suit."""
    cdef int column, i, card, rank, above, level, inversions = 0
    cdef uint8_t lowest[4]
    for column in range(COLUMNS):
        if face_up(p, column) == 0 or p.hidden[column] == 0:
            continue
        card = base_of(p, column)
        rank = rank_of(p, card)
        if rank == NO_RANK:
            continue
        level = RUN_HEAD + 26 * (0 if p.hidden[column] == 1 else 1 if p.hidden[column] < 4 else 2)
        add_feature(active, count, level + (25 if rank == KING else wanted_by(layout, rank, colour_of(card))))
    memset(lowest, KING + 1, sizeof(lowest))
    for i in range(p.waste_size):
        card = p.waste[i]
        if card >= XB:
            continue
        rank = card >> 2
        inversions += rank > lowest[card & 3]
        lowest[card & 3] = min(lowest[card & 3], rank)
        above = p.waste_size - 1 - i
        level = 0 if above == 0 else 1 if above < 3 else 2 if above < 6 else 3
        if rank == KING:
            add_feature(active, count, KING_LODGING + level)
        else:
            add_feature(active, count, LODGING + 25 * level + wanted_by(layout, rank, colour_of(card)))
    add_feature(active, count, INVERSIONS + min(inversions, 15))


cdef inline int region_of(const CardPlaces* layout, int card) noexcept nogil:
    """Return one of REGIONS: not seen; top of a column; beneath others, over hidden cards or not; top of the
    waste, near it, deep in it; up."""
    cdef int place = layout.place[card]
    if place == 0:
        return 7 if layout.status[card] == PLAYED_UP else 0
    if place >= AT_WASTE:
        return 4 if place == AT_WASTE else 5 if place < AT_WASTE + 4 else 6
    return 1 if place < AT_COLUMN + 2 else 2 + (place - AT_COLUMN & 1)


cdef inline int choice_kind(const Position* p, const Choice* choice) noexcept nogil:
    """Return one of CHOICE_KINDS: what is done to what, and what becomes of the column it leaves."""
    cdef int source = choice.source, head, hidden
    if choice.kind == DECLARE:
        return 24
    if choice.kind == JOKER_OUT:
        return 25 if source == WASTE else 26
    if source == WASTE:
        if choice.kind == ONTO:
            return 7 if p.waste[p.waste_size - 1] < XB else 8
        return 15 if choice.kind == DECLARED_ONTO else 0
    hidden = p.hidden[source]
    if choice.kind == TOP_UP:
        head = 1 if top_of(p, source) < XB else 4
        return head if face_up(p, source) > 1 else head + 1 if hidden else head + 2
    if choice.kind == RUN_THEN_UP:
        head = 18 if face_up(p, source) > choice.count + 1 else 20 if hidden else 19
        return head if choice.rank == ANY else head + 3
    if choice.kind == DECLARED_ONTO:
        return 16 + (hidden > 0)
    head = base_of(p, source)
    if head >= XB and rank_of(p, head) == NO_RANK:
        return 9 + (hidden > 0)
    return 11 + (0 if hidden == 0 else 1 if hidden == 1 else 2 if hidden < 4 else 3)


cdef inline void add_choices(const Position* p, const Choice* choices, int choice_count, int16_t* active,
                             int* count) noexcept nogil:
    """Add the number of choices of each kind, up to 3."""
    cdef int i, kind
    cdef int of_kind[CHOICE_KINDS + 1]
    memset(of_kind, 0, sizeof(of_kind))
    for i in range(choice_count):
        if choices[i].kind <= JOKER_OUT:
            kind = choice_kind(p, &choices[i])
            if of_kind[kind] < 3:
                add_feature(active, count, CHOICES + 3 * kind + of_kind[kind])
            of_kind[kind] += 1


cdef inline void add_pairs(const Position* p, const CardPlaces* layout, int16_t* active,
                           int* count) noexcept nogil:
    """Add the places of the next three cards of suits, with those before; kings, empty columns; jokers."""
    cdef int suit, lacking, rank, column, empty = 0, kings = 0
    for suit in range(4):
        for lacking in range(1, 4):
            rank = p.height[suit] + lacking
            if rank <= KING:
                add_feature(active, count, PAIRS + REGIONS * REGIONS * (lacking - 1)
                            + REGIONS * region_of(layout, 4 * rank + suit)
                            + region_of(layout, 4 * rank - 4 + suit))
    for column in range(COLUMNS):
        if face_up(p, column) == 0:
            empty += 1
        elif p.hidden[column] > 0 and rank_of(p, base_of(p, column)) == KING:
            kings += 1
    if p.waste_size > 0 and p.waste[p.waste_size - 1] >> 2 == KING:
        kings += 1
    add_feature(active, count, KINGS + 6 * min(empty, 3) + min(kings, 5))
    add_feature(active, count, BOTH_JOKERS + 49 * min(stock_left(p) // 7, 3)
                + 7 * joker_region(p, layout, 0) + joker_region(p, layout, 1))


cdef inline int joker_region(const Position* p, const CardPlaces* layout, int colour) noexcept nogil:
    """Return one of seven kinds of places of a joker."""
    cdef int place = layout.place[XB + colour]
    if p.condition[colour] == GONE:
        return 0
    if p.condition[colour] == OPEN_ACE:
        return 1
    if p.condition[colour] == PLACED:
        return 2
    if p.condition[colour] == DECLARED:
        return 3
    return 4 if place >= AT_WASTE else 5 if place else 6


cdef inline int fate_of(const Position* p, const CardPlaces* layout, int colour, int rank) noexcept nogil:
    """Return 0 for a joker of ``colour`` that stands for no card as ``rank``, 1 if all cards that it stands
    for were turned, else 2."""
    cdef int which, natural, fate = 0
    for which in range(2):
        natural = 4 * rank + suits_of(colour, which)
        if not is_up(p, natural):
            fate = max(fate, 1 if layout.status[natural] == WASTED else 2)
    return fate


cdef inline void add_fates(const Position* p, const CardPlaces* layout, int16_t* active,
                           int* count) noexcept nogil:
    """Add for each joker that has a rank if it may be exchanged and how many ranks its foundation lacks."""
    cdef int colour, which, suit, fate, lacking
    for colour in range(2):
        if p.condition[colour] == OPEN_ACE:
            add_feature(active, count, FATE + FATES * (p.condition[1 - colour] == DECLARED) + 17
                        + fate_of(p, layout, colour, 0))
        if p.condition[colour] != DECLARED:
            continue
        fate, lacking = fate_of(p, layout, colour, p.value[colour]), MOST_LACKING - 1
        for which in range(2):
            suit = suits_of(colour, which)
            if not is_up(p, 4 * p.value[colour] + suit):
                lacking = min(lacking, p.value[colour] - p.height[suit])
        add_feature(active, count, FATE + FATES * (p.condition[1 - colour] == DECLARED)
                    + (0 if fate == 0 else MOST_LACKING * (fate - 1) + 1 + lacking))


cdef inline int lacking_of(const Position* p, int natural) noexcept nogil:
    """Return how many ranks the foundation of a card lacks below it, at most MOST_LACKING; 0 for a card that
    a joker replaces."""
    return max(0, min((natural >> 2) - p.height[natural & 3], MOST_LACKING))


cdef inline int before_of(const CardPlaces* layout, int natural) noexcept nogil:
    """Return the region of the card of the same suit that goes up just before ``natural``."""
    return REGIONS - 1 if natural < 4 else region_of(layout, natural - 4)


cdef inline int features_of_column(const Position* p, const CardPlaces* layout, int column,
                                   int16_t* active) noexcept nogil:
    """Write the features of a column to ``active``; return their number."""
    cdef const uint8_t* up = cards_up(p, column)
    cdef int size = face_up(p, column), count = 0, i, card, rank, above
    if size == 0:
        active[0] = COLUMN_DOWN + 7
        return 1
    active[0] = COLUMN_DOWN + p.hidden[column]
    active[1] = COLUMN_SIZE + min(size, 13)
    card = base_of(p, column)
    rank = rank_of(p, card)
    active[2] = COLUMN_HEAD + (rank if card < XB else 13 if rank == NO_RANK else 14)
    count = 3
    if rank != NO_RANK:
        active[count] = COLUMN_WANTS + (25 if rank == KING else wanted_by(layout, rank, colour_of(card)))
        count += 1
    card = top_of(p, column)
    rank = rank_of(p, card)
    active[count] = COLUMN_TOP + (rank if card < XB else 13 if rank == NO_RANK else 14)
    count += 1
    if rank > 0:
        active[count] = COLUMN_HOSTS + wanted_by(layout, rank - 2, colour_of(card))
        count += 1
    for i in range(size):
        card = up[i]
        above = min(size - 1 - i, 3)
        if card >= XB:
            active[count] = COLUMN_JOKER + above
            count += 1
            if p.turned_only and rank_of(p, card) != NO_RANK:
                active[count] = COLUMN_FATE + 4 * fate_of(p, layout, card - XB, rank_of(p, card)) + above
                count += 1
            continue
        if p.turned_only and is_replaced(p, card):
            active[count] = COLUMN_REPLACED + above
            count += 1
        active[count] = COLUMN_LACKS + 4 * lacking_of(p, card) + above
        active[count + 1] = COLUMN_BEFORE + REGIONS * above + before_of(layout, card)
        count += 2
    invariant(count <= MOST_OF_COLUMN)
    return count


cdef inline int features_of_waste(const Position* p, const CardPlaces* layout, int i, uint8_t* lowest,
                                  int16_t* active) noexcept nogil:
    """Write the features of card ``i`` of the waste to ``active``, given the ranks ``lowest`` below it;
    return their number."""
    cdef int card = p.waste[i], rank = card >> 2
    active[0] = WASTE_DEPTH + depth_class(p.waste_size - 1 - i)
    if card >= MOST:        # not seen
        return 1
    if card >= XB:
        active[1] = WASTE_OWN_RANK + 13
        return 2
    active[1] = WASTE_OWN_RANK + rank
    active[2] = WASTE_LACKS + lacking_of(p, card)
    active[3] = WASTE_WANTS + (25 if rank == KING else wanted_by(layout, rank, colour_of(card)))
    active[4] = WASTE_BEFORE + before_of(layout, card)
    active[5] = WASTE_OVER + (rank > lowest[card & 3])
    lowest[card & 3] = min(lowest[card & 3], rank)
    if p.turned_only and is_replaced(p, card):
        active[6] = WASTE_STOOD_FOR
    elif p.turned_only and stands_for(p, card):
        active[6] = WASTE_STOOD_FOR + (2 if is_up(p, card ^ 3) else 1)
    else:
        return 6
    return 7


cdef inline void features_of(const Position* p, const Choice* choices, int choice_count,
                             Features* found) noexcept nogil:
    """Write the features of a position with its ``choices``."""
    cdef CardPlaces layout
    cdef uint8_t lowest[4]
    cdef int i
    locate(p, &layout)
    found.whole_count = 0
    add_cards(p, &layout, found.whole, &found.whole_count)
    add_sizes(p, found.whole, &found.whole_count)
    add_wants(p, &layout, found.whole, &found.whole_count)
    add_choices(p, choices, choice_count, found.whole, &found.whole_count)
    add_pairs(p, &layout, found.whole, &found.whole_count)
    if p.turned_only:
        add_fates(p, &layout, found.whole, &found.whole_count)
    for i in range(COLUMNS):
        found.column_count[i] = features_of_column(p, &layout, i, found.of_column[i])
    memset(lowest, KING + 1, sizeof(lowest))
    found.waste_count = p.waste_size
    for i in range(p.waste_size):
        found.card_count[i] = features_of_waste(p, &layout, i, lowest, found.of_waste[i])


# --- Sums of rows ---------------------------------------------------------------------------------------

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__GNUC__)
    #define WINNABLE_INLINE static inline __attribute__((always_inline))
    typedef float winnable_eight __attribute__((vector_size(32), aligned(4), may_alias));
    #define WINNABLE_ADD(to, row) ((to) += *(const winnable_eight *)(row))
    #define WINNABLE_ADD_SCALED(to, row, scale) ((to) += *(const winnable_eight *)(row) * (scale))
    #else
    #define WINNABLE_INLINE static inline
    typedef struct { float at[8]; } winnable_eight;
    #define WINNABLE_ADD(to, row) WINNABLE_ADD_SCALED(to, row, 1.0f)
    #define WINNABLE_ADD_SCALED(to, row, scale) do { \\
        for (int k = 0; k < 8; k++) (to).at[k] += (row)[k] * (scale); \\
    } while (0)
    #endif
    /* Sums stay in registers where loops over them are unrolled. */
    #if defined(__GNUC__)
    #define WINNABLE_UNROLL _Pragma("GCC unroll 4")
    #else
    #define WINNABLE_UNROLL
    #endif
    /* Two forms of a function, of which the processor's is taken when the module is loaded. */
    #if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__)
    #define WINNABLE_BY_PROCESSOR __attribute__((target_clones("avx2", "default")))
    #else
    #define WINNABLE_BY_PROCESSOR
    #endif

    WINNABLE_INLINE void winnable_add_eights(float *units, const float *table, int width, const int16_t *rows,
                                             const float *scales, int count, const int eights) {
        winnable_eight sums[4];
        WINNABLE_UNROLL
        for (int j = 0; j < eights; j++) sums[j] = ((const winnable_eight *)units)[j];
        for (int i = 0; i < count; i++) {
            const float *row = table + (ptrdiff_t)width * (rows ? rows[i] : i);
            WINNABLE_UNROLL
            for (int j = 0; j < eights; j++) {
                if (scales) WINNABLE_ADD_SCALED(sums[j], row + 8 * j, scales[i]);
                else WINNABLE_ADD(sums[j], row + 8 * j);
            }
        }
        WINNABLE_UNROLL
        for (int j = 0; j < eights; j++) ((winnable_eight *)units)[j] = sums[j];
    }

    WINNABLE_BY_PROCESSOR
    static void winnable_add_rows(float *units, const float *table, int width, const int16_t *rows,
                                  int count) {
        int j = 0;
        for (; j + 32 <= width; j += 32) winnable_add_eights(units + j, table + j, width, rows, 0, count, 4);
        for (; j + 16 <= width; j += 16) winnable_add_eights(units + j, table + j, width, rows, 0, count, 2);
        for (; j + 8 <= width; j += 8) winnable_add_eights(units + j, table + j, width, rows, 0, count, 1);
    }

    WINNABLE_BY_PROCESSOR
    static void winnable_add_scaled(float *units, const float *table, int width, const float *scales,
                                    int count) {
        int j = 0;
        for (; j + 32 <= width; j += 32) {
            winnable_add_eights(units + j, table + j, width, 0, scales, count, 4);
        }
        for (; j + 8 <= width; j += 8) winnable_add_eights(units + j, table + j, width, 0, scales, count, 1);
    }
    """
    # Of a table of rows of ``width`` numbers, a multiple of 8, add those ``rows`` to ``units``.
    void add_rows "winnable_add_rows"(
        float* units, const float* table, int width, const int16_t* rows, int count) noexcept nogil
    # As `add_rows`, of the first ``count`` rows, each multiplied by its scale.
    void add_scaled "winnable_add_scaled"(
        float* units, const float* table, int width, const float* scales, int count) noexcept nogil


# --- Network --------------------------------------------------------------------------------------------

cdef inline void pool(const Network* network, const Features* active, float* pooled) noexcept nogil:
    """Sum the outputs of the encoders of columns and of cards of the waste."""
    cdef float column[OF_COLUMNS]
    cdef float card[OF_CARDS]
    cdef int i, k, count
    for k in range(POOLED):
        pooled[k] = 0
    for i in range(COLUMNS):
        memcpy(column, network.column_bias, sizeof(column))
        count = active.column_count[i]
        add_rows(column, network.column[0], OF_COLUMNS, active.of_column[i], count)
        for k in range(OF_COLUMNS):
            pooled[k] += column[k] if column[k] > 0 else 0
    for i in range(active.waste_count):
        memcpy(card, network.waste_bias, sizeof(card))
        count = active.card_count[i]
        add_rows(card, network.waste[0], OF_CARDS, active.of_waste[i], count)
        for k in range(OF_CARDS):
            pooled[OF_COLUMNS + k] += card[k] if card[k] > 0 else 0


cdef inline void forecast(const Network* network, const Position* p, const Choice* choices, int choice_count,
                          Forecast* found) noexcept nogil:
    """Predict the outcome of a game that has not ended in ``p``, which has these ``choices``."""
    cdef Features active
    cdef float pooled[POOLED]
    cdef float first[FIRST]
    cdef float second[SECOND]
    cdef float last[OUTPUTS]
    cdef int i, j
    features_of(p, choices, choice_count, &active)
    pool(network, &active, pooled)
    memcpy(first, network.first_bias, sizeof(first))
    memcpy(second, network.second_bias, sizeof(second))
    memcpy(last, network.last_bias, sizeof(last))
    add_rows(first, network.first[0], FIRST, active.whole, active.whole_count)
    add_scaled(first, network.pooled[0], FIRST, pooled, POOLED)
    for i in range(FIRST):
        first[i] = first[i] if first[i] > 0 else 0
    add_scaled(second, network.second[0], SECOND, first, FIRST)
    for i in range(SECOND):
        if second[i] > 0:
            for j in range(OUTPUTS):
                last[j] += second[i] * network.last[i][j]
    for i in range(OUTPUTS):
        last[i] = 1 / (1 + expf(-last[i]))
    for i in range(TIERS):
        found.reached[i] = last[i]
    found.cards = XB * last[TIERS]
