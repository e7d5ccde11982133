"""Test hook: step tests of the proofs of `class_moves`, every real move against the class graph and the
relaxation.

Positions are played by the plain rules of `replay`. Test B: the class of the position after any legal move is
the class before it, or a generated successor, or comes from one of these by as many completions as runs left,
or fewer. Test C: a state of the relaxation that covers the position has a successor, or itself, that covers
the next one; `covers` tells. Tests D and E: the same of the relaxations of `relaxation_loose` and of
`relaxation_carriers`.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from ..core.table cimport Table, table_find, table_free, table_insert, table_reset, tagged
from .class_moves cimport ALL, Generator, Plan, generate_completions, generate_successors
from .classes cimport Class, Layout, class_of, set_layout
from .common cimport mix_low, without_top_bit
from .covers cimport CarriedCover, Cover, LooseCover, keep_carried_cover, keep_cover, keep_loose_cover
from .relaxation_carriers cimport Carried, Carriers, generate_carried, set_carriers
from .relaxation_loose cimport Loose, Stems, generate_loose, set_start
from .replay cimport Game, is_won, play

from ...rules import check_family, simon as rules

cdef struct Wanted:     # a class looked for among successors
    Generator generator
    const Layout* layout
    uint64_t low
    uint64_t high
    int runs            # completions that may still follow
    bint found


# --- Test B -------------------------------------------------------------------------------------------------


cdef bint note_key(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Note a successor in a table."""
    table_insert(<Table*>context, child.low, without_top_bit(child.high))
    return True


