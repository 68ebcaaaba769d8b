"""All fuzzed parsers by name, and the rooms whose modules hold them."""

from collections.abc import Mapping
from importlib import import_module

from benchmarks.fuzzing.target import FuzzTarget

ROOMS = ("records", "admission", "rounds", "states", "run_files", "model_files", "requests", "remote")
"""Modules of ``benchmarks/fuzzing/targets``."""


def targets_in(room: str) -> Mapping[str, FuzzTarget]:
    """Return the targets of a ``room`` by name; only that room's parsers are imported."""
    found: tuple[FuzzTarget, ...] = import_module(f"benchmarks.fuzzing.targets.{room}").TARGETS
    return {target.name: target for target in found}


def all_targets() -> Mapping[str, FuzzTarget]:
    """Return all targets by name."""
    return {name: target for room in ROOMS for name, target in targets_in(room).items()}


def room_of(name: str) -> str:
    """Return the room of the target with that ``name``; raises KeyError if there is none."""
    for room in ROOMS:
        if name in targets_in(room):
            return room
    raise KeyError(name)
