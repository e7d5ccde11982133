"""The analysis board: a game played in the browser or the terminal, and what each position of it is worth.

`session` is a game that is played: a `tree` of positions, what is known of them, what may be seen of them;
it knows no thread and no network. `places` turns drops into moves, `openings`, `links` and `saving` turn
requests, addresses and files into games and back, `editor` looks at a table while it is typed, `safe` puts
cards up. `analysis` says what is searched for a position and in which order, `shortening` makes lines
shorter, `analyst` does it in a thread, one a game, ended at once by the next question; `thinking` joins
them to a session on the loop. `judgement` and `telling` say what is found. `conversation` answers a page,
message by message, as PROTOCOL.md has them, `server` carries them, `serving` runs it until Ctrl-C, `guard`
says who may ask. `storage` is a file of the user: `history` has the games played, which `record` describes
and `keeper` writes beside the loop, `held` the deals whose cards a page must not see.

``static/`` holds what a browser loads, ES modules and styles without a build step: `cards`, `places` and
`table` draw the positions of `rules.layout`, for the replay page too, `looks` are colours. `board` joins
the others: `connection` is the socket, `messages` what may come over it, `conversation` what is asked,
`game` what is known of the game, `keeping` its link and what outlives a reload, `sizing` how large the
cards are, `play` and `drag` a person's hands, `keys` the keyboard, `tree`, `verdict`, `options` and
`arrow` what is told of moves, `banner` of the end, `viewer` a line, `review` mistakes, `files` what is
copied, saved and dropped, `limits` those of a search, `start`, `editor`, `picker` and `rules` dialogs.
The rules are asked of the server: no script knows them. `bundle` makes one file of a page, whose content
policy names its one style and script by their hashes; `page` fills that of a line of play.
"""
