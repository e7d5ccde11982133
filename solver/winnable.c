/* The table of games, the dealer of seeds, and the functions of winnable.h that all families share. */
#include "core/dealer.h"

#include <string.h>

/* --- The families -------------------------------------------------------------------------------------------- */

/* What the kernel of a family provides; see FAMILY/FAMILY.pyx. */
typedef struct {
    winnable* (*open)(int number);              /* of the game in its family; NULL without memory */
    void (*close)(winnable*);
    /* Load a position. The second implementation of the rules loads it too, or lays out `cards` by itself. */
    int (*load)(winnable*, const winnable_table*, const uint8_t* cards, int count);
    void (*solve)(winnable*, winnable_answer*);
    int (*score)(winnable*, winnable_answer*);                                  /* NULL: no such search */
    int (*shorten)(winnable*, const winnable_move*, int, winnable_listen, void*, winnable_answer*);
    int (*optimize)(winnable*, const winnable_move*, int, winnable_answer*);    /* NULL: no such search */
    int (*line)(const winnable*, winnable_move*, int);
} family;

#define FAMILY(name, score, optimize) \
    extern winnable* name##_open(int); \
    extern void name##_close(winnable*); \
    extern int name##_load(winnable*, const winnable_table*, const uint8_t*, int); \
    extern void name##_solve(winnable*, winnable_answer*); \
    extern int name##_shorten(winnable*, const winnable_move*, int, winnable_listen, void*, winnable_answer*); \
    extern int name##_line(const winnable*, winnable_move*, int); \
    static const family name = {name##_open, name##_close, name##_load, name##_solve, score, name##_shorten, \
                                optimize, name##_line};

extern int klondike_score(winnable*, winnable_answer*);
extern int simon_optimize(winnable*, const winnable_move*, int, winnable_answer*);

FAMILY(chessboard, NULL, NULL)
FAMILY(joker, NULL, NULL)
FAMILY(klondike, klondike_score, NULL)
FAMILY(simon, NULL, simon_optimize)

/* --- The games, as in rules/variants.py ---------------------------------------------------------------------- */

struct winnable_game {
    const char* name;
    const family* of;
    int number;                 /* in the family */
    int cards, columns;
    uint8_t sizes[WINNABLE_MOST_COLUMNS];
    winnable_table rules;       /* a table without cards; rule options have their usual values */
};

#define CHESSBOARD 52, 10, {6, 5, 5, 5, 5, 6, 5, 5, 5, 5}
#define KLONDIKE 52, 7, {1, 2, 3, 4, 5, 6, 7}
#define DECK .ranks = 13, .suits = 15
#define NATURAL {.rank = -1, .place = -1}

static const winnable_game GAMES[] = {
    {"chessboard", &chessboard, 0, CHESSBOARD, {DECK, .base = -1}},
    {"fortress", &chessboard, 1, CHESSBOARD, {DECK}},
    {"simon-jester", &simon, 0, 104, 14, {8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7}, {DECK}},
    {"simon-jester-triangular", &simon, 0, 104, 14, {13, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, {DECK}},
    {"simple-simon", &simon, 0, 52, 10, {8, 8, 8, 7, 6, 5, 4, 3, 2, 1}, {DECK}},
    {"joker", &joker, 0, 54, 7, {1, 2, 3, 4, 5, 6, 7},
     {DECK, .draw = 1, .passes = 1, .has_jokers = 1, .turned_only = 1, .joker = {NATURAL, NATURAL}}},
    {"klondike-one-pass", &joker, 1, KLONDIKE, {DECK, .draw = 1, .passes = 1}},
    {"klondike", &klondike, 0, KLONDIKE, {DECK, .draw = 3, .backward = 1}},
    {"klondike-draw-one", &klondike, 0, KLONDIKE, {DECK, .draw = 1, .backward = 1}},
    {"klondike-vegas", &klondike, 0, KLONDIKE, {DECK, .draw = 3, .passes = 3, .backward = 1}},
    {"klondike-vegas-one", &klondike, 0, KLONDIKE, {DECK, .draw = 1, .passes = 1, .backward = 1}},
};

static int is_stock_game(const winnable_game* game) { return game->rules.draw > 0; }

/* --- What is loaded is checked ------------------------------------------------------------------------------- */

enum { KINDS = 54, JOKERS = 52 };       /* of cards; the numbers of the two jokers are 52 and 53 */

/* Copies of a card in the full deck of `table`'s ranks and suits. */
static int copies_of(const winnable_game* game, const winnable_table* table, int card) {
    if (card >= JOKERS)
        return card < KINDS && table->has_jokers;
    return (card >> 2) < table->ranks && (table->suits >> (card & 3) & 1) ? (game->cards > KINDS ? 2 : 1) : 0;
}

/* Take `count` cards out of `left`; 0 if one of them is not left. */
static int take(int8_t* left, const uint8_t* cards, int count) {
    for (int i = 0; i < count; i++)
        if (cards[i] >= KINDS || --left[cards[i]] < 0)
            return 0;
    return 1;
}

/* Whether a joker takes the place of `card` on its foundation. */
static int is_placed(const winnable_table* table, int card) {
    return table->has_jokers && (table->joker[0].place == card || table->joker[1].place == card);
}

/* Whether the cards of columns, stock, waste and foundations are the deck, without jokers that are not in a column,
   the stock or the waste; in the Simon games, without runs of a whole suit. */
static int has_its_cards(const winnable_game* game, const winnable_table* table) {
    int8_t left[KINDS];
    for (int card = 0; card < KINDS; card++)
        left[card] = (int8_t)copies_of(game, table, card);
    for (int suit = 0; suit < 4; suit++)
        for (int i = 0; i < table->up[suit]; i++) {
            int base = table->base > 0 && !is_stock_game(game) ? table->base : 0;
            uint8_t card = (uint8_t)(4 * ((base + i) % table->ranks) + suit);
            if (!is_placed(table, card) && !take(left, &card, 1))
                return 0;
        }
    for (int column = 0; column < table->columns; column++)
        if (!take(left, table->card[column], table->size[column]))
            return 0;
    if (is_stock_game(game)
        && !(take(left, table->stock, table->stock_size) && take(left, table->waste, table->waste_size)))
        return 0;
    for (int card = 0; card < JOKERS; card++)
        if (left[card] != (game->of == &simon && (card >> 2) < table->ranks ? left[card & 3] : 0))
            return 0;
    return 1;
}

/* The rank of a card, as which a joker may be declared; -1 for a joker that is not. */
static int rank_of(const winnable_table* table, int card) {
    return card < JOKERS ? card >> 2 : table->joker[card - JOKERS].rank;
}

/* Whether a card is red. Suits are in the order clubs, diamonds, hearts, spades; the second joker is red. */
static int is_red(int card) { return card < JOKERS ? (card & 3) == 1 || (card & 3) == 2 : card - JOKERS; }

/* Whether the face-up cards of every column descend in alternating colours. */
static int has_runs(const winnable_table* table) {
    for (int column = 0; column < table->columns; column++) {
        const uint8_t* cards = table->card[column];
        for (int i = table->hidden[column] + 1; i < table->size[column]; i++) {
            int rank = rank_of(table, cards[i]);
            if (is_red(cards[i]) == is_red(cards[i - 1]) || rank_of(table, cards[i - 1]) != 1 + (rank > 0 ? rank : 0))
                return 0;
        }
    }
    return 1;
}

static int has_sound_jokers(const winnable_table* table) {
    for (int i = 0; i < (table->has_jokers ? 2 : 0); i++) {
        const winnable_joker* joker = &table->joker[i];
        int is_in_play = joker->place < 0 && !joker->is_open_ace && !joker->is_out, met = 0;
        if (joker->is_open_ace + joker->is_out + (joker->place >= 0) > 1 || joker->rank < -1 || joker->place < -1)
            return 0;
        if (joker->rank >= table->ranks || joker->place >= JOKERS || (joker->place >= 0 && joker->rank >= 0))
            return 0;
        if (joker->place >= 0 && (joker->place >> 2) >= table->up[joker->place & 3])
            return 0;
        if (joker->place >= 0 && is_red(joker->place) != i)
            return 0;
        for (int column = 0; column < table->columns; column++)
            for (int row = 0; row < table->size[column]; row++)
                if (table->card[column][row] == JOKERS + i)
                    met += row >= table->hidden[column] || joker->rank < 0 ? 1 : 2;
        for (int at = 0; at < table->stock_size; at++)
            met += table->stock[at] == JOKERS + i ? (joker->rank < 0 ? 1 : 2) : 0;
        for (int at = 0; at < table->waste_size; at++)
            met += table->waste[at] == JOKERS + i ? (joker->rank < 0 ? 1 : 2) : 0;
        if (met != is_in_play)
            return 0;
    }
    return 1;
}

/* Whether the searches of `game` can start from `table`. */
static int is_table(const winnable_game* game, const winnable_table* table) {
    int cards = is_stock_game(game) ? table->stock_size + table->waste_size : 0;
    int most = game->of == &simon ? WINNABLE_MOST_COLUMNS : game->columns;
    if (table->backward > 1 || table->has_jokers > 1 || table->turned_only > 1 || table->any_removal > 1)
        return 0;
    if (table->ranks < 1 || table->ranks > 13 || table->suits < 1 || table->suits > 15 || table->columns > most)
        return 0;
    for (int column = 0; column < table->columns; column++) {
        cards += table->size[column];
        if (is_stock_game(game) && table->hidden[column] > 0 && table->hidden[column] >= table->size[column])
            return 0;
    }
    if (cards > game->cards || (game->of != &joker && table->has_jokers) || (game->number == 1 && table->has_jokers))
        return 0;
    for (int suit = 0; suit < 4; suit++)
        if (table->up[suit] > (table->suits >> suit & 1 && game->of != &simon ? table->ranks : 0))
            return 0;
    if (game->of == &chessboard) {
        int up = table->up[0] + table->up[1] + table->up[2] + table->up[3];
        if (table->base < -1 || table->base >= table->ranks || (table->base < 0 && up > 0))
            return 0;
        if (game->number == 1 && table->base != 0)
            return 0;
    }
    if (is_stock_game(game) && (table->draw < 1 || table->draw > 7 || table->passes > 5
                                || (table->passes > 0 && table->redeals >= table->passes)))
        return 0;
    if (game->of == &joker && (table->draw != 1 || table->passes != 1 || table->backward))
        return 0;
    if (game->of == &joker && !has_sound_jokers(table))
        return 0;
    return has_its_cards(game, table) && (!is_stock_game(game) || has_runs(table));
}

/* Write the deck of `game` to `cards` in the order in which the dealer shuffles it: copy by copy and suit by suit. */
static void write_deck(const winnable_game* game, uint8_t* cards) {
    int count = 0;
    for (int copy = 0; copy < copies_of(game, &game->rules, 0); copy++)
        for (int suit = 0; suit < 4; suit++)
            for (int rank = 0; rank < 13; rank++)
                cards[count++] = (uint8_t)(4 * rank + suit);
    for (int card = JOKERS; count < game->cards; card++)
        cards[count++] = (uint8_t)card;
}

/* --- Functions of winnable.h --------------------------------------------------------------------------------- */

const char* winnable_name(int number) {
    return number >= 0 && (size_t)number < sizeof GAMES / sizeof *GAMES ? GAMES[number].name : NULL;
}

winnable* winnable_open(const char* name) {
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++)
        if (strcmp(GAMES[i].name, name) == 0) {
            const winnable_limits none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, -1.0};
            winnable* engine = GAMES[i].of->open(GAMES[i].number);
            if (engine == NULL)
                return NULL;
            engine->game = &GAMES[i];
            engine->table = GAMES[i].rules;
            for (int column = 0; column < GAMES[i].columns && is_stock_game(&GAMES[i]); column++)
                engine->table.hidden[column] = (uint8_t)(GAMES[i].sizes[column] - 1);
            write_deck(&GAMES[i], engine->deck);
            engine->score_now = engine->moves_now = engine->lower_bound_now = -1;
            winnable_set_limits(engine, &none);
            winnable_deal(engine, 1);
            return engine;
        }
    return NULL;
}

