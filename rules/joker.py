"""Joker Solitaire, which is played as Klondike in one pass, with two jokers.

Deck
    One deck of 52 cards, here called naturals, and two jokers. XB can be any black card, XR any red one.

Layout
    Seven columns of 1 2 3 4 5 6 7 cards, only the top card of each face up. The other 26 cards are the stock.
    The waste and the four foundations are empty.

Foundations
    Built up in suit from the ace to the king. Nothing comes back from a foundation, except a joker when the
    card that it stands for is turned up.

Columns
    A card goes on a card of the other colour that is one rank higher; only a king goes to an empty column.
    All or any upper part of the face-up cards of a column may move together.
    When a column has no face-up card left, its next card is turned up at once.

Jokers
    A joker that is turned up is undeclared and lies alone: nothing goes on it. It may be declared as any rank
    of its colour where it lies. Or it moves, from a column or the waste, onto a card of the other colour and
    is declared as the rank that fits there, on an empty column as a king. From then on it is a card of that
    rank, moves as one and is built upon.
    A joker on top of a column, undeclared or declared as the rank needed, may go up: as the next card of a
    foundation of its colour that has been started; or as an open ace, which is the ace of both suits of its
    colour until the first deuce put on it settles which. From the waste it never goes up directly.
    A natural is up when it lies face up in a column or when its foundation place is filled, by itself or a
    joker. A declared joker stands for the cards of its rank and colour that are not up, an open ace for the
    aces that are not up. A joker may take no rank or place unless it then stands for some card: with both
    red sevens up, XR cannot be a seven.
    When a card that a joker stands for is turned up, in a column or from the stock, the two change places at
    once. The card takes the joker's place, in the middle of a run too, or fills its foundation place. The
    joker is undeclared again where the card was. A card that lies in the waste already does not change
    places: it may be played although its joker stands for it. The joker keeps its rank or place then, and an
    open ace fills no place once the aces of both suits are on their foundations.
    An undeclared joker on top of a column or of the waste may be put out of play for good.

Choices
    A card changes places with its joker when it is turned up, and never after (exchange: turned, the usual
    reading). Players may agree that a card in the waste does so whenever it is the top of the waste, after
    cards turned up in the columns (exchange: exposed).
    Only an undeclared joker may be put out of play (removal: undeclared, the usual reading). Players may
    agree that a declared one on top of a column may be, too (removal: exposed).

Moves
    4D s-w    turn the next card of the stock, the 4 of diamonds, onto the waste; one pass, no redeal
    4D w-3    the top of the waste to column 3
    7S 2-5    the face-up cards of column 2 from the 7 of spades upwards to column 5
    4D w-f    the top of the waste to its foundation; 4D 2-f: the top of column 2
    XB 3=7    declare the joker in column 3 as a 7
    XB w-5    the joker to column 5, as the rank that fits there; XB 3-5: from column 3
    XR 3-4    with XR declared: XR and the cards on it, as any run
    XB 3-fS   the joker as the next spade; XB 3-f: as an open ace
    XB 3-x    put the joker out of play; XB w-x: from the waste
    Each of these is one move and none is compulsory. Cards turned up in columns and changes of place cost
    nothing.

End
    The player may stop at any time. The score is the number of foundation places filled. The score never
    falls. Below 15 the tier is none, from 15 win, from 25 double, and with every place filled triple.
    A joker on a foundation, an open ace too, counts one; the card that it stands for may lie in the waste.
"""

from collections.abc import Iterator
from dataclasses import replace

from .cards import (
    JOKERS,
    RANKS,
    SUITS,
    colour_of,
    format_card,
    is_joker,
    make_card,
    rank_of,
    suit_of,
    suits_of_colour,
)
from .choices import Implemented, not_implemented
from .hidden_cards import (
    FOUNDATION,
    IN_PLACE,
    OUT,
    STOCK,
    WASTE,
    face_up,
    foundation_top,
    foundations_of,
    with_height,
    without,
)
from .joker_board import (
    OPEN_ACE,
    OUT_OF_PLAY,
    UNDECLARED,
    USUAL,
    Choices,
    Joker,
    Move,
    State,
    choices_of,
    effective_rank,
    from_board,
    impossibility,
    is_up,
    marked_board,
    not_up,
    notes,
    piles,
    stands_for,
    start,
    to_board,
)
from .joker_move import (
    TURN,
    annotation,
    declared_rank,
    effects,
    exchanges,
    format_move,
    joker_rank,
    lifted,
    move_between,
    parse_move,
    rank_needed,
    sentence,
    takes_open_ace,
    with_card,
)
from .tiers import tier_of

