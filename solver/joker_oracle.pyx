# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Joker and klondike-one-pass a third time: the rules compiled, as plain as possible, to check the kernel by.

Shares no code and no representation with the kernel: whole columns of `rules.cards` numbers, elementary
moves, jokers declared as early as one likes, no pruning. Replays and cleans lines of play, and `explore` is
the brute force that tests compare with.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from ..rules import joker as rules

cdef enum:
    XB = 52
    NO_RANK = -1
    RECORD = 96         # bytes of a stored state: its length, foundations, jokers, stock, waste, columns


cdef inline int colour_of(int card) noexcept nogil:
    if card >= XB:
        return card - XB
    return 1 if (card & 3) == 1 or (card & 3) == 2 else 0


cdef inline int rank_of(const Game* game, int card) noexcept nogil:
    """The effective rank; NO_RANK for an undeclared joker."""
    if card < XB:
        return card >> 2
    if game.state[card - XB] == DECLARED:
        return game.value[card - XB]
    return NO_RANK


cdef bint is_up(const Game* game, int natural) noexcept nogil:
    cdef int column, i
    if (natural >> 2) < game.height[natural & 3]:
        return True
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            if game.card[column][i] == natural:
                return True
    return False


cdef bint may_stand_for(const Game* game, int colour, int rank, int natural) noexcept nogil:
    """Whether a joker of ``colour`` and ``rank`` stands for ``natural``."""
    return (natural < XB and natural >> 2 == rank and colour_of(natural) == colour
            and game.suits >> (natural & 3) & 1 and not is_up(game, natural))


cdef bint stands_for(const Game* game, int colour, int natural) noexcept nogil:
    """Whether the joker of ``colour`` stands for ``natural`` now."""
    if game.state[colour] == PLACED:
        return game.value[colour] == natural
    if game.state[colour] == OPEN_ACE:
        return may_stand_for(game, colour, 0, natural)
    return game.state[colour] == DECLARED and may_stand_for(game, colour, game.value[colour], natural)


cdef bint may_take(const Game* game, int joker, int rank) noexcept nogil:
    """Whether ``joker`` would stand for some card as ``rank``."""
    cdef int suit
    if rank < 0 or rank >= game.ranks:
        return False
    for suit in range(4):
        if may_stand_for(game, joker - XB, rank, 4 * rank + suit):
            return True
    return False


# --- Moves ----------------------------------------------------------------------------------------------------


cdef bint settles(const Game* game, int card) noexcept nogil:
    """Whether ``card`` is a deuce that the open ace of its colour takes."""
    return (card < XB and card >> 2 == 1 and game.state[colour_of(card)] == OPEN_ACE
            and stands_for(game, colour_of(card), card & 3))


cdef bint goes_up(const Game* game, int card, Step step) noexcept nogil:
    cdef int rank
    if step.rank != ANY or step.count != 1:
        return False
    if card < XB:
        return step.suit == ANY and (game.height[card & 3] == card >> 2 or settles(game, card))
    if step.source == WASTE:
        return False
    if step.suit == ANY:
        return rank_of(game, card) <= 0 and may_take(game, card, 0)
    if step.suit > 3 or not (game.suits >> step.suit & 1) or colour_of(step.suit) != card - XB:
        return False
    rank = game.height[step.suit]
    if rank == 0 or rank == game.ranks or (rank_of(game, card) != NO_RANK and rank_of(game, card) != rank):
        return False
    return not is_up(game, 4 * rank + step.suit)


cdef int rank_wanted(const Game* game, int target, int colour) noexcept nogil:
    """The rank of a card of ``colour`` that goes on column ``target``; NO_RANK if none does."""
    cdef int top
    if game.size[target] == 0:
        return game.ranks - 1
    top = game.card[target][game.size[target] - 1]
    if colour_of(top) == colour or rank_of(game, top) == NO_RANK:
        return NO_RANK
    return rank_of(game, top) - 1


cdef bint goes_onto(const Game* game, int head, Step step) noexcept nogil:
    cdef int wanted
    if step.target < 0 or step.target >= game.columns or step.target == step.source:
        return False
    if step.suit != ANY or step.rank != ANY:
        return False
    wanted = rank_wanted(game, step.target, colour_of(head))
    if wanted == NO_RANK:
        return False
    if rank_of(game, head) == NO_RANK:
        return step.count == 1 and may_take(game, head, wanted)
    return rank_of(game, head) == wanted


cdef int head_of(const Game* game, Step step) noexcept nogil:
    """The deepest card that ``step`` takes up, or -1."""
    if step.source == WASTE and step.count == 1 and game.waste_size > 0:
        return game.waste[game.waste_size - 1]
    if step.source < 0 or step.source >= game.columns or step.count < 1:
        return -1
    if step.count > game.size[step.source] - game.hidden[step.source]:
        return -1
    return game.card[step.source][game.size[step.source] - step.count]


