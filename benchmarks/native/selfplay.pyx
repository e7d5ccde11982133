"""Self-play: training examples for the value network, from games of the search player.

Most games start with some random decisions, so that positions occur which the player would avoid.
From then on each decision with a choice is an example, and so is every other node of the search with enough
visits, since the network evaluates those positions, too. An example has the position, the shares of the
samples that reached each tier after the best choice, and for decisions the score of the game.
"""

cimport cython

include "../../solver/joker/parts.pxi"
include "../../solver/player/tree.pxi"
include "../../solver/player/joker_views.pxi"
include "../../solver/player/joker_moves.pxi"
include "../../solver/player/value.pxi"
include "../../solver/player/joker_search.pxi"

from libc.stdlib cimport realloc

from winnable.solver.core.border cimport Border, read_seen
from winnable.solver.core.desk cimport MOST_CARDS

from winnable.rules import find_variant
from winnable.rules.tables import hidden

cdef enum:
    KEPT = 200000       # nodes of a game
    BETWEEN_LOOKS = 64  # samples

cdef double BY_CHANCE = 0.7     # of the games begin so, with up to
cdef int MOST_BY_CHANCE = 70    # decisions
cdef double LITTLE_NOISE = 20.0     # of the scores then, and once in twelve
cdef double MUCH_NOISE = 400.0

cdef inline void search_freely(JokerPlayer* player, const Position* p) noexcept nogil:
    """Iterate until the visits are used up or the choice is settled, without any other limit."""
    cdef Thinker* thinker = &player.thinker
    cdef int _
    while tree_node(&thinker.tree, thinker.root).visits < thinker.player.visits and not is_settled(thinker):
        for _ in range(BETWEEN_LOOKS):
            iterate(player, p)


cdef struct Example:
    Position position
    float shares[TIERS]
    float score         # of the game, -1 of a node that was no decision
    float visits
    float game          # its seed, modulo 10^6


def example_bytes():
    """Return the size of an example, and of the position at its start."""
    return sizeof(Example), sizeof(Position)


def sizes():
    """Count the features: of the whole, of a column, of a card of the waste."""
    return WHOLE, COLUMN, WASTE_CARD


