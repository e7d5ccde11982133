"""Arrays that grow, and pages for large ones."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy


cdef extern from *:
    """
    #if defined(__linux__)
    #include <sys/mman.h>
    #define WINNABLE_PAGE ((size_t)1 << 21)     /* a huge one; where there are none, the advice is refused */
    static void* winnable_new_pages(size_t size) {
        size_t whole = size + WINNABLE_PAGE, before;
        char* start = (char*)mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == (char*)MAP_FAILED) return NULL;
        before = (WINNABLE_PAGE - (size_t)start % WINNABLE_PAGE) % WINNABLE_PAGE;
        if (before) munmap(start, before);
        munmap(start + before + size, WINNABLE_PAGE - before);
        #ifdef MADV_HUGEPAGE
        madvise(start + before, size, MADV_HUGEPAGE);
        #endif
        return start + before;
    }
    static void winnable_free_pages(void* pages, size_t size) { munmap(pages, size); }
    #else
    #include <stdlib.h>
    #define winnable_new_pages(size) calloc(size, 1)
    #define winnable_free_pages(pages, size) free(pages)
    #endif
    """
    # Memory full of zeros, NULL if there is none; of a multiple of 2^21 bytes, in huge pages where there are.
    void* new_pages "winnable_new_pages"(uint64_t size) noexcept nogil
    void free_pages "winnable_free_pages"(void* pages, uint64_t size) noexcept nogil


cdef inline bint resize(void* array, uint64_t count, uint64_t size) noexcept nogil:
    """Have room for ``count`` things of ``size`` bytes; false, with nothing changed, if there is no memory.

    ``array`` is the address of the pointer to the first of them, NULL where there is none yet. What was there
    stays; what is new is not cleared.
    """
    cdef void* block
    memcpy(&block, array, sizeof(block))    # pointers to things of any kind
    block = realloc(block, count * size)
    if block == NULL:
        return False
    memcpy(array, &block, sizeof(block))
    return True


cdef inline uint64_t more_room(
    void* array, uint64_t room, uint64_t least, uint64_t size, uint64_t max_bytes
) noexcept nogil:
    """Have room for twice as many things as ``room``, or, where that is 0, for ``least``.

    The new room; 0, with nothing changed, if old and new together pass ``max_bytes``, or if there is no
    memory. See `resize`.
    """
    cdef uint64_t more = 2 * room if room else least
    if (room + more) * size > max_bytes or not resize(array, more, size):
        return 0
    return more