void winnable_close(winnable* engine) {
    if (engine != NULL)
        engine->game->of->close(engine);
}

void winnable_set_limits(winnable* engine, const winnable_limits* limits) {
    engine->limits = *limits;
    if (engine->limits.bytes > SIZE_MAX)
        engine->limits.bytes = SIZE_MAX;
    engine->max_work = limits->work < UINT64_MAX / WINNABLE_UNIT ? limits->work * WINNABLE_UNIT : UINT64_MAX;
}

void winnable_on_poll(winnable* engine, winnable_ask ask, void* context) {
    engine->ask = ask;
    engine->asker = context;
}

void winnable_stop(winnable* engine) { engine->stopped = 1; }

void winnable_progress_of(const winnable* engine, winnable_progress* progress) {
    uint64_t states = engine->expanded - engine->weighed;
    progress->expanded = engine->earlier + engine->expanded + engine->uncounted;
    progress->bytes = engine->bytes_held;
    progress->work = (engine->worked_before + engine->worked + engine->weight * states) / WINNABLE_UNIT;
    progress->stage = engine->stage_now;
    progress->score = engine->score_now;
    progress->moves = engine->moves_now;
    progress->lower_bound = engine->lower_bound_now;
}

/* Lay out cards that are a deck of the game of `engine`. */
static int lay(winnable* engine, const uint8_t* cards, int count) {
    const winnable_game* game = engine->game;
    winnable_lay_out(&engine->table, cards, count, game->sizes, game->columns);
    engine->has_line = 0;
    return game->of->load(engine, &engine->table, cards, count);
}

