/* The second checker of certificates: docs/certificates.md with the definitions in docs/theory that it names,
 * and the rules of `winnable describe`, in C.
 *
 *     cc -O2 -o second_checker second_checker.c; zcat proof.gz | ./second_checker [SECONDS]
 *
 * Prints one line, "accepted: ..." with status 0 or "refused: ..." with status 2; after SECONDS of processor
 * time, 600 by default, or where the memory does not suffice, "not finished ..." with status 3. Positions are
 * compared as whole texts; hashes only select the slot of the table. Memory grows with the text read, never
 * with a number in the header. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MAX_CARDS = 104,
    MAX_COLUMNS = 14,
    MAX_HEADER = 65535,
    MAX_LINE = 2047,
    MAX_TEXT = 2048,
    NATURALS = 52,
    NO_CARD = 255,
    /* Conditions of a joker: 0, a rank that it is declared as, or one of these; a place is PLACED + its card. */
    UNDECLARED = 0,
    OPEN_ACE = 20,
    OUT_OF_PLAY = 21,
    PLACED = 64
};

static const size_t MAX_LINES = 999999999; /* line numbers must fit into an int */
static const char RANKS[] = " A23456789TJQK", SUITS[] = "CDHS";

typedef enum { BOARD, ONE_PASS, KLONDIKE, SIMON } Family; /* ONE_PASS: klondike-one-pass and joker */

static const struct {
    const char *name;
    Family family;
    int variant; /* BOARD: the base rank is chosen in play; ONE_PASS: the deck has jokers */
    int decks, columns;
    int lengths[14]; /* lengths of the columns of a full deal */
} GAMES[] = {
    {"chessboard", BOARD, 1, 1, 10, {6, 5, 5, 5, 5, 6, 5, 5, 5, 5}},
    {"fortress", BOARD, 0, 1, 10, {6, 5, 5, 5, 5, 6, 5, 5, 5, 5}},
    {"joker", ONE_PASS, 1, 1, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"klondike-one-pass", ONE_PASS, 0, 1, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"klondike", KLONDIKE, 0, 1, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"klondike-draw-one", KLONDIKE, 0, 1, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"klondike-vegas", KLONDIKE, 0, 1, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"klondike-vegas-one", KLONDIKE, 0, 1, 7, {1, 2, 3, 4, 5, 6, 7}},
    {"simple-simon", SIMON, 0, 1, 10, {8, 8, 8, 7, 6, 5, 4, 3, 2, 1}},
    {"simon-jester", SIMON, 0, 2, 14, {8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7}},
    {"simon-jester-triangular", SIMON, 0, 2, 14, {13, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}},
};

/* The fields of the header. */
static int game; /* index in GAMES */
static Family family;
static int variant, decks, ranks, columns, has_suit[4];
static int exchange_turned, removal_exposed;
static int draw_count, pass_limit, worrying_back; /* pass_limit 0: unlimited */
static int exact, counting; /* whether the claim is an exact score; whether it is a number of moves */
static int value;
/* Kinds of listed positions: POSITIONS are those of the game; stems, of the Simon family, those of the relaxed
 * game. */
static enum { POSITIONS, STEMS, CLASSES } listed;
static int has_base, has_up, has_bound; /* whether the header names the lemma of each of these reasons */

static size_t line_number = 1;
static double seconds_allowed = 600;

typedef struct {
    unsigned char count, down; /* the first `down` cards lie face down */
    unsigned char card[MAX_CARDS];
} Column;

/* A card is 4 * (rank - 1) + suit; XB is 52 and XR 53. */
typedef struct {
    unsigned char base;   /* the base rank, 0 while none is chosen */
    unsigned char top[4]; /* number of places filled on each foundation */
    unsigned char joker[2], redeals;
    unsigned char waste_count, stock_count;
    unsigned char waste[MAX_CARDS], stock[MAX_CARDS]; /* the next card of the stock is its last */
    Column column[MAX_COLUMNS];
} Position;

_Noreturn static void refuse(const char *why, ...) {
    va_list arguments;
    va_start(arguments, why);
    printf("refused: line %zu: ", line_number);
    vprintf(why, arguments);
    printf("\n");
    va_end(arguments);
    exit(2);
}

static void refuse_if(int is_wrong, const char *why) {
    if (is_wrong)
        refuse("%s", why);
}

/* End at a limit of this program, which says nothing about the certificate. */
_Noreturn static void give_up(const char *limit, ...) {
    va_list arguments;
    va_start(arguments, limit);
    printf("not finished within ");
    vprintf(limit, arguments);
    printf("\n");
    va_end(arguments);
    exit(3);
}

static void *memory(void *old, size_t size) {
    void *new = realloc(old, size);
    if (!new)
        give_up("the available memory");
    return new;
}

/* Give up when the time is over. Called in every loop that may take long. */
static void tick(void) {
    static unsigned ticks;
    if (ticks++ % 64 == 0 && (double)clock() > seconds_allowed * CLOCKS_PER_SEC)
        give_up("%g seconds of processor time", seconds_allowed);
}

/* ---- Cards ---- */

static int is_joker(int card) { return card >= NATURALS; }
static int suit_of(int card) { return card & 3; }

/* Return 0 for black and 1 for red, which is also the number of the joker of that colour. */
static int suit_colour(int suit) { return suit == 1 || suit == 2; }
static int colour_of(int card) { return is_joker(card) ? card - NATURALS : suit_colour(suit_of(card)); }
static int natural(int rank, int suit) { return 4 * (rank - 1) + suit; }

/* Return the rank of a card in columns: for a joker the rank that it is declared as, 0 if it is undeclared. */
static int rank_of(const Position *p, int card) {
    if (!is_joker(card))
        return card / 4 + 1;
    int condition = p->joker[card - NATURALS];
    return condition <= 13 ? condition : 0;
}

static char *write_card(char *out, int card) {
    *out++ = is_joker(card) ? 'X' : RANKS[card / 4 + 1];
    *out++ = is_joker(card) ? "BR"[card - NATURALS] : SUITS[suit_of(card)];
    *out = 0;
    return out;
}

static int read_rank(char c) {
    const char *found = c > ' ' ? strchr(RANKS, c) : NULL;
    return found && found - RANKS <= ranks ? (int)(found - RANKS) : 0;
}

/* Return the card named by two characters, NO_CARD if the deck has no card of that name. */
static int read_card(const char *text) {
    if (text[0] == 'X' && family == ONE_PASS && variant)
        return text[1] == 'B' ? NATURALS : text[1] == 'R' ? NATURALS + 1 : NO_CARD;
    int rank = read_rank(text[0]);
    if (!rank || !text[1])
        return NO_CARD;
    const char *suit = strchr(SUITS, text[1]);
    return suit && has_suit[suit - SUITS] ? natural(rank, (int)(suit - SUITS)) : NO_CARD;
}

/* Return whether the game has a stock and face-down cards. */
static int has_stock(void) { return family == ONE_PASS || family == KLONDIKE; }

static int top_of(const Column *c) { return c->count ? c->card[c->count - 1] : NO_CARD; }

static void lift(Column *c, int count) { c->count = (unsigned char)(c->count - count); }

static void lay(Column *c, const unsigned char *card, int count) {
    memcpy(c->card + c->count, card, (size_t)count);
    c->count = (unsigned char)(c->count + count);
}

static void lay_one(Column *c, int card) { c->card[c->count++] = (unsigned char)card; }

static void copy_position(Position *to, const Position *from) {
    memcpy(to, from, offsetof(Position, column) + (size_t)columns * sizeof(Column));
}

/* Return the number of places of all foundations. */
static int places(void) { return ranks * (has_suit[0] + has_suit[1] + has_suit[2] + has_suit[3]); }
static int is_full_deck(void) { return places() == NATURALS; }

static int columns_in_use(const Position *p) {
    int used = 0;
    for (int i = 0; i < columns; i++)
        used += p->column[i].count > 0;
    return used;
}

/* ---- Positions as text ---- */

static char *write_column(char *out, const Column *c) {
    *out = 0;
    for (int k = 0; k < c->count; k++) {
        out = write_card(out, c->card[k]);
        if (k + 1 == c->down)
            *out++ = '/';
    }
    *out = 0;
    return out;
}

/* Write the columns or runs that hold cards, sorted by their texts. */
static char *write_columns(char *out, const Column *column, int count, int space) {
    static char texts[MAX_CARDS][2 * MAX_CARDS + 2];
    char *order[MAX_CARDS];
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (!column[i].count)
            continue;
        char *text = texts[used];
        write_column(text, &column[i]);
        int at = used++;
        for (; at && strcmp(order[at - 1], text) > 0; at--)
            order[at] = order[at - 1];
        order[at] = text;
    }
    for (int i = 0; i < used; i++) {
        if (i || space)
            *out++ = ' ';
        size_t length = strlen(order[i]);
        memcpy(out, order[i], length);
        out += length;
    }
    *out = 0;
    return out;
}

static char *write_joker(char *out, int condition) {
    if (condition >= PLACED)
        return write_card(out, condition - PLACED);
    if (condition >= 1 && condition <= 13)
        *out++ = '=';
    *out++ = condition == OPEN_ACE ? 'A' : condition == OUT_OF_PLAY ? 'x' : condition ? RANKS[condition] : '-';
    return out;
}

static void write_position(char *out, const Position *p) {
    if (family == BOARD)
        *out++ = p->base ? RANKS[p->base] : '-';
    if (family == ONE_PASS) {
        for (int suit = 0; suit < 4; suit++)
            *out++ = p->top[suit] ? RANKS[p->top[suit]] : '-';
        for (int j = 0; variant && j < 2; j++) {
            *out++ = ' ';
            *out++ = "br"[j];
            out = write_joker(out, p->joker[j]);
        }
        *out++ = ' ', *out++ = 'w';
        for (int k = 0; k < p->waste_count; k++)
            out = write_card(out, p->waste[k]);
        *out++ = ' ', *out++ = 's';
        for (int k = p->stock_count; k--;)
            out = write_card(out, p->stock[k]);
    }
    write_columns(out, p->column, columns, family != SIMON);
}

/* Read cards up to the next space or the end, with a slash after the face-down ones if that is allowed. */
static const char *read_cards(const char *at, unsigned char *card, unsigned char *count, unsigned char *down) {
    *count = 0;
    while (*at && *at != ' ') {
        int read = *count < MAX_CARDS ? read_card(at) : NO_CARD;
        if (read == NO_CARD)
            return NULL;
        card[(*count)++] = (unsigned char)read;
        at += 2;
        if (*at == '/') {
            if (!down || *down || !at[1] || at[1] == ' ')
                return NULL;
            *down = *count;
            at++;
        }
    }
    return at;
}

static const char *read_joker(const char *at, unsigned char *condition) {
    if (at[0] == '=' && read_rank(at[1])) {
        *condition = (unsigned char)read_rank(at[1]);
        return at + 2;
    }
    if (at[0] && at[1] && at[1] != ' ') {
        int card = read_card(at);
        *condition = (unsigned char)(PLACED + card);
        return is_joker(card) ? NULL : at + 2;
    }
    *condition = at[0] == 'A' ? OPEN_ACE : at[0] == 'x' ? OUT_OF_PLAY : UNDECLARED;
    return *condition || at[0] == '-' ? at + 1 : NULL;
}

static const char *read_front(const char *at, Position *p) {
    if (family == BOARD) {
        p->base = (unsigned char)read_rank(*at);
        return p->base || *at == '-' ? at + 1 : NULL;
    }
    for (int suit = 0; suit < 4; suit++, at++) {
        p->top[suit] = (unsigned char)read_rank(*at);
        if (!p->top[suit] && *at != '-')
            return NULL;
    }
    for (int j = 0; variant && j < 2; j++) {
        if (at[0] != ' ' || at[1] != "br"[j] || !(at = read_joker(at + 2, &p->joker[j])))
            return NULL;
    }
    if (family == KLONDIKE && pass_limit) {
        if (at[0] != ' ' || at[1] != 'r' || at[2] < '0' || at[2] > '9')
            return NULL;
        p->redeals = (unsigned char)(at[2] - '0');
        at += 3;
    }
    if (at[0] != ' ' || at[1] != 'w' || !(at = read_cards(at + 2, p->waste, &p->waste_count, NULL)))
        return NULL;
    if (at[0] != ' ' || at[1] != 's' || !(at = read_cards(at + 2, p->stock, &p->stock_count, NULL)))
        return NULL;
    for (int i = 0, k = p->stock_count - 1; i < k; i++, k--) {
        unsigned char card = p->stock[i];
        p->stock[i] = p->stock[k];
        p->stock[k] = card;
    }
    return at;
}

/* Forms of a position. DEALT has all columns, `-` for an empty one. DEALT and START are the position of the
 * claim; LISTED positions may also be forms that only lemmas produce. */
