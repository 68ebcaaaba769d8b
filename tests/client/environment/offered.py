"""A list of packages on a loopback server, signed, in which a stand-in trainer runs; its light packages are real."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from client.environment.lock_file import EnvironmentLock, Variant, Wheel, sign_lock
from client.environment.source import EnvironmentSource
from core.signing import SigningKey
from tests.client.environment.packages import lock_of, make_variant, make_wheel, served_at
from tests.client.run_server import RunServer, serving

LIST = "packages.json"
_OF_MESSAGES = ("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection")
"""Packages without which no child of ours reads its first message."""


def wheel_of_installed(folder: Path, package: str) -> Wheel:
    """Pack what is installed here as a wheel; only its own files count, without what Python has compiled."""
    found = distribution(package)
    files = {
        str(file): file.read_binary()
        for file in found.files or ()
        if not str(file).startswith("..") and ".dist-info" not in str(file) and file.suffix != ".pyc"
    }
    return make_wheel(folder, package, found.version, files)


@dataclass(frozen=True)
class OfferedPackages:
    """The server, its list, and the key that has signed it."""

    server: RunServer
    variant: Variant
    key: SigningKey

    @property
    def source(self) -> EnvironmentSource:
        return EnvironmentSource(address=self.server.address(LIST), key=self.key.public_key)

    @property
    def torch(self) -> str:
        """Path of the large wheel on the server."""
        return self.variant.wheels[0].file.replace("+", "%2B")

    def offer(self, lock: EnvironmentLock, key: SigningKey | None = None) -> None:
        """Put another list on the server, or one that is signed by another key."""
        (self.server.folder / LIST).write_bytes(sign_lock(lock, key or self.key))


@contextmanager
def offered_packages(folder: Path, *, runs_trainers: bool = False) -> Iterator[OfferedPackages]:
    """Serve the list; ``runs_trainers``: with the packages that a stand-in trainer needs."""
    folder.mkdir()
    variant = make_variant(folder)
    if runs_trainers:
        beside = tuple(wheel_of_installed(folder, package) for package in _OF_MESSAGES)
        variant = variant.model_copy(update={"wheels": (*variant.wheels, *beside)})
    with serving(folder) as server:
        offered = OfferedPackages(server, served_at(variant, server.address("")), SigningKey.generate())
        offered.offer(lock_of(offered.variant))
        yield offered
