"""Assertions that only the checked build evaluates (see setup.py); the usual build omits them."""

cdef extern from *:
    """
    #include <assert.h>
    #ifdef NDEBUG
    #define WINNABLE_IS_CHECKED 0
    #else
    #define WINNABLE_IS_CHECKED 1
    #endif
    """
    const bint IS_CHECKED "WINNABLE_IS_CHECKED"     # guards checks that need more than one expression
    void invariant "assert"(bint holds) noexcept nogil
