"""The command ``winnable``: a lazy table of commands, and the exit status.

Exit status: 0 decided (either way) or done, 1 a line that verify finds wrong, or a bug, 2 bad usage or
input, or output, memory or a library refused by the system, 3 undecided, 130 interrupted before there was an
answer.
"""

import atexit
import errno
import gc
import importlib
import os
import sys
import warnings
from contextlib import suppress
from functools import partial
from io import BufferedReader, RawIOBase, TextIOWrapper
from typing import Any

import click

from .. import __version__
from ..solver.diagnostics import EngineWarning, WrongAnswer
from . import console, interrupts
from .console import complain, say, tell
from .help import WORDS, Formatter, write_options
from .terminal import fit

COMMANDS = {
    "solve": "Decide whether deals can be won, and how.",
    "deal": "Print deals, by seed or PySolFC number, or convert a file.",
    "difficulty": "Measure how hard deals are to play.",
    "verify": "Check a solution by replaying it.",
    "check": "Check a certificate, the proof of an answer, without searching.",
    "hint": "Rank the next moves, and name those that lose.",
    "review": "Mark the mistakes in a played game.",
    "replay": "Write a web page that plays a solution move by move.",
    "describe": "List the games, or print the rules of one.",
    "board": "Play in the browser, and see what each position is worth.",
    "play": "Play in the terminal.",
    "simulate": "Let the computer play a game without seeing the hidden cards.",
    "rate": "Estimate how often a game can be won.",
    "report": "Summarize the stored results of many deals.",
    "engine": "Answer requests of other programs, JSON lines on standard input and output.",
    "mcp": "Offer tools to language models, by the Model Context Protocol.",
    "fc-solve": "Solve a board for PySolFC, in place of fc-solve.",
    "bench": "Measure the speed of the search.",
}
UNLISTED = ("bench",)
"""Commands for developers, which the lists of commands leave out."""

FIRST_STEPS = """\
Can this solitaire deal be won, and how?

  winnable solve chessboard --seed 8       decide a deal: the verdict, and the moves
  winnable hint deal.txt                   what now? the best moves, and which ones lose
  winnable replay deal.txt --output FILE   watch the deal being won, in a browser
  winnable board fortress --seed 8         play it, each position judged (extra 'board')
  winnable rate fortress 1-1000            how often can the game be won?

The games: winnable describe. All commands: winnable --help. Each has examples: winnable solve --help."""
"""The output without arguments."""

WRONG, BAD_INPUT, UNDECIDED = 1, 2, 3

_NO_MEMORY = "out of memory"


class Interrupted(click.ClickException):
    """Ctrl-C before there was an answer."""


class Context(click.Context):
    """The context of a command, in which Ctrl-C is a KeyboardInterrupt."""

    formatter_class = Formatter

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call ``callback`` as click does, with garbage collection enabled: startup is over."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        with interrupts.Working():
            return super().invoke(callback, *args, **kwargs)


def color_option() -> click.Option:
    """The option --color, allowed before and after the name of a command."""
    return click.Option(
        ["--color"],
        type=click.Choice(console.CHOICES),
        expose_value=False,
        is_eager=True,
        callback=lambda context, parameter, value: console.choose(value) if value is not None else None,
        help="Suit signs and colours; auto: only on a terminal.  [default: auto]",
    )


