"""The searches of the Simon family: a file for each part, which uses those before it."""

from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy, memmove, memset

from winnable.solver.core.bits cimport count_bits, lowest_bit, prefetch_at, take_bit
from winnable.solver.core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, SEARCHING, STOPPED, Node, Nodes, Progress, add_node, count_of, dequeue,
    enqueue, find_slot, free_nodes, link_node, next_node, nodes_bytes, pack_move, reset_nodes, source_of,
    target_of,
)
from winnable.solver.core.desk cimport Desk, PlainMove
from winnable.solver.core.hash_set cimport (
    ADDED, KNOWN, NO_MEMORY, Entry, Explored, Table, add_record, clear_explored, explored_bytes, find_or_add,
    free_explored, open_keyed, record_at, table_bytes, table_find, table_free, table_insert, table_reset,
    tagged,
)
from winnable.solver.core.invariant cimport IS_CHECKED, invariant
from winnable.solver.core.kernel cimport (
    A_STAR, BEAM, BEST_FIRST, INTERRUPTED, MEMORY, NOTHING, POLL_MASK, POSITIONS, RELAXATION, UNLIMITED, WORK,
    Answer, Kernel, Listen, add_work, allow_work, begin, begin_stage, may_expand, poll, tell, work_done,
    work_left, write_answer,
)
from winnable.solver.core.memory cimport more_room, resize
from winnable.solver.core.work cimport (
    SIMON_BEAM_CARD, SIMON_BEAM_POSITION, SIMON_CARRIERS, SIMON_CLASS, SIMON_CONFLICT, SIMON_LOOSE,
    SIMON_NODE, SIMON_POSITION, SIMON_SUCCESSOR, UNIT,
)
from winnable.solver.simon cimport replay
from winnable.solver.simon.replay cimport Game

include "common.pxi"
include "classes.pxi"
include "position.pxi"
include "beam_score.pxi"
include "beam.pxi"
include "landmarks.pxi"
include "conflicts.pxi"
include "astar.pxi"
include "class_moves.pxi"
include "relaxation_loose.pxi"
include "best_first.pxi"
include "depth_first.pxi"
include "plan.pxi"
include "relaxation_carriers.pxi"
include "kernel.pxi"
