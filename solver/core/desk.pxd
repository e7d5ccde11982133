"""Positions and moves of all games as plain numbers; desk.pxi reads and writes them."""

from libc.stdint cimport int8_t, uint8_t

cdef extern from "winnable.h" nogil:    # which says what the fields mean
    enum:
        MOST_CARDS "WINNABLE_MOST_CARDS"
        MOST_COLUMNS "WINNABLE_MOST_COLUMNS"
        FOUNDATION "WINNABLE_FOUNDATION"

    ctypedef struct JokerCondition "winnable_joker":
        int8_t rank, place
        bint is_open_ace, is_out

    ctypedef struct Desk "winnable_table":
        uint8_t ranks, suits, columns
        uint8_t size[MOST_COLUMNS]
        uint8_t hidden[MOST_COLUMNS]
        uint8_t card[MOST_COLUMNS][MOST_CARDS]
        uint8_t stock_size, waste_size
        uint8_t stock[MOST_CARDS]
        uint8_t waste[MOST_CARDS]
        uint8_t up[4]
        int8_t base
        uint8_t draw, passes, redeals
        bint backward, has_jokers, turned_only, any_removal
        JokerCondition joker[2]

    ctypedef struct PlainMove "winnable_move":  # -1 for a suit or rank that is None
        int8_t source, target, count, suit, rank
