"""The plain rules of joker and klondike-one-pass on arrays, and lines of play.

Elementary moves on whole columns, without pruning, are used where classes and macros are not: for lines of
play, the search for short lines, and the player. Lines are verified by independent rules: see `replay`.

`play_macro` translates macros to elementary moves. A macro belongs to a class of states. In a single state of
the class its target may be covered, so that a card of the same colour and rank serves instead, or a lateral
move may have to come first. `shorten` drops moves that a line does not need.
"""

# optimised: searches spend their time here

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from .cards cimport GONE, UNDECLARED
from .packing cimport (
    DECLARE_LATE, EMPTY, FROM_WASTE, MOVE, NO_PLAY, RAISE, RAISE_JOKER, REMOVE, REMOVE_WASTE, declared_in,
    mover_in, play_in, target_in, turns_in,
)

from ...rules import joker, klondike
from ...rules.variants import check_packed


# --- Moves --------------------------------------------------------------------------------------------------

cdef bint goes_up(const PlainGame* game, int card, PlainMove step) noexcept nogil:
    """Test whether ``card``, the card of ``step``, may go to the foundations as the step says."""
    cdef int rank
    if step.rank != ANY or step.count != 1:
        return False
    if card < XB:
        return step.suit == ANY and (game.height[card & 3] == card >> 2 or settles(game, card))
    if step.source == WASTE:
        return False
    if step.suit == ANY:
        return rank_of(game, card) <= 0 and may_take(game, card - XB, 0)
    if step.suit > 3 or not (game.suits >> step.suit & 1) or colour_of(step.suit) != card - XB:
        return False
    rank = game.height[step.suit]
    if rank == 0 or rank == game.ranks or (rank_of(game, card) != NO_RANK and rank_of(game, card) != rank):
        return False
    return not is_up(game, 4 * rank + step.suit)


cdef int rank_wanted(const PlainGame* game, int target, int colour) noexcept nogil:
    """Return the rank that a card of ``colour`` needs to go on column ``target``, NO_RANK if it cannot."""
    cdef int top
    if game.size[target] == 0:
        return game.ranks - 1
    top = top_of(game, target)
    if colour_of(top) == colour or rank_of(game, top) == NO_RANK:
        return NO_RANK
    return rank_of(game, top) - 1


cdef bint goes_onto(const PlainGame* game, int head, PlainMove step) noexcept nogil:
    """Test whether the cards that ``step`` moves, ``head`` the deepest, may go on its target column."""
    cdef int wanted
    if step.target < 0 or step.target >= game.columns or step.target == step.source:
        return False
    if step.suit != ANY or step.rank != ANY:
        return False
    wanted = rank_wanted(game, step.target, colour_of(head))
    if wanted == NO_RANK:
        return False
    if rank_of(game, head) == NO_RANK:
        return step.count == 1 and may_take(game, head - XB, wanted)
    return rank_of(game, head) == wanted


cdef int head_of(const PlainGame* game, PlainMove step) noexcept nogil:
    """Return the deepest card that ``step`` moves, -1 if its source has fewer face-up cards."""
    if step.source == WASTE:
        return taken_by(game, step) if step.count == 1 and game.waste_size > 0 else -1
    if step.source < 0 or step.source >= game.columns or step.count < 1:
        return -1
    return taken_by(game, step) if step.count <= face_up(game, step.source) else -1


cdef inline int taken_by(const PlainGame* game, PlainMove step) noexcept nogil:
    """Return the deepest card that ``step`` moves. The source must have enough cards."""
    if step.source == WASTE:
        return game.waste[game.waste_size - 1]
    return game.card[step.source][game.size[step.source] - step.count]


cdef inline void take(PlainGame* game, PlainMove step) noexcept nogil:
    """Remove the cards that the legal move ``step`` moves from their source."""
    if step.source == WASTE:
        game.waste_size -= 1
    else:
        game.size[step.source] -= step.count


