"""The memory calculator: a model and the techniques of its training -> bytes, line by line."""

from core.memory.prediction import predict

__all__ = ["predict"]
