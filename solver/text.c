/* Positions and moves as text: the format of rules/formats/text.py, and the moves of rules/moves.py. */
#include "core/dealer.h"

#include <limits.h>

enum { KINDS = 54, JOKERS = 52, LONGEST = 10000, MOST_SHOWN = 20, NOWHERE = -100, NO_PLACE = -101 };

static const char RANKS[] = "A23456789TJQK", SUITS[] = "CDHS";

static int is_stock_game(const winnable_game* game) { return game->rules.draw > 0; }

/* Whether the first card on a foundation chooses the rank at which all begin. */
static int has_free_base(const winnable_game* game) { return game->rules.base < 0; }

static int has_suit(const winnable_table* table, int suit) { return table->suits >> suit & 1; }
static int is_full(const winnable_table* table) { return table->ranks == 13 && table->suits == 15; }

/* Copies of a card in the deck of `table`. */
static int copies_of(const winnable_game* game, const winnable_table* table, int card) {
    if (card >= JOKERS)
        return table->has_jokers;
    return (card >> 2) < table->ranks && has_suit(table, card & 3) ? (game->cards > KINDS ? 2 : 1) : 0;
}

/* The base rank of the foundations, 0 before it is chosen. */
static int base_of(const winnable_table* table) { return table->base > 0 ? table->base : 0; }

static int cards_in_columns(const winnable_table* table) {
    int cards = 0;
    for (int column = 0; column < table->columns; column++)
        cards += table->size[column];
    return cards;
}

static int cards_on_foundations(const winnable_table* table) {
    return table->up[0] + table->up[1] + table->up[2] + table->up[3];
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

typedef struct { char* text; int size, length; } writer;

/* A writer to `text`, which has room for `size` bytes with the final 0. */
static writer writer_of(char* text, int size) {
    return (writer){text, text != NULL && size > 0 ? size : 0, 0};
}

static void put(writer* to, char letter) {
    if (to->length < to->size - 1)
        to->text[to->length] = letter;
    to->length++;
}

static void put_text(writer* to, const char* text) {
    while (*text != 0)
        put(to, *text++);
}

static void put_number(writer* to, uint64_t number) {
    if (number >= 10)
        put_number(to, number / 10);
    put(to, (char)('0' + number % 10));
}

static void put_card(writer* to, int card) {
    put(to, card < JOKERS ? RANKS[card >> 2] : 'X');
    put(to, card < JOKERS ? SUITS[card & 3] : "BR"[card - JOKERS]);
}

/* End the text; returns the length that it has with enough room. */
static int ended(writer* to) {
    if (to->size > 0)
        to->text[to->length < to->size ? to->length : to->size - 1] = 0;
    return to->length;
}

/* Write "TITLE: 7H 6S" and a newline; nothing if there are no cards. */
static void put_pile(writer* to, const char* title, const uint8_t* cards, int count) {
    if (count == 0)
        return;
    put_text(to, title);
    put(to, ':');
    for (int i = 0; i < count; i++) {
        put(to, ' ');
        put_card(to, cards[i]);
    }
    put(to, '\n');
}

static void put_column(writer* to, const winnable_table* table, int column) {
    for (int row = 0; row < table->size[column]; row++) {
        int card = table->card[column][row], is_hidden = row < table->hidden[column];
        if (row > 0)
            put(to, ' ');
        if (is_hidden)
            put(to, '<');
        put_card(to, card);
        if (card >= JOKERS && table->joker[card - JOKERS].rank >= 0) {
            put(to, '=');
            put(to, RANKS[table->joker[card - JOKERS].rank]);
        }
        if (is_hidden)
            put(to, '>');
    }
    put_text(to, table->size[column] > 0 ? "\n" : ":\n");
}

static void put_foundations(writer* to, const winnable_game* game, const winnable_table* table) {
    put_text(to, "Foundations:");
    for (int suit = 0; suit < 4; suit++) {
        int up = table->up[suit], base = base_of(table);
        if (!has_suit(table, suit))
            continue;
        put(to, ' ');
        put(to, SUITS[suit]);
        put(to, '-');
        if (up > 0 && has_free_base(game)) {
            put(to, RANKS[base]);
            put(to, ':');
        }
        put(to, up > 0 ? RANKS[(base + up - 1) % table->ranks] : '0');
    }
    for (int i = 0; i < (table->has_jokers ? 2 : 0); i++)
        if (table->joker[i].is_open_ace || table->joker[i].place >= 0) {
            put(to, ' ');
            put_card(to, JOKERS + i);
            put(to, '=');
            if (table->joker[i].is_open_ace)
                put(to, 'A');
            else
                put_card(to, table->joker[i].place);
        }
    put(to, '\n');
}

/* --- What a layout means ------------------------------------------------------------------------------------- */

/* Whether the columns, in any order, have the sizes of a deal. */
static int has_sizes_of_deal(const winnable_game* game, const winnable_table* table) {
    int columns[WINNABLE_MOST_CARDS + 1] = {0};
    for (int column = 0; column < table->columns; column++)
        columns[table->size[column]]++;
    for (int column = 0; column < game->columns; column++)
        columns[game->sizes[column]]--;
    for (int size = 0; size <= WINNABLE_MOST_CARDS; size++)
        if (columns[size] != 0)
            return 0;
    return 1;
}

/* Whether each column has the size that it has in a deal. */
static int is_laid_out(const winnable_game* game, const winnable_table* table) {
    return table->columns == game->columns && memcmp(table->size, game->sizes, sizeof table->size) == 0;
}

/* Whether the columns may as well be the rows of a position in play; `in_play`: it is marked as one. */
static int may_be_rows(const winnable_game* game, const winnable_table* table, int in_play) {
    if (is_stock_game(game) || !is_full(table) || (!in_play && has_sizes_of_deal(game, table)))
        return 0;
    for (int column = 1; column < table->columns; column++)
        if (table->size[column] > table->size[column - 1])
            return 0;
    return table->size[0] > 1 && table->size[0] <= game->columns;
}

/* Whether `table` must be marked as a position in play: all cards of the full deck lie in columns of other
   sizes than in a deal. */
static int needs_mark(const winnable_game* game, const winnable_table* table) {
    return !is_stock_game(game) && is_full(table) && !has_sizes_of_deal(game, table)
        && cards_in_columns(table) == game->cards;
}

static int is_natural(const winnable_joker* joker) {
    return joker->rank < 0 && joker->place < 0 && !joker->is_open_ace && !joker->is_out;
}

/* Whether `table`, of a game with a stock, is a deal before any move. */
static int is_unplayed(const winnable_game* game, const winnable_table* table) {
    int moved = table->waste_size + table->redeals + cards_on_foundations(table);
    for (int column = 0; column < table->columns; column++)
        moved += table->hidden[column] != (table->size[column] > 0 ? table->size[column] - 1 : 0);
    for (int i = 0; i < (table->has_jokers ? 2 : 0); i++)
        moved += !is_natural(&table->joker[i]);
    return moved == 0 && (!is_full(table) || is_laid_out(game, table));
}

/* Whether `table` is written with its foundations and face-down marks. */
static int is_marked(const winnable_game* game, const winnable_table* table) {
    if (is_stock_game(game))
        return !is_unplayed(game, table);
    return !game->has_runs && cards_on_foundations(table) > 0;
}

/* --- Positions as text --------------------------------------------------------------------------------------- */

static void put_header(writer* to, const winnable* engine, const winnable_table* table) {
    put_text(to, "# game: ");
    put_text(to, engine->game->name);
    if (engine->has_seed) {
        put_text(to, "\n# seed: ");
        put_number(to, engine->seed);
    }
    if (engine->has_seed && engine->made > 0) {
        put_text(to, "\n# moves made: ");
        put_number(to, (uint64_t)engine->made);
    } else if (may_be_rows(engine->game, table, 0)) {
        put_text(to, "\n# position: in play, by columns");
    } else if (needs_mark(engine->game, table)) {
        put_text(to, "\n# position: in play");
    }
    put(to, '\n');
}

/* Write the deck if it is short, and the rule options that are not the usual ones. */
static void put_rules(writer* to, const winnable* engine, const winnable_table* table) {
    const char* option;
    if (!is_full(table)) {
        put_text(to, "Ranks: ");
        put_number(to, table->ranks);
        put_text(to, "\nSuits: ");
        for (int suit = 0; suit < 4; suit++)
            if (has_suit(table, suit))
                put(to, SUITS[suit]);
        put(to, '\n');
    }
    for (int number = 0; (option = winnable_option(engine, number)) != NULL; number++) {
        const char* value = winnable_value_in(engine->game, table, option);
        const char* usual = winnable_value_in(engine->game, &engine->game->rules, option);
        if (strcmp(value, usual) == 0)
            continue;
        put(to, (char)(*option - 'a' + 'A'));
        for (const char* at = option + 1; *at != 0; at++)
            put(to, *at == '_' ? ' ' : *at);
        put_text(to, ": ");
        put_text(to, value);
        put(to, '\n');
    }
}

/* Write `table`, which is the position of `engine`. */
static void put_position(writer* to, const winnable* engine, const winnable_table* table) {
    winnable_table shown = *table;
    int marked = is_marked(engine->game, table);
    uint8_t removed[2];
    int count = 0;
    if (!marked)
        memset(shown.hidden, 0, sizeof shown.hidden);
    put_header(to, engine, table);
    put_rules(to, engine, table);
    for (int column = 0; column < table->columns; column++)
        put_column(to, &shown, column);
    if (marked)
        put_foundations(to, engine->game, table);
    put_pile(to, "Stock", table->stock, table->stock_size);
    put_pile(to, "Waste", table->waste, table->waste_size);
    for (int i = 0; i < (table->has_jokers ? 2 : 0); i++)
        if (table->joker[i].is_out)
            removed[count++] = (uint8_t)(JOKERS + i);
    put_pile(to, "Removed", removed, count);
    if (table->redeals > 0) {
        put_text(to, "Redeals: ");
        put_number(to, table->redeals);
        put(to, '\n');
    }
}

/* --- Reading words ------------------------------------------------------------------------------------------- */

typedef struct { const char *at, *end; } span;          /* a part of the text */

static int is_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }
static int is_digit(char letter) { return letter >= '0' && letter <= '9'; }
static int is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }
static char lower(char letter) { return is_capital(letter) ? (char)(letter + 'a' - 'A') : letter; }
static int is_letter(char letter) { return lower(letter) >= 'a' && lower(letter) <= 'z'; }
static int length_of(span part) { return (int)(part.end - part.at); }

