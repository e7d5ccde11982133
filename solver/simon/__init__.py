"""Simon Jester and Simple Simon: classes of positions, the portfolio of searches, shorter lines.

Start with `kernel`: the portfolio. `relaxation_loose` (R0) and `relaxation_carriers` (R2) prove deals lost;
`best_first` searches the `classes` of positions by the moves of `class_moves`; `depth_first` searches single
positions. `beam`, with the scores of `beam_score`, `plan` and `astar` shorten lines; `landmarks` bound
their moves. `position` has packed positions, `replay` independent rules, `certificate` what
the checker is told. The proofs are in docs/theory/simon.md.
"""
