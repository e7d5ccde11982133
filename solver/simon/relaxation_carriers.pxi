"""Relaxation R2: an abstraction that refines R0 by the places where loose cards may lie.

It is searched if R0 of `relaxation_loose` can be won or is not exhausted. R0 assumes that a loose card can
move away as soon as it comes off itself. But a card that cannot come off stays where it is, and so does the
card that it lies on. R2 keeps for each loose card d a set A(d) of *places* where d may lie: a place is all
loose cards of one rank and suit, or all last cards of stems of one rank and suit. Moves narrow these sets;
a bipartite matching of cards with places by augmenting paths removes places and states that are impossible.
*Coming off*, *stuck* and *fixed* cards, the canonical form and the moves X, G, Y, F and C are defined with
Theorem S19 of docs/theory/simon.md.

Why it pays: R2 takes 1-9 % of processor time, but no other search proves Simple Simon 18951, 52077, 65326 and
89896, or Simon Jester 26680, within 6,000,000 states (docs/theory/simon.md, "Stages of the portfolio").

Soundness: a deal that can be won can be won in R2 (Theorem S19). Only one state is kept for each set of
stems, the join of all such states (Theorem S20); hence the invariant that a join that grew is expanded
again. Memory: 136 bytes for each set of stems and 8 for its hash slots, up to ``max_bytes``.
"""

# --- States and moves of the relaxation ---------------------------------------------------------------------

cdef enum:
    LOOSE_RANKS = MAX_RANKS - 1     # ranks of loose cards: all but the king's
    MOST_STEMS = 16                 # stems in a node: MAX_COLUMNS, rounded up to whole words

# A set of places of one rank, 8 bits: |7 last cards of stems, by suit 4|3 loose cards, by suit 0|
ctypedef uint8_t Places

# The places where the loose cards of one rank may lie, 64 bits: two Places for each suit, one for each of its
# two cards. If there is one card, it has the lower byte, and the other byte is 0.
ctypedef uint64_t Carriage

cdef struct Carried:            # a state
    int count                       # number of stems
    uint16_t number[MAX_COLUMNS]    # their numbers in Loose.part; ascending in canonical form
    Carriage on[LOOSE_RANKS]        # A in the theory, by rank of the loose cards

cdef struct View:               # figures derived from a state in canonical form
    Counts open                 # number of exposed cards of each rank
    Counts loose[SUITS]         # number of loose cards
    uint32_t tops[MAX_RANKS]    # number of tops of each place, four bits each
    Places off[MAX_RANKS]       # the places that come off
    uint8_t stuck[LOOSE_RANKS]  # suits of the loose cards that do not come off, a bit each

ctypedef bint (*CarriedConsumer)(void* context, const Carried* child) noexcept nogil

cdef struct Carriers:
    Loose* loose                # holds the parts of columns
    Carried start
    uint64_t produced           # successors generated, in all calls


cdef inline int carriers_of(Carriage on, int suit) noexcept nogil:
    """Return the carriers of the two cards of ``suit`` in ``on``: one Places each, the first card's in the
    low byte."""
    return on >> 16 * suit & 0xFFFF

# --- Search -------------------------------------------------------------------------------------------------

cdef struct CarrierNode:        # a record of `joins`: a join of states, 136 bytes
    uint16_t number[MOST_STEMS]     # the key: the numbers of the stems, then zeros
    Carriage on[LOOSE_RANKS]
    uint8_t count, is_waiting
    uint32_t waiting            # next node of the open list, or NO_NODE

cdef struct CarrierSearch:
    Carriers carriers
    Explored joins              # CarrierNodes, one for each set of stems
    uint32_t waiting            # first node of the open list, which is expanded next, or NO_NODE
    bint won
    bint full                   # out of memory


# --- Matchings of loose cards -------------------------------------------------------------------------------

