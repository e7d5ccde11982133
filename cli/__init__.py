"""How a person asks: one module a command, without logic of its own."""
