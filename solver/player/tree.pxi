"""PUCT tree search over information sets, with the rule player as prior: what the players share.

Each iteration descends the tree to an information set not met before. The value network evaluates it, where
one was trained for the game; else the rule player, with some noise, plays to the end. Sources: P. Cowling,
E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012 (one observer, one determinization
an iteration); C. Rosin, "Multi-armed bandits with episode context", 2011 (priors); D. Silver and others,
"Mastering the game of Go without human knowledge", 2017 (a network at the leaves, no play-outs).

A node is an information set: all that a person sees at that moment, however the cards came to lie so.
Chance needs no nodes of its own, since the card that a move turns up is part of what is seen next.
Positions with a single choice take neither visits nor nodes.

The move is chosen by the lower confidence bound of its value, since the prior can keep most visits on a
move that is seen to be worse. `think` budgets a decision; the part of a game sets `make_ready`,
`draw_sample` and the functions of its `Player`.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove, memset

from winnable.solver.core.clock cimport thread_microseconds
from winnable.solver.core.dealer cimport SplitMix, draw as random_bits
from winnable.solver.core.desk cimport PlainMove
from winnable.solver.core.hash_set cimport (
    Explored, add_record, clear_explored, explored_bytes, find_hashed, free_explored, hash_of, open_keyed,
    record_at,
)
from winnable.solver.core.kernel cimport (
    MEMORY, NODES, NOTHING, SAMPLING, UNLIMITED, Kernel, begin, poll, set_unlimited,
)
from winnable.solver.core.memory cimport more_room
from winnable.solver.core.player cimport (
    FREE, LAST_DECISION, MOST_CHOICES, MOST_TIERS, SAFE, STOCK_FIRST, SURE_WIN, TOO_MANY_CHOICES, UNSEEN,
    BeginPlay, Decide, FreePlayer, ListChoices, LoadSeen, PlayDeal, Player, RankChoices, Ranked, SampleUnseen,
    StepsOf,
)

cdef enum:
    LONGEST_PATH = 128
    NOISE = 15              # of scores in play-outs
    ALL_UP = 52             # the score of a game whose cards are all on the foundations
    LONGEST_GAME = 1000     # choices; no game has so many
    FIRST_BRANCHES = 8192
    MOST_TREE_NODES = 3000000   # the search goes on without new nodes then

cdef extern from *:
    """
    /* The difference of two scores at which one prior is e times the other. */
    static const double WINNABLE_WARMTH = 100.0;
    /* With play-outs, with forecasts. */
    static const double WINNABLE_EXPLORATION[2] = {1.0, 0.3};
    /* The share of triples that ends a search, likewise. */
    static const double WINNABLE_CERTAIN[2] = {1.0, 0.9975};
    static const double WINNABLE_LEAST_PRIOR = 0.05;
    /* Of a branch where nothing is known yet. */
    static const double WINNABLE_FIRST_VALUE = 0.3;
    /* Standard errors of the lower bound. */
    static const double WINNABLE_CAUTION = 1.5;
    /* Of each tier, beyond that of the one below; of all cards up. */
    static const double WINNABLE_UTILITY[3] = {0.20, 0.15, 0.60};
    static const double WINNABLE_CARD_UTILITY = 0.05;
    """
    const double WARMTH "WINNABLE_WARMTH"
    const double EXPLORATION "WINNABLE_EXPLORATION"[2]
    const double CERTAIN "WINNABLE_CERTAIN"[2]
    const double LEAST_PRIOR "WINNABLE_LEAST_PRIOR"
    const double FIRST_VALUE "WINNABLE_FIRST_VALUE"
    const double CAUTION "WINNABLE_CAUTION"
    const double UTILITY "WINNABLE_UTILITY"[MOST_TIERS]
    const double CARD_UTILITY "WINNABLE_CARD_UTILITY"

cdef struct Choice:         # one to three moves that belong together; each family has its kinds
    int8_t kind, source, target, count, rank, suit
    float score

cdef struct Forecast:       # of how a game ends
    float reached[MOST_TIERS]   # the chance of at least each tier
    float cards             # that go up

cdef struct Branch:         # a choice in a node, and what came of it
    Choice choice
    float prior
    uint32_t visits
    float reached[MOST_TIERS]   # how many of them came to at least that tier, or are expected to
    double total            # of the utilities of its visits
    double squares

cdef struct TreeNode:
    uint64_t hash
    uint32_t visits
    uint32_t first          # branch
    uint32_t count          # of branches
    double total

cdef struct ChoiceTree:
    Explored nodes          # by their hashes
    Branch* branches
    uint64_t branch_count, branch_room, max_bytes

cdef struct Thinker

ctypedef bint (*MakeReady)(Thinker* self) noexcept nogil
ctypedef void (*DrawSample)(Thinker* self) noexcept nogil

cdef struct Thinker:
    Player player           # the first field
    ChoiceTree tree
    SplitMix chance
    int look_every          # samples, at the clock and whether more would change anything
    int root                # node, or -1
    uint32_t path[LONGEST_PATH]     # nodes
    uint32_t taken[LONGEST_PATH]    # branches
    Choice listed[MOST_CHOICES]     # the choices that were last listed or ranked
    MakeReady make_ready    # find or make the root of the position to decide; False if memory runs out
    DrawSample draw_sample  # run one more iteration


# --- Cards by chance ------------------------------------------------------------------------------------

cdef inline uint64_t mixed(uint64_t sum, uint64_t value) noexcept nogil:
    """Mix ``value`` into the hash ``sum``."""
    sum = (sum ^ value) * <uint64_t>0x9DDFEA08EB382D69
    return sum ^ (sum >> 32)


cdef inline void shuffle_cards(uint8_t* cards, int count, SplitMix* chance) noexcept nogil:
    cdef int i, j
    cdef uint8_t card
    for i in range(count - 1, 0, -1):
        j = (random_bits(chance) >> 32) * (i + 1) >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


cdef inline int best_choice(const Choice* choices, int count) noexcept nogil:
    """Return the index of the first choice of the highest score."""
    cdef int i, best = 0
    for i in range(1, count):
        if choices[i].score > choices[best].score:
            best = i
    return best


cdef inline int noisy_choice(const Choice* choices, int count, SplitMix* chance) noexcept nogil:
    """Return the index of the choice of the highest score after adding noise to each."""
    cdef int i, best = 0
    cdef float score, highest = -1e9
    cdef uint64_t bits = 0
    for i in range(count if count > 1 else 0):
        if i & 3 == 0:
            bits = random_bits(chance)
        score = choices[i].score + (bits & 0xFFFF) * (<float>NOISE / 65536)
        bits >>= 16
        if score > highest:
            highest = score
            best = i
    return best


# --- Tree -----------------------------------------------------------------------------------------------

cdef inline TreeNode* tree_node(const ChoiceTree* tree, uint32_t number) noexcept nogil:
    """Return the node with this number; the pointer is valid until a node is added."""
    return <TreeNode*>record_at(&tree.nodes, number)


cdef inline bint tree_clear(ChoiceTree* tree) noexcept nogil:
    """Clear the tree, or allocate a small one, whatever the memory limit is. Returns False if memory runs
    out."""
    tree.branch_count = 0
    if tree.nodes.slots == NULL:
        return open_keyed(&tree.nodes, sizeof(TreeNode), sizeof(uint64_t), UNLIMITED)
    clear_explored(&tree.nodes)
    return True


cdef inline void tree_free(ChoiceTree* tree) noexcept nogil:
    free_explored(&tree.nodes)
    free(tree.branches)


cdef inline int tree_find(const ChoiceTree* tree, uint64_t hash) noexcept nogil:
    """Find the node of a position; -1 if there is none."""
    cdef const uint8_t* key = <const uint8_t*>&hash
    cdef uint32_t slot
    if find_hashed(&tree.nodes, key, hash_of(&tree.nodes, key), &slot):
        return tree.nodes.slots[slot] - 1
    return -1


cdef inline bint reserve_branches(ChoiceTree* tree, int count) noexcept nogil:
    """Reserve memory for ``count`` branches. Returns False if memory runs out."""
    if tree.branch_count + count > tree.branch_room and not more_room(
            &tree.branches, &tree.branch_room, FIRST_BRANCHES, sizeof(Branch),
            tree.max_bytes - min(tree.max_bytes, explored_bytes(&tree.nodes))):
        return False
    tree.nodes.max_bytes = tree.max_bytes - min(tree.max_bytes, tree.branch_room * sizeof(Branch))
    return True


cdef inline int tree_add(ChoiceTree* tree, uint64_t hash, const Choice* choices, int count) noexcept nogil:
    """Add the node of a new position, with priors from the scores. Returns its number, -1 if memory runs
    out."""
    cdef TreeNode node = TreeNode(hash, 0, tree.branch_count, count, 0.0)
    cdef Branch* branch
    cdef int i
    cdef float best = choices[0].score
    cdef double sum = 0.0
    if tree.nodes.count >= MOST_TREE_NODES or not reserve_branches(tree, count):
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


cdef inline void add_root(Thinker* self, uint64_t hash, const Choice* choices, int count) noexcept nogil:
    """Add the root; if memory runs out, once more in a cleared tree. The root is -1 if that fails, too."""
    self.root = tree_add(&self.tree, hash, choices, count)
    if self.root < 0 and tree_clear(&self.tree):
        self.root = tree_add(&self.tree, hash, choices, count)


# --- Search -------------------------------------------------------------------------------------------

cdef inline uint32_t selected(const Thinker* self, const TreeNode* node) noexcept nogil:
    """Select the branch of a node by PUCT."""
    cdef const Branch* branch
    cdef uint32_t i, best = node.first
    cdef double unvisited = node.total / node.visits if node.visits else FIRST_VALUE
    cdef double scale = EXPLORATION[self.player.has_network] * sqrt(node.visits + 1.0), value, highest = -1.0
    for i in range(node.first, node.first + node.count):
        branch = &self.tree.branches[i]
        value = branch.total / branch.visits if branch.visits else unvisited
        value += scale * (LEAST_PRIOR + branch.prior) / (1.0 + branch.visits)
        if value > highest:
            highest = value
            best = i
    return best


cdef inline void back_up(Thinker* self, int depth, const Forecast* found) noexcept nogil:
    """Back up a result through the path."""
    cdef Branch* branch
    cdef TreeNode* node
    cdef int i, tier
    cdef double utility = 0.0
    for tier in range(MOST_TIERS):
        utility += UTILITY[tier] * found.reached[tier]
    utility += CARD_UTILITY * found.cards / ALL_UP
    for i in range(depth):
        node = tree_node(&self.tree, self.path[i])
        node.visits += 1
        node.total += utility
        branch = &self.tree.branches[self.taken[i]]
        branch.visits += 1
        branch.total += utility
        branch.squares += utility * utility
        for tier in range(MOST_TIERS):
            branch.reached[tier] += found.reached[tier]


cdef inline double lower_bound(const Branch* branch) noexcept nogil:
    """Return the lower confidence bound of the value of a branch, which must have visits."""
    cdef double n = branch.visits, mean = branch.total / n, variance = branch.squares / n - mean * mean
    return mean - CAUTION * sqrt((max(variance, 0.0) + 0.2 / n) / n)


cdef inline uint32_t least_visits(uint64_t visits) noexcept nogil:
    """Return how many of ``visits`` visits a branch needs for its value to count: a fiftieth, at least
    ten."""
    return max(<uint64_t>10, visits // 50)


cdef inline int best_branch(const Thinker* self) noexcept nogil:
    """Choose the branch of the root with the highest lower bound, or else the most visited one."""
    cdef const TreeNode* root = tree_node(&self.tree, self.root)
    cdef const Branch* branches = self.tree.branches
    cdef uint32_t i, least = least_visits(root.visits)
    cdef int best = -1, most = root.first
    for i in range(root.first, root.first + root.count):
        if branches[i].visits > branches[most].visits:
            most = i
        if branches[i].visits >= least and (
                best < 0 or lower_bound(&branches[i]) > lower_bound(&branches[best])):
            best = i
    return most if best < 0 else best


cdef inline bint is_settled(const Thinker* self) noexcept nogil:
    """Test whether more visits would not change the choice or its estimate: the most visited branch is the
    choice and cannot be overtaken any more; over 200 samples of it all went out, or a network is as good as
    certain of it; or all samples of all branches ended alike."""
    cdef const TreeNode* root = tree_node(&self.tree, self.root)
    cdef const Branch* branch
    cdef uint64_t most = 0, second = 0, left
    cdef uint32_t i
    cdef int best = best_branch(self)
    cdef double squares = 0.0, mean
    for i in range(root.first, root.first + root.count):
        branch = &self.tree.branches[i]
        squares += branch.squares
        if branch.visits > most:
            second = most
            most = branch.visits
        elif branch.visits > second:
            second = branch.visits
    branch = &self.tree.branches[best]
    if branch.visits == most:
        if branch.visits > 200 and (
                branch.reached[MOST_TIERS - 1] >= CERTAIN[self.player.has_network] * branch.visits):
            return True
        left = self.player.visits - root.visits if root.visits < self.player.visits else 0
        if root.count > 1 and most > second + left:
            return True
    if root.visits < 512:
        return False
    mean = root.total / root.visits
    return squares / root.visits - mean * mean < 1e-12


# --- Thinking -------------------------------------------------------------------------------------------

cdef inline bint start_game(Thinker* self) noexcept nogil:
    """Begin a game: the tree is cleared, and the random numbers start anew. Returns False if memory or time
    runs out."""
    self.tree.max_bytes = self.player.kernel.limits.bytes
    self.chance.state = self.player.seed
    self.player.iterations = 0
    self.player.kernel.stage_now = SAMPLING
    if not begin(&self.player.kernel):
        return False
    if not tree_clear(&self.tree):
        self.player.kernel.reason = MEMORY
    return self.player.kernel.reason == NOTHING


cdef inline bint think(Thinker* self) noexcept nogil:
    """Search until visits or time are used up, or more visits would change nothing. Returns False at a limit
    of the game."""
    cdef uint64_t began = thread_microseconds()
    cdef Kernel* kernel = &self.player.kernel
    cdef int _
    if self.tree.nodes.slots == NULL:   # the game could not begin
        return False
    if not self.make_ready(self):
        kernel.reason = MEMORY
        return False
    while tree_node(&self.tree, self.root).visits < self.player.visits:
        if is_settled(self):
            break
        for _ in range(self.look_every):
            if tree_node(&self.tree, self.root).visits >= self.player.visits:
                break
            self.draw_sample(self)
        if not poll(kernel):
            return False
        if self.player.iterations >= kernel.limits.nodes:
            kernel.reason = NODES
            return False
        if self.player.think_time > 0 and thread_microseconds() - began >= self.player.think_time:
            break
    return True


cdef inline void note_thinking(Thinker* self) noexcept nogil:
    """Update the figures that are reported while the kernel searches."""
    self.player.kernel.expanded = self.player.iterations
    self.player.kernel.bytes_held = (
        explored_bytes(&self.tree.nodes) + self.tree.branch_room * sizeof(Branch))


cdef inline void note_game(Thinker* self, int score, bint has_won) noexcept nogil:
    """Note how a game that was played ended."""
    self.player.kernel.expanded = self.player.iterations
    self.player.score = score
    self.player.has_won = has_won


cdef inline uint64_t add_branches(const Thinker* self, Branch* branches) noexcept nogil:
    """Add the results of a search for the choices of its root to ``branches``. Returns its visits of the
    root."""
    cdef const TreeNode* root = tree_node(&self.tree, self.root)
    cdef const Branch* found = &self.tree.branches[root.first]
    cdef uint32_t i
    cdef int tier
    for i in range(root.count):
        branches[i].choice = found[i].choice
        branches[i].visits += found[i].visits
        branches[i].total += found[i].total
        branches[i].squares += found[i].squares
        for tier in range(self.player.tiers):
            branches[i].reached[tier] += found[i].reached[tier]
    return root.visits


cdef inline int rank_branches(Thinker* self, Thinker** others, int count, Ranked* ranked) noexcept nogil:
    """Rank the choices of the root, see `RankChoices`. Returns 0 if the last decision needed no search."""
    cdef Branch branches[MOST_CHOICES]
    cdef bint is_known[MOST_CHOICES]
    cdef double worth[MOST_CHOICES]
    cdef int order[MOST_CHOICES]
    cdef Branch* branch
    cdef uint64_t visits
    cdef int i, j, tier, found
    if self.root < 0:
        return 0
    memset(branches, 0, sizeof(branches))
    visits = add_branches(self, branches)
    for i in range(count):
        if others[i].root >= 0:
            visits += add_branches(others[i], branches)
    found = tree_node(&self.tree, self.root).count
    for i in range(found):
        branch = &branches[i]
        is_known[i] = branch.visits >= least_visits(visits)
        worth[i] = lower_bound(branch) if is_known[i] else branch.visits
        j = i
        while j > 0 and (
                is_known[i] > is_known[order[j - 1]]
                or is_known[i] == is_known[order[j - 1]] and worth[i] > worth[order[j - 1]]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    for i in range(found):
        branch = &branches[order[i]]
        self.listed[i] = branch.choice
        ranked[i].choice = i
        ranked[i].visits = branch.visits
        for tier in range(self.player.tiers):
            ranked[i].reached[tier] = <int>(branch.reached[tier] + 0.5)
    return found