# Bipartite matching of the loose cards of a rank with the tops of the next rank, by augmenting paths. Each
# card has a byte, the set of places where it may lie; a place takes as many cards as it has tops. A card may
# lie at another place in another matching if that place has a free top, or if cards can move on from there,
# each to a place of its set, until one reaches a free top or the place that the first card left.

cdef enum:
    CARDS = 8                   # two of each suit
    PLACES = 8                  # loose cards and last cards of stems, of each suit

cdef struct Matching:
    uint8_t wanted[CARDS]       # the set of places where a card may lie; 0 if there is no such card
    uint8_t at[CARDS]           # the place of the card in the matching found
    uint8_t used[PLACES]        # number of cards at a place
    uint32_t tops               # number of tops of the places, four bits each
    uint64_t on                 # for each card the set of its places in all matchings, a byte each
    int bare                    # set of places that have a top without a card in some matching


cdef inline bint match(Matching* matching, uint64_t on, uint32_t tops) noexcept nogil:
    """Find the union of all matchings: set ``matching.on`` and ``matching.bare``.

    ``on`` has a byte for each card, the set of places where it may lie, and ``tops`` four bits for each
    place, the number of its tops. Returns False if there is no matching.
    """
    cdef uint8_t[PLACES] reach
    cdef int card, place, with_room = 0
    cdef uint64_t left
    if not find_matching(matching, on, tops):
        return False
    for place in range(PLACES):
        if matching.used[place] < (tops >> 4 * place & 15):
            with_room |= 1 << place
    find_reach(matching, reach)
    matching.bare = 0
    for place in range(PLACES):
        if reach[place] & with_room:
            matching.bare |= 1 << place
    matching.on = 0
    for card in range(CARDS):
        left = matching.wanted[card]
        while left:
            place = take_bit(&left)
            if reach[place] & (with_room | 1 << matching.at[card]):
                matching.on |= <uint64_t>1 << (8 * card + place)
    return True


cdef inline bint find_matching(Matching* matching, uint64_t on, uint32_t tops) noexcept nogil:
    """Find one matching: set ``matching.at`` and ``matching.used``. The arguments are those of `match`.
    Returns False if there is no matching."""
    cdef int card, seen
    matching.tops = tops
    memset(matching.used, 0, sizeof(matching.used))
    for card in range(CARDS):
        matching.wanted[card] = on >> 8 * card & 0xFF
        matching.at[card] = PLACES
    for card in range(CARDS):
        seen = 0
        if matching.wanted[card] and not place_card(matching, card, &seen):
            return False
    return True


cdef inline bint place_card(Matching* matching, int card, int* seen) noexcept nogil:
    """Place ``card`` by an augmenting path through places that are not in the set ``seen``. Returns False if
    there is no such path."""
    cdef int place, other, left = matching.wanted[card] & ~seen[0]
    while left:
        place = lowest_bit(left)
        seen[0] |= 1 << place
        if matching.used[place] < (matching.tops >> 4 * place & 15):
            matching.used[place] += 1
            matching.at[card] = place
            return True
        for other in range(CARDS):
            if matching.at[other] == place and place_card(matching, other, seen):
                matching.at[card] = place
                return True
        left &= ~seen[0]
    return False


cdef inline void find_reach(const Matching* matching, uint8_t* reach) noexcept nogil:
    """Set ``reach`` to the set of places that cards can move to from each place, directly or by steps, that
    place included."""
    cdef int card, place, other
    for place in range(PLACES):
        reach[place] = 1 << place
    for card in range(CARDS):
        if matching.wanted[card]:
            reach[matching.at[card]] |= matching.wanted[card]
    for other in range(PLACES):
        for place in range(PLACES):
            if reach[place] >> other & 1:
                reach[place] |= reach[other]


# --- Places -------------------------------------------------------------------------------------------------

cdef extern from *:
    """
    static const uint64_t EACH_CARD = 0x0101010101010101;
    """
    const uint64_t EACH_CARD    # multiplied by a set of places: that set for each card

