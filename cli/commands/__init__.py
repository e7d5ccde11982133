"""The commands of `winnable`: one module a command, loaded by `cli.main` when it is called."""
