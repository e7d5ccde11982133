"""The tiers of `rules.tiers`, compiled: the foundation places that each of them needs."""

cdef enum:
    TIERS = 3           # win, double, triple; each is reached with those before it
    WIN = 15            # the places from which a win begins
    DOUBLE = 25         # and a double; a triple is all there are

cdef inline int tiers_of(int score, int places) noexcept nogil:
    """Number of tiers that a score in a deck of ``places`` foundation places reaches: 0 for none to TIERS."""
    if score == places:
        return TIERS
    return 2 if score >= DOUBLE else 1 if score >= WIN else 0

cdef inline int least_score(int tiers, int places) noexcept nogil:
    """The least score that reaches so many tiers, 0 to TIERS, in a deck of ``places`` foundation places."""
    cdef int least = 0 if tiers == 0 else WIN if tiers == 1 else DOUBLE if tiers == 2 else places
    return min(least, places)