cdef void put_up(PlainGame* game, int card, int suit) noexcept nogil:
    """Put ``card`` on the foundations; a joker as the next card of ``suit``, or as an open ace for ANY."""
    cdef int colour = colour_of(card)
    if card >= XB and suit == ANY:
        game.condition[colour] = OPEN_ACE
        game.value[colour] = 0
        return
    if card >= XB:
        game.condition[colour] = PLACED
        game.value[colour] = 4 * game.height[suit] + suit
    elif settles(game, card):
        suit = card & 3
        game.condition[colour] = PLACED
        game.value[colour] = suit
        game.height[suit] = 1
    else:
        suit = card & 3
    game.height[suit] += 1


cdef bint is_legal(const PlainGame* game, PlainMove step) noexcept nogil:
    """Test whether ``step`` is legal."""
    cdef int head
    if step.source == STOCK:
        return (game.turned < game.stock_size and step.target == WASTE and step.count == 1
                and step.suit == ANY and step.rank == ANY)
    head = head_of(game, step)
    if head < 0:
        return False
    if step.target == FOUNDATION:
        return goes_up(game, head, step)
    if step.target == IN_PLACE:
        return (step.source != WASTE and step.count == 1 and step.suit == ANY and head >= XB
                and rank_of(game, head) == NO_RANK and may_take(game, head - XB, step.rank))
    if step.target == OUT:
        return (step.count == 1 and head >= XB and step.suit == ANY and step.rank == ANY
                and (rank_of(game, head) == NO_RANK or game.any_removal))
    return goes_onto(game, head, step)


cdef bint play(PlainGame* game, PlainMove step) noexcept nogil:
    """Make a move with its consequences. Returns False, changing nothing, if it is illegal."""
    if not is_legal(game, step):
        return False
    make(game, step)
    return True


cdef void make(PlainGame* game, PlainMove step) noexcept nogil:
    """Make the legal move ``step``, with the turning up and exchanges that follow."""
    if step.source == STOCK:
        game.waste[game.waste_size] = game.stock[game.turned]
        game.waste_size += 1
        game.turned += 1
        exchange_waste(game)
        return
    move_cards(game, step, taken_by(game, step))
    if step.source >= 0:
        turn_up(game, step.source)
    if not game.turned_only:
        exchange_waste(game)


cdef inline void move_cards(PlainGame* game, PlainMove step, int head) noexcept nogil:
    """Make the legal move ``step``, which is not a turn and whose deepest card is ``head``, without the
    turning up and the exchanges that follow."""
    cdef int to = step.target
    if to == IN_PLACE:
        game.condition[head - XB] = DECLARED
        game.value[head - XB] = step.rank
        return
    if to >= 0:
        if rank_of(game, head) == NO_RANK:
            game.value[head - XB] = rank_wanted(game, to, colour_of(head))
            game.condition[head - XB] = DECLARED
        if step.source == WASTE:
            game.card[to][game.size[to]] = head
            show(game, head)
        else:
            memcpy(game.card[to] + game.size[to],
                   game.card[step.source] + game.size[step.source] - step.count, step.count)
        game.size[to] += step.count
    else:
        game.face &= ~bit(head)
    take(game, step)
    if to == FOUNDATION:
        put_up(game, head, step.suit)
    elif to == OUT:
        game.condition[head - XB] = GONE
        game.value[head - XB] = 0


cdef inline void show(PlainGame* game, int card) noexcept nogil:
    """Add ``card`` to the naturals face up in columns, unless it is a joker."""
    if card < XB:
        game.face |= bit(card)


cdef inline void turn_up(PlainGame* game, int column) noexcept nogil:
    """Turn up the top of a column that has only face-down cards, and exchange it if a joker stands for it
    (step F of docs/theory/joker.md)."""
    cdef int card
    if game.size[column] > 0 and game.hidden[column] == game.size[column]:
        game.hidden[column] -= 1
        card = top_of(game, column)
        if card < XB and stands_for(game, card):
            exchange(game, card, &game.card[column][game.size[column] - 1])
        else:
            show(game, card)


cdef inline void exchange_waste(PlainGame* game) noexcept nogil:
    """Exchange the top of the waste if a joker stands for it (step W of docs/theory/joker.md)."""
    cdef int card
    if game.waste_size > 0:
        card = game.waste[game.waste_size - 1]
        if card < XB and stands_for(game, card):
            exchange(game, card, &game.waste[game.waste_size - 1])


