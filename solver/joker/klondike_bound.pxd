"""An upper bound of the score without jokers; see klondike_bound.pyx."""

from .klondike_state cimport KlondikeLayout, KlondikePosition

cdef int klondike_bound(const KlondikeLayout* layout, const KlondikePosition* p, int enough) noexcept nogil
