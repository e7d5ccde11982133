/* winnable: a library that decides deals of solitaire games. No Python, no global state.

   An engine belongs to one thread. Any other thread may call `winnable_stop` and `winnable_progress_of`. */
#ifndef WINNABLE_H
#define WINNABLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WINNABLE_MOST_CARDS = 104, WINNABLE_MOST_COLUMNS = 14 };

typedef struct winnable winnable;       /* an engine for one game */

typedef enum { WINNABLE_LOST, WINNABLE_WON, WINNABLE_UNDECIDED } winnable_verdict;

/* The limit that ended a search, or 0. INTERRUPTED: by `winnable_stop`, or by the function called at polls. */
typedef enum {
    WINNABLE_NO_LIMIT, WINNABLE_NODES, WINNABLE_SECONDS, WINNABLE_MEMORY, WINNABLE_INTERRUPTED, WINNABLE_WORK
} winnable_reason;

/* What a search does at the moment. */
typedef enum {
    WINNABLE_SEARCH, WINNABLE_DEPTH_FIRST, WINNABLE_BREADTH_FIRST, WINNABLE_BEST_FIRST, WINNABLE_RELAXATION,
    WINNABLE_POSITIONS, WINNABLE_BEAM, WINNABLE_A_STAR, WINNABLE_SAMPLING
} winnable_stage;

typedef struct {                /* limits of a search; UINT64_MAX and negative seconds: no limit */
    uint64_t nodes;             /* states expanded */
    uint64_t bytes;
    uint64_t work;              /* in units of about a microsecond, the same on every machine */
    double seconds;             /* by the clock */
} winnable_limits;

typedef struct {                /* a move; columns are numbered from 0, other places as below */
    int8_t source, target;
    int8_t count;               /* cards */
    int8_t suit;                /* 0 to 3, of the foundation that a card comes from or a joker goes to, or -1 */
    int8_t rank;                /* 0 to 12, as which a joker is declared, or -1 */
} winnable_move;

enum {                          /* places of moves other than columns; OUT and IN_PLACE are moves of jokers */
    WINNABLE_STOCK = -1, WINNABLE_WASTE = -2, WINNABLE_FOUNDATION = -3, WINNABLE_OUT = -4, WINNABLE_IN_PLACE = -5
};

typedef struct {                /* a joker of Joker Solitaire */
    int8_t rank;                /* as which it is declared, or -1 */
    int8_t place;               /* the card whose place on the foundations it takes, or -1 */
    uint8_t is_open_ace, is_out;
} winnable_joker;

/* Any position of any game. Fields that a game does not have are 0. A card is 4 * rank + suit, with ranks
   from 0, the ace, and suits in the order clubs, diamonds, hearts, spades; jokers are 52 and 53. */
typedef struct {
    uint8_t ranks;              /* of the deck, 1 to 13 */
    uint8_t suits;              /* bit s: the deck has suit s */
    uint8_t columns;
    uint8_t size[WINNABLE_MOST_COLUMNS];
    uint8_t hidden[WINNABLE_MOST_COLUMNS];      /* face-down cards of each column */
    uint8_t card[WINNABLE_MOST_COLUMNS][WINNABLE_MOST_CARDS];   /* the last card is the top */
    uint8_t stock_size, waste_size;
    uint8_t stock[WINNABLE_MOST_CARDS];         /* in the order of turning */
    uint8_t waste[WINNABLE_MOST_CARDS];         /* the last card is the top */
    uint8_t up[4];              /* cards on each foundation */
    int8_t base;                /* base rank of the foundations, -1 if it is not chosen */
    uint8_t draw;               /* cards drawn at once */
    uint8_t passes;             /* 0: unlimited */
    uint8_t redeals;            /* made so far */
    uint8_t backward;           /* cards may come back from the foundations */
    uint8_t has_jokers;
    uint8_t turned_only, any_removal;           /* rule options of Joker */
    winnable_joker joker[2];
} winnable_table;

typedef struct {                /* an answer; -1 where a number does not apply */
    uint64_t expanded;          /* states whose successors were generated */
    uint64_t generated;         /* successors generated, repeated ones included */
    uint64_t work;              /* as in `winnable_limits`, rounded up */
    int32_t verdict, reason;
    int32_t moves;              /* length of the line, which `winnable_line` copies */
    int32_t lower_bound;        /* on the length of any line */
    int32_t score, score_bound; /* the greatest number of cards up that was found, and that is possible */
    uint8_t exact;              /* the score is the greatest possible one */
    uint8_t shortest;           /* no line is shorter */
    uint8_t replays;            /* the line was replayed by a second implementation of the rules */
    uint8_t fault;              /* an array of fixed size overflowed: a bug, and the answer is void */
} winnable_answer;

typedef struct {                /* figures of a running search; -1: not known */
    uint64_t expanded, bytes;   /* states of all searches of the engine; memory held */
    uint64_t work;              /* of all searches of the engine */
    int32_t stage, score, moves, lower_bound;
} winnable_progress;

/* Called by the searching thread several times a second. Returns 0 to end the search. */
typedef int (*winnable_ask)(void* context);

/* Called with each shorter line and each greater lower bound. Returns 0 to end the search. */
typedef int (*winnable_listen)(void* context, const winnable_answer*);

/* The name of game `number` of the library, counted from 0; NULL for a greater number. */
const char* winnable_name(int number);

/* An engine for the game `name`, with no limits and deal 1 laid out. NULL: no such game, or no memory. */
winnable* winnable_open(const char* name);
void winnable_close(winnable*);                                     /* NULL is allowed */

void winnable_set_limits(winnable*, const winnable_limits*);        /* of each search from now on */
void winnable_on_poll(winnable*, winnable_ask, void* context);      /* NULL: nothing is called */
void winnable_stop(winnable*);                                      /* ends this search and all later ones */
void winnable_progress_of(const winnable*, winnable_progress*);

/* Lay out the deal of a seed, a shuffled deck in the order of dealing, or any position. Deals have the rule
   options of the last position loaded, at first the usual ones. Each returns 1, or 0, changing nothing but
   the position, if the game has no such deck or position. */
int winnable_deal(winnable*, uint64_t seed);
int winnable_lay(winnable*, const uint8_t* cards, int count);
int winnable_load(winnable*, const winnable_table*);

/* Decide the position; returns the verdict. In games with tiers, find the greatest score. */
int winnable_solve(winnable*, winnable_answer*);
/* Find the most cards that can be up, in Klondike; 0 if the game has no such search. */
int winnable_score(winnable*, winnable_answer*);
/* Find a shortest line from the position. `line` wins or reaches a score, or is NULL for the line that
   `winnable_solve` just found, whose limits then go on. Returns 1; 0 if there is no such line, if it is illegal or,
   in a game without tiers or scores, does not win; -1 without memory. `answer` is written if it returns 1. */
int winnable_shorten(winnable*, const winnable_move* line, int count, winnable_listen, void* context,
                     winnable_answer*);
/* Shorten `line`, which wins, as far as the limit on work allows, in the Simon games. Returns as
   `winnable_shorten`; 0 if the game has no such search. */
int winnable_optimize(winnable*, const winnable_move* line, int count, winnable_answer*);
/* Copy the first `room` moves of the line of the last answer; returns its length. */
int winnable_line(const winnable*, winnable_move*, int room);

#ifdef __cplusplus
}
#endif
#endif