typedef enum { LISTED, START, DEALT } Form;

static int is_right(Position *p, Form form);

/* Read a position of this deck, with its columns in any order. Returns 0 if the text is not one. */
static int read_position(const char *at, Position *p, Form form) {
    memset(p, 0, offsetof(Position, column) + (size_t)columns * sizeof(Column));
    int used = 0;
    if (family != SIMON && (!(at = read_front(at, p)) || (*at && *at != ' ')))
        return 0;
    int more = family == SIMON ? *at != 0 : *at == ' ';
    at += more && family != SIMON;
    while (more) {
        if (used == columns)
            return 0;
        Column *c = &p->column[used++];
        if (form == DEALT && at[0] == '-')
            at++;
        else if (!(at = read_cards(at, c->card, &c->count, has_stock() ? &c->down : NULL)) || !c->count)
            return 0;
        if (*at && *at != ' ')
            return 0;
        more = *at++ == ' ';
    }
    return (form != DEALT || used == columns) && is_right(p, form);
}

/* ---- Which cards there are ---- */

static void count_cards(const Position *p, int seen[NATURALS + 2]) {
    memset(seen, 0, (NATURALS + 2) * sizeof(int));
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < p->column[i].count; k++)
            seen[p->column[i].card[k]]++;
    for (int k = 0; k < p->waste_count; k++)
        seen[p->waste[k]]++;
    for (int k = 0; k < p->stock_count; k++)
        seen[p->stock[k]]++;
}

/* Chessboard and Fortress: the cards in no column are on the foundations, from the base rank on. The base rank
 * is chosen when a card goes up; by the lemma *chosen base* listed positions may have one before that. */
static int board_is_right(Position *p, const int seen[], Form form) {
    int up = 0;
    if (!variant && p->base != 1)
        return 0;
    for (int suit = 0; suit < 4; suit++) {
        if (!has_suit[suit])
            continue;
        int filled = 0;
        for (int rank = 1; rank <= ranks; rank++) {
            if (seen[natural(rank, suit)] > 1)
                return 0;
            filled += !seen[natural(rank, suit)];
        }
        for (int k = 0; k < filled; k++)
            if (!p->base || seen[natural((p->base - 1 + k) % ranks + 1, suit)])
                return 0;
        p->top[suit] = (unsigned char)filled;
        up += filled;
    }
    return !variant || !p->base || up || (form == LISTED && counting);
}

/* The face-up cards of a column form a run; a joker without a rank lies alone. */
static int is_run(const Position *p, const Column *c) {
    for (int k = c->down; k + 1 < c->count; k++) {
        int under = c->card[k], over = c->card[k + 1];
        if (!rank_of(p, over) || rank_of(p, under) != rank_of(p, over) + 1 || colour_of(under) == colour_of(over))
            return 0;
    }
    return 1;
}

static int lies_face_up(const Position *p, int card) {
    for (int i = 0; i < columns; i++)
        for (int k = p->column[i].down; k < p->column[i].count; k++)
            if (p->column[i].card[k] == card)
                return 1;
    return 0;
}

/* Return whether a natural lies face up in a column, or its foundation place is filled. */
static int is_up(const Position *p, int card) {
    return p->top[suit_of(card)] > card / 4 || lies_face_up(p, card);
}

/* Return whether a joker of that colour may be declared as that rank: some card of them is not up. */
static int may_take_rank(const Position *p, int colour, int rank) {
    for (int suit = 0; suit < 4; suit++)
        if (has_suit[suit] && suit_colour(suit) == colour && !is_up(p, natural(rank, suit)))
            return 1;
    return 0;
}

/* Return whether the joker of its colour stands for a natural, which must not lie face up in a column. */
static int joker_stands_for(const Position *p, int card) {
    int condition = p->joker[colour_of(card)];
    if (!variant || is_joker(card))
        return 0;
    if (condition == OPEN_ACE)
        return card / 4 == 0 && !p->top[suit_of(card)];
    return condition == PLACED + card || (condition == card / 4 + 1 && p->top[suit_of(card)] <= card / 4);
}

/* Return whether the condition of a joker is possible. A placed joker fills a place of its colour at or below
 * the top of a foundation; a joker that is the only card there, an ace, must be an open ace instead. The cards
 * that it stands for are not up, unless cards are only exchanged when they are turned up. */
static int joker_is_right(const Position *p, int j, const int seen[]) {
    int condition = p->joker[j], is_declared = condition >= 1 && condition <= 13, is_placed = condition >= PLACED;
    int place = is_placed ? condition - PLACED : 0, top = p->top[suit_of(place)];
    if (seen[NATURALS + j] != (condition == UNDECLARED || is_declared))
        return 0;
    if (is_declared && !lies_face_up(p, NATURALS + j))
        return 0;
    if (is_placed && (colour_of(place) != j || top <= place / 4 || top == 1))
        return 0;
    if (exchange_turned)
        return 1;
    if ((is_declared || condition == OPEN_ACE) && !may_take_rank(p, j, is_declared ? condition : 1))
        return 0;
    if (is_placed && lies_face_up(p, place))
        return 0;
    int exposed = p->waste_count ? p->waste[p->waste_count - 1] : NO_CARD;
    return exposed == NO_CARD || colour_of(exposed) != j || !joker_stands_for(p, exposed);
}

/* With a full deck, the columns must correspond to the dealt ones so that none has more face-down cards than
 * were dealt to it. */
static int layout_is_right(const Position *p) {
    int fewer[MAX_COLUMNS + 1] = {0}; /* by number: the columns with at most that many face-down cards */
    for (int i = 0; i < columns; i++)
        for (int down = p->column[i].down; down <= columns; down++)
            fewer[down]++;
    for (int down = 0; down < columns; down++)
        if (fewer[down] <= down)
            return 0;
    return p->waste_count + p->stock_count <= (variant ? 26 : 24);
}

static int one_pass_is_right(const Position *p, const int seen[]) {
    for (int card = 0; card < NATURALS; card++) {
        int rank = card / 4 + 1, suit = suit_of(card);
        if (rank > ranks || !has_suit[suit])
            continue;
        int by_itself = p->top[suit] >= rank && p->joker[suit_colour(suit)] != PLACED + card;
        if (seen[card] + by_itself != 1)
            return 0;
    }
    for (int suit = 0; suit < 4; suit++)
        if (!has_suit[suit] && p->top[suit])
            return 0;
    for (int i = 0; i < columns; i++)
        if (!is_run(p, &p->column[i]))
            return 0;
    for (int j = 0; variant && j < 2; j++)
        if (!joker_is_right(p, j, seen))
            return 0;
    return !is_full_deck() || layout_is_right(p);
}

static int tail_length(const Column *c, int suited);

/* As many runs of each suit are in play as there are kings. Positions of the game must hold all cards of these
 * runs, stems only those that are not loose. */
static int simon_is_right(const Position *p, const int seen[], Form form) {
    int is_whole = form != LISTED || listed != STEMS;
    for (int i = 0; is_whole && i < columns; i++)
        if (p->column[i].count && tail_length(&p->column[i], 1) == ranks)
            return 0;
    for (int card = 0; card < 4 * ranks; card++) {
        int kings = seen[natural(ranks, suit_of(card))];
        if (seen[card] > kings || kings > decks || (is_whole && seen[card] != kings))
            return 0;
    }
    return 1;
}

static int is_right(Position *p, Form form) {
    int seen[NATURALS + 2];
    count_cards(p, seen);
    if (family == BOARD)
        return board_is_right(p, seen, form);
    if (family == KLONDIKE && pass_limit && p->redeals >= pass_limit)
        return 0;
    return has_stock() ? one_pass_is_right(p, seen) : simon_is_right(p, seen, form);
}

/* ---- Normal forms ---- */

/* Sort the runs that lie on cards like each other: the lowest card gets the run with the lowest card. */
static void order_like_cards(Position *p) {
    unsigned char lies_on[NATURALS + 2]; /* by card: the card on it */
    memset(lies_on, NO_CARD, sizeof lies_on);
    unsigned char face_up[NATURALS + 2] = {0};
    for (int i = 0; i < columns; i++) {
        const Column *c = &p->column[i];
        for (int k = c->down; k < c->count; k++) {
            face_up[c->card[k]] = 1;
            if (k + 1 < c->count)
                lies_on[c->card[k]] = c->card[k + 1];
        }
    }
    for (int rank = 1; rank <= ranks; rank++)
        for (int colour = 0; colour < 2; colour++) {
            int like[3], count = 0, upper[3], uppers = 0;
            for (int suit = 0; suit < 4; suit++)
                if (suit_colour(suit) == colour && face_up[natural(rank, suit)])
                    like[count++] = natural(rank, suit);
            if (face_up[NATURALS + colour] && rank_of(p, NATURALS + colour) == rank)
                like[count++] = NATURALS + colour;
            for (int k = 0; k < count; k++) {
                int card = lies_on[like[k]], at = uppers;
                if (card == NO_CARD)
                    continue;
                for (uppers++; at && upper[at - 1] > card; at--)
                    upper[at] = upper[at - 1];
                upper[at] = card;
            }
            for (int k = 0; k < count; k++)
                lies_on[like[k]] = (unsigned char)(k < uppers ? upper[k] : NO_CARD);
        }
    for (int i = 0; i < columns; i++) {
        Column *c = &p->column[i];
        if (!c->count)
            continue;
        int card = c->card[c->down];
        for (c->count = c->down; card != NO_CARD && c->count < MAX_CARDS; card = lies_on[card])
            c->card[c->count++] = (unsigned char)card;
    }
}

/* Return the number of cards at the top of a stem that descend rank by rank, with `suited` in one suit. */
static int tail_length(const Column *c, int suited) {
    int length = c->count > 0;
    for (; length < c->count; length++) {
        int over = c->card[c->count - length], under = c->card[c->count - length - 1];
        if (under / 4 != over / 4 + 1 || (suited && suit_of(under) != suit_of(over)))
            break;
    }
    return length;
}

/* Remove complete runs from the tops of columns. */
static void let_runs_leave(Column *c) {
    while (c->count && tail_length(c, 1) == ranks)
        lift(c, ranks);
}

/* Compute from stems the number of loose cards of each suit and rank, and the number of exposed cards of each
 * rank. */
static void find_loose(const Position *p, int loose[NATURALS], int open[15]) {
    int seen[NATURALS + 2], of_rank[15] = {0};
    count_cards(p, seen);
    memset(open, 0, 15 * sizeof(int));
    for (int card = 0; card < 4 * ranks; card++) {
        loose[card] = seen[natural(ranks, suit_of(card))] - seen[card];
        of_rank[card / 4 + 1] += loose[card];
    }
    for (int i = 0; i < columns; i++)
        if (p->column[i].count)
            open[top_of(&p->column[i]) / 4 + 1]++;
    for (int rank = 1; rank <= ranks; rank++)
        open[rank] += of_rank[rank] - of_rank[rank - 1];
}

static void peel(Position *p) {
    int loose[NATURALS], open[15];
    for (int i = 0; i < columns; i++)
        let_runs_leave(&p->column[i]);
    find_loose(p, loose, open);
    for (int i = 0; i < columns; i++) {
        Column *c = &p->column[i];
        int cut;
        do {
            cut = 0;
            int tail = tail_length(c, 0), suited = tail_length(c, 1);
            /* The `under` cards above the card at depth `under` must be of one suit. */
            for (int under = 1; under < tail && under <= suited && !cut; under++)
                if (open[c->card[c->count - 1 - under] / 4 + 1] > 0)
                    cut = under;
            lift(c, cut);
        } while (cut);
    }
}

/* ---- Classes: stems, and runs that may lie elsewhere ---- */

/* Return the number of cards cut off the top of a stem, given the exposed ranks. */
static int to_cut(const Column *c, const int exposed[15]) {
    int tail = tail_length(c, 0), cards = 1;
    while (cards < tail && !exposed[c->card[c->count - cards - 1] / 4 + 1])
        cards++;
    return cards < tail && cards <= tail_length(c, 1) ? cards : 0;
}

static void write_class(char *out, const Position *p) {
    static Column stem[MAX_COLUMNS], run[MAX_CARDS];
    int exposed[15] = {0}, runs = 0, cards;
    for (int i = 0; i < columns; i++)
        if (p->column[i].count)
            exposed[top_of(&p->column[i]) / 4 + 1] = 1;
    for (int i = 0; i < columns; i++) {
        stem[i] = p->column[i];
        while ((cards = to_cut(&stem[i], exposed))) {
            lift(&stem[i], cards);
            run[runs].count = 0;
            lay(&run[runs++], stem[i].card + stem[i].count, cards);
        }
    }
    out = write_columns(out, stem, columns, 0);
    if (runs) {
        strcpy(out, " +");
        write_columns(out + 2, run, runs, 1);
    }
}

