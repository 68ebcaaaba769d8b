"""Settings for drawing codes from the model's logits, validated, free of torch."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

MOST_GUIDANCE = 20.0
"""Largest guidance: beyond it, logits of the likeliest codes alone count."""


class Sampling(BaseModel):
    """Temperature, then the likeliest codes alone (Borzunov et al., 2022, section 3.4: 256, or 0.75 of probability).

    Both limits can hold together: ``top_p`` is then a share of what ``top_k`` leaves.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    top_k: Annotated[int, Field(ge=1)] | None = 256
    """Number of the likeliest codes to draw from; None: all."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    """Draw from the fewest of the likeliest codes whose probability is at least this; None: from all."""
    temperature: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """Divisor of the logits: below 1, likely codes become likelier."""
    guidance: Annotated[float, Field(ge=0, le=MOST_GUIDANCE, allow_inf_nan=False)] = 1.0
    """Factor of what the prompt adds to the logits of a picture without a prompt (Ho and Salimans, 2022).

    1: the model's own logits, of the prompt alone; more: pictures that fit it better and differ less. The model must
    have learned pictures without captions (`DataRules.caption_dropout`).
    """
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Image number i of a request depends on the seed, on i and on its prompt, and on nothing else of the request."""

    @classmethod
    def of_prompts(cls, image_vocab: int, guidance: float = 1.0) -> Self:
        """Return the sampling of the run's sample prompts.

        It draws from the paper's share of the codebook, at a low temperature, because on a small grid a
        single unlikely code spoils a picture.

        Args:
            image_vocab: Entries of the codebook.
            guidance: Factor of what a prompt adds; 1: drawings are not guided.
        """
        return cls(top_k=max(1, image_vocab // 32), temperature=0.7, guidance=guidance)

    @property
    def is_guided(self) -> bool:
        """True if each image is computed twice, with and without its prompt."""
        return self.guidance != 1.0
