"""Test hook: step tests of the proofs of `class_moves`, every real move against the class graph and the
relaxations.

Positions are played by the plain rules of `replay`. Test B: the class of the position after any legal move is
the class before it, or a generated successor, or comes from one of these by as many completions as runs left,
or fewer. Test D: a state of the relaxation of `relaxation_loose` that covers the position has a successor, or
itself, that covers the next one. Test E: this holds for the relaxation of `relaxation_carriers`, too.
"""

from winnable.solver.core.border cimport read_simon
from winnable.solver.core.piles cimport load_columns
from winnable.solver.simon.replay cimport is_won, play

include "../../solver/simon/parts.pxi"

from winnable.rules import check_implemented
from winnable.solver.simon import IMPLEMENTS

cdef struct LooseCover:     # covering states of the relaxation with loose cards, looked for among successors
    Loose* loose
    const Layout* layout
    const Game* game
    int runs
    int count
    uint64_t chance
    Stems chosen
    int* stem_size              # of each column
    const Carried* carried      # where carriers count

cdef struct CarriedCover:   # the same of the relaxation with carriers
    LooseCover loosely
    Carriers* carriers
    Carried chosen

# --- Stems with loose cards ---------------------------------------------------------------------------------


cdef int columns_with(const Game* game, Counts open) noexcept nogil:
    """The number of columns with cards, if their tops are what ``open`` counts; otherwise -1."""
    cdef int tops[13]
    cdef int i, held = 0
    memset(tops, 0, sizeof(tops))
    for i in range(game.columns):
        if game.column[i].count > 0:
            tops[game.column[i].card[game.column[i].count - 1] >> 2] += 1
            held += 1
    for i in range(13):
        if tops[i] != count_at(open, i):
            return -1
    return held


cdef bint is_bottom(const LooseCover* cover, int column, Stem stem) noexcept nogil:
    """Test whether a column begins with the cards of ``stem``."""
    cdef int i, card, below = stem_below(stem), length = stem_length(stem)
    if below + length > cover.game.column[column].count:
        return False
    for i in range(below):
        if cover.layout.card[stem_column(stem)][i] != cover.game.column[column].card[i]:
            return False
    for i in range(length):
        card = (stem_anchor(stem) - i) << 2 | (stem_suits(stem) >> 2 * (length - 1 - i) & 3)
        if card != cover.game.column[column].card[below + i]:
            return False
    return True


cdef bint covers_loosely(const LooseCover* cover, const Stems* state) noexcept nogil:
    """Test if each column is a stem with cards above, each on one of the next rank, and ``open`` holds."""
    cdef LooseCover trial = cover[0]
    cdef int stem_size[14]
    memset(stem_size, 0, sizeof(stem_size))
    trial.stem_size = stem_size
    return columns_with(cover.game, state.open) == state.count and match_stems(&trial, state, 0, 0)


cdef bint match_stems(const LooseCover* cover, const Stems* state, int i, int used) noexcept nogil:
    """Test whether the stems from number ``i`` on find columns beside those that are ``used``, in such a way
    that cards lie on carriers, where these count."""
    cdef int column
    cdef Stem stem
    if i == state.count:
        return cover.carried == NULL or lie_on_carriers(cover)
    for column in range(cover.game.columns):
        if used >> column & 1 or not is_loosely_on(cover, column, cover.loose.part[state.number[i]].stem):
            continue
        stem = cover.loose.part[state.number[i]].stem
        cover.stem_size[column] = stem_below(stem) + stem_length(stem)
        if match_stems(cover, state, i + 1, used | 1 << column):
            return True
    return False


cdef bint is_loosely_on(const LooseCover* cover, int column, Stem stem) noexcept nogil:
    """Test whether a column is ``stem`` with cards above, each on one of the next rank."""
    cdef const uint8_t* card = cover.game.column[column].card
    cdef int at
    if not is_bottom(cover, column, stem):
        return False
    for at in range(stem_below(stem) + stem_length(stem), cover.game.column[column].count):
        if (card[at] >> 2) != (card[at - 1] >> 2) - 1:
            return False
    return True


cdef inline bint is_chosen(LooseCover* cover) noexcept nogil:
    """Count one more state that covers the position. Returns whether it replaces the state chosen so far, at
    random and so that all are equally likely."""
    cover.count += 1
    cover.chance += 1
    return mix_low(cover.chance) % <uint64_t>cover.count == 0


