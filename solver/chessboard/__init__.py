"""Chessboard and Fortress: depth-first search for verdicts, A* for shortest lines, replay, certificates."""
