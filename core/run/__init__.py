"""A run: its signed manifest, the rules in it, the links to it, and the plan for one machine.

`RunManifest` is loaded when it is first used: most modules of this package are light, and it needs cryptography.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.run.manifest import RunManifest

__all__ = ["RunManifest"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("core.run.manifest"), name)
