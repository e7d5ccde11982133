"""PUCT tree search over information sets, with the rule player as prior.

Each iteration descends the tree to an information set not met before. The value network evaluates it, where
one was trained for the game; else the rule player, with some noise, plays to the end. Sources: P. Cowling,
E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012 (one observer, one determinization
an iteration); C. Rosin, "Multi-armed bandits with episode context", 2011 (priors); D. Silver and others,
"Mastering the game of Go without human knowledge", 2017 (a network at the leaves, no play-outs).

A node is an information set: all that a person sees at that moment, however the cards came to lie so.
Chance needs no nodes of its own, since the card that a move turns up is part of what is seen next.
Positions with a single choice take neither visits nor nodes.

An unseen card is drawn only when it is turned up. The visits of a choice take the unseen cards in turn, in
an order that spreads any number of them evenly: a stratified sample, which has less variance than as many
free draws. The order depends only on what is seen. A play-out shuffles the cards that are left.

The move is chosen by the lower confidence bound of its value, since the prior can keep most visits on a
move that is seen to be worse. `ThinkingKernel`, the base of the players' kernels, budgets the decisions;
the kernel of a game overrides `make_ready`, `draw_sample` and `moves_of`.
"""

# optimised: searches spend their time here

from libc.math cimport exp, sqrt
from libc.stdlib cimport free
from libc.string cimport memcmp, memmove, memset

from ..core.clock cimport thread_microseconds
from ..core.hash_set cimport (add_record, clear_explored, explored_bytes, find_hashed, free_explored,
                              open_keyed)
from ..core.hash_set cimport hash_of as hash_of_key
from ..core.border cimport Border
from ..core.kernel cimport MEMORY, NODES, NOTHING, SAMPLING, UNLIMITED, begin, poll
from ..core.memory cimport more_room
from ..joker.position cimport WASTE, score as score_of
from ..joker.tiers cimport least_score
from .joker_moves cimport MOST_CHOICES, TOO_MANY, TURN, choices_of, perform
from .joker_views cimport UNSEEN, hash_of, sample, unseen_of
from .value cimport forecast

from math import gcd

from ..result import REASONS

cdef enum:
    FIRST_BRANCHES = 8192
    MOST_NODES = 3000000    # the search goes on without new nodes then

cdef double WARMTH = 100.0      # the difference of two scores at which one prior is e times the other

cdef enum:
    LOST = 0                # of a record, see record.py
    WON = 1
    UNFINISHED = 2

cdef enum:
    BETWEEN_LOOKS = 64      # samples

cdef double[2] EXPLORATION = [1.0, 0.3]     # with play-outs, with forecasts
cdef double[2] CERTAIN = [1.0, 0.9975]      # the share of triples that ends a search, likewise
cdef double LEAST_PRIOR = 0.05
cdef double FIRST_VALUE = 0.3       # of a branch where nothing is known yet
cdef double CAUTION = 1.5           # standard errors of the lower bound

cdef int[MOST + 1] STRIDE   # of the turns of so many unseen cards: near the golden section, and prime to it

cdef double[TIERS] UTILITY = [0.20, 0.15, 0.60]      # of each tier, beyond that of the one below
cdef double CARD_UTILITY = 0.05     # of all cards up


# --- Tree -----------------------------------------------------------------------------------------------

cdef bint tree_clear(Tree* tree) noexcept nogil:
    """Clear the tree, or allocate a small one, whatever the memory limit is. Returns False if memory runs
    out."""
    tree.branch_count = 0
    if tree.nodes.slots == NULL:
        return open_keyed(&tree.nodes, sizeof(TreeNode), sizeof(uint64_t), UNLIMITED)
    clear_explored(&tree.nodes)
    return True


cdef void tree_free(Tree* tree) noexcept nogil:
    free_explored(&tree.nodes)
    free(tree.branches)


cdef int tree_find(const Tree* tree, uint64_t hash) noexcept nogil:
    """Find the node of a position; -1 if there is none."""
    cdef const uint8_t* key = <const uint8_t*>&hash
    cdef uint32_t slot
    if find_hashed(&tree.nodes, key, hash_of_key(&tree.nodes, key), &slot):
        return tree.nodes.slots[slot] - 1
    return -1


