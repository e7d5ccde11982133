"""Export of the clauses of a certificate in DIMACS, and of its steps in LRAT.

The problem adds to the clauses of the certificate that some core fails: a variable for each core, which
implies that none of its costs is true, and a clause over these variables. The steps are those of the
certificate, then that each core does not fail, and last the empty clause. So a verified refutation shows
that all cores hold if the clauses do. Only `winnable check` tests that the clauses hold for every line, and
what the cores count.
"""

from collections.abc import Iterator

from .clauses import Proof


def formula(proof: Proof) -> Iterator[str]:
    """The lines of the file of clauses."""
    failed = [len(proof.names) + number for number in range(1, len(proof.cores) + 1)]
    clauses = proof.clauses[: len(proof.conditions)]
    for failure, core in zip(failed, proof.cores, strict=True):  # none of its costs is true then
        clauses += [[-failure, -literal] for literal in proof.clauses[core - 1]]
    clauses.append(failed)
    yield f"p cnf {len(proof.names) + len(failed)} {len(clauses)}\n"
    for clause in clauses:
        yield " ".join(map(str, [*clause, 0])) + "\n"


def steps(proof: Proof) -> Iterator[str]:
    """The lines of the file of steps."""
    given, added = len(proof.conditions), sum(len(proof.clauses[core - 1]) for core in proof.cores) + 1
    number = len(proof.clauses) + added

    def anew(clause: int) -> int:
        return clause if clause <= given else clause + added

    for step, hints in enumerate(proof.hints, given + 1):
        yield _step(anew(step), proof.clauses[step - 1], [anew(hint) for hint in hints])
    failure, last = given, []
    for variable, core in enumerate(proof.cores, len(proof.names) + 1):
        count = len(proof.clauses[core - 1])
        number += 1
        last.append(number)
        yield _step(number, [-variable], [*range(failure + 1, failure + count + 1), anew(core)])
        failure += count
    yield _step(number + 1, [], [*last, given + added])


def _step(number: int, clause: list[int], hints: list[int]) -> str:
    return " ".join(map(str, [number, *clause, 0, *hints, 0])) + "\n"
