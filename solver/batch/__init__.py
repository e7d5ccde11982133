"""Batches of deals: solving them with threads or on a cluster, storing results, statistics."""

from .chunk import ChunkSolver, ClusterError, Task
from .cluster import ClusterBatch
from .supply import in_order
from .threads import Batch, solve_many, solve_records

__all__ = [
    "Batch",
    "ChunkSolver",
    "ClusterBatch",
    "ClusterError",
    "Task",
    "in_order",
    "solve_many",
    "solve_records",
]