cdef bint reserve(Tree* tree, int count) noexcept nogil:
    """Reserve memory for ``count`` branches. Returns False if memory runs out."""
    if tree.branch_count + count > tree.branch_room and not more_room(
            &tree.branches, &tree.branch_room, FIRST_BRANCHES, sizeof(Branch),
            tree.max_bytes - min(tree.max_bytes, explored_bytes(&tree.nodes))):
        return False
    tree.nodes.max_bytes = tree.max_bytes - min(tree.max_bytes, tree.branch_room * sizeof(Branch))
    return True


cdef int tree_add(Tree* tree, uint64_t hash, const Choice* choices, int count) noexcept nogil:
    """Add the node of a new position, with priors from the scores. Returns its number, -1 if memory runs
    out."""
    cdef TreeNode node = TreeNode(hash, 0, tree.branch_count, count, 0.0)
    cdef Branch* branch
    cdef int i
    cdef float best = choices[0].score
    cdef double sum = 0.0
    if tree.nodes.count >= MOST_NODES or not reserve(tree, count):
        return -1
    if add_record(&tree.nodes, <const uint8_t*>&node) < 0:
        return -1
    for i in range(count):
        best = max(best, choices[i].score)
    memset(&tree.branches[node.first], 0, count * sizeof(Branch))
    for i in range(count):
        branch = &tree.branches[node.first + i]
        branch.choice = choices[i]
        branch.prior = exp((choices[i].score - best) / WARMTH)
        sum += branch.prior
    for i in range(count):
        tree.branches[node.first + i].prior /= sum
    tree.branch_count += count
    return tree.nodes.count - 1


cdef void add_root(Search* search, uint64_t hash, const Choice* choices, int count) noexcept nogil:
    """Add the root; if memory runs out, once more in a cleared tree. The root is -1 if that fails, too."""
    search.root = tree_add(&search.tree, hash, choices, count)
    if search.root < 0 and tree_clear(&search.tree):
        search.root = tree_add(&search.tree, hash, choices, count)


# --- Samples --------------------------------------------------------------------------------------------

def golden_stride(count):
    """Return the number coprime to ``count`` that is nearest to 0.618 times ``count``; 1 if ``count`` is at
    most 1."""
    candidates = [stride for stride in range(1, count) if gcd(stride, count) == 1]
    return min(candidates, key=lambda stride: abs(stride - 0.618 * count), default=1)


STRIDE = [golden_stride(count) for count in range(MOST + 1)]


cdef int rule_choice(const Position* p, const float* weights, Choice* chosen) noexcept nogil:
    """Write the choice of the rule player, the first one of the highest score. Returns the number of choices,
    or TOO_MANY."""
    cdef Choice choices[MOST_CHOICES]
    cdef int count = choices_of(p, weights, choices)
    if count > 0:
        chosen[0] = choices[best_choice(choices, count)]
    return count


cdef inline int turn_of(const Search* search, uint64_t hash, uint32_t visits, int count) noexcept nogil:
    """Select which of ``count`` unseen cards is turned up by a choice in the node ``hash`` after ``visits``
    visits. Searches with other seeds begin with other cards."""
    cdef uint64_t first = (hash >> 20 & 0xFFFF) + search.offset
    return (first + <uint64_t>visits * STRIDE[count]) % count if count > 0 else 0


cdef inline void perform_drawing(Position* p, const Choice* choice, Unseen* unseen,
                                 int which) noexcept nogil:
    """Make the moves of a choice. If they turn up a card that is not known, it is taken from ``unseen`` at
    ``which``."""
    cdef int source = choice.source, hidden = 0
    cdef uint8_t* place = NULL
    if choice.kind == TURN:
        place = &p.stock[p.turned]
    elif source == WASTE:
        if p.waste_size > 1:
            place = &p.waste[p.waste_size - 2]
    else:
        hidden = p.hidden[source]
        if hidden > 0:
            place = &p.card[source][hidden - 1]
    if place == NULL or place[0] != UNSEEN:
        perform(p, choice)
        return
    place[0] = unseen.cards[which]
    perform(p, choice)
    if hidden > 0 and p.hidden[source] == hidden:
        place[0] = UNSEEN
        return
    unseen.count -= 1
    memmove(&unseen.cards[which], &unseen.cards[which + 1], unseen.count - which)