cdef bint keep_loose_cover(void* context, const Stems* child) noexcept nogil:
    """Choose among states of the relaxation with loose cards: take ``child`` if it covers the position of the
    LooseCover and chance selects it, then its successors by runs that leave. Returns True, to go on."""
    cdef LooseCover* cover = <LooseCover*>context
    cdef LooseCover deeper
    cdef StemsView view
    cdef int i
    if covers_loosely(cover, child) and is_chosen(cover):
        cover.chosen = child[0]
    if cover.runs > 0:
        deeper = cover[0]
        deeper.runs -= 1
        look_at(cover.loose, &view, child, keep_loose_cover, &deeper)
        for i in range(child.count):
            if cover.loose.part[child.number[i]].anchor == cover.loose.ranks - 1:
                tail_away(cover.loose, &view, i)
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
        card = cover.game.column[column].card
        first = cover.stem_size[column]
        for at in range(first, cover.game.column[column].count):
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
    """Choose among states of the relaxation with carriers: take ``child`` if it covers the position of the
    CarriedCover and chance selects it, then its successors by runs that leave. Returns True, to go on."""
    cdef CarriedCover* cover = <CarriedCover*>context
    cdef LooseCover* loosely = &cover.loosely
    cdef CarriedCover deeper
    cdef Expansion expansion
    cdef int i
    if covers_with_carriers(cover, child) and is_chosen(loosely):
        cover.chosen = child[0]
    if loosely.runs > 0:
        deeper = cover[0]
        deeper.loosely.runs -= 1
        open_expansion(&expansion, cover.carriers, child, keep_carried_cover, &deeper)
        for i in range(child.count):
            if loosely.loose.part[child.number[i]].anchor == loosely.loose.ranks - 1:
                tail_away_narrowed(&expansion, i)
        loosely.count = deeper.loosely.count
        loosely.chance = deeper.loosely.chance
        cover.chosen = deeper.chosen
    return True


# --- Step tests ---------------------------------------------------------------------------------------------

cdef struct Wanted:     # a class looked for among successors
    Generator generator
    const Layout* layout
    uint64_t low
    uint64_t high
    int runs            # completions that may still follow
    bint completes      # the successor itself must come by a completion, too
    bint found


# --- Test B -------------------------------------------------------------------------------------------------


