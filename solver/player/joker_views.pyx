"""Information sets of the Joker player, and determinizations.

An information set is what a person sees: a `Position` with `UNSEEN` in the place of each card that is face
down in a column, or in the stock. A table may tell some of these cards, and may leave some under the top of
the waste untold. A move that turns a card up needs one there: the true one where the game is played or the
card is known, a sample where the player searches. A player is given information sets and never the true game.

The unseen cards are equally likely to lie in any order, because every card that was seen was turned up
without regard to its value. A sample is a shuffle of the unseen cards in ascending order, not in their true
one: otherwise it would be a function of the true order, and so would be the moves of a player.

"""

# optimised: searches spend their time here

from libc.string cimport memcpy, memset

from ..joker.cards cimport DECLARED, GONE, PLACED, UNDECLARED, XB, bit
from ..core.border cimport read_condition
from ..core.desk cimport JokerCondition
from ..joker.position cimport base_of, cards_up, condition_of, deal_game, face_up, find_face, stock_left

from ...rules.cards import UNKNOWN, with_article
from ...rules.choices import not_implemented
from ...rules.joker_view import View
from ...rules.klondike import View as KlondikeView
from ...rules.tables import fields_seen, missing_cards, unknown_places
from .player import PLAYS_JOKER

cdef enum:
    DEALT = 28          # cards of the columns
    MOST_HIDDEN = 21    # of them
    LONGEST = 16        # face-up cards of a column, which alternate from a king down to an ace
    DEEPEST = 8         # face-down cards of a column
    RANKS = 13
    SUITS = 15          # a bit each

cdef uint64_t ALL_CARDS = ((<uint64_t>1) << MOST) - 1


cdef void hide(const Position* truth, Position* seen) noexcept nogil:
    """Hide the cards that a person does not see."""
    cdef int column
    seen[0] = truth[0]
    for column in range(COLUMNS):
        memset(seen.card[column], UNSEEN, seen.hidden[column])
    memset(seen.stock + seen.turned, UNSEEN, stock_left(seen))


cdef uint64_t hash_of(const Position* p) noexcept nogil:
    """Hash all that a person sees to 64 bits, the place of each column included.

    Among the 10^5 positions that the search of a game meets, two share them with a chance of about 10^-9.
    """
    cdef uint64_t sum = p.face, word
    cdef const uint8_t* up
    cdef int i, j
    for i in range(COLUMNS):
        word = face_up(p, i) + 16 * p.hidden[i]
        up = cards_up(p, i)
        for j in range(face_up(p, i)):
            word = word << 6 | up[j]
            if j & 7 == 7:
                sum = mixed(sum, word)
                word = 0
        sum = mixed(sum, word)
    word = p.turned
    for i in range(p.waste_size):
        word = word << 6 | p.waste[i]
        if i & 7 == 7:
            sum = mixed(sum, word)
            word = 1
    sum = mixed(sum, word)
    word = 0
    for i in range(4):
        word = word << 4 | p.height[i]
    for i in range(2):
        word = word << 4 | p.condition[i]
        word = word << 4 | (p.value[i] + 1 if p.condition[i] == DECLARED else 0)
        word = word << 6 | (p.value[i] if p.condition[i] == PLACED else 0)
    word |= <uint64_t>(p.turned_only | p.any_removal << 1) << 44
    return mixed(mixed(sum, word), p.waste_size)


cdef int unturned_of(const Position* p, uint8_t* cards) noexcept nogil:
    """Write the cards that have not been turned up in ascending order; return their number."""
    return write_cards(ALL_CARDS & ~turned_up(p), cards)


cdef int unseen_of(const Position* p, uint8_t* cards) noexcept nogil:
    """Write the unseen cards in ascending order, without those known from a table. Returns their number."""
    cdef uint64_t seen = turned_up(p)
    cdef int column, i
    for column in range(COLUMNS):
        for i in range(p.hidden[column]):
            seen |= bit(p.card[column][i])
    for i in range(p.turned, p.stock_size):
        seen |= bit(p.stock[i])
    return write_cards(ALL_CARDS & ~seen, cards)


