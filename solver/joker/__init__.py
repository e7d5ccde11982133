"""Joker Solitaire and one-pass Klondike: classes of states, the search for the greatest score.

The searches use the plain rules of `plain`; lines are replayed by the independent ones of `replay`. A game
without jokers has a search of its own, on smaller states (`one_pass`).
"""
