"""Certificates of what was found: how they are made, for the checker to judge."""

from __future__ import annotations

from .making import Certificate, NoCertificate, certify

__all__ = ["Certificate", "NoCertificate", "certify"]
