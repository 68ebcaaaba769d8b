"""Counts values that occur again, in memory that the number of values does not change."""

import hashlib

LIMIT = 1 << 18
"""Different values up to which the count is exact; about 30 MB."""


class Repeats:
    """How many of the values that were added equal an earlier one.

    Up to ``limit`` different values all of them are known by a 64-bit digest. Beyond that a sample is: those
    whose digest ends in so many zero bits that they are few enough (adaptive sampling: Flajolet, Computing 43,
    1990). What is counted in the sample then stands for the whole; none is still none.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._zeros = 0
        self._times: dict[int, int] = {}

    def add(self, value: bytes) -> None:
        digest = int.from_bytes(hashlib.blake2b(value, digest_size=8).digest())
        if self._sampled(digest):
            self._times[digest] = self._times.get(digest, 0) + 1
        while len(self._times) > self._limit:
            self._zeros += 1
            self._times = {digest: times for digest, times in self._times.items() if self._sampled(digest)}

    @property
    def count(self) -> int:
        """Values that equal an earlier one."""
        return (sum(self._times.values()) - len(self._times)) << self._zeros

    @property
    def held(self) -> int:
        """Digests in memory now, at most ``limit``."""
        return len(self._times)

    @property
    def exact(self) -> bool:
        return self._zeros == 0

    def _sampled(self, digest: int) -> bool:
        return digest & ((1 << self._zeros) - 1) == 0
