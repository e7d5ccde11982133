/* The state that all searches share. */
#ifndef WINNABLE_KERNEL_H
#define WINNABLE_KERNEL_H

#include "../winnable.h"

typedef struct winnable_family winnable_family;         /* see winnable.c */

typedef struct {
    const char* name;
    const winnable_family* of;
    int number;                 /* in the family */
    int cards, columns;
    uint8_t sizes[WINNABLE_MOST_COLUMNS];
    winnable_table rules;       /* a table without cards; rule options have their usual values */
    int has_runs;               /* whether complete runs leave the columns, and nothing goes to foundations */
} winnable_game;

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
    winnable_table table;       /* the last deal, with the rule options chosen */
    winnable_table now;         /* the position */
    uint64_t seed;              /* of the deal from which the position comes, if `has_seed` */
    int has_seed;
    int made;                   /* moves since that deal */
    char message[256];          /* see `winnable_message` */
    uint8_t deck[WINNABLE_MOST_CARDS];          /* of the game, in the order in which the dealer shuffles it */
    void (*note)(winnable*);    /* sets the figures below, before each poll; may be NULL */
    int has_answer;             /* there was a search of the position, whose line may be read */
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

/* Set the message of `engine` to `text`, with the next argument in the place of each %s, a string, and %d, an int;
   returns `code`. */
int winnable_fail(winnable* engine, int code, const char* text, ...);

/* The number of the game called `name` in its family, if `table` is a position of it as in play, else -1. Sets the
   fields of `table` that the game does not have to 0. */
int winnable_number_of(const char* name, winnable_table* table);

/* The value of a rule option in `table`, a position of `game`; NULL if the game has no such option. */
const char* winnable_value_in(const winnable_game* game, const winnable_table* table, const char* option);

/* Set a rule option of `table`; 0 if the game has no such option or value. */
int winnable_set_value(const winnable_game* game, winnable_table* table, const char* option, const char* value);
#endif
