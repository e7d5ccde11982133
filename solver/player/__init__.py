"""Plays Joker and one-pass Klondike without seeing the hidden cards, and tells chances."""

from .player import Advice, Chance, Decision, Game, Outcome, Player, advise, decisions, play_game

__all__ = ["Advice", "Chance", "Decision", "Game", "Outcome", "Player", "advise", "decisions", "play_game"]
