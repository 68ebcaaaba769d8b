"""A short list, signed by the run's gate, of users whose appeal was granted: earlier evidence counts no longer."""

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.admission.access_token import UserName
from core.admission.signed_lists import GateList, read_list, sign_list
from core.signing import SigningKey

KNOWN_SECONDS = 30 * 86_400
"""Seconds for which the swarm keeps a list that is not stored again."""
MOST_PARDONS = 500

_LABEL = b"idlebrush/1/pardons\n"


@dataclass(frozen=True)
class Pardon:
    """The organiser's word that evidence against a user, up to a place in the run, counts no longer."""

    name: str
    """Name of the user."""
    generation: int
    """Generation of the last place that is pardoned."""
    epoch: int
    """Epoch of the last place that is pardoned; what is done after it counts again."""


@dataclass(frozen=True)
class Pardons:
    """All pardons of a run; a list takes the place of those with lower serials."""

    run: str
    """The run's training digest."""
    serial: int
    """A list takes the place of those with lower serials."""
    issued: int
    """Unix time of issue in seconds; rises with the serial."""
    pardons: tuple[Pardon, ...] = ()

    @property
    def expires(self) -> int:
        """Time at which its DHT record ends, in Unix seconds, so that a later list replaces an earlier one."""
        return self.issued + KNOWN_SECONDS

    def pardons_at(self, name: str) -> tuple[int, int] | None:
        """Return generation and epoch of the last place that is pardoned of the user with that ``name``, or None."""
        found = [(item.generation, item.epoch) for item in self.pardons if item.name == name]
        return max(found, default=None)


class _PardonEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: UserName
    generation: Annotated[int, Field(ge=0, lt=10**9)]
    epoch: Annotated[int, Field(ge=0, lt=10**9)]


class _PardonList(GateList):
    pardons: Annotated[tuple[_PardonEntry, ...], Field(max_length=MOST_PARDONS)]


def sign(pardons: Pardons, key: SigningKey) -> bytes:
    """Return the list ``pardons``, signed with the gate's ``key``.

    Raises ValueError if it is malformed, or longer than ``MAX_BYTES`` when signed.
    """
    return sign_list(asdict(pardons), _PardonList, _LABEL, key)


def read(signed: bytes, *, gate: str, run: str) -> Pardons:
    """Return the list in ``signed`` if ``gate`` (public key in hex) signed it for ``run`` (training digest).

    Raises AdmissionError otherwise.
    """
    found = read_list(signed, _PardonList, _LABEL, name="A list of pardons", gate=gate, run=run)
    each = tuple(Pardon(item.name, item.generation, item.epoch) for item in found.pardons)
    return Pardons(found.run, found.serial, found.issued, each)