cdef enum:
    ALL_PLACES = 0xFF
    BOTH_PLACES = 0x11          # shifted left by a suit: both places of that suit


cdef inline Places loose_place(int suit) noexcept nogil:
    """The place of the loose cards of ``suit``."""
    return 1 << suit

cdef inline Places stem_place(int suit) noexcept nogil:
    """The place of the last cards of stems of ``suit``."""
    return 16 << suit

cdef inline int top_count(const View* view, int rank, Places place) noexcept nogil:
    """The number of tops of ``place``, of ``rank``."""
    return view.tops[rank] >> 4 * lowest_bit(place) & 15

cdef inline int places_of(uint32_t tops) noexcept nogil:
    """The set of places that have tops. ``tops`` has four bits for each place, the number of its tops, which
    must be at most seven."""
    cdef uint32_t any = (tops | tops >> 1 | tops >> 2) & 0x11111111
    any = (any | any >> 3) & 0x03030303
    any = (any | any >> 6) & 0x000F000F
    return (any | any >> 12) & ALL_PLACES

cdef inline void lay(Carried* state, int rank, int suit, Places places) noexcept nogil:
    """Add a loose card of ``rank`` and ``suit``, which may lie at ``places`` of the next rank."""
    state.on[rank] |= <uint64_t>places << (16 * suit + (8 if carriers_of(state.on[rank], suit) else 0))

cdef inline void set_carriers_of(Carried* state, int rank, int suit, int places) noexcept nogil:
    state.on[rank] = state.on[rank] & ~(<uint64_t>0xFFFF << 16 * suit) | <uint64_t>places << 16 * suit

cdef inline void let_loose(Carried* state, int rank, int suit) noexcept nogil:
    """Update A after a last card of a stem of ``rank`` and ``suit`` became loose: cards that may lie on such
    last cards may lie on such loose cards, too."""
    if rank > 0:
        state.on[rank - 1] |= (state.on[rank - 1] & stem_place(suit) * EACH_CARD) >> SUITS

cdef inline void put_into_stem(Carried* state, int rank, int suit) noexcept nogil:
    """Update A after a loose card of ``rank`` and ``suit`` became the last card of a stem: cards that may lie
    on such loose cards may lie on such last cards, too."""
    if rank > 0:
        state.on[rank - 1] |= (state.on[rank - 1] & loose_place(suit) * EACH_CARD) << SUITS


# --- The start ----------------------------------------------------------------------------------------------

cdef inline bint set_carriers(Carriers* carriers, Loose* loose, const Layout* layout,
                              const Class* state) noexcept nogil:
    """Set ``carriers.start`` to the state of ``state``, a class that can be reached from ``layout``.

    A(d) is every place, except that each card of a segment lies on the next one. No card may be there more
    than twice. Returns False if the state covers no position.
    """
    cdef Carried* start = &carriers.start
    cdef View view
    cdef int i, rank, suit, head, missing, _
    set_start(loose, layout, state)
    carriers.loose = loose
    start.count = loose.start.count
    memset(start.on, 0, sizeof(start.on))
    for i in range(start.count):
        start.number[i] = loose.start.number[i]
    for i in range(state.segments):
        suit = suit_of(state.segment[i])
        head = head_of(state.segment[i])
        for rank in range(end_of(state.segment[i]), head):
            lay(start, rank, suit, loose_place(suit))
        lay(start, head, suit, ALL_PLACES)
    count_tops(loose, start, &view)
    for rank in range(loose.ranks - 1):
        for suit in range(SUITS):
            missing = count_at(view.loose[suit], rank) - cards_in(carriers_of(start.on[rank], suit))
            for _ in range(missing):
                lay(start, rank, suit, ALL_PLACES)
    return narrow_state(carriers, start, &view)


cdef inline int cards_in(int places) noexcept nogil:
    """The number of cards of a suit, from its two Places."""
    return ((places & 0xFF) != 0) + ((places >> 8) != 0)