cdef void take(Game* game, Step step) noexcept nogil:
    if step.source == WASTE:
        game.waste_size -= 1
    else:
        game.size[step.source] -= step.count


cdef void put_up(Game* game, int card, int suit) noexcept nogil:
    cdef int colour = colour_of(card)
    if card >= XB and suit == ANY:
        game.state[colour] = OPEN_ACE
        game.value[colour] = 0
        return
    if card >= XB:
        game.state[colour] = PLACED
        game.value[colour] = 4 * game.height[suit] + suit
    elif settles(game, card):
        suit = card & 3
        game.state[colour] = PLACED
        game.value[colour] = suit
        game.height[suit] = 1
    else:
        suit = card & 3
    game.height[suit] += 1


cdef bint is_legal(const Game* game, Step step) noexcept nogil:
    cdef int head
    if step.source == STOCK:
        return (game.turned < game.stock_size and step.target == WASTE and step.count == 1
                and step.suit == ANY and step.rank == ANY)
    head = head_of(game, step)
    if head < 0:
        return False
    if step.target == UP:
        return goes_up(game, head, step)
    if step.target == IN_PLACE:
        return (step.source != WASTE and step.count == 1 and step.suit == ANY and head >= XB
                and rank_of(game, head) == NO_RANK and may_take(game, head, step.rank))
    if step.target == OUT:
        return (step.count == 1 and head >= XB and step.suit == ANY and step.rank == ANY
                and (rank_of(game, head) == NO_RANK or game.any_removal))
    return goes_onto(game, head, step)


cdef bint play(Game* game, Step step) noexcept nogil:
    """Make a move; false, with nothing changed, if it is illegal."""
    if not is_legal(game, step):
        return False
    if step.source == STOCK:
        game.waste[game.waste_size] = game.stock[game.turned]
        game.waste_size += 1
        game.turned += 1
        exchange_waste(game)
        return True
    move_cards(game, step, head_of(game, step))
    turn_up(game)
    if not game.turned_only:
        exchange_waste(game)
    return True


cdef void move_cards(Game* game, Step step, int head) noexcept nogil:
    cdef int wanted
    cdef uint8_t moved[MOST]
    if step.target == UP:
        take(game, step)
        put_up(game, head, step.suit)
    elif step.target == IN_PLACE:
        game.state[head - XB] = DECLARED
        game.value[head - XB] = step.rank
    elif step.target == OUT:
        take(game, step)
        game.state[head - XB] = GONE
        game.value[head - XB] = 0
    else:
        wanted = rank_wanted(game, step.target, colour_of(head))
        if rank_of(game, head) == NO_RANK:
            game.state[head - XB] = DECLARED
            game.value[head - XB] = wanted
        if step.source == WASTE:
            moved[0] = head
        else:
            memcpy(moved, game.card[step.source] + game.size[step.source] - step.count, step.count)
        take(game, step)
        memcpy(game.card[step.target] + game.size[step.target], moved, step.count)
        game.size[step.target] += step.count


cdef void turn_up(Game* game) noexcept nogil:
    """C1, C2: columns without a face-up card turn one up; it changes places with a joker that stands for it."""
    cdef int column, card
    cdef bint exchanged
    for column in range(game.columns):
        if game.size[column] > 0 and game.hidden[column] == game.size[column]:
            card = game.card[column][game.size[column] - 1]
            exchanged = card < XB and stands_for(game, colour_of(card), card)
            game.hidden[column] -= 1
            if exchanged:
                exchange(game, card)


cdef void exchange_waste(Game* game) noexcept nogil:
    """C3: so does the top of the waste."""
    cdef int card
    if game.waste_size > 0:
        card = game.waste[game.waste_size - 1]
        if card < XB and stands_for(game, colour_of(card), card):
            exchange(game, card)


cdef void exchange(Game* game, int natural) noexcept nogil:
    cdef int joker = XB + colour_of(natural), column, i
    if game.state[joker - XB] == OPEN_ACE:
        game.height[natural & 3] += 1
    for column in range(game.columns):
        for i in range(game.size[column]):
            if game.card[column][i] == natural:
                game.card[column][i] = joker
            elif game.card[column][i] == joker:
                game.card[column][i] = natural
    for i in range(game.waste_size):
        if game.waste[i] == natural:
            game.waste[i] = joker
        elif game.waste[i] == joker:
            game.waste[i] = natural
    game.state[joker - XB] = UNDECLARED
    game.value[joker - XB] = 0


