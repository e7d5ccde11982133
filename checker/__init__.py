"""The checker of certificates: claims verified by the rules and a few lemmas.

It uses `rules` and its own plain definitions only: no search, no hashes, no packed states. The lemmas are
stated in docs/certificates.md and proved in docs/theory. Read `closed_set` first, then the module of a
family.
"""

from .accept import Accepted, check
from .claim import Claim
from .reading import NotFinished, Refused

__all__ = ["Accepted", "Claim", "NotFinished", "Refused", "check"]
