"""The contact part of a run's manifest: who runs it, where to find it, who may enter, what ranks its pictures."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from core.fields import HubCommit, HubRepo, Line, Multiaddr, Prose, PublicKey, Rules, WebAddress
from core.files import FileRef


class ClipRanking(Rules):
    """By a CLIP model on the Hugging Face Hub (Radford et al., 2021), as in the paper's demo (section 3.4)."""

    kind: Literal["clip"] = "clip"
    repo: HubRepo = "openai/clip-vit-base-patch32"
    revision: HubCommit = "c237dc49a33fc61debc9276459120b7eac67e7ef"
    """The default is the Hub's own conversion of that model: its main branch has no safetensors."""


class ScorerRanking(Rules):
    """By a small scorer that was trained on the run's own data: `core.ranking.scorer`."""

    kind: Literal["scorer"] = "scorer"
    weights: FileRef
    """safetensors."""


Ranking = Annotated[ClipRanking | ScorerRanking, Field(discriminator="kind")]


class GateRules(Rules):
    """Who says which peers may take part."""

    key: PublicKey
    """Signs their access tokens, and the list of those that are refused at once."""


class Contact(Rules):
    """Who runs it and where to find it; may be issued anew with a higher serial."""

    title: Line
    description: Prose = ""
    coordinator: WebAddress | None = None
    initial_peers: Annotated[tuple[Multiaddr, ...], Field(max_length=64)] = ()
    """Addresses of peers to enter the swarm by."""
    sample_prompts: Annotated[tuple[Line, ...], Field(max_length=64)] = ()
    """What the swarm's progress is shown on."""
    ranking: Ranking | None = None
    """What picks the best of many pictures; with none they stay in the order in which they were drawn."""
    gate: GateRules | None = None
    """With none the run is open: whoever finds its swarm may take part."""
    serial: Annotated[int, Field(ge=0, lt=2**63)] = 0
    issued_at: datetime

    @model_validator(mode="after")
    def _zone_is_known(self) -> Self:
        if self.issued_at.tzinfo is None:
            raise ValueError("issued_at needs a time zone")
        return self

    @property
    def files(self) -> tuple[FileRef, ...]:
        """All that this part needs beside the manifest."""
        return (self.ranking.weights,) if isinstance(self.ranking, ScorerRanking) else ()
