"""Reads what ``torch.save`` wrote: runs nothing that is in the file, and takes no memory that the file does not fill.

``torch.load(weights_only=True)`` runs no code, but it still makes what a pickle asks for, such as a bytearray of any
size. So the pickle is looked through first, and may name nothing but tensors.
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

from core.torch_archive import read_pickle

MOST_NAMES = 64
"""Names that a file may mention; published ones mention a dozen."""
DEEPEST = 32
"""Tuples within tuples; published files have three."""

_PROTOCOL = 2
"""Of pickles that PyTorch writes. Later ones have names that come from the stack, and more that takes memory."""
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
    """The object in a file of PyTorch 1.6 or later, its tensors still in the file and on the CPU.

    ``inert`` begins the names of classes that a file may mention beside tensors. They stand there as empty classes:
    nothing of theirs is imported.

    Raises:
        ValueError: saying why, as the end of a sentence about the file.
        OSError: it cannot be read.
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
        raise ValueError("is damaged, or no file of PyTorch's") from error


def _look_through(pickled: bytes) -> set[str]:
    """What a pickle asks for by name, found without running it, once nothing in it is nested too deeply."""
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
    """How deep in tuples an unpickler's values are.

    A tuple that is a key is hashed, in C and by as many calls within each other: too many end the process.
    """

    def __init__(self) -> None:
        self.deepest = 0
        self._stack: list[int | None] = []  # None is a mark
        self._memo: dict[int, int] = {}

    def follow(self, opcode: OpcodeInfo, argument: Any) -> None:
        """Do to depths what the opcode does to values; one that finds nothing to do it to fails when it is run."""
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
        """The greatest depth among what an opcode takes from the stack."""
        taken = [0]
        if pickletools.stackslice in wanted:
            while (depth := self._pop()) is not None:
                taken.append(depth)
            wanted = wanted[:-2]
        return max(taken + [self._pop() or 0 for _ in wanted])

    def _pop(self) -> int | None:
        return self._stack.pop() if self._stack else None
