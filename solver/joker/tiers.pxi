"""Compiled tiers of `rules.tiers`: the number of filled foundation places that each needs."""

cdef enum:
    TIERS = 3           # win, double, triple; each includes those before it
    WIN = 15            # least filled places of a win
    DOUBLE = 25         # least filled places of a double; a triple needs all places

cdef inline int tiers_of(int score, int places) noexcept nogil:
    """Return the number of tiers, 0 to TIERS, that ``score`` reaches in a deck of ``places`` foundation
    places."""
    if score == places:
        return TIERS
    return 2 if score >= DOUBLE else 1 if score >= WIN else 0

cdef inline int least_score(int tiers, int places) noexcept nogil:
    """Return the least score that reaches ``tiers`` tiers, 0 to TIERS, in a deck of ``places`` foundation
    places."""
    cdef int least = 0 if tiers == 0 else WIN if tiers == 1 else DOUBLE if tiers == 2 else places
    return min(least, places)
