"""Work of a search: its steps, weighted so that a unit takes about a microsecond.

Work is what limits and schedules of searches go by: it is the same on every machine, where time is not. All
weights are here, in thousandths of a unit, so that a weight is the nanoseconds of a step.

They were measured as processor time of one core of an AMD EPYC of 2026, the least of several runs, divided by
the number of steps, in the rows of `winnable bench`. They stay as they are on faster machines; another weight
makes another search.
"""

cdef enum:
    UNIT = 1000
    PASSED_NODE = 100           # looked at and not expanded, of any search

    # A state expanded, its successors included
    CHESSBOARD_STATE = 200
    CHESSBOARD_NODE = 1100      # of A*
    SIMON_CLASS = 300           # without
    SIMON_SUCCESSOR = 500       # its successors, each
    SIMON_LOOSE = 400           # of the relaxation with loose cards,
    SIMON_CARRIERS = 3000       # and that with carriers
    SIMON_POSITION = 1100
    SIMON_NODE = 6000           # of A*
    SIMON_BEAM_POSITION = 400   # of a beam, its successors included,
    SIMON_BEAM_CARD = 18        # and each card of the deal
    JOKER_CLASS = 530
    JOKER_ONE_PASS = 580
    JOKER_NODE = 900            # of A* without jokers,
    JOKER_LOOK = 200            # one looked at,
    JOKER_LANDMARKS = 1300      # and if its landmarks are too
    JOKER_PLAIN = 5000          # of A* with jokers
    JOKER_BEAM_STATE = 2500     # of a beam,
    JOKER_JUDGED = 3500         # and one whose landmarks are brought up to date
    KLONDIKE_STATE = 850
    KLONDIKE_BEAM = 1000        # of a beam,
    KLONDIKE_NODE = 1500        # of A*, beside
    KLONDIKE_GAME = 350         # a relaxed game, for its landmarks
    CERTIFIED = 1500            # a position that a certificate lists
