"""Readers of states and moves of `rules`: the one place where searches and oracles meet their fields.

A reader of states raises ValueError for one that a `Desk` cannot hold. Whether it can occur in play, and
whether a search implements its rules, is for the caller to check.
"""

cdef enum:
    KLONDIKE_COLUMNS = 7
    KLONDIKE_CARDS = 52
    JOKER_CARDS = 54
    DEALT = 28                  # cards of the columns
    LONGEST_RUN = 16            # face-up cards of a column, from a king down to an ace, with jokers
    OF_CHESSBOARD = -1          # the foundations in moves of `rules.chessboard`
    NOWHERE = -128              # no place in any game


cdef void read_state(Desk* desk, state, str family) except *:
    """Set ``desk`` to ``state``, of a game of ``family``."""
    if family == "chessboard":
        read_chessboard(desk, state)
    elif family == "simon":
        read_simon(desk, state)
    elif family == "joker":
        read_joker(desk, state)
    else:
        read_klondike(desk, state)


cdef void read_columns(Desk* desk, deck, columns) except *:
    """Set ``desk`` to a deck and columns, whose cards have numbers below 256, and nothing else."""
    if len(columns) > MOST_COLUMNS or sum(map(len, columns)) > MOST_CARDS:
        raise ValueError(
            f"expected up to {MOST_COLUMNS} columns and {MOST_CARDS} cards, "
            f"got {len(columns)} and {sum(map(len, columns))}"
        )
    set_columns(desk, deck, columns)


cdef void set_columns(Desk* desk, deck, columns) except *:
    """Do what `read_columns` does for columns for which there is room."""
    memset(desk, 0, sizeof(Desk))
    desk.ranks = deck.ranks
    for suit in range(4):
        desk.suits |= ("CDHS"[suit] in deck.suits) << suit
    desk.columns = len(columns)
    for i, cards in enumerate(columns):
        desk.size[i] = len(cards)
        for j, card in enumerate(cards):
            desk.card[i][j] = card


cdef void read_chessboard(Desk* desk, state) except *:
    """Set ``desk`` to ``state``, of `rules.chessboard`."""
    read_columns(desk, state.deck, state.columns)
    for suit in range(4):
        desk.up[suit] = state.foundations[suit]
    desk.base = -1 if state.base is None else state.base


cdef void read_simon(Desk* desk, state) except *:
    """Set ``desk`` to ``state``, of `rules.simon`."""
    read_columns(desk, state.deck, state.columns)


# --- Games with a stock -------------------------------------------------------------------------------------

cdef void check_size(state, int most) except *:
    """Raise ValueError unless ``state`` has at most 7 columns and ``most`` cards, with numbers below that, a
    number of face-down cards for each column, and four foundations that the deck can fill."""
    if len(state.columns) > KLONDIKE_COLUMNS:
        raise ValueError(f"expected at most {KLONDIKE_COLUMNS} columns, got {len(state.columns)}")
    held = [card for cards in (*state.columns, state.stock, state.waste) for card in cards]
    if len(held) > most or not all([0 <= card < most for card in held]):
        raise ValueError(f"expected at most {most} cards from 0 to {most - 1}, got {len(held)}")
    if len(state.hidden) != len(state.columns) or len(state.foundations) != 4:
        raise ValueError(
            f"expected {len(state.columns)} hidden counts and 4 foundations,"
            f" got {len(state.hidden)} and {len(state.foundations)}"
        )
    if not all([0 <= height <= state.deck.ranks for height in state.foundations]):
        raise ValueError(f"expected foundations of at most {state.deck.ranks} ranks, got {state.foundations}")


cdef void set_piles(Desk* desk, state) except *:
    """Set ``desk`` to the cards of ``state``, which was checked."""
    set_columns(desk, state.deck, state.columns)
    for i, hidden in enumerate(state.hidden):
        desk.hidden[i] = hidden
    desk.stock_size, desk.waste_size = len(state.stock), len(state.waste)
    for i, card in enumerate(state.stock):
        desk.stock[i] = card
    for i, card in enumerate(state.waste):
        desk.waste[i] = card
    for suit in range(4):
        desk.up[suit] = state.foundations[suit]


