/* The table of games, the dealer of seeds, and the functions of winnable.h that all families share. */
#include "core/dealer.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* --- The families -------------------------------------------------------------------------------------------- */

/* What the kernel of a family provides; see FAMILY/FAMILY.pyx. */
struct winnable_family {
    winnable* (*open)(int number);              /* of the game in its family; NULL without memory */
    void (*close)(winnable*);
    /* Load a position. The second implementation of the rules loads it too, or lays out `cards` by itself. */
    int (*load)(winnable*, const winnable_table*, const uint8_t* cards, int count);
    /* Positions and moves of the second implementation of the rules. */
    void (*position)(const winnable*, winnable_table*);
    int (*legal)(const winnable*, winnable_move*);
    int (*play)(winnable*, const winnable_move*);
    int (*cards_up)(const winnable*);                                           /* NULL: all that are nowhere else */
    void (*solve)(winnable*, winnable_answer*);
    int (*score)(winnable*, winnable_answer*);                                  /* NULL: no such search */
    int (*shorten)(winnable*, const winnable_move*, int, winnable_listen, void*, winnable_answer*);
    int (*optimize)(winnable*, const winnable_move*, int, winnable_answer*);    /* NULL: no such search */
    int (*line)(const winnable*, winnable_move*, int);
};

#define FAMILY(name, cards_up, score, optimize) \
    extern winnable* name##_open(int); \
    extern void name##_close(winnable*); \
    extern int name##_load(winnable*, const winnable_table*, const uint8_t*, int); \
    extern void name##_position(const winnable*, winnable_table*); \
    extern int name##_legal(const winnable*, winnable_move*); \
    extern int name##_play(winnable*, const winnable_move*); \
    extern void name##_solve(winnable*, winnable_answer*); \
    extern int name##_shorten(winnable*, const winnable_move*, int, winnable_listen, void*, winnable_answer*); \
    extern int name##_line(const winnable*, winnable_move*, int); \
    static const winnable_family name = {name##_open, name##_close, name##_load, name##_position, name##_legal, \
                                         name##_play, cards_up, name##_solve, score, name##_shorten, optimize, \
                                         name##_line};

extern int joker_cards_up(const winnable*);
extern int chessboard_score(winnable*, winnable_answer*), klondike_score(winnable*, winnable_answer*);
extern int simon_optimize(winnable*, const winnable_move*, int, winnable_answer*);

FAMILY(chessboard, NULL, chessboard_score, NULL)
FAMILY(joker, joker_cards_up, NULL, NULL)
FAMILY(klondike, NULL, klondike_score, NULL)
FAMILY(simon, NULL, NULL, simon_optimize)

/* --- The games, as in rules/variants.py ---------------------------------------------------------------------- */

#define CHESSBOARD 52, 10, {6, 5, 5, 5, 5, 6, 5, 5, 5, 5}
#define KLONDIKE 52, 7, {1, 2, 3, 4, 5, 6, 7}
#define DECK .ranks = 13, .suits = 15
#define NATURAL {.rank = -1, .place = -1}

static const winnable_game GAMES[] = {
    {"chessboard", &chessboard, 0, CHESSBOARD, {DECK, .base = -1}},
    {"fortress", &chessboard, 1, CHESSBOARD, {DECK}},
    {"simon-jester", &simon, 0, 104, 14, {8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7}, {DECK}, 1},
    {"simon-jester-triangular", &simon, 0, 104, 14, {13, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, {DECK}, 1},
    {"simple-simon", &simon, 0, 52, 10, {8, 8, 8, 7, 6, 5, 4, 3, 2, 1}, {DECK}, 1},
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
enum { MOST_MADE = 999999999 };         /* the greatest number of moves that texts have */

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
            if (rank < 0 || is_red(cards[i]) == is_red(cards[i - 1]) || rank_of(table, cards[i - 1]) != rank + 1)
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
        if (joker->rank >= table->ranks || joker->place >= JOKERS || (joker->rank >= 0 && !is_in_play))
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
    if (table->backward > 1 || table->has_jokers > 1 || table->turned_only > 1 || table->any_removal > 1)
        return 0;
    if (table->ranks < 1 || table->ranks > 13 || table->suits < 1 || table->suits > 15)
        return 0;
    if (table->columns < 1 || table->columns > game->columns)
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
                                || table->redeals > (table->passes > 0 ? table->passes - 1 : 0)))
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

/* --- Rule options, as in rules/choices.py -------------------------------------------------------------------- */

typedef struct {
    const char* name;
    const char* values;         /* the first is that of `first` in the table, the others follow */
    size_t field;               /* of the table */
    int first;
} option;

#define FIELD(name) offsetof(winnable_table, name)

static const option OF_KLONDIKE[] = {
    {"draw", "1 2 3 4 5 6 7", FIELD(draw), 1},
    {"passes", "unlimited 1 2 3 4 5", FIELD(passes), 0},
    {"worrying_back", "no yes", FIELD(backward), 0},
    {NULL, NULL, 0, 0},
};
static const option OF_JOKER[] = {
    {"exchange", "exposed turned", FIELD(turned_only), 0},
    {"removal", "undeclared exposed", FIELD(any_removal), 0},
    {NULL, NULL, 0, 0},
};
static const option NONE[] = {{NULL, NULL, 0, 0}};

/* The rule options of a game; the last one has no name. */
static const option* options_of(const winnable_game* game) {
    return game->of == &klondike ? OF_KLONDIKE : game->rules.has_jokers ? OF_JOKER : NONE;
}

/* The rule option `name` of a game, NULL if there is none. */
static const option* find_option(const winnable_game* game, const char* name) {
    for (const option* each = options_of(game); each->name != NULL; each++)
        if (strcmp(each->name, name) == 0)
            return each;
    return NULL;
}

const char* winnable_value_in(const winnable_game* game, const winnable_table* table, const char* name) {
    static const char* const WORDS[] = {"unlimited", "no", "yes", "exposed", "turned", "undeclared", "1", "2", "3",
                                        "4", "5", "6", "7"};
    const option* found = find_option(game, name);
    if (found == NULL)
        return NULL;
    const char* value = found->values;
    for (int left = ((const uint8_t*)table)[found->field] - found->first; left > 0; left--)
        value = strchr(value, ' ') + 1;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strncmp(value, WORDS[i], strlen(WORDS[i])) == 0)
            return WORDS[i];
    return NULL;
}

