"""Engine for other programs: JSON-RPC messages, a line each, on standard input and output."""

from .client import Client, EngineError

__all__ = ["Client", "EngineError"]
