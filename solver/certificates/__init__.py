"""Certificates of what was found: how they are made, for the checker to judge.

`certify` writes down what a search that found nothing leaves behind: the positions that can be reached. It
asks the `closed_set` of the family, which makes every legal move of every position by the packed rules, but
for what a lemma says need not be looked at; it is no search, and the search knows nothing of it. The
format, and each lemma, stand in docs/certificates.md, the proofs there and in docs/theory.
"""

from __future__ import annotations

from .making import Certificate, NoCertificate, certify, counts_moves, has_certificates

__all__ = ["Certificate", "NoCertificate", "certify", "counts_moves", "has_certificates"]
