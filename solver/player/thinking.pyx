"""The base of the player's kernels: how long a decision is thought about, and what was found.

A kernel of a game overrides `make_ready`, `draw_sample` and `moves_of`.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from ..core.clock cimport thread_microseconds
from ..core.kernel cimport MEMORY, NODES, NOTHING, SAMPLING, Kernel
from .moves cimport MOST_CHOICES, Choice
from .search cimport Search, is_settled, least_visits, lower_bound
from .tree cimport Branch, TreeNode, tree_bytes, tree_clear, tree_free

from ..result import REASONS


cdef class ThinkingKernel(Kernel):
    """Plays a game as ``player``, a `player.Player`, tells it.

    ``limits`` end a game early, as those of other kernels end a search: seconds are those of the whole game,
    nodes are samples. One kernel serves one thread.
    """

    def __init__(self, limits, player):
        self.set_limits(limits)
        self.search.root = -1
        self.search.tree.max_bytes = self.max_bytes
        self.search.visits = player.visits or <uint32_t>0xFFFFFFFF
        self.kind = player.kind
        self.thinks = player.kind != "rule"
        self.think_time = 0 if player.seconds is None else <uint64_t>(1e6 * player.seconds) + 1
        self.seed = player.seed

    def __dealloc__(self):
        tree_free(&self.search.tree)

    cdef bint begin_game(self) noexcept nogil:
        """Forget what was thought about other games; false without memory or time."""
        self.search.chance.state = self.seed
        self.search.iterations = 0
        self.stage_now = SAMPLING
        if not self.begin():
            return False
        if not tree_clear(&self.search.tree):
            self.reason = MEMORY
        return self.reason == NOTHING

    cdef bint make_ready(self) noexcept nogil:
        """Find or make the root of the position that is thought about; false without memory."""
        return False

    cdef void draw_sample(self) noexcept nogil:
        """Take one more sample into the tree."""

    cdef list moves_of(self, const Choice* choice):
        """The moves of a choice, as the rules have them."""
        raise NotImplementedError

    cdef bint think(self, bint is_brief) noexcept nogil:
        """Search until the visits or the time are used up, or nothing more would change, where ``is_brief``
        lets it break off as soon as the choice would not; false if a limit of the game forbids to go on."""
        cdef uint64_t began = thread_microseconds(), first = self.search.iterations
        cdef int _
        if not self.make_ready():
            self.reason = MEMORY
            return False
        self.search.horizon = self.search.visits
        while self.search.tree.nodes[self.search.root].visits < self.search.visits:
            if is_settled(&self.search):
                break
            for _ in range(self.look_every):
                if self.search.tree.nodes[self.search.root].visits >= self.search.visits:
                    break
                self.draw_sample()
            if not self.poll():
                return False
            if self.search.iterations >= self.max_nodes:
                self.reason = NODES
                return False
            if self.think_time > 0 and self.is_time_up(thread_microseconds() - began, first, is_brief):
                break
        return True

    cdef bint is_time_up(self, uint64_t spent, uint64_t first, bint is_brief) noexcept nogil:
        """Whether the time of a decision is spent. Where it is not, it says how many visits there will be
        when it is, if these drew on at the pace since the iteration ``first``."""
        cdef double left, visits = self.search.tree.nodes[self.search.root].visits
        if spent >= self.think_time:
            return True
        if is_brief and spent > 0:
            left = <double>(self.search.iterations - first) * (self.think_time - spent) / spent
            self.search.horizon = <uint32_t>min(<double>self.search.visits, visits + left)
        return False

    cdef void note(self) noexcept nogil:
        self.expanded = self.search.iterations
        self.bytes_held = tree_bytes(&self.search.tree)

    def begin_deal(self):
        """Begin another game: earlier ones are forgotten, and chance begins anew."""
        with nogil:
            self.begin_game()

    def ranked(self, others=()):
        """What the last `choose` found of each choice, the best first: its moves, its visits, and how many of
        them came, or were expected to come, to each tier at least. Empty if it did not search. The ``others``
        are kernels that have thought about the same position: their visits count too.
        """
        cdef Branch branches[MOST_CHOICES]
        cdef Branch* branch
        cdef ThinkingKernel other
        cdef uint32_t i
        cdef uint64_t visits
        if self.search.root < 0:
            return []
        memset(branches, 0, sizeof(branches))
        visits = add_branches(&self.search, self.tiers, branches)
        for other in others:
            if other.search.root >= 0:
                visits += add_branches(&other.search, self.tiers, branches)
        found = []
        for i in range(self.search.tree.nodes[self.search.root].count):
            branch = &branches[i]
            is_known = branch.visits >= least_visits(visits)
            worth = lower_bound(branch) if is_known else branch.visits
            reached = tuple([<int>(branch.reached[tier] + 0.5) for tier in range(self.tiers)])
            found.append((is_known, worth, self.moves_of(&branch.choice), branch.visits, reached))
        return [entry[2:] for entry in sorted(found, key=lambda entry: entry[:2], reverse=True)]

    @property
    def forced(self):
        """Why the last `choose` thought about nothing, in words; None if nothing was forced."""
        return None

    @property
    def ended_by(self):
        """The limit that ended the game, by name, or None."""
        return REASONS[self.reason]

    @property
    def iterations(self):
        """The samples drawn since the game began."""
        return self.search.iterations


cdef uint64_t add_branches(const Search* search, int tiers, Branch* branches) noexcept:
    """Add what a search found of the choices of its root; its visits there."""
    cdef const TreeNode* root = &search.tree.nodes[search.root]
    cdef const Branch* found = &search.tree.branches[root.first]
    cdef uint32_t i
    cdef int tier
    for i in range(root.count):
        branches[i].choice = found[i].choice
        branches[i].visits += found[i].visits
        branches[i].total += found[i].total
        branches[i].squares += found[i].squares
        for tier in range(tiers):
            branches[i].reached[tier] += found[i].reached[tier]
    return root.visits
