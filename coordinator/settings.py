"""What an organiser may choose about a coordinator, read from coordinator.toml and written there with reasons."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Self

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from coordinator.errors import SettingsError
from core.fields import HubRepo, WebAddress
from core.files import read_bounded, write_atomically
from core.validation import in_words

MAX_SETTINGS_BYTES = 1 << 18
_COLUMNS = 100

Port = Annotated[int, Field(ge=0, le=65_535)]
Multiaddr = Annotated[str, StringConstraints(pattern=r"^(/[A-Za-z0-9.:_-]+)+$", max_length=300)]
UserName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,96}$")]
"""As the Hugging Face Hub has them."""


class _Part(BaseModel):
    """Base of all parts; the docstring under a field is also the comment above it in the file."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class Web(_Part):
    """The website and the REST API."""

    host: str = "127.0.0.1"
    """The network address to listen on: 127.0.0.1 behind a proxy on this machine, 0.0.0.0 for all."""
    port: Port = 8080
    """0 takes a free one."""
    behind_proxy: bool = False
    """Whether a proxy of yours stands before it, whose X-Forwarded-For is to be believed."""


class Swarm(_Part):
    """Where volunteers enter the swarm."""

    listen: tuple[Multiaddr, ...] = ("/ip4/0.0.0.0/tcp/31330",)
    """Multiaddresses of the bootstrap peer; keep the port, since the manifest names it."""
    announce: tuple[Multiaddr, ...] = ()
    """The same as the public reaches them, such as /dns4/train.example.org/tcp/31330; with none, those that this
    machine has."""
    auxiliary: bool = True
    """Whether the bootstrap peer also reduces parts for the trainers' groups."""
    publisher_listen: tuple[Multiaddr, ...] = ("/ip4/0.0.0.0/tcp/31331",)
    """Multiaddresses of the publisher, which gives its checkpoint away after a rollback."""


class Admits(StrEnum):
    """Who, of those that prove who they are, may join."""

    ANYONE = "anyone"
    ORGANISATION = "organisation"
    LIST = "list"
    INVITATION = "invitation"


class Gate(_Part):
    """Who may join."""

    open: bool = False
    """Whether anybody's computer may, without a word of who it is; contributions then bear no names."""
    issuer: WebAddress = "https://huggingface.co"
    """The OpenID provider by which volunteers prove who they are."""
    client_id: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,200}$")] | None = None
    """Of this coordinator's own public OAuth app there; needed unless the gate is open."""
    unbound_device_codes: bool = False
    """Whether to take a sign-in by device code whose proof names no challenge of ours: another coordinator that a
    volunteer signs in to could pass such a proof on. Not needed where client_id is an address below our own."""
    admits: Admits = Admits.ANYONE
    """Who, of those that prove who they are: anyone, organisation, list or invitation."""
    organisation: UserName | None = None
    """Whose members may join, where the gate admits an organisation."""
    token_seconds: Annotated[int, Field(ge=30, le=86_400)] = 600
    """How long an access token is good; who is banned is out after so long at the latest."""
    member_days: Annotated[int, Field(ge=1, le=3_650)] = 90
    """How long a sign-in lasts."""

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if not self.open and self.client_id is None:
            raise ValueError("client_id is needed unless open is true")
        if self.admits is Admits.ORGANISATION and self.organisation is None:
            raise ValueError("organisation is needed to admit its members")
        return self


class Checkpoints(_Part):
    """What is kept of the model, published, and gone back to."""

    every: Annotated[int, Field(ge=1)] = 10
    """Epochs between two checkpoints."""
    keep: Annotated[int, Field(ge=1, le=1000)] = 5
    """Checkpoints that are kept, the newest."""
    publish_to: HubRepo | None = None
    """Repository on the Hugging Face Hub, such as my-org/my-model; HF_TOKEN in the environment may write there."""
    publish_every: Annotated[int, Field(ge=1)] = 10
    """Checkpoints between two that are published."""
    loss_bound: Annotated[float, Field(gt=0)] = 0.1
    """How much worse the held-out loss may be than the last kept checkpoint's, as a share of it."""
    spike_window: Annotated[int, Field(ge=4, le=10_000)] = 30
    """Epochs whose losses tell what is usual."""
    spike_factor: Annotated[float, Field(gt=1)] = 8.0
    """How many times the usual deviation from them a loss must be off to count as blown up."""
    rollbacks_a_day: Annotated[int, Field(ge=0, le=100)] = 3
    """How often a run that blew up is taken back by itself; after that it is only told."""


class Settings(_Part):
    """All of them."""

    address: WebAddress = "http://127.0.0.1:8080"
    """Where the public reaches the website, such as https://train.example.org."""
    moderators: tuple[UserName, ...] = ()
    """User names of those who may ban."""
    web: Web = Web()
    swarm: Swarm = Swarm()
    gate: Gate = Gate(open=True)
    checkpoints: Checkpoints = Checkpoints()

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read coordinator.toml; SettingsError names the field at fault."""
        remedy = f"Correct {path}; docs/coordinator.md explains each setting."
        try:
            table = tomllib.loads(read_bounded(path, MAX_SETTINGS_BYTES).decode())
        except OSError as error:
            raise SettingsError(
                f"{path} cannot be read: {error.strerror or error}.",
                "Give the folder that `idlebrush coordinator init` made.",
            ) from error
        except (ValueError, RecursionError) as error:
            raise SettingsError(f"{path} cannot be read as TOML: {error}.", remedy) from error
        return cls.parse(table, str(path))

    @classmethod
    def parse(cls, table: Mapping[str, Any], source: str) -> Self:
        """The settings in a table as TOML has it; ``source`` says in errors where it is from."""
        try:
            # Strict validation of JSON, unlike that of objects, takes strings for enums and lists for tuples.
            return cls.model_validate_json(json.dumps(table, default=str))
        except ValidationError as error:
            raise SettingsError(
                f"{source}: {in_words(error)}.", "Correct it; docs/coordinator.md explains each setting."
            ) from error

    def save(self, path: Path) -> None:
        """Write them all, each below a comment that says what it is."""
        try:
            write_atomically(path, self.to_toml().encode(), mode=0o600)
        except OSError as error:
            raise SettingsError(
                f"{path} cannot be written: {error.strerror or error}.",
                "Choose a folder that exists and that you may write to.",
            ) from error

    def to_toml(self) -> str:
        """As they are written; what is not set stands there as a comment."""
        return "\n".join(_section(self, None)) + "\n"


def require_invitations(settings: Settings) -> None:
    """Raise SettingsError unless the gate asks for invitations: a link with one would promise too much."""
    if settings.gate.open or settings.gate.admits is not Admits.INVITATION:
        raise SettingsError(
            "The gate of this run does not admit by invitation.",
            'Set admits = "invitation" under [gate] in coordinator.toml and restart `serve`.',
        )


def _section(part: _Part, name: str | None) -> Iterator[str]:
    values: dict[str, Any] = part.model_dump(mode="json")
    parts = [field for field in values if isinstance(getattr(part, field), _Part)]
    if name is not None:
        yield from ("", f"# {part.__class__.__doc__}", f"[{name}]")
    for field in (field for field in values if field not in parts):
        about = type(part).model_fields[field].description or ""
        yield from (f"# {line}" for line in wrap(about, _COLUMNS))
        yield f"# {field} =" if values[field] is None else tomli_w.dumps({field: values[field]}).rstrip()
    for field in parts:
        yield from _section(getattr(part, field), field)