cdef int play_out(Position* p, Search* search, const Unseen* unseen) noexcept nogil:
    """Play to the end by the rule player with noise, in a shuffle of the ``unseen`` cards, for its score."""
    cdef Choice choices[MOST_CHOICES]
    cdef int count, _
    sample(p, unseen.cards, unseen.count, &search.chance)
    for _ in range(LONGEST_GAME):
        count = choices_of(p, search.weights, choices)
        if count <= 0:
            search.has_overflowed |= count == TOO_MANY
            break
        perform(p, &choices[noisy_choice(choices, count, &search.chance)])
        if p.height[0] + p.height[1] + p.height[2] + p.height[3] == ALL_UP:
            break
    return score_of(p)


cdef bint begin_thinking(Search* search, const Position* p) noexcept nogil:
    """Prepare a search from ``p``, which has a choice to make, clearing the tree if memory runs out. Returns
    False if it does so even then."""
    cdef Choice choices[MOST_CHOICES]
    cdef uint64_t hash = hash_of(p)
    cdef int count
    search.unseen.count = unseen_of(p, search.unseen.cards)
    search.root = tree_find(&search.tree, hash)
    if search.root < 0:
        count = choices_of(p, search.weights, choices)
        if count <= 0:
            search.has_overflowed |= count == TOO_MANY
            return False
        add_root(search, hash, choices, count)
        keep(search, search.root, p)
    return search.root >= 0


cdef inline void keep(Search* search, int node, const Position* p) noexcept nogil:
    """Store the position of a new node, if this search stores positions."""
    if node >= 0 and <uint32_t>node < search.kept_capacity:
        search.kept[node] = p[0]


cdef void iterate(Search* search, const Position* p) noexcept nogil:
    """Run one iteration: descend the tree, evaluate or play out, and back up the result."""
    cdef Position here = p[0]
    cdef Unseen unseen = search.unseen
    cdef Choice choices[MOST_CHOICES]
    cdef Branch* branch
    cdef Forecast found
    cdef int node, which, count = 1, depth = 0
    cdef uint64_t hash
    search.iterations += 1
    while depth < LONGEST_PATH:
        hash = hash_of(&here)
        node = search.root if depth == 0 else tree_find(&search.tree, hash)
        if node < 0:
            count = choices_of(&here, search.weights, choices)
            if count <= 0:
                search.has_overflowed |= count == TOO_MANY
                break
            if count > 1:
                keep(search, tree_add(&search.tree, hash, choices, count), &here)
                break
            which = (draw(&search.chance) >> 32) * unseen.count >> 32
            perform_drawing(&here, choices, &unseen, which)
            continue
        search.path[depth] = node
        search.taken[depth] = selected(search, node_at(&search.tree, node))
        branch = &search.tree.branches[search.taken[depth]]
        which = turn_of(search, hash, branch.visits, unseen.count)
        perform_drawing(&here, &branch.choice, &unseen, which)
        depth += 1
    if not search.has_network:
        settle(play_out(&here, search, &unseen), &found)
    elif count <= 0 or score_of(&here) == ALL_UP:
        settle(score_of(&here), &found)
    else:
        forecast(&search.network, &here, choices, count, &found)
    back_up(search, depth, &found)


cdef void think(Search* search, const Position* p) noexcept nogil:
    """Iterate until the visits are used up or the choice is settled, without any other limit."""
    cdef int _
    while node_at(&search.tree, search.root).visits < search.visits and not is_settled(search):
        for _ in range(BETWEEN_LOOKS):
            iterate(search, p)


cdef inline void settle(int score, Forecast* found) noexcept nogil:
    """Write the forecast of a game that ends with ``score``."""
    cdef int tier
    for tier in range(TIERS):
        found.reached[tier] = score >= least_score(tier + 1, ALL_UP)
    found.cards = score


cdef uint32_t selected(const Search* search, const TreeNode* node) noexcept nogil:
    """Select the branch of a node by PUCT."""
    cdef const Branch* branch
    cdef uint32_t i, best = node.first
    cdef double unvisited = node.total / node.visits if node.visits else FIRST_VALUE
    cdef double scale = EXPLORATION[search.has_network] * sqrt(node.visits + 1.0), value, highest = -1.0
    for i in range(node.first, node.first + node.count):
        branch = &search.tree.branches[i]
        value = branch.total / branch.visits if branch.visits else unvisited
        value += scale * (LEAST_PRIOR + branch.prior) / (1.0 + branch.visits)
        if value > highest:
            highest = value
            best = i
    return best