static void normalise(Position *p) {
    if (family == ONE_PASS)
        order_like_cards(p);
    else if (listed == STEMS)
        peel(p);
}

/* ---- Moves: each is passed to a function, with its notation if that is wanted ---- */

typedef void Reached(Position *p, const char *notation);

static const char *board_notation(int card, int from, int to) {
    static char text[40];
    char *out = write_card(text, card);
    out += sprintf(out, " %d-", from + 1);
    if (to < 0)
        strcpy(out, "f");
    else
        sprintf(out, "%d", to + 1);
    return text;
}

static void board_moves(const Position *p, Reached *reached) {
    static Position next;
    for (int i = 0; i < columns; i++) {
        int card = top_of(&p->column[i]);
        if (card == NO_CARD)
            continue;
        int suit = suit_of(card), rank = card / 4 + 1;
        int base = p->base ? p->base : rank;
        if (p->top[suit] < ranks && rank == (base - 1 + p->top[suit]) % ranks + 1) {
            copy_position(&next, p);
            next.base = (unsigned char)base;
            next.top[suit]++;
            next.column[i].count--;
            reached(&next, board_notation(card, i, -1));
        }
        for (int j = 0; j < columns; j++) {
            int under = top_of(&p->column[j]);
            int apart = under == NO_CARD ? 1 : abs(under / 4 - card / 4);
            if (i == j || (under != NO_CARD && suit_of(under) != suit))
                continue;
            if (apart != 1 && !(variant && apart == ranks - 1))
                continue;
            copy_position(&next, p);
            next.column[i].count--;
            lay_one(&next.column[j], card);
            reached(&next, board_notation(card, i, j));
        }
    }
}

/* Exchange a natural with its joker, which becomes undeclared. */
static void change_places(Position *p, unsigned char *where) {
    int card = *where, j = colour_of(card), condition = p->joker[j];
    for (int i = 0; condition <= 13 && i < columns; i++)
        for (int k = p->column[i].down; k < p->column[i].count; k++)
            if (p->column[i].card[k] == NATURALS + j)
                p->column[i].card[k] = (unsigned char)card;
    if (condition == OPEN_ACE)
        p->top[suit_of(card)] = 1;
    p->joker[j] = UNDECLARED;
    *where = (unsigned char)(NATURALS + j);
}

/* Complete a move: turn cards up and exchange cards with jokers, first in the columns, then in the waste. */
static void expose(Position *p, int turned_from_stock) {
    for (int i = 0; i < columns; i++) {
        Column *c = &p->column[i];
        if (!c->count || c->down < c->count)
            continue;
        c->down--;
        if (joker_stands_for(p, top_of(c)))
            change_places(p, &c->card[c->count - 1]);
    }
    if (p->waste_count && (turned_from_stock || !exchange_turned)
        && joker_stands_for(p, p->waste[p->waste_count - 1]))
        change_places(p, &p->waste[p->waste_count - 1]);
}

static int fits(const Position *p, int colour, int rank, const Column *onto) {
    int under = top_of(onto);
    if (under == NO_CARD)
        return rank == ranks;
    return rank && rank_of(p, under) == rank + 1 && colour_of(under) != colour;
}

static int is_next(const Position *p, int card) { return p->top[suit_of(card)] == card / 4; }

/* Return whether a card is a deuce that may go onto the open ace: the ace of its suit must not be up. */
static int is_next_on_open_ace(const Position *p, int card) {
    return card / 4 == 1 && p->joker[colour_of(card)] == OPEN_ACE && !is_up(p, card - 4);
}

static void put_up(Position *p, int card) {
    if (!is_next(p, card))
        p->joker[colour_of(card)] = (unsigned char)(PLACED + natural(1, suit_of(card)));
    p->top[suit_of(card)] = (unsigned char)(card / 4 + 1);
}

static Position one_pass_next;

/* Complete and report the move in `one_pass_next`: from column i, or from the waste if i is negative. */
static void finish(Reached *reached, int card, int i, const char *to, ...) {
    char notation[40], *out = write_card(notation, card);
    va_list arguments;
    out += i < 0 ? sprintf(out, " w") : sprintf(out, " %d", i + 1);
    va_start(arguments, to);
    vsprintf(out, to, arguments);
    va_end(arguments);
    expose(&one_pass_next, 0);
    reached(&one_pass_next, notation);
}

/* Copy a position to `one_pass_next`, without the top card of column i, or of the waste. */
static Position *taken_off(const Position *p, int i) {
    Position *next = &one_pass_next;
    copy_position(next, p);
    if (i >= 0)
        next->column[i].count--;
    else
        next->waste_count--;
    /* A column has no face-up card if `down` is not below `count`. */
    return next;
}

static void joker_moves(const Position *p, int j, int i, Reached *reached) {
    int card = NATURALS + j, condition = p->joker[j];
    if (condition == UNDECLARED || (removal_exposed && i >= 0)) {
        taken_off(p, i)->joker[j] = OUT_OF_PLAY;
        finish(reached, card, i, "-x");
    }
    for (int rank = 1; i >= 0 && condition == UNDECLARED && rank <= ranks; rank++)
        if (may_take_rank(p, j, rank)) {
            copy_position(&one_pass_next, p);
            one_pass_next.joker[j] = (unsigned char)rank;
            finish(reached, card, i, "=%c", RANKS[rank]);
        }
    for (int k = 0; condition == UNDECLARED && k < columns; k++) {
        int under = top_of(&p->column[k]);
        int rank = under == NO_CARD ? ranks : rank_of(p, under) - 1;
        if (k == i || rank < 1 || !fits(p, j, rank, &p->column[k]) || !may_take_rank(p, j, rank))
            continue;
        lay_one(&taken_off(p, i)->column[k], card);
        one_pass_next.joker[j] = (unsigned char)rank;
        finish(reached, card, i, "-%d", k + 1);
    }
    for (int suit = 0; i >= 0 && suit < 4; suit++) {
        int rank = p->top[suit] + 1;
        if (!has_suit[suit] || suit_colour(suit) != j || rank == 1 || rank > ranks)
            continue;
        if ((condition && condition != rank) || is_up(p, natural(rank, suit)))
            continue;
        taken_off(p, i)->joker[j] = (unsigned char)(PLACED + natural(rank, suit));
        one_pass_next.top[suit]++;
        finish(reached, card, i, "-f%c", SUITS[suit]);
    }
    if (i >= 0 && condition <= 1 && may_take_rank(p, j, 1)) {
        taken_off(p, i)->joker[j] = OPEN_ACE;
        finish(reached, card, i, "-f");
    }
}

static void run_moves(const Position *p, int i, int k, Reached *reached) {
    const Column *from = &p->column[i];
    int card = from->card[k], count = from->count - k;
    for (int j = 0; j < columns; j++) {
        if (i == j || !fits(p, colour_of(card), rank_of(p, card), &p->column[j]))
            continue;
        copy_position(&one_pass_next, p);
        lay(&one_pass_next.column[j], from->card + k, count);
        one_pass_next.column[i].count = (unsigned char)k;
        finish(reached, card, i, "-%d", j + 1);
    }
}

static void one_pass_moves(const Position *p, Reached *reached) {
    if (p->stock_count) {
        copy_position(&one_pass_next, p);
        int card = one_pass_next.stock[--one_pass_next.stock_count];
        one_pass_next.waste[one_pass_next.waste_count++] = (unsigned char)card;
        expose(&one_pass_next, 1);
        char notation[8];
        memcpy(write_card(notation, card), " s-w", 5);
        reached(&one_pass_next, notation);
    }
    for (int i = -1; i < columns; i++) {
        const Column *c = i >= 0 ? &p->column[i] : NULL;
        int card = c ? top_of(c) : p->waste_count ? p->waste[p->waste_count - 1] : NO_CARD;
        if (card == NO_CARD)
            continue;
        if (is_joker(card))
            joker_moves(p, card - NATURALS, i, reached);
        else if (is_next(p, card) || is_next_on_open_ace(p, card)) {
            put_up(taken_off(p, i), card);
            finish(reached, card, i, "-f");
        }
        for (int k = c ? c->down : 0; c && k < c->count; k++)
            if (rank_of(p, c->card[k]))
                run_moves(p, i, k, reached);
        for (int j = 0; !c && !is_joker(card) && j < columns; j++)
            if (fits(p, colour_of(card), card / 4 + 1, &p->column[j])) {
                lay_one(&taken_off(p, i)->column[j], card);
                finish(reached, card, i, "-%d", j + 1);
            }
    }
}

static int comes_off(int card, const int loose[], const int open[]) {
    while (card >= 4 && open[card / 4 + 1] <= 0) {
        card -= 4;
        if (!loose[card])
            return 0;
    }
    return 1;
}

/* Report the move of `count` cards of a stem, headed by `card`, or of a loose card, to an empty column. */
static void to_empty_column(const Position *p, int card, int count, int from, const int open[], Reached *reached) {
    static Position next;
    int empty = 0, last = card - 4 * (count - 1);
    copy_position(&next, p);
    while (next.column[empty].count)
        empty++;
    if (from >= 0)
        lift(&next.column[from], count);
    while (open[last / 4 + 1] <= 0 && last >= 4)
        last -= 4;
    for (; card >= last; card -= 4)
        lay_one(&next.column[empty], card);
    reached(&next, "");
}

static void relaxed_moves(const Position *p, Reached *reached) {
    static Position next;
    int loose[NATURALS], open[15];
    int empty = columns_in_use(p) < columns;
    find_loose(p, loose, open);
    for (int i = 0; i < columns; i++) {
        const Column *c = &p->column[i];
        if (!c->count)
            continue;
        int top = top_of(c), suited = tail_length(c, 1), free = comes_off(top, loose, open);
        int deepest = top + 4 * (suited - 1), king = deepest / 4 + 1 == ranks;
        int away = suited == tail_length(c, 0);
        if (away && !king)
            away = free && open[deepest / 4 + 2] > 0;
        for (int card = top - 4; away && king && card >= 0; card -= 4)
            away = loose[card] > 0;
        if (away) {
            copy_position(&next, p);
            lift(&next.column[i], suited);
            reached(&next, "");
        }
        for (int n = 1; empty && free && n <= suited && n < c->count; n++)
            to_empty_column(p, top + 4 * (n - 1), n, i, open, reached);
    }
    for (int card = 0; empty && card < 4 * ranks; card++)
        if (loose[card] && comes_off(card, loose, open))
            to_empty_column(p, card, 1, -1, open, reached);
}

/* The moves of the game itself. */
static void simon_moves(const Position *p, Reached *reached) {
    static Position next;
    for (int i = 0; i < columns; i++) {
        int length = p->column[i].count ? tail_length(&p->column[i], 1) : 0;
        for (int taken = 1; taken <= length; taken++)
            for (int j = 0; j < columns; j++) {
                const unsigned char *run = p->column[i].card + p->column[i].count - taken;
                int under = top_of(&p->column[j]);
                if (i == j || (under != NO_CARD && under / 4 != run[0] / 4 + 1))
                    continue;
                copy_position(&next, p);
                lay(&next.column[j], run, taken);
                lift(&next.column[i], taken);
                let_runs_leave(&next.column[i]);
                let_runs_leave(&next.column[j]);
                reached(&next, board_notation(run[0], i, j));
            }
    }
}

static void moves(const Position *p, Reached *reached) {
    if (family == BOARD)
        board_moves(p, reached);
    else if (family == ONE_PASS)
        one_pass_moves(p, reached);
    else if (listed == STEMS)
        relaxed_moves(p, reached);
    else
        simon_moves(p, reached);
}

/* ---- The goal, and the bound ---- */

static int score(const Position *p) {
    int filled = p->top[0] + p->top[1] + p->top[2] + p->top[3];
    for (int j = 0; j < 2; j++) {
        int missing = 0; /* whether an ace is missing that the open ace may be */
        for (int suit = 0; suit < 4; suit++)
            missing |= has_suit[suit] && suit_colour(suit) == j && !p->top[suit];
        filled += p->joker[j] == OPEN_ACE && missing;
    }
    return filled;
}

/* Return the least score that wins, and the least score that the claim excludes. */
static int first_tier(void) { return places() < 15 ? places() : 15; }
static int goal_score(void) { return exact ? value + 1 : first_tier(); }

static int meets_goal(const Position *p) {
    if (family == ONE_PASS)
        return score(p) >= goal_score();
    return !columns_in_use(p);
}

typedef struct {
    unsigned char bare[NATURALS + 2], holder[NATURALS + 2], filled[NATURALS + 2];
    int empty, changed;
} Marks;

static void mark(Marks *m, unsigned char *what) {
    m->changed |= !*what;
    *what = 1;
}

