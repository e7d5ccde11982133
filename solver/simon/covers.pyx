"""Test hook: covers of positions by states of the relaxations, card by card from the definition."""

from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memset

from .class_moves cimport Plan, generate_completions
from .classes cimport (
    Class, Counts, Layout, Segment, Stem, count_at, make_segment, stem_anchor, stem_below, stem_column,
    stem_length, stem_suits,
)
from .common cimport mix_low
from .relaxation_carriers cimport Carried, View, carriers_of, generate_carried_leaving, see
from .relaxation_loose cimport Stems, generate_leaving
from .replay cimport Game

cdef struct Match:      # an attempt to see a position as a state of the relaxation
    const Layout* layout
    const Class* state
    const Game* game
    uint8_t left[1024]      # segments of each kind not used yet
    bint used[14]           # stems


# --- Classes, with cards in segments ------------------------------------------------------------------------


cdef int columns_with(const Game* game, Counts open) noexcept nogil:
    """The number of columns with cards, if their tops are what ``open`` counts; otherwise -1."""
    cdef int tops[13]
    cdef int i, held = 0
    memset(tops, 0, sizeof(tops))
    for i in range(game.columns):
        if game.size[i] > 0:
            tops[game.card[i][game.size[i] - 1] >> 2] += 1
            held += 1
    for i in range(13):
        if tops[i] != count_at(open, i):
            return -1
    return held


cdef bint covers(const Layout* layout, const Class* state, const Game* game) noexcept nogil:
    """Test whether the stems are the lower parts of the columns, the segments divide the rest, and ``open``
    is true."""
    cdef Match match
    cdef int i
    if columns_with(game, state.open) != state.stems:
        return False
    match.layout = layout
    match.state = state
    match.game = game
    memset(match.left, 0, sizeof(match.left))
    memset(match.used, 0, sizeof(match.used))
    for i in range(state.segments):
        match.left[state.segment[i]] += 1
    return match_column(&match, 0)


cdef bint match_column(Match* match, int column) noexcept nogil:
    """Test whether the columns from one on are stems that are left, with segments above."""
    cdef int i
    cdef bint fits
    if column == match.game.columns:
        return True
    if match.game.size[column] == 0:
        return match_column(match, column + 1)
    for i in range(match.state.stems):
        if match.used[i] or not is_bottom(match, column, match.state.stem[i]):
            continue
        match.used[i] = True
        fits = match_rest(
            match, column, stem_below(match.state.stem[i]) + stem_length(match.state.stem[i])
        )
        match.used[i] = False
        if fits:
            return True
    return False


cdef bint is_bottom(const Match* match, int column, Stem stem) noexcept nogil:
    """Test whether a column begins with the cards of ``stem``."""
    cdef int i, card, below = stem_below(stem), length = stem_length(stem)
    if below + length > match.game.size[column]:
        return False
    for i in range(below):
        if match.layout.card[stem_column(stem)][i] != match.game.card[column][i]:
            return False
    for i in range(length):
        card = (stem_anchor(stem) - i) << 2 | (stem_suits(stem) >> 2 * (length - 1 - i) & 3)
        if card != match.game.card[column][below + i]:
            return False
    return True


cdef bint match_rest(Match* match, int column, int at) noexcept nogil:
    """Test whether the cards from number ``at`` on divide into segments left over, and the next columns
    fit."""
    cdef const uint8_t* card = match.game.card[column]
    cdef int end = at
    cdef Segment segment
    cdef bint fits
    if at == match.game.size[column]:
        return match_column(match, column + 1)
    while True:
        segment = make_segment(card[at] >> 2, card[end] >> 2, card[at] & 3)
        if match.left[segment] > 0:
            match.left[segment] -= 1
            fits = match_rest(match, column, end + 1)
            match.left[segment] += 1
            if fits:
                return True
        end += 1
        if end == match.game.size[column] or card[end] != card[end - 1] - 4:
            return False


