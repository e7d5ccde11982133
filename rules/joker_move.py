"""Moves of Joker: their notation and their sentences; the rules are in `joker`."""

import re
from dataclasses import replace

from .board import SUIT_NAMES, cards_text, column_text
from .cards import (
    JOKERS,
    RANKS,
    SUITS,
    colour_of,
    format_card,
    is_joker,
    parse_card,
    parse_rank,
    parse_suit,
    shown,
    suits_of_colour,
)
from .hidden_cards import (
    FOUNDATION,
    IN_PLACE,
    OUT,
    STOCK,
    WASTE,
    count_from,
    parse_place,
    source_text,
    taken_up,
    turned_cards,
    turned_up_text,
)
from .joker_board import UNDECLARED, Move, State, effective_rank

TURN = Move(STOCK, WASTE)


def rank_needed(state: State, target: int) -> int | None:
    """Return the rank that goes on column ``target``: the highest of the deck if it is empty, None if no card
    goes on its top."""
    if not state.columns[target]:
        return state.deck.ranks - 1
    rank = effective_rank(state, state.columns[target][-1])
    return rank - 1 if rank else None


def lifted(state: State, move: Move) -> tuple[int, ...]:
    """Return the cards that ``move`` moves, deepest first, empty if they do not lie there face up."""
    if move.source == STOCK:
        return state.stock[:1]
    return taken_up(state, move.source, move.count)


def format_move(state: State, move: Move) -> str:
    """``move`` as ``7S 2-5``, ``4D s-w``, ``XB 3-fS`` or ``XB 3=7``; it must be legal in ``state``."""
    return str(with_card(state, move))


def with_card(state: State, move: Move) -> Move:
    """``move``, which must be legal in ``state``, with the deepest card that it moves."""
    card = lifted(state, move)[0]
    return Move(move.source, move.target, move.count, move.suit, move.rank, card=card)


def parse_move(state: State, text: str) -> Move:
    """Return the move that ``text`` names in ``state``, legal or not. Raises ValueError if the text cannot be
    read, or names a card that cannot be moved from the place it names."""
    number = "[1-9][0-9]?"
    match = re.fullmatch(rf"(\w+) ([sw]|{number})(?:-([wx]|f([CDHS]?)|{number})|=(\w+))", text)
    if match is None:
        raise ValueError(
            f"cannot read the move {shown(text)}; write it like '7S 2-5', '4D s-w', 'XB 3-fS' or 'XB 3=7'"
        )
    name, place, target, suit, rank = match.groups()
    card, source = parse_card(name), parse_place(place)
    return Move(
        source,
        IN_PLACE if target is None else parse_place(target),
        count_from(state, source, card, lifted(state, Move(source, 0))),
        suit=parse_suit(suit) if suit else None,
        rank=None if rank is None else parse_rank(rank),
        card=card,
    )


def move_between(state: State, source: str, target: str, count: int) -> Move:
    """Return the move, legal or not, of ``count`` cards from one place to another; see `family`. Raises
    ValueError if there is no such kind of move."""
    if source[0] in "fx":
        raise ValueError("nothing comes back from there")
    if target == "s":
        raise ValueError("nothing goes back to the stock")
    move = Move(parse_place(source), parse_place(target), count)
    cards = lifted(state, move)
    if not cards or move.source == STOCK:
        return move
    if target == "x" and not is_joker(cards[0]):
        raise ValueError("only a joker goes there")
    if target[0] == "f" and is_joker(cards[0]) and not takes_open_ace(state, cards[0], parse_suit(target[1])):
        return replace(move, suit=parse_suit(target[1]))
    return move


def takes_open_ace(state: State, joker: int, suit: int) -> bool:
    """Return whether the foundation of ``suit`` is an empty one of the colour of ``joker``."""
    return not state.foundations[suit] and suit in suits_of_colour(colour_of(joker), state.deck.suits)