cdef void read_klondike(Desk* desk, state) except *:
    """Set ``desk`` to ``state``, of `rules.klondike`."""
    check_size(state, KLONDIKE_CARDS)
    set_klondike(desk, state)


cdef void set_klondike(Desk* desk, state) except *:
    """Set ``desk`` to ``state``, which was checked."""
    set_piles(desk, state)
    desk.draw = state.choices.cards_drawn
    desk.passes = state.choices.most_passes or 0
    desk.redeals = state.redeals
    desk.backward = state.choices.has_worrying_back


cdef void read_joker(Desk* desk, state) except *:
    """Set ``desk`` to ``state``, of joker or klondike-one-pass."""
    check_size(state, JOKER_CARDS)
    set_joker(desk, state)


cdef void set_joker(Desk* desk, state) except *:
    """Set ``desk`` to ``state``, which was checked, but for the number of its jokers."""
    jokers = state.jokers if state.deck.jokers else ()
    if len(jokers) != 2 * bool(state.deck.jokers):
        raise ValueError(f"expected two jokers, got {len(jokers)}")
    set_piles(desk, state)
    desk.draw = desk.passes = 1
    desk.has_jokers = len(jokers) > 0
    desk.turned_only = desk.has_jokers and state.choices.exchange == "turned"
    desk.any_removal = desk.has_jokers and state.choices.removal == "exposed"
    for i, joker in enumerate(jokers):
        read_condition(&desk.joker[i], joker)


cdef void read_seen(Desk* desk, table, str family) except *:
    """Set ``desk`` to ``table``, a table of a game of ``family`` with a full deck; UNSEEN is `cards.UNKNOWN`.
    Raises ValueError for one that no player can come to see."""
    if len(table.columns) != KLONDIKE_COLUMNS or len(table.hidden) != KLONDIKE_COLUMNS:
        raise ValueError(f"expected {KLONDIKE_COLUMNS} columns, got {len(table.columns)}")
    if max(map(len, (*table.columns, table.stock, table.waste))) > JOKER_CARDS:
        raise ValueError(f"expected at most {JOKER_CARDS} cards in a place, got more")
    if len(table.foundations) != 4:
        raise ValueError(f"foundations: expected four heights, got {len(table.foundations)}")
    try:
        if family == "joker":
            set_joker(desk, table)
        else:
            set_klondike(desk, table)
    except OverflowError:
        raise ValueError("expected cards and numbers of cards of the game, got another number") from None
    check_counts(desk)
    check_cards(desk)


cdef void check_counts(const Desk* desk) except *:
    """Raise ValueError unless the numbers of cards in the places of a table are possible."""
    cdef int column, up, total = 0
    cdef int most = (JOKER_CARDS if desk.has_jokers else KLONDIKE_CARDS) - DEALT
    for column in range(KLONDIKE_COLUMNS):
        up = desk.size[column] - desk.hidden[column]
        if desk.hidden[column] >= KLONDIKE_COLUMNS or not 0 <= up <= LONGEST_RUN:
            limits = f"fewer than {KLONDIKE_COLUMNS} face-down cards and at most {LONGEST_RUN} on them"
            raise ValueError(f"column {column + 1}: expected {limits}, got {desk.hidden[column]} and {up}")
        total += desk.hidden[column]
    if total > DEALT - KLONDIKE_COLUMNS:
        raise ValueError(f"expected at most {DEALT - KLONDIKE_COLUMNS} face-down cards, got {total}")
    if desk.stock_size + desk.waste_size > most:
        total = desk.stock_size + desk.waste_size
        raise ValueError(f"expected at most {most} cards in stock and waste, got {total}")