/* `part` without the spaces around it. */
static span trimmed(span part) {
    while (part.at < part.end && is_space(*part.at))
        part.at++;
    while (part.at < part.end && is_space(part.end[-1]))
        part.end--;
    return part;
}

/* Take the next word, which spaces end; empty at the end. */
static span next_word(span* rest) {
    span word = trimmed(*rest);
    const char* end = word.at;
    while (end < word.end && !is_space(*end))
        end++;
    rest->at = end;
    word.end = end;
    return word;
}

/* Whether `part` is `name`, in any case; a space of the name may be any number of spaces, "-" and "_". */
static int is_name(span part, const char* name) {
    for (; *name != 0; name++) {
        const char* before = part.at;
        while (*name == ' ' && part.at < part.end
               && (is_space(*part.at) || *part.at == '_' || *part.at == '-'))
            part.at++;
        if (*name != ' ' && part.at < part.end && lower(*part.at) == lower(*name))
            part.at++;
        if (part.at == before)
            return 0;
    }
    return part.at == part.end;
}

/* The place of `letter`, in either case, in `letters`; -1 if it is not there. */
static int index_in(const char* letters, char letter) {
    for (int i = 0; letters[i] != 0; i++)
        if (lower(letters[i]) == lower(letter))
            return i;
    return -1;
}

/* The rank that all of `part` names, such as T or 10; -1 if it names none. */
static int rank_in(span part) {
    if (length_of(part) == 2 && part.at[0] == '1' && part.at[1] == '0')
        return 9;
    return length_of(part) == 1 ? index_in(RANKS, *part.at) : -1;
}

/* The card that all of `part` names, such as 7H, 10H or XB; -1 if it names none. */
static int card_in(span part) {
    if (length_of(part) < 2)
        return -1;
    int suit = index_in(SUITS, part.end[-1]), rank = rank_in((span){part.at, part.end - 1});
    if (rank >= 0 && suit >= 0)
        return 4 * rank + suit;
    return is_name(part, "XB") ? JOKERS : is_name(part, "XR") ? JOKERS + 1 : -1;
}

/* The number that all of `part` is; 0 in `*good` if it is none, or greater than `most`. */
static uint64_t number_in(span part, uint64_t most, int* good) {
    uint64_t number = 0;
    *good = part.at < part.end;
    for (; part.at < part.end && *good; part.at++) {
        uint64_t digit = (uint64_t)(*part.at - '0');
        *good = is_digit(*part.at) && number <= most / 10 && digit <= most - number * 10;
        number = number * 10 + digit;
    }
    return number;
}

