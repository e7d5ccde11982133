"""The analysis board: a game played in the browser or the terminal, and what each position of it is worth."""
