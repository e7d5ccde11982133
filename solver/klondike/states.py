"""Validation of states of Klondike with redeals for the packed representation."""

from ...rules.klondike import State
from ..core.states import check_listed
from . import IMPLEMENTS, REPLAYS


def check_state(state: State) -> None:
    """Raise ValueError if the searches, or the rules that replay their lines, do not implement the rule
    options of ``state``."""
    check_listed(state, IMPLEMENTS, REPLAYS)
