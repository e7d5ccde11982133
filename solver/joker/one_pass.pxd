"""Best-first search for the greatest score without jokers; see one_pass.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.bits cimport highest_bit
from ..core.kernel cimport Kernel
from ..core.nodes cimport NodeStore
from .cards cimport CLUBS, MOST, bit
from .search cimport Estimates
from .state cimport ClassKey, ClassLayout

cdef enum:
    MOST_GROUPS = 7         # of columns
    GROUP_BITS = 6          # the most that a group takes of a key
    MOST_SLOTS = 47
    EIGHTS = 6              # that hold so many slots

cdef struct Group:          # what some columns hold, for one choice of the numbers of their dealt cards
    uint64_t hidden         # the face-down cards
    uint64_t bases          # the dealt cards that are the deepest face-up ones
    int held                # columns that have such a card

cdef struct OnePassLayout:  # what is constant from the position that was loaded on
    int ranks
    int suits               # a bit each
    int places, columns
    int slots               # waste, then stock
    int turned              # slots that were not in the stock any more
    int group_count
    int group_shift[MOST_GROUPS]
    int group_mask[MOST_GROUPS]
    Group groups[MOST_GROUPS][1 << GROUP_BITS]
    uint64_t in_slots[EIGHTS][256]      # the cards of every choice of eight slots
    uint64_t present        # the cards of the deck
    uint64_t kings          # of the highest rank
    uint64_t leaves[MOST]   # of each dealt card of a column: what the key loses when it leaves as a base
    uint8_t beneath[MOST]   # of each of these: the face-down card beneath it, or NONE
    uint8_t slot_card[MOST]

cdef struct OnePassPosition:   # a key taken apart
    uint64_t key
    uint64_t filled         # cards that are up
    uint64_t face           # cards face up in columns
    uint64_t bases          # those that were dealt to a column and are the deepest face-up ones there
    uint64_t placed         # those that lie on face-up cards
    uint64_t kings          # those at the bottom of a column
    uint64_t open           # those that are on top of columns or may be so after a lateral move
    uint64_t waste          # slots that hold a card
    int turned              # slots that are not in the stock any more
    int empty               # columns
    int score

cdef uint64_t FILLED[2][256]        # the cards that are up, by the heights of two suits

cdef bint open_one_pass(OnePassLayout* small, const ClassLayout* layout, const ClassKey* key,
                        uint64_t* packed) noexcept nogil

cdef inline void unpack_one_pass(const OnePassLayout* layout, uint64_t key,
                                 OnePassPosition* p) noexcept nogil:
    """Take a key apart."""
    cdef uint64_t removed = key & (bit(layout.slots) - 1), left = ~removed, gone, rest
    cdef int heights = key >> layout.slots & 0xFFFF, held = 0, sums, i
    cdef const Group* group
    p.key = key
    p.filled = FILLED[0][heights & 255] | FILLED[1][heights >> 8]
    sums = (heights & 0x0F0F) + (heights >> 4 & 0x0F0F)
    p.score = (sums & 255) + (sums >> 8)
    p.turned = max(layout.turned, highest_bit(removed) + 1) if removed else layout.turned
    p.waste = left & (bit(p.turned) - 1)
    gone = p.filled
    for i in range((layout.slots + 7) // 8):
        gone |= layout.in_slots[i][left >> 8 * i & 255]
    p.bases = 0
    for i in range(layout.group_count):
        group = &layout.groups[i][key >> layout.group_shift[i] & layout.group_mask[i]]
        gone |= group.hidden
        p.bases |= group.bases
        held += group.held
    p.face = layout.present & ~gone
    p.kings = p.face & layout.kings & ~p.bases
    p.placed = p.face & ~(p.bases | p.kings)
    rest = p.kings
    while rest:
        held += 1
        rest &= rest - 1
    p.empty = layout.columns - held
    p.open = open_of(p.face, p.placed << 4)

cdef inline uint64_t open_of(uint64_t face, uint64_t on) noexcept nogil:
    """The face-up cards of which more are alike than lie on them; ``on`` has those on some, a rank higher."""
    cdef uint64_t black = CLUBS & more_of(face, face >> 3, on >> 1, on >> 2)
    cdef uint64_t red = CLUBS & more_of(face >> 1, face >> 2, on, on >> 3)
    return face & (black * 9 | red * 6)

cdef inline uint64_t more_of(uint64_t one, uint64_t other, uint64_t on_one, uint64_t on_other) noexcept nogil:
    """Test, bit by bit, if more of the first two words are set than of the last two."""
    return one & other & ~(on_one & on_other) | (one | other) & ~(on_one | on_other)

cdef struct OnePassMarks:
    uint64_t bare, holders, up
    uint64_t waste      # slots of cards that stay
    uint64_t last       # the deepest face-up dealt card of each column that has one
    uint64_t leaves     # the cards that would leave the waste from its top
    bint emptied        # some column may be empty

cdef int one_pass_bound(const OnePassLayout* layout, const OnePassPosition* p,
                        OnePassMarks* marks) noexcept nogil

cdef struct Settled:        # moves that lose nothing in a state
    uint64_t onto           # cards that may be put where they fit
    uint64_t up             # cards that may go up
    bint roomy              # there are empty columns for all kings that can come

cdef void settle(const OnePassLayout* layout, const OnePassPosition* p, const OnePassMarks* marks,
                 Settled* settled) noexcept nogil

cdef enum:
    MOST_STEPS = 256        # 48 tops of the waste with 2 plays each, 4 cards up and 7 bases

cdef struct Gains:          # what steps add to the estimate
    int up                  # a card to the foundations
    int from_waste          # a card less in the waste
    int turned              # a turn
    int turned_up           # a face-down card less
    int emptied             # an empty column more

cdef struct Step:           # a macro and what it leads to
    uint64_t key
    uint32_t code
    int score
    int gain                # of the estimate

cdef void set_gains(Gains* gains, const Estimates* estimates) noexcept nogil
cdef bint find_safe(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                    Step* step) noexcept nogil
cdef bint find_settled(const OnePassLayout* layout, const OnePassPosition* p, const Settled* settled,
                       const Gains* gains, Step* step) noexcept nogil
cdef int write_steps(const OnePassLayout* layout, const OnePassPosition* p, const Settled* settled,
                     const Gains* gains, Step* steps) noexcept nogil

cdef enum:
    BUCKETS = 2048
    MOST_NODES = 0xFFFFFFFE
    NOTHING_LEFT = -1       # no bucket

cdef struct OnePassNode:   # 24 bytes
    uint64_t key
    uint32_t parent         # the first node is its own
    uint32_t code           # the macro that leads here from there
    uint32_t next           # the node beneath in its bucket + 1, or 0

cdef struct OnePassNodes:
    NodeStore store         # its slots hold tagged keys: looking one up reads no node
    uint32_t heads[BUCKETS]
    int highest

cdef struct OnePassSearch:
    OnePassLayout layout
    OnePassPosition position   # the state that is expanded
    Settled settled         # in it
    OnePassNodes nodes
    Gains gains
    Step steps[MOST_STEPS]
    uint64_t root
    int score               # the greatest found
    int bound               # no line reaches more
    uint32_t best           # the node of that score

cdef void search_one_pass(OnePassSearch* search, Kernel kernel, uint64_t max_bytes) noexcept nogil
cdef int codes_to_best(const OnePassSearch* search, uint32_t* codes) noexcept nogil
