"""Work of a search: its steps, weighted so that a unit takes about a microsecond.

Limits and schedules of searches count work instead of time, since work is the same on every machine. This
module has all weights, in thousandths of a unit; a weight is thus about the nanoseconds of a step.

The weights were measured in the rows of `winnable bench` as the processor time of one core of an AMD EPYC of
2026, the least of several runs, divided by the number of steps. They are not adapted to other machines:
changing a weight changes the searches.
"""

cdef enum:
    UNIT = 1000
    PASSED_NODE = 100           # a node of any search that is skipped instead of expanded

    # The weight of an expanded state includes generating its successors, unless a comment says otherwise.
    CHESSBOARD_STATE = 200
    CHESSBOARD_NODE = 1100      # a node of A*
    CHESSBOARD_POSITION = 200   # a position in search of the most cards up
    SIMON_CLASS = 300           # a class, without successors
    SIMON_SUCCESSOR = 500       # a successor of a class
    SIMON_LOOSE = 400           # a state of relaxation R0 (loose cards)
    SIMON_CARRIERS = 3000       # a state of relaxation R2 (carriers)
    SIMON_POSITION = 1100
    SIMON_NODE = 6000           # a node of A*
    SIMON_CONFLICT = 3000       # a branch of the bound by conflicts
    SIMON_BEAM_POSITION = 400   # a position of a beam
    SIMON_BEAM_CARD = 18        # added to it for each card of the deal
    JOKER_CLASS = 530
    JOKER_ONE_PASS = 580
    JOKER_NODE = 900            # a node of A* without jokers
    JOKER_LOOK = 200            # a node of A* without jokers that is taken from the queue
    JOKER_LANDMARKS = 1300      # a bound by landmarks for such a node
    JOKER_EXACT = 5000          # a node of A* with jokers
    JOKER_BEAM_STATE = 2500     # a state of a beam
    JOKER_JUDGED = 3500         # a bound by landmarks for a state of a beam
    KLONDIKE_STATE = 850
    KLONDIKE_BEAM = 1000        # a state of a beam
    KLONDIKE_NODE = 1500        # a node of A*, without landmarks
    KLONDIKE_GAME = 350         # a relaxed game solved to find landmarks
    CERTIFIED = 1500            # a position listed in a certificate
