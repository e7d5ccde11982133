"""Work of a search: its steps, weighted so that a unit takes about a microsecond.

Work is what limits and schedules of searches go by: it is the same on every machine, where time is not. All
weights are here, in thousandths of a unit, so that a weight is the nanoseconds of a step.

They were measured as processor time of one core of an AMD EPYC of 2026, the least of several runs, divided by
the number of steps: of verdicts and shortest lines in the rows of `winnable bench`, of beams and bounds by
`python -m benchmarks.gap`. They stay as they are on faster machines; another weight is another search.
"""

cdef enum:
    UNIT = 1000
    PASSED_NODE = 100           # looked at and not expanded, of any search

    # A state expanded, its successors included.
    CHESSBOARD_STATE = 100
    CHESSBOARD_NODE = 1000      # of A*
    SIMON_CLASS = 1700
    SIMON_LOOSE = 1000
    SIMON_CARRIERS = 10000
    SIMON_POSITION = 500
    SIMON_NODE = 10000          # of A*
    JOKER_CLASS = 470
    JOKER_ONE_PASS = 550
    JOKER_NODE = 2000           # of A*
    KLONDIKE_STATE = 900
    KLONDIKE_BEAM = 1000        # of a beam
    KLONDIKE_NODE = 1500        # of A*, beside
    KLONDIKE_GAME = 350         # a relaxed game, for its landmarks