# --- Canonical form -----------------------------------------------------------------------------------------

cdef inline bint narrow_state(const Carriers* carriers, Carried* state, View* view) noexcept nogil:
    """Bring a state into canonical form, and fill in ``view``: remove complete stems, peel the others, narrow
    A. Returns False if the state covers no position."""
    cdef const Loose* loose = carriers.loose
    cdef Counts open = loose.open
    cdef int i = 0
    while i < state.count:
        if is_complete(loose, &loose.part[state.number[i]]):
            uncover(loose, state.number, &state.count, i)
        else:
            i += 1
    for i in range(state.count):
        open += loose.part[state.number[i]].open
    open = occurring(open)
    for i in range(state.count):
        insert(state.number, i, <uint16_t>peel_off(loose, state, state.number[i], open))
    return see(carriers, state, view)


cdef inline int peel_off(const Loose* loose, Carried* state, int number, Counts links) noexcept nogil:
    """The number of the stem ``number`` after peeling at the links of the open ranks ``links``. The cards
    peeled off become loose cards of ``state``, each on the card it lay on."""
    cdef const Part* part = &loose.part[number]
    cdef int cards = cards_to_peel(part, links), rank, end, suit
    while cards > 0:
        end = part.end
        suit = part.suit
        number = without_cards(number, cards)
        part = &loose.part[number]
        for rank in range(end, end + cards - 1):
            lay(state, rank, suit, loose_place(suit))
        lay(state, end + cards - 1, suit, stem_place(part.suit))
        let_loose(state, end, suit)
        cards = cards_to_peel(part, links)
    return number


cdef inline void count_tops(const Loose* loose, const Carried* state, View* view) noexcept nogil:
    """Set the numbers of open cards, loose cards and tops in ``view``."""
    cdef const Part* part
    cdef int i, suit, rank
    view.open = loose.open
    memset(view.tops, 0, sizeof(view.tops))
    for suit in range(SUITS):
        view.loose[suit] = loose.loose[suit]
    for i in range(state.count):
        part = &loose.part[state.number[i]]
        view.open += part.open
        view.tops[part.end] += <uint32_t>1 << 4 * (SUITS + part.suit)
        for suit in range(SUITS):
            view.loose[suit] += part.loose[suit]
    for rank in range(loose.ranks - 1):
        for suit in range(SUITS):
            view.tops[rank] += <uint32_t>count_at(view.loose[suit], rank) << 4 * suit


cdef inline bint see(const Carriers* carriers, Carried* state, View* view) noexcept nogil:
    """Find the places that come off, and reduce or extend the carriers to their canonical form. Returns False
    if the state covers no position."""
    cdef int rank
    count_tops(carriers.loose, state, view)
    view.off[0] = places_of(view.tops[0])
    for rank in range(1, carriers.loose.ranks):
        if not see_rank(state, view, rank):
            return False
    return True


cdef inline bint see_rank(Carried* state, View* view, int rank) noexcept nogil:
    """Find the places of ``rank`` that come off, and where the loose cards of the next lower rank may lie.
    Returns False if these have no matching."""
    cdef int below = 0, places = places_of(view.tops[rank]), suit, cards, off = view.off[rank - 1], fixed
    cdef uint64_t on = 0, all_on = 0
    cdef Matching matching
    for suit in range(SUITS):
        below |= (count_at(view.loose[suit], rank - 1) != 0) << suit
    fixed = below & ~off if count_at(view.open, rank) else below
    view.stuck[rank - 1] = below & ~off
    view.off[rank] = places
    for suit in range(SUITS):
        cards = count_at(view.loose[suit], rank - 1)
        if fixed >> suit & 1:
            on |= state.on[rank - 1] & <uint64_t>0xFFFF << 16 * suit
        elif cards:
            all_on |= <uint64_t>(places if cards == 1 else 0x101 * places) << 16 * suit
    on &= places * EACH_CARD
    if fixed:
        if not fits(on, view, rank - 1, fixed) or not match(&matching, on, view.tops[rank]):
            return False
        on = matching.on
        view.off[rank] = places & matching.bare
        for suit in range(SUITS):
            if fixed & off & 1 << suit:
                cards = carriers_of(on, suit)
                view.off[rank] |= (cards | cards >> 8) & BOTH_PLACES << suit
    state.on[rank - 1] = on | all_on
    return True


