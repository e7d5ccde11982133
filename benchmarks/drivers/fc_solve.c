/* Driver of fc-solve's library for Simple Simon: verdicts of many deals in one process, with the processor time of
 * each search.
 *
 * Build: cc -O2 fc_solve.c -o fc-solve-driver -lfreecell-solver
 *
 * Run as `fc-solve-driver SECONDS PRESET`, where PRESET is one of its presets such as the-last-mohican. A line of
 * input is a deal: 52 cards, column by column from the deepest card on. A line of output is its answer: a verdict
 * and microseconds; "unsolvable" only says that it gave up.
 */
#include <freecell-solver/fcs_cl.h>
#include <freecell-solver/fcs_user.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 10, LONGEST = 8, STATES = 1000 }; /* STATES: between two looks at the clock */

/* The deal in a line, whose cards take three characters each, as a board with a line a column. */
static void lay_out(char *deal) {
    char *at = deal - 1;
    for (int column = 0; column < COLUMNS; column++) {
        int cards = column < 3 ? LONGEST : COLUMNS - column;
        at += 3 * cards;
        *at = '\n';
    }
    at[1] = '\0';
}

static void configure(void *solver, const char *preset) {
    char *error = NULL;
    if (freecell_solver_user_apply_preset(solver, "simple_simon") != FCS_PRESET_CODE_OK
        || freecell_solver_user_cmd_line_read_cmd_line_preset(solver, preset, NULL, &error, 1, NULL)) {
        fprintf(stderr, "%s: no such preset\n", preset);
        exit(2);
    }
}

static const char *verdict(int code) {
    switch (code) {
    case FCS_STATE_WAS_SOLVED:
        return "solved";
    case FCS_STATE_SUSPEND_PROCESS:
        return "undecided";
    case FCS_STATE_IS_NOT_SOLVEABLE:
        return "unsolvable";
    default:
        fprintf(stderr, "expected a deal, got one with the fault %d\n", code);
        exit(2);
    }
}

int main(int count, char **words) {
    char deal[256];
    if (count != 3)
        return 2;
    clock_t limit = atof(words[1]) * CLOCKS_PER_SEC;
    void *solver = freecell_solver_user_alloc();
    configure(solver, words[2]);
    while (fgets(deal, sizeof deal, stdin)) {
        lay_out(deal);
        clock_t begun = clock();
        freecell_solver_user_recycle(solver);
        fcs_int_limit_t states = STATES;
        freecell_solver_user_limit_iterations_long(solver, states);
        int code = freecell_solver_user_solve_board(solver, deal);
        while (code == FCS_STATE_SUSPEND_PROCESS && clock() - begun < limit) {
            freecell_solver_user_limit_iterations_long(solver, states += STATES);
            code = freecell_solver_user_resume_solution(solver);
        }
        long microseconds = (clock() - begun) * (1000000 / CLOCKS_PER_SEC);
        printf("%s %ld\n", verdict(code), microseconds);
    }
    freecell_solver_user_free(solver);
    return 0;
}
