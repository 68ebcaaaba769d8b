"""Secrets that we give out and know again: 256 random bits for the bearer, and a digest of them for us."""

import hashlib
import secrets


def new_secret() -> str:
    """Return a random secret of 43 letters, digits, dashes and underscores."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return the digest by which a secret is stored and looked up: timing tells a guesser nothing of the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
