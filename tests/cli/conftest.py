"""Fixtures of the tests of commands."""

import pytest
from click.testing import CliRunner
from tests import schemas

from winnable.cli import main


@pytest.fixture(scope="session")
def run():
    """Run a command line: its exit status, stdout and stderr. Answers in JSON are checked by the schema."""
    runner = CliRunner()

    def call(*args, stdin=None):
        with runner.isolation(input=stdin) as streams:
            status = main.run([str(arg) for arg in args])
            out, err = (stream.getvalue().decode() for stream in streams[:2])
        if {"--json", "-j"} & set(map(str, args)):
            schemas.check_output(args, out)
        return status, out, err

    return call
