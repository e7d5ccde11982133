"""Joker Solitaire and one-pass Klondike: classes of states, the search for the greatest score."""
