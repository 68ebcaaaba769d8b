"""Settings for drawing codes from the model's logits, validated, free of torch."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field


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
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Image number i of a request depends on the seed, on i and on its prompt, and on nothing else of the request."""

    @classmethod
    def of_prompts(cls, image_vocab: int) -> Self:
        """Return the sampling of the run's sample prompts, for a codebook of ``image_vocab`` entries.

        It draws from the paper's share of the codebook, at a low temperature, because on a small grid a
        single unlikely code spoils a picture.
        """
        return cls(top_k=max(1, image_vocab // 32), temperature=0.7)
