"""Plays Joker and one-pass Klondike without seeing the hidden cards, and tells chances."""

from .chances import Chance
from .player import Advice, Decision, Game, Outcome, Player, advise, decisions, play_game

__all__ = ["Advice", "Chance", "Decision", "Game", "Outcome", "Player", "advise", "decisions", "play_game"]
