"""Fixtures of the tests of commands."""

import json
import re

import pytest
from click.testing import CliRunner
from tests import schemas

from winnable.cli import main


class Program:
    """The program: a call with a command line returns its exit status, stdout and stderr, the latter without
    the line that says how a table was read, which is kept as ``read_as``.

    Answers in JSON are validated by the schema.
    """

    read_as = ""

    def __call__(self, *args, stdin=None):
        with CliRunner().isolation(input=stdin) as streams:
            status = main.run([str(arg) for arg in args])
            out, err = (stream.getvalue().decode() for stream in streams[:2])
        if {"--json", "-j"} & set(map(str, args)) and "--help" not in args:
            schemas.check_output(args, out)
        self.read_as, err = re.fullmatch(r"(Read as [^\n]*\n)?(.*)", err, re.DOTALL).groups("")
        return status, out, err

    def out(self, *args, stdin=None):
        """Run a command line that must succeed, and return its output."""
        status, out, err = self(*args, stdin=stdin)
        assert (status, err) == (0, "")
        return out

    def write(self, path, *args):
        """Write the output of a command line to a file."""
        path.write_text(self(*args)[1])
        return path

    def json(self, *args, stdin=None):
        """Run a command line with --json and return its answer."""
        return json.loads(self(*args, "--json", stdin=stdin)[1])

    def fails(self, *args, stdin=None):
        """Run a command line that must be refused, and return the one line of the message."""
        status, out, err = self(*args, stdin=stdin)
        assert status == 2
        assert ({"--json", "-j"} & set(args) and json.loads(out)["error"]["status"] == 2) or out == ""
        assert err.startswith("winnable: ")
        assert err.count("\n") == 1
        return err


@pytest.fixture(scope="session")
def run():
    """The program."""
    return Program()
