"""Safe foundation moves: moves that never lose anything, so that a program may make them unasked.

They follow from the rules that the searches use, restricted to visible cards; the proofs are those of the
safe foundation moves of each family in docs/theory/ and in the kernels.
"""

from typing import Any

from ..rules import chessboard, joker, klondike
from ..rules.cards import colour_of, is_joker, rank_of, suit_of, suits_of_colour
from ..rules.hidden_cards import face_up


def safe_move(state: Any) -> Any:
    """A safe foundation move of ``state``, or None."""
    if isinstance(state, chessboard.State):
        return _chessboard_move(state)
    if isinstance(state, klondike.State):
        return _klondike_move(state)
    return _joker_move(state) if isinstance(state, joker.State) else None


def _chessboard_move(state: chessboard.State) -> chessboard.Move | None:
    """Move up a card that is next on its foundation and not of the base rank; in fortress of any rank."""
    for source, column in enumerate(state.columns):
        if not column or state.base is None:
            continue
        card = column[-1]
        is_base = rank_of(card) == state.base and state.variant != "fortress"
        if not is_base and chessboard.next_rank(state, suit_of(card)) == rank_of(card):
            return chessboard.Move(source, chessboard.FOUNDATION)
    return None


def _klondike_move(state: klondike.State) -> klondike.Move | None:
    """Move up the top of a column that no card can need as a place, not even one from a foundation."""
    suits = state.deck.suits
    for source, column in enumerate(state.columns):
        if not column or state.foundations[suit_of(column[-1])] != rank_of(column[-1]):
            continue
        rank, colour = rank_of(column[-1]), colour_of(column[-1])
        lowest = min((state.foundations[suit] for suit in suits_of_colour(1 - colour, suits)), default=rank)
        twin = min(state.foundations[suit] for suit in suits_of_colour(colour, suits))
        is_bare = lowest >= rank and not state.choices.has_worrying_back
        if is_bare or (lowest >= rank - 1 and twin >= rank - 2):
            return klondike.Move(source, klondike.FOUNDATION)
    return None


def _joker_move(state: joker.State) -> joker.Move | None:
    """Move up a natural that no card can need as a place and that uncovers no card awaited by a joker."""
    for source, column in enumerate(state.columns):
        if column and _is_next(state, column[-1]) and not _is_needed(state, column[-1]):
            turns_up = len(face_up(state, source)) == 1 and state.hidden[source] > 0
            if not turns_up or all(_is_gone(state, colour) for colour in (0, 1)):
                return joker.Move(source, joker.FOUNDATION)
    top = state.waste[-1] if state.waste else None
    if top is None or not _is_next(state, top) or _is_needed(state, top):
        return None
    if state.choices.exchange == "turned":
        if state.jokers[colour_of(top)].rank == rank_of(top):
            return None
    elif not _is_gone(state, colour_of(top)) or not _uncovers_well(state):
        return None
    return joker.Move(joker.WASTE, joker.FOUNDATION)


def _uncovers_well(state: joker.State) -> bool:
    """True if the card beneath the top of the waste would not change places with its joker."""
    beneath = state.waste[-2:-1]
    return not beneath or is_joker(beneath[0]) or _is_gone(state, colour_of(beneath[0]))


def _is_next(state: joker.State, card: int) -> bool:
    return not is_joker(card) and state.foundations[suit_of(card)] == rank_of(card)


def _is_gone(state: joker.State, colour: int) -> bool:
    """True if the joker of that colour is out of play, or there is none."""
    return not state.deck.jokers or state.jokers[colour].is_out


def _is_needed(state: joker.State, card: int) -> bool:
    """True if another card may have to lie on ``card``; see ``is_needed`` of the search."""
    rank, colour = rank_of(card), colour_of(card)
    suits = state.deck.suits
    lowest = min((state.foundations[suit] for suit in suits_of_colour(1 - colour, suits)), default=rank)
    twins = [suit for suit in suits_of_colour(colour, suits) if suit != suit_of(card)]
    twin = min((state.foundations[suit] for suit in twins), default=rank)
    if _is_gone(state, 1 - colour) and rank == 1:
        return False
    if _is_gone(state, 0) and _is_gone(state, 1):
        return lowest < rank - 1 or (lowest < rank and twin < rank - 2)
    other = state.jokers[1 - colour]
    fitting = other.rank if other.place is None else rank_of(other.place)
    return lowest < rank or (state.choices.exchange == "turned" and fitting == rank - 1)
