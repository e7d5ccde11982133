"""Chessboard and Fortress: packed positions, their search, shortest lines, the plain rules."""
