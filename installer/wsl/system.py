"""Makes the system of WSL2's distribution, a small Ubuntu; ``python -m installer.wsl.system`` renews its recipe.

The recipe names the version of each package. The same versions make the same files: what an installation leaves of
its time and its place is removed, and so are packages that only install others, documentation and languages.
"""

import shutil
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Self

import tomli_w
from pydantic import BaseModel, ConfigDict, StringConstraints

from core.errors import CoreError
from installer.commands import BuildError, output_of
from installer.python.chroot import Chroot

RECIPE = Path(__file__).with_name("recipe.toml")
_HEAD = """\
# What the distribution's system is made of. `python -m installer.wsl.system` brings it in step with Ubuntu's archive.
"""
_LIKE = "jammy"
"""Ubuntu that is installed in the same way, and that Debian's debootstrap knows."""
ADDED = ("ca-certificates",)
"""Packages beside the smallest system: some of the trainer's libraries check certificates by those of the system."""
LEFT_OUT: Mapping[str, str] = {
    "apt": "installs packages; a newer system comes as a whole",
    "libapt-pkg6.0t64": "apt",
    "gpgv": "apt",
    "ubuntu-keyring": "apt",
    "debconf": "asks questions while packages are installed",
    "perl-base": "programs that configure packages",
    "e2fsprogs": "makes file systems; WSL does that itself",
    "logsave": "e2fsprogs",
    "libext2fs2t64": "e2fsprogs",
    "libss2": "e2fsprogs",
    "libgnutls30t64": "apt",
    "libp11-kit0": "libgnutls30t64",
    "libffi8": "libp11-kit0",
    "libtasn1-6": "libgnutls30t64",
    "libidn2-0": "libgnutls30t64",
    "libunistring5": "libidn2-0",
    "libhogweed6t64": "libgnutls30t64",
    "libnettle8t64": "libgnutls30t64",
    "libgmp10": "libhogweed6t64",
}
"""Packages that are removed at the end, with the reason."""
REMOVED = (
    "boot",
    "dev/*",
    "media",
    "proc/*",
    "run/*",
    "srv",
    "sys/*",
    "tmp/*",
    "etc/*-",
    "etc/apt",
    "etc/hostname",
    "etc/machine-id",
    "etc/resolv.conf",
    "usr/lib/apt",
    "usr/share/bash-completion",
    "usr/share/doc/*/*[!t]",  # all but the files named copyright
    "usr/share/info",
    "usr/share/lintian",
    "usr/share/locale/*",
    "usr/share/man",
    "var/backups",
    "var/cache/*",
    "var/lib/apt",
    "var/lib/dpkg/*-old",
    "var/lib/dpkg/lock*",
    "var/log/*",
)
"""Files that nothing in the distribution needs, that WSL makes itself, or that tell when and where they were made."""
USER, USER_ID = "idlebrush", 1000
"""Name and number of the user who runs everything; the group has the same."""
_ACCOUNTS = {
    "passwd": f"{USER}:x:{USER_ID}:{USER_ID}::/home/{USER}:/bin/sh",
    "group": f"{USER}:x:{USER_ID}:",
    "shadow": f"{USER}:!:0:0:99999:7:::",
    "gshadow": f"{USER}:!::",
}
"""Lines of the user in the files of accounts; no user signs in by a password."""


class SystemRecipe(BaseModel):
    """Versions of all packages of the system."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: Annotated[str, StringConstraints(pattern=r"^[a-z]+$")]
    """Name of the Ubuntu."""
    packages: dict[str, str]

    @classmethod
    def load(cls, file: Path = RECIPE) -> Self:
        """Read the recipe."""
        return cls.model_validate(tomllib.loads(file.read_text()))

    def save(self, file: Path = RECIPE) -> None:
        """Write the recipe."""
        file.write_text(_HEAD + tomli_w.dumps(self.model_dump()))


def make_system(recipe: SystemRecipe, root: Path, log: Path) -> None:
    """Make the system in the folder ``root``, which is not there yet; its files have owners, so this needs root.

    Args:
        recipe: Versions of its packages.
        root: Folder to make it in.
        log: File for the output of programs.

    Raises:
        BuildError: Ubuntu's archive has other versions, or a program fails.
    """
    system = Chroot.make(recipe.suite, root, log, _LIKE)
    system.install(recipe.packages)
    found = _versions(system)
    if differing := sorted(set(found.items()) ^ set(recipe.packages.items())):
        raise BuildError(
            f"The system has other packages than its recipe: {', '.join(dict(differing))}.",
            "Adopt them, and commit the recipe: python -m installer.wsl.system",
        )
    left_out = [name for name in LEFT_OUT if name in found]
    system.run(["dpkg", "--force-depends", "--force-remove-essential", "--purge", *left_out])
    add_user(root)
    clean(root)


def add_user(root: Path) -> None:
    """Add the user to the system in ``root``; no account tells the day on which it was made."""
    for name, line in _ACCOUNTS.items():
        file = root / "etc" / name
        lines = [_undated(each) if name == "shadow" else each for each in file.read_text().splitlines()]
        file.write_text("\n".join([*lines, line]) + "\n")
    home = root / "home" / USER
    home.mkdir(mode=0o700)
    shutil.chown(home, USER_ID, USER_ID)


def clean(root: Path) -> None:
    """Remove what `REMOVED` names below ``root``."""
    for pattern in REMOVED:
        for path in root.glob(pattern):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def renewed(recipe: SystemRecipe, work: Path, log: Path) -> SystemRecipe:
    """Return the recipe with the newest packages of its Ubuntu.

    Args:
        recipe: The recipe so far.
        work: Empty folder.
        log: File for the output of programs.

    Raises:
        BuildError: They cannot be installed.
    """
    system = Chroot.make(recipe.suite, work / "system", log, _LIKE)
    system.install(dict.fromkeys((*_versions(system), *ADDED), ""))
    return recipe.model_copy(update={"packages": _versions(system)})


def _undated(account: str) -> str:
    """Return a line of the file of passwords without the day of the last change."""
    fields: Sequence[str] = account.split(":")
    return ":".join((*fields[:2], "0", *fields[3:]))


def _versions(system: Chroot) -> dict[str, str]:
    """Return the versions of all packages in a system, in the order of their names."""
    names = output_of(["chroot", system.root, "dpkg-query", "--show", "--showformat=${Package}\\n"]).split()
    return dict(sorted(system.versions(names).items()))


def main() -> None:
    """Renew the recipe."""
    with tempfile.TemporaryDirectory(prefix="idlebrush-system-") as work:
        try:
            renewed(SystemRecipe.load(), Path(work), Path(work) / "log").save()
        except CoreError as error:
            raise SystemExit(f"{error.what}\n{error.remedy}") from error
    print(RECIPE)


if __name__ == "__main__":
    main()