cdef int score(const Game* game) noexcept nogil:
    """Foundation places filled."""
    cdef int suit, colour, filled = 0
    cdef bint empty
    for suit in range(4):
        filled += game.height[suit]
    for colour in range(2):
        if game.state[colour] == OPEN_ACE:
            empty = False
            for suit in range(4):
                if game.suits >> suit & 1 and colour_of(suit) == colour and game.height[suit] == 0:
                    empty = True
            filled += empty
    return filled


# --- Lines of play --------------------------------------------------------------------------------------------


cdef struct Named:          # a move by its cards: so it has a meaning where the columns differ
    uint8_t card
    uint8_t onto            # a card, or EMPTY
    Step step

cdef enum:
    EMPTY = 255


cdef Named named(const Game* game, Step step) noexcept nogil:
    """A legal move by its cards."""
    cdef Named name
    name.step = step
    name.card = game.stock[game.turned] if step.source == STOCK else head_of(game, step)
    name.onto = EMPTY
    if step.target >= 0 and game.size[step.target] > 0:
        name.onto = game.card[step.target][game.size[step.target] - 1]
    return name


cdef bint play_named(Game* game, Named name, Step* step) noexcept nogil:
    """Make the same move wherever its cards are now, and write it down; false if there is none such."""
    cdef int column, i, source = -1
    step[0] = name.step
    if step.source == STOCK:
        return game.turned < game.stock_size and game.stock[game.turned] == name.card and play(game, step[0])
    if game.waste_size > 0 and game.waste[game.waste_size - 1] == name.card:
        step.source = WASTE
        step.count = 1
    else:
        for column in range(game.columns):
            for i in range(game.hidden[column], game.size[column]):
                if game.card[column][i] == name.card:
                    source = column
                    step.count = game.size[column] - i
        if source < 0:
            return False
        step.source = source
    if step.target >= 0:
        step.target = IN_PLACE
        for column in range(game.columns):
            if column == step.source:
                continue
            if game.size[column] == 0:
                if name.onto == EMPTY:
                    step.target = column
            elif game.card[column][game.size[column] - 1] == name.onto:
                step.target = column
        if step.target == IN_PLACE:
            return False
    return play(game, step[0])


cdef struct Trial:
    Named name
    Step step           # as it was tried last
    Game before         # the position before the move


cdef int shorten(const Game* start, Step* steps, int count) noexcept nogil:
    """Leave out of a legal line, from its end to its start, every move without which the moves after it, by
    their cards, still lead to as high a score; again until none is left. Writes the moves that remain and
    returns their number; the line is left as it is if memory does not allow more."""
    cdef Game game = start[0]
    cdef int i, j, best, before = count + 1
    cdef Trial* trials = <Trial*>malloc((count + 1) * sizeof(Trial))
    if trials == NULL:
        return count
    for i in range(count):
        trials[i].name = named(&game, steps[i])
        play(&game, steps[i])
    best = score(&game)
    while count < before:
        before = count
        game = start[0]
        for i in range(count):
            trials[i].before = game
            play_named(&game, trials[i].name, &steps[i])
        for i in range(count - 1, -1, -1):
            if is_idle(trials, i, count, best):
                for j in range(i, count - 1):
                    trials[j].name = trials[j + 1].name
                count -= 1
    game = start[0]
    for i in range(count):
        play_named(&game, trials[i].name, &steps[i])
    free(trials)
    return count


cdef bint is_idle(Trial* trials, int left_out, int count, int best) noexcept nogil:
    """Whether the moves after one lead to a score of ``best`` without it."""
    cdef Game game = trials[left_out].before
    cdef int i
    for i in range(left_out + 1, count):
        if not play_named(&game, trials[i].name, &trials[i].step):
            return False
    return score(&game) >= best


cdef Step step_of(move) except *:
    cdef Step step
    step.source = move.source
    step.target = move.target
    step.count = move.count
    step.suit = ANY if move.suit is None else move.suit
    step.rank = ANY if move.rank is None else move.rank
    return step


cdef object move_of(Step step):
    suit = None if step.suit == ANY else step.suit
    rank = None if step.rank == ANY else step.rank
    return rules.Move(step.source, step.target, step.count, suit, rank)


def replay(state, moves):
    """The score that ``moves`` reach from ``state``, both of `rules.joker`. Raises ValueError, naming the
    number of the move from 1, at an illegal one."""
    cdef Game game
    load(&game, state)
    for number, move in enumerate(moves, 1):
        if not play(&game, step_of(move)):
            raise ValueError(f"move {number} ({move}) is illegal")
    return score(&game)


