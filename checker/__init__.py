"""The checker of certificates: claims verified by the rules and a few lemmas.

It stands on `rules` and its own plain definitions alone: no search, no hash of a state, nothing packed. What
it takes on trust is proved in the manual, lemma by lemma (docs/certificates.md, docs/theory). Read
`closed_set` first,
which says why a certificate proves its claim, then the module of a family.
"""

from __future__ import annotations

from .accept import Accepted, check
from .claim import Claim
from .reading import Refused

__all__ = ["Accepted", "Claim", "Refused", "check"]
