"""The contact part of a run's manifest: its description, addresses, gate, and ranker of pictures."""

from typing import Annotated, Literal

from pydantic import Field

from core.errors import ManifestError
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
    ZonedTime,
)
from core.run.rules import TrainingRules
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


NewsText = Annotated[Prose, Field(min_length=1, max_length=1000)]
MOST_NEWS = 8


class NewsItem(Rules):
    """A message of the organiser to the run's volunteers, as plain text."""

    at: ZonedTime
    """Time at which it was written."""
    text: NewsText


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
    news: Annotated[tuple[NewsItem, ...], Field(max_length=MOST_NEWS)] = ()
    """Messages to the volunteers, newest first."""
    serial: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Number of this issue; a part with a higher one replaces those before it."""
    issued_at: ZonedTime

    def require_fit(self, training: TrainingRules) -> None:
        """Raise ManifestError if this part says what has no meaning for a run with the rules ``training``."""
        if self.ranking is not None and not training.makes_pictures:
            raise ManifestError(
                f"contact.ranking ranks pictures, and models of the kind {training.kind} make none.",
                "Leave out [contact.ranking].",
            )

    @property
    def files(self) -> tuple[FileRef, ...]:
        """Files that this part needs beside the manifest."""
        return (self.ranking.weights,) if isinstance(self.ranking, ScorerRanking) else ()
