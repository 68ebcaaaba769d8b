"""An organiser's settings of a coordinator, read from and written to coordinator.toml with explanations."""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Self

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from coordinator.errors import SettingsError
from core.messages.reach import RelayBounds
from core.run.fields import HubRepo, WebAddress
from core.run.rules import TrainingRules
from core.run.validation import in_words
from core.storage.files import read_bounded, write_atomically

MAX_SETTINGS_BYTES = 1 << 18
_COLUMNS = 100
_ANY_HOST = frozenset({"0.0.0.0", "::"})
OWN_NAME = "coordinator"
"""User name under which the coordinator's own peers are admitted."""

Port = Annotated[int, Field(ge=0, le=65_535)]
_Multiaddr = Annotated[str, StringConstraints(pattern=r"^(/[A-Za-z0-9.:_-]+)+$", max_length=300)]
_UserName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,96}$")]
"""User names as the Hugging Face Hub allows them."""


class _SettingsPart(BaseModel):
    """Base of all parts; the docstring under a field is also the comment above it in the file."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class Web(_SettingsPart):
    """The website and the REST API."""

    host: str = "127.0.0.1"
    """Network address that the website listens on: 127.0.0.1 behind a proxy on this machine, 0.0.0.0 for any."""
    port: Port = 8080
    """Port that the website listens on; 0 takes a free one."""
    behind_proxy: bool = False
    """True if requests come through your proxy, whose header X-Forwarded-For names the visitor."""
    processes: Annotated[int, Field(ge=1, le=16)] = 1
    """Number of processes that answer requests, such as one for each core; more than one need PostgreSQL."""


class SwarmSettings(_SettingsPart):
    """Addresses at which volunteers enter the swarm."""

    listen: tuple[_Multiaddr, ...] = ("/ip4/0.0.0.0/tcp/31330", "/ip6/::/tcp/31330")
    """Multiaddresses that the bootstrap peer listens on; keep the port, since the manifest names it."""
    announce: tuple[_Multiaddr, ...] = ()
    """Multiaddresses under which volunteers reach the bootstrap peer, such as /dns/train.example.org/tcp/31330;
    if there are none, this machine's own addresses are announced."""
    auxiliary: bool = True
    """True if the bootstrap peer also averages parts of the gradients for the trainers."""
    follow: bool = True
    """True if the publisher keeps a copy of the model's state that follows the swarm, and gives it to new volunteers;
    it takes about 10 bytes of memory for each parameter, and once more 12 while it gives the state away."""
    recomputed_seconds_an_hour: Annotated[int, Field(ge=0, le=3600)] = 60
    """Processor seconds an hour, at the lowest priority, for which the coordinator recomputes work of trainers, in a
    run with recomputed_share; 0 to recompute nothing. It needs auxiliary and follow. An audit may take a day's
    seconds; while it waits for work, it keeps 12 bytes on the disk for each parameter."""
    publisher_listen: tuple[_Multiaddr, ...] = ("/ip4/0.0.0.0/tcp/31331", "/ip6/::/tcp/31331")
    """Multiaddresses that the publisher listens on; after a rollback, peers download its checkpoint from them."""


class RelaySettings(_SettingsPart):
    """Connections that the bootstrap peer and the publisher relay between homes whose routers let none in."""

    homes: Annotated[int, Field(ge=0, le=4096)] = 128
    """Number of homes for which each of the two peers relays at a time; 0 to relay for none."""
    connections: Annotated[int, Field(ge=1, le=4096)] = 16
    """Connections to each home at a time."""
    megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 512
    """Megabytes that pass by one connection each way before it is closed and made again."""
    minutes: Annotated[int, Field(ge=1, le=1440)] = 30
    """Minutes after which a connection is closed and made again."""
    gigabytes_a_day: Annotated[int, Field(ge=1, le=1_000_000)] = 10
    """Gigabytes that each of the two peers relays in a day by UTC, both ways together; they enter this machine and
    leave it. Once they are used up, the peer relays for nobody until 00:00 UTC."""

    @property
    def bounds(self) -> RelayBounds | None:
        """Bounds for each of the two peers; None if they do not relay."""
        if not self.homes:
            return None
        return RelayBounds(**self.model_dump())


class Admits(StrEnum):
    """Volunteers that a gate with sign-in admits."""

    ANYONE = "anyone"
    ORGANISATION = "organisation"
    LIST = "list"
    INVITATION = "invitation"