int winnable_deal(winnable* engine, uint64_t seed) {
    uint8_t cards[WINNABLE_MOST_CARDS];
    int count = engine->game->cards;
    memcpy(cards, engine->deck, (size_t)count);
    winnable_shuffle(cards, count, seed);
    return lay(engine, cards, count);
}

int winnable_lay(winnable* engine, const uint8_t* cards, int count) {
    const winnable_game* game = engine->game;
    int8_t left[KINDS];
    for (int card = 0; card < KINDS; card++)
        left[card] = (int8_t)copies_of(game, &game->rules, card);
    return count == game->cards && take(left, cards, count) && lay(engine, cards, count);
}

int winnable_load(winnable* engine, const winnable_table* table) {
    const winnable_game* game = engine->game;
    if (!is_table(game, table) || !game->of->load(engine, table, NULL, 0))
        return 0;
    engine->has_line = 0;
    if (is_stock_game(game)) {
        engine->table.draw = table->draw;
        engine->table.passes = table->passes;
        engine->table.backward = table->backward;
        engine->table.turned_only = table->turned_only;
        engine->table.any_removal = table->any_removal;
    }
    return 1;
}

int winnable_solve(winnable* engine, winnable_answer* answer) {
    engine->game->of->solve(engine, answer);
    engine->has_line = answer->moves >= 0 && answer->replays;
    return answer->verdict;
}

int winnable_score(winnable* engine, winnable_answer* answer) {
    engine->has_line = 0;
    return engine->game->of->score != NULL && engine->game->of->score(engine, answer);
}

int winnable_shorten(winnable* engine, const winnable_move* line, int count, winnable_listen listen, void* context,
                     winnable_answer* answer) {
    int can = line != NULL ? count >= 0 : engine->has_line;
    engine->has_line = 0;       /* its search has given its memory back */
    return can ? engine->game->of->shorten(engine, line, count, listen, context, answer) : 0;
}

int winnable_optimize(winnable* engine, const winnable_move* line, int count, winnable_answer* answer) {
    engine->has_line = 0;
    return engine->game->of->optimize != NULL && line != NULL && count >= 0
        ? engine->game->of->optimize(engine, line, count, answer) : 0;
}

int winnable_line(const winnable* engine, winnable_move* moves, int room) {
    return engine->game->of->line(engine, moves, room);
}