cdef inline bint fits(uint64_t on, const View* view, int rank, int suits) noexcept nogil:
    """Test if all loose cards of ``rank``, of the suits in the set ``suits``, have a place left in ``on``."""
    cdef int suit
    for suit in range(SUITS):
        if suits >> suit & 1 and cards_in(carriers_of(on, suit)) != count_at(view.loose[suit], rank):
            return False
    return True


# --- The moves ----------------------------------------------------------------------------------------------

cdef struct Expansion:      # the state being expanded
    Carriers* carriers
    const Carried* parent
    View view
    CarriedConsumer consumer
    void* context


cdef inline void open_expansion(Expansion* expansion, Carriers* carriers, const Carried* parent,
                                CarriedConsumer consumer, void* context) noexcept nogil:
    cdef Carried copy = parent[0]
    expansion.carriers = carriers
    expansion.parent = parent
    expansion.consumer = consumer
    expansion.context = context
    see(carriers, &copy, &expansion.view)


cdef inline bint generate_carried(Carriers* carriers, const Carried* parent, CarriedConsumer consumer,
                                  void* context) noexcept nogil:
    """Pass all successors of ``parent``, with duplicates, to ``consumer``. Returns False if the consumer
    returned False, which ends the generation."""
    cdef Expansion expansion
    cdef int i
    open_expansion(&expansion, carriers, parent, consumer, context)
    if parent.count < carriers.loose.columns:
        if not loose_to_empty_narrowed(&expansion):
            return False
        for i in range(parent.count):
            if not stem_to_empty_narrowed(&expansion, i):
                return False
    for i in range(parent.count):
        if not tail_away_narrowed(&expansion, i):
            return False
    return True


cdef inline bint hand_over_if_possible(Expansion* expansion, Carried* child) noexcept nogil:
    """Bring a successor into canonical form and pass it to the consumer, unless it covers no position.
    Returns False to end the generation."""
    cdef View view
    if not narrow_state(expansion.carriers, child, &view):
        return True
    expansion.carriers.produced += 1
    return expansion.consumer(expansion.context, child)


cdef inline bint is_possible(uint64_t on, const View* view, int rank) noexcept nogil:
    """Test if the loose cards of the rank below ``rank`` can all lie on tops of ``rank``, each at a place of
    its set in ``on``."""
    cdef Matching matching
    return fits(on, view, rank - 1, 15) and find_matching(&matching, on, view.tops[rank])


cdef inline bint narrow_to(Carried* state, const View* view, int rank, int suit, Places place) noexcept nogil:
    """Narrow A of the loose cards of ``rank`` and ``suit`` so that one of them lies at ``place`` of the next
    rank, and is the only card there if it has one top. If either of two can be the one, A becomes the union
    of both ways. Returns False if neither can."""
    cdef uint64_t others = state.on[rank], way, ways = 0
    cdef int card, shift
    if top_count(view, rank + 1, place) == 1:
        others &= ~(place * EACH_CARD)
    for card in range(2):
        shift = 16 * suit + 8 * card
        if state.on[rank] >> shift & place:
            way = others & ~(<uint64_t>0xFF << shift) | <uint64_t>place << shift
            if is_possible(way, view, rank + 1):
                ways |= way
    state.on[rank] = ways
    return ways != 0


