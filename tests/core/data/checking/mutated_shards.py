"""Checks a folder whose one shard has some bytes changed, over and over; prints how it ended, as JSON."""

import json
import random
import resource
import sys
from collections import Counter
from pathlib import Path

from core.data.checking.check import check_without_index

MEMORY_BYTES = 3 << 30
"""Bytes of address space, most of which the libraries use."""


def mutated(shard: bytes, draws: random.Random) -> bytes:
    """Some bytes changed, mostly in the footer."""
    changed = bytearray(shard)
    footer = len(shard) - 8 - int.from_bytes(shard[-8:-4], "little")
    for _ in range(draws.choice((1, 1, 2, 8))):
        first = footer if draws.random() < 0.7 else 0
        changed[draws.randrange(first, len(shard))] = draws.randrange(256)
    return bytes(changed)


def main(shard: Path, grid: int, vocab: int, times: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    whole, draws = shard.read_bytes(), random.Random(0)
    ended: Counter[str] = Counter()
    for _ in range(times):
        shard.write_bytes(mutated(whole, draws))
        ended["sound" if check_without_index(shard.parent, grid, vocab).sound else "refused"] += 1
    print(json.dumps(ended))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
