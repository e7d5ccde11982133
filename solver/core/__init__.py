"""Infrastructure of all searches: kernels, hash tables, node stores, queues, dealer."""
