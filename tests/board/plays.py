"""Games played by the tests of the socket session."""

from functools import cache

from winnable.board.socket_session import Settings
from winnable.rules import find_variant
from winnable.solver import Limits, solve

QUICK = Settings(Limits(seconds=1, megabytes=200))


@cache
def losing_move(name, seed):
    """Moves from the deal on, the last of which loses the win."""
    variant = find_variant(name)
    state, made = variant.deal(seed), []
    for winning in solve(variant, state, shorten=0).moves:
        for move in variant.family.legal_moves(state):
            if solve(variant, variant.family.apply(state, move), shorten=0).verdict == "unwinnable":
                return [*made, str(move)]
        made.append(str(winning))
        state = variant.family.apply(state, winning)
    raise AssertionError("nothing loses")
