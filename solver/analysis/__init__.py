"""Analysis for players: hints, reviews of lines, difficulty of deals."""
