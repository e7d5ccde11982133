"""The second checker asked about a certificate."""

import subprocess


def answer(program, content, *arguments):
    """The line that it prints of the bytes of a certificate: without its first word if they are accepted,
    with it if they are refused."""
    asked = subprocess.run([program, *arguments], input=content, capture_output=True, timeout=60)
    told = asked.stdout.decode(errors="replace")
    assert told.startswith({0: "accepted: ", 2: "refused: "}[asked.returncode]), (told, asked.stderr)
    assert told.find("\n") == len(told) - 1
    return told.rstrip("\n").removeprefix("accepted: ")


def accepts(program, content):
    return not answer(program, content).startswith("refused: ")
