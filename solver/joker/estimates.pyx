"""What the queues of the best-first search are ordered by: two sets of weights a game, found by trials."""

# A queue is followed for 2 to the power of so many states, then the other.
PHASES = {"joker": 8, "klondike-one-pass": 0}

# For each queue those of score, face-down cards, waste, cards turned, empty columns and jokers out of play.
WEIGHTS = {
    "joker": ((4, -12, -2, -1, 3, -16), (0, -12, -24, 0, 3, -8)),
    "klondike-one-pass": ((4, -12, -4, 0, 3, 0), (4, -12, -2, -1, 3, 0)),
}


cdef void set_estimates(Estimates* estimates, variant) except *:
    """Order the queues as is best for a game, given by its name."""
    estimates.phase = PHASES[variant]
    for i, weights in enumerate(WEIGHTS[variant]):
        for j, weight in enumerate(weights):
            estimates.weights[i][j] = weight
