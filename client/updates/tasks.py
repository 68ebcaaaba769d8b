"""The tasks (`client.tasks`) about newer versions: to look for one, to fetch its package, and to lay its tree out."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from client.installed import Installation
from client.paths import Paths
from client.updates.offers import UpdateOffer
from core.messages.lines import Message


class UpdateTask(Message):
    """Base of all three."""

    paths: Paths
    installation: Installation


class LookForUpdate(UpdateTask):
    """Ask the signed repository for a newer version."""

    type: Literal["look_for_update"] = "look_for_update"


class FetchUpdate(UpdateTask):
    """Fetch a package, or the rest of it."""

    type: Literal["fetch_update"] = "fetch_update"
    offer: UpdateOffer
    download: Annotated[int, Field(ge=1)] | None = None
    """Cap in bytes a second; None: no cap."""


class LayOutUpdate(UpdateTask):
    """Unpack a package that was fetched, and check the new version by running it."""

    type: Literal["lay_out_update"] = "lay_out_update"
    offer: UpdateOffer


AnyUpdateTask = LookForUpdate | FetchUpdate | LayOutUpdate


class UpdateFound(Message):
    """Answer to `LookForUpdate`."""

    type: Literal["update_found"] = "update_found"
    offer: UpdateOffer | None
    """The newer version; None: there is none for this installation."""


class UpdateFetched(Message):
    """Answer to `FetchUpdate`: the package is here, with the digest that was signed."""

    type: Literal["update_fetched"] = "update_fetched"
    file: Path


class UpdateLaidOut(Message):
    """Answer to `LayOutUpdate`: the new version can be put in use."""

    type: Literal["update_laid_out"] = "update_laid_out"
    tree: Path
    """Tree of the new version, in its place; on Windows the installer, which lays the tree out itself."""


UpdateAnswer = UpdateFound | UpdateFetched | UpdateLaidOut