static int can_be_filled(const Marks *m, int card) { return card < 4 || m->filled[card - 4]; }

static int bound_fits(const Position *p, const Marks *m, int card) {
    int rank = rank_of(p, card), colour = colour_of(card);
    if (rank == ranks)
        return m->empty;
    if (!rank)
        return 0;
    for (int suit = 0; suit < 4; suit++)
        if (suit_colour(suit) != colour && m->holder[natural(rank + 1, suit)])
            return 1;
    return m->holder[NATURALS + !colour] && rank_of(p, NATURALS + !colour) == rank + 1;
}

static int may_go(const Position *p, Marks *m, int card) {
    int fitting = bound_fits(p, m, card);
    if (m->bare[card] && fitting)
        mark(m, &m->holder[card]);
    if (!is_joker(card)) {
        if (m->bare[card] && can_be_filled(m, card))
            mark(m, &m->filled[card]);
        return fitting || m->filled[card];
    }
    int rank = rank_of(p, card), goes = fitting;
    if (!rank || !m->bare[card])
        return goes;
    for (int suit = 0; suit < 4; suit++) {
        int place = natural(rank, suit);
        if (!has_suit[suit] || suit_colour(suit) != colour_of(card) || !can_be_filled(m, place))
            continue;
        mark(m, &m->filled[place]);
        goes = 1;
    }
    return goes || removal_exposed;
}

static void mark_column(const Position *p, Marks *m, const Column *c) {
    for (int k = c->count; k--;) {
        int card = c->card[k];
        if (!may_go(p, m, card) || (k < c->down && !m->bare[card]))
            continue;
        if (!k)
            m->changed |= !m->empty, m->empty = 1;
        else {
            mark(m, &m->bare[c->card[k - 1]]);
            mark(m, &m->holder[c->card[k - 1]]);
        }
    }
}

/* Return whether a card is in the stock or face down. */
static int is_unturned(const Position *p, int card) {
    for (int k = 0; k < p->stock_count; k++)
        if (p->stock[k] == card)
            return 1;
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < p->column[i].down; k++)
            if (p->column[i].card[k] == card)
                return 1;
    return 0;
}

/* Return whether a bare card makes a joker without a rank possible, so that the bound is all places. */
static int joker_is_loosed(const Position *p, const Marks *m) {
    for (int j = 0; j < 2; j++)
        if (m->bare[NATURALS + j] && p->joker[j] == UNDECLARED)
            return 1;
    for (int card = 0; card < NATURALS; card++) {
        if (!m->bare[card] || !joker_stands_for(p, card) || (exchange_turned && !is_unturned(p, card)))
            continue;
        if (p->joker[colour_of(card)] >= PLACED || !is_up(p, card))
            return 1;
    }
    return 0;
}

static int bound(const Position *p) {
    Marks m = {.empty = columns_in_use(p) < columns};
    for (int i = 0; i < columns; i++)
        if (p->column[i].count)
            m.bare[top_of(&p->column[i])] = m.holder[top_of(&p->column[i])] = 1;
    if (p->waste_count)
        m.bare[p->waste[p->waste_count - 1]] = 1;
    for (int k = 0; k < p->stock_count; k++)
        m.bare[p->stock[k]] = 1;
    for (int card = 0; card < NATURALS; card++)
        m.filled[card] = card / 4 < p->top[suit_of(card)]
                         || (card < 4 && has_suit[card] && p->joker[colour_of(card)] == OPEN_ACE);
    do {
        m.changed = 0;
        for (int i = 0; i < columns; i++)
            mark_column(p, &m, &p->column[i]);
        for (int k = p->waste_count; k--;)
            if (m.bare[p->waste[k]] && may_go(p, &m, p->waste[k]) && k)
                mark(&m, &m.bare[p->waste[k - 1]]);
        for (int k = 0; k < p->stock_count; k++)
            may_go(p, &m, p->stock[k]);
        if (joker_is_loosed(p, &m))
            return places();
    } while (m.changed);
    int count = 0;
    for (int card = 0; card < NATURALS; card++)
        count += m.filled[card];
    return count;
}

/* ---- The bound where moves are counted ---- */

typedef struct {
    unsigned char column[NATURALS], depth[NATURALS]; /* by card */
    unsigned char free[NATURALS];
    int next[4]; /* the card that each suit waits for, NO_CARD if it is complete */
} Waiting;

/* Return the place of a card on its foundation, 0 for the base card. */
static int place_of(const Position *p, int card) { return (card / 4 + 1 - p->base + ranks) % ranks; }

/* Return the lowest free card of a suit above a card, NO_CARD if there is none. */
static int free_above(const Position *p, const Waiting *w, int card, int suit) {
    const Column *c = &p->column[w->column[card]];
    int lowest = NO_CARD;
    for (int k = w->depth[card] + 1; k < c->count; k++)
        if (w->free[c->card[k]] && suit_of(c->card[k]) == suit && c->card[k] < lowest)
            lowest = c->card[k];
    return lowest;
}

/* Return the first free card above the next card of a suit. */
static int first_above(const Position *p, const Waiting *w, int suit) {
    int found = NO_CARD;
    for (int other = 0; other < 4 && found == NO_CARD; other++)
        found = free_above(p, w, w->next[suit], other);
    return found;
}

/* Simulate moves up until each suit is complete or waits. Returns whether one waits. */
static int play_up(const Position *p, Waiting *w) {
    int moved = 1, waiting = 0;
    while (moved) {
        moved = waiting = 0;
        for (int suit = 0; suit < 4; suit++) {
            if (w->next[suit] == NO_CARD)
                continue;
            if (first_above(p, w, suit) != NO_CARD) {
                waiting = 1;
                continue;
            }
            int card = w->next[suit], last = place_of(p, card) == ranks - 1;
            w->free[card] = 0;
            w->next[suit] = last ? NO_CARD : natural((card / 4 + 1) % ranks + 1, suit);
            moved = 1;
        }
    }
    return waiting;
}

static void take_deadlock(const Position *p, Waiting *w) {
    for (int suit = 0; suit < 3; suit++)
        for (int other = suit + 1; other < 4; other++) {
            if (w->next[suit] == NO_CARD || w->next[other] == NO_CARD)
                continue;
            int one = free_above(p, w, w->next[suit], other), two = free_above(p, w, w->next[other], suit);
            if (one != NO_CARD && two != NO_CARD) {
                w->free[one] = w->free[two] = 0;
                return;
            }
        }
    int seen[4] = {0}, suit = 0;
    while (w->next[suit] == NO_CARD)
        suit++;
    for (; !seen[suit]; suit = suit_of(first_above(p, w, suit)))
        seen[suit] = 1;
    /* Go round the cycle once; only its cards stop being free. */
    int cards[4], count = 0, start = suit;
    do {
        cards[count] = first_above(p, w, suit);
        suit = suit_of(cards[count++]);
    } while (suit != start);
    while (count)
        w->free[cards[--count]] = 0;
}

/* Simon family: by card, the cards that it waits for, as bits. */
static uint64_t waits[NATURALS];

static int lowest(uint64_t cards) {
    int card = 0;
    for (int half = 32; half; half /= 2)
        if (!(cards & (((uint64_t)1 << half) - 1))) {
            cards >>= half;
            card += half;
        }
    return card;
}

/* Return the first of the shortest cycles among some cards, 0 if there is none. No card may wait for itself. */
static uint64_t first_cycle(uint64_t cards) {
    uint64_t found = 0, before_that = 0;
    int best = NATURALS + 1;
    /* Remove cards that wait for no other one left: no cycle contains them. */
    while (cards != before_that) {
        before_that = cards;
        for (uint64_t left = cards; left; left &= left - 1)
            if (!(waits[lowest(left)] & cards))
                cards &= ~(left & (0 - left));
    }
    for (int start = 0; start < NATURALS; start++) {
        if (!(cards >> start & 1))
            continue;
        /* layer[k]: cards reached in k steps and not in fewer. */
        uint64_t layer[NATURALS + 1] = {(uint64_t)1 << start}, reached = 0, last = 0;
        int steps = 0;
        while (layer[steps] && !last && steps + 1 < best) {
            uint64_t next = 0;
            for (uint64_t left = layer[steps]; left; left &= left - 1)
                next |= waits[lowest(left)];
            layer[++steps] = next & cards & ~reached & ~((uint64_t)1 << start);
            reached |= layer[steps];
            for (uint64_t left = layer[steps]; left; left &= left - 1)
                if (waits[lowest(left)] >> start & 1)
                    last |= left & (0 - left);
        }
        if (!last || steps + 1 >= best)
            continue;
        best = steps + 1;
        int card = lowest(last);
        found = (uint64_t)1 << start | (uint64_t)1 << card;
        while (--steps > 0) {
            uint64_t before = layer[steps];
            while (!(waits[lowest(before)] >> card & 1))
                before &= before - 1;
            card = lowest(before);
            found |= (uint64_t)1 << card;
        }
    }
    return found;
}

/* Return a lower bound of the moves to a win, in the Simon family. */
static int plays_needed(const Position *p) {
    uint64_t above[NATURALS] = {0}, heads = 0, kings = 0, free;
    int needed = 0;
    for (int i = 0; i < columns; i++) {
        const Column *c = &p->column[i];
        uint64_t seen = 0;
        for (int k = c->count; k--;) {
            int card = c->card[k], king = card / 4 + 1 == ranks;
            above[card] = seen;
            if (king ? k > 0 : !k || c->card[k - 1] != card + 4) {
                *(king ? &kings : &heads) |= (uint64_t)1 << card;
                seen |= (uint64_t)1 << card;
            }
        }
    }
    free = heads | kings;
    for (int card = 0; card < NATURALS; card++) {
        waits[card] = above[card];
        if (heads >> card & 1) {
            waits[card] |= above[card + 4];
            needed += 1 + (int)(waits[card] >> card & 1);
            if (waits[card] >> card & 1)
                free &= ~((uint64_t)1 << card);
        }
        for (int other = suit_of(card); kings >> card & 1 && other < card; other += 4)
            waits[card] |= heads & (uint64_t)1 << other;
    }
    for (uint64_t cycle; (cycle = first_cycle(free)); needed++)
        free &= ~cycle;
    return needed;
}

/* Return a lower bound of the moves to a win. */
static int moves_needed(const Position *p) {
    Waiting w;
    if (family == SIMON)
        return plays_needed(p);
    int needed = 0;
    memset(&w, 0, sizeof w);
    for (int i = 0; i < columns; i++)
        needed += p->column[i].count;
    if (!p->base)
        return needed;
    for (int suit = 0; suit < 4; suit++)
        w.next[suit] = has_suit[suit] && p->top[suit] < ranks
            ? natural((p->base - 1 + p->top[suit]) % ranks + 1, suit) : NO_CARD;
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < p->column[i].count; k++) {
            int card = p->column[i].card[k], blocks = 0;
            for (int under = 0; under < k; under++) {
                int other = p->column[i].card[under];
                blocks |= suit_of(other) == suit_of(card) && place_of(p, other) < place_of(p, card);
            }
            w.column[card] = (unsigned char)i;
            w.depth[card] = (unsigned char)k;
            w.free[card] = !blocks;
            needed += blocks;
        }
    for (; play_up(p, &w); needed++)
        take_deadlock(p, &w);
    return needed;
}

/* ---- Safe move up ---- */

static int joker_in_play(const Position *p, int j) { return variant && p->joker[j] != OUT_OF_PLAY; }

/* Return whether each foundation of that colour, except one suit, has at least that height. */
static int foundations_reach(const Position *p, int colour, int height, int but) {
    for (int suit = 0; suit < 4; suit++)
        if (has_suit[suit] && suit != but && suit_colour(suit) == colour && p->top[suit] < height)
            return 0;
    return 1;
}

/* Return why the move up of a card of column i, or of the waste, is not forced, NULL if it is. */
static const char *not_safe(const Position *p, int card, int i) {
    int below = card / 4, colour = colour_of(card), jokers = joker_in_play(p, 0) || joker_in_play(p, 1);
    int high = foundations_reach(p, !colour, below, -1) && (!jokers || !exchange_turned);
    int next = !jokers && foundations_reach(p, !colour, below - 1, -1)
               && foundations_reach(p, colour, below - 2, suit_of(card));
    if (!high && !next)
        return "a card may have to be put on the one that goes up";
    if (i < 0 && joker_in_play(p, colour))
        return "it lies in the waste, and its joker is in play";
    int exposed = NO_CARD;
    if (i < 0 && p->waste_count > 1)
        exposed = p->waste[p->waste_count - 2];
    if (i >= 0 && p->column[i].count > 1 && p->column[i].down == p->column[i].count - 1)
        exposed = p->column[i].card[p->column[i].count - 2];
    if (exposed != NO_CARD && !is_joker(exposed) && joker_in_play(p, colour_of(exposed)))
        return "it exposes a card whose joker is in play";
    return NULL;
}

