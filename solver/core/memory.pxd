"""Growing arrays, and memory in whole pages, huge ones if available: for large arrays with random access.

Freed pages return to the system at once, whereas `free` may keep memory for later calls of `malloc`. On Linux
pages move to a larger array without being copied, so that the old and the new array are never held together.
A block is in pages if it has 2 MB or more. Sizes of blocks are checked before they are narrowed to size_t,
which has 32 bits in WebAssembly.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #define WINNABLE_PAGE ((size_t)1 << 21)     /* a huge page; if there are none, madvise does nothing */
    static inline void* winnable_new_pages(size_t size) {
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
    static inline void winnable_free_pages(void* pages, size_t size) { munmap(pages, size); }
    static inline void winnable_prefer_huge(void* block, size_t size) {
        #ifdef MADV_HUGEPAGE
        size_t skipped = (WINNABLE_PAGE - (size_t)block % WINNABLE_PAGE) % WINNABLE_PAGE;
        if (size >= 2 * WINNABLE_PAGE)
            madvise((char*)block + skipped, (size - skipped) / WINNABLE_PAGE * WINNABLE_PAGE, MADV_HUGEPAGE);
        #endif
    }
    static inline size_t winnable_whole(size_t size) {      /* in pages, or 0 for a block without them */
        return size < WINNABLE_PAGE ? 0 : (size + WINNABLE_PAGE - 1) / WINNABLE_PAGE * WINNABLE_PAGE;
    }
    static inline void* winnable_new_block(unsigned long long size) {
        if (size > SIZE_MAX - WINNABLE_PAGE) return NULL;
        return winnable_whole(size) ? winnable_new_pages(winnable_whole(size)) : calloc(size, 1);
    }
    static inline void winnable_free_block(void* block, unsigned long long size) {
        if (winnable_whole(size)) munmap(block, winnable_whole(size)); else free(block);
    }
    static inline void* winnable_resize_block(void* block, unsigned long long before,
                                              unsigned long long size) {
        void* resized;
        if (size > SIZE_MAX - WINNABLE_PAGE) return NULL;
        if (!winnable_whole(size)) return realloc(block, size);
        if (winnable_whole(before)) {
            resized = mremap(block, winnable_whole(before), winnable_whole(size), MREMAP_MAYMOVE);
            if (resized == MAP_FAILED) return NULL;
            winnable_prefer_huge(resized, size);
            return resized;
        }
        resized = winnable_new_pages(winnable_whole(size));
        if (resized == NULL) return NULL;
        if (before) memcpy(resized, block, before);
        free(block);
        return resized;
    }
    #else
    #define winnable_new_block(size) ((size) > SIZE_MAX ? NULL : calloc(size, 1))
    #define winnable_free_block(block, size) free(block)
    #define winnable_resize_block(block, before, size) ((size) > SIZE_MAX ? NULL : realloc(block, size))
    #define winnable_new_pages(size) calloc(size, 1)
    #define winnable_free_pages(pages, size) free(pages)
    #define winnable_prefer_huge(block, size)
    #endif
    """
    # Allocate ``size`` bytes, a multiple of 2^21, set to zero; NULL if allocation fails.
    void* new_pages "winnable_new_pages"(uint64_t size) noexcept nogil
    void free_pages "winnable_free_pages"(void* pages, uint64_t size) noexcept nogil
    # Allocate a block of ``size`` bytes, set to zero; NULL if allocation fails.
    void* new_block "winnable_new_block"(uint64_t size) noexcept nogil
    void free_block "winnable_free_block"(void* block, uint64_t size) noexcept nogil
    # Grow a block of ``before`` bytes, or NULL, to ``size`` bytes; the new ones are not cleared. Returns NULL
    # and keeps the block if allocation fails.
    void* resize_block "winnable_resize_block"(void* block, uint64_t before, uint64_t size) noexcept nogil
    # Request huge pages for the whole pages within a block of `malloc`.
    void prefer_huge "winnable_prefer_huge"(void* block, uint64_t size) noexcept nogil

cdef enum:
    PAGE = 1 << 21          # bytes of a huge page

cdef inline uint64_t block_bytes(uint64_t size) noexcept nogil:
    """The memory that a block of ``size`` bytes takes: whole pages if it is in pages."""
    return size if size < PAGE else (size + PAGE - 1) // PAGE * PAGE

# --- Growing arrays ----------------------------------------------------------------------------------------

cdef inline bint resize(void* array, uint64_t count, uint64_t size) noexcept nogil:
    """Reallocate to ``count`` items of ``size`` bytes. Returns False, changing nothing, if allocation fails.

    ``array`` is the address of the pointer to the first item, which is NULL before the first allocation. Old
    items are kept; new ones are not cleared. Fails for sizes beyond size_t, which has 32 bits in WebAssembly.
    """
    cdef void* block
    if count * size > <uint64_t><size_t>-1:
        return False
    memcpy(&block, array, sizeof(block))    # the pointer may have any type
    block = realloc(block, count * size)
    if block == NULL:
        return False
    prefer_huge(block, count * size)
    memcpy(array, &block, sizeof(block))
    return True

cdef inline bint more_room(void* array, uint64_t* room, uint64_t least, uint64_t size,
                           uint64_t max_bytes) noexcept nogil:
    """Double the capacity ``room`` of an array, or make it ``least`` if it is 0. Returns False, changing
    nothing, if the old and the new array together exceed ``max_bytes``, or if allocation fails."""
    cdef uint64_t more = 2 * room[0] if room[0] else least
    if (room[0] + more) * size > max_bytes or not resize(array, more, size):
        return False
    room[0] = more
    return True
