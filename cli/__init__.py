"""How a person asks: one module a command, without logic of its own.

`main` has the lazy table of commands; the modules that are none are what commands share. stdout is the
answer, stderr the talk. The program begins in ``src/winnable/__main__.py``, which sees to Ctrl-C before it
imports anything.
"""