int winnable_set_value(const winnable_game* game, winnable_table* table, const char* name, const char* value) {
    const option* found = find_option(game, name);
    size_t length = strlen(value);
    if (found == NULL || length == 0)
        return 0;
    int at = found->first;
    for (const char* word = found->values; word != NULL; at++) {
        const char* end = strchr(word, ' ');
        if (strncmp(word, value, length) == 0 && word[length] == (end == NULL ? 0 : ' ') && strchr(value, ' ') == NULL) {
            ((uint8_t*)table)[found->field] = (uint8_t)at;
            return 1;
        }
        word = end == NULL ? NULL : end + 1;
    }
    return 0;
}

/* --- Functions of winnable.h --------------------------------------------------------------------------------- */

const char* winnable_version(void) { return WINNABLE_VERSION; }

const char* winnable_name(int number) {
    return number >= 0 && (size_t)number < sizeof GAMES / sizeof *GAMES ? GAMES[number].name : NULL;
}

int winnable_fail(winnable* engine, int code, const char* text, ...) {
    va_list values;
    size_t at = 0, most = sizeof engine->message - 1;
    va_start(values, text);
    for (; *text != 0 && at < most; text++) {
        char digits[12], *digit = digits + 11;
        const char* word = digit;
        digits[11] = 0;
        if (*text != '%') {
            engine->message[at++] = *text;
            continue;
        }
        if (*++text == 's')
            word = va_arg(values, const char*);
        else {
            int number = va_arg(values, int);
            unsigned left = number < 0 ? 0u - (unsigned)number : (unsigned)number;
            do
                *--digit = (char)('0' + left % 10);
            while ((left /= 10) > 0);
            if (number < 0)
                *--digit = '-';
            word = digit;
        }
        for (; *word != 0 && at < most; word++)
            engine->message[at++] = *word;
    }
    engine->message[at] = 0;
    va_end(values);
    return code;
}