/* Copy `part` for a message: cut, and with "?" for what is not printable ASCII. */
static const char* quoted(span part, char shown[MOST_SHOWN + 4]) {
    int count = 0;
    for (; part.at < part.end && count < MOST_SHOWN; part.at++)
        shown[count++] = *part.at >= ' ' && *part.at <= '~' ? *part.at : '?';
    memcpy(shown + count, part.at < part.end ? "..." : "", part.at < part.end ? 4 : 1);
    return shown;
}

/* --- Reading positions --------------------------------------------------------------------------------------- */

enum {                          /* fields of a text, in the order of FIELDS and then the rule options */
    GAME, SEED, MADE, POSITION, DECK_RANKS, DECK_SUITS, FOUNDATIONS, STOCK, WASTE, REMOVED, REDEALS, OPTIONS
};
static const char* const FIELDS[] = {
    "game", "seed", "moves made", "position", "ranks", "suits", "foundations", "stock", "waste", "removed",
    "redeals"
};

typedef struct {
    winnable* engine;
    winnable_table table;
    int line;                   /* number of the present line */
    int line_of[OPTIONS + 8];   /* number of the line of each field; 0 if it is not there */
    int began;                  /* the header is over */
    int by_columns;             /* the mark says that lines are columns */
    int has_marks;              /* face-down cards or declared jokers */
    uint64_t seed;
    int made;
    int8_t first[4], last[4];   /* ranks on the foundations; -1: not written, and `last` -1: no card */
    uint8_t gone;               /* in the Simon games: suits that have left as the foundations say */
} reading;

/* Fail: `part` is not the text `wanted` in the present line. */
static int expected(reading* in, const char* wanted, span part) {
    char shown[MOST_SHOWN + 4];
    return winnable_fail(in->engine, WINNABLE_BAD_TEXT, "line %d: expected %s, got %s", in->line, wanted,
                         part.at < part.end ? quoted(part, shown) : "nothing");
}

/* Note that the field `number` is in the present line; fails if it was written before. */
static int note(reading* in, int number, span name) {
    char shown[MOST_SHOWN + 4];
    if (in->line_of[number] > 0)
        return winnable_fail(in->engine, WINNABLE_BAD_TEXT, "line %d: %s is written twice, first in line %d",
                             in->line, quoted(name, shown), in->line_of[number]);
    in->line_of[number] = in->line;
    return WINNABLE_OK;
}

static int read_game(reading* in, span value) {
    char wanted[64];
    writer to = writer_of(wanted, sizeof wanted);
    if (is_name(value, in->engine->game->name))
        return WINNABLE_OK;
    for (int number = 0; winnable_name(number) != NULL; number++)
        if (is_name(value, winnable_name(number)))
            return winnable_fail(in->engine, WINNABLE_BAD_TEXT, "line %d: this is a deal of %s, not of %s",
                                 in->line, winnable_name(number), in->engine->game->name);
    put_text(&to, "the game ");
    put_text(&to, in->engine->game->name);
    ended(&to);
    return expected(in, wanted, value);
}

/* Read "# key: value"; other comments are ignored. */
static int read_comment(reading* in, span line) {
    int field = GAME, good = 1, code;
    while (line.at < line.end && *line.at == '#')
        line.at++;
    span name = line;
    for (name.end = line.at; name.end < line.end && *name.end != ':'; name.end++) {}
    if (name.end == line.end)
        return WINNABLE_OK;
    span value = trimmed((span){name.end + 1, line.end});
    name = trimmed(name);
    while (field <= POSITION && !is_name(name, FIELDS[field]))
        field++;
    int by_columns = field == POSITION && is_name(value, "in play, by columns");
    if (field > POSITION || (field == POSITION && !by_columns && !is_name(value, "in play")))
        return WINNABLE_OK;
    if (in->began)
        return expected(in, "the header above the cards", name);
    if ((code = note(in, field, name)) != WINNABLE_OK)
        return code;
    in->by_columns |= by_columns;
    if (field == GAME)
        return read_game(in, value);
    if (field == SEED)
        in->seed = number_in(value, UINT64_MAX, &good);
    if (!good)
        return expected(in, "a seed from 0 to 2^64 - 1", value);
    if (field == MADE)
        in->made = (int)number_in(value, 999999999, &good);
    return good ? WINNABLE_OK : expected(in, "a number of moves below 10^9", value);
}

/* Read the cards of a pile. */
static int read_pile(reading* in, span rest, uint8_t* cards, uint8_t* count) {
    for (span word = next_word(&rest); word.at < word.end; word = next_word(&rest)) {
        int card = card_in(word);
        if (card < 0 || (card >= JOKERS && !in->table.has_jokers))
            return expected(in, "a card such as 7H", word);
        if (*count >= in->engine->game->cards)
            return expected(in, "no more cards than the deck has", word);
        cards[(*count)++] = (uint8_t)card;
    }
    return WINNABLE_OK;
}

/* Read a card of a column: "7H", "<7H>" face down in games that have that, or "XB=6", a declared joker. */
static int read_slot(reading* in, span word, int column) {
    winnable_table* table = &in->table;
    span name = word;
    int is_hidden = is_stock_game(in->engine->game) && *word.at == '<' && word.end[-1] == '>', rank = -1;
    if (is_hidden)
        name = (span){word.at + 1, word.end - 1 > word.at ? word.end - 1 : word.at + 1};
    else if (table->has_jokers && length_of(word) > 3 && word.at[2] == '=')
        name.end = word.at + 2;
    int card = card_in(name);
    if (name.end < word.end && !is_hidden)
        rank = rank_in((span){name.end + 1, word.end});
    if (card < 0 || (card >= JOKERS && !table->has_jokers)
        || (name.end < word.end && !is_hidden && (rank < 0 || card < JOKERS)))
        return expected(in, "a card such as 7H", word);
    if (table->size[column] >= in->engine->game->cards)
        return expected(in, "no more cards than the deck has", word);
    if (is_hidden && table->hidden[column] < table->size[column])
        return expected(in, "face-down cards below the face-up ones", word);
    if (rank >= 0)
        table->joker[card - JOKERS].rank = (int8_t)rank;
    table->hidden[column] = (uint8_t)(table->hidden[column] + is_hidden);
    table->card[column][table->size[column]++] = (uint8_t)card;
    in->has_marks |= is_hidden || rank >= 0;
    return WINNABLE_OK;
}

