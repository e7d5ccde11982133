/* winnable: a library that decides deals of solitaire games, and plays them. No Python, no global state.

   An engine holds a position of one game. Lay out a deal, load a position or read one as text; then search it, or
   play moves: the engine then holds the position after them. An engine belongs to one thread; any other thread may
   call `winnable_stop` and `winnable_progress_of`. Engines share nothing, so each thread may have its own.

   Functions that can fail return a `winnable_code`, WINNABLE_OK if all went well; `winnable_message` says in words
   what was expected and what was given. A function that failed has changed nothing but the message, with one
   exception: after `winnable_shorten` or `winnable_optimize` refused a line, `winnable_line` has none. If an engine
   or a result is NULL, a function returns WINNABLE_MISUSE, or 0 if it returns a number. */
#ifndef WINNABLE_H
#define WINNABLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WINNABLE_VERSION "4.0.0"

enum { WINNABLE_MOST_CARDS = 104, WINNABLE_MOST_COLUMNS = 14 };

/* Sizes of arrays that always suffice: for the legal moves of any position, a position as text, a move as text. */
enum { WINNABLE_MOST_MOVES = 1600, WINNABLE_TEXT_SIZE = 2048, WINNABLE_MOVE_SIZE = 16 };

typedef struct winnable winnable;       /* an engine */

typedef enum {
    WINNABLE_OK,
    WINNABLE_MISUSE,            /* NULL, or a negative number, where the function does not take it */
    WINNABLE_NO_MEMORY,
    WINNABLE_BAD_OPTION,        /* the game has no such rule option, or the option no such value */
    WINNABLE_BAD_DECK,          /* not the cards of the game */
    WINNABLE_BAD_POSITION,      /* not a position of the game, or one that its searches cannot start from */
    WINNABLE_BAD_TEXT,          /* the text cannot be read as a position, or as a move */
    WINNABLE_BAD_MOVE,          /* not a legal move of the position */
    WINNABLE_BAD_LINE,          /* a move of the line is illegal, or it does not win where it must, or there is none */
    WINNABLE_NO_SEARCH          /* the game has no such search */
} winnable_code;

typedef enum { WINNABLE_LOST, WINNABLE_WON, WINNABLE_UNDECIDED } winnable_verdict;

/* The limit that ended a search, or 0. INTERRUPTED: `winnable_stop` was called, or a callback returned 0. */
typedef enum {
    WINNABLE_NO_LIMIT, WINNABLE_NODES, WINNABLE_SECONDS, WINNABLE_MEMORY, WINNABLE_INTERRUPTED, WINNABLE_WORK
} winnable_reason;

/* The stage of a running search. */
typedef enum {
    WINNABLE_SEARCH, WINNABLE_DEPTH_FIRST, WINNABLE_BREADTH_FIRST, WINNABLE_BEST_FIRST, WINNABLE_RELAXATION,
    WINNABLE_POSITIONS, WINNABLE_BEAM, WINNABLE_A_STAR, WINNABLE_SAMPLING
} winnable_stage;

typedef struct {                /* limits of a search; UINT64_MAX and negative seconds: no limit */
    uint64_t nodes;             /* states expanded; beams, which shorten lines of the Simon games, do not count them */
    uint64_t bytes;
    uint64_t work;              /* in units of about a microsecond, the same on every machine */
    double seconds;             /* by the clock */
} winnable_limits;

typedef struct {                /* a move; columns are numbered from 0, other places as below */
    int8_t source, target;
    int8_t count;               /* cards */
    int8_t suit;                /* 0 to 3, of the foundation that a card comes from or a joker goes to, or -1 */
    int8_t rank;                /* the rank that a joker is declared to have, 0 to 12, or -1 */
} winnable_move;

enum {                          /* places other than columns. A joker goes OUT of play, or is declared IN_PLACE */
    WINNABLE_STOCK = -1, WINNABLE_WASTE = -2, WINNABLE_FOUNDATION = -3, WINNABLE_OUT = -4, WINNABLE_IN_PLACE = -5
};

