"""The search of the player of Klondike with redeals: that of `search`, over classes of `klondike.state`.

Each iteration lays the unseen cards in an order drawn by chance, walks down the tree of what would be seen,
and comes to something not met before; from there the rule player, with some noise, plays to the end. What is
forced for one who sees all cards is forced here: the proof moves cards that are seen, and holds for whatever
the others are.
"""

from libc.stdint cimport uint64_t

from ..joker.tiers cimport TIERS
from ..klondike.state cimport close, is_won, unpack
from .choosing cimport best_choice, noisy_choice
from .redeals_moves cimport MOST_REDEALS_CHOICES, choices_of, key_after
from .redeals_position cimport hash_of, shuffle_world
from .search cimport LONGEST_PATH, back_up, selected
from .tree cimport tree_add, tree_clear, tree_find
from .value cimport Forecast

cdef enum:
    LONGEST_GAME = 1000     # choices; no game has so many


cdef int rule_choice(
    const World* world, const Position* p, const float* weights, Choice* chosen
) noexcept nogil:
    """The choice of the rule player, the first one of the highest score; how many there were."""
    cdef Choice choices[MOST_REDEALS_CHOICES]
    cdef int count = choices_of(world, p, weights, choices)
    if count > 0:
        chosen[0] = choices[best_choice(choices, count)]
    return count


cdef bint is_over(const World* world, const Position* p) noexcept nogil:
    """Whether ``p`` is sure to be won by one who sees all that lies there."""
    return is_won(&world.layout, False, p)


cdef void play_out(RedealsSearch* search, Position* p) noexcept nogil:
    """Go on to the end, or to a sure win, as the rule player does, with noise."""
    cdef Choice choices[MOST_REDEALS_CHOICES]
    cdef const World* world = &search.world
    cdef int count, _
    cdef uint64_t key
    for _ in range(LONGEST_GAME):
        if is_over(world, p):
            return
        count = choices_of(world, p, search.weights, choices)
        if count == 0:
            return
        key = key_after(world, p, &choices[noisy_choice(choices, count, &search.tree.chance)])
        close(&world.layout, False, &key, p, NULL)


cdef bint begin_thinking(RedealsSearch* search) noexcept nogil:
    """Make ready to think about the world's root, which has a choice; false without memory. Where that is
    used up, what was thought before is forgotten."""
    cdef Choice choices[MOST_REDEALS_CHOICES]
    cdef uint64_t hash
    cdef int count
    unpack(&search.world.layout, search.world.root, &search.start)
    hash = hash_of(&search.world, &search.start)
    search.tree.root = tree_find(&search.tree.tree, hash)
    if search.tree.root < 0:
        count = choices_of(&search.world, &search.start, search.weights, choices)
        search.tree.root = tree_add(&search.tree.tree, hash, choices, count)
        if search.tree.root < 0 and tree_clear(&search.tree.tree):
            search.tree.root = tree_add(&search.tree.tree, hash, choices, count)
    return search.tree.root >= 0


cdef void iterate(RedealsSearch* search) noexcept nogil:
    """One sample: down the tree, a play-out, and what came of it back to the root."""
    cdef Choice choices[MOST_REDEALS_CHOICES]
    cdef Search* tree = search.tree
    cdef World* world = &search.world
    cdef Position p = search.start
    cdef Forecast found
    cdef int node, count, tier, depth = 0
    cdef uint64_t key, hash
    tree.iterations += 1
    shuffle_world(world, &tree.chance)
    while depth < LONGEST_PATH and (depth == 0 or not is_over(world, &p)):
        hash = hash_of(world, &p)
        node = tree.root if depth == 0 else tree_find(&tree.tree, hash)
        if node < 0:
            count = choices_of(world, &p, search.weights, choices)
            if count > 1:
                tree_add(&tree.tree, hash, choices, count)
            if count != 1:
                break
            key = key_after(world, &p, choices)
        else:
            tree.path[depth] = node
            tree.taken[depth] = selected(tree, &tree.tree.nodes[node])
            key = key_after(world, &p, &tree.tree.branches[tree.taken[depth]].choice)
            depth += 1
        close(&world.layout, False, &key, &p, NULL)
    play_out(search, &p)
    for tier in range(TIERS):
        found.reached[tier] = is_over(world, &p)
    found.cards = p.raised
    back_up(tree, depth, &found)
