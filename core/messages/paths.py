"""Paths in messages between processes that may see the same file under different paths."""

from pathlib import Path
from typing import Annotated, Any, Protocol

from pydantic import PlainSerializer, PlainValidator, SerializationInfo, ValidationInfo


class PathView(Protocol):
    """Translation between the paths of this process and those of the one at the other end of a channel."""

    def theirs(self, path: Path) -> str:
        """Return the path under which the other process sees the file ``path`` of this one.

        Raises ValueError if it cannot see that file.
        """

    def ours(self, path: str) -> Path:
        """Return the path under which this process sees the file ``path`` of the other one.

        Raises ValueError if it cannot see that file.
        """


def _write(path: Path, info: SerializationInfo) -> str:
    view: PathView | None = info.context
    return str(path) if view is None else view.theirs(path)


def _read(value: Any, info: ValidationInfo) -> Path:
    if isinstance(value, Path):
        return value
    if not isinstance(value, str):
        raise ValueError("a path is a string")
    view: PathView | None = info.context
    return Path(value) if view is None else view.ours(value)


SharedPath = Annotated[
    Path, PlainValidator(_read, json_schema_input_type=str), PlainSerializer(_write, when_used="json")
]
"""Path of a file that both ends of a channel use, written as the other end sees it; the context is a `PathView`."""