static int read_column(reading* in, span rest) {
    winnable_table* table = &in->table;
    span last = rest;
    int column = table->columns, code;
    for (int field = FOUNDATIONS; field <= REDEALS; field++)
        if (in->line_of[field] > 0)
            return expected(in, "each pile on one line, and columns above all piles", rest);
    if (column >= in->engine->game->columns)
        return winnable_fail(in->engine, WINNABLE_BAD_TEXT, "line %d: expected at most %d columns, got one "
                             "more", in->line, in->engine->game->columns);
    table->columns++;
    for (span word = next_word(&rest); word.at < word.end; word = next_word(&rest)) {
        if ((code = read_slot(in, word, column)) != WINNABLE_OK)
            return code;
        last = word;
    }
    if (table->size[column] > 0 && table->hidden[column] == table->size[column])
        return expected(in, "a face-up card on top", last);
    return WINNABLE_OK;
}

/* Read the place of a joker on the foundations, "XB=A" or "XB=3C"; 0 if it is none. */
static int read_place(reading* in, span word) {
    if (length_of(word) < 4 || word.at[2] != '=' || !in->table.has_jokers)
        return 0;
    int joker = card_in((span){word.at, word.at + 2}) - JOKERS;
    span name = {word.at + 3, word.end};
    if (joker < 0)
        return 0;
    int card = card_in(name), is_open_ace = is_name(name, "A");
    winnable_joker* condition = &in->table.joker[joker];
    if (condition->is_open_ace || condition->place >= 0 || (!is_open_ace && (card < 0 || card >= JOKERS)))
        return 0;
    condition->is_open_ace = (uint8_t)is_open_ace;
    condition->place = (int8_t)(is_open_ace ? -1 : card);
    return 1;
}

/* Read "C-0", "C-5", or "C-5:9" from a base rank to the top; 0 if `word` is none. */
static int read_foundation(reading* in, span word, int* suits) {
    int suit = length_of(word) >= 3 && word.at[1] == '-' ? index_in(SUITS, *word.at) : -1;
    span first = {word.at + 2, word.at + 2}, last = {word.at + 2, word.end};
    if (suit < 0 || *suits >> suit & 1)
        return 0;
    *suits |= 1 << suit;
    if (length_of(last) == 1 && *last.at == '0')
        return 1;
    while (first.end < word.end && *first.end != ':')
        first.end++;
    if (first.end < word.end) {
        last.at = first.end + 1;
        in->first[suit] = (int8_t)rank_in(first);
        if (in->first[suit] < 0)
            return 0;
    }
    in->last[suit] = (int8_t)rank_in(last);
    return in->last[suit] >= 0;
}

static int read_foundations(reading* in, span rest) {
    int suits = 0;
    for (span word = next_word(&rest); word.at < word.end; word = next_word(&rest))
        if (!read_foundation(in, word, &suits) && !read_place(in, word))
            return expected(in, has_free_base(in->engine->game) ? "each foundation once, such as C-5:9"
                            : in->table.has_jokers ? "each foundation once, such as C-3 or XB=A"
                            : "each foundation once, such as C-3", word);
    return WINNABLE_OK;
}

static int read_suits(reading* in, span value) {
    int suits = 0;
    for (const char* at = value.at; at < value.end; at++) {
        int suit = index_in(SUITS, *at);
        if (suit < 0 || suits >> suit)
            return expected(in, "some of CDHS in this order", value);
        suits |= 1 << suit;
    }
    in->table.suits = (uint8_t)suits;
    return suits > 0 ? WINNABLE_OK : expected(in, "some of CDHS in this order", value);
}

static int read_removed(reading* in, span rest) {
    for (span word = next_word(&rest); word.at < word.end; word = next_word(&rest)) {
        int card = card_in(word);
        if (card < JOKERS || in->table.joker[card - JOKERS].is_out)
            return expected(in, "each joker once, XB or XR", word);
        in->table.joker[card - JOKERS].is_out = 1;
    }
    return WINNABLE_OK;
}

static int read_option(reading* in, const char* option, span value) {
    char name[MOST_SHOWN], wanted[96];
    writer to = writer_of(name, sizeof name);
    for (const char* at = value.at; at < value.end; at++)
        put(&to, lower(*at));
    if (ended(&to) < (int)sizeof name && winnable_set_value(in->engine->game, &in->table, option, name))
        return WINNABLE_OK;
    to = writer_of(wanted, sizeof wanted);
    put_text(&to, "one of ");
    put_text(&to, winnable_values(in->engine, option));
    ended(&to);
    return expected(in, wanted, value);
}

/* Whether the game has the field `number`. */
static int has_field(const winnable_game* game, int number) {
    if (number == STOCK || number == WASTE || number == REDEALS)
        return is_stock_game(game) && (number != REDEALS || !game->rules.has_jokers);
    return number != REMOVED || game->rules.has_jokers;
}

/* Read "name: value". */
static int read_field(reading* in, span name, span value) {
    const winnable_game* game = in->engine->game;
    const char* option = NULL;
    int field = DECK_RANKS, good, code;
    while (field < OPTIONS && !(is_name(name, FIELDS[field]) && has_field(game, field)))
        field++;
    for (; field >= OPTIONS && (option = winnable_option(in->engine, field - OPTIONS)) != NULL; field++) {
        char spaced[32];
        writer to = writer_of(spaced, sizeof spaced);
        for (const char* at = option; *at != 0; at++)
            put(&to, *at == '_' ? ' ' : *at);
        ended(&to);
        if (is_name(name, spaced))
            break;
    }
    if (field >= OPTIONS && option == NULL)
        return expected(in, "cards, or a field of the game such as Ranks", name);
    if ((code = note(in, field, name)) != WINNABLE_OK)
        return code;
    switch (field) {
    case DECK_RANKS:
        in->table.ranks = (uint8_t)number_in(value, 13, &good);
        return good && in->table.ranks > 0 ? WINNABLE_OK : expected(in, "1 to 13 ranks", value);
    case DECK_SUITS: return read_suits(in, value);
    case FOUNDATIONS: return read_foundations(in, value);
    case STOCK: return read_pile(in, value, in->table.stock, &in->table.stock_size);
    case WASTE: return read_pile(in, value, in->table.waste, &in->table.waste_size);
    case REMOVED: return read_removed(in, value);
    case REDEALS:
        in->table.redeals = (uint8_t)number_in(value, 99, &good);
        return good ? WINNABLE_OK : expected(in, "0 to 99 redeals", value);
    default: return read_option(in, option, value);
    }
}

