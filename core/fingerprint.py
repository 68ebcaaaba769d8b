"""The fingerprint of a public key, by which people compare keys; needs no cryptography."""

import base64
import hashlib

FINGERPRINT_BYTES = 15
"""Length of a fingerprint: 120 bits are enough that no second key with the same fingerprint is found.

They are still only 24 characters to compare.
"""


def fingerprint_of(public_key: str) -> str:
    """Return the fingerprint of ``public_key`` (hex) in a form to read aloud.

    It has six groups of four letters and digits.
    """
    digest = hashlib.sha256(bytes.fromhex(public_key)).digest()[:FINGERPRINT_BYTES]
    letters = base64.b32encode(digest).decode().lower()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def same_fingerprint(one: str, other: str) -> bool:
    """Return true if the fingerprints ``one`` and ``other`` agree.

    Upper and lower case, blanks and hyphens do not matter.
    """
    return _bare(one) == _bare(other)


def _bare(fingerprint: str) -> str:
    return "".join(fingerprint.lower().replace("-", " ").split())
