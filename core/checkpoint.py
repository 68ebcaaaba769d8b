"""The public names for checkpoints; `core.storage.checkpoint` implements them."""

from core.storage.checkpoint import TrainingState, load, save, verify

__all__ = ["TrainingState", "load", "save", "verify"]
