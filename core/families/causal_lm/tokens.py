"""The tokenizer of a run that trains a causal language model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tokenizers import Tokenizer

from core.errors import MisfitError, TextError
from core.families.causal_lm.rules import CausalRules
from core.storage.files import resolve_file
from core.tokenizer_file import GET_AGAIN, read_content


class TextTokenizer:
    """Makes tokens of text and text of tokens, by any JSON of the ``tokenizers`` library."""

    def __init__(self, tokenizer: Tokenizer, vocab: int | None = None) -> None:
        """Turn off truncation and padding of ``tokenizer``.

        ``vocab`` is the size of the model's vocabulary, which no token may reach; None if there is no model.
        """
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer, self._vocab = tokenizer, vocab

    @classmethod
    def of_run(cls, training: CausalRules, base: Path) -> Self:
        """Load the tokenizer of a run.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.

        Raises:
            TextError: It is no tokenizer.
            ManifestError: The file is missing or differs.
            MisfitError: Its tokens do not fit the model.
        """
        path = resolve_file(training.tokens.tokenizer, base)
        training.check_files(base)
        found = cls.load(path, training.model.vocab)
        # The library may give a token another id than its file does.
        training.check_vocabulary(found.size)
        return found

    @classmethod
    def load(cls, path: Path, vocab: int) -> Self:
        """Load the tokenizer in a file.

        Args:
            path: JSON of the ``tokenizers`` library.
            vocab: Size of the model's vocabulary, which no token may reach.

        Raises:
            TextError: It is no tokenizer.
        """
        try:
            library = Tokenizer.from_str(read_content(path).decode())
        except Exception as error:  # tokenizers raises bare Exception for whatever it cannot parse
            raise TextError(f"{path} is not a tokenizer in JSON: {error}.", GET_AGAIN) from error
        return cls(library, vocab)

    @property
    def size(self) -> int:
        """Number above the ids of all tokens."""
        return 1 + max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)

    def token(self, number: int) -> str:
        """Return the text of the token with the id ``number`` as the file has it; raises MisfitError for none."""
        found: str | None = self._tokenizer.id_to_token(number)
        if found is None:
            raise MisfitError(
                f"The tokenizer has no token {number}.", "Use the tokenizer of the model's run."
            )
        return found

    def encode(self, text: str) -> list[int]:
        """Return the tokens of ``text``, without any that the tokenizer would add around it.

        Raises:
            TextError: The tokenizer fails.
            MisfitError: It gives a token that the model does not know.
        """
        try:
            ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        except Exception as error:  # such as for an unknown word, where the file names no token for it
            raise TextError(f"The run's tokenizer fails: {error}.", GET_AGAIN) from error
        if self._vocab is not None and max(ids, default=0) >= self._vocab:
            raise MisfitError(
                f"The run's tokenizer gives the token {max(ids)}, but the model knows {self._vocab:,}.",
                "Make the run with a tokenizer whose tokens fit the model.",
            )
        return ids

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text of ``tokens``; special ones are left out."""
        text: str = self._tokenizer.decode(list(tokens), skip_special_tokens=True)
        return text
