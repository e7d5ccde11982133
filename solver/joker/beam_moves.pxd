"""The moves that the beam search makes of a plain state; see beam_moves.pyx."""

from .plain cimport PlainGame, PlainMove

cdef int likely_moves(const PlainGame* game, PlainMove* moves) noexcept nogil
cdef bint find_safe(const PlainGame* game, PlainMove* safe) noexcept nogil


cdef inline bint is_lateral(const PlainGame* game, PlainMove step) noexcept nogil:
    """Whether a move from column to column leaves face-up cards behind."""
    return game.size[step.source] - step.count > game.hidden[step.source]
