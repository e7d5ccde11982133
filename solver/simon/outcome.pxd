"""How a search for a win ends."""

cdef enum Outcome:
    LOST = 0        # searched through
    WON = 1
    OPEN = 2        # ended by its own number of nodes, or by the kernel's limits
    FULL = 3        # ended by memory
