"""Reads tokenizers from JSON files of the ``tokenizers`` library, free of torch."""

import hashlib
import json
from pathlib import Path

from tokenizers import Tokenizer

from core.errors import TextError
from core.storage.files import read_bounded

MAX_TOKENIZER_BYTES = 64 << 20
_REMEDY = "Get the tokenizer again from where the run's manifest came from."


def read_tokenizer(path: Path, digest: str | None = None) -> Tokenizer:
    """Read a tokenizer.

    Args:
        path: JSON file of the ``tokenizers`` library.
        digest: SHA-256 that the file must have, in hex; None accepts any.

    Raises:
        TextError: The file is missing, too large, not the named one, or not a tokenizer.
    """
    try:
        content = read_bounded(path, MAX_TOKENIZER_BYTES)
    except OSError as error:
        raise TextError(
            f"The tokenizer {path} cannot be read: {error.strerror or error}.", _REMEDY
        ) from error
    except ValueError as error:
        raise TextError(f"{error}, too many for a tokenizer.", _REMEDY) from error
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise TextError(f"The tokenizer {path} is not the one that the run names.", _REMEDY)
    return parse_tokenizer(content, str(path))


def parse_tokenizer(content: bytes, name: str) -> Tokenizer:
    """Make a tokenizer from the ``content`` of its file.

    Raises TextError, which names the file by ``name``, if it is not a tokenizer.
    """
    try:
        json.loads(content)
        return Tokenizer.from_str(content.decode())
    except Exception as error:  # tokenizers raises bare Exception for whatever it cannot parse
        raise TextError(f"{name} is not a tokenizer in JSON: {error}.", _REMEDY) from error


def vocabulary_size(tokenizer: Tokenizer) -> int:
    """Return the smallest number that is above the ids of all tokens of ``tokenizer``."""
    return 1 + max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)
