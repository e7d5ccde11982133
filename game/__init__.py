"""A game being played, as the board, the terminal and the web page have it.

Begin with `session`: a `tree` of positions, the search results known for them, and the part of them that the
player may see; it uses neither threads nor the network. `evaluation` compares results and puts them into
words, and `places` names what lies on the table. `export` writes a game to files, `links` to an address.
`history` keeps the games played, each as a `record`, `hidden_deals` the deals whose cards nobody has seen;
both are files of `storage`.
"""