cdef void exchange(PlainGame* game, int natural, uint8_t* where) noexcept nogil:
    """Exchange ``natural``, which lies at ``where``, with the joker that stands for it, which becomes
    undeclared."""
    cdef int colour = colour_of(natural), column, i
    if game.condition[colour] == OPEN_ACE:
        game.height[natural & 3] += 1
    elif game.condition[colour] == DECLARED:
        show(game, natural)
        for column in range(game.columns):
            for i in range(game.hidden[column], game.size[column]):
                if game.card[column][i] == XB + colour:
                    game.card[column][i] = natural
    where[0] = XB + colour
    game.condition[colour] = UNDECLARED
    game.value[colour] = 0


cdef int score(const PlainGame* game) noexcept nogil:
    """Return the number of foundation places filled, an open ace included."""
    cdef int suit, colour, filled = 0
    cdef bint empty
    for suit in range(4):
        filled += game.height[suit]
    for colour in range(2):
        if game.condition[colour] == OPEN_ACE:
            empty = False
            for suit in range(4):
                if game.suits >> suit & 1 and colour_of(suit) == colour and game.height[suit] == 0:
                    empty = True
            filled += empty
    return filled


# --- States -------------------------------------------------------------------------------------------------


cdef void deal_game(PlainGame* game, const Dealt* dealt, int ranks, int suits) noexcept nogil:
    """Set ``game`` to a deal, in which every column has a card, with all rule options off."""
    cdef int column
    memset(game, 0, sizeof(PlainGame))
    game.columns = dealt.columns
    game.ranks = ranks
    game.suits = suits
    for column in range(dealt.columns):
        game.size[column] = dealt.size[column]
        game.hidden[column] = dealt.size[column] - 1
        memcpy(game.card[column], dealt.card[column], dealt.size[column])
    game.stock_size = dealt.stock_size
    memcpy(game.stock, dealt.stock, dealt.stock_size)
    find_face(game)


cdef void find_face(PlainGame* game) noexcept nogil:
    """Set ``game.face`` from the columns."""
    cdef int column, i
    game.face = 0
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            show(game, game.card[column][i])


cdef void load(PlainGame* game, state) except *:
    """Set ``game`` to a state of joker or klondike-one-pass. Raises ValueError if it is too large or
    incomplete."""
    check_packed(state, "joker")
    jokers = state.jokers if state.deck.jokers else ()
    memset(game, 0, sizeof(PlainGame))
    if len(state.columns) > 7 or len(state.stock) + len(state.waste) + sum(map(len, state.columns)) > MOST:
        raise ValueError("more than 7 columns or 54 cards")
    is_whole = len(state.hidden) == len(state.columns) and len(state.foundations) == 4
    if not is_whole or len(jokers) != 2 * bool(state.deck.jokers):
        raise ValueError("a number for each column, four foundations and two jokers are needed")
    game.ranks = state.deck.ranks
    game.suits = sum([1 << "CDHS".index(suit) for suit in state.deck.suits])
    game.turned_only = state.deck.jokers and state.choices.exchange == "turned"
    game.any_removal = state.deck.jokers and state.choices.removal == "exposed"
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
    for i, condition in enumerate(jokers):
        game.condition[i] = condition_of(condition)
        if game.condition[i] == DECLARED:
            game.value[i] = condition.rank
        elif game.condition[i] == PLACED:
            game.value[i] = condition.place
    find_face(game)


cdef int condition_of(joker) except -1:
    """Return the Condition of a `rules.joker.Joker`."""
    if joker.rank is not None:
        return DECLARED
    if joker.place is not None:
        return PLACED
    if joker.is_open_ace:
        return OPEN_ACE
    return GONE if joker.is_out else UNDECLARED


cdef int moves_of(const PlainGame* game, PlainMove* steps) noexcept nogil:
    """Write every legal move to ``steps``, which has space for MOST_MOVES. Returns their number. All
    conceivable moves are tested."""
    cdef int source, target, count, n = 0
    cdef PlainMove step
    cdef int8_t suit, rank
    for source in range(WASTE, game.columns):
        for count in range(1, 1 + (1 if source < 0 else game.size[source] - game.hidden[source])):
            for target in range(IN_PLACE, game.columns):
                for suit in range(ANY, 4 if target == FOUNDATION else 0):
                    for rank in range(ANY, game.ranks if target == IN_PLACE else 0):
                        step = PlainMove(source, target, count, suit, rank)
                        if is_legal(game, step):
                            steps[n] = step
                            n += 1
    return n