class GateSettings(_SettingsPart):
    """Conditions for joining the run."""

    open: bool = False
    """True if any computer may join without signing in; contributions then have no names."""
    issuer: WebAddress = "https://huggingface.co"
    """OpenID provider at which volunteers sign in."""
    client_id: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,200}$")] | None = None
    """Client id of this coordinator's own public OAuth app at the issuer; needed unless the gate is open."""
    unbound_device_codes: bool = False
    """True if the gate accepts a sign-in by device code whose proof has no challenge of this gate. Another
    coordinator that a volunteer signs in to could then use the proof here. Not needed if client_id is an address
    of this website."""
    admits: Admits = Admits.ANYONE
    """Signed-in volunteers who may join: anyone, organisation, list or invitation."""
    organisation: _UserName | None = None
    """Organisation on the Hub whose members may join, if admits is organisation."""
    token_seconds: Annotated[int, Field(ge=30, le=86_400)] = 600
    """Seconds that an access token is valid; a ban takes effect within this time."""
    member_days: Annotated[int, Field(ge=1, le=3_650)] = 90
    """Days that a sign-in lasts."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.open and self.client_id is None:
            raise ValueError("client_id is needed unless open is true")
        if self.open and (self.admits is not Admits.ANYONE or self.organisation is not None):
            raise ValueError("open admits anyone, but admits or organisation restricts who may join")
        if self.admits is Admits.ORGANISATION and self.organisation is None:
            raise ValueError("organisation is needed to admit its members")
        if self.admits is not Admits.ORGANISATION and self.organisation is not None:
            raise ValueError("organisation needs admits to be organisation")
        return self


class Checkpoints(_SettingsPart):
    """Checkpoints of the model, their publication, and rollbacks."""

    every: Annotated[int, Field(ge=1)] = 10
    """Epochs between two checkpoints."""
    keep: Annotated[int, Field(ge=1, le=1000)] = 5
    """Number of newest checkpoints that are kept."""
    publish_to: HubRepo | None = None
    """Repository on the Hugging Face Hub for published checkpoints, such as my-org/my-model; HF_TOKEN in the
    environment must be allowed to write there."""
    publish_every: Annotated[int, Field(ge=1)] = 10
    """Number of checkpoints from one that is published to the next."""
    loss_bound: Annotated[float, Field(gt=0)] = 0.1
    """Fraction by which the held-out loss may exceed that of the last kept checkpoint."""
    spike_window: Annotated[int, Field(ge=4, le=10_000)] = 30
    """Number of latest epochs that give the usual loss and its deviation."""
    spike_factor: Annotated[float, Field(gt=1)] = 8.0
    """Deviations above the usual loss at which a run counts as diverged."""
    rollbacks_a_day: Annotated[int, Field(ge=0, le=100)] = 3
    """Automatic rollbacks of a diverged run within a day; further ones are left to the organiser."""


class LedgerSettings(_SettingsPart):
    """The ledger of contributions."""

    keep_days: Annotated[int, Field(ge=0, le=36_500)] = 90
    """Days for which the credit of each computer for each epoch stays in the database; older ones move to files in
    archive/. Totals, days and receipts stay. 0 keeps all."""


class PackageSettings(_SettingsPart):
    """Packages of Idlebrush that the page /join offers for download."""

    folder: Annotated[str, StringConstraints(min_length=1, max_length=4096)] | None = None
    """Folder that `make packages` filled, absolute or relative to the coordinator's folder; without one, the page
    offers the source alone."""
    address: WebAddress | None = None
    """Base address of another site that has the same files; without one, this website serves them. The folder then
    needs packages.json alone."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.address is not None and self.folder is None:
            raise ValueError("address needs folder, whose packages.json has the sizes and digests")
        return self


class ReportSettings(_SettingsPart):
    """Reports of each epoch beside the dashboard and Prometheus; each needs a package that you install."""

    tensorboard: Annotated[str, StringConstraints(min_length=1, max_length=4096)] | None = None
    """Folder for TensorBoard, absolute or relative to the coordinator's folder; needs the package tensorboard."""
    wandb: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,128}$")] | None = None
    """Project at Weights & Biases; needs the package wandb, and WANDB_API_KEY or WANDB_MODE=offline in the
    environment."""

    @property
    def are_wanted(self) -> bool:
        """True if anything is to be reported."""
        return self.tensorboard is not None or self.wandb is not None


