"""What every search needs, knowing no game: kernels, tables, stored states, queues, the dealer."""
