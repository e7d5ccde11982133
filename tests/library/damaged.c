/* damaged COUNT SEED: loads COUNT damaged positions of each game, and searches those that are accepted. The library
   must refuse what its searches cannot start from; a build with sanitizers sees the rest. Prints how many positions
   of each game were accepted. */
#include "core/dealer.h"

#include <stdio.h>
#include <stdlib.h>

static winnable_chance chance;

static int below(int bound) { return (int)winnable_below(&chance, (uint64_t)bound); }

/* A deal of the game `name`, as a table with the rules of `engine`. */
static winnable_table dealt(const winnable* engine, const char* name) {
    static const struct { const char* name; int cards, columns; uint8_t sizes[14]; } LAYOUTS[] = {
        {"chessboard", 52, 10, {6, 5, 5, 5, 5, 6, 5, 5, 5, 5}}, {"fortress", 52, 10, {6, 5, 5, 5, 5, 6, 5, 5, 5, 5}},
        {"simon-jester", 104, 14, {8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7}},
        {"simon-jester-triangular", 104, 14, {13, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}},
        {"simple-simon", 52, 10, {8, 8, 8, 7, 6, 5, 4, 3, 2, 1}}, {"joker", 54, 7, {1, 2, 3, 4, 5, 6, 7}},
        {"klondike-one-pass", 52, 7, {1, 2, 3, 4, 5, 6, 7}},
    };
    winnable_table table = engine->table;
    uint8_t cards[WINNABLE_MOST_CARDS];
    int kind = 6;
    for (int i = 0; i < 7; i++)
        if (strcmp(LAYOUTS[i].name, name) == 0)
            kind = i;
    for (int i = 0; i < LAYOUTS[kind].cards; i++)
        cards[i] = (uint8_t)(LAYOUTS[kind].cards == 104 ? i % 52 : i);
    winnable_shuffle(cards, LAYOUTS[kind].cards, winnable_draw(&chance));
    winnable_lay_out(&table, cards, LAYOUTS[kind].cards, LAYOUTS[kind].sizes, LAYOUTS[kind].columns);
    for (int column = 0; column < table.columns; column++)
        table.hidden[column] = (uint8_t)(kind < 5 ? 0 : table.size[column] - 1);
    return table;
}

/* Put some cards on the foundations or the waste, so that what is damaged is not always a deal. */
static void play(winnable_table* table) {
    for (int tries = below(60); tries > 0; tries--) {
        int column = below(table->columns), size = table->size[column];
        if (below(3) == 0 && table->stock_size > 0) {
            table->waste[table->waste_size++] = table->stock[0];
            memmove(table->stock, table->stock + 1, --table->stock_size);
        } else if (size > 0) {
            int card = table->card[column][size - 1];
            if (card >= 52 || table->up[card & 3] != (card >> 2))
                continue;
            table->up[card & 3]++;
            table->base = 0;
            table->size[column]--;
            if (table->hidden[column] >= size - 1 && size > 1)
                table->hidden[column] = (uint8_t)(size - 2);
            else if (size == 1)
                table->hidden[column] = 0;
        }
    }
}

/* Change a few fields, mostly by little. */
static void damage(winnable_table* table) {
    uint8_t* bytes = (uint8_t*)table;
    for (int faults = below(4); faults > 0; faults--) {
        int column = below(WINNABLE_MOST_COLUMNS);
        switch (below(12)) {
        case 0: bytes[below((int)sizeof *table)] = (uint8_t)winnable_draw(&chance); break;
        case 1: table->size[column] = (uint8_t)(table->size[column] + below(3) - 1); break;
        case 2: table->hidden[column] = (uint8_t)(table->hidden[column] + below(3) - 1); break;
        case 3: table->card[column][below(12)] = (uint8_t)below(60); break;
        case 4: table->up[below(4)] = (uint8_t)below(15); break;
        case 5: table->ranks = (uint8_t)below(15); break;
        case 6: table->suits = (uint8_t)below(17); break;
        case 7: table->stock_size = (uint8_t)below(60); break;
        case 8: table->waste_size = (uint8_t)below(60); break;
        case 9:
            table->draw = (uint8_t)below(9);
            table->passes = (uint8_t)below(7);
            table->redeals = (uint8_t)below(7);
            break;
        case 10: table->base = (int8_t)(below(16) - 2); break;
        default:
            table->joker[below(2)] = (winnable_joker){
                (int8_t)(below(16) - 2), (int8_t)(below(60) - 2), (uint8_t)below(2), (uint8_t)below(2)};
        }
    }
}

int main(int count, char** arguments) {
    int loads = count > 1 ? atoi(arguments[1]) : 1000;
    chance.state = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    for (int number = 0; winnable_name(number) != NULL; number++) {
        winnable* engine = winnable_open(winnable_name(number));
        winnable_limits limits = {200, 20000000, 20000, -1.0};
        winnable_answer answer;
        int accepted = 0;
        if (engine == NULL)
            return 1;
        winnable_set_limits(engine, &limits);
        for (int i = 0; i < loads; i++) {
            winnable_table table = dealt(engine, winnable_name(number));
            winnable_move line[4096];
            play(&table);
            damage(&table);
            if (winnable_load(engine, &table) != WINNABLE_OK)
                continue;
            accepted++;
            winnable_solve(engine, &answer);
            if (answer.verdict == WINNABLE_WON && !answer.replays)
                return 1;
            if (answer.verdict == WINNABLE_LOST && answer.moves < 0
                && winnable_shorten(engine, NULL, 0, NULL, NULL, &answer) != WINNABLE_BAD_LINE)
                return 1;
            if (winnable_shorten(engine, line, -1, NULL, NULL, &answer) != WINNABLE_MISUSE)
                return 1;
            int length = winnable_line(engine, line, 4096);
            for (int j = 0; j < length && below(2); j++)
                ((int8_t*)&line[below(length)])[below(5)] = (int8_t)winnable_draw(&chance);
            if (i % 16 == 0) {
                winnable_shorten(engine, line, length, NULL, NULL, &answer);
                winnable_optimize(engine, line, length, &answer);
                winnable_score(engine, &answer);
            }
        }
        printf("%s %d\n", winnable_name(number), accepted);
        winnable_close(engine);
    }
    return 0;
}
