"""Reads files of ``torch.save`` without running any code in them, in no more memory than the file's size.

``torch.load(weights_only=True)`` runs no code, but it still makes the objects that a pickle asks for, such as
a bytearray of any size. So the pickle is checked first, and may name nothing but tensors.
"""

import pickletools
import struct
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from pickle import UnpicklingError
from pickletools import OpcodeInfo, StackObject
from typing import Any

import torch

from core.storage.torch_archive import read_pickle

MOST_NAMES = 64
"""Most names that a file may mention; published ones mention a dozen."""
DEEPEST = 32
"""Deepest nesting of tuples; published files have three levels."""

_PROTOCOL = 2
"""Protocol of the pickles that PyTorch writes. Later ones have names from the stack, and take more memory."""
_KINDS = ("Double", "Float", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool")
_TENSORS = {
    "collections.OrderedDict",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_tensor_v2",
    *(f"torch.{kind}Storage" for kind in _KINDS),
}
# The unpickler is Python that believes what it reads, so a damaged file makes it fail in any of these ways.
_FAULTS = (
    *(UnpicklingError, EOFError, RuntimeError, ValueError, TypeError, AttributeError, LookupError),
    *(AssertionError, OverflowError, struct.error, zipfile.BadZipFile),
)


def read_torch_file(path: Path, *, inert: str = "") -> Any:
    """Return the object in the file at ``path``, of PyTorch 1.6 or later; its tensors are mapped, on the CPU.

    Names of classes that begin with ``inert`` are allowed beside tensors. They become empty classes, and
    nothing of theirs is imported.

    Raises:
        ValueError: the reason, worded as the end of a sentence about the file.
        OSError: the file cannot be read.
    """
    names = {name for name in _look_through(read_pickle(path)) if name not in _TENSORS}
    foreign = sorted(name for name in names if not (inert and name.startswith(inert)))
    if foreign:
        raise ValueError(f"is unsafe: it asks for {foreign[0][:80]!r}, where there should be tensors alone")
    placeholders: list[Any] = [(type("Placeholder", (), {}), name) for name in sorted(names)]
    try:
        with torch.serialization.safe_globals(placeholders):
            return torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    except _FAULTS as error:
        raise ValueError("is damaged, or not a PyTorch file") from error


def _look_through(pickled: bytes) -> set[str]:
    """Return the names that a pickle asks for, after a check of its nesting; the pickle is not run."""
    names, nesting = set[str](), _Nesting()
    for opcode, argument in _opcodes(pickled):
        if opcode.proto > _PROTOCOL:
            raise ValueError("is unsafe: its structure is not as PyTorch writes it")
        if opcode.name == "GLOBAL":
            names.add(str(argument).replace(" ", ".", 1))
        nesting.follow(opcode, argument)
    if len(names) > MOST_NAMES:
        raise ValueError(f"is unsafe: it asks for {len(names):,} things by name")
    if nesting.deepest > DEEPEST:
        raise ValueError("is unsafe: it is nested too deeply")
    return names


def _opcodes(pickled: bytes) -> Iterator[tuple[OpcodeInfo, Any]]:
    try:
        for opcode, argument, _ in pickletools.genops(pickled):
            yield opcode, argument
    except (ValueError, LookupError, struct.error, OverflowError) as error:
        raise ValueError("is damaged: its structure cannot be read") from error


class _Nesting:
    """Depth of the tuples in an unpickler's values.

    A tuple that is a key is hashed, in C and by as many calls within each other: too many end the process.
    """

    def __init__(self) -> None:
        self.deepest = 0
        self._stack: list[int | None] = []  # None is a mark
        self._memo: dict[int, int] = {}

    def follow(self, opcode: OpcodeInfo, argument: Any) -> None:
        """Apply an opcode to the depths as it would apply to the values; an invalid one fails when it is run."""
        if opcode.name in ("BINGET", "LONG_BINGET"):
            self._stack.append(self._memo.get(argument, 0))
        elif opcode.name in ("BINPUT", "LONG_BINPUT"):
            self._memo[argument] = self._pop() or 0
            self._stack.append(self._memo[argument])
        else:
            within = self._take(opcode.stack_before)
            depth = within + 1 if opcode.name.startswith("TUPLE") else 0
            self.deepest = max(self.deepest, depth)
            self._stack += [None if item is pickletools.markobject else depth for item in opcode.stack_after]

    def _take(self, wanted: Sequence[StackObject]) -> int:
        """Return the greatest depth among the values that an opcode takes from the stack."""
        taken = [0]
        if pickletools.stackslice in wanted:
            while (depth := self._pop()) is not None:
                taken.append(depth)
            wanted = wanted[:-2]
        return max(taken + [self._pop() or 0 for _ in wanted])

    def _pop(self) -> int | None:
        return self._stack.pop() if self._stack else None
