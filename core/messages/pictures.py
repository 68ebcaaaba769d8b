"""A request for pictures, validated in words before anything is loaded. Imports no torch."""

import re
import unicodedata
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from core.errors import GenerationError
from core.messages.sampling import MOST_GUIDANCE, Sampling
from core.run.validation import in_words

LONGEST_PROMPT = 2_000
"""Most characters of a prompt; the model's tokenizer checks the number of tokens."""
MOST_PICTURES = 1_024
"""Largest number of pictures of one request; their pixels stay in memory until the best are known."""
_UNREADABLE = {"Cc": "a control character", "Cs": "half of a character"}
_AS_EMOJI = re.compile(".[\ufe0f\u20e3]+")
"""A character that is shown as an emoji or on a key: among them are digits and a letter."""


class GenerationRequest(BaseModel):
    """Pictures of one prompt, and how their codes are drawn (Borzunov et al., 2022, section 3.4)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    prompt: str
    count: Annotated[int, Field(ge=1, le=MOST_PICTURES)] = 16
    """Number of pictures to draw."""
    best: Annotated[int, Field(ge=1)] | None = None
    """Number of pictures to keep, chosen by the run's ranker; None: all."""
    top_k: Annotated[int, Field(ge=1)] | None = None
    """Number of the likeliest codes to draw from; None: the run's usual share, or with ``top_p`` no limit."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    """Draw from the fewest of the likeliest codes whose probability is at least this; None: no such limit."""
    temperature: Annotated[float, Field(ge=0.01, le=100)] | None = None
    """Divisor of the logits; None: the one of the run's sample prompts."""
    guidance: Annotated[float, Field(ge=0, le=MOST_GUIDANCE)] | None = None
    """Factor of what the prompt adds to a picture without one; None: the one of the run's sample prompts."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Seed of the drawing: equal seeds give equal pictures, and a larger count begins with the same ones."""

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
        """Return a request with the ``fields`` that a user asked for; raises GenerationError if they are invalid."""
        try:
            return cls(**fields)
        except ValidationError as error:
            raise GenerationError(
                f"The request for pictures is invalid: {in_words(error)}.",
                "Correct it and try again.",
            ) from None  # the cause would print the prompt as it is, control characters included

    def sampling(self, image_vocab: int, usual_guidance: float = 1.0) -> Sampling:
        """Return the sampling from a codebook, with usual values for missing settings.

        Args:
            image_vocab: Entries of the codebook.
            usual_guidance: Guidance of the run's sample prompts; 1 if its model cannot be guided.

        Raises:
            GenerationError: the request asks for guidance by a model that cannot be guided.
        """
        usual = Sampling.of_prompts(image_vocab, usual_guidance)
        guidance = usual.guidance if self.guidance is None else self.guidance
        if guidance != 1.0 and not usual.is_guided:
            raise GenerationError(
                "This run's model cannot be guided: it learned no pictures without captions.",
                "Ask again without guidance.",
            )
        top_k = usual.top_k if self.top_k is None and self.top_p is None else self.top_k
        temperature = usual.temperature if self.temperature is None else self.temperature
        return Sampling(
            top_k=top_k, top_p=self.top_p, temperature=temperature, guidance=guidance, seed=self.seed
        )


def fault_of(prompt: str) -> str | None:
    """Return the reason why a prompt is not readable text, or None if it is."""
    if not prompt.strip():
        return "it is empty"
    if len(prompt) > LONGEST_PROMPT:
        return f"it has {len(prompt):,} characters, and {LONGEST_PROMPT:,} are the most"
    for place, letter in enumerate(prompt, start=1):
        if kind := _UNREADABLE.get(unicodedata.category(letter)):
            return f"it has {kind}, U+{ord(letter):04X}, at place {place}"
    if not any(letter.isalnum() for letter in _AS_EMOJI.sub("", prompt)):
        return "it has no letter and no digit; describe the picture in words"
    return None