# The contract, and what the tests and the solver take from here.
__all__ = ["FOUNDATION", "IN_PLACE", "LEGEND", "OPEN_ACE", "OUT", "OUT_OF_PLAY", "PROVED_FOR", "STOCK"]
__all__ += ["TURN", "UNDECLARED", "USUAL", "WASTE", "Choices", "Joker", "Move", "State"]
__all__ += ["annotation", "apply", "canonical", "declared_rank", "effective_rank", "effects", "exchanges"]
__all__ += ["format_move", "from_board"]
__all__ += ["is_won", "legal_moves", "lifted", "marked_board", "notes", "parse_move", "piles", "rank_needed"]
__all__ += ["refusal", "score", "sentence", "stands_for", "start", "tier_of", "to_board"]
__all__ += ["choices_of", "foundation_top", "foundations_of", "impossibility", "with_card"]
__all__ += ["joker_rank", "move_between", "safe_move", "takes_open_ace"]

LEGEND = "s stock, w waste, f foundation; 7S 2-5: 7S and the cards on it; (7S): turned up"
PROVED_FOR: Implemented = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
}
"""The game and the values of rule options for which safe moves (`safe_move`) are proved. See
`choices.Implemented`."""


def refusal(state: State, move: Move) -> str | None:
    """The reason why ``move`` is illegal in ``state``; None if it is legal."""
    cards = lifted(state, move)
    if not cards:
        return "the stock is empty" if move.source == STOCK else "there are fewer face-up cards"
    if move.source == STOCK or move.target == WASTE:
        return None if move == TURN else "only the next card of the stock goes to the waste"
    if move.rank is not None and move.target != IN_PLACE:
        return "a rank is named only to declare a joker in place"
    if move.suit is not None and (move.target != FOUNDATION or not is_joker(cards[0])):
        return "a suit is named only for a joker that goes up"
    if move.target == FOUNDATION:
        return _refusal_up(state, move, cards)
    if move.target in (IN_PLACE, OUT):
        return _refusal_alone(state, move, cards)
    return _refusal_onto(state, move, cards)


