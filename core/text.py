"""Captions and prompts as tokens: fixed length, ended by EOS, padded with EOS, as in the paper's run."""

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
from core.storage.files import resolve_file
from core.tokenizer_file import GET_AGAIN, read_content, require_bounded_growth

if TYPE_CHECKING:
    from core.run.training.data_rules import TextRules

CHARACTERS_PER_TOKEN = 100
"""Characters of a caption for each of its tokens, at most; longer captions are cut before they are tokenized.

No vocabulary has words so long on average.
"""
MAX_COUNTED = 1 << 16


class CaptionTokenizer:
    """Encodes captions of any length as a fixed number of tokens.

    A caption is cut so that EOS is always there and ends it; the rest of the length is filled with padding,
    which the model attends to like any other token.
    """

    def __init__(self, tokenizer: Tokenizer, *, length: int, eos_id: int, pad_id: int) -> None:
        """Turn off truncation and padding of ``tokenizer``: both are done here.

        Args:
            tokenizer: Tokenizer of the run.
            length: Number of tokens of every caption, its end included.
            eos_id: Id of the token that ends a caption.
            pad_id: Id of the token that fills the rest.
        """
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._eos_id = eos_id
        self._pad_id = pad_id
        self.length = length
        self.vocab_size = 1 + max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)
        """Smallest number that is above the ids of all tokens."""

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
            path: File to read.
            length: Number of tokens of every caption, its end included.
            eos_id: Id of the token that ends a caption.
            pad_id: Id of the token that fills the rest; None: ``eos_id``, as in the paper's run.
            vocab: Size of the model's vocabulary, which no token may reach; None: not checked.
            digest: SHA-256 that the file must have, in hex; None: not checked.

        Raises:
            TextError: The file is missing, too large, not the named one, or not a tokenizer; or its tokens do
                not fit ``vocab``, ``eos_id`` or ``pad_id``.
        """
        pad_id = eos_id if pad_id is None else pad_id
        library = _parsed(read_content(path, digest), path)
        tokenizer = cls(library, length=length, eos_id=eos_id, pad_id=pad_id)
        size = tokenizer.vocab_size
        if vocab is not None and size > vocab:
            raise TextError(
                f"The tokenizer {path} has {size} tokens, but the model knows {vocab}.",
                "Use the tokenizer that the run was made with.",
            )
        if not (0 <= eos_id < size and 0 <= pad_id < size):
            raise TextError(
                f"The tokenizer {path} has {size} tokens, so eos_id {eos_id} or pad_id {pad_id} is out of range.",
                "Give ids that the tokenizer has.",
            )
        return tokenizer

    @classmethod
    def of_run(cls, text: "TextRules", base: Path) -> Self:
        """Load the tokenizer that ``text`` describes, from the folder ``base`` of the run's files.

        Raises TextError or ManifestError if it cannot be used.
        """
        file = resolve_file(text.tokenizer, base)
        return cls.load(file, length=text.length, eos_id=text.eos_id, pad_id=text.pad_id, vocab=text.vocab)

    def encode(self, captions: Sequence[str]) -> Tensor:
        """Return the tokens of ``captions`` or prompts.

        Their type is int64, their shape (number of captions, length). Raises TextError if the tokenizer fails.
        """
        tokens = torch.full((len(captions), self.length), self._pad_id, dtype=torch.int64)
        for row, caption in enumerate(captions):
            ids = self._ids(caption)
            tokens[row, : len(ids)] = torch.tensor(ids, dtype=torch.int64)
        return tokens

    def encode_prompt(self, prompt: str) -> Tensor:
        """Return the tokens of ``prompt``, none of them cut off: int64 of shape (1, length).

        Raises:
            TextError: The prompt has more tokens than the model reads, or none that the tokenizer knows; or the
                tokenizer fails.
        """
        text = clean(prompt)
        if len(text) > self.length * CHARACTERS_PER_TOKEN:  # then nothing of it is tokenized
            raise self._too_long(f"{len(text):,} characters")
        ids = self._encoded(text)
        if len(ids) - (ids[-1:] == [self._eos_id]) > self.length - 1:
            raise self._too_long(f"{len(ids)} tokens")
        if not any(map(self._says_something, ids)):
            raise TextError(
                "The prompt has no word that this run's model knows.",
                "Describe the picture with words that occur in the run's captions.",
            )
        return self.encode([prompt])

    def count(self, caption: str) -> int:
        """Return the number of tokens of ``caption``, its end included.

        Only the first ``MAX_COUNTED`` characters are counted. Raises TextError if the tokenizer fails.
        """
        ids = self._encoded(clean(caption[:MAX_COUNTED]))
        return len(ids) + (ids[-1:] != [self._eos_id])

    def _too_long(self, has: str) -> TextError:
        return TextError(
            f"The prompt is too long: it has {has}, and the model reads {self.length - 1} tokens.",
            "Use fewer words.",
        )

    def _says_something(self, token: int) -> bool:
        """Return true unless the token is an end, padding, the unknown token, or a single blank."""
        letters = self._tokenizer.id_to_token(token) or ""
        return token not in self._empty_ids and any(map(str.isalnum, letters))

    @cached_property
    def _empty_ids(self) -> set[int]:
        """Token ids of the end, of padding, and of the unknown token."""
        model = json.loads(self._tokenizer.to_str())["model"]
        unknown = model.get("unk_id")  # of Unigram; the others name the token
        if unknown is None:
            unknown = self._tokenizer.token_to_id(model.get("unk_token") or "")
        return {self._eos_id, self._pad_id, *([] if unknown is None else [unknown])}

    def _ids(self, caption: str) -> list[int]:
        text = clean(caption)[: self.length * CHARACTERS_PER_TOKEN]
        # One by one: encode_batch starts threads, which processes forked later would inherit dead.
        ids = self._encoded(text)
        if ids and ids[-1] == self._eos_id:
            ids.pop()
        return [*ids[: self.length - 1], self._eos_id]

    def _encoded(self, text: str) -> list[int]:
        try:
            ids: list[int] = self._tokenizer.encode(text).ids
        except Exception as error:  # such as for an unknown word, where the file names no token for it
            raise TextError(f"The run's tokenizer fails: {error}.", GET_AGAIN) from error
        return ids


def _parsed(content: bytes, path: Path) -> Tokenizer:
    """Make a tokenizer from the ``content`` of its file; TextError names the file by ``path`` if it is none."""
    try:
        document = json.loads(content)
        require_bounded_growth(document, str(path))
        return Tokenizer.from_str(content.decode())
    except TextError:
        raise
    except Exception as error:  # tokenizers raises bare Exception for whatever it cannot parse
        raise TextError(f"{path} is not a tokenizer in JSON: {error}.", GET_AGAIN) from error


def clean(caption: str) -> str:
    """Return ``caption`` on one line.

    Control characters and runs of blanks become a space, lone surrogates U+FFFD.
    """
    replaced = "".join(_REPLACED.get(unicodedata.category(letter), letter) for letter in caption)
    return " ".join(replaced.split())


_REPLACED = {"Cc": " ", "Cs": "\ufffd"}
