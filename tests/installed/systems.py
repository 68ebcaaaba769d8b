"""Systems that packages are tried on: bare installations of Debian and Ubuntu, made once each and then only read.

A system holds what its distribution needs to start and install packages, and what every desktop has for menus and
links. Libraries that the app needs are left to the package, which has to name them.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from core.errors import CoreError
from core.storage.files import write_atomically

USER, USER_ID = "vera", 1000
"""The person whose computer it is."""
_INCLUDED = ("ca-certificates", "desktop-file-utils", "man-db", "shared-mime-info", "xdg-utils")
"""Packages that every desktop computer has, whichever desktop it is."""
_NO_SERVICES = "#!/bin/sh\nexit 101\n"
_SECONDS = 1200.0
_OWN_KEYS = Path("/usr/share/keyrings")


class TrialError(CoreError):
    """A package cannot be tried here, or a step of the trial failed."""


@dataclass(frozen=True)
class TrialSystem:
    """A release of a distribution."""

    name: str
    """Short name, such as debian-12."""
    title: str
    suite: str
    """Code name by which debootstrap knows it."""
    components: tuple[str, ...] = ("main",)
    keys: str = "debian-archive-keyring.gpg"
    """File of the keys that sign it."""
    like: str = ""
    """Code name of an earlier one that is installed in the same way, where debootstrap may not know this one."""

    @property
    def digest(self) -> str:
        """Digest of all that the system is made of, but for the versions of its packages."""
        recipe = repr((asdict(self), _INCLUDED, USER, USER_ID, _NO_SERVICES))
        return hashlib.sha256(recipe.encode()).hexdigest()[:12]


_UBUNTU = (("main", "universe"), "ubuntu-archive-keyring.gpg")
"""Components and keys of Ubuntu's releases."""
SYSTEMS = {
    system.name: system
    for system in (
        TrialSystem("debian-12", "Debian 12", "bookworm"),
        TrialSystem("debian-13", "Debian 13", "trixie"),
        TrialSystem("ubuntu-22.04", "Ubuntu 22.04", "jammy", *_UBUNTU),
        TrialSystem("ubuntu-24.04", "Ubuntu 24.04", "noble", *_UBUNTU, like="jammy"),
    )
}


def made(system: TrialSystem, cache: Path, log: Path) -> Path:
    """Return the folder of ``system`` below ``cache``, made now unless this recipe made it before.

    Args:
        system: What to install.
        cache: Folder of all systems; one of an earlier recipe is removed.
        log: File that the output is appended to.

    Raises:
        TrialError: The system cannot be installed.
    """
    folder, done = cache / f"{system.name}-{system.digest}", cache / f"{system.name}-{system.digest}.made"
    if done.exists() and folder.exists():
        return folder
    for old in cache.glob(f"{system.name}-*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    cache.mkdir(parents=True, exist_ok=True)
    _install(system, folder, log)
    _settle_in(folder, log)
    write_atomically(done, f"{system.title}\n".encode())
    return folder


def _install(system: TrialSystem, folder: Path, log: Path) -> None:
    keys = _OWN_KEYS / system.keys
    # Debian has no package of Ubuntu's keys. Nothing of a system is shipped: at worst a trial is misled.
    check = f"--keyring={keys}" if keys.exists() else "--no-check-gpg"
    command = (
        *("debootstrap", "--variant=minbase", check),
        *(f"--components={','.join(system.components)}", f"--include={','.join(_INCLUDED)}"),
        *(system.suite, str(folder), "", system.like or system.suite),  # from its usual mirror
    )
    logged(command, log)


def _settle_in(folder: Path, log: Path) -> None:
    """Give the system its user, the network's names, and no services."""
    shutil.copyfile("/etc/resolv.conf", folder / "etc/resolv.conf")
    policy = folder / "usr/sbin/policy-rc.d"
    policy.write_text(_NO_SERVICES)
    policy.chmod(0o755)
    logged(("chroot", str(folder), "useradd", "--create-home", f"--uid={USER_ID}", USER), log)
    logged(("chroot", str(folder), "apt-get", "clean"), log)


def logged(command: Iterable[str], log: Path, seconds: float = _SECONDS) -> None:
    """Run a command whose output is appended to ``log``; raise TrialError if it fails or takes over ``seconds``."""
    given = tuple(command)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    with log.open("a") as output:
        try:
            done = subprocess.run(
                given,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=seconds,
                env=environment,
            )
        except subprocess.TimeoutExpired as error:
            raise TrialError(f"{given[0]} did not end within {seconds:.0f} s.", f"Read {log}.") from error
        except OSError as error:
            raise TrialError(
                f"{given[0]} cannot be started: {error.strerror}.", "Install it, and try again."
            ) from error
    if done.returncode:
        raise TrialError(f"{' '.join(given)} failed with exit status {done.returncode}.", f"Read {log}.")
