"""The command ``winnable mcp``: tools for language models."""

import click

from .. import interrupts
from ..console import complain, failure
from ..main import BAD_INPUT

_EXTRA = "the tools require another package: pip install 'winnable[mcp]'"


@click.command("mcp")
def command() -> None:
    """Offer tools to language models, by the Model Context Protocol on standard input and output.

    The tools are describe, deal, play, hint, solve, verify and review. The program with the language model
    starts this command itself, once it is entered there as a server; the manual shows how (docs/mcp.md). The
    tools require the extra package of: pip install 'winnable[mcp]'.

    \b
    Examples:
      winnable mcp

    Exit status: 0 done, 2 bad usage or input, 130 interrupted, 143 ended by SIGTERM.
    """
    try:
        from ..tools import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "winnable":
            raise
        raise click.UsageError(_EXTRA) from None
    # Where the server does not end by the end of its input, a thread still waits for that.
    try:
        server.run()
    except (KeyboardInterrupt, SystemExit) as ended:
        interrupts.end(int(getattr(ended, "code", interrupts.INTERRUPTED)))
    except BaseExceptionGroup as group:
        cause: BaseException = group
        while isinstance(cause, BaseExceptionGroup):
            cause = cause.exceptions[0]
        if not isinstance(cause, OSError):
            raise cause from None
        complain(failure(cause))
        interrupts.end(BAD_INPUT)
