"""A relaxed game of one-pass Klondike, and its cores: sets of cards one of which makes a move of its own.

Every line turns the whole stock, if all places are to be filled, and puts up all cards. Its other moves are
extra ones; the deepest card that moves is the head. In the relaxed game from a position some cards are free:
they make extra moves at no cost, others make none. What has come about once stays: that a card is up; that it
left its place; that it was open, on top of a column; that a column was empty.

- A card is accessible if it is face up and the card that lay on it has left, or on top of the waste.
- An accessible card goes up if all lower ones of its suit are up.
- A free card that is face up or on top of the waste leaves its place, and what lies on it goes along, if
  a card that carries it was open, other than the one it lies on, or for the top rank if a column was empty.
- So a free card that went up straight from the waste was open as soon as there was such a place.
- When the last dealt card that is face up in a column has left, the next one is turned up, or the column is
  empty. A card of the top rank that is up has emptied one.
- Only when nothing else can be done a card is turned.

*If a line wins in which all heads of extra moves are free, the relaxed game is won.* Compare what is so after
a number of turns in the line, and in the relaxed game just before it turns once more: whatever is up, has
left, was open or empty in the line is so in the relaxed game, move by move. For a card leaves its place in
the line where it is accessible, or goes along with a head. What covers it in the line it was dealt there, or
came there by an extra move; the latter is no matter here. The waste here holds only cards that the line's
holds: one that leaves it there is its top, so here all above it have left; the place that it took there was
open. Since turns are put off and nothing is taken back, the order of the rest does not matter.

Without the fourth rule it would: a card that goes up in time never is open, where the line has put it on a
column for the sake of what it carries there. With ranks A to 4 of C and H, 2H | 2C 3C, stock AH 3H AC 4C 4H,
the relaxed game would be lost, but 4H may wait in the first column for 3C, and all 8 places can be filled.

A *core* of a position is a set of cards such that the relaxed game is lost if all but these are free. Every
line makes an extra move with a head in each of them, so that there are at least as many extra moves as cores
without a card in common. After moves with no head in a core it is a core still: the relaxed game from
before reaches what is so after these moves, and has no fewer facts. So a position inherits those cores of the
one before it that do not hold the head of the move made.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from ..core.bits cimport count_bits, highest_bit, lowest_bit
from .cards cimport MAX_COLUMNS, bit
from .onepass cimport black_ranks, carried, carriers, red_ranks

cdef struct Relaxed:
    uint64_t up
    uint64_t face           # face up in columns once
    uint64_t left           # their places: cards that are not up
    uint64_t covered        # by a card that has not left
    uint64_t open           # once
    uint64_t bases          # dealt cards that are the last ones face up in their columns
    uint64_t waiting        # free cards that went up from the waste and were not open yet
    uint64_t straight       # other cards that went up from the waste
    uint64_t waste          # slots
    int turned
    bint emptied            # a column was
    uint8_t dealt[MAX_COLUMNS]  # cards left in each column


cdef inline void begin(const OnePassPosition* p, Relaxed* game) noexcept nogil:
    """What is so in a position."""
    game.up = p.up
    game.face = p.face
    game.left = 0
    game.covered = p.covered
    game.open = p.face & ~p.covered
    game.bases = p.bases
    game.waiting = game.straight = 0
    game.waste = p.waste
    game.turned = p.turned
    game.emptied = p.empty > 0
    memcpy(game.dealt, p.left, MAX_COLUMNS)


cdef inline uint64_t movers(
    const OnePassLayout* layout, const OnePassPosition* p, Relaxed* game, uint64_t free, uint64_t top
) noexcept nogil:
    """The free cards that leave their places now; those for which something was waiting are open then."""
    cdef uint64_t cards = (free & ~(game.left | game.up) & (game.face | top)) | game.waiting
    cdef uint64_t placed
    if cards == 0:
        return 0
    placed = cards & (
        (black_ranks(game.open) >> 4) * 6 | (red_ranks(game.open) >> 4) * 9
        | (layout.top_rank if game.emptied else 0)
    )
    return placed & ~(p.runs & ~carried(game.open, ~p.second))


cdef inline void leave(
    const OnePassLayout* layout, const OnePassPosition* p, Relaxed* game, uint64_t cards, uint64_t free,
    uint64_t top
) noexcept nogil:
    """Cards leave their places; ``top`` is the one on top of the waste."""
    cdef uint64_t rest = cards & game.bases, beneath
    cdef int card, column
    if cards & game.up & layout.top_rank:
        game.emptied = True
    if cards & top:
        game.waste ^= bit(highest_bit(game.waste))
        if not game.up & top:
            game.face |= top
            game.open |= top
        elif free & top:
            game.waiting |= top
        else:
            game.straight |= top
    game.bases ^= rest
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        column = layout.column_of[card]
        game.dealt[column] -= 1
        if game.dealt[column]:
            beneath = bit(layout.dealt[column][game.dealt[column] - 1])
            game.bases |= beneath
            game.face |= beneath
            game.open |= beneath
        else:
            game.emptied = True
    beneath = carriers(cards & p.runs, p.second)
    game.covered &= ~beneath
    game.open |= beneath


cdef inline uint64_t play_out(
    const OnePassLayout* layout, const OnePassPosition* p, Relaxed* game, uint64_t free
) noexcept nogil:
    """Do all that can be done without a turn: the card on top of the waste then."""
    cdef uint64_t top, cards, opened
    while True:
        top = bit(layout.slot_card[highest_bit(game.waste)]) if game.waste else 0
        cards = (game.up << 4 | 15) & ((game.face & ~game.covered) | top) & ~game.up
        if cards:
            game.up |= cards
        else:
            cards = movers(layout, p, game, free, top)
            if cards == 0:
                return top
            opened = cards & game.waiting
            game.open |= opened
            game.waiting ^= opened
            cards ^= opened
            game.left |= cards
        leave(layout, p, game, cards, free, top)


cdef bint relaxed_wins(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t free, uint64_t* touched
) noexcept nogil:
    """Whether the relaxed game fills all places if the cards ``free`` are free. If not, ``touched`` are those
    cards that are not free and would have made a difference: all others may be free too."""
    cdef Relaxed game
    cdef uint64_t top
    begin(p, &game)
    touched[0] = 0
    while True:
        top = play_out(layout, p, &game, free)
        if layout.present & ~game.up == 0:
            return True
        touched[0] |= (game.face & ~(game.up | game.left)) | top
        if game.turned == layout.slots:
            touched[0] = (touched[0] | game.straight) & ~free
            return False
        game.waste |= bit(game.turned)
        game.turned += 1


cdef uint64_t core_among(
    const OnePassLayout* layout, const OnePassPosition* p, uint64_t cards
) noexcept nogil:
    """A core within ``cards``, which are one, of which no card can be spared; empty if the relaxed game is
    lost in any case."""
    cdef uint64_t core = 0, rest, touched
    cdef int low, high, middle
    relaxed_wins(layout, p, ~cards, &touched)
    cards &= touched
    while True:
        rest = cards & ~core
        low = 0
        high = count_bits(rest)
        middle = 0
        while low < high:       # the least number of cards that are a core with those found
            if relaxed_wins(layout, p, ~(core | first_of(rest, middle)), &touched):
                low = middle + 1
            else:
                high = middle
            middle = (low + high) // 2
        if high == 0:
            return core
        cards = first_of(rest, high)
        core |= bit(highest_bit(cards))


cdef inline uint64_t first_of(uint64_t cards, int count) noexcept nogil:
    """So many of the lowest ``cards``."""
    cdef uint64_t rest = cards
    while count > 0:
        rest &= rest - 1
        count -= 1
    return cards ^ rest


cdef int least_turns(const OnePassLayout* layout, const OnePassPosition* p) noexcept nogil:
    """The number of turns with which the relaxed game reaches the goal if all cards are free: no line needs
    less. NEVER if it does not reach it."""
    cdef Relaxed game
    begin(p, &game)
    while True:
        play_out(layout, p, &game, ~<uint64_t>0)
        if count_bits(game.up & layout.deck) >= layout.goal:
            return game.turned - p.turned
        if game.turned == layout.slots:
            return NEVER
        game.waste |= bit(game.turned)
        game.turned += 1
