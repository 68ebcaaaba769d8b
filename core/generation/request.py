"""What is asked for when pictures are drawn: validated, in words, before anything is loaded. Imports no torch."""

import re
import unicodedata
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from core.errors import GenerationError
from core.generation.sampling import Sampling
from core.validation import in_words

LONGEST_PROMPT = 2_000
"""Characters; how many tokens a model reads is checked by its tokenizer."""
MOST_PICTURES = 1_024
"""Of one request; their pixels stay in memory until the best are known."""
_UNREADABLE = {"Cc": "a control character", "Cs": "half of a character"}
_AS_EMOJI = re.compile(".[\ufe0f\u20e3]+")
"""A character that is shown as an emoji or on a key: among them are digits and a letter."""


class GenerationRequest(BaseModel):
    """Pictures of one prompt, and how their codes are drawn (Borzunov et al., 2022, section 3.4)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    prompt: str
    count: Annotated[int, Field(ge=1, le=MOST_PICTURES)] = 16
    """Pictures to draw."""
    best: Annotated[int, Field(ge=1)] | None = None
    """How many of them to keep, by the run's ranker; None: all."""
    top_k: Annotated[int, Field(ge=1)] | None = None
    """Draw from so many of the likeliest codes; None: the run's usual share, or with ``top_p`` no limit."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    """Draw from the fewest of the likeliest codes whose probability is at least this; None: no such limit."""
    temperature: Annotated[float, Field(ge=0.01, le=100)] | None = None
    """By which logits are divided; None: as the run's sample prompts are drawn."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """The same seed gives the same pictures, and the first of many are those of few."""

    @field_validator("prompt")
    @classmethod
    def _is_readable(cls, prompt: str) -> str:
        if fault := fault_of(prompt):
            raise ValueError(fault)
        return prompt

    @model_validator(mode="after")
    def _best_are_drawn(self) -> Self:
        if self.best is not None and self.best > self.count:
            raise ValueError(
                f"the best {self.best} of {self.count} cannot be kept: draw at least {self.best}"
            )
        return self

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """A request from whatever somebody asked for; GenerationError says what is wrong with it."""
        try:
            return cls(**fields)
        except ValidationError as error:
            raise GenerationError(
                f"No pictures can be drawn as asked: {in_words(error).removeprefix(': ')}.",
                "Correct it, and ask again.",
            ) from None  # the cause would print the prompt as it is, control characters included

    def sampling(self, image_vocab: int) -> Sampling:
        """How codes are drawn from a codebook of that size: as asked, and where nothing was, as usual."""
        usual = Sampling.of_prompts(image_vocab)
        top_k = usual.top_k if self.top_k is None and self.top_p is None else self.top_k
        temperature = usual.temperature if self.temperature is None else self.temperature
        return Sampling(top_k=top_k, top_p=self.top_p, temperature=temperature, seed=self.seed)


def fault_of(prompt: str) -> str | None:
    """Why nobody could read a prompt; None where somebody can."""
    if not prompt.strip():
        return "it is empty"
    if len(prompt) > LONGEST_PROMPT:
        return f"it has {len(prompt):,} characters, and {LONGEST_PROMPT:,} are the most"
    for place, letter in enumerate(prompt, start=1):
        if kind := _UNREADABLE.get(unicodedata.category(letter)):
            return f"it has {kind}, U+{ord(letter):04X}, at place {place}"
    if not any(letter.isalnum() for letter in _AS_EMOJI.sub("", prompt)):
        return "it has no letter and no digit; say in words what the picture is to show"
    return None
