"""Engine for other programs: JSON-RPC messages, one per line, on standard input and output."""

from .client import Client, EngineError

__all__ = ["Client", "EngineError"]