def sentence(state: State, move: Move) -> str:
    """A legal move in words: ``XB from the waste to column 3 as 7``."""
    cards = lifted(state, move)
    name = cards_text(cards)
    source = source_text(move.source)
    if move == TURN:
        return f"{name} turned from the stock"
    if move.rank is not None:
        return f"{name} in {source} declared as {RANKS[move.rank]}"
    if move.target == OUT:
        return f"{name} from {source} out of play"
    if move.target == FOUNDATION:
        return f"{name} from {source} to {_foundation(state, move, cards[0])}"
    target = column_text(state, move.target)
    if effective_rank(state, cards[0]) is None:
        return f"{name} from {source} to {target} as {RANKS[rank_needed(state, move.target) or 0]}"
    return f"{name} from {source} to {target}"


def _foundation(state: State, move: Move, card: int) -> str:
    if not is_joker(card):
        return "its foundation"
    if move.suit is None:
        return "the foundations as an open ace"
    return f"the foundation of {SUIT_NAMES[SUITS[move.suit]]} as {RANKS[state.foundations[move.suit]]}"


def effects(before: State, move: Move, after: State) -> list[str]:
    """The cards that a legal move turned up, and those that changed places with a joker, in words."""
    pairs = exchanges(before, move, after)
    return turned_up_text(before, after) + [f"{card} and {joker} change places" for card, joker in pairs]


def exchanges(before: State, move: Move, after: State) -> list[list[str]]:
    """The natural and the joker of each exchange that follows a legal move."""
    pairs = [(_exchanged_with(before, move, after, card), card) for card in JOKERS]
    return [[format_card(natural), format_card(card)] for natural, card in pairs if natural is not None]


def declared_rank(state: State, move: Move) -> str | None:
    """The rank that a joker is declared as by a legal move, to a column or in place; None if the move
    declares none."""
    if move.rank is not None:
        return RANKS[move.rank]
    if move.source == STOCK or move.target < 0 or effective_rank(state, lifted(state, move)[0]) is not None:
        return None
    return RANKS[rank_needed(state, move.target) or 0]


def joker_rank(state: State, move: Move) -> str | None:
    """The rank of the joker that a legal move takes up first, once it is made; None if it takes up none, or
    leaves it without a rank."""
    if move.source == STOCK or move.target == OUT or not is_joker(card := lifted(state, move)[0]):
        return None
    if move.target == FOUNDATION:
        return RANKS[0 if move.suit is None else state.foundations[move.suit]]
    if declared := declared_rank(state, move):
        return declared
    rank = effective_rank(state, card)
    return None if rank is None else RANKS[rank]


def annotation(before: State, move: Move, after: State) -> str:
    """Return the effects of a legal move in brackets: ``(=6)`` for the rank that a joker took, ``(7D)`` for a
    card turned up in a column, ``(7D for XR)`` for an exchange. Empty if the move has no effects."""
    notes = []
    if move.rank is None and (rank := declared_rank(before, move)):
        notes.append(f"={rank}")
    exchanged = {
        natural: card
        for card in JOKERS
        if (natural := _exchanged_with(before, move, after, card)) is not None
    }
    notes += [format_card(card) for card in turned_cards(before, after) if card not in exchanged]
    notes += [f"{format_card(natural)} for {format_card(card)}" for natural, card in exchanged.items()]
    return f"({', '.join(notes)})" if notes else ""


def _exchanged_with(before: State, move: Move, after: State, card: int) -> int | None:
    """Return the natural that the joker ``card`` changed places with, None if it did not. A joker that was
    declared, or is by this move, is undeclared after it only if it was exchanged. It then lies where the
    natural was, at the end of a column or of the waste."""
    condition = JOKERS.index(card)
    was_declared = before.jokers[condition] != UNDECLARED
    is_declared = move != TURN and card in lifted(before, move)
    if after.jokers[condition] != UNDECLARED or not (was_declared or is_declared):
        return None
    waste = before.waste + before.stock[:1]
    piles = [*zip(after.columns, before.columns, strict=True), (after.waste, waste)]
    return next(old[new.index(card)] for new, old in piles if card in new)
