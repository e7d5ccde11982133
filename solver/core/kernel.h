/* The state that all searches share. */
#ifndef WINNABLE_KERNEL_H
#define WINNABLE_KERNEL_H

#include "../winnable.h"

typedef struct winnable_game winnable_game;

enum { WINNABLE_UNIT = 1000 };  /* work of a search is counted in thousandths of a unit; see work.pxd */

struct winnable {               /* the first field of the struct of each family */
    uint64_t expanded;          /* states whose successors were generated */
    uint64_t generated;         /* successors generated, repeated ones included */
    winnable_reason reason;     /* the limit that ended the search early */
    uint64_t last_node;         /* value of `expanded` at which the node or work limit is reached */
    winnable_limits limits;
    uint64_t max_work;          /* in thousandths of a unit, like all work in searches; see work.pxd */
    uint64_t end_of_turn;       /* value of the work done at which the present turn or the search ends */
    uint64_t weight;            /* work per state expanded at the present stage */
    uint64_t worked;            /* work done when `expanded` was `weighed` */
    uint64_t weighed;
    uint64_t worked_before;     /* work of earlier searches */
    double deadline;            /* seconds of the monotonic clock; negative if there is no time limit */
    volatile int stopped;       /* set by any thread */
    winnable_ask ask;
    void* asker;
    const winnable_game* game;  /* NULL for searches that are no part of the library */
    winnable_table table;       /* the last deal, with the rule options of the last position loaded */
    uint8_t deck[WINNABLE_MOST_CARDS];          /* of the game, in the order in which the dealer shuffles it */
    void (*note)(winnable*);    /* sets the figures below, before each poll; may be NULL */
    int has_line;               /* the last search of the position loaded found a line, which was replayed */
    int wanted;                 /* a score that suffices, in games with tiers; 0: the greatest */

    /* What other threads read: plain numbers, no pointers of the search. */
    winnable_stage stage_now;
    uint64_t earlier;           /* states expanded by earlier searches */
    uint64_t uncounted;         /* states expanded that limits and results do not count */
    uint64_t bytes_held;        /* memory in use, at the last poll */
    uint64_t bytes_beside;      /* the part of it used by searches outside the kernel */
    int score_now;              /* best score at the last poll; -1 if not known */
    int moves_now, lower_bound_now;     /* length and lower bound at the last poll; -1 if not known */
};
#endif
