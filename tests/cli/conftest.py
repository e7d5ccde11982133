"""Fixtures of the tests of commands."""

import json

import pytest
from click.testing import CliRunner
from tests import schemas

from winnable.cli import main


class Program:
    """The program: called with a command line, it gives its exit status, stdout and stderr.

    Answers in JSON are checked by the schema.
    """

    def __call__(self, *args, stdin=None):
        with CliRunner().isolation(input=stdin) as streams:
            status = main.run([str(arg) for arg in args])
            out, err = (stream.getvalue().decode() for stream in streams[:2])
        if {"--json", "-j"} & set(map(str, args)) and "--help" not in args:
            schemas.check_output(args, out)
        return status, out, err

    def out(self, *args, stdin=None):
        """Its output, where nothing is wrong."""
        status, out, err = self(*args, stdin=stdin)
        assert (status, err) == (0, "")
        return out

    def write(self, path, *args):
        """A file with its output."""
        path.write_text(self(*args)[1])
        return path

    def json(self, *args, stdin=None):
        """Its answer in JSON."""
        return json.loads(self(*args, "--json", stdin=stdin)[1])

    def fails(self, *args, stdin=None):
        """The one line with which it refuses a command line."""
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