# --- States as bytes ----------------------------------------------------------------------------------------

cdef enum:
    HEAD = 9            # bytes of a record before the cards of the waste


cdef int first_card(const PlainGame* game, int column) noexcept nogil:
    """Return the deepest card of a column, 255 (greater than all cards) for an empty one."""
    return game.card[column][0] if game.size[column] > 0 else 255


cdef void column_order(const PlainGame* game, int* order) noexcept nogil:
    """Write the columns to ``order``, sorted by their deepest cards, empty ones last."""
    cdef int i, j
    for i in range(game.columns):
        j = i
        while j > 0 and first_card(game, order[j - 1]) > first_card(game, i):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


cdef void write_record(const PlainGame* game, uint8_t* record) noexcept nogil:
    """Write a state to a ``record`` of RECORD bytes, columns in `column_order`, without the cards of the
    stock. Records of one game are equal exactly if the states differ only in the order of the columns."""
    cdef int order[7]
    cdef int i, column, length
    column_order(game, order)
    memset(record, 0, RECORD)
    memcpy(record, game.height, 4)
    memcpy(record + 4, game.value, 2)
    record[6] = game.condition[0] | game.condition[1] << 4
    record[7] = game.turned
    record[8] = game.waste_size
    memcpy(record + HEAD, game.waste, game.waste_size)
    length = HEAD + game.waste_size
    for i in range(game.columns):
        column = order[i]
        record[length] = game.size[column]
        record[length + 1] = game.hidden[column]
        length += 2
        memcpy(record + length, game.card[column], game.size[column])
        length += game.size[column]


cdef void read_record(PlainGame* game, const uint8_t* record) noexcept nogil:
    """Set ``game`` to the state of a ``record`` that `write_record` made of the same game."""
    cdef int i, at
    memcpy(game.height, record, 4)
    memcpy(game.value, record + 4, 2)
    for i in range(2):
        game.condition[i] = record[6] >> (4 * i) & 15
    game.turned = record[7]
    game.waste_size = record[8]
    memcpy(game.waste, record + HEAD, game.waste_size)
    at = HEAD + game.waste_size
    for i in range(game.columns):
        game.size[i] = record[at]
        game.hidden[i] = record[at + 1]
        memcpy(game.card[i], record + at + 2, game.size[i])
        at += 2 + game.size[i]
    find_face(game)


# --- Python interface ---------------------------------------------------------------------------------------


cdef PlainMove step_of(move) except *:
    """Convert a move of joker or klondike-one-pass to a PlainMove."""
    cdef PlainMove step
    step.source = move.source
    step.target = move.target
    step.count = move.count
    step.suit = ANY if move.suit is None else move.suit
    rank = getattr(move, "rank", None)
    step.rank = ANY if rank is None else rank
    return step


cdef object move_of(PlainMove step, bint has_jokers):
    """Convert a PlainMove to a move of `rules.joker`, without jokers of `rules.klondike`."""
    if not has_jokers:
        return klondike.Move(step.source, step.target, step.count)
    suit = None if step.suit == ANY else step.suit
    rank = None if step.rank == ANY else step.rank
    return joker.Move(step.source, step.target, step.count, suit, rank)


def replay(state, moves):
    """Return the score that ``moves`` reach from ``state``. Raises ValueError at an illegal move, naming its
    number, counted from 1."""
    cdef PlainGame game
    load(&game, state)
    for number, move in enumerate(moves, 1):
        if not play(&game, step_of(move)):
            raise ValueError(f"move {number} ({move}) is illegal")
    return score(&game)


def legal_moves(state):
    """Return every legal move of ``state``, as `move_of` does."""
    cdef PlainGame game
    cdef PlainMove steps[MOST_MOVES]
    cdef int i
    load(&game, state)
    return [move_of(steps[i], state.deck.jokers) for i in range(moves_of(&game, steps))]


# --- Lines of play ------------------------------------------------------------------------------------------

