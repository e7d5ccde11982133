"""The parts of the Joker player that tests ask: features, forecasts, hashes, and the cards drawn."""

include "../../solver/joker/parts.pxi"
include "../../solver/player/tree.pxi"
include "../../solver/player/joker_views.pxi"
include "../../solver/player/joker_moves.pxi"
include "../../solver/player/value.pxi"
include "../../solver/player/joker_search.pxi"

from winnable.solver.core.border cimport read_seen


def strides():
    """List the strides of the turns of 0, 1, ... unseen cards."""
    return [STRIDE[count] for count in range(MOST + 1)]


cdef class PlayerParts:
    """The parts of a player with this ``seed``, and with the network of ``weights`` unless that is None."""

    cdef JokerPlayer* player

    def __cinit__(self):
        self.player = new_joker_player()
        if self.player == NULL:
            raise MemoryError

    def __init__(self, uint64_t seed=0, bytes weights=None):
        self.player.thinker.player.seed = seed
        if weights is not None:
            assert len(weights) == sizeof(Network)
            memcpy(&self.player.network, <const char*>weights, sizeof(Network))

    def __dealloc__(self):
        if self.player != NULL:
            self.player.thinker.player.free(&self.player.thinker.player)

    cdef int load(self, table, Choice* choices) except -1:
        """Load a table, and write its choices to ``choices``. Returns their number."""
        cdef Desk desk
        read_seen(&desk, table, "joker")
        load_position(self.player, &desk)
        return choices_of(&self.player.position, self.player.weights, choices)

    def overflows(self, table, column, bint thinks):
        """Return whether a position like ``table``, but with seven columns like ``column``, all face up, has
        more choices than there is room for: for their list, and for a decision."""
        cdef float scores[MOST_CHOICES]
        cdef Desk desk
        cdef Player* player = &self.player.thinker.player
        read_seen(&desk, table, "joker")
        for i in range(COLUMNS):
            desk.hidden[i], desk.size[i] = 0, len(column)
            for j, card in enumerate(column):
                desk.card[i][j] = card
        player.thinks, player.visits = thinks, 100
        player.load(player, &desk)
        player.begin(player)
        count = player.list_choices(player, scores)
        player.decide(player, True)
        return count == TOO_MANY_CHOICES, player.has_overflowed

    def keys(self, table, cards):
        """Return hashes of the position of a table, and of that after each of its choices, where the unseen
        ``cards`` lie in the order of `rules.tables.filled`."""
        cdef Choice choices[MOST_CHOICES]
        cdef Position game, after
        cdef int i, column, count = self.load(table, choices)
        game = self.player.position
        unseen = iter(cards)
        for column in range(COLUMNS):
            for i in range(game.hidden[column]):
                if game.card[column][i] == UNSEEN:
                    game.card[column][i] = next(unseen)
        for i in range(game.turned, game.stock_size):
            if game.stock[i] == UNSEEN:
                game.stock[i] = next(unseen)
        for i in range(game.waste_size):
            if game.waste[i] == UNSEEN:
                game.waste[i] = next(unseen)
        keys = []
        for i in range(count):
            after = game
            make_choice(&after, &choices[i])
            keys.append(seen_hash(&after))
        return seen_hash(&self.player.position), keys

    def features(self, table):
        """Return the features of a table: lists for the whole, for each column, and for each card of the
        waste; see value.pxi."""
        cdef Features found
        cdef Choice choices[MOST_CHOICES]
        cdef int i, j, count = self.load(table, choices)
        features_of(&self.player.position, choices, count, &found)
        whole = [found.whole[i] for i in range(found.whole_count)]
        columns = [[found.of_column[i][j] for j in range(found.column_count[i])] for i in range(COLUMNS)]
        cards = [[found.of_waste[i][j] for j in range(found.card_count[i])] for i in range(found.waste_count)]
        return whole, columns, cards

    def forecast(self, table):
        """Evaluate a table by the network: the chances of at least a win, a double and a triple, and the
        expected number of cards up."""
        cdef Forecast found
        cdef Choice choices[MOST_CHOICES]
        cdef int count = self.load(table, choices)
        forecast(&self.player.network, &self.player.position, choices, count, &found)
        return found.reached[0], found.reached[1], found.reached[2], found.cards

    def draws(self, table, uint32_t visits):
        """Return the cards that ``visits`` visits of a choice that turns a card up would turn up in a
        table."""
        cdef Choice choices[MOST_CHOICES]
        cdef Unseen unseen
        cdef const Position* p = &self.player.position
        cdef uint32_t i
        self.load(table, choices)
        unseen.count = unseen_of(p, unseen.cards)
        return [unseen.cards[turn_of(self.player, seen_hash(p), i, unseen.count)] for i in range(visits)]

    def draw_to_the_end(self, table):
        """Play on from a table by rule, drawing cards as they are turned up. Returns whether the cards left
        were, at each moment, those not seen."""
        cdef Choice choices[MOST_CHOICES]
        cdef Unseen unseen, left
        cdef Choice choice
        cdef Position* p = &self.player.position
        self.load(table, choices)
        unseen.count = unseen_of(p, unseen.cards)
        while rule_choice(p, self.player.weights, &choice) > 0:
            perform_drawing(p, &choice, &unseen, turn_of(self.player, seen_hash(p), 0, unseen.count))
            left.count = unseen_of(p, left.cards)
            if left.count != unseen.count or memcmp(left.cards, unseen.cards, left.count) != 0:
                return False
        return True
