"""Reads JSON files of the ``tokenizers`` library without it: bytes, size of the vocabulary, growth of text."""

import base64
import hashlib
import json
from collections.abc import Iterator
from math import prod
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import TextError
from core.storage.files import FileRef, read_bounded

if TYPE_CHECKING:
    from core.run.rules import FileHeads

MAX_TOKENIZER_BYTES = 64 << 20
"""Largest size of a tokenizer's file, in bytes."""
MOST_GROWTH = 1000
"""Characters that the steps of a tokenizer may make of one, before it is tokenized or after."""
MOST_STEPS = 64
"""Most steps before the tokens, and after them."""
PREVIEW_BYTES = 4 << 20
"""Largest tokenizer that is fetched before consent, in bytes."""
GET_AGAIN = "Get the tokenizer again from where the run's manifest came from."
"""Remedy for a tokenizer that cannot be used."""


def previewed_size(heads: "FileHeads", tokenizer: FileRef) -> int | None:
    """Return the number of tokens in a run's tokenizer before someone joins; None if it is too large to look at.

    Args:
        heads: Looks at the files of a run that is not joined yet.
        tokenizer: File of the tokenizer.

    Raises:
        TextError: It is no tokenizer.
    """
    content = heads.whole(tokenizer, PREVIEW_BYTES)
    return None if content is None else vocabulary_size(content, tokenizer.path)


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
        TextError: It is not a tokenizer in JSON, or its steps may make far more text than they are given. The library
            may refuse a file that is accepted here.
    """
    try:
        document = json.loads(content)
        size = 1 + max(_ids(document), default=-1)
    except _MALFORMED as error:
        raise TextError(f"{name} is not a tokenizer in JSON: {error!r}.", GET_AGAIN) from error
    require_bounded_growth(document, name)
    return size


def require_bounded_growth(document: Any, name: str) -> None:
    """Raise TextError if the steps of a tokenizer may make far more text than they are given, or are too many.

    A few steps that each replace a letter by ten would else take all memory for one line of text.

    Args:
        document: Content of the tokenizer's file.
        name: Name of the file in error messages.
    """
    try:
        before = [*_steps(document.get("normalizer")), *_steps(document.get("pre_tokenizer"))]
        chains = [before, [*_steps(document.get("decoder"))]]
        growth = max(prod(map(_growth, steps)) for steps in chains)
    except _MALFORMED as error:
        raise TextError(f"{name} is not a tokenizer in JSON: {error!r}.", GET_AGAIN) from error
    if growth > MOST_GROWTH or max(map(len, chains)) > MOST_STEPS:
        raise TextError(
            f"The tokenizer {name} takes too many steps, or makes too much text of little.",
            "Use a tokenizer that replaces texts by shorter ones, or in a single step.",
        )


_MALFORMED = ValueError, RecursionError, LookupError, TypeError, AttributeError
"""Errors for a document of another form."""
_FIXED_GROWTH = {
    "NFD": 4,
    "NFC": 3,
    "NFKD": 18,
    "NFKC": 18,
    "ByteLevel": 4,
    "BertNormalizer": 3,
    "Metaspace": 2,
}
"""Characters that a step makes of one at most, by its type; of Unicode's forms as UAX 15 gives them."""
_NESTED = "normalizers", "pretokenizers", "decoders"


def _steps(step: Any) -> Iterator[Any]:
    """Yield the steps of a normalizer, a pre-tokenizer or a decoder in their order; none of None."""
    if step is None:
        return
    if step["type"] != "Sequence":
        yield step
        return
    for nested in next(step[name] for name in _NESTED if name in step):
        yield from _steps(nested)


def _growth(step: Any) -> int:
    """Return the number of characters that a step makes of one, at most."""
    match step["type"]:
        case "Replace":
            pattern, content = step["pattern"].get("String"), len(step["content"])
            if not pattern:  # an expression may match nothing, before a letter
                return 1 + content
            return max(1, -(-content // len(pattern)))
        case "Prepend":
            return max(1, len(step["prepend"]))
        case "Precompiled":
            return _longest_compiled(base64.b64decode(step["precompiled_charsmap"]))
    return _FIXED_GROWTH.get(step["type"], 1)


def _longest_compiled(table: bytes) -> int:
    """Return the bytes of the longest replacement in a table of SentencePiece: a tree, and then what it leads to."""
    size = int.from_bytes(table[:4], "little")
    return max(1, *map(len, table[4 + size :].split(b"\0")))


def _ids(document: Any) -> Iterator[int]:
    """Yield the ids of all tokens; raises one of several errors where the document has another form."""
    vocab = document["model"]["vocab"]
    if isinstance(vocab, dict):
        yield from map(index, vocab.values())
    else:  # of a Unigram model: the tokens in the order of their ids, with their scores
        yield from range(len(vocab))
    yield from (index(token["id"]) for token in document.get("added_tokens", ()))
