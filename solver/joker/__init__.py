"""Joker Solitaire and one-pass Klondike: classes of states, the search for the greatest score.

Start with `state`: the packed keys of classes of states; `moves` has their macro moves, `bound` a delete
relaxation. `search` finds the greatest score; a game without jokers has a search of its own, on smaller
states (`one_pass`). `plain` has compiled rules on single states; over these `shortest` shortens lines and
proves them shortest, by `beam` and A*, without jokers by `astar` over the exact keys of `landmarks`. `replay`
has independent rules, and `kernel` ties them together. The proofs are in docs/theory/joker.md.
"""
