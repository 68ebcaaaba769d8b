"""Orders that depend on a key alone: the same on every machine and with every version of every library."""

import hashlib

import numpy as np


def permutation(count: int, *key: str | int) -> list[int]:
    """The numbers 0 to count - 1 in the order that the key gives them.

    Sorting by a hash stays the same for ever, which numpy does not promise of its generators (NEP 19): a
    cursor saved by one version of the program must lead the next one through the same rows.
    """
    name = "\n".join(map(str, key)).encode()
    draws = np.frombuffer(hashlib.shake_256(name).digest(8 * count), dtype="<u8")
    order: list[int] = np.argsort(draws, kind="stable").tolist()
    return order


def peer_seed(run_seed: int, peer: str) -> str:
    """The seed of one peer's order, so that peers of a run see different rows at the same time."""
    return hashlib.sha256(f"{run_seed}\n{peer}".encode()).hexdigest()[:32]
