/* texts COUNT SEED: reads COUNT damaged texts of positions of each game, and texts of moves. What is accepted
   must be written so that it is read again as the same position; what is refused must change nothing; and no
   function may write beyond the room that it is given. Prints how many texts of each game were accepted. */
#include "core/dealer.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 16, LONG = 10050 };

static winnable_chance chance;
static char text[ROOM];

static int below(int bound) { return (int)winnable_below(&chance, (uint64_t)bound); }

static void require(int holds, const char* what) {
    if (!holds) {
        printf("broken: %s\n%s\n", what, text);
        exit(1);
    }
}

/* --- Positions ----------------------------------------------------------------------------------------------- */

/* Choose random values of the rule options, or the usual ones. */
static void choose(winnable* engine) {
    const char* option;
    for (int number = 0; (option = winnable_option(engine, number)) != NULL; number++) {
        char values[64], *value = values;
        snprintf(values, sizeof values, "%s", winnable_values(engine, option));
        for (char* at = values; *at != 0; at++)
            if (*at == ' ') {
                *at = 0;
                if (below(2))
                    value = at + 1;
            }
        require(winnable_choose(engine, option, value) == WINNABLE_OK, "choosing a value of an option");
    }
}

/* Lay out a short deck, if the game takes it. */
static void lay_short(winnable* engine) {
    uint8_t cards[WINNABLE_MOST_CARDS], sizes[WINNABLE_MOST_COLUMNS];
    winnable_table table;
    winnable_position(engine, &table);
    int count = 0, columns = table.stock_size > 0 ? 1 + below(4) : table.columns, all = 0;
    table.ranks = (uint8_t)(1 + below(7));
    table.suits = (uint8_t)(1 + below(15));
    for (int column = 0; column < table.columns; column++)
        all += table.size[column];
    for (int copy = 0; copy < (all == 104 ? 2 : 1); copy++)
        for (int card = 0; card < 52; card++)
            if ((card >> 2) < table.ranks && (table.suits >> (card & 3) & 1))
                cards[count++] = (uint8_t)card;
    if (table.has_jokers) {
        cards[count++] = 52;
        cards[count++] = 53;
    }
    memcpy(sizes, table.size, sizeof sizes);
    winnable_shuffle(cards, count, winnable_draw(&chance));
    int has_stock = table.stock_size > 0;
    winnable_lay_out(&table, cards, count, sizes, columns);
    for (int column = 0; column < WINNABLE_MOST_COLUMNS; column++)
        table.hidden[column] = (uint8_t)(has_stock && table.size[column] > 0 ? table.size[column] - 1 : 0);
    winnable_load(engine, &table);
}

/* Make up to `count` random moves. */
static void play(winnable* engine, int count) {
    winnable_move moves[WINNABLE_MOST_MOVES];
    for (; count > 0; count--) {
        int legal = winnable_legal(engine, moves, WINNABLE_MOST_MOVES);
        require(legal <= WINNABLE_MOST_MOVES, "number of legal moves");
        if (legal == 0)
            return;
        int chosen = below(legal);
        for (int i = 0; i < legal && below(4); i++)     /* mostly to the foundations, so that games get on */
            if (moves[i].target == WINNABLE_FOUNDATION)
                chosen = i;
        if (winnable_play(engine, &moves[chosen]) != WINNABLE_OK)
            return;
    }
}

/* --- Texts --------------------------------------------------------------------------------------------------- */

static char any_letter(void) {
    static const char LETTERS[] = "A23456789TJQKCDHSXBR<>=:-#0 \n\r\tsfwx?";
    return below(4) ? LETTERS[below((int)sizeof LETTERS - 1)] : (char)(1 + below(255));
}

/* Replace `old` bytes at `at` by `count` bytes of `letters`. */
static void replace(int at, int old, const char* letters, int count) {
    int length = (int)strlen(text);
    if (at + old > length || length - old + count >= ROOM)
        return;
    memmove(text + at + count, text + at + old, (size_t)(length - at - old + 1));
    memcpy(text + at, letters, (size_t)count);
}

/* Swap the words of two letters at two places, if they are there. */
static void swap_words(int a, int b) {
    while (a > 0 && text[a - 1] > ' ')
        a--;
    while (b > 0 && text[b - 1] > ' ')
        b--;
    for (int i = 0; i < 2 && a + 2 <= b && strlen(text) >= (size_t)b + 2; i++) {
        char letter = text[a + i];
        text[a + i] = text[b + i];
        text[b + i] = letter;
    }
}

/* Drop or double a line, or move it to another place. */
static void change_line(int at, int to) {
    char line[ROOM];
    while (at > 0 && text[at - 1] != '\n')
        at--;
    while (to > 0 && text[to - 1] != '\n')
        to--;
    int count = (int)strcspn(text + at, "\n");
    count += text[at + count] == '\n';
    memcpy(line, text + at, (size_t)count);
    if (below(3))
        replace(at, count, "", 0);
    if (below(3) && to <= (int)strlen(text))
        replace(to, 0, line, count);
}

/* Change a few letters, words or lines. */
static void damage(void) {
    static char run[LONG];
    for (int faults = below(4); faults > 0; faults--) {
        int length = (int)strlen(text), at = below(length + 1), to = below(length + 1);
        char letter = any_letter();
        switch (below(200) == 0 ? 9 : below(9)) {
        case 0: replace(at, 1, &letter, 1); break;
        case 1: replace(at, 1, "", 0); break;
        case 2: replace(at, 0, &letter, 1); break;
        case 3: case 4: change_line(at, to); break;
        case 9:
            memset(run, letter, sizeof run);
            replace(at, 0, run, below(2) ? LONG : below(300));
            break;
        default: swap_words(at < to ? at : to, at < to ? to : at);
        }
    }
}