def _refusal_up(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    """Return the reason why a move to the foundations is illegal, None if it is legal: naturals go up in
    suit, deuces onto an open ace, jokers as the next card of a suit or as an open ace."""
    card, name = cards[0], format_card(cards[0])
    if len(cards) > 1:
        return "one card at a time goes to the foundations"
    if not is_joker(card):
        is_next = rank_of(card) == state.foundations[suit_of(card)] or _settles_open_ace(state, card)
        return None if is_next else f"{name} is not next on its foundation"
    if move.source == WASTE:
        return f"{name} does not go from the waste to a foundation"
    if move.suit is not None and move.suit not in suits_of_colour(colour_of(card), state.deck.suits):
        return f"{name} cannot be of that suit"
    rank = 0 if move.suit is None else state.foundations[move.suit]
    if effective_rank(state, card) not in (None, rank):
        return f"{name} is declared as another rank"
    if move.suit is None:
        return _bar(state, card, 0)
    if rank in (0, state.deck.ranks):
        return f"{name} does not go on a foundation that is empty or complete"
    natural = make_card(rank, move.suit)
    return f"{name} cannot be {format_card(natural)}, which is face up" if is_up(state, natural) else None


def _refusal_alone(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    """Return the reason why a declaration in place or a move out of play is illegal, None if it is legal:
    only an undeclared joker is declared, and it, or by a rule option a declared one, goes out of play."""
    may_be_declared = move.target == OUT and state.choices.removal == "exposed" and is_joker(cards[0])
    if len(cards) > 1 or not (may_be_declared or effective_rank(state, cards[0]) is None):
        return f"{format_card(cards[0])} is not {'a' if may_be_declared else 'an undeclared'} joker on top"
    if move.target == OUT:
        return None
    if move.source == WASTE or move.rank is None:
        return "a joker is declared in a column, with a rank"
    return _bar(state, cards[0], move.rank)


def _refusal_onto(state: State, move: Move, cards: tuple[int, ...]) -> str | None:
    """Return the reason why a move to a column is illegal, None if it is legal: a run goes on the other
    colour and the next rank, and an undeclared joker takes the rank needed."""
    if not 0 <= move.target < len(state.columns):
        return f"there is no column {move.target + 1}"
    name, target = format_card(cards[0]), state.columns[move.target]
    if move.target == move.source:
        return f"{name} lies on column {move.target + 1} already"
    needed, rank = rank_needed(state, move.target), effective_rank(state, cards[0])
    if needed is not None and not (target and colour_of(target[-1]) == colour_of(cards[0])):
        if rank is None and len(cards) == 1:
            return _bar(state, cards[0], needed)
        if rank == needed:
            return None
    if target and is_joker(target[-1]) and effective_rank(state, target[-1]) is None:
        return f"nothing goes on {format_card(target[-1])} until it is declared"
    return f"{name} does not go " + (f"on {format_card(target[-1])}" if target else "to an empty column")


def _bar(state: State, joker: int, rank: int) -> str | None:
    """Return the reason why ``joker`` cannot be declared as ``rank``, None if it can: some such natural must
    be left that it would stand for."""
    if not_up(state, colour_of(joker), rank):
        return None
    name = RANKS[rank] if 0 <= rank < state.deck.ranks else "rank that the deck has not"
    return f"{format_card(joker)} cannot be a {name}: no such card of its colour is left to stand for"


def _settles_open_ace(state: State, card: int) -> bool:
    """Return whether ``card`` is a deuce that may go on the open ace of its colour."""
    colour, ace = colour_of(card), make_card(0, suit_of(card))
    return rank_of(card) == 1 and state.jokers[colour].is_open_ace and ace in stands_for(state, colour)


def legal_moves(state: State) -> list[Move]:
    """All legal moves: up, from column to column and from the waste, declarations, removals, the turn."""
    return [with_card(state, move) for move in _candidates(state) if refusal(state, move) is None]


def _candidates(state: State) -> Iterator[Move]:
    """Return a superset of the legal moves."""
    columns = range(len(state.columns))
    tops = [(column, state.columns[column][-1]) for column in columns if state.columns[column]]
    tops += [(WASTE, card) for card in state.waste[-1:]]
    jokers = [source for source, card in tops if is_joker(card)]
    yield from (Move(source, FOUNDATION) for source, _ in tops)
    yield from (Move(source, FOUNDATION, suit=suit) for source in jokers for suit in range(len(SUITS)))
    needed = [rank_needed(state, target) for target in columns]
    for source, card in tops:
        cards = (card,) if source == WASTE else face_up(state, source)
        for n in range(len(cards), 0, -1):
            rank = effective_rank(state, cards[-n])
            fitting = columns if rank is None else [target for target in columns if needed[target] == rank]
            yield from (Move(source, target, n) for target in fitting)
    yield from (Move(source, IN_PLACE, rank=rank) for source in jokers for rank in range(state.deck.ranks))
    yield from (Move(source, OUT) for source in jokers)
    yield TURN


def apply(state: State, move: Move) -> State:
    """The state after ``move`` and what follows from it. Raises ValueError if it is illegal."""
    problem = refusal(state, move)
    if problem is not None:
        raise ValueError(problem)
    after = _turned_up(_moved(state, move, lifted(state, move)))
    if move == TURN or state.choices.exchange == "exposed":
        for top in after.waste[-1:]:
            if top in stands_for(after, colour_of(top)):
                return _exchanged(after, top)  # the top of the waste changes places with its joker
    return after


def _moved(state: State, move: Move, cards: tuple[int, ...]) -> State:
    if move.target == IN_PLACE:
        return _with_joker(state, cards[0], Joker(rank=move.rank))
    if move == TURN:
        return replace(state, stock=state.stock[1:], waste=state.waste + cards)
    left = without(state, move.source, move.count)
    if move.target == OUT:
        return _with_joker(left, cards[0], OUT_OF_PLAY)
    if move.target == FOUNDATION:
        return _put_up(left, cards[0], move.suit)
    if effective_rank(state, cards[0]) is None:
        left = _with_joker(left, cards[0], Joker(rank=rank_needed(state, move.target)))
    columns = list(left.columns)
    columns[move.target] += cards
    return replace(left, columns=tuple(columns))


def _with_joker(state: State, card: int, condition: Joker) -> State:
    xb, xr = state.jokers
    return replace(state, jokers=(xb, condition) if colour_of(card) else (condition, xr))


def _put_up(state: State, card: int, suit: int | None) -> State:
    if not is_joker(card):
        if _settles_open_ace(state, card):
            state = _put_up(state, JOKERS[colour_of(card)], suit_of(card))
        return with_height(state, suit_of(card), 1)
    if suit is None:
        return _with_joker(state, card, OPEN_ACE)
    placed = Joker(place=make_card(state.foundations[suit], suit))
    return with_height(_with_joker(state, card, placed), suit, 1)


def _turned_up(state: State) -> State:
    """Return ``state`` after each column without a face-up card has turned up its next card, which changes
    places with a joker that stands for it."""
    for column, (cards, hidden) in enumerate(zip(state.columns, state.hidden, strict=True)):
        if cards and hidden == len(cards):
            standing = stands_for(state, colour_of(cards[-1]))  # before the card turned up counts as up
            counts = (*state.hidden[:column], hidden - 1, *state.hidden[column + 1 :])
            state = replace(state, hidden=counts)
            if cards[-1] in standing:
                state = _exchanged(state, cards[-1])
    return state


def _exchanged(state: State, natural: int) -> State:
    """Return ``state`` after ``natural`` and the joker that stands for it changed places; the joker becomes
    undeclared. If the joker is an open ace, the height of the foundation of ``natural`` becomes 1; otherwise
    no height changes."""
    colour = colour_of(natural)
    if state.jokers[colour].is_open_ace:
        state = with_height(state, suit_of(natural), 1)
    other = {natural: JOKERS[colour], JOKERS[colour]: natural}
    columns = tuple(tuple(other.get(card, card) for card in column) for column in state.columns)
    waste = tuple(other.get(card, card) for card in state.waste)
    return _with_joker(replace(state, columns=columns, waste=waste), JOKERS[colour], UNDECLARED)


def score(state: State) -> int:
    """Return the number of foundation places filled. An open ace fills one while some foundation of its
    colour is empty."""
    return sum(state.foundations) + sum(
        any(state.foundations[suit] == 0 for suit in suits_of_colour(colour, state.deck.suits))
        for colour, joker in enumerate(state.jokers)
        if joker.is_open_ace
    )


def is_won(state: State) -> bool:
    """Return whether every foundation place is filled."""
    return score(state) == state.deck.places


def canonical(state: State) -> tuple[object, ...]:
    """Return a key that is equal for two states of one game exactly if they differ at most in the order of
    the columns."""
    columns = tuple(sorted(zip(state.columns, state.hidden, strict=True)))
    return (columns, state.stock, state.waste, state.foundations, state.jokers, state.choices)


def safe_move(state: State) -> Move | None:
    """Return a safe foundation move, or None: of a natural that no card can need as a place and that uncovers
    no card awaited by a joker (Theorems J6 and J8 of docs/theory/joker.md)."""
    if not_implemented(PROVED_FOR, state.variant, state.choices):
        return None
    for source, column in enumerate(state.columns):
        if column and _is_next(state, column[-1]) and not _is_needed(state, column[-1]):
            turns_up = len(face_up(state, source)) == 1 and state.hidden[source] > 0
            if not turns_up or all(_is_gone(state, colour) for colour in (0, 1)):
                return Move(source, FOUNDATION)
    top = state.waste[-1] if state.waste else None
    if top is None or not _is_next(state, top) or _is_needed(state, top):
        return None
    if state.choices.exchange == "turned":
        if state.jokers[colour_of(top)].rank == rank_of(top):
            return None
    elif not _is_gone(state, colour_of(top)) or not _uncovers_well(state):
        return None
    return Move(WASTE, FOUNDATION)


def _uncovers_well(state: State) -> bool:
    """Return whether the card beneath the top of the waste would not change places with its joker."""
    beneath = state.waste[-2:-1]
    return not beneath or is_joker(beneath[0]) or _is_gone(state, colour_of(beneath[0]))


def _is_next(state: State, card: int) -> bool:
    return not is_joker(card) and state.foundations[suit_of(card)] == rank_of(card)


def _is_gone(state: State, colour: int) -> bool:
    """Return whether the joker of that colour is out of play."""
    return state.jokers[colour].is_out


def _is_needed(state: State, card: int) -> bool:
    """Return whether another card may have to lie on ``card``; see ``is_needed`` of the search."""
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
