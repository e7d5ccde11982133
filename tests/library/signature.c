/* signature GAME NODES WORK FIRST COUNT: what the library answers to COUNT deals from seed FIRST on, a row a deal;
   without FIRST and COUNT, to the positions on stdin, each a winnable_table in hexadecimal digits.

   A row has the number of the deal, verdict, reason, states, generated, work, score, its bound, exact, replays, and
   the moves of the line. Where a line was found within the limits, "|" follows, and of a search for a shortest line:
   reason, states, lower bound, shortest, replays, moves. Where a search for scores is there and the deal lost, "/"
   follows, and of that: reason, states, score, its bound, exact, replays, moves. */
#include "winnable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

static winnable_move line[MOST];

static void print_line(const winnable* engine) {
    int count = winnable_line(engine, line, MOST);
    for (int i = 0; i < count; i++)
        printf(" %d,%d,%d,%d,%d", line[i].source, line[i].target, line[i].count, line[i].suit, line[i].rank);
}

static void print_row(winnable* engine, uint64_t number) {
    winnable_answer answer;
    winnable_solve(engine, &answer);
    int verdict = answer.verdict;
    printf("%" PRIu64 " %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %d %d", number, verdict, answer.reason,
           answer.expanded, answer.generated, answer.work, answer.score, answer.score_bound, answer.exact,
           answer.replays);
    print_line(engine);
    if (answer.moves > 0 && answer.reason == WINNABLE_NO_LIMIT) {
        int length = winnable_line(engine, line, MOST);
        if (winnable_shorten(engine, line, length, NULL, NULL, &answer) != WINNABLE_OK)
            exit(1);
        printf(" | %d %" PRIu64 " %d %d %d", answer.reason, answer.expanded, answer.lower_bound, answer.shortest,
               answer.replays);
        print_line(engine);
    }
    if (verdict == WINNABLE_LOST && winnable_score(engine, &answer) == WINNABLE_OK) {
        printf(" / %d %" PRIu64 " %d %d %d %d", answer.reason, answer.expanded, answer.score, answer.score_bound,
               answer.exact, answer.replays);
        print_line(engine);
    }
    putchar('\n');
}

static int read_table(winnable_table* table) {
    for (size_t i = 0; i < sizeof *table; i++) {
        unsigned byte;
        if (scanf("%2x", &byte) != 1)
            return 0;
        ((unsigned char*)table)[i] = (unsigned char)byte;
    }
    return 1;
}

int main(int count, char** arguments) {
    winnable* engine = count >= 4 ? winnable_open(arguments[1]) : NULL;
    winnable_limits limits = {0, UINT64_MAX, 0, -1.0};
    winnable_table table;
    if (engine == NULL)
        return 2;
    limits.nodes = strtoull(arguments[2], NULL, 10);
    limits.work = strtoull(arguments[3], NULL, 10);
    winnable_set_limits(engine, &limits);
    if (count == 4)
        for (uint64_t number = 0; read_table(&table); number++) {
            if (winnable_load(engine, &table) != WINNABLE_OK)
                return 1;
            print_row(engine, number);
        }
    else {
        uint64_t seed = strtoull(arguments[4], NULL, 10), end = seed + strtoull(arguments[5], NULL, 10);
        for (; seed < end; seed++) {
            winnable_deal(engine, seed);
            print_row(engine, seed);
        }
    }
    winnable_close(engine);
    return 0;
}