/* Read a line that is not blank. */
static int read_line(reading* in, span line) {
    span name = {line.at, line.at};
    if (*line.at == '#')
        return read_comment(in, line);
    in->began = 1;
    while (name.end < line.end && *name.end != ':')
        name.end++;
    if (name.end == line.end)
        return read_column(in, line);
    span value = trimmed((span){name.end + 1, line.end});
    name = trimmed(name);
    return name.at == name.end ? read_column(in, value) : read_field(in, name, value);
}

/* Read all lines up to the end, or to a blank line after a column. */
static int read_lines(reading* in, const char* text) {
    for (const char* at = text; *at != 0; at += *at == '\n') {
        span line = {at, at};
        int code = WINNABLE_OK;
        in->line++;
        while (*at != 0 && *at != '\n' && at - line.at <= LONGEST)
            at++;
        line.end = at;
        if (length_of(line) > LONGEST)
            return winnable_fail(in->engine, WINNABLE_BAD_TEXT,
                                 "line %d: expected at most %d characters, got more", in->line, LONGEST);
        line = trimmed(line);
        if (line.at < line.end)
            code = read_line(in, line);
        else if (in->table.columns > 0)
            return WINNABLE_OK;
        if (code != WINNABLE_OK)
            return code;
    }
    return WINNABLE_OK;
}

/* --- What was read is checked -------------------------------------------------------------------------------- */

/* Set the foundation of `suit`; 0 if it is none of the game and the deck. */
static int set_foundation(reading* in, int suit) {
    const winnable_game* game = in->engine->game;
    winnable_table* table = &in->table;
    int first = in->first[suit], last = in->last[suit];
    if (last < 0)
        return 1;
    if (!has_suit(table, suit) || last >= table->ranks || first >= table->ranks)
        return 0;
    if (game->has_runs) {
        in->gone |= (uint8_t)(1 << suit);
        return first < 0 && last == table->ranks - 1 && game->cards <= KINDS;
    }
    if (!has_free_base(game)) {
        table->up[suit] = (uint8_t)(last + 1);
        return first < 0 || (!is_stock_game(game) && first == 0);
    }
    if (first < 0 || (table->base >= 0 && table->base != first))
        return 0;
    table->base = (int8_t)first;
    table->up[suit] = (uint8_t)((last - first + table->ranks) % table->ranks + 1);
    return 1;
}

static int set_foundations(reading* in) {
    const winnable_game* game = in->engine->game;
    int suit = 0;
    while (suit < 4 && set_foundation(in, suit))
        suit++;
    if (suit == 4)
        return WINNABLE_OK;
    int first = in->first[suit], last = in->last[suit];
    const char name[] = {SUITS[suit], '-', RANKS[first < 0 ? last : first], ':', RANKS[last]};
    in->line = in->line_of[FOUNDATIONS];
    return expected(in, game->has_runs ? "no foundations but whole suits of one deck"
                    : has_free_base(game) ? "ranks of the deck from one base, such as C-5:9"
                    : "foundations of the deck from the ace, such as C-3",
                    (span){name, name + (first < 0 ? 3 : 5)});
}

/* Count the cards of `table` other than runs that have left. */
static void count_cards(const winnable_table* table, int held[KINDS]) {
    memset(held, 0, KINDS * sizeof *held);
    for (int suit = 0; suit < 4; suit++)
        for (int i = 0; i < table->up[suit]; i++)
            held[4 * ((base_of(table) + i) % table->ranks) + suit]++;
    for (int i = 0; i < (table->has_jokers ? 2 : 0); i++) {
        const winnable_joker* joker = &table->joker[i];
        held[JOKERS + i] += joker->is_out + (joker->is_open_ace || joker->place >= 0);
        if (joker->place >= 0 && (joker->place >> 2) < table->up[joker->place & 3]
            && (i == 0 || joker->place != table->joker[0].place))
            held[joker->place]--;
    }
    for (int column = 0; column < table->columns; column++)
        for (int row = 0; row < table->size[column]; row++)
            held[table->card[column][row]]++;
    for (int i = 0; i < table->stock_size; i++)
        held[table->stock[i]]++;
    for (int i = 0; i < table->waste_size; i++)
        held[table->waste[i]]++;
}

/* The runs of `suit` that have left: as many as most of its ranks lack copies. */
static int runs_gone(const winnable_table* table, const int held[KINDS], int copies, int suit) {
    int usual = 0, most = -1;
    for (int count = 0; count <= WINNABLE_MOST_CARDS; count++) {
        int ranks = 0;
        for (int rank = 0; rank < table->ranks; rank++)
            ranks += held[4 * rank + suit] == count;
        if (ranks > 0 && ranks >= most) {
            usual = count;
            most = ranks;
        }
    }
    return usual < copies ? copies - usual : 0;
}

/* Fail: the cards of `left` that are not 0 are missing. */
static int fail_missing(reading* in, const int left[KINDS]) {
    char names[32];
    writer to = writer_of(names, sizeof names);
    int missing = 0;
    for (int card = 0; card < KINDS; card++)
        for (int copy = 0; copy < left[card]; copy++, missing++)
            if (missing < 6) {
                put(&to, ' ');
                put_card(&to, card);
            }
    put_text(&to, missing > 6 ? " ..." : "");
    ended(&to);
    return winnable_fail(in->engine, WINNABLE_BAD_POSITION, "missing card%s:%s", missing > 1 ? "s" : "",
                         names);
}

/* Check that each card of the deck is there as often as it must be. */
static int check_cards(reading* in) {
    const winnable_game* game = in->engine->game;
    int held[KINDS], left[KINDS], gone[4] = {0, 0, 0, 0}, missing = 0;
    count_cards(&in->table, held);
    for (int suit = 0; suit < 4; suit++)
        if (game->has_runs && has_suit(&in->table, suit))
            gone[suit] = runs_gone(&in->table, held, game->cards > KINDS ? 2 : 1, suit);
    for (int card = 0; card < KINDS; card++) {
        int copies = copies_of(game, &in->table, card), runs = card < JOKERS ? gone[card & 3] : 0;
        char name[3];
        writer to = writer_of(name, sizeof name);
        put_card(&to, card);
        ended(&to);
        if (held[card] > 0 && copies == 0)
            return winnable_fail(in->engine, WINNABLE_BAD_POSITION, "card %s does not belong to this deck",
                                 name);
        if (held[card] > copies)
            return winnable_fail(in->engine, WINNABLE_BAD_POSITION, "card %s is there %s", name,
                                 copies > 1 ? "three times" : "twice");
        if (held[card] + runs > copies && copies > 0)
            return winnable_fail(in->engine, WINNABLE_BAD_POSITION,
                                 "card %s is there, but most of its suit has left", name);
        left[card] = copies == 0 ? 0 : copies - runs - held[card];
        missing += left[card];
    }
    for (int suit = 0; suit < 4; suit++)
        if (in->gone >> suit & 1 && gone[suit] == 0)
            return winnable_fail(in->engine, WINNABLE_BAD_POSITION,
                                 "the foundations have cards that are in columns");
    return missing > 0 ? fail_missing(in, left) : WINNABLE_OK;
}

