"""The contact part of a run's manifest: its description, addresses, gate, and ranker of pictures."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from core.run.fields import (
    HubCommit,
    HubRepo,
    Multiaddr,
    Prose,
    PublicKey,
    ReleaseNumber,
    Rules,
    TextLine,
    WebAddress,
)
from core.storage.files import FileRef


class ClipRanking(Rules):
    """Ranking by a CLIP model on the Hugging Face Hub (Radford et al., 2021), as in the paper's section 3.1."""

    kind: Literal["clip"] = "clip"
    repo: HubRepo = "openai/clip-vit-base-patch32"
    revision: HubCommit = "c237dc49a33fc61debc9276459120b7eac67e7ef"
    """Commit of the repository; the default converts the model to safetensors, which its main branch lacks."""


class ScorerRanking(Rules):
    """Ranking by a small scorer that was trained on the run's own data: `core.ranking.scorer`."""

    kind: Literal["scorer"] = "scorer"
    weights: FileRef
    """File of the scorer's weights, in safetensors."""


Ranking = Annotated[ClipRanking | ScorerRanking, Field(discriminator="kind")]


class GateRules(Rules):
    """The gate that decides which peers may take part."""

    key: PublicKey
    """Key that signs the peers' access tokens and the list of revocations."""


class Contact(Rules):
    """The run's organiser and addresses; may be issued again with a higher serial."""

    title: TextLine
    description: Prose = ""
    coordinator: WebAddress | None = None
    initial_peers: Annotated[tuple[Multiaddr, ...], Field(max_length=64)] = ()
    """Addresses of peers through which others enter the swarm."""
    sample_prompts: Annotated[tuple[TextLine, ...], Field(max_length=64)] = ()
    """Prompts whose pictures show the swarm's progress."""
    ranking: Ranking | None = None
    """Ranker that picks the best of many pictures; without one they keep the order in which they were drawn."""
    gate: GateRules | None = None
    """Gate that admits peers; None: the run is open to every peer that finds its swarm."""
    least_version: ReleaseNumber | None = None
    """Oldest version of Idlebrush that may join and go on; None: any that can read the manifest."""
    serial: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Number of this issue; a part with a higher one replaces those before it."""
    issued_at: datetime

    @model_validator(mode="after")
    def _zone_is_known(self) -> Self:
        if self.issued_at.tzinfo is None:
            raise ValueError("issued_at needs a time zone")
        return self

    @property
    def files(self) -> tuple[FileRef, ...]:
        """Files that this part needs beside the manifest."""
        return (self.ranking.weights,) if isinstance(self.ranking, ScorerRanking) else ()
