"""``python -m winnable``."""

from winnable.cli.main import main

main()