cdef inline int uncoil(Carried* state, const View* view, int rank, int suit, Places place) noexcept nogil:
    """Narrow A by the fact that a unit whose last known card has ``rank`` and ``suit``, and is at ``place``,
    comes off: while a rank is not open, a card of the next lower rank continues the unit.

    Returns the rank of the last card of the unit that is known then, -1 if there is no such unit.
    """
    cdef int stuck_suit
    while rank > 0 and not count_at(view.open, rank):
        rank -= 1
        if not narrow_to(state, view, rank, suit, place):
            return -1
        place = loose_place(suit)
    if rank > 0 and view.stuck[rank - 1] and top_count(view, rank, place) == 1:
        for stuck_suit in range(SUITS):
            if view.stuck[rank - 1] >> stuck_suit & 1:
                state.on[rank - 1] &= ~(<uint64_t>(0x101 * place) << 16 * stuck_suit)
        if not is_possible(state.on[rank - 1], view, rank):
            return -1
    return rank


cdef inline void take_chain(Carried* state, const View* view, int rank, int end, int suit,
                            Places place) noexcept nogil:
    """Remove a chain of loose cards of ``suit``, from the rank below ``rank`` down to ``end``. The first one
    lies at ``place`` of ``rank``, each other one on the one before."""
    cdef int cards, first, second
    for rank in range(rank - 1, end - 1, -1):
        cards = carriers_of(state.on[rank], suit)
        first = cards & 0xFF
        second = cards >> 8
        if not first & place:
            second = 0
        elif second & place:
            first |= second
            second = 0
            if top_count(view, rank + 1, place) == 1:
                first &= ~place
        else:
            first = second
            second = 0
        if count_at(view.loose[suit], rank) == 1:
            first = 0
        set_carriers_of(state, rank, suit, first)
        place = loose_place(suit)


cdef inline bint loose_to_empty_narrowed(Expansion* expansion) noexcept nogil:
    """Generate F of all loose cards. Returns False to end the generation."""
    cdef const View* view = &expansion.view
    cdef int rank, suit
    for rank in range(expansion.carriers.loose.ranks - 1):
        for suit in range(SUITS):
            if (count_at(view.loose[suit], rank) and view.off[rank] & loose_place(suit)
                    and not loose_card_to_empty(expansion, rank, suit)):
                return False
    return True


cdef inline bint loose_card_to_empty(Expansion* expansion, int rank, int suit) noexcept nogil:
    """Generate the move F (head of the module) of a loose card of ``rank`` and ``suit``. Returns False to end
    the generation."""
    cdef Carried child = expansion.parent[0]
    cdef int end = uncoil(&child, &expansion.view, rank, suit, loose_place(suit)), cards
    if end < 0:
        return True
    take_chain(&child, &expansion.view, rank, end, suit, loose_place(suit))
    cards = carriers_of(child.on[rank], suit)
    if count_at(expansion.view.loose[suit], rank) == 1:
        set_carriers_of(&child, rank, suit, 0)
    else:
        set_carriers_of(&child, rank, suit, cards & 0xFF | cards >> 8)
    put_into_stem(&child, end, suit)
    child.number[child.count] = number_of_run(rank, end, suit)
    child.count += 1
    return hand_over_if_possible(expansion, &child)


cdef inline bint stem_to_empty_narrowed(Expansion* expansion, int i) noexcept nogil:
    """Generate F and Y of stem ``i``. Returns False to end the generation."""
    cdef int number = expansion.parent.number[i], cards, end
    cdef const Part* part = &expansion.carriers.loose.part[number]
    cdef Carried narrowed = expansion.parent[0], child
    if not expansion.view.off[part.end] & stem_place(part.suit):
        return True
    end = uncoil(&narrowed, &expansion.view, part.end, part.suit, stem_place(part.suit))
    if end < 0:
        return True
    take_chain(&narrowed, &expansion.view, part.end, end, part.suit, stem_place(part.suit))
    if end < part.end:
        put_into_stem(&narrowed, end, part.suit)
    for cards in range(1, part.top + 1):
        if cards == part.length and part.beneath == 0:
            break
        child = narrowed
        child.number[i] = part.beneath if cards == part.length else without_cards(number, cards)
        child.number[child.count] = number_of_run(part.end + cards - 1, end, part.suit)
        child.count += 1
        if not hand_over_if_possible(expansion, &child):
            return False
    return True


