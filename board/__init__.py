"""The analysis board: play a game in the browser or the terminal and see the verdict of every position.

`session` is the game being played: a `tree` of positions, the search results known for them, and the part of
them that the player may see; it uses neither threads nor the network. `places` turns drops into moves;
`new_game`, `links` and `export` convert between games and requests, addresses and files; `editor` validates
a hand-entered table; `safe_moves` finds safe foundation moves, `blocking` cards that block each other for
good. `analysis` decides which searches to run for a position and in which order, `shortening` optimizes
lines, `analyst` runs them in one thread a game, cancelled by the next request; `search_control` connects
them to a session on the event loop. `evaluation` compares search results and puts them into words,
`serialize` turns them into JSON. `socket_session` handles the messages of one page as specified in
PROTOCOL.md, `server` has the routes and sockets, `run_server` runs it until Ctrl-C, `guard` authenticates
requests. `storage` is an SQLite file of the user: `history` stores finished games, described by `record` and
written by `history_writer` off the event loop; `hidden_deals` stores deals whose cards the page must not
see.

``static/`` is what the browser loads: ES modules and styles without a build step. `cards`, `faces`, `places`
and `table` draw the positions of `rules.layout`, also for the replay page; `looks` are the colours. `board`
wires up the page: `connection` (the socket), `messages` (validation of server messages), `requests`
(requests and their answers), `game` (the client's copy of the game), `keeping` (links and reload), `sizing`
(card size), `play` and `drag` (pointer input), `keys` (keyboard), `tree`, `verdict`, `options` and `arrow`
(move list, verdict, move marks), `banner` and `cascade` (end of the game), `viewer` (stepping through a
line), `review` (mistakes), `files` (copy, save, drop), `limits` (search limits), `graph` (the course of the
game), `why` (cards that block each other), and the dialogs `start`, `editor`, `picker` and `rules`. No
script knows the rules; the page asks the server. `single_file` inlines a page with its styles and scripts
and names their hashes in its content security policy; `page` fills the replay page.
"""