cdef bint keep_cover(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Count a class that covers the position of a Cover, and choose one of them by chance; so what comes from
    it by as many completions as runs left."""
    cdef Cover* cover = <Cover*>context
    if covers(cover.layout, child, cover.game):
        cover.count += 1
        cover.chance += 1
        if mix_low(cover.chance) % <uint64_t>cover.count == 0:
            cover.chosen = child[0]
    if cover.runs > 0:
        cover_completions(cover, child)
    return True


cdef void cover_completions(Cover* cover, const Class* state) noexcept nogil:
    """Look among what comes from ``state`` by completions."""
    cdef Cover deeper
    deeper.layout = cover.layout
    deeper.game = cover.game
    deeper.runs = cover.runs - 1
    deeper.count = cover.count
    deeper.chance = cover.chance
    deeper.chosen = cover.chosen
    generate_completions(&deeper.generator, cover.layout, state, keep_cover, &deeper)
    cover.count = deeper.count
    cover.chance = deeper.chance
    cover.chosen = deeper.chosen


# --- Stems with loose cards ---------------------------------------------------------------------------------


cdef bint covers_loosely(const LooseCover* cover, const Stems* state) noexcept nogil:
    """Test whether each column is a stem with cards above, each on one of the next rank, and ``open`` is
    true."""
    cdef LooseCover trial = cover[0]
    cdef int stem_size[14]
    memset(stem_size, 0, sizeof(stem_size))
    trial.stem_size = stem_size
    return columns_with(cover.game, state.open) == state.count and match_stems(&trial, state, 0, 0)


cdef bint match_stems(const LooseCover* cover, const Stems* state, int i, int used) noexcept nogil:
    """Test whether the stems from number ``i`` on find columns beside those that are ``used``, in such a way
    that cards lie on carriers, where these count."""
    cdef int column
    if i == state.count:
        return cover.carried == NULL or lie_on_carriers(cover)
    for column in range(cover.game.columns):
        if used >> column & 1 or not is_loosely_on(cover, column, cover.loose.part[state.number[i]].stem):
            continue
        cover.stem_size[column] = size_of(cover.loose.part[state.number[i]].stem)
        if match_stems(cover, state, i + 1, used | 1 << column):
            return True
    return False


cdef inline int size_of(Stem stem) noexcept nogil:
    """Number of cards of a stem."""
    return stem_below(stem) + stem_length(stem)


cdef bint is_loosely_on(const LooseCover* cover, int column, Stem stem) noexcept nogil:
    """Test whether a column is ``stem`` with cards above, each on one of the next rank."""
    cdef Match match
    cdef const uint8_t* card = cover.game.card[column]
    cdef int at
    match.layout = cover.layout
    match.game = cover.game
    if not is_bottom(&match, column, stem):
        return False
    for at in range(stem_below(stem) + stem_length(stem), cover.game.size[column]):
        if (card[at] >> 2) != (card[at - 1] >> 2) - 1:
            return False
    return True


cdef inline bint is_chosen(LooseCover* cover) noexcept nogil:
    """Count one more that covers the position; whether chance takes it in place of those before."""
    cover.count += 1
    cover.chance += 1
    return mix_low(cover.chance) % <uint64_t>cover.count == 0


cdef bint keep_loose_cover(void* context, const Stems* child) noexcept nogil:
    """The same of the relaxation with loose cards, for a LooseCover."""
    cdef LooseCover* cover = <LooseCover*>context
    cdef LooseCover deeper
    if covers_loosely(cover, child) and is_chosen(cover):
        cover.chosen = child[0]
    if cover.runs > 0:
        deeper = cover[0]
        deeper.runs -= 1
        generate_leaving(cover.loose, child, keep_loose_cover, &deeper)
        cover.count = deeper.count
        cover.chance = deeper.chance
        cover.chosen = deeper.chosen
    return True


# --- The same, where carriers count -------------------------------------------------------------------------


cdef bint covers_with_carriers(const CarriedCover* cover, const Carried* state) noexcept nogil:
    """Test whether the stems cover the position, and each card that is loose lies on one of its carriers."""
    cdef Carried copy = state[0]
    cdef LooseCover loosely = cover.loosely
    cdef Stems stems
    cdef View view
    cdef int i
    if not see(cover.carriers, &copy, &view):
        return False
    stems.count = state.count
    stems.open = view.open
    for i in range(state.count):
        stems.number[i] = state.number[i]
    loosely.carried = state
    return covers_loosely(&loosely, &stems)


cdef bint lie_on_carriers(const LooseCover* cover) noexcept nogil:
    """Test whether the cards of each kind, in some order, lie on what they may lie on."""
    cdef uint8_t lies[52][2]
    cdef int held[52]
    cdef const uint8_t* card
    cdef int column, first, at, kind, places
    memset(lies, 0, sizeof(lies))
    memset(held, 0, sizeof(held))
    for column in range(cover.game.columns):
        card = cover.game.card[column]
        first = cover.stem_size[column]
        for at in range(first, cover.game.size[column]):
            lies[card[at]][held[card[at]]] = (16 if at == first else 1) << (card[at - 1] & 3)
            held[card[at]] += 1
    for kind in range(52):
        if held[kind] == 0:
            continue
        places = carriers_of(cover.carried.on[kind >> 2], kind & 3)
        if not (places & lies[kind][0] and (places >> 8 & lies[kind][1] or held[kind] == 1)
                or held[kind] == 2 and places & lies[kind][1] and places >> 8 & lies[kind][0]):
            return False
    return True


cdef bint keep_carried_cover(void* context, const Carried* child) noexcept nogil:
    """The same of the relaxation with carriers, for a CarriedCover."""
    cdef CarriedCover* cover = <CarriedCover*>context
    cdef LooseCover* loosely = &cover.loosely
    cdef CarriedCover deeper
    if covers_with_carriers(cover, child) and is_chosen(loosely):
        cover.chosen = child[0]
    if loosely.runs > 0:
        deeper = cover[0]
        deeper.loosely.runs -= 1
        generate_carried_leaving(cover.carriers, child, keep_carried_cover, &deeper)
        loosely.count = deeper.loosely.count
        loosely.chance = deeper.loosely.chance
        cover.chosen = deeper.chosen
    return True
