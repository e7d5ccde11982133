"""Search and optimization of Klondike with redeals.

Start with `state`: the packed keys of classes of states and their moves. `search` decides a deal,
`dead_ends` prunes by delete relaxation, `shortest` minimizes moves by weighted A*, `line` turns moves
between classes into moves of the game, `replay` has independent rules, and `kernel` ties them together. The
proofs are in docs/theory/klondike.md.
"""