/* Refuse NULL in place of `what`. */
static int refuse_null(winnable* engine, const char* what) {
    return engine == NULL ? WINNABLE_MISUSE : winnable_fail(engine, WINNABLE_MISUSE, "expected %s, got NULL", what);
}

/* The game called `name`; NULL if there is none. */
static const winnable_game* find_game(const char* name) {
    for (size_t i = 0; name != NULL && i < sizeof GAMES / sizeof *GAMES; i++)
        if (strcmp(GAMES[i].name, name) == 0)
            return &GAMES[i];
    return NULL;
}

winnable* winnable_open(const char* name) {
    const winnable_limits none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, -1.0};
    const winnable_game* game = find_game(name);
    winnable* engine = game != NULL ? game->of->open(game->number) : NULL;
    if (engine == NULL)
        return NULL;
    engine->game = game;
    engine->table = game->rules;
    for (int column = 0; column < game->columns && is_stock_game(game); column++)
        engine->table.hidden[column] = (uint8_t)(game->sizes[column] - 1);
    write_deck(game, engine->deck);
    engine->score_now = engine->moves_now = engine->lower_bound_now = -1;
    winnable_set_limits(engine, &none);
    winnable_deal(engine, 1);
    return engine;
}

void winnable_close(winnable* engine) {
    if (engine != NULL)
        engine->game->of->close(engine);
}

const char* winnable_message(const winnable* engine) {
    return engine != NULL ? engine->message : "expected an engine, got NULL: no such game, or no memory";
}

const char* winnable_option(const winnable* engine, int number) {
    const option* each = engine != NULL && number >= 0 ? options_of(engine->game) : NONE;
    for (; each->name != NULL && number > 0; number--)
        each++;
    return each->name;
}

const char* winnable_values(const winnable* engine, const char* name) {
    const option* found = engine != NULL && name != NULL ? find_option(engine->game, name) : NULL;
    return found != NULL ? found->values : NULL;
}

const char* winnable_value(const winnable* engine, const char* name) {
    return engine != NULL && name != NULL ? winnable_value_in(engine->game, &engine->table, name) : NULL;
}

int winnable_choose(winnable* engine, const char* name, const char* value) {
    if (engine == NULL || name == NULL || value == NULL)
        return refuse_null(engine, "a rule option and its value");
    if (winnable_set_value(engine->game, &engine->table, name, value))
        return WINNABLE_OK;
    const option* found = find_option(engine->game, name);
    if (found != NULL)
        return winnable_fail(engine, WINNABLE_BAD_OPTION, "%s: expected one of %s, got %s", name, found->values, value);
    found = options_of(engine->game);
    if (found->name == NULL)
        return winnable_fail(engine, WINNABLE_BAD_OPTION, "%s: %s has no rule options", name, engine->game->name);
    return winnable_fail(engine, WINNABLE_BAD_OPTION, "%s: expected %s, %s%s%s", name, found[0].name, found[1].name,
                         found[2].name != NULL ? ", " : "", found[2].name != NULL ? found[2].name : "");
}

int winnable_set_limits(winnable* engine, const winnable_limits* limits) {
    if (engine == NULL || limits == NULL)
        return refuse_null(engine, "limits");
    engine->limits = *limits;
    if (engine->limits.bytes > SIZE_MAX)
        engine->limits.bytes = SIZE_MAX;
    engine->max_work = limits->work < UINT64_MAX / WINNABLE_UNIT ? limits->work * WINNABLE_UNIT : UINT64_MAX;
    return WINNABLE_OK;
}

