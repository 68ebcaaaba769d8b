"""Offers the trainer's packages at the trial's server: a folder of wheels, and a list of them that it signs."""

import sys
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from client.environment.lock_file import EnvironmentLock, Variant, VariantNeeds, Wheel, sign_lock
from core.signing import SigningKey
from core.storage.files import sha256_of
from tests.installed.systems import TrialError

LIST = "environment.json"
_IMPORTS = ("torch", "hivemind", "tokenizers", "safetensors", "pyarrow", "pydantic")


@dataclass(frozen=True)
class PackageOffer:
    """A folder to serve, and what an installation has to know of it."""

    folder: Path
    source: str
    """Content of ``environment.toml``."""

    @property
    def server(self) -> tuple[str, ...]:
        """Command of a web server of the folder; the port is to be added."""
        return (sys.executable, "-m", "http.server", "--directory", str(self.folder))


def offer(wheels: Path, base: str) -> PackageOffer:
    """Sign a list of all ``wheels`` below the address ``base``; TrialError if there are none."""
    found = sorted(wheels.glob("*.whl"))
    if not found:
        raise TrialError(f"There are no wheels in {wheels}.", "Name the folder with the trainer's wheels.")
    variant = Variant(
        name="cpu",
        title="the processor",
        needs=VariantNeeds(system="linux", machine="x86_64", python="3.11"),
        imports=_IMPORTS,
        wheels=tuple(_listed(wheel, base) for wheel in found),
    )
    key = SigningKey.generate()
    lock = EnvironmentLock(serial=1, issued_at=datetime.now(UTC), variants=(variant,))
    (wheels / LIST).write_bytes(sign_lock(lock, key))
    return PackageOffer(wheels, f'address = "{base}{LIST}"\nkey = "{key.public_key}"\n')


def _listed(wheel: Path, base: str) -> Wheel:
    with zipfile.ZipFile(wheel) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    package, version, _ = wheel.name.split("-", 2)
    return Wheel(
        package=package,
        version=version,
        file=wheel.name,
        size=wheel.stat().st_size,
        unpacked=unpacked,
        sha256=sha256_of(wheel),
        addresses=(base + quote(wheel.name),),
    )
