"""Best-first search for the greatest score without jokers; see one_pass.pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ..core.bits cimport highest_bit
from ..core.kernel cimport Kernel
from ..core.nodes cimport NodeStore
from .cards cimport CLUBS, MOST, bit
from .search cimport Estimates
from .state cimport ClassKey, ClassLayout

cdef enum:
    MOST_GROUPS = 7         # groups of columns
    GROUP_BITS = 6          # most bits of a key that a group takes
    MOST_SLOTS = 47
    EIGHTS = 6              # tables of eight slots that MOST_SLOTS need

cdef struct Group:          # what some columns hold, for one choice of the numbers of their dealt cards
    uint64_t hidden         # face-down cards
    uint64_t bases          # dealt cards that are the deepest face-up ones
    int held                # columns with a dealt card left

cdef struct OnePassLayout:  # what is constant from the position loaded on
    int ranks
    int suits               # one bit for each suit of the deck
    int places, columns
    int slots               # cards of the waste, then of the stock
    int turned              # slots that were turned in the position loaded
    int group_count
    int group_shift[MOST_GROUPS]
    int group_mask[MOST_GROUPS]
    Group groups[MOST_GROUPS][1 << GROUP_BITS]
    uint64_t in_slots[EIGHTS][256]      # the cards in each subset of eight slots
    uint64_t present        # the cards of the deck
    uint64_t kings          # cards of the highest rank
    uint64_t leaves[MOST]   # by dealt card: subtracted from the key when it leaves its column as a base
    uint8_t beneath[MOST]   # by dealt card: the face-down card beneath it, or NONE
    uint8_t slot_card[MOST]

cdef struct OnePassPosition:   # an unpacked key
    uint64_t key
    uint64_t filled         # cards on the foundations
    uint64_t face           # cards face up in columns
    uint64_t bases          # face-up cards that were dealt to their column and are its deepest face-up card
    uint64_t placed         # face-up cards that lie on face-up cards
    uint64_t kings          # face-up kings at the bottom of a column that are no bases
    uint64_t open           # face-up cards on top of a column, or that a lateral move can bring there
    uint64_t waste          # slots of the waste that hold a card
    int turned              # slots turned
    int empty               # empty columns
    int score

cdef bint open_one_pass(OnePassLayout* small, const ClassLayout* layout, const ClassKey* key,
                        uint64_t* packed) noexcept nogil

cdef inline uint64_t cards_below(uint64_t height) noexcept nogil:
    """Return the clubs on a foundation of ``height``, at most 13."""
    return <uint64_t>0x1111111111111 & (bit(4 * height) - 1)

cdef inline void unpack_one_pass(const OnePassLayout* layout, uint64_t key,
                                 OnePassPosition* p) noexcept nogil:
    """Unpack ``key`` to ``p``."""
    cdef uint64_t removed = key & (bit(layout.slots) - 1), left = ~removed, gone, rest
    cdef int heights = key >> layout.slots & 0xFFFF, held = 0, sums, i
    cdef const Group* group
    p.key = key
    p.filled = (cards_below(heights & 15) | cards_below(heights >> 4 & 15) << 1
                | cards_below(heights >> 8 & 15) << 2 | cards_below(heights >> 12) << 3)
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
    """Return the cards of ``face`` whose group (cards of one rank and colour) has more members than cards on
    them. ``on`` has the cards that lie on face-up cards, each shifted up by one rank."""
    cdef uint64_t black = CLUBS & more_of(face, face >> 3, on >> 1, on >> 2)
    cdef uint64_t red = CLUBS & more_of(face >> 1, face >> 2, on, on >> 3)
    return face & (black * 9 | red * 6)

cdef inline uint64_t more_of(uint64_t one, uint64_t other, uint64_t on_one, uint64_t on_other) noexcept nogil:
    """Return the bits that are set in more of ``one`` and ``other`` than of ``on_one`` and ``on_other``."""
    return one & other & ~(on_one & on_other) | (one | other) & ~(on_one | on_other)

cdef struct OnePassMarks:   # what the relaxed game of Theorem J10 reaches
    uint64_t bare, holders, up
    uint64_t waste      # slots whose cards have not left the waste
    uint64_t last       # of each column, the deepest face-up dealt card that has not left
    uint64_t leaves     # cards that leave the waste when they are on its top
    bint emptied        # some column may be empty

cdef int one_pass_bound(const OnePassLayout* layout, const OnePassPosition* p,
                        OnePassMarks* marks) noexcept nogil

cdef struct Settled:        # moves that keep the greatest score of a state (J11)
    uint64_t onto           # cards that may be put on a card that they fit, or kings in an empty column
    uint64_t up             # cards that may go to their foundation
    bint roomy              # all kings that can still travel have an empty column

cdef void settle(const OnePassLayout* layout, const OnePassPosition* p, const OnePassMarks* marks,
                 Settled* settled) noexcept nogil

cdef enum:
    MOST_STEPS = 256        # 48 tops of the waste with 2 plays each, 4 cards up and 7 bases

cdef struct Gains:          # changes of the estimate
    int up                  # one more card on the foundations
    int from_waste          # one card less in the waste
    int turned              # one card turned
    int turned_up           # one face-down card less
    int emptied             # one more empty column

cdef struct Step:           # a macro and the state after it
    uint64_t key
    uint32_t code
    int score
    int gain                # change of the estimate

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
    NOTHING_LEFT = -1       # in place of a bucket: all are empty

cdef struct OnePassNode:   # 24 bytes
    uint64_t key
    uint32_t parent         # node number; the first node is its own parent
    uint32_t code           # the macro from the parent to this node
    uint32_t next           # 1 + the node beneath in its bucket, or 0

cdef struct OnePassNodes:
    NodeStore store         # its slots hold tagged keys, so a lookup reads no nodes
    uint32_t heads[BUCKETS]
    int highest

cdef struct OnePassSearch:
    OnePassLayout layout
    OnePassPosition position   # the state being expanded
    Settled settled         # its settled moves
    OnePassNodes nodes
    Gains gains
    Step steps[MOST_STEPS]
    uint64_t root
    int wanted              # a score that suffices; 0: the greatest is searched for
    int score               # greatest score found
    int bound               # upper bound of the score of all lines
    uint32_t best           # first node with the score found

cdef void search_one_pass(OnePassSearch* search, Kernel* kernel, uint64_t max_bytes) noexcept nogil
cdef int codes_to_best(const OnePassSearch* search, uint32_t* codes) noexcept nogil
