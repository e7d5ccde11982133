"""Dead-end detection by delete relaxation: a game in which whatever was once possible stays possible."""

# optimised: searches spend their time here

from libc.stdint cimport uint64_t

from ..core.bits cimport highest_bit
from .state cimport Layout, Position, bit, cards_in, next_of, open_cards, take_bit, types_of


cdef uint64_t cards_up(const Layout* layout, bint relaxed, const Position* p) noexcept nogil:
    """Return the cards that go up in the delete relaxation: no other ever does (Theorem K5).

    The sets of the relaxation only grow: cards that were up, or next; cards that were face up, or bases;
    types of which some card was bare; whether a column was empty; slots that could be played, or were. Once
    no card is face down and all slots can be played, all cards go up by their ranks.
    """
    cdef uint64_t bare = p.bare, up = p.up, due = p.next, face = p.face, bases = p.bases, found, fits, goes
    cdef uint64_t opened = open_cards(layout, relaxed, p), was_played = 0, fresh, cards, before
    cdef bint empty = p.empty > 0, grows = True
    cdef int card, face_down = p.face_down
    cards = cards_in(layout, opened)
    while grows:
        grows = False
        found = due & (cards | (face & bare))
        while found:
            grows = True
            up |= found
            bare |= types_of(found & face & ~layout.kings) << 4
            if found & face & layout.kings:
                empty = True
            due = (due & ~found) | next_of(found) & layout.all
            found = due & (cards | (face & bare))
        fits = bare >> 4 | (layout.kings if empty else 0)
        goes = fits | up
        found = bases & goes
        while found:
            grows = True
            card = take_bit(&found)
            bases ^= bit(card)
            if layout.row_of[card] == 0:
                empty = True
                continue
            face_down -= 1
            card = layout.card_below[card]
            face |= bit(card)
            bare |= types_of(bit(card))
            bases |= bit(card)
            found |= bit(card) & goes
        if opened != p.slots:
            found = cards & goes
            fresh = 0
            while found:
                fresh |= bit(layout.slot_of[take_bit(&found)])
            fresh &= ~was_played
            if fresh:
                grows = True
                was_played |= fresh
                opened |= p.slots & ~(((fresh & -fresh) << 1) - 1)
                while fresh:
                    before = p.slots & ((fresh & -fresh) - 1)
                    if before:
                        opened |= bit(highest_bit(before))
                    fresh &= fresh - 1
                cards = cards_in(layout, opened)
        if face_down == 0 and opened == p.slots:
            return layout.all
        found = types_of((cards | (up & layout.deck if layout.backward else 0)) & fits)
        if found & ~bare:
            bare |= found
            grows = True
    return up