/* Write the position with little room, and see that no byte beyond it is written. */
static void write_short(const winnable* engine, const char* whole) {
    char room[WINNABLE_TEXT_SIZE + 8];
    int size = below(3) ? below(WINNABLE_TEXT_SIZE) : below(4);
    memset(room, 'Z', sizeof room);
    require(winnable_text(engine, room, size) == (int)strlen(whole), "length of a text");
    require(room[size] == 'Z' && room[size + 7] == 'Z', "a byte beyond the room");
    if (size > 0) {
        require(strlen(room) <= strlen(whole) && strncmp(room, whole, strlen(room)) == 0, "a shortened text");
        require((int)strlen(room) == size - 1 || strlen(room) == strlen(whole), "length of a shortened text");
    }
    require(winnable_text(engine, NULL, size) == (int)strlen(whole), "length without room");
}

/* Read `text`; returns whether it was accepted. `other` has the usual rule options. */
static int read_position(winnable* engine, winnable* other) {
    char whole[WINNABLE_TEXT_SIZE], again[WINNABLE_TEXT_SIZE];
    winnable_table before, after, second;
    winnable_position(engine, &before);
    winnable_text(engine, again, sizeof again);
    int code = winnable_read(engine, text), length = winnable_text(engine, whole, sizeof whole);
    winnable_position(engine, &after);
    require(length < WINNABLE_TEXT_SIZE, "room for any text");
    if (code != WINNABLE_OK) {
        require(*winnable_message(engine) != 0, "a message");
        require(memcmp(&before, &after, sizeof before) == 0, "the position as before");
        require(strcmp(whole, again) == 0, "the text as before");
        return 0;
    }
    write_short(engine, whole);
    if (winnable_read(other, whole) != WINNABLE_OK) {
        printf("%s\n%s\n", whole, winnable_message(other));
        require(0, "what was written is read");
    }
    winnable_text(other, again, sizeof again);
    winnable_position(other, &second);
    require(strcmp(whole, again) == 0, "the same text again");
    require(memcmp(&after, &second, sizeof after) == 0, "the same position again");
    return 1;
}

/* --- Moves --------------------------------------------------------------------------------------------------- */

/* Read the text of a legal move, then damaged texts of it. */
static void read_moves(winnable* engine) {
    winnable_move moves[WINNABLE_MOST_MOVES], found;
    char name[WINNABLE_MOVE_SIZE], room[WINNABLE_MOVE_SIZE + 1];
    int legal = winnable_legal(engine, moves, WINNABLE_MOST_MOVES);
    for (int tries = 0; tries < 3 && legal > 0; tries++) {
        const winnable_move* move = &moves[below(legal)];
        int length = winnable_move_text(engine, move, name, sizeof name), size = below((int)sizeof room);
        require(length > 0 && length < WINNABLE_MOVE_SIZE, "the length of a move");
        memset(room, 'Z', sizeof room);
        require(winnable_move_text(engine, move, room, size) == length, "the length again");
        require(room[size] == 'Z', "a byte beyond the room");
        strcpy(text, name);
        require(winnable_read_move(engine, text, &found) == WINNABLE_OK, "a legal move is read");
        require(memcmp(&found, move, sizeof found) == 0, "the same move again");
        damage();
        if (winnable_read_move(engine, text, &found) == WINNABLE_OK) {
            require(winnable_move_text(engine, &found, name, sizeof name) > 0, "what was read is legal");
            if (below(2) && winnable_play(engine, &found) == WINNABLE_OK)
                return;
        } else
            require(*winnable_message(engine) != 0, "a message about a move");
        found = *move;
        ((int8_t*)&found)[below(2)] = (int8_t)winnable_draw(&chance);
        if (winnable_move_text(engine, &found, name, sizeof name) == 0)
            require(*name == 0 && winnable_play(engine, &found) != WINNABLE_OK, "an illegal move is refused");
    }
}

int main(int count, char** arguments) {
    int texts = count > 1 ? atoi(arguments[1]) : 1000;
    winnable_limits limits = {20, 20000000, 2000, -1.0};
    chance.state = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    for (int number = 0; winnable_name(number) != NULL; number++) {
        winnable* engines[3];
        winnable_answer answer;
        int accepted = 0;
        for (int i = 0; i < 3; i++) {
            engines[i] = winnable_open(winnable_name(number));
            require(engines[i] != NULL, "memory");
            winnable_set_limits(engines[i], &limits);
        }
        for (int i = 0; i < texts; i++) {
            choose(engines[0]);
            winnable_deal(engines[0], winnable_draw(&chance) >> below(64));
            if (below(3) == 0)
                lay_short(engines[0]);
            play(engines[0], below(80));
            winnable_text(engines[0], text, ROOM);
            damage();
            if (!read_position(engines[1], engines[2]))
                continue;
            accepted++;
            read_moves(engines[1]);
            if (below(32) == 0)
                winnable_solve(engines[1], &answer);
        }
        printf("%s %d\n", winnable_name(number), accepted);
        fflush(stdout);
        for (int i = 0; i < 3; i++)
            winnable_close(engines[i]);
    }
    return 0;
}