cdef inline int write_cards(uint64_t found, uint8_t* cards) noexcept nogil:
    cdef int i, count = 0
    for i in range(MOST):
        if found >> i & 1:
            cards[count] = i
            count += 1
    return count


cdef inline uint64_t turned_up(const Position* p) noexcept nogil:
    """Return the cards that have been turned up: face up in columns, in the waste, on foundations, and jokers
    on foundations or out of play."""
    cdef uint64_t seen = 0
    cdef int suit, colour, column, i
    for suit in range(4):
        for i in range(p.height[suit]):
            seen |= bit(4 * i + suit)
    for colour in range(2):
        if p.condition[colour] != UNDECLARED:
            seen |= bit(XB + colour)
    for colour in range(2):
        if p.condition[colour] == PLACED:
            seen &= ~bit(p.value[colour])
    seen |= p.face
    for column in range(COLUMNS):
        if face_up(p, column) > 0:
            seen |= bit(base_of(p, column))  # it may be an undeclared joker
    for i in range(p.waste_size):
        seen |= bit(p.waste[i])
    return seen


cdef void sample(Position* p, const uint8_t* cards, int count, SplitMix* chance) noexcept nogil:
    """Put the unseen cards, as `unseen_of` writes them, in their places in a random order."""
    cdef uint8_t mixed_up[MOST]
    cdef int column, i, taken = 0
    memcpy(mixed_up, cards, count)
    shuffle(mixed_up, count, chance)
    for column in range(COLUMNS):
        for i in range(p.hidden[column]):
            fill(&p.card[column][i], mixed_up, &taken)
    for i in range(p.stock_size - 1, p.turned - 1, -1):
        fill(&p.stock[i], mixed_up, &taken)
    for i in range(p.waste_size):
        fill(&p.waste[i], mixed_up, &taken)


cdef inline void fill(uint8_t* place, const uint8_t* cards, int* taken) noexcept nogil:
    """Put the next card into a place whose card is not seen."""
    if place[0] == UNSEEN:
        place[0] = cards[taken[0]]
        taken[0] += 1


# --- Loading --------------------------------------------------------------------------------------------

cdef void deal(Position* truth, const Desk* dealt) noexcept nogil:
    """Begin the deal ``dealt``. The rule options of ``truth`` are kept."""
    cdef bint turned_only = truth.turned_only, any_removal = truth.any_removal
    deal_game(truth, dealt, RANKS, SUITS)
    truth.turned_only = turned_only
    truth.any_removal = any_removal
    truth.condition[0] = truth.condition[1] = UNDECLARED if truth.stock_size == MOST - DEALT else GONE


def check_view(view):
    """Raise TypeError for anything but a view of joker or klondike-one-pass, ValueError for rule options that
    the player does not know, and for a view that a position cannot hold."""
    if not isinstance(view, (View, KlondikeView)) or view.variant not in PLAYS_JOKER:
        kind = view.variant if isinstance(view, KlondikeView) else type(view).__name__
        raise TypeError(f"expected a view of joker or klondike-one-pass, got {with_article(kind)}")
    if rules := not_implemented(PLAYS_JOKER, view.variant, view.choices):
        raise ValueError(f"there is no player for {rules}")
    jokers = view.jokers if view.variant == "joker" else ()
    if len(view.columns) != COLUMNS or len(view.hidden) != COLUMNS:
        raise ValueError(f"expected {COLUMNS} columns, got {len(view.columns)}")
    for column, cards in enumerate(view.columns):
        if len(cards) > LONGEST or not 0 <= view.hidden[column] < DEEPEST:
            limits = f"fewer than {DEEPEST} face-down cards and at most {LONGEST} on them"
            counts = f"{view.hidden[column]} and {len(cards)}"
            raise ValueError(f"column {column + 1}: expected {limits}, got {counts}")
    if sum(view.hidden) > MOST_HIDDEN:
        raise ValueError(f"expected at most {MOST_HIDDEN} face-down cards, got {sum(view.hidden)}")
    stock = (MOST if view.variant == "joker" else XB) - DEALT
    if not 0 <= view.stock <= stock or len(view.waste) > stock - view.stock:
        counts = f"{view.stock} and {len(view.waste)}"
        raise ValueError(f"expected at most {stock} cards of stock and waste, got {counts}")
    cards = [card for pile in (*view.columns, view.waste) for card in pile]
    if not all([0 <= card < MOST or view.table is not None and card == UNKNOWN for card in cards]):
        raise ValueError("expected cards of the deck, got another")
    if len(view.foundations) != 4 or not all([0 <= height <= 13 for height in view.foundations]):
        raise ValueError(f"foundations: expected four heights up to 13, got {view.foundations}")
    for joker in jokers:
        if not 0 <= (joker.rank or 0) < 13 or not 0 <= (joker.place or 0) < XB:
            raise ValueError(f"expected a possible joker, got {joker}")


