"""Deals by the thousand: solved by threads or a cluster, stored, and what they add up to."""

from .chunk import Batch, ChunkSolver, ClusterBatch, ClusterError, Task, in_order, solve_many

__all__ = ["Batch", "ChunkSolver", "ClusterBatch", "ClusterError", "Task", "in_order", "solve_many"]
