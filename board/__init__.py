"""The analysis board: play a game in the browser and see the verdict of every position.

The game itself is `game.session`. `analysis` decides which searches to run for a position and in which order,
`analyst` runs them in one thread a game, cancelled by the next request, and `search_control` connects them to
a session on the event loop. `serialize` turns results into JSON. `socket_session` handles the messages of one
page as specified in PROTOCOL.md, `server` has the routes and sockets, `guard` authenticates requests.

``static/`` is what the browser loads: ES modules and styles without a build step. `board.js` wires up the
page, `replay.js` that of a line of play, which `single_file` and `page` write. No script knows the rules; the
page asks the server.
"""
