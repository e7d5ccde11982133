"""Chessboard and Fortress: positions, depth-first search, A*, independent replay, certificates."""