int winnable_set_goal(winnable* engine, int score) {
    if (engine == NULL)
        return WINNABLE_MISUSE;
    if (engine->game->of != &joker)
        return winnable_fail(engine, WINNABLE_NO_SEARCH, "%s: expected joker or klondike-one-pass", engine->game->name);
    if (score < 0 || score > 52)
        return winnable_fail(engine, WINNABLE_MISUSE, "expected a score from 0 to 52, got %d", score);
    engine->wanted = score;
    return WINNABLE_OK;
}

int winnable_on_poll(winnable* engine, winnable_ask ask, void* context) {
    if (engine == NULL)
        return WINNABLE_MISUSE;
    engine->ask = ask;
    engine->asker = context;
    return WINNABLE_OK;
}

void winnable_stop(winnable* engine) {
    if (engine != NULL)
        engine->stopped = 1;
}

void winnable_resume(winnable* engine) {
    if (engine != NULL)
        engine->stopped = 0;
}

int winnable_progress_of(const winnable* engine, winnable_progress* progress) {
    if (engine == NULL || progress == NULL)
        return WINNABLE_MISUSE;
    uint64_t states = engine->expanded - engine->weighed;
    progress->expanded = engine->earlier + engine->expanded + engine->uncounted;
    progress->bytes = engine->bytes_held;
    progress->work = (engine->worked_before + engine->worked + engine->weight * states) / WINNABLE_UNIT;
    progress->stage = engine->stage_now;
    progress->score = engine->score_now;
    progress->moves = engine->moves_now;
    progress->lower_bound = engine->lower_bound_now;
    return WINNABLE_OK;
}

/* --- Positions ----------------------------------------------------------------------------------------------- */

/* Take over a position that the kernel has loaded, of the deal of no seed. */
static int begin_position(winnable* engine, const winnable_table* table) {
    engine->now = *table;
    engine->game->of->position(engine, &engine->now);
    engine->has_answer = engine->has_line = engine->has_seed = engine->made = 0;
    return WINNABLE_OK;
}

/* Lay out cards that are a deck of the game of `engine`. */
static int lay(winnable* engine, const uint8_t* cards, int count) {
    const winnable_game* game = engine->game;
    winnable_lay_out(&engine->table, cards, count, game->sizes, game->columns);
    if (!game->of->load(engine, &engine->table, cards, count))
        return winnable_fail(engine, WINNABLE_BAD_POSITION, "the searches cannot start from this deal");
    return begin_position(engine, &engine->table);
}

int winnable_deal(winnable* engine, uint64_t seed) {
    uint8_t cards[WINNABLE_MOST_CARDS];
    if (engine == NULL)
        return WINNABLE_MISUSE;
    int count = engine->game->cards;
    memcpy(cards, engine->deck, (size_t)count);
    winnable_shuffle(cards, count, seed);
    int code = lay(engine, cards, count);
    engine->has_seed = code == WINNABLE_OK;
    engine->seed = seed;
    return code;
}

int winnable_lay(winnable* engine, const uint8_t* cards, int count) {
    int8_t left[KINDS];
    if (engine == NULL || cards == NULL)
        return refuse_null(engine, "cards");
    for (int card = 0; card < KINDS; card++)
        left[card] = (int8_t)copies_of(engine->game, &engine->game->rules, card);
    if (count != engine->game->cards)
        return winnable_fail(engine, WINNABLE_BAD_DECK, "expected %d cards, got %d", engine->game->cards, count);
    for (int i = 0; i < count; i++)
        if (!take(left, cards + i, 1))
            return winnable_fail(engine, WINNABLE_BAD_DECK, "card %d of the deal: expected one that is left in the "
                                 "deck, got %d", i + 1, cards[i]);
    return lay(engine, cards, count);
}

