"""Remedies of errors: what a caller could give otherwise.

The same message is read in Python, on the command line, in answers of the engine and on the page of the
board. So it has no words of only one of them; each may add its own words for the remedies.
"""

BY_ROWS, UNKNOWN_CARDS, GAME = "by rows", "unknown cards", "game"
"""Reading a table row by row, or as one with unknown cards; naming the game."""


class MendableError(ValueError):
    """An error with ``remedies``, constants of this module."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__(problem)
        self.remedies = remedies