class Settings(_SettingsPart):
    """Settings of a coordinator, as coordinator.toml holds them."""

    address: WebAddress = "http://127.0.0.1:8080"
    """Public address of the website, such as https://train.example.org."""
    moderators: tuple[_UserName, ...] = ()
    """User names of the moderators, who may ban volunteers."""
    appeals: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{3,200}$")] | None = None
    """Contact to which a volunteer appeals who was set aside: an e-mail address, or the address of a page."""
    web: Web = Web()
    swarm: SwarmSettings = SwarmSettings()
    relay: RelaySettings = RelaySettings()
    gate: GateSettings = GateSettings(open=True)
    checkpoints: Checkpoints = Checkpoints()
    ledger: LedgerSettings = LedgerSettings()
    packages: PackageSettings = PackageSettings()
    reports: ReportSettings = ReportSettings()

    @property
    def recomputed_seconds_an_hour(self) -> int:
        """Processor seconds an hour for recomputing work; 0 if the settings leave no process that could."""
        swarm = self.swarm
        return swarm.recomputed_seconds_an_hour if swarm.auxiliary and swarm.follow else 0

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.gate.open and self.moderators:
            raise ValueError("moderators have to sign in, which is not possible while gate.open is true")
        listeners = [
            ("web", (self.web.host, self.web.port)),
            *(("swarm.listen", place) for place in map(_tcp, self.swarm.listen) if place),
            *(("swarm.publisher_listen", place) for place in map(_tcp, self.swarm.publisher_listen) if place),
        ]
        for (name, (host, port)), (other, (other_host, other_port)) in combinations(listeners, 2):
            is_same_host = host == other_host or not {host, other_host}.isdisjoint(_ANY_HOST)
            if name != other and port == other_port != 0 and is_same_host:
                raise ValueError(f"{name} and {other} both listen on port {port}")
        return self

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
        """Check the settings of a TOML table; ``source`` names the table in errors."""
        try:
            # Strict validation of JSON, unlike that of objects, takes strings for enums and lists for tuples.
            return cls.model_validate_json(json.dumps(table, default=str))
        except ValidationError as error:
            raise SettingsError(
                f"{source}: {in_words(error)}.", "Correct that; docs/coordinator.md explains each setting."
            ) from error

    def save(self, path: Path) -> None:
        """Write all settings, each below a comment that explains it."""
        try:
            write_atomically(path, self.to_toml().encode(), mode=0o600)
        except OSError as error:
            raise SettingsError(
                f"{path} cannot be written: {error.strerror or error}.",
                "Choose a folder that exists and that you may write to.",
            ) from error

    def to_toml(self) -> str:
        """Return the text of coordinator.toml; a setting without a value is a comment."""
        return "\n".join(_section(self, None)) + "\n"


def require_invitations(settings: Settings) -> None:
    """Raise SettingsError unless the gate asks for invitations: a link with one would promise too much."""
    if settings.gate.open or settings.gate.admits is not Admits.INVITATION:
        raise SettingsError(
            "The gate of this run does not admit by invitation.",
            'Set admits = "invitation" under [gate] in coordinator.toml and restart `serve`.',
        )


def require_shareable(settings: Settings, backend: str) -> None:
    """Raise SettingsError if the website is to have several processes on a database other than PostgreSQL.

    ``backend`` is SQLAlchemy's name of the database's kind.
    """
    if settings.web.processes > 1 and backend != "postgresql":
        raise SettingsError(
            f"web.processes is {settings.web.processes}, and several processes of the website need PostgreSQL.",
            "Set DATABASE_URL to a PostgreSQL database, or processes = 1 under [web] in coordinator.toml.",
        )


PACKAGES = {"tensorboard": "tensorboard>=2.19,<3", "wandb": "wandb>=0.31,<0.32"}
"""Packages of reports by their names, in the versions that reports are made for."""


def require_reportable(
    settings: Settings, is_installed: Callable[[str], bool] = lambda name: find_spec(name) is not None
) -> None:
    """Raise SettingsError if reports are wanted whose package is not installed.

    Args:
        settings: Settings of the coordinator.
        is_installed: True for the name of a package that is there.
    """
    wanted = {"tensorboard": settings.reports.tensorboard, "wandb": settings.reports.wandb}
    for package, place in wanted.items():
        if place is not None and not is_installed(package):
            raise SettingsError(
                f"{package} is set under [reports], but the package {package} is not installed.",
                f"Install it beside Idlebrush: `{sys.executable} -m pip install '{PACKAGES[package]}'`; or remove "
                f"{package} from coordinator.toml.",
            )


def require_publishable(settings: Settings, training: TrainingRules) -> None:
    """Raise SettingsError if checkpoints are to be published whose model cannot be.

    Args:
        settings: Settings of the coordinator.
        training: Rules of its run.
    """
    if settings.checkpoints.publish_to is not None and (why := training.unpublishable):
        raise SettingsError(
            f"publish_to is set, but this model cannot be published on the Hub: {why}.",
            "Leave out --publish-to, and remove publish_to under [checkpoints] in coordinator.toml if it is there.",
        )


def _tcp(address: str) -> tuple[str, int] | None:
    """Return the host and the TCP port of a multiaddress, or None if it has none."""
    match = re.fullmatch(r"/[a-z0-9]+/([^/]+)/tcp/(\d+)(?:/.*)?", address)
    return (match[1], int(match[2])) if match else None


def _section(part: _SettingsPart, name: str | None) -> Iterator[str]:
    values: dict[str, Any] = part.model_dump(mode="json")
    parts = [field for field in values if isinstance(getattr(part, field), _SettingsPart)]
    if name is not None:
        yield from ("", f"# {part.__class__.__doc__}", f"[{name}]")
    for field in (field for field in values if field not in parts):
        about = type(part).model_fields[field].description or ""
        yield from (f"# {line}" for line in wrap(about, _COLUMNS))
        yield f"# {field} =" if values[field] is None else tomli_w.dumps({field: values[field]}).rstrip()
    for field in parts:
        yield from _section(getattr(part, field), field)
