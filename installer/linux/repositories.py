"""Has the .deb and the .rpm bring the repositories of apt and dnf that `linux_repositories.sh` makes.

Both are below one address, and signed with one key. The system's package manager installs newer versions then, as
those of any other package; without them, a user has to download each.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from client.installed import InstallChannel
from client.updates.offers import ADDRESS
from client.updates.system_repository import APT_SOURCE, DNF_SOURCE
from installer.commands import BuildError

_BEGIN = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
_END = "-----END PGP PUBLIC KEY BLOCK-----"
_DNF_KEY = Path("etc/pki/rpm-gpg/RPM-GPG-KEY-idlebrush")
_CONFIGURATION = "config|noreplace"
"""Type of files that stay as the user has changed them."""


@dataclass(frozen=True)
class PackageRepositories:
    """Address of the repositories of package managers, and the key that signs their indexes."""

    address: str
    """URL of the folder that has ``apt`` and ``rpm``."""
    key: str
    """Public key, in OpenPGP's armour."""

    @classmethod
    def of(cls, address: str, key: Path) -> Self:
        """Return the repositories at ``address``, whose public key is in a file.

        Raises:
            BuildError: Package managers could not use them.
        """
        if not ADDRESS.fullmatch(address):
            raise BuildError(
                f"{address} is no address of repositories.", "Give --repositories a URL: https://..."
            )
        try:
            text = key.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            raise _no_key(key, str(error)) from error
        if not (text.startswith(_BEGIN) and text.endswith(_END)):
            raise _no_key(key, "it does not begin and end as one")
        return cls(address.rstrip("/"), text)

    def lay(self, channel: InstallChannel, root: Path) -> list[dict[str, Any]]:
        """Write the files of one package manager below ``root``, and return their entries for nfpm."""
        if channel is InstallChannel.DEB:
            return [_laid(root, APT_SOURCE, self.apt_source(), type=_CONFIGURATION)]
        return [
            _laid(root, DNF_SOURCE, self.dnf_source(), type=_CONFIGURATION),
            _laid(root, _DNF_KEY, f"{self.key}\n"),
        ]

    def apt_source(self) -> str:
        """Return the file for apt, with the key in it: `apt remove` keeps this file, and would not keep another."""
        armour = "\n".join(f" {line or '.'}" for line in self.key.splitlines())
        return (
            "# Newer versions of Idlebrush. To turn this off, write: Enabled: no\n"
            f"Types: deb\nURIs: {self.address}/apt\nSuites: stable\nComponents: main\n"
            f"Architectures: amd64\nSigned-By:\n{armour}\n"
        )

    def dnf_source(self) -> str:
        """Return the file for dnf; the signed index has the digests of the packages, which have no signatures."""
        return (
            f"[idlebrush]\nname=Idlebrush\nbaseurl={self.address}/rpm\nenabled=1\n"
            f"repo_gpgcheck=1\ngpgcheck=0\ngpgkey=file:///{_DNF_KEY}\n"
        )


def _laid(root: Path, place: Path, text: str, **more: str) -> dict[str, Any]:
    file = root / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="ascii")
    return {"src": str(file), "dst": f"/{place}", **more}


def _no_key(file: Path, why: str) -> BuildError:
    return BuildError(
        f"{file} holds no public key: {why}.",
        "Give --repositories-key the idlebrush.asc that linux_repositories.sh has made.",
    )