cdef void back_up(Search* search, int depth, const Forecast* found) noexcept nogil:
    """Back up a result through the path."""
    cdef Branch* branch
    cdef TreeNode* node
    cdef int i, tier
    cdef double utility = 0.0
    for tier in range(TIERS):
        utility += UTILITY[tier] * found.reached[tier]
    utility += CARD_UTILITY * found.cards / ALL_UP
    for i in range(depth):
        node = node_at(&search.tree, search.path[i])
        node.visits += 1
        node.total += utility
        branch = &search.tree.branches[search.taken[i]]
        branch.visits += 1
        branch.total += utility
        branch.squares += utility * utility
        for tier in range(TIERS):
            branch.reached[tier] += found.reached[tier]


cdef double lower_bound(const Branch* branch) noexcept nogil:
    """Return the lower confidence bound of the value of a branch, which must have visits."""
    cdef double n = branch.visits, mean = branch.total / n, variance = branch.squares / n - mean * mean
    return mean - CAUTION * sqrt((max(variance, 0.0) + 0.2 / n) / n)


cdef uint32_t least_visits(uint64_t visits) noexcept nogil:
    """Return how many of ``visits`` visits a branch needs for its value to count: a fiftieth, at least
    ten."""
    return max(<uint64_t>10, visits // 50)


cdef int best_branch(const Search* search) noexcept nogil:
    """Choose the branch of the root with the highest lower bound, or else the most visited one."""
    cdef const TreeNode* root = node_at(&search.tree, search.root)
    cdef const Branch* branches = search.tree.branches
    cdef uint32_t i, least = least_visits(root.visits)
    cdef int best = -1, most = root.first
    for i in range(root.first, root.first + root.count):
        if branches[i].visits > branches[most].visits:
            most = i
        if branches[i].visits >= least and (
                best < 0 or lower_bound(&branches[i]) > lower_bound(&branches[best])):
            best = i
    return most if best < 0 else best


cdef bint is_settled(const Search* search) noexcept nogil:
    """Test whether more visits would not change the choice or its estimate: the most visited branch is the
    choice and cannot be overtaken any more; over 200 samples of it all went out, or a network is as good as
    certain of it; or all samples of all branches ended alike."""
    cdef const TreeNode* root = node_at(&search.tree, search.root)
    cdef const Branch* branch
    cdef uint64_t most = 0, second = 0, left
    cdef uint32_t i
    cdef int best = best_branch(search)
    cdef double squares = 0.0, mean
    for i in range(root.first, root.first + root.count):
        branch = &search.tree.branches[i]
        squares += branch.squares
        if branch.visits > most:
            second = most
            most = branch.visits
        elif branch.visits > second:
            second = branch.visits
    branch = &search.tree.branches[best]
    if branch.visits == most:
        if branch.visits > 200 and branch.reached[TIERS - 1] >= CERTAIN[search.has_network] * branch.visits:
            return True
        left = search.visits - root.visits if root.visits < search.visits else 0
        if root.count > 1 and most > second + left:
            return True
    if root.visits < 512:
        return False
    mean = root.total / root.visits
    return squares / root.visits - mean * mean < 1e-12


cdef list draws_of(const Search* search, const Position* p, uint32_t visits):
    """Return the cards that ``visits`` visits of a choice that turns a card up would turn up in ``p``; for
    tests."""
    cdef Unseen unseen
    cdef uint32_t i
    unseen.count = unseen_of(p, unseen.cards)
    return [unseen.cards[turn_of(search, hash_of(p), i, unseen.count)] for i in range(visits)]


cdef bint draw_to_the_end(Search* search, Position* p):
    """Play on from ``p`` by rule, drawing cards as they are turned up; for tests. Returns whether the cards
    left were, at each moment, those not seen."""
    cdef Unseen unseen, left
    cdef Choice choice
    unseen.count = unseen_of(p, unseen.cards)
    while rule_choice(p, search.weights, &choice) > 0:
        perform_drawing(p, &choice, &unseen, turn_of(search, hash_of(p), 0, unseen.count))
        left.count = unseen_of(p, left.cards)
        if left.count != unseen.count or memcmp(left.cards, unseen.cards, left.count) != 0:
            return False
    return True


# --- Kernels of players ---------------------------------------------------------------------------------

cdef class ThinkingKernel(Border):
    """Base of the players' kernels, set up by ``player``, a `player.Player`.

    ``limits`` end a game early, as those of other kernels end a search: seconds are those of the whole game,
    nodes are samples. One kernel serves one thread.
    """

    def __init__(self, limits, player):
        self.set_limits(limits)
        self.search.root = -1
        self.search.tree.max_bytes = self.kernel.limits.bytes
        self.search.visits = player.visits or <uint32_t>0xFFFFFFFF
        self.kind = player.kind
        self.thinks = player.kind != "rule"
        self.think_time = 0 if player.seconds is None else <uint64_t>(1e6 * player.seconds) + 1
        self.seed = player.seed

    def __dealloc__(self):
        tree_free(&self.search.tree)

    cdef bint begin_game(self) noexcept nogil:
        """Clear the tree for a new game. Returns False if memory or time runs out."""
        self.search.chance.state = self.seed
        self.search.iterations = 0
        self.kernel.stage_now = SAMPLING
        if not begin(self.kernel):
            return False
        if not tree_clear(&self.search.tree):
            self.kernel.reason = MEMORY
        return self.kernel.reason == NOTHING

    cdef bint make_ready(self) noexcept nogil:
        """Find or make the root of the position to decide. Returns False if memory runs out."""
        return False

    cdef void draw_sample(self) noexcept nogil:
        """Run one more iteration of the search."""

    cdef list moves_of(self, const Choice* choice):
        """Return the moves of a choice, as the rules have them."""
        raise NotImplementedError

    cdef bint think(self) noexcept nogil:
        """Search until visits or time are used up, or more visits would change nothing. Returns False at a
        limit of the game."""
        cdef uint64_t began = thread_microseconds()
        cdef int _
        if not self.make_ready():
            self.kernel.reason = MEMORY
            return False
        while node_at(&self.search.tree, self.search.root).visits < self.search.visits:
            if is_settled(&self.search):
                break
            for _ in range(self.look_every):
                if node_at(&self.search.tree, self.search.root).visits >= self.search.visits:
                    break
                self.draw_sample()
            if not poll(self.kernel):
                return False
            if self.search.iterations >= self.kernel.limits.nodes:
                self.kernel.reason = NODES
                return False
            if self.think_time > 0 and thread_microseconds() - began >= self.think_time:
                break
        return True

    cdef void note_game(self, Record* record, int score, bint has_won) noexcept nogil:
        """Write to ``record`` how a game that the kernel played by itself ended."""
        self.kernel.expanded = self.search.iterations
        record.score = score
        record.exact = -1       # nothing is said of what can be reached
        record.reason = self.kernel.reason
        record.verdict = WON if has_won else LOST if self.kernel.reason == NOTHING else UNFINISHED

    cdef void note(self) noexcept nogil:
        self.kernel.expanded = self.search.iterations
        self.kernel.bytes_held = (
            explored_bytes(&self.search.tree.nodes) + self.search.tree.branch_room * sizeof(Branch))

    def begin_deal(self):
        """Start another game: the tree is cleared, and the random numbers start anew."""
        with nogil:
            self.begin_game()

    def ranked(self, others=()):
        """Rank the choices of the last `choose`, the best first: each with its moves, its visits, and for
        each tier the number of visits that reached it or a better one, or were expected to. Empty if the
        player did not search. The visits of the ``others``, kernels that have searched the same position,
        count too."""
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
        for i in range(node_at(&self.search.tree, self.search.root).count):
            branch = &branches[i]
            is_known = branch.visits >= least_visits(visits)
            worth = lower_bound(branch) if is_known else branch.visits
            reached = tuple([<int>(branch.reached[tier] + 0.5) for tier in range(self.tiers)])
            found.append((is_known, worth, self.moves_of(&branch.choice), branch.visits, reached))
        return [entry[2:] for entry in sorted(found, key=lambda entry: entry[:2], reverse=True)]

    @property
    def forced(self):
        """Reason why the last decision was forced, in words; None if it was not."""
        return None

    @property
    def ended_by(self):
        """Limit that ended the game, by name, or None."""
        return REASONS[self.kernel.reason]

    @property
    def iterations(self):
        """Number of iterations since the game began."""
        return self.search.iterations


cdef uint64_t add_branches(const Search* search, int tiers, Branch* branches) noexcept:
    """Add the results of a search for the choices of its root to ``branches``. Returns its visits of the
    root."""
    cdef const TreeNode* root = node_at(&search.tree, search.root)
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
