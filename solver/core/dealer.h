/* The dealer of seeds: the same deals as rules/deals.py, 100 times as fast. */
#ifndef WINNABLE_DEALER_H
#define WINNABLE_DEALER_H

#include "kernel.h"

#include <string.h>

typedef struct { uint64_t state; } winnable_chance;     /* of the generator SplitMix64 */

/* The next 64 bits of the generator. */
static inline uint64_t winnable_draw(winnable_chance* chance) {
    uint64_t z = chance->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* An unbiased number below `bound` < 2^32, by multiply-high with rejection. A draw is rejected if the low half
   of its product is below 2^64 mod bound. That modulus is smaller than the bound, so it is computed only if the
   low half is below the bound. */
static inline uint32_t winnable_below(winnable_chance* chance, uint64_t bound) {
    for (;;) {
        uint64_t x = winnable_draw(chance), low = x * bound;
        if (low >= bound || low >= (0 - bound) % bound)
            return (uint32_t)(((x >> 32) * bound + ((x & 0xFFFFFFFFu) * bound >> 32)) >> 32);
    }
}

/* Shuffle cards in place by Fisher-Yates from the last position down. */
static inline void winnable_shuffle(uint8_t* cards, int count, uint64_t seed) {
    winnable_chance chance = {seed};
    for (int i = count - 1; i > 0; i--) {
        uint32_t j = winnable_below(&chance, (uint64_t)i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

/* Lay out shuffled cards row by row in columns of `sizes`; the rest becomes the stock. If the cards run out, the
   columns stay shorter than their sizes. All else in `table` stays as it is. */
static inline void winnable_lay_out(winnable_table* table, const uint8_t* cards, int count,
                                    const uint8_t* sizes, int columns) {
    int next = 0, before = -1;
    table->columns = (uint8_t)columns;
    memset(table->size, 0, sizeof table->size);
    for (int row = 0; next > before; row++) {
        before = next;
        for (int column = 0; column < columns; column++)
            if (row < sizes[column] && next < count) {
                table->card[column][row] = cards[next++];
                table->size[column] = (uint8_t)(row + 1);
            }
    }
    table->stock_size = (uint8_t)(count - next);
    memcpy(table->stock, cards + next, (size_t)(count - next));
}
#endif