cdef struct Line:
    PlainGame* game
    PlainMove* steps
    int count
    bint failed


cdef void add(Line* line, PlainMove step) noexcept nogil:
    """Play ``step`` and append it to ``line``, or set ``line.failed`` if it is illegal."""
    if not line.failed:
        line.failed = step.source == IN_PLACE or not play(line.game, step)
        line.steps[line.count] = step
        line.count += 1


cdef int column_with(const PlainGame* game, int card) noexcept nogil:
    """Return the column where ``card`` lies face up, IN_PLACE if there is none."""
    cdef int column, i
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            if game.card[column][i] == card:
                return column
    return IN_PLACE


cdef int height_in(const PlainGame* game, int column, int card) noexcept nogil:
    """Return the number of cards from the top of a column down to ``card``, 0 if it is not there."""
    cdef int i
    for i in range(game.size[column]):
        if game.card[column][i] == card:
            return game.size[column] - i
    return 0


cdef int column_under(const PlainGame* game, int card) noexcept nogil:
    """Return the column whose top is ``card``, else one whose top has its colour and effective rank, else
    IN_PLACE."""
    cdef int column, top, found = IN_PLACE
    for column in range(game.columns):
        if game.size[column] == 0:
            continue
        top = game.card[column][game.size[column] - 1]
        if top == card:
            return column
        if colour_of(top) == colour_of(card) and rank_of(game, top) == rank_of(game, card):
            found = column
    return found


cdef int target_of(const PlainGame* game, int target, int source) noexcept nogil:
    """Return the column for the ``target`` (a card or EMPTY) of a macro whose card comes from the column
    ``source``, IN_PLACE if there is none."""
    cdef int column
    if target != EMPTY:
        return column_under(game, target)
    for column in range(game.columns):
        if game.size[column] == 0 and column != source:
            return column
    return IN_PLACE


cdef int play_macro(PlainGame* game, uint32_t code, PlainMove* steps) noexcept nogil:
    """Play a macro as elementary moves, written to ``steps``. Returns their number, -1 if one is illegal."""
    cdef Line line
    cdef int turns = turns_in(code), colour, column
    line.game = game
    line.steps = steps
    line.count = 0
    line.failed = False
    if code & DECLARE_LATE:
        turns -= 1
    while turns > 0:
        add(&line, PlainMove(STOCK, WASTE, 1, ANY, ANY))
        turns -= 1
    for colour in range(2):
        if declared_in(code, colour):
            column = column_with(game, XB + colour)
            add(&line, PlainMove(column, IN_PLACE, 1, ANY, declared_in(code, colour) - 1))
    if code & DECLARE_LATE:
        add(&line, PlainMove(STOCK, WASTE, 1, ANY, ANY))
    play_last(&line, play_in(code), mover_in(code), target_in(code))
    return -1 if line.failed else line.count


cdef void play_last(Line* line, int what, int card, int target) noexcept nogil:
    """Append the play ``what`` of a macro, which follows its turns and declarations."""
    cdef PlainGame* game = line.game
    cdef int column = column_with(game, card)
    if what == NO_PLAY:
        return
    if what == FROM_WASTE:
        add(line, PlainMove(WASTE, target_of(game, target, WASTE), 1, ANY, ANY))
    elif what == REMOVE_WASTE:
        add(line, PlainMove(WASTE, OUT, 1, ANY, ANY))
    elif what == RAISE and column == IN_PLACE:
        add(line, PlainMove(WASTE, FOUNDATION, 1, ANY, ANY))
    elif column == IN_PLACE:
        line.failed = True
    elif what == MOVE:
        add(line, PlainMove(column, target_of(game, target, column), height_in(game, column, card), ANY, ANY))
    else:
        bare(line, column, card)
        if what == REMOVE:
            add(line, PlainMove(column, OUT, 1, ANY, ANY))
        else:
            add(line, PlainMove(column, FOUNDATION, 1, target if what == RAISE_JOKER else ANY, ANY))


cdef void bare(Line* line, int column, int card) noexcept nogil:
    """Append a lateral move that uncovers ``card`` of ``column``, unless it is on top already."""
    cdef int height = height_in(line.game, column, card)
    if height > 1:
        add(line, PlainMove(column, column_under(line.game, card), height - 1, ANY, ANY))