class LazyGroup(click.Group):
    """A group whose commands are modules of `commands`, imported when they are called."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the table."""
        return [name for name in COMMANDS if name not in UNLISTED]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called ``cmd_name``, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".commands.{cmd_name.replace('-', '_')}", __package__)
        command: click.Command = module.command
        if command.context_class is not Context:
            command.context_class = Context
            command.format_options = partial(write_options, command)  # type: ignore[method-assign]
            command.params.append(color_option())
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse ``args``; ``help solve`` is ``solve --help``."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command at the start of ``args``. Raises UsageError if there is none, and for an option given
        twice."""
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing:
            from .suggestions import no_such_command

            raise click.UsageError(no_such_command(args, self.list_commands(ctx)))
        ctx.meta[WORDS] = args[1:]
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
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, asked: _tell_version(ctx) if asked and not ctx.resilient_parsing else None,
    help="Show the version and exit.",
)
def cli() -> None:
    """Decide solitaire deals: can a deal be won, how, and in how few moves?

    \b
    Examples:
      winnable solve chessboard --seed 8
      winnable hint simple-simon position.txt
      winnable replay joker --seed 1 --output joker.html
      winnable deal joker --seed 1 --count 10 --format jsonl
      winnable describe simon-jester

    Answers go to standard output, everything else to standard error; every answer is available as JSON
    (--json). On a terminal cards have suit signs and colours; in a pipe, with NO_COLOR=1 or --color never
    they are plain, and --color always keeps the colours: winnable --color always deal joker --seed 1 | less
    -R. Shell completion for bash (zsh and fish are similar): eval "$(_WINNABLE_COMPLETE=bash_source
    winnable)"

    Exit status: 0 decided either way, 1 a wrong line of play (verify), 2 bad usage or input, or output or
    memory refused by the system, 3 undecided, 130 interrupted before there was an answer. With --json an
    error is an object on standard output as well as a line on standard error.
    """


cli.params.append(color_option())


def _tell_version(context: click.Context) -> None:
    from ..solver.engine import what_is_missing

    lacking = what_is_missing()
    click.echo("\n".join([f"winnable, version {__version__}", *([lacking] if lacking else [])]))
    context.exit()


def main() -> None:
    """Run the command line and exit; silently, like any filter, if standard output is closed."""
    interrupts.end_with_readers()
    _fill_in_streams()
    try:
        status = run()
    except KeyboardInterrupt:
        status = interrupts.INTERRUPTED
    except SystemExit as error:  # a request to end
        status = int(error.code or 0)
    interrupts.leave(status)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # already reported, if possible
            console.silence(stream)
    atexit.register(interrupts.forget)
    gc.freeze()  # saves the collection at exit
    sys.exit(status)


class _Closed(RawIOBase):
    """A closed standard input."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(errno.EBADF, "closed", "standard input")


def _fill_in_streams() -> None:
    """Replace closed streams, so that no file takes their descriptors. Reading the new standard input, or
    writing to the new standard output, fails."""
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
        sys.stdin = TextIOWrapper(BufferedReader(_Closed()), encoding="utf-8")
    if sys.stdout is None:
        read_only = os.fdopen(os.open(os.devnull, os.O_RDONLY), "wb", buffering=0)
        sys.stdout = TextIOWrapper(read_only, encoding="utf-8", write_through=True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def run(args: list[str] | None = None) -> int:
    """Run the command line and return the exit status. Bad input gives one line on stderr."""
    console.begin()
    as_json = any(arg in ("--json", "-j") for arg in (sys.argv[1:] if args is None else args))

    def refuse(text: str, status: int = BAD_INPUT) -> int:
        return _refuse(text, status, as_json)

    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            return _run(args)
        except Interrupted as error:
            if console.was_said():
                complain(error.format_message())
                return UNDECIDED
            return refuse(error.format_message(), interrupts.INTERRUPTED)
        except click.Abort:  # Ctrl-C while the command line was read
            return interrupts.INTERRUPTED
        except click.NoSuchOption as error:
            from .suggestions import no_such_option

            return refuse(no_such_option(error))
        except click.ClickException as error:
            return refuse(error.format_message())
        except ValueError as error:
            from ..rules.formats.text import FormatError  # already imported if such an error was raised

            if not isinstance(error, FormatError):
                raise
            from .arguments import in_words

            return refuse(in_words(error))
        except BrokenPipeError:  # a closed pipe, such as that of a page: end silently like any filter
            interrupts.nobody_reads()
        except OSError as error:
            is_memory = error.errno == errno.ENOMEM
            return refuse(_NO_MEMORY if is_memory else console.failure(error))
        except MemoryError:
            return refuse(_NO_MEMORY)
        except ImportError as error:
            if isinstance(error, ModuleNotFoundError):
                raise
            return refuse(f"cannot load a library: {_first_cause(error)}")
        except WrongAnswer as error:
            return refuse(f"a bug of winnable, and no answer: {error}", WRONG)
        except RuntimeError as error:
            if "can't start new thread" not in str(error):
                raise
            return refuse(_NO_MEMORY)
        return BAD_INPUT


def _first_cause(error: BaseException) -> BaseException:
    """The first cause of ``error``."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _refuse(text: str, status: int, as_json: bool) -> int:
    """Print an error message, with ``as_json`` also as an object on standard output. Returns ``status``, with
    which Ctrl-C ends the program from now on."""
    interrupts.leave(status)
    console.note("")
    complain(text)
    if as_json:
        with suppress(OSError):  # the error may be one of standard output
            say(console.stamped({"error": {"status": status, "message": text}}), is_plain=True)
    return status


def _run(args: list[str] | None) -> int:
    try:
        status: Any = cli.main(args, prog_name="winnable", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError:
        say(fit(FIRST_STEPS))
        status = 0
    sys.stdout.flush()
    return int(status or 0)


def _show_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any
) -> None:
    """Print a warning of this program in one line, and any other as Python does."""
    if issubclass(category, EngineWarning):
        complain(str(message))
    else:
        tell(warnings.formatwarning(message, category, filename, lineno).removesuffix("\n"))
