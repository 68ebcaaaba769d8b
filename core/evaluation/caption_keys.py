"""Short digests by which equal captions, or equal codes of pictures, are known."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
"""Short digests, (n,)."""


def plain(caption: str) -> str:
    """Return a caption without what makes no other caption of it: capitals, spaces, and the full stop."""
    return " ".join(caption.casefold().split()).rstrip(".")


def caption_keys(captions: Sequence[str]) -> Keys:
    """Return the keys of captions, (n,); captions that differ in spaces or capitals alone have one key."""
    return _keys([plain(caption).encode(errors="replace") for caption in captions])


def code_keys(codes: NDArray[np.int16]) -> Keys:
    """Return the keys of the ``codes`` of pictures, (n, codes of a picture): (n,)."""
    return _keys([row.tobytes() for row in codes])


def _keys(contents: Sequence[bytes]) -> Keys:
    digests = b"".join(hashlib.sha256(content).digest()[:8] for content in contents)
    return np.frombuffer(digests, "<i8").astype(np.int64)
