"""The searches of Klondike with redeals: a file for each part, which uses those before it."""

from libc.stdint cimport int8_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove, memset

from winnable.solver.core.bits cimport count_bits, hash_words, highest_bit, lowest_bit, take_bit
from winnable.solver.core.desk cimport Desk, PlainMove
from winnable.solver.core.hash_set cimport (
    ADDED, NO_MEMORY, Explored, Table, add_hashed, add_record, explored_bytes, fetch_slot, find_hashed,
    find_record, free_explored, hash_key, open_keyed, record_at, table_bytes, table_free, table_insert,
    table_reset,
)
from winnable.solver.core.invariant cimport IS_CHECKED, invariant
from winnable.solver.core.kernel cimport (
    A_STAR, BEAM, BEST_FIRST, MEMORY, NOTHING, RELAXATION, UNLIMITED, WORK, Answer, Kernel, Listen, add_work,
    allow_work, begin, begin_stage, may_expand, may_pass, poll, tell, work_done, work_left, write_answer,
)
from winnable.solver.core.memory cimport free_pages, more_room, new_pages, resize
from winnable.solver.core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, SEARCHING, STOPPED, Node, Nodes, Progress, add_node, dequeue, enqueue,
    find_slot, free_nodes, link_node, next_node, nodes_bytes, pathmax, reopen, reset_nodes, set_parent,
)
from winnable.solver.core.work cimport KLONDIKE_BEAM, KLONDIKE_GAME, KLONDIKE_NODE, KLONDIKE_STATE
from winnable.solver.klondike cimport replay
from winnable.solver.klondike.replay cimport Game

include "state.pxi"
include "position.pxi"
include "search.pxi"
include "steps.pxi"
include "line.pxi"
include "landmarks.pxi"
include "shortest.pxi"
include "kernel.pxi"
