"""Ablation of hidden information: the search player with some of the hidden cards shown to it.

It plays as the search player with the network does, but some of the next cards of the stock and of the next
face-down cards of each column are shown to it. Only the search uses them, not the network, so the gain is a
lower estimate of the value of the information.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from winnable.solver.core.dealer cimport MOST_CARDS, Dealt
from winnable.solver.core.kernel cimport Kernel
from winnable.solver.joker.plain cimport PlainGame, score as score_of, stock_left
from winnable.solver.player.joker_moves cimport MOST_CHOICES, Choice, choices_of, perform, read_weights
from winnable.solver.player.joker_position cimport COLUMNS, deal, hide, load
from winnable.solver.player.search cimport (ALL_UP, Search, begin_thinking, best_branch, think, tree_clear,
                                            tree_free)
from winnable.solver.player.value cimport read_network

from winnable.rules import find_variant
from winnable.rules.views import view_of


@cython.final
cdef class AblationKernel(Kernel):
    """Player of ``game`` with ``choices`` of rules, so many ``visits`` a decision and the network of
    ``weights``, shown the next ``of_stock`` cards of the stock and the next ``of_columns`` face-down cards of
    each column."""

    cdef Search search
    cdef PlainGame start        # with the choices
    cdef int of_stock, of_columns

    def __init__(self, game, choices, uint32_t visits, weights, int of_stock, int of_columns):
        self.open_deals(find_variant(game), choices)
        load(&self.start, view_of(find_variant(game).deal(0, choices=choices)))
        self.search.tree.max_bytes = <uint64_t>1 << 30
        self.search.visits = visits
        self.search.has_network = True
        self.of_stock = of_stock
        self.of_columns = of_columns
        read_weights(self.search.weights, self.start.turned_only)
        read_network(&self.search.network, weights)
        if not tree_clear(&self.search.tree):
            raise MemoryError

    def __dealloc__(self):
        tree_free(&self.search.tree)

    def scores(self, uint64_t first, int games):
        """Return the scores of the games of so many seeds from ``first`` on."""
        cdef int i
        return [self.play_seed(first + i) for i in range(games)]

    cdef int play_seed(self, uint64_t seed) except -1:
        cdef uint8_t cards[MOST_CARDS]
        cdef Dealt dealt
        cdef PlainGame truth = self.start
        with nogil:
            self.deal_seed(seed, cards, &dealt)
            deal(&truth, &dealt)
            tree_clear(&self.search.tree)
            self.search.chance.state = seed
            self.search.shown = &truth
            self.play_on(&truth)
            self.search.shown = NULL
        return score_of(&truth)

    cdef void play_on(self, PlainGame* truth) noexcept nogil:
        cdef Choice choices[MOST_CHOICES]
        cdef PlainGame p
        cdef int count
        while score_of(truth) < ALL_UP:
            hide(truth, &p)
            count = choices_of(&p, self.search.weights, choices)
            if count <= 0:
                return
            if count > 1:
                self.look(&p)
                if not begin_thinking(&self.search, &p):
                    return
                self.forget_shown(truth)
                think(&self.search, &p)
                perform(truth, &self.search.tree.branches[best_branch(&self.search)].choice)
            else:
                perform(truth, choices)

    cdef void look(self, const PlainGame* p) noexcept nogil:
        """Set the cards shown in ``p``. The tree, built knowing less, is cleared if any are."""
        cdef int column
        self.search.stock_not_shown = stock_left(p) - self.of_stock
        for column in range(COLUMNS):
            self.search.hidden_not_shown[column] = p.hidden[column] - self.of_columns
        if self.of_stock > 0 or self.of_columns > 0:
            tree_clear(&self.search.tree)

    cdef void forget_shown(self, const PlainGame* truth) noexcept nogil:
        """Remove the cards that are shown from those that can be drawn."""
        cdef uint64_t shown = 0
        cdef int column, i, kept = 0
        for i in range(truth.turned, min(truth.turned + self.of_stock, truth.stock_size)):
            shown |= <uint64_t>1 << truth.stock[i]
        for column in range(COLUMNS):
            for i in range(max(0, truth.hidden[column] - self.of_columns), truth.hidden[column]):
                shown |= <uint64_t>1 << truth.card[column][i]
        for i in range(self.search.unseen.count):
            if not shown >> self.search.unseen.cards[i] & 1:
                self.search.unseen.cards[kept] = self.search.unseen.cards[i]
                kept += 1
        self.search.unseen.count = kept