def covered_cards(view):
    """Return the face-down cards of each column of ``view``, its stock and its waste, with `UNSEEN` for each
    unknown card. Raises ValueError if ``view.table``, with the cards known besides, contradicts the view."""
    table = view.table
    if table is None:
        stock = getattr(view, "known_stock", ()) or (UNSEEN,) * view.stock
        return [(UNSEEN,) * hidden for hidden in view.hidden], stock, view.waste
    below = [cards[:hidden] for cards, hidden in zip(table.columns, view.hidden, strict=True)]
    fields = (view.variant, view.columns, view.hidden, view.stock, view.waste, view.foundations)
    if fields_seen(table) != fields or tuple(map(len, below)) != view.hidden:
        raise ValueError("expected the table of the view, got another")
    found = [card for cards in (*below, table.stock) for card in cards if card != UNKNOWN]
    if not all([0 <= card < MOST for card in found]):
        raise ValueError("expected cards of the deck, got another")
    if len(missing_cards(table)) != len(unknown_places(table)):
        raise ValueError("expected each card once, got one twice or missing")
    columns = [tuple([UNSEEN if card == UNKNOWN else card for card in cards]) for cards in below]
    stock, waste = [
        tuple([UNSEEN if card == UNKNOWN else card for card in cards]) for cards in (table.stock, table.waste)
    ]
    return columns, stock, waste


cdef void load(Position* p, view) except *:
    """Load a view of joker or klondike-one-pass. Raises TypeError for anything else, and ValueError for a
    view whose numbers of cards cannot occur in play."""
    cdef JokerCondition condition
    check_view(view)
    below, in_stock, waste = covered_cards(view)
    memset(p, 0, sizeof(Position))
    p.columns = COLUMNS
    p.ranks = RANKS
    p.suits = SUITS
    for i, column in enumerate(view.columns):
        p.hidden[i] = view.hidden[i]
        p.size[i] = view.hidden[i] + len(column)
        for j, card in enumerate((*below[i], *column)):
            p.card[i][j] = card
    for i, height in enumerate(view.foundations):
        p.height[i] = height
    p.stock_size = (MOST if view.variant == "joker" else XB) - DEALT
    p.turned = p.stock_size - view.stock
    memset(p.stock, UNSEEN, sizeof(p.stock))
    for i, card in enumerate(in_stock, p.turned):
        p.stock[i] = card
    p.waste_size = len(waste)
    for i, card in enumerate(waste):
        p.waste[i] = card
    p.condition[0] = p.condition[1] = GONE
    if view.variant == "joker":
        for i, joker in enumerate(view.jokers):
            read_condition(&condition, joker)
            p.condition[i] = condition_of(&condition)
            p.value[i] = joker.rank if p.condition[i] == DECLARED else joker.place or 0
        p.turned_only = view.choices.exchange == "turned"
        p.any_removal = view.choices.removal == "exposed"
    find_face(p)
