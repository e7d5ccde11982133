"""The command ``winnable check``: certificates checked without search."""

import sys
from typing import Any

import click

from ...checker import Refused, check
from ...rules.formats.text import format_board
from ..arguments import NameType
from ..console import complain, stamped
from ..main import BAD_INPUT
from ..options import json_option, memory_option, seconds_option


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=NameType(), metavar="FILE...")
@memory_option(4000.0, "Megabytes for the check of one FILE.")
@seconds_option("--max-seconds", 600.0, "Seconds for the check of one FILE.", most=None)
@click.option("--show", is_flag=True, help="Also print the deal of each accepted FILE.")
@json_option
def command(files: tuple[str, ...], max_memory: float, max_seconds: float, show: bool, as_json: bool) -> int:
    """Check certificates: FILEs, or - for standard input.

    Certificates come from solve --certificate and rate --certificates. The check knows the rules of the games
    and the lemmas of the manual, and nothing of any search. For an accepted file, one line states everything
    that its claim depends on: the game and its rules, the deal and the claim. For a refused file, it states
    the reason: the first position and move that are not covered, or the limit that was exceeded.

    \b
    Examples:
      winnable solve fortress --seed 1 --certificate proof.gz
      winnable check proof.gz
      winnable check --show proof.gz

    Exit status: 0 all are accepted, 2 one is refused or cannot be read.
    """
    status = 0
    if files.count("-") > 1:
        raise click.UsageError("only one FILE can be standard input")
    for path in files:
        answer: dict[str, Any] = {"file": path, "accepted": False}
        try:
            source = sys.stdin.buffer if path == "-" else path
            accepted = check(source, max_memory * 1e6, max_seconds)
        except (Refused, OSError) as error:
            status = BAD_INPUT
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            if as_json:
                click.echo(stamped(answer | {"reason": why}))
            complain(f"refused: {path}: {why}")
            continue
        click.echo(
            stamped(answer | {"accepted": True} | accepted.to_dict()) if as_json else f"accepted: {accepted}"
        )
        if show and not as_json:
            claim = accepted.claim
            click.echo(format_board(claim.variant, accepted.state, claim.seed), nl=False)
    return status
