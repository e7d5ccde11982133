"""Command-line interface: click commands without logic of their own.

`main` has the lazy table of `commands`, one module each; the other modules are their helpers. Answers go to
stdout, everything else to stderr. The program starts in ``src/winnable/__main__.py``, which handles Ctrl-C
before it imports anything.
"""
