"""The order in which a peer asks others: every peer has another one, so that each of those asked has its share."""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

Asked = TypeVar("Asked")


def spread(candidates: Iterable[Asked], key: bytes, *, identifier: Callable[[Asked], bytes]) -> list[Asked]:
    """Return ``candidates`` in the order of rendezvous hashing (Thaler and Ravishankar, 1998).

    The order depends on the asking peer and the candidate alone. If one of the candidates leaves, the others keep
    their order, and those that had asked it turn to all the others in equal shares.

    Args:
        candidates: those that can be asked.
        key: the asking peer, and what it asks for if that is to matter.
        identifier: gives the bytes by which a candidate is known, such as its peer id.
    """
    return sorted(candidates, key=lambda item: hashlib.sha256(key + identifier(item)).digest())
