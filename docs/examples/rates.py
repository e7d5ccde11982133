"""Deal, solve, play, hint, rate and plot: python rates.py GAME DEALS PICTURE (needs matplotlib)."""

import sys

from matplotlib import pyplot

from winnable import deal, hint, solve, solve_many

game, deals, picture = sys.argv[1], int(sys.argv[2]), sys.argv[3]

state = deal(game, 8)
print(state, solve(state), hint(state), sep="\n\n")
for move in solve(state).moves or ():
    state = state.apply(move)
print("played:", "won" if state.is_won else "not won")

rows = list(solve_many(game, range(1, deals + 1)))
won = [row["length"] for row in rows if row["verdict"] == "winnable"]
hardest = max(rows, key=lambda row: row["expanded"])
print(f"{len(won)} of {deals} can be won; hardest: seed", hardest["seed"])

pyplot.hist(won, bins=30)
pyplot.title(f"{game}: {len(won) / deals:.1%} of {deals} deals can be won")
pyplot.xlabel("moves of the line found")
pyplot.savefig(picture)