cdef bint is_wanted(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Go on unless the class of a Wanted was met, or comes by completions."""
    cdef Wanted* wanted = <Wanted*>context
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
    wanted.generator.order = 0
    wanted.low = low
    wanted.high = high
    wanted.runs = runs
    wanted.found = False
    if cap == 0:
        generate_completions(&wanted.generator, layout, state, is_wanted, &wanted)
    else:
        generate_successors(&wanted.generator, layout, state, False, ALL, cap, is_wanted, &wanted)
    return wanted.found


# --- The walker ---------------------------------------------------------------------------------------------


cdef int cards_of(const Game* game) noexcept nogil:
    cdef int column, held = 0
    for column in range(game.columns):
        held += game.size[column]
    return held


cdef class StepChecker:
    """Walks through real positions and counts what the class graph and the relaxations fail to follow."""

    cdef readonly uint64_t moves        # of test B
    cdef readonly uint64_t removals     # those by which runs left
    cdef readonly uint64_t steps        # of tests C, D and E
    cdef readonly uint64_t unmapped     # failures of B
    cdef readonly uint64_t uncovered    # failures of C
    cdef readonly uint64_t lost         # failures of D and E
    cdef readonly uint64_t capped       # moves of B left undecided: too many successors of a commitment
    cdef readonly int cap
    cdef readonly int most_segments     # in one covering state
    cdef Layout layout
    cdef Game game
    cdef Class covering
    cdef Loose loose
    cdef Stems covering_stems
    cdef Carriers carriers
    cdef Carried covering_carried
    cdef Table successors

    def __init__(self, cap=100000):
        self.cap = cap

    def __dealloc__(self):
        table_free(&self.successors)

    def walk(self, state, int length, uint64_t seed):
        """Walk at random from ``state``, checking all moves of each position on the way."""
        cdef uint64_t chance = mix_low(seed)
        cdef int _, choices, source, target, count
        self.load(state)
        with nogil:
            for _ in range(length):
                choices = self.check_moves()
                if choices == 0:
                    break
                chance = mix_low(chance)
                self.find_move(chance % <uint64_t>choices, &source, &target, &count)
                if not self.step(source, target, count, chance) or is_won(&self.game):
                    break

    def follow(self, state, moves, bint all_moves=True):
        """The same along given moves."""
        self.load(state)
        for i, move in enumerate(moves):
            if all_moves:
                self.check_moves()
            if not self.step(move.source, move.target, move.count, i):
                break

    cdef void load(self, state) except *:
        check_family(state, rules)
        memset(&self.game, 0, sizeof(Game))
        self.game.columns = len(state.columns)
        self.game.ranks = state.deck.ranks
        for i, column in enumerate(state.columns):
            self.game.size[i] = self.layout.size[i] = len(column)
            for j, card in enumerate(column):
                self.game.card[i][j] = self.layout.card[i][j] = card
        set_layout(&self.layout, self.game.columns, self.game.ranks)
        class_of(&self.covering, &self.layout, self.game.card, self.game.size)
        set_start(&self.loose, &self.layout, &self.covering)
        self.covering_stems = self.loose.start
        set_carriers(&self.carriers, &self.loose, &self.layout, &self.covering)
        self.covering_carried = self.carriers.start

    cdef void find_move(self, int number, int* source, int* target, int* count) noexcept nogil:
        """The legal move of that number, in the order of `check_moves`."""
        cdef int s, t, k
        cdef Game child
        for s in range(self.game.columns):
            for k in range(1, self.game.ranks + 1):
                for t in range(self.game.columns):
                    child = self.game
                    if play(&child, s, t, k):
                        if number == 0:
                            source[0] = s
                            target[0] = t
                            count[0] = k
                            return
                        number -= 1

    cdef int check_moves(self) noexcept nogil:
        """Test B for all legal moves of the present position; their number."""
        cdef Class state
        cdef Class after
        cdef Generator generator
        cdef Game child
        cdef int source, target, count, runs, number = 0
        cdef int held = cards_of(&self.game)
        class_of(&state, &self.layout, self.game.card, self.game.size)
        table_reset(&self.successors, <uint64_t>1 << 33)
        note_key(&self.successors, &state, NULL)
        generator.order = state.low & 1
        generate_successors(
            &generator, &self.layout, &state, False, ALL, self.cap, note_key, &self.successors
        )
        for source in range(self.game.columns):
            for count in range(1, self.game.ranks + 1):
                for target in range(self.game.columns):
                    child = self.game
                    if not play(&child, source, target, count):
                        continue
                    number += 1
                    self.moves += 1
                    runs = (held - cards_of(&child)) // self.game.ranks
                    self.removals += runs > 0
                    class_of(&after, &self.layout, child.card, child.size)
                    if self.is_successor(&after):
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

    cdef bint is_successor(self, const Class* after) noexcept nogil:
        cdef uint64_t slot = table_find(&self.successors, after.low, tagged(after.high))
        return self.successors.entries[slot].high != 0

    cdef bint step(self, int source, int target, int count, uint64_t chance) noexcept nogil:
        """Tests C, D and E for one move, which is made; false if one failed."""
        cdef Cover cover
        cdef int held = cards_of(&self.game)
        cdef Class before = self.covering
        if not play(&self.game, source, target, count):
            self.uncovered += 1
            return False
        self.steps += 1
        cover.layout = &self.layout
        cover.game = &self.game
        cover.runs = (held - cards_of(&self.game)) // self.game.ranks
        cover.count = 0
        cover.chance = chance
        keep_cover(&cover, &before, NULL)
        generate_successors(&cover.generator, &self.layout, &before, True, ALL, self.cap, keep_cover, &cover)
        if cover.count == 0 or cover.generator.fault:
            self.uncovered += 1
            return False
        self.covering = cover.chosen
        if not self.step_loosely(cover.runs, chance):
            self.lost += 1
            return False
        if self.covering.segments > self.most_segments:
            self.most_segments = self.covering.segments
        return True

    cdef bint step_loosely(self, int runs, uint64_t chance) noexcept nogil:
        """Test D for the move just made, by which so many runs left."""
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
        """Test E for the same move."""
        cdef CarriedCover cover
        cdef Carried before = self.covering_carried
        cover.loosely = loosely[0]
        cover.carriers = &self.carriers
        keep_carried_cover(&cover, &before)
        generate_carried(&self.carriers, &before, keep_carried_cover, &cover)
        self.covering_carried = cover.chosen
        return cover.loosely.count > 0
