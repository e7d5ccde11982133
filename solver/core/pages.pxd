"""Memory in pages of its own, huge ones if available: for large arrays with random access.

Such memory is there and gone at once. What `malloc` has it may keep.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(__linux__)
    #include <sys/mman.h>
    #define WINNABLE_PAGE ((size_t)1 << 21)     /* a huge one; where there are none, the advice is refused */
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
    #else
    #include <stdlib.h>
    #define winnable_new_pages(size) calloc(size, 1)
    #define winnable_free_pages(pages, size) free(pages)
    #define winnable_prefer_huge(block, size)
    #endif
    """
    # Memory full of zeros, NULL if there is none; of a multiple of 2^21 bytes, in huge pages where there are.
    void* new_pages "winnable_new_pages"(uint64_t size) noexcept nogil
    void free_pages "winnable_free_pages"(void* pages, uint64_t size) noexcept nogil
    # Have the large part of a block of `malloc` in huge pages, where there are.
    void prefer_huge "winnable_prefer_huge"(void* block, uint64_t size) noexcept nogil
