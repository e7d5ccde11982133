"""The command ``winnable engine``: JSON-RPC requests from other programs."""

import json
import os
import sys
import threading
from typing import Any

import click

from ...protocol.server import serve
from .. import interrupts
from ..console import complain, failure
from ..main import BAD_INPUT


@click.command("engine")
def command() -> None:
    """Answer requests of other programs, JSON lines on standard input and output.

    A request is a line such as {"id": 1, "method": "go", "params": {"game": "fortress", "seed": 8}}. It gets
    exactly one answer, with the same id. A running search reports its progress; the method stop ends it with
    the best result so far. The manual has all methods (docs/engine.md), and the messages have a JSON Schema:
    winnable describe --schema. When the input ends, the requests that were read are still answered.

    \b
    Examples:
      echo '{"id": 1, "method": "hello"}' | winnable engine

    Exit status: 0 done, 130 interrupted, 143 ended by SIGTERM.
    """
    serve(sys.stdin.buffer, _send)


def _send(message: dict[str, Any]) -> None:
    """Print ``message`` as a line. If that fails, the program ends, whatever the thread."""
    try:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    except OSError as error:
        if threading.current_thread() is threading.main_thread():
            raise
        if isinstance(error, BrokenPipeError):
            interrupts.nobody_reads()
        complain(failure(error, "output"))
        os._exit(BAD_INPUT)
