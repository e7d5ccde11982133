"""Macro moves of joker and klondike-one-pass, played on the key of a state alone.

A macro turns some cards of the stock, declares jokers where they lie, then makes one play, after a lateral
move if it needs one; each elementary move but the lateral ones is a macro too. Cards name columns, so a macro
means the same however the columns are ordered. Nothing is checked: whoever makes a code answers for it.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.invariant cimport invariant
from .cards cimport DECLARED, GONE, OPEN_ACE, PLACED, UNDECLARED, XB, bit, colour_of, suits_of
from .packing cimport (
    DECLARE_LATE, EMPTY, FROM_WASTE, MOVE, NO_PLAY, RAISE, RAISE_JOKER, RAISE_OPEN, REMOVE_WASTE, declared_in,
    declares_in, mover_in, play_in, target_in, turns_in,
)
from .state cimport (
    IN_WASTE, NO_HIDDEN, ON_CARD, ClassKey, ClassLayout, ClassPosition, card_in, height_of, hidden_of,
    joker_field, raise_height, set_base, set_joker, top_slot, turned_of, unpack, waste_of,
)


cdef void perform(
    const ClassLayout* layout, const ClassPosition* p, uint32_t code, Child* child
) noexcept nogil:
    """The state after the macro ``code``."""
    cdef int play = play_in(code), card = mover_in(code), target = target_in(code)
    cdef int source = -1
    child.key = p.key
    child.score = p.score
    child.face_down = p.face_down
    child.waste_size = p.waste_size
    child.empty = p.empty
    child.out = p.out
    turn_and_declare(layout, child, code)
    if play == NO_PLAY:
        return
    if play == FROM_WASTE:
        take_from_waste(layout, child)
        put(layout, child, card, target)
    elif play == REMOVE_WASTE:
        take_from_waste(layout, child)
        set_joker(&child.key, card - XB, GONE, 0)
        child.out += 1
    else:
        if card < XB and not p.face & bit(card):
            take_from_waste(layout, child)
        elif p.bases & bit(card):
            source = p.column_of[card]
        play_card(layout, child, play, card, target)
        if source >= 0:
            turn_up(layout, child, source)
    if not layout.turned_only:
        exchange_waste(layout, child)


cdef inline void turn_and_declare(const ClassLayout* layout, Child* child, uint32_t code) noexcept nogil:
    """What a macro does before its play."""
    cdef int turns = turns_in(code), colour
    if turns:
        if code & DECLARE_LATE:
            turn(layout, child, turns - 1)
        else:
            turn(layout, child, turns)
            exchange_waste(layout, child)
    if declares_in(code):
        for colour in range(2):
            if declared_in(code, colour):
                declare(child, colour, declared_in(code, colour) - 1)
                if not layout.turned_only:
                    exchange_waste(layout, child)
    if turns and code & DECLARE_LATE:
        turn(layout, child, 1)
        exchange_waste(layout, child)


cdef void check_child(const ClassLayout* layout, const Child* child) noexcept nogil:
    """The invariants of a state: what was counted on the way to it is there, no card is in two places, and
    the score is no greater than the places."""
    cdef ClassPosition p
    unpack(layout, &child.key, &p)
    invariant(child.score == p.score and child.face_down == p.face_down and child.waste_size == p.waste_size)
    invariant(child.empty == p.empty and child.out == p.out)
    invariant(p.score <= layout.places and 0 <= p.empty <= layout.columns and p.turned <= layout.slots)
    invariant(p.open & ~(p.face | bit(XB) | bit(XB + 1)) == 0)
    invariant(p.deep & ~p.bases == 0)


cdef inline void play_card(
    const ClassLayout* layout, Child* child, int play, int card, int target
) noexcept nogil:
    """The play of a macro that takes its card from a column, or goes up."""
    if play == MOVE:
        put(layout, child, card, target)
    elif play == RAISE:
        go_up(layout, child, card)
    elif play == RAISE_JOKER:
        set_joker(&child.key, card - XB, PLACED, 4 * height_of(&child.key, target) + target)
        raise_height(&child.key, target, 1)
        child.score += 1
    elif play == RAISE_OPEN:
        set_joker(&child.key, card - XB, OPEN_ACE, 0)
        child.score += 1
    else:
        set_joker(&child.key, card - XB, GONE, 0)
        child.out += 1


cdef inline void turn(const ClassLayout* layout, Child* child, int count) noexcept nogil:
    """Turn so many cards, without the exchange that may follow."""
    cdef int turned = turned_of(&child.key), slot
    child.key.w[2] += (<uint64_t>count) << 22
    child.waste_size += count
    if (layout.stock_from[turned] ^ layout.stock_from[turned + count]) >> XB == 0:
        child.key.w[1] |= (bit(count) - 1) << turned
        return
    for slot in range(turned, turned + count):
        if layout.slot_card[slot] >= XB:
            lay_joker_on_waste(layout, child, layout.slot_card[slot] - XB)
        else:
            child.key.w[1] |= bit(slot)


cdef inline void lay_joker_on_waste(const ClassLayout* layout, Child* child, int colour) noexcept nogil:
    """A joker takes the lowest slot above the cards there, so that equal wastes have equal keys."""
    cdef int slot = top_slot(waste_of(layout, &child.key)) + 1
    child.key.w[1] |= bit(slot)
    set_joker(&child.key, colour, IN_WASTE, slot)


cdef inline void take_from_waste(const ClassLayout* layout, Child* child) noexcept nogil:
    """The top of the waste leaves it."""
    child.key.w[1] ^= bit(top_slot(waste_of(layout, &child.key)))
    child.waste_size -= 1


cdef inline void declare(Child* child, int colour, int rank) noexcept nogil:
    """An undeclared joker in a column gets its rank."""
    cdef int where = joker_field(&child.key, colour) >> 3
    set_joker(&child.key, colour, DECLARED, rank | where << 4)


cdef void put(const ClassLayout* layout, Child* child, int card, int target) noexcept nogil:
    """Lay a card, with what lies on it, on a card of the other colour or on an empty column; a joker takes
    the rank needed there."""
    cdef int colour = colour_of(card), rank
    if target == EMPTY:
        child.empty -= 1
        if card < XB:
            child.key.w[0] &= ~bit(card)
        else:
            set_joker(&child.key, colour, DECLARED, layout.ranks - 1 | NO_HIDDEN << 4)
        return
    if card < XB:
        child.key.w[0] |= bit(card)
        return
    rank = target >> 2
    if target >= XB:
        rank = joker_field(&child.key, 1 - colour) >> 3 & 15
    set_joker(&child.key, colour, DECLARED, rank - 1 | ON_CARD << 4)


cdef void go_up(const ClassLayout* layout, Child* child, int card) noexcept nogil:
    """A natural to its foundation; a deuce may settle an open ace."""
    cdef int suit = card & 3, colour = colour_of(card)
    cdef bint is_open_ace = joker_field(&child.key, colour) & 7 == OPEN_ACE
    child.key.w[0] &= ~bit(card)
    child.score += 1
    if height_of(&child.key, suit) != card >> 2:
        set_joker(&child.key, colour, PLACED, suit)
        raise_height(&child.key, suit, 2)
        return
    raise_height(&child.key, suit, 1)
    if is_open_ace and card < 4 and not ace_missing(layout, &child.key, colour):
        child.score -= 1        # where the waste is exchanged when turned only: all its places are filled


cdef bint ace_missing(const ClassLayout* layout, const ClassKey* key, int colour) noexcept nogil:
    """Whether a foundation of this colour is empty."""
    cdef int which, suit
    for which in range(2):
        suit = suits_of(colour, which)
        if layout.suits >> suit & 1 and height_of(key, suit) == 0:
            return True
    return False


cdef void turn_up(const ClassLayout* layout, Child* child, int column) noexcept nogil:
    """C1, C2: the face-up cards of a column have left."""
    cdef int hidden, card, where
    if column == NO_HIDDEN:
        child.empty += 1
        return
    hidden = hidden_of(layout, &child.key, column) - 1
    child.key.w[1] -= (<uint64_t>1) << layout.hidden_shift[column]
    child.face_down -= 1
    card = layout.buried[column][hidden]
    where = column if hidden > 0 else NO_HIDDEN
    if not layout.jokers:
        return
    set_base(layout, &child.key, column, 0)
    if card >= XB:
        set_joker(&child.key, card - XB, UNDECLARED, where)
    elif stands_for(&child.key, card):
        exchange(layout, child, card, UNDECLARED, where)


cdef inline void exchange_waste(const ClassLayout* layout, Child* child) noexcept nogil:
    """C3: the top of the waste."""
    cdef int slot, card
    if not layout.jokers:
        return
    slot = top_slot(waste_of(layout, &child.key))
    if slot >= 0:
        card = card_in(layout, &child.key, slot)
        if card < XB and stands_for(&child.key, card):
            exchange(layout, child, card, IN_WASTE, slot)
            child.key.w[1] ^= bit(slot)
            lay_joker_on_waste(layout, child, colour_of(card))


cdef inline bint stands_for(const ClassKey* key, int natural) noexcept nogil:
    """Whether a joker stands for a natural that is not up."""
    cdef int field = joker_field(key, colour_of(natural))
    if field & 7 == DECLARED:
        return field >> 3 & 15 == natural >> 2
    if field & 7 == PLACED:
        return field >> 3 == natural
    return field & 7 == OPEN_ACE and natural < 4


cdef void exchange(
    const ClassLayout* layout, Child* child, int natural, int kind, int argument
) noexcept nogil:
    """A natural and the joker that stands for it change places; the joker's new condition is given."""
    cdef int colour = colour_of(natural), field = joker_field(&child.key, colour), where
    if field & 7 == OPEN_ACE:
        raise_height(&child.key, natural & 3, 1)
    elif field & 7 == DECLARED:
        where = field >> 7
        if where < NO_HIDDEN:
            set_base(layout, &child.key, where, natural + 1)
        if where == ON_CARD:
            child.key.w[0] |= bit(natural)
    set_joker(&child.key, colour, kind, argument)
