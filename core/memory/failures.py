"""Memory of the techniques that ran out of memory on this machine, so that the next start does not try them again."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.errors import MemoryPlanError
from core.memory.fitness import check_techniques
from core.memory.machine import Sizes
from core.memory.models import OwnModel
from core.memory.planning import MemoryPlan
from core.model.techniques import Techniques
from core.storage import moving

_MORE = 1.1
"""Factor by which more must be free than at the failure for techniques to be tried again."""
_MOST = 64


@dataclass(frozen=True)
class MemoryFailure:
    """Techniques that took too much, and the bytes that were free and allowed when they were planned."""

    model: str
    on_gpu: bool
    techniques: Techniques
    available: Sizes


_FILE = TypeAdapter(tuple[MemoryFailure, ...])


def failed(path: Path, model: OwnModel, available: Sizes, *, on_gpu: bool) -> Sequence[Techniques]:
    """Return the techniques that are not worth trying; none if the file is missing or of no use.

    Args:
        path: File of the failures.
        model: The model that is trained.
        available: Bytes that are free and allowed now.
        on_gpu: True if the GPU is to train.
    """
    return [
        item.techniques
        for item in _load(path)
        if item.model == _name(model)
        and item.on_gpu is on_gpu
        and available.gpu <= _MORE * item.available.gpu
        and available.ram <= _MORE * item.available.ram
        and _is_possible(model, item.techniques)
    ]


def remember(path: Path, model: OwnModel, plan: MemoryPlan) -> None:
    """Note in the file that a plan ran out of memory, and forget the oldest of too many failures.

    Args:
        path: File of the failures.
        model: The model that is trained.
        plan: The plan that failed.

    Raises:
        OSError: the file cannot be written.
    """
    found = [*_load(path), MemoryFailure(_name(model), plan.on_gpu, plan.techniques, plan.available)][-_MOST:]
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(_FILE.dump_json(tuple(found), indent=1))
    moving.replace(new, path)


def _load(path: Path) -> tuple[MemoryFailure, ...]:
    try:
        return _FILE.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return ()


def _is_possible(model: OwnModel, techniques: Techniques) -> bool:
    """Return true if a step can have the numbers of ``techniques``; a file may hold others."""
    try:
        check_techniques(model, techniques, None)
    except MemoryPlanError:
        return False
    return True


def _name(model: OwnModel) -> str:
    return sha256(model.model_dump_json().encode()).hexdigest()[:16]
