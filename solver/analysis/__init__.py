"""Analysis for players: hints, reviews of lines, difficulty of deals, cards that block each other."""
