"""The searches of Chessboard and Fortress: a file for each part, which uses those before it."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from winnable.solver.chessboard cimport replay
from winnable.solver.chessboard.replay cimport Game
from winnable.solver.core.bits cimport count_bits, lowest_bit, take_bit
from winnable.solver.core.nodes cimport (
    IMPROVED, NO_NODE, SEARCHING, STOPPED, Node, Nodes, Progress, add_node, count_of, dequeue, enqueue,
    find_slot, free_nodes, link_node, next_node, nodes_bytes, pack_move, pathmax, reopen, reset_nodes,
    source_of, target_of,
)
from winnable.solver.core.desk cimport FOUNDATION, Desk, PlainMove
from winnable.solver.core.hash_set cimport (
    ADDED, KNOWN, NO_MEMORY, Entry, Explored, Table, add_record, explored_bytes, free_explored, open_keyed,
    record_at, table_bytes, table_free, table_insert, table_reset,
)
from winnable.solver.core.invariant cimport IS_CHECKED, invariant
from winnable.solver.core.kernel cimport (
    A_STAR, BREADTH_FIRST, DEPTH_FIRST, MEMORY, Answer, Kernel, Listen, begin, begin_stage, may_expand, tell,
    write_answer,
)
from winnable.solver.core.memory cimport more_room, resize
from winnable.solver.core.work cimport CHESSBOARD_NODE, CHESSBOARD_POSITION, CHESSBOARD_STATE

include "position.pxi"
include "shortest.pxi"
include "most_up.pxi"
include "kernel.pxi"
