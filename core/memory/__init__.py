"""The memory calculator: a model and the techniques of its training -> bytes, line by line, and what to choose.

Each function is loaded once it is asked for: most that imports from this package only writes a size in words.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.memory.planning import plan
    from core.memory.prediction import predict

__all__ = ["plan", "predict"]


def __getattr__(name: str) -> Any:
    if name == "plan":
        from core.memory.planning import plan

        return plan
    if name == "predict":
        from core.memory.prediction import predict

        return predict
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
