"""Positions as tables of the library, in bytes."""

from winnable.solver.core.border cimport read_state
from winnable.solver.core.desk cimport Desk


def table_of(state, str family):
    """The bytes of the winnable_table of ``state``, of a game of ``family``."""
    cdef Desk desk
    read_state(&desk, state, family)
    return (<char*>&desk)[:sizeof(Desk)]