/* Set the fields of `table` that the game does not have to 0, and those of columns beyond the last one. */
static void clear_unused(const winnable_game* game, winnable_table* table) {
    static const winnable_table none = {.joker = {NATURAL, NATURAL}};
    for (int column = table->columns; column < WINNABLE_MOST_COLUMNS; column++)
        table->size[column] = table->hidden[column] = 0;
    if (!is_stock_game(game)) {
        memset(table->hidden, 0, sizeof table->hidden);
        table->stock_size = table->waste_size = table->draw = table->passes = table->redeals = table->backward = 0;
    }
    if (game->of != &chessboard)
        table->base = 0;
    if (!game->rules.has_jokers) {
        table->turned_only = table->any_removal = 0;
        memcpy(table->joker, game->rules.joker, sizeof table->joker);
    } else if (!table->has_jokers)
        memcpy(table->joker, none.joker, sizeof table->joker);
}

int winnable_number_of(const char* name, winnable_table* table) {
    const winnable_game* game = find_game(name);
    if (game == NULL)
        return -1;
    clear_unused(game, table);
    return is_table(game, table) ? game->number : -1;
}

int winnable_load(winnable* engine, const winnable_table* given) {
    if (engine == NULL || given == NULL)
        return refuse_null(engine, "a position");
    const winnable_game* game = engine->game;
    winnable_table table = *given;
    clear_unused(game, &table);
    if (!is_table(game, &table))
        return winnable_fail(engine, WINNABLE_BAD_POSITION,
                             "expected each card of a deck of %s in one place, as in play", game->name);
    if (!game->of->load(engine, &table, NULL, 0))
        return winnable_fail(engine, WINNABLE_BAD_POSITION, "expected fewer face-down cards and columns: "
                             "the searches have no room for a key of this position");
    if (is_stock_game(game)) {
        engine->table.draw = table.draw;
        engine->table.passes = table.passes;
        engine->table.backward = table.backward;
        engine->table.turned_only = table.turned_only;
        engine->table.any_removal = table.any_removal;
    }
    return begin_position(engine, &table);
}

int winnable_position(const winnable* engine, winnable_table* table) {
    if (engine == NULL || table == NULL)
        return WINNABLE_MISUSE;
    *table = engine->now;
    return WINNABLE_OK;
}

int winnable_origin(const winnable* engine, uint64_t* seed, int* moves) {
    if (engine == NULL || seed == NULL || moves == NULL || !engine->has_seed)
        return 0;
    *seed = engine->seed;
    *moves = engine->made;
    return 1;
}

/* The number of cards of the deck of a position, without jokers. */
static int naturals_of(const winnable_game* game, const winnable_table* table) {
    int suits = (table->suits & 1) + (table->suits >> 1 & 1) + (table->suits >> 2 & 1) + (table->suits >> 3 & 1);
    return table->ranks * suits * (game->cards > KINDS ? 2 : 1);
}

int winnable_cards_up(const winnable* engine) {
    if (engine == NULL)
        return 0;
    if (engine->game->of->cards_up != NULL)
        return engine->game->of->cards_up(engine);
    const winnable_table* table = &engine->now;
    int left = table->stock_size + table->waste_size;
    for (int column = 0; column < table->columns; column++)
        left += table->size[column];
    return naturals_of(engine->game, table) - left;
}

int winnable_is_won(const winnable* engine) {
    return engine != NULL && winnable_cards_up(engine) == naturals_of(engine->game, &engine->now);
}

/* --- Moves --------------------------------------------------------------------------------------------------- */

int winnable_legal(const winnable* engine, winnable_move* moves, int room) {
    winnable_move legal[WINNABLE_MOST_MOVES];
    if (engine == NULL)
        return 0;
    int count = engine->game->of->legal(engine, legal);
    if (moves != NULL && room > 0)
        memcpy(moves, legal, (size_t)(room < count ? room : count) * sizeof *moves);
    return count;
}

