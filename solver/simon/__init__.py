"""Simon Jester and Simple Simon: classes of positions, the portfolio of searches, shorter lines."""
