"""Keeps the computers that this one is paired with: those that may control it, and those that it may control."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from client import state_file
from client.api.errors import RemoteError, StateError
from client.remote.pairing import Base64Text, b64, to_b64
from client.remote.tls import fingerprint
from core.fingerprint import same_fingerprint

MOST_COMPUTERS = 12
"""Largest number of computers on each side, whose snapshots fit one answer of the control channel."""


class PairedComputer(BaseModel):
    """A computer that may control this one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=100)]
    certificate: Base64Text
    """Certificate in DER by which it is known."""
    added: AwareDatetime

    @property
    def der(self) -> bytes:
        """Certificate of the computer, in DER."""
        return b64(self.certificate)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of its certificate."""
        return fingerprint(self.der)


class ControlledComputer(PairedComputer):
    """A computer that this one may control."""

    address: Annotated[str, Field(min_length=1, max_length=260)]
    """Host and port at which it listens."""


class PairedFile(BaseModel):
    """The file of all of them, kept by `client.state_file`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    controllers: Annotated[tuple[PairedComputer, ...], Field(max_length=MOST_COMPUTERS)] = ()
    computers: Annotated[tuple[ControlledComputer, ...], Field(max_length=MOST_COMPUTERS)] = ()


C = TypeVar("C", bound=PairedComputer)


class PairedComputers:
    """All paired computers; changes are saved at once, or do not happen."""

    def __init__(self, folder: Path) -> None:
        """Load what is kept in ``folder``; a file that cannot be used is set aside, which `problem` then tells."""
        self._file = folder / "computers.json"
        self._kept, self.problem = state_file.load(self._file, PairedFile, PairedFile())

    @property
    def controllers(self) -> tuple[PairedComputer, ...]:
        """Computers that may control this one."""
        return self._kept.controllers

    @property
    def computers(self) -> tuple[ControlledComputer, ...]:
        """Computers that this one may control."""
        return self._kept.computers

    def controller_with(self, certificate: bytes) -> PairedComputer | None:
        """Return the computer that may control this one by that ``certificate`` (DER); None if none may."""
        return next((known for known in self.controllers if known.der == certificate), None)

    def add_controller(self, name: str, certificate: bytes, now: datetime) -> PairedComputer:
        """Let a computer control this one.

        Args:
            name: Name that it gave itself; a number makes it unique.
            certificate: Its certificate in DER.
            now: Time of the pairing.

        Raises:
            RemoteError: There are too many.
            StateError: It cannot be saved.
        """
        others = _without(self.controllers, certificate)
        added = PairedComputer(name=_unique(name, others), certificate=to_b64(certificate), added=now)
        self._save(self._kept.model_copy(update={"controllers": (*_room(others), added)}))
        return added

    def add_computer(self, name: str, address: str, certificate: bytes, now: datetime) -> ControlledComputer:
        """Keep a computer that this one may control from now on.

        Args:
            name: Name to show it by; a number makes it unique.
            address: Host and port at which it listens.
            certificate: Its certificate in DER.
            now: Time of the pairing.

        Raises:
            RemoteError: There are too many.
            StateError: It cannot be saved.
        """
        others = _without(self.computers, certificate)
        added = ControlledComputer(
            name=_unique(name, others), address=address, certificate=to_b64(certificate), added=now
        )
        self._save(self._kept.model_copy(update={"computers": (*_room(others), added)}))
        return added

    def remove_controller(self, name: str) -> PairedComputer:
        """Remove the computer of that name or fingerprint; RemoteError if there is none."""
        gone = named(self.controllers, name)
        left = tuple(known for known in self.controllers if known is not gone)
        self._save(self._kept.model_copy(update={"controllers": left}))
        return gone

    def remove_computer(self, name: str) -> ControlledComputer:
        """Forget the computer of that name or fingerprint; RemoteError if there is none."""
        gone = named(self.computers, name)
        left = tuple(known for known in self.computers if known is not gone)
        self._save(self._kept.model_copy(update={"computers": left}))
        return gone

    def _save(self, kept: PairedFile) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StateError(
                f"The folder {self._file.parent} cannot be made: {error.strerror or error}.",
                "Check that the disk has space and that you may write there.",
            ) from error
        state_file.save(self._file, kept)
        self._kept = kept


def named(known: tuple[C, ...], name: str) -> C:
    """Return the one of the ``known`` computers with that name or fingerprint; RemoteError if there is none."""
    by_name = [item for item in known if item.name.casefold() == name.strip().casefold()]
    found = by_name or [item for item in known if same_fingerprint(name, item.fingerprint)]
    if not found:
        raise RemoteError(
            "There is no paired computer of that name.", "`idlebrush remote list` shows all of them."
        )
    return found[0]


def _without(known: tuple[C, ...], certificate: bytes) -> tuple[C, ...]:
    return tuple(item for item in known if item.der != certificate)


def _room(others: tuple[C, ...]) -> tuple[C, ...]:
    if len(others) >= MOST_COMPUTERS:
        raise RemoteError(
            f"{MOST_COMPUTERS} computers are paired already.", "Remove one with `idlebrush remote remove`."
        )
    return others


def _unique(name: str, others: tuple[C, ...]) -> str:
    taken = {item.name.casefold() for item in others}
    numbered = (name, *(f"{name} {number}" for number in range(2, MOST_COMPUTERS + 2)))
    return next(candidate for candidate in numbered if candidate.casefold() not in taken)