def clean(state, moves):
    """The legal line ``moves`` from ``state`` without the moves that the others do not need for the score."""
    cdef Game game
    cdef int count = len(moves), i
    load(&game, state)
    cdef Step* steps = <Step*>malloc((count + 1) * sizeof(Step))
    if steps == NULL:
        raise MemoryError
    try:
        for i in range(count):
            steps[i] = step_of(moves[i])
        with nogil:
            count = shorten(&game, steps, count)
        return [move_of(steps[i]) for i in range(count)]
    finally:
        free(steps)


# --- States ---------------------------------------------------------------------------------------------------


cdef void deal_game(
    Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns, int ranks, int suits
) noexcept nogil:
    """Lay out shuffled cards row by row; the rest is the stock."""
    cdef int row, column, dealt = 0
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    game.suits = suits
    for row in range(MOST):
        for column in range(columns):
            if dealt < count and row < sizes[column]:
                game.card[column][row] = cards[dealt]
                game.size[column] = row + 1
                game.hidden[column] = row
                dealt += 1
    while dealt < count:
        game.stock[game.stock_size] = cards[dealt]
        game.stock_size += 1
        dealt += 1


cdef void load(Game* game, state) except *:
    """The game of a state of `rules.joker`. Raises ValueError if it is too large."""
    memset(game, 0, sizeof(Game))
    if len(state.columns) > 7 or len(state.stock) + len(state.waste) + sum(map(len, state.columns)) > MOST:
        raise ValueError("more than 7 columns or 54 cards")
    game.ranks = state.deck.ranks
    game.suits = sum(1 << "CDHS".index(suit) for suit in state.deck.suits)
    game.turned_only = state.choices.exchange == "turned"
    game.any_removal = state.choices.removal == "exposed"
    game.columns = len(state.columns)
    for i, column in enumerate(state.columns):
        game.size[i] = len(column)
        game.hidden[i] = state.hidden[i]
        for j, card in enumerate(column):
            game.card[i][j] = card
    game.stock_size = len(state.stock)
    game.waste_size = len(state.waste)
    for i, card in enumerate(state.stock):
        game.stock[i] = card
    for i, card in enumerate(state.waste):
        game.waste[i] = card
    for i in range(4):
        game.height[i] = state.foundations[i]
    for i, joker in enumerate(state.jokers):
        if joker.rank is not None:
            game.state[i] = DECLARED
            game.value[i] = joker.rank
        elif joker.place is not None:
            game.state[i] = PLACED
            game.value[i] = joker.place
        elif joker.is_open_ace:
            game.state[i] = OPEN_ACE
        elif joker.is_out:
            game.state[i] = GONE


cdef int moves_of(const Game* game, Step* steps) noexcept nogil:
    """Every legal move, found by trying all there could be; at most MOST_MOVES."""
    cdef int source, target, count, n = 0
    cdef Step step
    cdef int8_t suit, rank
    for source in range(WASTE, game.columns):
        for count in range(1, 1 + (1 if source < 0 else game.size[source] - game.hidden[source])):
            for target in range(IN_PLACE, game.columns):
                for suit in range(ANY, 4 if target == UP else 0):
                    for rank in range(ANY, game.ranks if target == IN_PLACE else 0):
                        step = Step(source, target, count, suit, rank)
                        if is_legal(game, step):
                            steps[n] = step
                            n += 1
    return n


cdef enum:
    MOST_MOVES = 800        # 7 columns with 13 runs to 6 others, and what else there is


def legal_moves(state):
    """Every legal move of ``state``, as moves of `rules.joker`."""
    cdef Game game
    cdef Step steps[MOST_MOVES]
    cdef int i
    load(&game, state)
    return [move_of(steps[i]) for i in range(moves_of(&game, steps))]


# --- Brute force ----------------------------------------------------------------------------------------------


cdef struct Explored:
    uint8_t* records    # RECORD bytes each, in the order of discovery
    uint32_t* slots     # index of a record + 1, or 0; at most half are taken
    uint32_t count
    uint32_t room


cdef int first_card(const Game* game, int column) noexcept nogil:
    return game.card[column][0] if game.size[column] > 0 else 255


cdef void write_record(const Game* game, uint8_t* record) noexcept nogil:
    """Columns in the order of their deepest cards, empty ones last: equal exactly for interchangeable
    states."""
    cdef int order[7]
    cdef int i, j, column, length
    for i in range(game.columns):
        j = i
        while j > 0 and first_card(game, order[j - 1]) > first_card(game, i):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
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
    cdef int i
    for i in range(record[0]):
        hashed = (hashed ^ record[i]) * <uint64_t>0x100000001B3
    slot[0] = (hashed ^ (hashed >> 32)) & (2 * explored.room - 1)
    while explored.slots[slot[0]] != 0:
        if memcmp(explored.records + <uint64_t>(explored.slots[slot[0]] - 1) * RECORD, record, record[0]) == 0:
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