cdef inline bint tail_away_narrowed(Expansion* expansion, int i) noexcept nogil:
    """Generate X, G or C of stem ``i``. Returns False to end the generation."""
    cdef const Part* part = &expansion.carriers.loose.part[expansion.parent.number[i]]
    cdef const View* view = &expansion.view
    cdef Carried child
    if part.top < part.length:
        return True
    child = expansion.parent[0]
    if not (run_away(&child, view, part) if part.anchor == expansion.carriers.loose.ranks - 1
            else tail_onto_card(&child, view, part)):
        return True
    uncover(expansion.carriers.loose, child.number, &child.count, i)
    return hand_over_if_possible(expansion, &child)


cdef inline bint run_away(Carried* child, const View* view, const Part* part) noexcept nogil:
    """Change ``child`` by the move C of Theorem S19: the tail of the stem ``part`` leaves with loose cards
    of its run, and the sets A are narrowed. Returns False if the move is impossible."""
    cdef Places place = stem_place(part.suit)
    cdef int rank
    for rank in range(part.end - 1, -1, -1):
        if not count_at(view.loose[part.suit], rank) or not narrow_to(child, view, rank, part.suit, place):
            return False
        place = loose_place(part.suit)
    take_chain(child, view, part.end, 0, part.suit, stem_place(part.suit))
    return True


cdef inline bint tail_onto_card(Carried* child, const View* view, const Part* part) noexcept nogil:
    """Change ``child`` by the move X or G of Theorem S19: the tail of the stem ``part`` goes onto a card one
    rank higher. Its cards become loose, and the sets A are narrowed. Returns False if it is impossible."""
    cdef int rank
    if (not count_at(view.open, part.anchor + 1) or not view.off[part.end] & stem_place(part.suit)
            or uncoil(child, view, part.end, part.suit, stem_place(part.suit)) < 0):
        return False
    let_loose(child, part.end, part.suit)
    for rank in range(part.end, part.anchor):
        lay(child, rank, part.suit, loose_place(part.suit))
    lay(child, part.anchor, part.suit, places_of(view.tops[part.anchor + 1]))
    return True


# --- The search ---------------------------------------------------------------------------------------------

# An exhausted search without a win proves a loss. A state that adds nothing to the join of its stems is
# skipped, and a join that grew is expanded again (Theorem S20). Stems are compared in full, so a hash
# collision never merges two states.

cdef enum:
    KEPT_JOINS = 16384          # a store of more joins is freed before the next search


cdef inline void free_carriers(CarrierSearch* search) noexcept nogil:
    free_explored(&search.joins)


cdef inline bint open_joins(CarrierSearch* search, uint64_t max_bytes) noexcept nogil:
    """Remove all nodes; free memory beyond KEPT_JOINS of them. Returns False if memory does not suffice."""
    if 0 < search.joins.room <= KEPT_JOINS:
        clear_explored(&search.joins)
        search.joins.max_bytes = max_bytes
        return True
    free_explored(&search.joins)
    return open_keyed(&search.joins, sizeof(CarrierNode), MOST_STEMS * sizeof(uint16_t), max_bytes)


cdef inline uint64_t carriers_bytes(const CarrierSearch* search) noexcept nogil:
    return explored_bytes(&search.joins)


cdef inline CarrierNode* node_at(const CarrierSearch* search, uint32_t number) noexcept nogil:
    """The address of node ``number``, valid until the next node is added."""
    return <CarrierNode*>record_at(&search.joins, number)


