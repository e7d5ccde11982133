"""``winnable check``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from ..checker import Refused, check
from .arguments import NameType
from .colour import complain
from .main import BAD_INPUT
from .options import json_option


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=NameType(), metavar="FILE...")
@click.option(
    "--max-memory",
    type=click.FloatRange(min=0),
    default=4000.0,
    show_default=True,
    metavar="N",
    help="Megabytes of positions that a certificate may hold.",
)
@json_option
def command(files: tuple[str, ...], max_memory: float, as_json: bool) -> int:
    """Test certificates, FILEs or - for standard input: does each prove what it claims?

    They come from solve --certificate and rate --certificates. The check knows the rules of the games and the
    lemmas of the manual, and nothing of any search. What is accepted is told on standard output; for what is
    refused, the first position and move that are not settled.

    \b
    Examples:
      winnable solve fortress --seed 1 --certificate proof.gz
      winnable check proof.gz

    Exit status: 0 all are accepted, 2 one is refused or cannot be read.
    """
    status = 0
    for path in files:
        answer: dict[str, Any] = {"file": path, "accepted": False}
        try:
            accepted = check(sys.stdin.buffer if path == "-" else path, max_memory * 1e6)
        except (Refused, OSError) as error:
            status = BAD_INPUT
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            if as_json:
                click.echo(json.dumps(answer | {"reason": why}))
            else:
                complain(f"refused: {path}: {why}")
            continue
        click.echo(
            json.dumps(answer | {"accepted": True} | asdict(accepted)) if as_json else f"accepted: {accepted}"
        )
    return status