# --- Cleaning -----------------------------------------------------------------------------------------------


cdef struct Named:      # a move named by its cards, which is defined in states with other columns too
    uint8_t card
    uint8_t onto        # the card that it is put on, or EMPTY
    PlainMove step


cdef Named named(const PlainGame* game, PlainMove step) noexcept nogil:
    """Return the legal move ``step`` named by its cards."""
    cdef Named name
    name.step = step
    name.card = game.stock[game.turned] if step.source == STOCK else head_of(game, step)
    name.onto = EMPTY
    if step.target >= 0 and game.size[step.target] > 0:
        name.onto = game.card[step.target][game.size[step.target] - 1]
    return name


cdef bint play_named(PlainGame* game, Named name, PlainMove* step) noexcept nogil:
    """Make the move of the same cards in ``game``, where they may lie elsewhere, and write it to ``step``.
    Returns False, changing nothing in ``game``, if it is illegal there."""
    cdef int column
    step[0] = name.step
    if step.source == STOCK:
        return game.turned < game.stock_size and game.stock[game.turned] == name.card and play(game, step[0])
    if game.waste_size > 0 and game.waste[game.waste_size - 1] == name.card:
        step.source = WASTE
        step.count = 1
    else:
        step.source = column_with(game, name.card)
        if step.source == IN_PLACE:
            return False
        step.count = height_in(game, step.source, name.card)
    if step.target >= 0:
        step.target = IN_PLACE
        for column in range(game.columns):
            if column == step.source:
                continue
            if name.onto == (EMPTY if game.size[column] == 0 else top_of(game, column)):
                step.target = column
        if step.target == IN_PLACE:
            return False
    return play(game, step[0])


cdef struct Trial:
    Named name
    PlainMove step           # the move as it was last played
    PlainGame before         # the position before the move
    int score                # the score of ``before``


cdef int shorten(const PlainGame* start, PlainMove* steps, int count) noexcept nogil:
    """Drop from a legal line, going from its end to its start, every move without which the later moves,
    named by their cards, still reach the same score; repeat until nothing changes. ``steps`` becomes the
    shorter line. Returns its length. The line stays as it is if allocation fails."""
    cdef PlainGame game = start[0]
    cdef int i, j, best, up, first = 0, before = count + 1
    cdef Trial* trials = <Trial*>malloc((count + 1) * sizeof(Trial))
    if trials == NULL:
        return count
    for i in range(count):
        trials[i].name = named(&game, steps[i])
        play(&game, steps[i])
    best = score(&game)
    trials[0].before = start[0]
    while count < before:
        before = count
        game = trials[first].before
        for i in range(first, count):
            trials[i].before = game
            trials[i].score = score(&game)
            play_named(&game, trials[i].name, &steps[i])
        up = 0
        for i in range(count - 1, -1, -1):
            # Each later move to the foundations adds at most one to the score (J1).
            if trials[i].score + up >= best and is_idle(trials, i, count, best):
                for j in range(i, count - 1):
                    trials[j].name = trials[j + 1].name
                count -= 1
                first = i
            elif trials[i].name.step.target == FOUNDATION:
                up += 1
    free(trials)
    return count


cdef bint is_idle(Trial* trials, int left_out, int count, int best) noexcept nogil:
    """Test whether the line of ``count`` moves still reaches a score of ``best`` without the move number
    ``left_out``."""
    cdef PlainGame game = trials[left_out].before
    cdef int i
    for i in range(left_out + 1, count):
        if not play_named(&game, trials[i].name, &trials[i].step):
            return False
    return score(&game) >= best


def clean(state, moves):
    """Return the legal line ``moves`` from ``state`` without the moves that `shorten` drops."""
    cdef PlainGame game
    cdef int count = len(moves), i
    load(&game, state)
    cdef PlainMove* steps = <PlainMove*>malloc((count + 1) * sizeof(PlainMove))
    if steps == NULL:
        raise MemoryError
    try:
        for i in range(count):
            steps[i] = step_of(moves[i])
        with nogil:
            count = shorten(&game, steps, count)
        return [move_of(steps[i], state.deck.jokers) for i in range(count)]
    finally:
        free(steps)
