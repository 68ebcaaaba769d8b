"""The memory calculator: a model and the techniques of its training -> bytes, line by line, and what to choose."""

from core.memory.planning import plan
from core.memory.prediction import predict

__all__ = ["plan", "predict"]
