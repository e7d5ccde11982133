"""Bit operations on words, and a hash of two words.

Compilers other than gcc and clang use their own intrinsics.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    #include <stdlib.h>
    static inline int winnable_lowest_bit(unsigned long long word) {
        unsigned long index;
        _BitScanForward64(&index, word);
        return (int)index;
    }
    static inline int winnable_highest_bit(unsigned long long word) {
        unsigned long index;
        _BitScanReverse64(&index, word);
        return (int)index;
    }
    #define winnable_count_bits(word) ((int)__popcnt64(word))
    #define winnable_swap_bytes(word) _byteswap_uint64(word)
    #define winnable_prefetch(address) _mm_prefetch((const char*)(address), _MM_HINT_T0)
    #else
    #define winnable_lowest_bit(word) __builtin_ctzll(word)
    #define winnable_highest_bit(word) (63 - __builtin_clzll(word))
    #if defined(__x86_64__) && !defined(__POPCNT__)
    /* without that instruction, which not all such processors have, the builtin is a call */
    static inline int winnable_count_bits(unsigned long long word) {
        word -= word >> 1 & 0x5555555555555555;
        word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
        return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56);
    }
    #else
    #define winnable_count_bits(word) __builtin_popcountll(word)
    #endif
    #define winnable_swap_bytes(word) __builtin_bswap64(word)
    #define winnable_prefetch(address) __builtin_prefetch(address)
    #endif
    """
    int lowest_bit "winnable_lowest_bit"(uint64_t word) noexcept nogil
    int highest_bit "winnable_highest_bit"(uint64_t word) noexcept nogil
    int count_bits "winnable_count_bits"(uint64_t word) noexcept nogil
    uint64_t swap_bytes "winnable_swap_bytes"(uint64_t word) noexcept nogil
    void prefetch_at "winnable_prefetch"(const void* address) noexcept nogil

cdef inline uint64_t hash_words(uint64_t low, uint64_t high) noexcept nogil:
    """Hash of a key of two words, by the low bits of which it belongs into a table.

    A bit of a product depends on no higher bits of its factors. So the bytes are swapped: what depends on
    nearly all of the key comes first.
    """
    return swap_bytes(low * <uint64_t>0xD6E8FEB86659FD93 + high * <uint64_t>0x9E3779B97F4A7C15)

cdef inline int take_bit(uint64_t* bits) noexcept nogil:
    """Clear the lowest bit of a word, which is not 0, and return its number."""
    cdef int bit = lowest_bit(bits[0])
    bits[0] &= bits[0] - 1
    return bit
