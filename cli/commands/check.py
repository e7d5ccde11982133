"""The command ``winnable check``: certificates checked without search."""

import sys
from typing import TYPE_CHECKING

import click

from ...checker import NotFinished, Refused, check
from ...rules.formats.text import format_board
from ..arguments import NameType
from ..console import complain, say, stamped
from ..main import BAD_INPUT, UNDECIDED
from ..options import json_option, memory_option, seconds_option

if TYPE_CHECKING:
    from ...rules import answers

_FASTER = "the checker in C, checker/second_checker.c, is some 20 times faster: see docs/proofs.md"


@click.command("check")
@click.argument("files", nargs=-1, type=NameType(), metavar="FILE...")
@memory_option(4000.0, "Megabytes for the check of one FILE.")
@seconds_option("--max-seconds", 600.0, "Seconds of processor time for the check of one FILE.", most=None)
@click.option("--show", is_flag=True, help="Also print the deal of each accepted FILE.")
@json_option
def command(files: tuple[str, ...], max_memory: float, max_seconds: float, show: bool, as_json: bool) -> int:
    """Check certificates: FILEs, packed by gzip or plain, or - for standard input.

    Certificates come from solve --certificate and rate --certificates. The check knows the rules of the games
    and the lemmas of the manual, and nothing of any search. For an accepted file, one line states everything
    that its claim depends on: the game and its rules, the deal and the claim. For a refused file, it states
    the reason: the first position and move that are not covered.

    A check ended by a limit is "not finished": the file is neither accepted nor refused. --max-seconds counts
    processor time here, not time by the clock. For large files there is a second checker in C, some 20 times
    faster: checker/second_checker.c, in the repository and the source distribution. Compile it with cc -O2 -o
    second_checker checker/second_checker.c; the manual page docs/proofs.md has the rest.

    \b
    Examples:
      winnable solve fortress --seed 1 --certificate proof.gz
      winnable check proof.gz
      winnable check --show proof.gz
      zcat proof.gz | winnable check -

    Exit status: 0 all are accepted, 2 one is refused or cannot be read, 3 none is refused, but one is not
    finished, or Ctrl-C came first.
    """
    status = 0
    if not files:
        raise click.UsageError("Missing argument 'FILE': expected a certificate, such as solve writes")
    if files.count("-") > 1:
        raise click.UsageError("only one FILE can be standard input")
    for number, path in enumerate(files):
        try:
            status = max(status, _check(path, max_memory * 1e6, max_seconds, show, as_json), key=_RANKS.index)
        except KeyboardInterrupt:
            if number == 0:
                raise
            complain("interrupted")
            return status or UNDECIDED
    return status


_RANKS = (0, UNDECIDED, BAD_INPUT)
"""The exit statuses of files; a later one is that of all."""


def _check(path: str, max_bytes: float, max_seconds: float, show: bool, as_json: bool) -> int:
    """Check the file at ``path``, print the answer, and return its exit status."""
    try:
        accepted = check(sys.stdin.buffer if path == "-" else path, max_bytes, max_seconds)
    except (Refused, NotFinished, OSError) as error:
        is_open = isinstance(error, NotFinished)
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if as_json:
            refused: answers.Refused = {"file": path, "accepted": None if is_open else False, "reason": why}
            say(stamped(refused), is_plain=True)
        complain(f"{path}: {why}; {_FASTER}" if is_open else f"refused: {path}: {why}")
        return UNDECIDED if is_open else BAD_INPUT
    told: answers.Accepted = {"file": path, "accepted": True, **accepted.to_dict()}
    say(stamped(told) if as_json else f"accepted: {accepted}", is_plain=True)
    if show and not as_json:
        claim = accepted.claim
        say(format_board(claim.variant, accepted.state, claim.seed), end="", is_plain=True)
    return 0
