"""Messages about commands and options that do not exist, with what could be written instead."""

import os
import shlex
from difflib import get_close_matches

import click

from ..rules.cards import shown
from ..rules.variants import variant_called
from .arguments import find_game


def no_such_option(error: click.NoSuchOption) -> str:
    """The message for an option that a command does not have, with what could be written instead."""
    assert error.ctx is not None
    option, command = error.option_name, error.ctx.info_name
    near = get_close_matches(option, error.possibilities or (), n=1, cutoff=0.75)
    if error.ctx.parent is None:
        instead = "options of a command follow it, as in: winnable solve fortress --seed 8"
    elif option == "--game" or variant_called(option):
        instead = f"GAME is a word without --, as in: winnable {command} fortress"
    elif command == "rate" and option in ("-n", "-s", "--count", "--seed", "--seeds"):
        instead = "expected --deals, such as 1-100"
    else:
        instead = f"did you mean {near[0]}?" if near else f"see: winnable {command} --help"
    return f"No such option {option!r}; {instead}"


def no_such_command(words: list[str], commands: list[str]) -> str:
    """The message for ``words`` that do not begin with one of ``commands``, with what could be written
    instead."""
    begins_with_game = find_game(tuple(words))[1][:1] != (words[0],)
    if begins_with_game or os.path.exists(words[0]):
        return f"expected a command first, as in: winnable solve {shlex.join(words)}"
    near = get_close_matches(words[0].lower(), [*commands, "--version"])
    hint = f"did you mean {near[0]}?" if near else "see: winnable --help"
    return f"No such command {shown(words[0])}; {hint}"