/* Write the sizes of columns, without empty ones at the end. */
static const char* sizes_text(const uint8_t* sizes, int columns, char* text, int size) {
    writer to = writer_of(text, size);
    while (columns > 0 && sizes[columns - 1] == 0)
        columns--;
    for (int column = 0; column < columns; column++) {
        if (column > 0)
            put(&to, ' ');
        put_number(&to, sizes[column]);
    }
    if (columns == 0)
        put(&to, '0');
    ended(&to);
    return text;
}

/* Fail: the columns do not have the sizes of a deal. */
static int fail_sizes(reading* in) {
    const winnable_game* game = in->engine->game;
    char dealt[64], found[64];
    return winnable_fail(in->engine, WINNABLE_BAD_POSITION,
                         "expected columns of %s cards, got %s; a position in play %s",
                         sizes_text(game->sizes, game->columns, dealt, sizeof dealt),
                         sizes_text(in->table.size, in->table.columns, found, sizeof found),
                         is_stock_game(game) ? "has Foundations, and its face-down cards are written <7H>"
                         : "begins with the line \"# position: in play\"");
}

/* Let complete runs leave, as they do in the Simon games. */
static void settle(winnable_table* table) {
    for (int column = 0; column < table->columns; column++) {
        int size = table->size[column], run = 0;
        const uint8_t* cards = table->card[column];
        while (run < size && run < table->ranks && cards[size - 1 - run] == 4 * run + (cards[size - 1] & 3))
            run++;
        if (run == table->ranks) {
            table->size[column] = (uint8_t)(size - run);
            memset(table->card[column] + size - run, 0, (size_t)run);
            column--;           /* there may be another one beneath */
        }
    }
}

/* Set the face-down cards of a deal before any move. */
static void hide(winnable_table* table) {
    for (int column = 0; column < table->columns; column++)
        table->hidden[column] = (uint8_t)(table->size[column] > 0 ? table->size[column] - 1 : 0);
}

/* Whether `table` is the deal of the seed, in columns of the same sizes if the deck is short. */
static int is_of_seed(const reading* in) {
    const winnable_game* game = in->engine->game;
    winnable_table dealt = in->table;
    uint8_t cards[WINNABLE_MOST_CARDS];
    int count = 0;
    for (int i = 0; i < game->cards; i++)
        if (copies_of(game, &in->table, in->engine->deck[i]) > 0)
            cards[count++] = in->engine->deck[i];
    winnable_shuffle(cards, count, in->seed);
    memset(dealt.card, 0, sizeof dealt.card);
    memset(dealt.stock, 0, sizeof dealt.stock);
    winnable_lay_out(&dealt, cards, count, is_full(&dealt) ? game->sizes : in->table.size, dealt.columns);
    if (game->has_runs)
        settle(&dealt);
    if (is_stock_game(game))
        hide(&dealt);
    return memcmp(&dealt, &in->table, sizeof dealt) == 0
        && (is_stock_game(game) ? is_unplayed(game, &dealt) : !is_marked(game, &dealt));
}

/* Check what the layout means: a deal, or a position in play. */
static int check_layout(reading* in) {
    const winnable_game* game = in->engine->game;
    int in_play = in->line_of[POSITION] > 0, is_said = in->by_columns || in->made > 0;
    if (game->has_runs)
        settle(&in->table);
    if (!in_play && in->made == 0 && needs_mark(game, &in->table))
        return fail_sizes(in);
    if (!is_said && may_be_rows(game, &in->table, in_play))
        return winnable_fail(in->engine, WINNABLE_BAD_POSITION,
                             "are these lines columns or rows? Columns of a position in play begin with the "
                             "line \"# position: in play, by columns\"");
    if (in->line_of[SEED] > 0 && in->made == 0 && !is_of_seed(in))
        return winnable_fail(in->engine, WINNABLE_BAD_POSITION,
                             "line %d: these are not the cards of this seed; a position in play has a line "
                             "\"# moves made: 5\"", in->line_of[SEED]);
    return WINNABLE_OK;
}

/* Complete and check the position that was read. */
static int settle_position(reading* in) {
    const winnable_game* game = in->engine->game;
    winnable_table* table = &in->table;
    int code, played = in->has_marks || in->line_of[FOUNDATIONS] > 0 || in->line_of[POSITION] > 0;
    if (table->columns == 0)
        return winnable_fail(in->engine, WINNABLE_BAD_TEXT,
                             "line %d: expected the cards of a column, got the end",
                             in->line > 0 ? in->line : 1);
    if (is_full(table))
        table->columns = (uint8_t)game->columns;
    if ((code = set_foundations(in)) != WINNABLE_OK)
        return code;
    if (is_stock_game(game) && !played && table->waste_size == 0 && table->redeals == 0
        && !table->joker[0].is_out && !table->joker[1].is_out) {
        if (is_full(table) && !is_laid_out(game, table))
            return fail_sizes(in);
        hide(table);
    }
    code = check_cards(in);
    return code == WINNABLE_OK ? check_layout(in) : code;
}

/* Set the rule options of `to` to those of `from`. */
static void copy_options(winnable_table* to, const winnable_table* from) {
    to->draw = from->draw;
    to->passes = from->passes;
    to->backward = from->backward;
    to->turned_only = from->turned_only;
    to->any_removal = from->any_removal;
}

/* --- Moves as text ------------------------------------------------------------------------------------------- */

/* The deepest card that a legal move moves; of a draw, the card that is on top then. */
static int card_of(const winnable_table* table, const winnable_move* move) {
    if (move->source >= 0)
        return table->card[move->source][table->size[move->source] - move->count];
    if (move->source == WINNABLE_WASTE)
        return table->waste[table->waste_size - 1];
    if (move->source == WINNABLE_FOUNDATION)
        return 4 * (table->up[move->suit] - 1) + move->suit;
    int left = table->stock_size > 0 ? table->stock_size : table->waste_size;
    const uint8_t* cards = table->stock_size > 0 ? table->stock : table->waste;
    return cards[(left < table->draw ? left : table->draw) - 1];
}

