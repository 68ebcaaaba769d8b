"""Changes bytes at random: pieces are removed, repeated, and replaced by inputs that parsers often mishandle."""

import random
from collections.abc import Sequence

_LONGEST_PIECE = 24
_CHANGES = (1, 1, 1, 2, 4, 16)
"""Numbers of changes to one input, each as likely as the others."""


def mutated(data: bytes, chance: random.Random, dictionary: Sequence[bytes]) -> bytes:
    """Return ``data`` after a few changes that ``chance`` draws; ``dictionary`` holds pieces that it inserts."""
    changed = bytearray(data)
    for _ in range(chance.choice(_CHANGES)):
        mutate(changed, chance, dictionary)
    return bytes(changed)


def mutate(data: bytearray, chance: random.Random, dictionary: Sequence[bytes]) -> None:
    """Make one change to ``data`` in place, as `mutated` makes several."""
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.randrange(1, _LONGEST_PIECE))
    match chance.randrange(6):
        case 0:
            data[start:end] = b""
        case 1:
            data[start:start] = data[start:end]
        case 2:
            data[start:start] = chance.choice(dictionary)
        case 3:
            data[start:end] = chance.choice(dictionary)
        case 4:
            data[start:end] = chance.randbytes(end - start)
        case 5 if start < len(data):
            data[start] ^= 1 << chance.randrange(8)