typedef struct {                /* a joker of Joker Solitaire */
    int8_t rank;                /* its declared rank, or -1 */
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
    uint8_t turned_only, any_removal;           /* rule options of Joker: 1 for Exchange: turned, Removal: exposed */
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

/* Called by the searching thread several times a second. Returns 0 to end the search, as `winnable_stop` does. */
typedef int (*winnable_ask)(void* context);

/* Called with each shorter line and each greater lower bound. Returns 0 to end the search. */
typedef int (*winnable_listen)(void* context, const winnable_answer*);

/* --- The library ------------------------------------------------------------------------------------------- */

/* The version of the library, WINNABLE_VERSION of the header that it was compiled with. */
const char* winnable_version(void);

/* The name of game `number` of the library, counted from 0; NULL for any other number. */
const char* winnable_name(int number);

/* --- Engines ----------------------------------------------------------------------------------------------- */

/* An engine for the game `name`, with no limits and deal 1 laid out. NULL: no such game, or no memory. */
winnable* winnable_open(const char* name);
void winnable_close(winnable*);                                     /* NULL is allowed */

/* What the last function that failed found wrong, in words; empty at first. It stays until another one fails. */
const char* winnable_message(const winnable*);

/* The rule options of the game: the name of option `number`, counted from 0; the values of an option, separated by
   spaces; the value that is chosen, at first the usual one. NULL: no such option. */
const char* winnable_option(const winnable*, int number);
const char* winnable_values(const winnable*, const char* option);
const char* winnable_value(const winnable*, const char* option);

/* Choose the value of a rule option, for deals laid out from now on. The present position stays as it is.
   WINNABLE_BAD_OPTION: no such option or value. */
int winnable_choose(winnable*, const char* option, const char* value);

/* Set the limits of each search from now on. */
int winnable_set_limits(winnable*, const winnable_limits*);

/* In joker and klondike-one-pass, end a search once this score is reached, 1 to 52; with 0, as at first, it looks for
   the greatest one. WINNABLE_MISUSE: another number; WINNABLE_NO_SEARCH: another game. */
int winnable_set_goal(winnable*, int score);

/* Call `ask` with `context` during searches; NULL: nothing is called. */
int winnable_on_poll(winnable*, winnable_ask ask, void* context);

/* End the running search, and each later one when it begins, until `winnable_resume`. */
void winnable_stop(winnable*);
void winnable_resume(winnable*);

/* Figures of the searches, also while one runs; they may be of slightly different moments. */
int winnable_progress_of(const winnable*, winnable_progress*);

/* --- Positions --------------------------------------------------------------------------------------------- */

/* Lay out the deal of a seed, which is the same in all versions; or a shuffled deck in the order of dealing; or any
   position. A deck has every card of the game: else WINNABLE_BAD_DECK. WINNABLE_BAD_POSITION if cards are missing or
   doubled, if the face-up cards of a column are not in sequence in a game with a stock, or if the searches cannot
   start from the position. `winnable_load` also chooses the rule options that the position has. */
int winnable_deal(winnable*, uint64_t seed);
int winnable_lay(winnable*, const uint8_t* cards, int count);
int winnable_load(winnable*, const winnable_table*);

/* Lay out a position given as text, as `winnable_text` writes it: comments such as "# game: joker" and "# seed: 3",
   then "Ranks:" and "Suits:" of a short deck, rule options such as "Draw: 1", a line for each column with its top
   card last ("7H 6S", face-down cards as "<7H>", an empty column ":"), and "Foundations:", "Stock:", "Waste:",
   "Removed:", "Redeals:". A text without foundations and marks is a deal; a rule option that it does not state has
   its usual value, whatever was chosen for deals. Lines may end in CR LF; a blank line ends the position.
   WINNABLE_BAD_TEXT: the message names the line; WINNABLE_BAD_POSITION as above. */
int winnable_read(winnable*, const char* text);

/* Copy the position. */
int winnable_position(const winnable*, winnable_table*);

/* Write the position as text, with its seed if that is known, and the number of moves made since. Both functions
   write at most `size` bytes with the final 0, and return the length of the whole text without it. */
int winnable_text(const winnable*, char* text, int size);
int winnable_move_text(const winnable*, const winnable_move*, char* text, int size);

/* Returns 1 if the seed of the deal is known, and copies it and the number of moves made since; else returns 0. */
int winnable_origin(const winnable*, uint64_t* seed, int* moves);

/* Cards on the foundations; in the Simon games, cards that have left in runs; in Joker, places that are filled. */
int winnable_cards_up(const winnable*);

/* Whether all cards are up. (In Joker `winnable_cards_up` says which tiers are reached: 15, 25 and 52.) */
int winnable_is_won(const winnable*);

/* --- Moves ------------------------------------------------------------------------------------------------- */

/* Copy the first `room` legal moves of the position; returns their number. */
int winnable_legal(const winnable*, winnable_move*, int room);

/* Make a move. WINNABLE_BAD_MOVE: it is not one of those that `winnable_legal` lists. */
int winnable_play(winnable*, const winnable_move*);

/* Read a legal move of the position: "7S 10-3", from column 10 to column 3, or to the foundations, "7S 10-f"; the next
   card of the stock, "s-w"; a card of a foundation back, "7S fS-3"; jokers, "XB 3=7", "XB 3-fS" and "XB 3-x". Card,
   source or target may be left out if one legal move fits. WINNABLE_BAD_TEXT: this is not a move; WINNABLE_BAD_MOVE:
   no legal move fits, or several. */
int winnable_read_move(winnable*, const char* text, winnable_move*);

/* --- Searches ---------------------------------------------------------------------------------------------- */

/* Decide the position; in Joker and one-pass Klondike, find the greatest score. If a limit ended the search, the
   answer has what was proved until then, and the `reason`. */
int winnable_solve(winnable*, winnable_answer*);

/* Find the most cards that can be up, in Chessboard, Fortress and Klondike with redeals; the verdict stays
   WINNABLE_UNDECIDED. WINNABLE_NO_SEARCH: the game has no such search. */
int winnable_score(winnable*, winnable_answer*);

/* Find a shortest line from the position. `line` is a line that wins, or, in all games but the Simon games, one that
   ends with as many cards up as the shortest one is to reach. NULL stands for the line that `winnable_solve` just
   found; what that search used then counts towards the limits. `listen`, unless NULL, is called with each shorter
   line, which `winnable_line` copies, with each greater bound, and at the end.
   WINNABLE_BAD_LINE: a move is illegal, the line does not win in a Simon game, or none was just found. */
int winnable_shorten(winnable*, const winnable_move* line, int count, winnable_listen listen, void* context,
                     winnable_answer*);

/* Shorten `line`, which wins, in the Simon games, by beam searches that grow wider, until a limit is reached (that on
   nodes does not apply) or the widest has ended; `reason` stays 0. WINNABLE_BAD_LINE: it does not win;
   WINNABLE_NO_SEARCH: another game. */
int winnable_optimize(winnable*, const winnable_move* line, int count, winnable_answer*);

/* Copy the first `room` moves of the line of the last answer; returns its length, 0 if the position has changed. */
int winnable_line(const winnable*, winnable_move*, int room);

#ifdef __cplusplus
}
#endif
#endif