cdef void check_cards(const Desk* desk) except *:
    """Raise ValueError unless each card is in one place of a table, or in one that is unknown and covered."""
    cdef int suit, rank, i, j, unknown = 0, cards = JOKER_CARDS if desk.has_jokers else KLONDIKE_CARDS
    cdef uint64_t found = 0
    for suit in range(4):
        if desk.up[suit] > 13:
            raise ValueError(f"foundations: expected heights up to 13, got {desk.up[suit]}")
        for rank in range(desk.up[suit]):
            found |= <uint64_t>1 << (4 * rank + suit)
    for i in range(2 if desk.has_jokers else 0):
        if desk.joker[i].rank >= 13 or desk.joker[i].place >= KLONDIKE_CARDS:
            numbers = f"rank {desk.joker[i].rank} and place {desk.joker[i].place}"
            raise ValueError(f"expected a possible joker, got {numbers}")
        if desk.joker[i].place >= 0:
            found &= ~(<uint64_t>1 << desk.joker[i].place)
        if desk.joker[i].place >= 0 or desk.joker[i].is_open_ace or desk.joker[i].is_out:
            found |= <uint64_t>1 << (KLONDIKE_CARDS + i)
    for i in range(KLONDIKE_COLUMNS):
        for j in range(desk.size[i]):
            unknown += note_card(&found, desk.card[i][j], cards, j < desk.hidden[i])
    for i in range(desk.stock_size):
        unknown += note_card(&found, desk.stock[i], cards, True)
    for i in range(desk.waste_size):
        unknown += note_card(&found, desk.waste[i], cards, i < desk.waste_size - 1)
    if count_bits(found) + unknown != cards:
        raise ValueError("expected each card once, got one twice or missing")


cdef int note_card(uint64_t* found, int card, int cards, bint may_be_unknown) except -1:
    """Add ``card`` of a deck of ``cards`` to the set ``found``. Returns 1 if it is unknown, else 0."""
    if card == UNSEEN:
        if not may_be_unknown:
            raise ValueError("expected known cards face up, got an unknown one")
        return 1
    if card >= cards:
        raise ValueError(f"expected cards of the deck, got {card}")
    if found[0] >> card & 1:
        raise ValueError("expected each card once, got one twice or missing")
    found[0] |= <uint64_t>1 << card
    return 0


cdef void read_condition(JokerCondition* condition, joker) except *:
    """Set ``condition`` to ``joker``, a `rules.joker.Joker`."""
    condition.rank = -1 if joker.rank is None else joker.rank
    condition.place = -1 if joker.place is None else joker.place
    condition.is_open_ace = joker.is_open_ace
    condition.is_out = joker.is_out


# --- Moves --------------------------------------------------------------------------------------------------

cdef PlainMove step_of(move, str family) except *:
    """Convert a move of a game of ``family`` to a PlainMove."""
    if family == "chessboard":
        target = FOUNDATION if move.target == OF_CHESSBOARD else NOWHERE if move.target < 0 else move.target
        return PlainMove(move.source, target, 1, -1, -1)
    if family == "simon":
        return PlainMove(move.source, move.target, move.count, -1, -1)
    suit, rank = move.suit, getattr(move, "rank", None)
    return PlainMove(
        move.source, move.target, move.count, -1 if suit is None else suit, -1 if rank is None else rank)


cdef bytearray steps_of(moves, str family):
    """Convert moves of a game of ``family`` to an array of PlainMove."""
    cdef bytearray room = bytearray(max(1, len(moves)) * sizeof(PlainMove))
    cdef PlainMove* steps = <PlainMove*><char*>room
    for i, move in enumerate(moves):
        try:
            steps[i] = step_of(move, family)
        except (AttributeError, OverflowError, TypeError):
            raise ValueError(f"expected a move of the game, got {move}") from None
    return room


cdef list moves_of(const PlainMove* steps, int count, str family, rules):
    """Convert an array of ``count`` PlainMoves to moves of ``rules``, the module of a game of ``family``."""
    cdef int i
    if family == "simon":
        return [rules.Move(steps[i].source, steps[i].target, steps[i].count) for i in range(count)]
    if family == "chessboard":
        return [
            rules.Move(steps[i].source, OF_CHESSBOARD if steps[i].target == FOUNDATION else steps[i].target)
            for i in range(count)
        ]
    return [move_of(steps[i], rules) for i in range(count)]


cdef object move_of(PlainMove step, rules):
    """Convert a PlainMove to a move of ``rules``, which is `rules.joker` or `rules.klondike`."""
    suit = None if step.suit < 0 else step.suit
    if step.rank < 0:
        return rules.Move(step.source, step.target, step.count, suit)
    return rules.Move(step.source, step.target, step.count, suit, step.rank)
