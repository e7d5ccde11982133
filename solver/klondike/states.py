"""Validation of states of Klondike with redeals for the packed representation."""

from ...rules import check_implemented
from ...rules.klondike import State
from . import IMPLEMENTS, REPLAYS


def check_state(state: State) -> None:
    """Raise ValueError if the searches, or the rules that replay their lines, do not implement the rule
    options of ``state``."""
    check_implemented(state, IMPLEMENTS)
    if REPLAYS != IMPLEMENTS:
        check_implemented(state, REPLAYS)
