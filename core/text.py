"""Captions and prompts as tokens: fixed length, ended by EOS, padded with EOS, as in the paper's run."""

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import torch
from tokenizers import Tokenizer
from torch import Tensor

from core.errors import TextError
from core.files import read_bounded, resolve_file

if TYPE_CHECKING:
    from core.rules import TextRules

MAX_TOKENIZER_BYTES = 64 << 20
CHARACTERS_PER_TOKEN = 100
"""Longer captions are cut before they are tokenized; no vocabulary has words so long on average."""
MAX_COUNTED = 1 << 16


class CaptionTokenizer:
    """Tokens of a fixed number for captions of any length.

    A caption is cut so that EOS is always there and ends it; what is left of the length is filled with
    padding, which the model attends to like any other token.
    """

    def __init__(self, tokenizer: Tokenizer, *, length: int, eos_id: int, pad_id: int) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._eos_id = eos_id
        self._pad_id = pad_id
        self.length = length
        self.vocab_size = 1 + max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        length: int,
        eos_id: int = 1,
        pad_id: int | None = None,
        vocab: int | None = None,
        digest: str | None = None,
    ) -> Self:
        """Read any JSON file of the ``tokenizers`` library.

        Args:
            length: tokens of every caption.
            pad_id: EOS if not given, as in the paper's run.
            vocab: the model's, which no token may reach; not checked if not given.
            digest: SHA-256 that the file must have, in hex.

        Raises:
            TextError: the file is missing, too large, another one, no tokenizer, or larger than the model's.
        """
        pad_id = eos_id if pad_id is None else pad_id
        tokenizer = cls(_parse(path, digest), length=length, eos_id=eos_id, pad_id=pad_id)
        size = tokenizer.vocab_size
        if vocab is not None and size > vocab:
            raise TextError(
                f"The tokenizer {path} has {size} tokens, but the model knows {vocab}.",
                "Use the tokenizer that the run was made with.",
            )
        if not (0 <= eos_id < size and 0 <= pad_id < size):
            raise TextError(
                f"The tokenizer {path} has {size} tokens: not both {eos_id} (end) and {pad_id} (padding).",
                "Give ids that the tokenizer has.",
            )
        return tokenizer

    @classmethod
    def of_run(cls, text: "TextRules", base: Path) -> Self:
        """The tokenizer of a run whose files lie in ``base``; TextError or ManifestError if it cannot be used."""
        file = resolve_file(text.tokenizer, base)
        return cls.load(file, length=text.length, eos_id=text.eos_id, pad_id=text.pad_id, vocab=text.vocab)

    def encode(self, captions: Sequence[str]) -> Tensor:
        """Tokens of captions or prompts: int64 of shape (number of captions, length)."""
        tokens = torch.full((len(captions), self.length), self._pad_id, dtype=torch.int64)
        for row, caption in enumerate(captions):
            ids = self._ids(caption)
            tokens[row, : len(ids)] = torch.tensor(ids, dtype=torch.int64)
        return tokens

    def encode_prompt(self, prompt: str) -> Tensor:
        """Tokens of a prompt, none of them cut off: int64 of shape (1, length).

        Raises:
            TextError: it has more tokens than the model reads, or none that the tokenizer knows.
        """
        text = clean(prompt)
        if len(text) > self.length * CHARACTERS_PER_TOKEN:  # then nothing of it is tokenized
            raise self._too_long(f"{len(text):,} characters")
        ids = self._tokenizer.encode(text).ids
        if len(ids) - (ids[-1:] == [self._eos_id]) > self.length - 1:
            raise self._too_long(f"{len(ids)} tokens")
        if not any(map(self._says_something, ids)):
            raise TextError(
                "The prompt has no word that this run's model knows.",
                "Say in words of the run's captions what the picture is to show.",
            )
        return self.encode([prompt])

    def count(self, caption: str) -> int:
        """Tokens of a caption and its end, as many as there are in its first ``MAX_COUNTED`` characters."""
        ids = self._tokenizer.encode(clean(caption[:MAX_COUNTED])).ids
        return len(ids) + (ids[-1:] != [self._eos_id])

    def _too_long(self, has: str) -> TextError:
        return TextError(
            f"The prompt is too long: it has {has}, and the model reads {self.length - 1} tokens.",
            "Say it in fewer words.",
        )

    def _says_something(self, token: int) -> bool:
        """Whether it is none for the end, padding, the unknown, or a blank alone."""
        letters = self._tokenizer.id_to_token(token) or ""
        return token not in self._empty_ids and any(map(str.isalnum, letters))

    @cached_property
    def _empty_ids(self) -> set[int]:
        """Of the end, of padding, and of what stands for the unknown."""
        model = json.loads(self._tokenizer.to_str())["model"]
        unknown = model.get("unk_id")  # of Unigram; the others name the token
        if unknown is None:
            unknown = self._tokenizer.token_to_id(model.get("unk_token") or "")
        return {self._eos_id, self._pad_id, *([] if unknown is None else [unknown])}

    def _ids(self, caption: str) -> list[int]:
        text = clean(caption)[: self.length * CHARACTERS_PER_TOKEN]
        # One by one: encode_batch starts threads, which processes forked later would inherit dead.
        ids: list[int] = self._tokenizer.encode(text).ids
        if ids and ids[-1] == self._eos_id:
            ids.pop()
        return [*ids[: self.length - 1], self._eos_id]


def clean(caption: str) -> str:
    """The caption on one line: control characters and runs of blanks are a space, lone surrogates U+FFFD."""
    replaced = "".join(_REPLACED.get(unicodedata.category(letter), letter) for letter in caption)
    return " ".join(replaced.split())


_REPLACED = {"Cc": " ", "Cs": "\ufffd"}


def _parse(path: Path, digest: str | None) -> Tokenizer:
    remedy = "Get the tokenizer again from where the run's manifest came from."
    try:
        content = read_bounded(path, MAX_TOKENIZER_BYTES)
    except OSError as error:
        raise TextError(f"The tokenizer {path} cannot be read: {error.strerror or error}.", remedy) from error
    except ValueError as error:
        raise TextError(f"{error}, too many for a tokenizer.", remedy) from error
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise TextError(f"The tokenizer {path} is not the one that the run names.", remedy)
    try:
        json.loads(content)
        return Tokenizer.from_str(content.decode())
    except Exception as error:  # tokenizers raises bare Exception for whatever it cannot parse
        raise TextError(f"{path} is not a tokenizer in JSON: {error}.", remedy) from error
