"""One deal of a batch as a row of a NumPy array."""

import numpy as np

VERDICTS = ("unwinnable", "winnable", "undecided")
OUTCOMES = ("lost", "won", "unfinished")
UNWINNABLE, WINNABLE, UNDECIDED = LOST, WON, UNFINISHED = range(3)

RECORD = np.dtype(
    [
        ("seed", np.uint64),
        ("expanded", np.uint64),
        ("generated", np.uint64),
        ("microseconds", np.uint64),
        ("moves", np.int32),
        ("lower_bound", np.int32),
        ("score", np.int16),
        ("score_bound", np.int16),
        ("verdict", np.int8),
        ("reason", np.int8),
        ("shortest", np.int8),
        ("exact", np.int8),
    ]
)
"""Record of one deal of a batch, in 48 bytes.

``seed`` is the number of the deal. ``expanded`` and ``generated`` count states; ``microseconds`` is processor
time of dealing, searching and replaying. ``moves`` is the length of the line found and ``lower_bound`` what
no winning line can undercut, -1 where there is none. ``score`` and ``score_bound`` are -1 in games without
scores. ``verdict`` indexes `VERDICTS` and ``reason`` `result.REASONS`. ``shortest`` and ``exact`` are 1 only
where proved.

Where a deal was not decided but played by a player, ``verdict`` indexes `OUTCOMES`: an unfinished game was
broken off by a limit before it was won. ``score`` is what the player reached, and as nothing is proved
``score_bound`` and ``exact`` are -1; ``expanded`` are the samples that it drew, ``generated`` its decisions.
"""
