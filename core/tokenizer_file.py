"""Reads JSON files of the ``tokenizers`` library without the library: their bytes, and the size of the vocabulary."""

import hashlib
import json
from collections.abc import Iterator
from operator import index
from pathlib import Path
from typing import Any

from core.errors import TextError
from core.storage.files import read_bounded

MAX_TOKENIZER_BYTES = 64 << 20
"""Largest size of a tokenizer's file, in bytes."""
GET_AGAIN = "Get the tokenizer again from where the run's manifest came from."
"""Remedy for a tokenizer that cannot be used."""


def read_content(path: Path, digest: str | None = None) -> bytes:
    """Read the file of a tokenizer, whose content is not looked at.

    Args:
        path: JSON file of the ``tokenizers`` library.
        digest: SHA-256 that the file must have, in hex; None accepts any.

    Raises:
        TextError: The file is missing, too large, or not the named one.
    """
    try:
        content = read_bounded(path, MAX_TOKENIZER_BYTES)
    except OSError as error:
        raise TextError(
            f"The tokenizer {path} cannot be read: {error.strerror or error}.", GET_AGAIN
        ) from error
    except ValueError as error:
        raise TextError(f"{error}, too many for a tokenizer.", GET_AGAIN) from error
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise TextError(f"The tokenizer {path} is not the one that the run names.", GET_AGAIN)
    return content


def vocabulary_size(content: bytes, name: str) -> int:
    """Return the smallest number that is above the ids of all tokens of a tokenizer.

    Args:
        content: Bytes of the tokenizer's file.
        name: Name of the file in error messages.

    Raises:
        TextError: It is not a tokenizer in JSON. The library may refuse a file that is accepted here.
    """
    try:
        return 1 + max(_ids(json.loads(content)), default=-1)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise TextError(f"{name} is not a tokenizer in JSON: {error!r}.", GET_AGAIN) from error


def _ids(document: Any) -> Iterator[int]:
    """Yield the ids of all tokens; raises one of several errors where the document has another form."""
    vocab = document["model"]["vocab"]
    if isinstance(vocab, dict):
        yield from map(index, vocab.values())
    else:  # of a Unigram model: the tokens in the order of their ids, with their scores
        yield from range(len(vocab))
    yield from (index(token["id"]) for token in document.get("added_tokens", ()))
