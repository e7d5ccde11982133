"""The player of Klondike with redeals in the library of searches."""

# optimised: searches spend their time here

include "../klondike/parts.pxi"
include "tree.pxi"
include "klondike_position.pxi"
include "klondike_search.pxi"


cdef public Player* klondike_player() noexcept nogil:
    """A new player, which its function ``free`` frees; NULL if allocation fails."""
    cdef KlondikePlayer* self = new_klondike_player()
    return NULL if self == NULL else &self.thinker.player
