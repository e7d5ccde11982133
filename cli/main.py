"""The command ``winnable``: a table of commands, each loaded when it is called, and the exit status.

Exit status: 0 decided (either way) or done, 3 undecided, 2 bad usage or bad input, 1 a crash.
"""

from __future__ import annotations

import difflib
import importlib
import signal
import sys
from typing import Any

import click

from winnable import __version__

from ..rules.cards import shown
from ..rules.text import FormatError

COMMANDS = {
    "solve": "Decide deals: can they be won, and how.",
    "deal": "Print deals, by seed or PySolFC number, or convert a file.",
    "difficulty": "Tell how hard deals are to play.",
    "verify": "Replay a line of play by the rules.",
    "hint": "Say which next move is best, and which ones throw the win away.",
    "review": "Mark the moves of a game that threw something away.",
    "replay": "Write a page that shows a line of play, move by move.",
    "describe": "Print the rules of a game, or of the dealer.",
    "play": "Play a game without seeing the hidden cards.",
    "rate": "Estimate how often a game can be won.",
    "report": "Show the stored results of many deals.",
    "bench": "Measure the speed of the search.",
}

UNDECIDED = 3
BAD_INPUT = 2


class Interrupted(click.ClickException):
    """Ctrl-C came before there was an answer."""


class LazyGroup(click.Group):
    """A group whose commands are modules of this package, imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called ``cmd_name``, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{cmd_name}", __package__)
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` begin with. Raises UsageError, naming the nearest one, if there is none,
        and for an option that is given twice."""
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0].lower(), COMMANDS, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else "see: winnable --help"
            raise click.UsageError(f"No such command {shown(args[0])}; {hint}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            from .arguments import check_given_once

            check_given_once(command, name or "", ctx, rest)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C becomes Interrupted."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without loading the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="winnable")
def cli() -> None:
    """Decide solitaire deals: can this deal be won, in how few moves, how?

    \b
    Examples:
      winnable solve chessboard --seed 8
      winnable hint simple-simon position.txt
      winnable replay joker --seed 1 --output joker.html
      winnable deal joker --seed 1 --count 10 --format jsonl
      winnable describe simon-jester

    Answers go to standard output, all else to standard error; every answer comes in JSON too (--json). On
    a terminal cards have suit signs and colours: NO_COLOR=1 or a pipe make them plain. Completion, for bash
    (zsh and fish are alike): eval "$(_WINNABLE_COMPLETE=bash_source winnable)"

    Exit status: 0 decided either way, 3 undecided, 2 bad usage or input.
    """


def main() -> None:
    """Run the command line and exit; quietly, as any filter does, when nobody reads on."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(run())


def run(args: list[str] | None = None) -> int:
    """Run the command line and return the exit status. Bad input is told in one line on stderr."""
    try:
        status: Any = cli.main(args, prog_name="winnable", standalone_mode=False)
        sys.stdout.flush()
        return int(status or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except Interrupted as error:
        _complain(error.format_message())
        return UNDECIDED
    except click.ClickException as error:
        _complain(error.format_message())
    except FormatError as error:
        _complain(str(error))
    except OSError as error:
        _complain(f"{error.filename or 'output'}: {error.strerror}")
    return BAD_INPUT


def _complain(message: str) -> None:
    click.echo("winnable: " + " ".join(message.split()), err=True)