int winnable_play(winnable* engine, const winnable_move* move) {
    if (engine == NULL || move == NULL)
        return refuse_null(engine, "a move");
    const winnable_family* family = engine->game->of;
    winnable_table after = engine->now;
    winnable_move legal[WINNABLE_MOST_MOVES];
    int left = family->legal(engine, legal);
    while (left > 0 && memcmp(&legal[left - 1], move, sizeof *move) != 0)
        left--;
    if (left == 0 || !family->play(engine, move))
        return winnable_fail(engine, WINNABLE_BAD_MOVE, "expected a move of winnable_legal, got %d to %d",
                             move->source, move->target);
    family->position(engine, &after);
    if (!family->load(engine, &after, NULL, 0)) {
        family->load(engine, &engine->now, NULL, 0);
        return winnable_fail(engine, WINNABLE_BAD_POSITION, "the searches cannot start from the next position");
    }
    engine->now = after;
    engine->has_answer = engine->has_line = 0;
    engine->made += engine->made < MOST_MADE;
    return WINNABLE_OK;
}

/* --- Searches ------------------------------------------------------------------------------------------------ */

int winnable_solve(winnable* engine, winnable_answer* answer) {
    if (engine == NULL || answer == NULL)
        return refuse_null(engine, "an answer to write");
    engine->has_answer = 1;
    engine->game->of->solve(engine, answer);
    engine->has_line = answer->moves >= 0 && answer->replays;
    return WINNABLE_OK;
}

/* Refuse a search that the game does not have. */
static int refuse_search(winnable* engine, const char* what) {
    return winnable_fail(engine, WINNABLE_NO_SEARCH, "%s has no search for %s", engine->game->name, what);
}

/* The code for what a family says of a line: 1 if it was read, 0 if it is illegal, -1 without memory. */
static int code_of(winnable* engine, int read, int count) {
    engine->has_answer = read > 0;
    if (read > 0)
        return WINNABLE_OK;
    if (read < 0)
        return winnable_fail(engine, WINNABLE_NO_MEMORY, "no memory for a line of %d moves", count);
    return winnable_fail(engine, WINNABLE_BAD_LINE, "expected a line of legal moves to the goal, got %d moves", count);
}

int winnable_score(winnable* engine, winnable_answer* answer) {
    if (engine == NULL || answer == NULL)
        return refuse_null(engine, "an answer to write");
    if (engine->game->of->score == NULL)
        return refuse_search(engine, "most cards up");
    engine->has_line = 0;
    engine->has_answer = 1;
    engine->game->of->score(engine, answer);
    return WINNABLE_OK;
}

int winnable_shorten(winnable* engine, const winnable_move* line, int count, winnable_listen listen, void* context,
                     winnable_answer* answer) {
    if (engine == NULL || answer == NULL)
        return refuse_null(engine, "an answer to write");
    if (line != NULL && count < 0)
        return winnable_fail(engine, WINNABLE_MISUSE, "expected a number of moves, got %d", count);
    if (line == NULL && !engine->has_line)
        return winnable_fail(engine, WINNABLE_BAD_LINE, "expected a line, or one that was just found");
    engine->has_line = 0;       /* its search gives its memory back */
    engine->has_answer = 1;
    return code_of(engine, engine->game->of->shorten(engine, line, count, listen, context, answer), count);
}

int winnable_optimize(winnable* engine, const winnable_move* line, int count, winnable_answer* answer) {
    if (engine == NULL || answer == NULL || line == NULL)
        return refuse_null(engine, "a line and an answer to write");
    if (count < 0)
        return winnable_fail(engine, WINNABLE_MISUSE, "expected a number of moves, got %d", count);
    if (engine->game->of->optimize == NULL)
        return refuse_search(engine, "shorter lines within a limit");
    engine->has_line = 0;
    engine->has_answer = 1;
    return code_of(engine, engine->game->of->optimize(engine, line, count, answer), count);
}

int winnable_line(const winnable* engine, winnable_move* moves, int room) {
    return engine == NULL || !engine->has_answer ? 0 : engine->game->of->line(engine, moves, moves == NULL ? 0 : room);
}
