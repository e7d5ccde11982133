"""The searches of Joker and one-pass Klondike: a file for each part, which uses those before it."""

from libc.stdint cimport int8_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from winnable.solver.core.bits cimport count_bits, highest_bit, lowest_bit, prefetch_at, take_bit
from winnable.solver.core.nodes cimport (
    CHUNK, IMPROVED, NOTHING_QUEUED, NO_NODE, PROVED, SEARCHING, STOPPED, Buckets, Link, Node, NodeStore,
    Nodes, Progress, add_node, dequeue, enqueue, find_slot, first_number, free_buckets, free_nodes,
    free_store, has_room, link_node, make_room_for_node, next_node, nodes_bytes, open_buckets, pathmax,
    push_number, remove_number, reopen, reset_nodes, reset_store, set_parent, store_bytes,
)
from winnable.solver.core.desk cimport Desk, JokerCondition, PlainMove
from winnable.solver.core.hash_set cimport (
    Explored, add_record, explored_bytes, find_record, free_explored, hash_of, open_explored, record_at,
)
from winnable.solver.core.invariant cimport IS_CHECKED, invariant
from winnable.solver.core.kernel cimport (
    A_STAR, BEAM, BEST_FIRST, MEMORY, NOTHING, UNLIMITED, Answer, Kernel, Listen, add_work, begin,
    begin_stage, may_expand, may_pass, poll, tell, work_done, work_left, write_answer,
)
from winnable.solver.core.memory cimport more_room, resize
from winnable.solver.core.work cimport (
    JOKER_BEAM_STATE, JOKER_CLASS, JOKER_EXACT, JOKER_JUDGED, JOKER_LANDMARKS, JOKER_LOOK, JOKER_NODE,
    JOKER_ONE_PASS,
)
from winnable.solver.joker cimport replay
from winnable.solver.joker.replay cimport Game

include "cards.pxi"
include "position.pxi"
include "packing.pxi"
include "one_pass_landmarks.pxi"
include "line.pxi"
include "one_pass_astar.pxi"
include "beam.pxi"
include "state.pxi"
include "bound.pxi"
include "moves.pxi"
include "search.pxi"
include "one_pass.pxi"
include "shortest.pxi"
include "tiers.pxi"
include "kernel.pxi"
