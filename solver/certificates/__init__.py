"""Production of certificates of unwinnable deals, scores and numbers of moves, for the checker.

`certify` lists the positions that can be reached. The certificate units of the families make every legal move
of every position by the packed rules of their searches, except where a lemma makes that unnecessary; what
they write is verified by the checkers, which share nothing with them. docs/certificates.md defines the format
and the lemmas; the proofs are in docs/theory.
"""

from .making import Certificate, NoCertificate, NoneNeeded, certify, counts_moves

__all__ = ["Certificate", "NoCertificate", "NoneNeeded", "certify", "counts_moves"]