cdef inline bint keep_join(void* context, const Carried* child) noexcept nogil:
    """Add a state to the join of its stems, and queue the join if it grew. A CarriedConsumer; returns False,
    which ends the search, for a win or if memory runs out."""
    cdef CarrierSearch* search = <CarrierSearch*>context
    cdef CarrierNode node
    cdef CarrierNode* join
    cdef int added
    cdef uint32_t number
    if child.count == 0:
        search.won = True
        return False
    memset(&node, 0, sizeof(CarrierNode))
    node.count = child.count
    memcpy(node.number, child.number, child.count * sizeof(child.number[0]))
    memcpy(node.on, child.on, sizeof(node.on))
    added = find_or_add(&search.joins, <const uint8_t*>&node, &number)
    if added < 0:
        search.full = True
        return False
    join = node_at(search, number)
    if not added and not widen(search, join, &node):
        return True
    if not join.is_waiting:
        join.is_waiting = True
        join.waiting = search.waiting
        search.waiting = number
    return True


cdef inline bint widen(CarrierSearch* search, CarrierNode* join, const CarrierNode* node) noexcept nogil:
    """Add the places of ``node`` to those of ``join``, in canonical form. Returns True if ``join`` grew."""
    cdef Carried state
    cdef View view
    cdef Carriage on
    cdef bint adds = False
    cdef int rank
    for rank in range(LOOSE_RANKS):
        if join.on[rank] != node.on[rank]:
            on = joined(join.on[rank], node.on[rank])
            adds |= on != join.on[rank]
            join.on[rank] = on
    if adds:
        read_join(&state, join)
        see(&search.carriers, &state, &view)
        memcpy(join.on, state.on, sizeof(join.on))
    return adds


cdef inline Carriage joined(Carriage first, Carriage second) noexcept nogil:
    """The union of two Carriages of one rank. The two cards of a suit are paired with those of the other
    Carriage so that the union is smallest."""
    cdef Carriage both = 0
    cdef int suit, one, other, crossed
    for suit in range(SUITS):
        one = carriers_of(first, suit)
        other = carriers_of(second, suit)
        crossed = one | other >> 8 | (other & 0xFF) << 8
        if one >> 8 and count_bits(crossed) < count_bits(one | other):
            both |= <Carriage>crossed << 16 * suit
        else:
            both |= <Carriage>(one | other) << 16 * suit
    return both


cdef inline void read_join(Carried* state, const CarrierNode* node) noexcept nogil:
    state.count = node.count
    memcpy(state.number, node.number, sizeof(state.number))
    memcpy(state.on, node.on, sizeof(node.on))


cdef inline Outcome relax_carriers(CarrierSearch* search, Loose* loose, Kernel* kernel, const Layout* layout,
                                   const Class* state, uint64_t nodes, uint64_t max_bytes) noexcept nogil:
    """Search from ``state``, a class that can be reached from ``layout``, with at most ``nodes`` expanded.

    Returns LOST if the search was exhausted without a win, WON for a win of the relaxation, OPEN at a limit,
    or OUT_OF_MEMORY. Overwrites the parts of ``loose``.
    """
    cdef CarrierNode* node
    cdef Carried parent
    cdef uint64_t last = kernel.expanded + nodes
    if not open_joins(search, max_bytes):
        return OUT_OF_MEMORY
    search.won = search.full = False
    search.waiting = NO_NODE
    if set_carriers(&search.carriers, loose, layout, state):
        keep_join(search, &search.carriers.start)
    while search.waiting != NO_NODE and not search.won and not search.full:
        if kernel.expanded >= last or not may_expand(kernel):
            return OPEN
        node = node_at(search, search.waiting)
        search.waiting = node.waiting
        node.is_waiting = False
        read_join(&parent, node)
        search.carriers.produced = 0
        generate_carried(&search.carriers, &parent, keep_join, search)
        kernel.generated += search.carriers.produced
    if search.won:
        return WON
    return OUT_OF_MEMORY if search.full else LOST