static void put_place(writer* to, int place, int suit) {
    if (place >= 0)
        put_number(to, (uint64_t)place + 1);
    else
        put(to, "swfx"[-1 - place]);
    if (place == WINNABLE_FOUNDATION && suit >= 0)
        put(to, SUITS[suit]);
}

/* Write a legal move of `table`. */
static void put_move(writer* to, const winnable_table* table, const winnable_move* move) {
    put_card(to, card_of(table, move));
    put(to, ' ');
    put_place(to, move->source, move->suit);
    put(to, move->target == WINNABLE_IN_PLACE ? '=' : '-');
    if (move->target == WINNABLE_IN_PLACE)
        put(to, RANKS[move->rank]);
    else
        put_place(to, move->target, move->suit);
}

/* --- Reading moves ------------------------------------------------------------------------------------------- */

enum { MOST_LETTERS = 80 };

typedef struct { int place, suit; } spot;       /* NOWHERE: not written; the suit of a foundation, or -1 */

typedef struct {                /* the parts of a move; -1: not written */
    int card, rank;
    spot source, target;
} written;

/* The letter or "-" for which a character of three bytes stands, such as the sign of a suit; 0: for none. */
static char letter_of(const char* at) {
    const unsigned char* bytes = (const unsigned char*)at;
    int a = bytes[0], b = a != 0 ? bytes[1] : 0, c = b != 0 ? bytes[2] : 0;
    if (a == 0xE2 && b == 0x99 && c >= 0xA0 && c <= 0xA7)
        return "shdcshdc"[c - 0xA0];
    if (a == 0xE2 && ((b == 0x80 && c >= 0x90 && c <= 0x95) || (b == 0x86 && c == 0x92)))
        return '-';
    return a == 0xEF && b == 0xB8 && (c == 0x8E || c == 0x8F) ? ' ' : 0;
}

/* Take the card at the beginning; -1 if there is none, or `??` in its place, which sets `*any`. */
static int take_card(span* rest, int* any) {
    span word = {rest->at, rest->at};
    while (word.end < rest->end && (is_letter(*word.end) || is_digit(*word.end)))
        word.end++;
    *any = length_of(*rest) >= 2 && rest->at[0] == '?' && rest->at[1] == '?'
        && (length_of(*rest) == 2 || !(is_letter(rest->at[2]) || is_digit(rest->at[2])));
    int card = card_in(word);
    if (card >= 0)
        rest->at = word.end;
    else if (*any)
        rest->at += 2;
    return card;
}

/* The letter of the place that a word names, or a space for a word such as "the"; 0 for other words. */
static char meaning_of(span part) {
    static const char* const WORDS[] = {
        "foundations", "foundation", "waste", "talon", "stock", "out", "from", "column", "the", "its"
    };
    for (int i = 0; i < 10; i++)
        if (is_name(part, WORDS[i]))
            return "ffwwsx    "[i];
    return 0;
}

/* Put the letters that words stand for in their places, with spaces around them. */
static span without_words(span text, char* letters) {
    for (char* at = letters; at < text.end; at++) {
        char* end = at;
        while (end < text.end && is_letter(*end))
            end++;
        char meaning = meaning_of((span){at, end});
        if (meaning != 0) {
            memset(at, ' ', (size_t)(end - at));
            *at = meaning;
        }
        at = end > at ? end - 1 : at;
    }
    return trimmed(text);
}

/* Copy `text` up to a comment in small letters; an empty span if it is too long for a move. */
static span plain_of(const char* text, char letters[MOST_LETTERS]) {
    int count = 0;
    for (; *text != 0 && *text != '#'; text++) {
        char sign = letter_of(text), letter = sign != 0 ? sign : lower(*text);
        if (sign != 0)
            text += 2;
        if (sign == ' ' || (is_space(letter) && (count == 0 || letters[count - 1] == ' ')))
            continue;
        if (count == MOST_LETTERS)
            return (span){letters, letters};
        letters[count++] = is_space(letter) ? ' ' : letter;
    }
    return without_words((span){letters, letters + count}, letters);
}

static void skip_spaces(span* rest) {
    while (rest->at < rest->end && is_space(*rest->at))
        rest->at++;
}

/* Take a place, and the spaces before it; NO_PLACE if there is none. */
static spot take_place(span* rest) {
    skip_spaces(rest);
    if (rest->at == rest->end)
        return (spot){NO_PLACE, -1};
    if (is_digit(*rest->at)) {
        int number = *rest->at++ - '0';
        if (rest->at < rest->end && is_digit(*rest->at))
            number = 10 * number + (*rest->at++ - '0');
        return (spot){number > 0 ? number - 1 : INT_MAX, -1};
    }
    int letter = index_in("swfx", *rest->at);
    if (letter < 0)
        return (spot){NO_PLACE, -1};
    rest->at++;
    spot place = {-1 - letter, -1};
    if (place.place == WINNABLE_FOUNDATION && rest->at < rest->end)
        place.suit = index_in(SUITS, *rest->at);
    rest->at += place.suit >= 0;
    return place;
}

/* Take what separates two places: "-", "->" or "to", which returns 2, or spaces, 1; else 0. */
static int take_gap(span* rest) {
    const char* before = rest->at;
    skip_spaces(rest);
    int gap = rest->at > before;
    before = rest->at;
    while (rest->at < rest->end && *rest->at == '-')
        rest->at++;
    if (rest->at > before && rest->at < rest->end && *rest->at == '>')
        rest->at++;
    if (rest->at == before && length_of(*rest) > 2 && memcmp(rest->at, "to ", 3) == 0)
        rest->at += 2;
    return rest->at > before ? 2 : gap;
}

/* Take "=7"; the rank, -1 if there is none, -2 if what follows "=" is none. */
static int take_rank(span* rest) {
    span after = *rest;
    skip_spaces(&after);
    if (after.at == after.end || *after.at != '=')
        return -1;
    after.at++;
    skip_spaces(&after);
    rest->at = after.end;
    int rank = rank_in(after);
    return rank < 0 ? -2 : rank;
}