/* ---- The list of positions ---- */

/* A line after the header. */
typedef struct {
    const char *reason, *position; /* zero-terminated */
    int moves; /* the number before the reason, if moves are counted */
} Line;

static int wanted_moves; /* least number of moves that the positions named must need */

static Line *lines;
static uint32_t *table; /* hash table of line numbers, from 1 on; 0 in free slots */
static size_t line_count, table_size;

static uint64_t hash_of(const char *text) {
    uint64_t hash = 1469598103934665603u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash ^ hash >> 29;
}

/* Return the slot of a position, or the free slot where it belongs. */
static uint32_t *slot_of(const char *text) {
    size_t at = hash_of(text) & (table_size - 1);
    while (table[at] && strcmp(lines[table[at] - 1].position, text))
        at = (at + 1) & (table_size - 1);
    return &table[at];
}

static void must_be_listed(Position *p, const char *notation) {
    char text[MAX_TEXT];
    normalise(p);
    write_position(text, p);
    uint32_t number = *slot_of(text);
    int is_settled = number && (!counting || lines[number - 1].moves >= wanted_moves);
    if (!is_settled && !(counting && has_bound && moves_needed(p) >= wanted_moves))
        refuse("%s leads to %s, which is not listed", notation, text);
}

static const char *position_text;

/* After a move between like cards, which keeps the text of the position, try its moves too. */
static void must_be_listed_or_like(Position *p, const char *notation) {
    static Position arranged;
    char text[MAX_TEXT];
    copy_position(&arranged, p);
    normalise(p);
    write_position(text, p);
    if (strcmp(text, position_text)) {
        must_be_listed(p, notation);
        return;
    }
    /* The moves from here overwrite `one_pass_next`, which is not read any more. */
    moves(&arranged, must_be_listed);
}

/* If a card is covered and one like it bare, move the run on the former to the latter. */
static void uncover(Position *p, int card) {
    for (int i = 0; i < columns; i++) {
        Column *from = &p->column[i];
        for (int k = from->down; k + 1 < from->count; k++) {
            if (from->card[k] != card)
                continue;
            for (int j = 0; j < columns; j++) {
                Column *onto = &p->column[j];
                int top = top_of(onto), count = from->count - k - 1;
                if (j == i || top == NO_CARD || rank_of(p, top) != card / 4 + 1 || colour_of(top) != colour_of(card))
                    continue;
                lay(onto, from->card + k + 1, count);
                lift(from, count);
                return;
            }
            return;
        }
    }
}

static void check_up(Position *p, const char *name) {
    static Position next;
    int card = strlen(name) == 2 ? read_card(name) : NO_CARD, i;
    refuse_if(!has_up, "its lemma is not among those of the header");
    refuse_if(card == NO_CARD || is_joker(card), "no such card goes up");
    if (family == ONE_PASS)
        uncover(p, card);
    for (i = 0; i < columns && top_of(&p->column[i]) != card;)
        i++;
    if (i == columns)
        i = family == ONE_PASS && p->waste_count && p->waste[p->waste_count - 1] == card ? -1 : columns;
    refuse_if(i == columns, "that card is not available");
    if (family == BOARD) {
        refuse_if(!p->base || (variant && card / 4 + 1 == p->base), "that card need not go up");
        refuse_if(card / 4 != (p->base - 1 + p->top[suit_of(card)]) % ranks, "that card cannot go up");
        copy_position(&next, p);
        next.column[i].count--;
        next.top[suit_of(card)]++;
    } else {
        refuse_if(!is_next(p, card), "that card cannot go up");
        const char *why = not_safe(p, card, i);
        if (why)
            refuse("%s", why);
        put_up(taken_off(p, i), card);
        expose(&one_pass_next, 0);
        copy_position(&next, &one_pass_next);
    }
    must_be_listed(&next, "it");
}

/* ---- A class ---- */

static Column loose_run[MAX_CARDS]; /* sorted by their deepest cards, the highest first */
static int runs;

static void class_must_be_listed(Position *p, const char *notation) {
    char text[MAX_TEXT];
    write_class(text, p);
    if (!*slot_of(text))
        refuse("%s leads to %s, which is not listed", notation, text);
}

/* Lay the runs from number `k` on in all ways, and make every move of each result. */
static void lay_runs(Position *p, int k) {
    tick();
    if (k < runs) {
        for (int i = 0; i < columns; i++) {
            Column *c = &p->column[i];
            if (!c->count || top_of(c) / 4 != loose_run[k].card[0] / 4 + 1)
                continue;
            lay(c, loose_run[k].card, loose_run[k].count);
            lay_runs(p, k + 1);
            lift(c, loose_run[k].count);
        }
        return;
    }
    for (int i = 0; i < columns; i++)
        if (tail_length(&p->column[i], 1) == ranks)
            return;
    simon_moves(p, class_must_be_listed);
}

/* Return the number of arrangements, 0 if some run cannot be laid. */
static double arrangements(const Position *p) {
    int tops[15] = {0}, wanted[15] = {0};
    double ways = 1;
    for (int i = 0; i < columns; i++)
        if (p->column[i].count)
            tops[top_of(&p->column[i]) / 4]++;
    for (int k = 0; k < runs; k++) {
        tops[top_of(&loose_run[k]) / 4]++;
        wanted[loose_run[k].card[0] / 4 + 1]++;
    }
    for (int rank = 0; rank < 15; rank++)
        for (; wanted[rank]; wanted[rank]--, tops[rank]--)
            ways *= tops[rank] > 0 ? tops[rank] : 0;
    return ways;
}

/* Read stems, and runs after a `+`. */
static void read_class(const char *at, Position *stems, Column run[MAX_CARDS]) {
    int used = 0, cards = 0;
    memset(stems, 0, sizeof *stems);
    for (runs = 0; *at && *at != '+';) {
        Column *c = &stems->column[used];
        if (used == columns || !(at = read_cards(at, c->card, &c->count, NULL)) || !c->count)
            refuse("expected a class");
        cards += stems->column[used++].count;
        at += *at == ' ' && at[1];
    }
    for (at += *at == '+'; *at; runs++) {
        if (runs == MAX_CARDS || *at++ != ' ' || !(at = read_cards(at, run[runs].card, &run[runs].count, NULL)))
            refuse("expected a class");
        refuse_if(!run[runs].count || (cards += run[runs].count) > MAX_CARDS, "expected a class");
    }
    refuse_if(cards > MAX_CARDS, "it has too many cards");
}

static void check_class(const char *text) {
    static Position stems;
    static char again[2 * MAX_TEXT];
    static Column run[MAX_CARDS];
    int seen[NATURALS + 2], laid = 0;
    read_class(text, &stems, run);
    char *out = write_columns(again, stems.column, columns, 0);
    if (runs)
        write_columns(out + sprintf(out, " +"), run, runs, 1);
    refuse_if(strcmp(again, text), "it is not in its normal form");
    count_cards(&stems, seen);
    for (int k = 0; k < runs; k++)
        for (int i = 0; i < run[k].count; i++)
            seen[run[k].card[i]]++;
    for (int card = 0; card < 4 * ranks; card++)
        if (seen[card] > decks || seen[card] != seen[natural(ranks, suit_of(card))])
            refuse("it does not hold each card as often as its king");
    refuse_if(!columns_in_use(&stems), "it meets the goal");
    for (int rank = 12; rank >= 0; rank--)
        for (int k = 0; k < runs; k++)
            if (run[k].card[0] / 4 == rank)
                loose_run[laid++] = run[k];
    double ways = arrangements(&stems);
    refuse_if(ways > 100000, "it has more than 100,000 arrangements");
    if (ways > 0)
        lay_runs(&stems, 0);
}

/* ---- Klondike with redeals: classes of positions, with the stock as it is or the relaxed one ---- */

enum { UP, IN_STOCK, HIDDEN, BASE, PLACED_CARD };

