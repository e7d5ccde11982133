"""What moves, lines and deals are worth to a person who plays."""
