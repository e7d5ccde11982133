"""Dead ends of Klondike with redeals by delete relaxation: theorem K5 of docs/theory/klondike.md."""

from .klondike_classes import Deal, Position, each, some


def is_dead_end(deal: Deal, position: Position) -> bool:
    """Test if some card does not go up in the delete relaxation, in which what was once possible stays
    possible. Its sets only grow: cards ``up``; cards ``face_up`` in columns; types with a ``bare`` card;
    cards of the stock that are ``opened``, and those of them that were ``played``. Columns turn up their
    cards one by one."""
    view = deal.view(position)
    up, left, places, waste = position
    face_up, bare, empty, played = view.face_up, view.bare_cards(), view.empty > 0, 0
    if waste is None:
        opened = deal.relaxed(places).opened
    else:
        opened = sum(card for card, _ in deal.plays(places, waste))
    dealt = [cards[:count] for cards, count in zip(deal.columns, left, strict=True) if count]
    while True:
        before = up, face_up, bare, opened, empty
        while rising := deal.foundations(up).due & (opened | face_up & bare):
            up |= rising
            bare |= 3 * some(rising & face_up & ~deal.kings) << 4
            empty = empty or rising & face_up & deal.kings > 0
        fits = bare >> 4 | (deal.kings if empty else 0)
        goes = fits | up
        for cards in dealt:
            while cards and cards[-1] & goes:
                del cards[-1]
                if not cards:
                    empty = True
                else:
                    face_up |= cards[-1]
                    bare |= 3 * some(cards[-1])
        fresh = opened & goes & ~played
        if fresh:
            played |= fresh
            opened |= _opened_by(deal, places, fresh)
        bare |= 3 * some((opened | (up if deal.comes_back else 0)) & fits)
        if (up, face_up, bare, opened, empty) == before:
            return up != deal.deck


def _opened_by(deal: Deal, places: int, cards: int) -> int:
    """Return the cards of the stock that plays of ``cards`` may open: the last one before each, and all after
    it. ``places`` are those not played."""
    opened = 0
    for card in each(cards):
        place = deal.place_of[card]
        before = places & (place - 1)
        opened |= 1 << before.bit_length() - 1 if before else 0
        opened |= places & -(place << 1)
    return deal.cards_at(opened)