static const char DIGITS[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

typedef struct {
    unsigned char top[4], left[MAX_COLUMNS], gone[NATURALS]; /* gone: by place of the stock */
    int relaxed, redeals, held;
} Class;

/* The layout of a class: where each card is, and the number of bare cards of each rank and colour. */
typedef struct {
    unsigned char where[NATURALS];
    int bare[15][2], empty;
} Table;

/* The deal: the cards of each column that its base lies on, and the base; and the places of the stock, those of the
 * waste first. `skipped` cards are gone before them, so that this pass turns up multiples of the draw. */
static int dealt_count[MAX_COLUMNS], place_card[NATURALS], place_count, skipped, place_of_card[NATURALS];
static unsigned char dealt_card[MAX_COLUMNS][NATURALS];

static int is_king_card(int card) { return card / 4 + 1 == ranks; }
static int has_card(int card) { return card / 4 < ranks && has_suit[suit_of(card)]; }
static int left_of(int column, int left) { return left == 1 && is_king_card(dealt_card[column][0]) ? 0 : left; }

static void normalise_waste(Class *c) {
    int count = 0;
    for (int i = 0; i < place_count; i++)
        count += !c->gone[i];
    if (!count || (!pass_limit && (c->held % draw_count == 0 || c->held == count)))
        c->held = c->redeals = 0;
}

/* Store the deal and its class. */
static void set_klondike_deal(const Position *p, Class *c) {
    memset(c, 0, sizeof *c);
    memcpy(c->top, p->top, sizeof c->top);
    place_count = 0;
    for (int i = 0; i < columns; i++) {
        dealt_count[i] = p->column[i].count ? p->column[i].down + 1 : 0;
        memcpy(dealt_card[i], p->column[i].card, (size_t)dealt_count[i]);
        c->left[i] = (unsigned char)left_of(i, dealt_count[i]);
    }
    for (int i = 0; i < p->waste_count; i++)
        place_card[place_count++] = p->waste[i];
    for (int i = p->stock_count; i--;)
        place_card[place_count++] = p->stock[i];
    for (int i = 0; i < place_count; i++)
        place_of_card[place_card[i]] = i;
    skipped = p->stock_count ? (draw_count - p->waste_count % draw_count) % draw_count : 0;
    c->held = p->waste_count;
    c->redeals = p->redeals;
    normalise_waste(c);
}

static void write_klondike_class(char *out, const Class *c) {
    int group = place_count ? (place_count - 1) / 4 : 0, started = 0;
    for (int suit = 0; suit < 4; suit++)
        *out++ = c->top[suit] ? RANKS[c->top[suit]] : '-';
    *out++ = ' ';
    for (int i = 0; i < columns; i++)
        *out++ = DIGITS[c->left[i]];
    *out++ = ' ';
    for (; group >= 0; group--) {
        int digit = 0;
        for (int bit = 0; bit < 4; bit++)
            digit |= (4 * group + bit < place_count && !c->gone[4 * group + bit]) << bit;
        if (digit || started || !group)
            *out++ = DIGITS[digit];
        started |= digit;
    }
    if (c->relaxed)
        strcpy(out, " *");
    else if (pass_limit)
        sprintf(out, " %d.%d", c->redeals, c->held);
    else
        sprintf(out, " %d", c->held);
}

/* Lay out a class. Returns whether each card is in one place, and each placed card has a card to lie on. */
static int lay_out_class(const Class *c, Table *t) {
    int right = 1;
    memset(t, 0, sizeof *t);
    memset(t->where, PLACED_CARD, sizeof t->where);
    for (int i = 0; i < columns; i++) {
        t->empty += !c->left[i];
        for (int k = 0; k < c->left[i]; k++)
            t->where[dealt_card[i][k]] = k + 1 < c->left[i] ? HIDDEN : BASE;
    }
    for (int i = 0; i < place_count; i++)
        if (!c->gone[i])
            t->where[place_card[i]] = IN_STOCK;
    for (int card = 0; card < 4 * ranks; card++) {
        int rank = card / 4 + 1, colour = colour_of(card);
        if (!has_card(card))
            continue;
        if (rank <= c->top[suit_of(card)]) {
            right &= t->where[card] == PLACED_CARD;
            t->where[card] = UP;
        } else if (t->where[card] >= BASE) {
            t->bare[rank][colour]++;
            if (t->where[card] == PLACED_CARD && rank < ranks)
                t->bare[rank + 1][!colour]--;
            t->empty -= t->where[card] == PLACED_CARD && rank == ranks;
        }
    }
    for (int rank = 1; rank <= ranks; rank++)
        right &= t->bare[rank][0] >= 0 && t->bare[rank][1] >= 0;
    return right && t->empty >= 0;
}

static int reads_klondike_class(const char *text, Class *c) {
    char again[MAX_TEXT];
    const char *at = text;
    Table t;
    memset(c, 0, sizeof *c);
    for (int suit = 0; suit < 4; suit++, at++) {
        c->top[suit] = (unsigned char)read_rank(*at);
        if ((!c->top[suit] && *at != '-') || (c->top[suit] && !has_suit[suit]))
            return 0;
    }
    if (*at++ != ' ')
        return 0;
    for (int i = 0; i < columns; i++, at++) {
        const char *digit = *at ? strchr(DIGITS, *at) : NULL;
        if (!digit || digit - DIGITS > dealt_count[i])
            return 0;
        c->left[i] = (unsigned char)(digit - DIGITS);
        if (left_of(i, c->left[i]) != c->left[i])
            return 0;
    }
    size_t digits = *at == ' ' ? strspn(at + 1, "0123456789abcdef") : 0;
    if (!digits || at[digits + 1] != ' ')
        return 0;
    memset(c->gone, 1, sizeof c->gone);
    int count = 0;
    for (size_t k = 0; k < digits; k++)
        for (int bit = 0; bit < 4; bit++) {
            size_t place = 4 * (digits - 1 - k) + (size_t)bit;
            if (!((strchr(DIGITS, at[k + 1]) - DIGITS) >> bit & 1))
                continue;
            if (place >= (size_t)place_count)
                return 0;
            c->gone[place] = 0;
            count++;
        }
    at += digits + 2;
    c->relaxed = !strcmp(at, "*");
    if (!c->relaxed) {
        if (pass_limit && (*at < '0' || *at > '9' || at[1] != '.'))
            return 0;
        if (pass_limit) {
            c->redeals = *at - '0';
            at += 2;
        }
        if (!*at || strspn(at, "0123456789") != strlen(at) || strlen(at) > 2)
            return 0;
        c->held = atoi(at);
        if (c->held > count || c->redeals >= (pass_limit ? pass_limit : 1))
            return 0;
        normalise_waste(c);
    }
    write_klondike_class(again, c);
    return !strcmp(again, text) && lay_out_class(c, &t);
}

/* By place of the stock: whether its card may be played, and the waste after it. */
typedef struct {
    unsigned char open[NATURALS];
    int redeals[NATURALS], held[NATURALS], shut_above, last_shut; /* last_shut: -1 if no place is shut */
} Plays;

static void find_plays(const Class *c, Plays *plays) {
    int order[NATURALS], count = 0, gone = skipped;
    memset(plays->open, 0, sizeof plays->open);
    plays->last_shut = -1;
    for (int i = 0; i < place_count; i++) {
        if (c->gone[i]) {
            gone++;
            continue;
        }
        order[count++] = i;
        plays->open[i] = c->relaxed
            && ((i + 1 + skipped) % draw_count <= gone || i + 1 == place_count || c->gone[i + 1]);
        if (!plays->open[i])
            plays->last_shut = i;
    }
    if (c->relaxed || !count)
        return;
    /* Draw through this pass and one more: a third pass turns up the same cards as the second. */
    int held = c->held, redeals = c->redeals;
    for (int pass = 0; pass < 2; pass++) {
        for (;;) {
            if (held && !plays->open[order[held - 1]]) {
                plays->open[order[held - 1]] = 1;
                plays->redeals[order[held - 1]] = redeals;
                plays->held[order[held - 1]] = held - 1;
            }
            if (held == count)
                break;
            held = held + draw_count < count ? held + draw_count : count;
        }
        if (count <= draw_count || (pass_limit && redeals + 1 >= pass_limit))
            break;
        held = draw_count;
        redeals += pass_limit > 0;
    }
}

/* Return whether the play of an open place can open another one, with the relaxed stock. */
static int is_opening(const Class *c, const Plays *plays, int place) {
    if (place < plays->last_shut)
        return 1;
    return place && !c->gone[place - 1] && !plays->open[place - 1];
}

static void play_place(Class *c, const Plays *plays, int place) {
    c->gone[place] = 1;
    if (c->relaxed)
        return;
    c->held = plays->held[place];
    c->redeals = plays->redeals[place];
    normalise_waste(c);
}

static void take_base(Class *c, int card) {
    for (int i = 0; i < columns; i++)
        if (c->left[i] && dealt_card[i][c->left[i] - 1] == card)
            c->left[i] = (unsigned char)left_of(i, c->left[i] - 1);
}

/* Move a card from a column to its foundation. */
static void raise_card(Class *c, const Table *t, int card) {
    if (t->where[card] == BASE)
        take_base(c, card);
    c->top[suit_of(card)]++;
}

/* Return the height of a foundation; that of an absent suit counts as complete. */
static int height_of(const Class *c, int suit) { return has_suit[suit] ? c->top[suit] : ranks; }

static int is_safe(const Class *c, int card) {
    int rank = card / 4 + 1, near = 1, high = 1;
    for (int suit = 0; suit < 4; suit++) {
        if (suit == suit_of(card))
            continue;
        int other = suit_colour(suit) != colour_of(card);
        near &= height_of(c, suit) >= rank - (other ? 2 : 3);
        high &= !other || height_of(c, suit) >= rank - 1;
    }
    return near || (high && !worrying_back);
}

/* Return the next card of the foundation of a suit, NO_CARD if it is complete or the deck lacks the suit. */
static int next_card(const Class *c, int suit) {
    return has_suit[suit] && c->top[suit] < ranks ? natural(c->top[suit] + 1, suit) : NO_CARD;
}

static int is_free(const Table *t, int card) {
    return t->where[card] >= BASE && t->bare[card / 4 + 1][colour_of(card)] > 0;
}

static int may_land(const Table *t, int card) {
    return is_king_card(card) ? t->empty > 0 : t->bare[card / 4 + 2][!colour_of(card)] > 0;
}

/* Make all safe moves up, from columns and from the relaxed stock. */
static void close_class(Class *c) {
    Table t;
    Plays plays;
    for (int again = 1; again;) {
        again = 0;
        lay_out_class(c, &t);
        for (int suit = 0; suit < 4 && !again; suit++) {
            int card = next_card(c, suit);
            if (card == NO_CARD || !is_safe(c, card))
                continue;
            if (is_free(&t, card)) {
                raise_card(c, &t, card);
                again = 1;
            } else if (c->relaxed && t.where[card] == IN_STOCK) {
                find_plays(c, &plays);
                if (!plays.open[place_of_card[card]])
                    continue;
                play_place(c, &plays, place_of_card[card]);
                c->top[suit]++;
                again = 1;
            }
        }
    }
}

/* Return whether some card never goes up in the delete relaxation. */
static int is_dead_end(const Class *c) {
    Table t;
    Plays plays;
    unsigned char face_up[NATURALS], played[NATURALS] = {0}, bare[15][2] = {{0}}, top[4], left[MAX_COLUMNS];
    int empty, changed = 1, complete = 1;
    lay_out_class(c, &t);
    find_plays(c, &plays);
    memcpy(top, c->top, sizeof top);
    memcpy(left, c->left, sizeof left);
    for (int card = 0; card < 4 * ranks; card++)
        face_up[card] = has_card(card) && t.where[card] >= BASE;
    for (int rank = 1; rank <= ranks; rank++)
        for (int colour = 0; colour < 2; colour++)
            bare[rank][colour] = t.bare[rank][colour] > 0;
    empty = t.empty > 0;
#define FITS(card) (is_king_card(card) ? empty : bare[(card) / 4 + 2][!colour_of(card)])
#define MARK(what) (changed |= !(what), (what) = 1)
    while (changed) {
        changed = 0;
        for (int suit = 0; suit < 4; suit++)
            while (has_suit[suit] && top[suit] < ranks) {
                int card = natural(top[suit] + 1, suit), open = t.where[card] == IN_STOCK
                    && plays.open[place_of_card[card]];
                if (!open && !(face_up[card] && bare[card / 4 + 1][colour_of(card)]))
                    break;
                top[suit]++;
                changed = 1;
                if (face_up[card] && is_king_card(card))
                    MARK(empty);
                else if (face_up[card])
                    MARK(bare[card / 4 + 2][!colour_of(card)]);
            }
        for (int i = 0; i < columns; i++)
            while (left[i]) {
                int card = dealt_card[i][left[i] - 1];
                if (!FITS(card) && card / 4 >= top[suit_of(card)])
                    break;
                changed = 1;
                if (!--left[i]) {
                    MARK(empty);
                    break;
                }
                card = dealt_card[i][left[i] - 1];
                face_up[card] = 1;
                MARK(bare[card / 4 + 1][colour_of(card)]);
            }
        for (int i = 0; i < place_count; i++) {
            int card = place_card[i];
            if (c->gone[i] || !plays.open[i])
                continue;
            if (FITS(card))
                MARK(bare[card / 4 + 1][colour_of(card)]);
            if (played[i] || (!FITS(card) && card / 4 >= top[suit_of(card)]))
                continue;
            played[i] = 1;
            for (int k = i + 1; k < place_count; k++)
                MARK(plays.open[k]);
            for (int k = i; k--;)
                if (!c->gone[k]) {
                    MARK(plays.open[k]);
                    break;
                }
        }
        for (int card = 0; worrying_back && card < 4 * ranks; card++)
            if (has_card(card) && card / 4 < top[suit_of(card)] && FITS(card))
                MARK(bare[card / 4 + 1][colour_of(card)]);
    }
#undef FITS
#undef MARK
    for (int suit = 0; suit < 4; suit++)
        complete &= !has_suit[suit] || top[suit] == ranks;
    return !complete;
}

/* Return whether a class, after safe moves up, is listed or a dead end, itself or with the relaxed stock. */
static int is_settled(Class c) {
    char text[MAX_TEXT];
    Class relaxed;
    tick();
    close_class(&c);
    write_klondike_class(text, &c);
    if (*slot_of(text))
        return 1;
    relaxed = c;
    relaxed.relaxed = 1;
    relaxed.held = relaxed.redeals = 0;
    close_class(&relaxed);
    write_klondike_class(text, &relaxed);
    return *slot_of(text) || is_dead_end(&c) || (!c.relaxed && is_dead_end(&relaxed));
}

static void must_be_settled(const Class *c, int card) {
    char text[MAX_TEXT], name[3];
    if (is_settled(*c))
        return;
    write_klondike_class(text, c);
    write_card(name, card);
    refuse("a move of %s leads to %s, which is not listed", name, text);
}

/* The moves that cards are parked for, and the cards that may be parked. */
typedef struct {
    const Class *from;
    const Table *table;
    const Plays *plays;
    int rank, colour; /* rank and colour of the card that is to become bare */
    unsigned char may_park[NATURALS];
} Parking;

/* Return whether a card can move once a card of that rank and colour is bare: it lands on that, or goes up. */
static int needs_bare(const Parking *parking, int card) {
    int rank = card / 4 + 1, where = parking->table->where[card], place = place_of_card[card];
    if (!has_card(card))
        return 0;
    if (rank == parking->rank && colour_of(card) == parking->colour)
        return where >= BASE && card == next_card(parking->from, suit_of(card));
    if (rank + 1 != parking->rank || colour_of(card) == parking->colour)
        return 0;
    return where == BASE || (where == IN_STOCK && parking->plays->open[place]
                             && is_opening(parking->from, parking->plays, place));
}

static void move_after_parking(const Parking *parking, const Class *parked) {
    for (int card = 0; card < 4 * ranks; card++) {
        Class next = *parked;
        if (!needs_bare(parking, card))
            continue;
        if (card / 4 + 1 == parking->rank)
            raise_card(&next, parking->table, card);
        else if (parking->table->where[card] == BASE)
            take_base(&next, card);
        else
            next.gone[place_of_card[card]] = 1;
        must_be_settled(&next, card);
    }
}

/* Park cards of a rank and above so that `wanted` of each colour become bare there. */
static void park_from(const Parking *parking, int rank, const int wanted[2], const Class *parked) {
    const Class *from = parking->from;
    int coming = 0;
    tick();
    for (int suit = 0; suit < 4; suit++)
        coming |= parked->top[suit] < from->top[suit] && from->top[suit] >= rank;
    if (!wanted[0] && !wanted[1] && !coming) {
        move_after_parking(parking, parked);
        return;
    }
    if (rank > ranks) {
        if (wanted[0] + wanted[1] <= parking->table->empty)
            move_after_parking(parking, parked);
        return;
    }
    for (int choice = 0; choice < 16; choice++) {
        Class next = *parked;
        int added[2] = {0}, laid[2] = {0}, fits = 1;
        for (int suit = 0; suit < 4 && fits; suit++) {
            int card = natural(rank, suit), is_up = from->top[suit] >= rank;
            int is_forced = is_up && parked->top[suit] < rank, chosen = choice >> suit & 1;
            fits = is_forced ? chosen : !chosen || (has_suit[suit] && parking->may_park[card]);
            if (!chosen || !fits)
                continue;
            laid[!suit_colour(suit)]++;
            added[suit_colour(suit)] += !is_forced;
            if (is_up && !is_forced)
                next.top[suit] = (unsigned char)(rank - 1);
            else if (!is_up)
                next.gone[place_of_card[card]] = 1;
        }
        for (int colour = 0; colour < 2 && fits; colour++) {
            int forced = laid[!colour] - added[colour];
            int missing = wanted[colour] - parking->table->bare[rank][colour] - forced;
            fits = added[colour] == (missing > 0 ? missing : 0);
        }
        if (fits)
            park_from(parking, rank + 1, laid, &next);
    }
}

static void check_parking(const Class *c, const Table *t, const Plays *plays) {
    Parking parking = {c, t, plays, 0, 0, {0}};
    for (int card = 0; card < 4 * ranks; card++) {
        int place = place_of_card[card];
        if (has_card(card))
            parking.may_park[card] = t->where[card] == UP ? worrying_back != 0
                : t->where[card] == IN_STOCK && plays->open[place] && !is_opening(c, plays, place);
    }
    for (int rank = 1; rank <= ranks; rank++)
        for (int colour = 0; colour < 2; colour++) {
            int wanted[2] = {!colour, colour}, needed = 0;
            parking.rank = rank;
            parking.colour = colour;
            for (int card = 0; card < 4 * ranks && !t->bare[rank][colour]; card++)
                needed |= needs_bare(&parking, card);
            if (needed)
                park_from(&parking, rank, wanted, c);
        }
}

/* Make every move of a class; with the relaxed stock those that are not deferrable, also after parking. */
static void check_klondike_moves(const Class *c) {
    Table t;
    Plays plays;
    lay_out_class(c, &t);
    find_plays(c, &plays);
    for (int card = 0; card < 4 * ranks; card++) {
        if (!has_card(card))
            continue;
        int suit = suit_of(card), place = place_of_card[card], is_up_next = card == next_card(c, suit);
        int can_play = t.where[card] == IN_STOCK && plays.open[place];
        Class next = *c;
        if (is_up_next && is_free(&t, card)) {
            raise_card(&next, &t, card);
            must_be_settled(&next, card);
        }
        next = *c;
        if (is_up_next && can_play) {
            play_place(&next, &plays, place);
            next.top[suit]++;
            must_be_settled(&next, card);
        }
        next = *c;
        if (!may_land(&t, card))
            continue;
        if (t.where[card] == BASE)
            take_base(&next, card);
        else if (can_play && (!c->relaxed || is_opening(c, &plays, place)))
            play_place(&next, &plays, place);
        else if (!c->relaxed && worrying_back && t.where[card] == UP && c->top[suit] == card / 4 + 1)
            next.top[suit]--;
        else
            continue;
        must_be_settled(&next, card);
    }
    if (c->relaxed)
        check_parking(c, &t, &plays);
}

static void check_klondike_line(const Line *line) {
    Class c;
    int complete = 1;
    refuse_if(strcmp(line->reason, "moves"), "no such reason");
    refuse_if(!reads_klondike_class(line->position, &c), "expected a position of the deal in its normal form");
    for (int suit = 0; suit < 4; suit++)
        complete &= height_of(&c, suit) == ranks;
    refuse_if(complete, "it meets the goal");
    check_klondike_moves(&c);
}

static void check_line(const Line *line) {
    static Position p, sorted;
    char text[MAX_TEXT];
    const char *reason = line->reason;
    int is_bound = !strcmp(reason, "bound");
    if (family == KLONDIKE) {
        check_klondike_line(line);
        return;
    }
    if (listed == CLASSES) {
        refuse_if(strcmp(reason, "arranged"), "no such reason");
        check_class(line->position);
        return;
    }
    refuse_if(!read_position(line->position, &p, LISTED), "expected a position of the game");
    copy_position(&sorted, &p);
    normalise(&sorted);
    write_position(text, &sorted);
    refuse_if(strcmp(text, line->position), "it is not in its normal form");
    refuse_if(meets_goal(&p) && !(counting && line->moves == 0), "it meets the goal");
    wanted_moves = line->moves - 1;
    position_text = line->position;
    if (!strcmp(reason, listed == STEMS ? "relaxed" : "moves"))
        moves(&p, family == ONE_PASS ? must_be_listed_or_like : must_be_listed);
    else if (!strncmp(reason, "up ", 3) && family != SIMON)
        check_up(&p, reason + 3);
    else if (counting && !strcmp(reason, "base")) {
        refuse_if(!has_base || p.base, "a base rank is chosen, or the lemma is not among those of the header");
        wanted_moves = line->moves;
        for (int rank = 1; rank <= ranks; rank++) {
            p.base = (unsigned char)rank;
            must_be_listed(&p, "it");
        }
    } else if (counting && is_bound) {
        if (!has_bound || moves_needed(&p) < line->moves)
            refuse("the bound is %d, or not among the lemmas of the header", moves_needed(&p));
    } else if (family == ONE_PASS && is_bound) {
        if (!has_bound || bound(&p) >= goal_score())
            refuse("the bound is %d, or not among the lemmas of the header", bound(&p));
    } else
        refuse("no such reason");
}

/* ---- The first line: a JSON object of these members alone, without escapes ---- */

typedef enum { INTEGER, TEXT, TEXTS, CHOICES } Type;

typedef struct {
    const char *key;
    Type type;
    int is_there;
    uint64_t integer;
    const char *text, **texts; /* for TEXTS, `count` of them */
    size_t count;
} Member;

static Member members[] = {
    {.key = "certificate", .type = INTEGER}, {.key = "game", .type = TEXT}, {.key = "seed", .type = INTEGER},
    {.key = "choices", .type = CHOICES}, {.key = "ranks", .type = INTEGER}, {.key = "suits", .type = TEXT},
    {.key = "columns", .type = INTEGER}, {.key = "start", .type = TEXT}, {.key = "claim", .type = TEXT},
    {.key = "value", .type = INTEGER}, {.key = "line", .type = TEXTS}, {.key = "dealt", .type = TEXT},
    {.key = "lemmas", .type = TEXTS}, {.key = "positions", .type = INTEGER},
    {.key = "made by", .type = TEXT}, {.key = "dealer", .type = TEXT},
    {.key = NULL}};

static Member choices[] = {
    {.key = "exchange", .type = TEXT}, {.key = "removal", .type = TEXT}, {.key = "draw", .type = TEXT},
    {.key = "passes", .type = TEXT}, {.key = "worrying_back", .type = TEXT}, {.key = NULL}};

/* The part of the header not read yet. */
static char *at_header;

/* Skip spaces and, if it comes next, the character. Returns whether it did. */
static int passes(char c) {
    at_header += strspn(at_header, " ");
    return *at_header == c && *at_header++;
}

static void must_pass(char c) {
    if (!passes(c))
        refuse("the header is no JSON object: expected %c, got %.20s", c, *at_header ? at_header : "its end");
}

/* Read a text in quotation marks; the closing one is overwritten with a zero. */
static const char *read_text(void) {
    must_pass('"');
    char *text = at_header;
    at_header += strcspn(at_header, "\"\\");
    refuse_if(*at_header != '"', "the header has a text without end, or a backslash");
    *at_header++ = 0;
    return text;
}

static uint64_t read_integer(const char *key) {
    uint64_t number = 0;
    size_t digits = strspn(at_header += strspn(at_header, " "), "0123456789");
    if (!digits || digits > 20 || (digits > 1 && *at_header == '0'))
        refuse("\"%s\" of the header: expected an integer", key);
    for (; digits; digits--) {
        uint64_t digit = (uint64_t)(*at_header++ - '0');
        if (number > (UINT64_MAX - digit) / 10)
            refuse("\"%s\" of the header is too great", key);
        number = 10 * number + digit;
    }
    return number;
}

static void read_texts(Member *m) {
    size_t room = 0;
    must_pass('[');
    if (passes(']'))
        return;
    do {
        if (m->count == room)
            m->texts = memory(m->texts, (room = 2 * room + 8) * sizeof *m->texts);
        m->texts[m->count++] = read_text();
    } while (passes(','));
    must_pass(']');
}

/* Each member at most once, and no others. */
static void read_object(Member *known) {
    must_pass('{');
    if (passes('}'))
        return;
    do {
        const char *key = read_text();
        Member *m = known;
        while (m->key && strcmp(m->key, key))
            m++;
        if (!m->key || m->is_there)
            refuse("\"%.20s\" is no member of the header, or is there twice", key);
        m->is_there = 1;
        must_pass(':');
        if (m->type == INTEGER)
            m->integer = read_integer(key);
        else if (m->type == TEXT)
            m->text = read_text();
        else if (m->type == TEXTS)
            read_texts(m);
        else
            read_object(choices);
    } while (passes(','));
    must_pass('}');
}

static const Member *member(const char *key) {
    const Member *m = members;
    while (strcmp(m->key, key))
        m++;
    return m;
}

static int has(const char *key) { return member(key)->is_there; }

static const Member *needed(const char *key) {
    if (!has(key))
        refuse("the header has no \"%s\"", key);
    return member(key);
}

static const char *text_of(const char *key) { return needed(key)->text; }

static int integer_of(const char *key, int least, int most) {
    uint64_t number = needed(key)->integer;
    if (number < (uint64_t)least || number > (uint64_t)most)
        refuse("\"%s\" of the header: expected %d to %d, got %llu", key, least, most, (unsigned long long)number);
    return (int)number;
}

/* ---- The dealer ---- */

static uint64_t generator;

static uint64_t draw(void) {
    uint64_t z = generator += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static unsigned draw_below(unsigned n) {
    uint64_t least = (0 - (uint64_t)n) % n;
    for (;;) {
        /* The product of 64 and 32 bits, in two halves. */
        uint64_t x = draw(), low = (x & 0xFFFFFFFFu) * n, high = (x >> 32) * n + (low >> 32);
        if ((high << 32 | (low & 0xFFFFFFFFu)) >= least)
            return (unsigned)(high >> 32);
    }
}

static void deal(uint64_t seed, Position *p) {
    unsigned char card[MAX_CARDS];
    int count = 0, used = 0, all = 0;
    for (int deck = 0; deck < decks; deck++)
        for (int suit = 0; suit < 4; suit++)
            for (int rank = 1; rank <= 13; rank++)
                card[count++] = (unsigned char)natural(rank, suit);
    for (int j = 0; family == ONE_PASS && variant && j < 2; j++)
        card[count++] = (unsigned char)(NATURALS + j);
    generator = seed;
    for (int i = count - 1; i > 0; i--) {
        unsigned at = draw_below((unsigned)i + 1);
        unsigned char other = card[i];
        card[i] = card[at];
        card[at] = other;
    }
    memset(p, 0, sizeof *p);
    p->base = family == BOARD && !variant;
    for (int i = 0; i < columns; i++)
        all += GAMES[game].lengths[i];
    for (int row = 0; used < all; row++)
        for (int i = 0; i < columns; i++)
            if (row < GAMES[game].lengths[i])
                p->column[i].card[p->column[i].count++] = card[used++];
    for (int i = 0; has_stock() && i < columns; i++)
        p->column[i].down = (unsigned char)(p->column[i].count - 1);
    while (count > used)
        p->stock[p->stock_count++] = card[--count];
    for (int i = 0; family == SIMON && i < columns; i++)
        let_runs_leave(&p->column[i]);
}

/* ---- The header ---- */

static void read_game(void) {
    int count = (int)(sizeof GAMES / sizeof *GAMES);
    integer_of("certificate", 1, 1);
    for (game = 0; game < count && strcmp(GAMES[game].name, text_of("game"));)
        game++;
    refuse_if(game == count, "the game is unknown");
    family = GAMES[game].family;
    variant = GAMES[game].variant;
    decks = GAMES[game].decks;
}

/* Return the value of a rule option: 1 for the less usual one. */
static int choice_of(const Member *choice, const char *usual, const char *unusual) {
    if (!choice->is_there || (strcmp(choice->text, usual) && strcmp(choice->text, unusual)))
        refuse("choices: \"%s\": expected %s or %s", choice->key, usual, unusual);
    return !strcmp(choice->text, unusual);
}

/* Return the value of a rule option that is a number, 0 for a word that means no limit. */
static int number_of(const Member *choice, char most, const char *none) {
    const char *text = choice->is_there ? choice->text : "";
    if (none && !strcmp(text, none))
        return 0;
    if (text[0] < '1' || text[0] > most || text[1])
        refuse("choices: \"%s\": expected a number from 1 to %c", choice->key, most);
    return text[0] - '0';
}

static void read_choices(void) {
    int jokers = family == ONE_PASS && variant;
    for (Member *choice = choices; choice->key; choice++)
        if (choice->is_there && (choice < choices + 2 ? !jokers : family != KLONDIKE))
            refuse("choices: \"%s\": the game has no such choice", choice->key);
    if (jokers) {
        exchange_turned = choice_of(&choices[0], "exposed", "turned");
        removal_exposed = choice_of(&choices[1], "undeclared", "exposed");
    } else if (family == KLONDIKE) {
        draw_count = number_of(&choices[2], '7', NULL);
        pass_limit = number_of(&choices[3], '5', "unlimited");
        worrying_back = choice_of(&choices[4], "no", "yes");
    }
}

static void read_deck(void) {
    const char *suits = text_of("suits"), *last = SUITS;
    ranks = integer_of("ranks", 1, 13);
    for (; *suits; suits++) {
        while (*last && *last != *suits)
            last++;
        if (!*last)
            refuse("\"suits\" of the header: expected some of %s in that order", SUITS);
        has_suit[last++ - SUITS] = 1;
    }
    refuse_if(!places(), "the deck has no suits");
    columns = integer_of("columns", is_full_deck() ? GAMES[game].columns : 1, GAMES[game].columns);
}

static void read_claim(void) {
    const char *claim = text_of("claim");
    exact = !strcmp(claim, "exact score");
    counting = !strcmp(claim, "fewest moves") || !strcmp(claim, "at least");
    refuse_if(!exact && !counting && strcmp(claim, "unwinnable"), "the claim is unknown");
    refuse_if(has_stock() ? counting : exact, "the game has no such claim");
    refuse_if(family == KLONDIKE && exact, "the game has no such claim");
    if (exact || counting)
        value = integer_of("value", 0, exact ? places() - 1 : 9999);
    else if (has("value"))
        refuse("the claim has no value");
    int needs_line = exact || !strcmp(claim, "fewest moves");
    if (has("line") != needs_line || has("dealt") != (needs_line || family == SIMON || family == KLONDIKE))
        refuse("\"line\" or \"dealt\" is missing, or does not belong to the claim");
    if (strlen(text_of("start")) > MAX_LINE || (has("dealt") && strlen(text_of("dealt")) > MAX_LINE))
        refuse("\"start\" or \"dealt\" of the header is too long");
}

/* Store the lemmas and the kind of listed positions, which they determine. */
static void read_lemmas(void) {
    int has_order = 0, has_like = 0, has_loose = 0, has_arrangements = 0, of_klondike[5] = {0}, count = 0;
    const struct {
        const char *name;
        int is_known, *noted;
    } LEMMAS[] = {
        {"order of columns", family != KLONDIKE, &has_order},
        {"must go up", family == BOARD, &has_up},
        {"chosen base", family == BOARD && counting, &has_base},
        {"like cards", family == ONE_PASS, &has_like},
        {"safe move up", has_stock(), &has_up},
        {"bound", family == ONE_PASS || counting, &has_bound},
        {"loose cards", family == SIMON && !counting, &has_loose},
        {"arrangements", family == SIMON && !counting, &has_arrangements},
        {"classes", family == KLONDIKE, &of_klondike[0]},
        {"draws", family == KLONDIKE, &of_klondike[1]},
        {"relaxed stock", family == KLONDIKE, &of_klondike[2]},
        {"dead end", family == KLONDIKE, &of_klondike[3]},
        {"late parking", family == KLONDIKE, &of_klondike[4]},
    };
    const Member *lemmas = member("lemmas");
    for (size_t k = 0; k < lemmas->count; k++) {
        size_t known = 0;
        while (known < sizeof LEMMAS / sizeof *LEMMAS && strcmp(LEMMAS[known].name, lemmas->texts[k]))
            known++;
        if (known == sizeof LEMMAS / sizeof *LEMMAS || !LEMMAS[known].is_known || *LEMMAS[known].noted)
            refuse("lemma \"%.20s\" is not one of the game and the claim, or is there twice", lemmas->texts[k]);
        *LEMMAS[known].noted = 1;
        count++;
    }
    if (family == KLONDIKE ? count < 6 : !has_order || (family == ONE_PASS && !has_like))
        refuse("a lemma that is always used is not among those of the header");
    refuse_if(has_loose && has_arrangements, "\"loose cards\" and \"arrangements\" do not go together");
    listed = has_loose ? STEMS : has_arrangements ? CLASSES : POSITIONS;
    refuse_if(counting && decks > 1, "with two decks numbers of moves are not proved");
}

/* ---- The position of the claim ---- */

static Position claimed;

static Position reached_by_line;
static const char *wanted_move;
static int move_found;

static void take_wanted(Position *p, const char *notation) {
    if (move_found || strcmp(notation, wanted_move))
        return;
    copy_position(&reached_by_line, p);
    move_found = 1;
}

static void check_moves(void) {
    static Position p;
    const Member *line = member("line");
    copy_position(&p, &claimed);
    for (size_t k = 0; k < line->count; k++) {
        tick();
        wanted_move = line->texts[k];
        move_found = 0;
        moves(&p, take_wanted);
        if (!move_found)
            refuse("move %zu of the line is not legal", k + 1);
        copy_position(&p, &reached_by_line);
    }
    if (counting && (line->count != (size_t)value || !meets_goal(&p)))
        refuse("the line does not win in %d moves", value);
    if (exact && score(&p) != value)
        refuse("the line comes to the score %d", score(&p));
}

static void write_listed(char *out, const Position *p) {
    Class c;
    if (family == KLONDIKE) {
        set_klondike_deal(p, &c);
        write_klondike_class(out, &c);
    } else if (listed == CLASSES)
        write_class(out, p);
    else
        write_position(out, p);
}

static int are_alike(const Column *one, const Column *other) {
    return one->count == other->count && one->down == other->down && !memcmp(one->card, other->card, one->count);
}

/* Determine the position of the claim, and check that `start` is its normal form. */
static void check_claimed(void) {
    static Position other;
    char text[2 * MAX_TEXT];
    int has_dealt = has("dealt");
    const char *start = text_of("start");
    if (!read_position(has_dealt ? text_of("dealt") : start, &claimed, has_dealt ? DEALT : START))
        refuse("\"%s\": expected a position of the game", has_dealt ? "dealt" : "start");
    copy_position(&other, &claimed);
    normalise(&other);
    write_listed(text, &other);
    refuse_if(strcmp(text, start), "\"start\" is not that position in its normal form");
    if (has("seed")) {
        refuse_if(!is_full_deck(), "a seed has the full deck");
        deal(member("seed")->integer, &other);
        for (int i = 0; has_dealt && i < columns; i++)
            refuse_if(!are_alike(&other.column[i], &claimed.column[i]), "it is not the deal of the seed");
        if (family == KLONDIKE)
            refuse_if(claimed.waste_count || memcmp(other.stock, claimed.stock, sizeof other.stock),
                      "it is not the deal of the seed");
        normalise(&other);
        write_listed(text, &other);
        refuse_if(strcmp(text, start), "it is not the deal of the seed");
    }
    if (has("line"))
        check_moves();
}

/* ---- The file ---- */

static char *read_all(size_t *length) {
    size_t room = 1 << 16, read;
    char *content = memory(NULL, room + 1);
    *length = 0;
    while ((read = fread(content + *length, 1, room - *length, stdin)) > 0) {
        *length += read;
        tick();
        if (*length == room)
            content = memory(content, (room *= 2) + 1);
    }
    refuse_if(ferror(stdin), "it cannot be read");
    content[*length] = 0;
    return content;
}

/* Return the next line; its line feed is overwritten with a zero. */
static char *take_line(char **at, size_t most) {
    char *line = *at, *end = strchr(line, '\n');
    *end = 0;
    refuse_if((size_t)(end - line) > most, "it is too long");
    *at = end + 1;
    return line;
}

/* Return the number before the reason, if moves are counted. */
static void read_number(Line *line) {
    size_t digits = strspn(line->reason, "0123456789");
    refuse_if(!digits || digits > 4 || line->reason[digits] != ' ', "it has no number of moves");
    line->moves = atoi(line->reason);
    line->reason += digits + 1;
}

/* Split what follows the header into lines, up to the last one, and list the positions. */
static void read_lines(char *at) {
    lines = memory(NULL, (line_count + 1) * sizeof *lines);
    for (table_size = 16; table_size < 2 * line_count; table_size *= 2) {}
    table = memory(NULL, table_size * sizeof *table);
    memset(table, 0, table_size * sizeof *table);
    for (size_t k = 0; k < line_count; k++) {
        Line *line = &lines[k];
        tick();
        line_number = k + 2;
        char *text = take_line(&at, MAX_LINE);
        *line = (Line){NULL, text, 0};
        char *colon = strstr(text, ": ");
        refuse_if(!colon, "it is not a reason, a colon, a space and a position");
        *colon = 0;
        line->reason = text;
        line->position = colon + 2;
        if (counting)
            read_number(line);
        uint32_t *slot = slot_of(line->position);
        refuse_if(*slot, "the position was listed before");
        *slot = (uint32_t)k + 1;
    }
    line_number = line_count + 2;
    refuse_if(strcmp(at, "end\n"), "it is not the last line, \"end\"");
    line_number = 1;
}

/* Check that the text has only valid characters and at least two lines. Returns the number of lines between
 * the first and the last. */
static size_t count_lines(const char *content, size_t length) {
    line_number = 1;
    for (size_t k = 0; k < length; k++) {
        if (content[k] == '\n')
            line_number++;
        else if (content[k] < ' ' || content[k] > 126)
            refuse("a character is not one of printable ASCII");
    }
    refuse_if(line_number < 3 || content[length - 1] != '\n', "expected a header and the line \"end\"");
    if (line_number > MAX_LINES)
        give_up("%zu lines", MAX_LINES);
    return line_number - 3;
}

static void check_lines(void) {
    if (needed("positions")->integer != line_count)
        refuse("\"positions\" of the header: expected %zu, got %llu", line_count,
               (unsigned long long)member("positions")->integer);
    uint32_t number = *slot_of(text_of("start"));
    if (family == KLONDIKE) {
        Class start;
        set_klondike_deal(&claimed, &start);
        refuse_if(!is_settled(start), "the start is not listed");
    } else if (!number || (counting && lines[number - 1].moves != value))
        refuse("the start is not listed, or not with the number of the claim");
    for (size_t k = 0; k < line_count; k++) {
        tick();
        line_number = k + 2;
        check_line(&lines[k]);
    }
}

/* ---- The sentence ---- */

static void print_count(size_t count) {
    if (count >= 1000) {
        print_count(count / 1000);
        printf(",%03zu", count % 1000);
    } else
        printf("%zu", count);
}

static void print_accepted(void) {
    const Member *lemmas = member("lemmas");
    const char *plural = line_count == 1 ? "" : "s";
    printf("accepted: %s", GAMES[game].name);
    if (family == ONE_PASS && variant)
        printf(" (exchange %s, removal %s)", choices[0].text, choices[1].text);
    if (family == KLONDIKE)
        printf(" (draw %s, passes %s, worrying back %s)", choices[2].text, choices[3].text, choices[4].text);
    if (!is_full_deck())
        printf(", %d ranks of %s in %d columns", ranks, text_of("suits"), columns);
    if (has("seed"))
        printf(", seed %llu", (unsigned long long)member("seed")->integer);
    else
        printf(", the deal [%s]", text_of(has("dealt") ? "dealt" : "start"));
    printf(", %s", text_of("claim"));
    if (exact)
        printf(" %d of %d places%s", value, places(), value < first_tier() ? " (unwinnable)" : "");
    else if (counting)
        printf(" %d%s", value, has("line") ? "" : " moves");
    else if (family == ONE_PASS)
        printf(" (at most %d of %d places)", first_tier() - 1, places());
    printf(", ");
    print_count(line_count);
    printf(" position%s", plural);
    for (size_t k = 0; k < lemmas->count; k++)
        printf("%s%s", k ? ", " : "; lemmas: ", lemmas->texts[k]);
    printf("\n");
}

int main(int count, char **arguments) {
    char *at, *end = "";
    size_t length;
    if (count > 1)
        seconds_allowed = strtod(arguments[1], &end);
    if (count > 2 || *end || !(seconds_allowed > 0)) {
        fprintf(stderr, "expected a number of seconds, got %s\n", count > 2 ? arguments[2] : arguments[1]);
        return 2;
    }
    at = read_all(&length);
    line_count = count_lines(at, length);
    line_number = 1;
    at_header = take_line(&at, MAX_HEADER);
    read_object(members);
    at_header += strspn(at_header, " ");
    refuse_if(*at_header, "something follows the JSON object");
    read_game();
    read_choices();
    read_deck();
    read_claim();
    read_lemmas();
    read_lines(at);
    check_claimed();
    check_lines();
    print_accepted();
    return fflush(stdout) ? 2 : 0;
}
