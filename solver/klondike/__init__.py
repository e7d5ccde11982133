"""Search and optimization of Klondike with redeals.

Start with `state`: the packed keys of classes of states, their moves, and dead ends by delete relaxation.
`search` decides a deal, or finds the most cards up. `exact` has keys and steps that keep costs;
`shortest` minimizes moves over them, by beams and by A* with the `landmarks` of a relaxed game.
`line` turns moves between classes into moves of the game and straightens lines, `replay` has independent
rules, and `kernel` ties them together. The proofs are in docs/theory/klondike.md.
"""