@cython.final
cdef class SelfPlayKernel(Border):
    """Self-play of ``game`` with ``choices`` of rules and so many ``visits`` a decision, with the network of
    ``weights``, or by play-outs where that is None, keeping nodes with ``least`` visits or more."""

    cdef JokerPlayer* player
    cdef Position start        # with the choices
    cdef uint32_t least
    cdef SplitMix plan
    cdef Example* examples
    cdef int count, capacity

    def __cinit__(self, *_):
        self.player = new_joker_player()
        if self.player == NULL:
            raise MemoryError

    def __init__(self, game, choices, uint32_t visits, uint32_t least, weights):
        cdef Desk desk
        self.open_deals(find_variant(game), choices)
        read_seen(&desk, hidden(find_variant(game).deal(0, choices=choices)), "joker")
        load_position(self.player, &desk)
        self.start = self.player.position
        self.player.thinker.tree.max_bytes = <uint64_t>1 << 30
        self.player.thinker.player.visits = visits
        self.least = least
        self.player.thinker.player.has_network = weights is not None
        if weights is not None:
            if len(weights) != sizeof(Network):
                raise ValueError(f"expected {sizeof(Network)} bytes, got {len(weights)}")
            memcpy(&self.player.network, <const char*>weights, sizeof(Network))
        self.player.kept_capacity = KEPT
        self.player.kept = <Position*>malloc(KEPT * sizeof(Position))
        if self.player.kept == NULL or not tree_clear(&self.player.thinker.tree):
            raise MemoryError

    def __dealloc__(self):
        if self.player != NULL:
            free_joker_player(self.player)
        free(self.examples)

    def play(self, uint64_t first, int games):
        """Return the examples of the games of so many seeds from ``first`` on, as bytes, one `Example` after
        the other, and the scores of the games."""
        cdef int i
        self.count = 0
        scores = []
        for i in range(games):
            scores.append(self.play_seed(first + i))
        return (<const char*>self.examples)[:self.count * <Py_ssize_t>sizeof(Example)], scores

    cdef int play_seed(self, uint64_t seed) except -1:
        cdef uint8_t cards[MOST_CARDS]
        cdef Desk dealt
        cdef Position truth = self.start
        cdef bint has_memory
        with nogil:
            self.deal_seed(seed, cards, &dealt)
            deal(&truth, &dealt)
            tree_clear(&self.player.thinker.tree)
            self.player.thinker.chance.state = self.plan.state = seed
            has_memory = self.play_on(&truth, seed % 1000000)
        if not has_memory:
            raise MemoryError
        return score_of(&truth)

    cdef bint play_on(self, Position* truth, int game) noexcept nogil:
        """Play to the end and write the examples; false without memory."""
        cdef Choice choices[MOST_CHOICES]
        cdef Choice chosen
        cdef Position p
        cdef int count, number = 0, begin = self.count, by_chance = 0, i
        cdef uint32_t node
        if (random_bits(&self.plan) >> 40) < BY_CHANCE * (1 << 24):
            by_chance = (random_bits(&self.plan) >> 32) * MOST_BY_CHANCE >> 32
        while score_of(truth) < ALL_UP:
            hide(truth, &p)
            count = choices_of(&p, self.player.weights, choices)
            if count <= 0:
                break
            chosen = choices[0]
            if count > 1 and number < by_chance:
                chosen = choices[self.noisy_choice(choices, count)]
            elif count > 1:
                if not begin_thinking(self.player, &p):
                    return False
                search_freely(self.player, &p)
                chosen = self.player.thinker.tree.branches[best_branch(&self.player.thinker)].choice
                if not self.write(self.player.thinker.root, &p, 0.0, game):
                    return False
            make_choice(truth, &chosen)
            number += 1
        for i in range(begin, self.count):
            self.examples[i].score = score_of(truth)
        for node in range(min(self.player.thinker.tree.nodes.count, self.player.kept_capacity)):
            if tree_node(&self.player.thinker.tree, node).visits >= self.least:
                if not self.write(node, &self.player.kept[node], -1.0, game):
                    return False
        return True

    cdef int noisy_choice(self, const Choice* choices, int count) noexcept nogil:
        """Return the choice of the highest score with noise, mostly little of it, sometimes much."""
        cdef double noise = MUCH_NOISE if random_bits(&self.plan) % 12 == 0 else LITTLE_NOISE
        cdef double score, highest = -1e9
        cdef int i, best = 0
        for i in range(count):
            score = choices[i].score + noise * (random_bits(&self.plan) >> 40) / (1 << 24)
            if score > highest:
                highest = score
                best = i
        return best

    cdef bint write(self, int node, const Position* p, float score, int game) noexcept nogil:
        """Write an example; false without memory."""
        cdef Example* example
        cdef const Branch* branch
        cdef int tier
        if self.count == self.capacity:
            self.capacity = 2 * self.capacity + 4096
            example = <Example*>realloc(self.examples, self.capacity * sizeof(Example))
            if example == NULL:
                return False
            self.examples = example
        self.player.thinker.root = node
        branch = &self.player.thinker.tree.branches[best_branch(&self.player.thinker)]
        example = &self.examples[self.count]
        example.position = p[0]
        example.score = score
        example.visits = tree_node(&self.player.thinker.tree, node).visits
        example.game = game
        for tier in range(TIERS):
            example.shares[tier] = branch.reached[tier] / branch.visits
        self.count += 1
        return True


def fill_counts(bytes examples, size_t whole, size_t columns, size_t cards, size_t starts):
    """Count the features of ``examples`` into arrays of zeros, given by their addresses: floats of shape
    (examples, WHOLE), (COLUMNS * examples, COLUMN) and (cards, WASTE_CARD), with space for all cards of the
    waste; where the cards of each example begin goes to 64-bit integers. Return the number of cards."""
    cdef const Example* example = <const Example*><const char*>examples
    cdef Py_ssize_t count = len(examples) // <Py_ssize_t>sizeof(Example), i
    cdef float[WHOLE]* to_whole = <float[WHOLE]*>whole
    cdef float[COLUMN]* to_columns = <float[COLUMN]*>columns
    cdef float[WASTE_CARD]* to_cards = <float[WASTE_CARD]*>cards
    cdef uint64_t* to_starts = <uint64_t*>starts
    cdef Choice choices[MOST_CHOICES]
    cdef Features found
    cdef int j, k, card = 0
    with nogil:
        for i in range(count):
            j = choices_of(&example[i].position, weights_of(False), choices)
            features_of(&example[i].position, choices, j, &found)
            for j in range(found.whole_count):
                to_whole[i][found.whole[j]] += 1
            for j in range(COLUMNS):
                for k in range(found.column_count[j]):
                    to_columns[COLUMNS * i + j][found.of_column[j][k]] += 1
            to_starts[i] = card
            for j in range(found.waste_count):
                for k in range(found.card_count[j]):
                    to_cards[card][found.of_waste[j][k]] += 1
                card += 1
    return card
