"""Fetches the app's typefaces, whole and as static files, from npm; their licence lies beside them.

python -m assets.fonts.fetch
"""

import hashlib
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Family:
    """A package of the npm registry, pinned to its content."""

    package: str
    sha256: str
    """Digest of the archive that npm packs."""
    prefix: str
    weights: tuple[str, ...]
    """Folder names in the package."""


FAMILIES = (
    Family(
        package="@expo-google-fonts/bricolage-grotesque@0.4.1",
        sha256="7615c33517f80a1e9a11c33bc962b009792a9b22de49ea47aedd982055525ee6",
        prefix="BricolageGrotesque",
        weights=("600SemiBold", "700Bold"),
    ),
    Family(
        package="@expo-google-fonts/instrument-sans@0.4.2",
        sha256="ceb7331a4f1f88a495bceb46427df7b27971ba2fbbb4612c588b01531ef2b727",
        prefix="InstrumentSans",
        weights=("400Regular", "500Medium", "600SemiBold"),
    ),
)


def fetch(family: Family, folder: Path) -> None:
    """Put its weights and its licence into the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["npm", "pack", "--silent", family.package], cwd=scratch, check=True)
        (archive,) = Path(scratch).glob("*.tgz")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != family.sha256:
            raise SystemExit(f"{family.package} is not what it was when it was pinned.")
        with tarfile.open(archive) as packed:
            for weight in family.weights:
                name = f"{family.prefix}_{weight}.ttf"
                (folder / name).write_bytes(_read(packed, f"package/{weight}/{name}"))
            (folder / f"{family.prefix}-OFL.txt").write_bytes(_read(packed, "package/LICENSE_FONT"))


def _read(packed: tarfile.TarFile, name: str) -> bytes:
    member = packed.extractfile(name)
    if member is None:
        raise SystemExit(f"{name} is not a file.")
    return member.read()


def main() -> None:
    """Fetch all."""
    for family in FAMILIES:
        fetch(family, HERE)


if __name__ == "__main__":
    main()