/* Read the places and the rank of a move after its card; 0 if they are none. */
static int split_action(span rest, written* found) {
    int gap;
    span trial = rest;
    if ((found->rank = take_rank(&rest)) != -1)
        return found->rank >= 0;
    gap = take_gap(&trial);
    spot first = take_place(gap == 2 ? &trial : &rest);
    if (gap == 2) {
        skip_spaces(&trial);
        found->target = first;
        return first.place != NO_PLACE && trial.at == trial.end;
    }
    if (first.place == NO_PLACE)
        return rest.at == rest.end;
    if ((found->rank = take_rank(&rest)) != -1) {
        found->source = first;
        return found->rank >= 0;
    }
    gap = take_gap(&rest);
    spot second = take_place(&rest);
    int joined = first.place != WINNABLE_FOUNDATION && first.place != WINNABLE_OUT
        && second.place < 0 && second.place != WINNABLE_STOCK;  /* such as 10f */
    if (second.place == NO_PLACE) {
        found->target = first;
        return gap < 2 && rest.at == rest.end;
    }
    found->source = first;
    found->target = second;
    return (gap > 0 || joined) && rest.at == rest.end;
}

/* Split a move into its parts; 0 if it does not have the form of a move. */
static int split(const char* text, written* found) {
    char letters[MOST_LETTERS];
    int any;
    span rest = plain_of(text, letters);
    *found = (written){-1, -1, {NOWHERE, -1}, {NOWHERE, -1}};
    if (rest.at == rest.end)
        return 0;
    found->card = take_card(&rest, &any);
    if (found->card >= JOKERS && rest.at < rest.end && *rest.at == '=') {   /* XB=6 as it lies on the table */
        span after = rest;
        next_word(&after);
        if (after.at < after.end)
            rest.at = after.at;
    }
    return split_action(rest, found);
}

/* Whether `given` is not written, or `has`. A foundation without its suit is any one unless `exactly`. */
static int is_spot(spot given, spot has, int exactly) {
    int any_suit = given.suit < 0 && !exactly;
    return given.place == NOWHERE || (given.place == has.place && (given.suit == has.suit || any_suit));
}

/* Whether a legal move agrees with all that is written. */
static int fits(const winnable_table* table, const winnable_move* move, const written* given) {
    int exactly = given->card >= 0 && given->source.place != NOWHERE;
    spot source = {move->source, move->source == WINNABLE_FOUNDATION ? move->suit : -1};
    spot target = {move->target, move->target == WINNABLE_FOUNDATION ? move->suit : -1};
    return (given->card < 0 || given->card == card_of(table, move))
        && (given->rank < 0 || given->rank == move->rank)
        && is_spot(given->source, source, 0) && is_spot(given->target, target, exactly);
}

/* Fail: several of `count` legal moves fit. */
static int fail_several(winnable* engine, const char* shown, const winnable_table* table,
                        const winnable_move* moves, int count) {
    char names[4 * WINNABLE_MOVE_SIZE];
    writer to = writer_of(names, sizeof names);
    for (int i = 0; i < count && i < 3; i++) {
        if (i > 0)
            put_text(&to, i < count - 1 ? ", " : " or ");
        put_move(&to, table, &moves[i]);
    }
    if (count > 3) {
        put_text(&to, " or ");
        put_number(&to, (uint64_t)count - 3);
        put_text(&to, count > 4 ? " others" : " other");
    }
    ended(&to);
    return winnable_fail(engine, WINNABLE_BAD_MOVE, "%s may be %s: say which", shown, names);
}

/* --- Functions of winnable.h --------------------------------------------------------------------------------- */

int winnable_read(winnable* engine, const char* text) {
    reading in = {.engine = engine, .first = {-1, -1, -1, -1}, .last = {-1, -1, -1, -1}};
    if (engine == NULL || text == NULL)
        return engine == NULL ? WINNABLE_MISUSE
            : winnable_fail(engine, WINNABLE_MISUSE, "expected a text, got NULL");
    winnable_table chosen = engine->table;
    in.table = engine->game->rules;
    int code = read_lines(&in, text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0));    /* a byte order mark */
    if (code == WINNABLE_OK)
        code = settle_position(&in);
    if (code == WINNABLE_OK)
        code = winnable_load(engine, &in.table);
    if (code != WINNABLE_OK)
        return code;
    copy_options(&engine->table, &chosen);
    engine->seed = in.seed;
    engine->has_seed = in.line_of[SEED] > 0;
    engine->made = in.made;
    return WINNABLE_OK;
}

int winnable_text(const winnable* engine, char* text, int size) {
    writer to = writer_of(text, size);
    winnable_table table;
    if (engine != NULL && winnable_position(engine, &table) == WINNABLE_OK)
        put_position(&to, engine, &table);
    return ended(&to);
}

int winnable_move_text(const winnable* engine, const winnable_move* move, char* text, int size) {
    winnable_move moves[WINNABLE_MOST_MOVES];
    winnable_table table;
    writer to = writer_of(text, size);
    int count = engine != NULL && move != NULL ? winnable_legal(engine, moves, WINNABLE_MOST_MOVES) : 0;
    for (int i = 0; i < count && i < WINNABLE_MOST_MOVES; i++)
        if (memcmp(&moves[i], move, sizeof *move) == 0 && winnable_position(engine, &table) == WINNABLE_OK) {
            put_move(&to, &table, move);
            break;
        }
    return ended(&to);
}

int winnable_read_move(winnable* engine, const char* text, winnable_move* move) {
    winnable_move moves[WINNABLE_MOST_MOVES];
    winnable_table table;
    written given;
    char shown[MOST_SHOWN + 4];
    int fitting = 0;
    if (engine == NULL || text == NULL || move == NULL)
        return engine == NULL ? WINNABLE_MISUSE
            : winnable_fail(engine, WINNABLE_MISUSE, "expected a text and room for a move, got NULL");
    quoted(trimmed((span){text, text + strlen(text)}), shown);
    if (!split(text, &given))
        return winnable_fail(engine, WINNABLE_BAD_TEXT, "expected a move such as 7S 10-3, got %s",
                             *shown != 0 ? shown : "nothing");
    int count = winnable_legal(engine, moves, WINNABLE_MOST_MOVES), code = winnable_position(engine, &table);
    for (int i = 0; code == WINNABLE_OK && i < count && i < WINNABLE_MOST_MOVES; i++)
        if (fits(&table, &moves[i], &given))
            moves[fitting++] = moves[i];
    if (code == WINNABLE_OK && fitting == 0)
        return winnable_fail(engine, WINNABLE_BAD_MOVE, "%s: not a legal move here", shown);
    if (fitting > 1)
        return fail_several(engine, shown, &table, moves, fitting);
    if (code == WINNABLE_OK)
        *move = moves[0];
    return code;
}
