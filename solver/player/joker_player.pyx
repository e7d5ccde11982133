"""The player of joker and klondike-one-pass in the library of searches."""

# optimised: searches spend their time here

include "../joker/parts.pxi"
include "tree.pxi"
include "joker_views.pxi"
include "joker_moves.pxi"
include "value.pxi"
include "joker_search.pxi"


cdef public Player* joker_player() noexcept nogil:
    """A new player, which its function ``free`` frees; NULL if allocation fails."""
    cdef JokerPlayer* self = new_joker_player()
    return NULL if self == NULL else &self.thinker.player
