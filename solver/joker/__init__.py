"""Joker Solitaire and one-pass Klondike: classes of states, the search for the greatest score.

The searches stand on plain rules (`plain`), which are not those of the `oracle`; a game without jokers has
a search of its own, on smaller states (`klondike` and its modules).
"""