cdef bint note_key(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Add a successor to a table. Returns True, to go on."""
    table_insert(<Table*>context, child.low, without_top_bit(child.high))
    return True


cdef bint is_among_wanted(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Compare a successor, and classes that it leads to by completions, with the class of a Wanted. Returns
    True, to go on, until that class is found."""
    cdef Wanted* wanted = <Wanted*>context
    if wanted.completes and plan.kind != COMPLETE:
        return True
    if child.low == wanted.low and child.high == wanted.high:
        wanted.found = True
    elif wanted.runs > 0:
        wanted.found = completes_to(wanted.layout, child, wanted.low, wanted.high, wanted.runs - 1, 0)
    return not wanted.found


cdef bint completes_to(
    const Layout* layout, const Class* state, uint64_t low, uint64_t high, int runs, int cap
) noexcept nogil:
    """Test whether a successor of ``state``, or of that by up to ``runs`` completions, has the key.

    A ``cap`` of 0 means that the successor must come by a completion too.
    """
    cdef Wanted wanted
    wanted.layout = layout
    wanted.low = low
    wanted.high = high
    wanted.runs = runs
    wanted.completes = cap == 0
    wanted.found = False
    generate_successors(
        &wanted.generator, layout, state, ALL if cap else UNCOVERING, cap, is_among_wanted, &wanted
    )
    return wanted.found


# --- The walker ---------------------------------------------------------------------------------------------


cdef int cards_of(const Game* game) noexcept nogil:
    cdef int column, held = 0
    for column in range(game.columns):
        held += game.column[column].count
    return held


cdef void find_class(Class* state, const Layout* layout, const Game* game) noexcept nogil:
    """The class of the position of a game."""
    cdef uint8_t card[MAX_COLUMNS][MAX_CARDS]
    cdef uint8_t size[MAX_COLUMNS]
    cdef int i
    for i in range(game.columns):
        size[i] = game.column[i].count
        memcpy(card[i], game.column[i].card, size[i])
    class_of(state, layout, <const uint8_t (*)[MAX_CARDS]>card, size)


cdef class StepChecker:
    """Walks through real positions and counts what the class graph and the relaxations fail to follow."""

    cdef readonly uint64_t moves        # of test B
    cdef readonly uint64_t removals     # those by which runs left
    cdef readonly uint64_t steps        # of tests D and E
    cdef readonly uint64_t unmapped     # failures of B
    cdef readonly uint64_t lost         # failures of D and E
    cdef readonly uint64_t capped       # moves of B left undecided: too many successors of a commitment
    cdef readonly int cap
    cdef Layout layout
    cdef Game game
    cdef Loose loose
    cdef Stems covering_stems
    cdef Carriers carriers
    cdef Carried covering_carried
    cdef Table successors
    cdef int legal[MAX_COLUMNS * 13 * MAX_COLUMNS][3]   # source, target and count of the legal moves

    def __init__(self, cap=100000):
        self.cap = cap

    def __dealloc__(self):
        table_free(&self.successors)

    def walk(self, state, int length, uint64_t seed):
        """Walk at random from ``state``, checking all moves of each position on the way."""
        cdef uint64_t chance = mix_low(seed)
        cdef int _, choices
        cdef int* move
        self.load(state)
        with nogil:
            for _ in range(length):
                choices = self.check_moves()
                if choices == 0:
                    break
                chance = mix_low(chance)
                move = self.legal[chance % <uint64_t>choices]
                if not self.step(move[0], move[1], move[2], chance) or is_won(&self.game):
                    break

    def follow(self, state, moves):
        """Make the given moves from ``state``, checking all moves of each position on the way."""
        self.load(state)
        for i, move in enumerate(moves):
            self.check_moves()
            if not self.step(move.source, move.target, move.count, i):
                break

    cdef void load(self, state) except *:
        cdef Class start
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        read_simon(&desk, state)
        memset(&self.game, 0, sizeof(Game))
        self.game.columns = desk.columns
        self.game.ranks = desk.ranks
        load_columns(self.game.column, &desk)
        load_desk(&self.layout, &desk)
        find_class(&start, &self.layout, &self.game)
        set_start(&self.loose, &self.layout, &start)
        self.covering_stems = self.loose.start
        set_carriers(&self.carriers, &self.loose, &self.layout, &start)
        self.covering_carried = self.carriers.start

    cdef int check_moves(self) noexcept nogil:
        """Make test B for all legal moves of the present position; return their number."""
        cdef Class state
        cdef Class after
        cdef Generator generator
        cdef Game child
        cdef int source, target, count, runs, number = 0
        cdef int held = cards_of(&self.game)
        cdef uint64_t slot
        find_class(&state, &self.layout, &self.game)
        table_reset(&self.successors, <uint64_t>1 << 33)
        note_key(&self.successors, &state, NULL)
        generate_successors(
            &generator, &self.layout, &state, ALL, self.cap, note_key, &self.successors
        )
        for source in range(self.game.columns):
            for count in range(1, self.game.ranks + 1):
                for target in range(self.game.columns):
                    child = self.game
                    if not play(&child, source, target, count):
                        continue
                    self.legal[number][:] = [source, target, count]
                    number += 1
                    self.moves += 1
                    runs = (held - cards_of(&child)) // self.game.ranks
                    self.removals += runs > 0
                    find_class(&after, &self.layout, &child)
                    slot = table_find(&self.successors, after.low, tagged(after.high))
                    if self.successors.entries[slot].high != 0:
                        continue
                    if runs > 0 and completes_to(&self.layout, &state, after.low, after.high, runs - 1, 0):
                        continue
                    if runs > 0 and completes_to(&self.layout, &state, after.low, after.high, runs, self.cap):
                        continue
                    if generator.capped:
                        self.capped += 1
                    else:
                        self.unmapped += 1
        return number

    cdef bint step(self, int source, int target, int count, uint64_t chance) noexcept nogil:
        """Make a move and tests D and E for it. Returns False if one of them failed."""
        cdef int held = cards_of(&self.game)
        self.steps += 1
        if not play(&self.game, source, target, count):
            self.lost += 1
            return False
        if not self.step_loosely((held - cards_of(&self.game)) // self.game.ranks, chance):
            self.lost += 1
            return False
        return True

    cdef bint step_loosely(self, int runs, uint64_t chance) noexcept nogil:
        """Make test D, and then E, for the move just made, by which ``runs`` runs left. Returns False if one
        failed."""
        cdef LooseCover cover
        cdef Stems before = self.covering_stems
        cover.loose = &self.loose
        cover.layout = &self.layout
        cover.game = &self.game
        cover.runs = runs
        cover.count = 0
        cover.chance = chance
        cover.carried = NULL
        keep_loose_cover(&cover, &before)
        generate_loose(&self.loose, &before, keep_loose_cover, &cover)
        self.covering_stems = cover.chosen
        if cover.count == 0:
            return False
        cover.count = 0
        return self.step_with_carriers(&cover)

    cdef bint step_with_carriers(self, const LooseCover* loosely) noexcept nogil:
        """Make test E for the move just made, given its cover by loose cards. Returns False if it failed."""
        cdef CarriedCover cover
        cdef Carried before = self.covering_carried
        cover.loosely = loosely[0]
        cover.carriers = &self.carriers
        keep_carried_cover(&cover, &before)
        generate_carried(&self.carriers, &before, keep_carried_cover, &cover)
        self.covering_carried = cover.chosen
        return cover.loosely.count > 0
