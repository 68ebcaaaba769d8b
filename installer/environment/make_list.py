"""Makes the signed list of the trainer's wheels: ``python -m installer.environment.make_list FOLDER``.

It is for Linux on x86-64: by the processor, and by CUDA 13 as the common index has it. Variants for other GPUs are
made where PyTorch's indexes of them are named (`installer.environment.variants`). A remark says what is missing.
"""

import argparse
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import requests

from client.environment.lock_file import (
    Distribution,
    EnvironmentLock,
    Variant,
    VariantNeeds,
    Wheel,
    sign_lock,
)
from core.errors import CoreError
from core.packages_manifest import PackageKind, PackagesManifest
from core.signing import SigningKey
from core.storage.files import sha256_of
from installer.commands import BuildError
from installer.environment.resolve import PYTHON, ResolvedFile, least_glibc, resolve
from installer.environment.variants import VARIANTS, ListedVariant, remark_on, wanted_variants
from installer.environment.wheels import fetch, sizes, wheel_of_source
from installer.wsl.system import SystemRecipe

LIST = "environment.json"
"""Name of the list in the folder that it is made in."""
WHEELS = "wheels"
"""Folder beside it of the wheels that are served with it."""
_IMPORTS = (
    "torch",
    "hivemind",
    "datasets",
    "tokenizers",
    "safetensors",
    "transformers",
    "taming",
    "PIL",
    "uvloop",
)
DAYS = 90
"""Days for which a list is used, unless others are named: a newer one has to be published before."""
_EPOCH = 1_577_836_800
"""Time of the files in wheels that are made here: they do not change while their sources do not."""


class ListMaker:
    """Makes the variants of a list; wheels of sources, and those to be served, are put beside it."""

    def __init__(self, folder: Path, base: str | None, log: Path, session: requests.Session) -> None:
        """Prepare to make a list.

        Args:
            folder: Folder of the list.
            base: Web address of its folder of wheels; None: the index's addresses alone are listed.
            log: File for the output of programs.
            session: Session to read the index's files with.
        """
        self._wheels = folder / WHEELS
        self._base, self._log, self._session = base, log, session

    def variant(self, listed: ListedVariant, files: Sequence[ResolvedFile], download: bool) -> Variant:
        """Return a variant of these files.

        Args:
            listed: Name and needs.
            files: Files as they were resolved.
            download: Put all wheels beside the list.

        Raises:
            BuildError: A file cannot be had.
        """
        self._wheels.mkdir(exist_ok=True)
        wheels = [self._wheel(file, download) for file in files]
        needs = VariantNeeds.model_validate(
            {
                "system": "linux",
                "machine": "x86_64",
                "python": ".".join(map(str, PYTHON)),
                "glibc": least_glibc([wheel.file for wheel in wheels]),
                "gpu": listed.gpu,
                "driver": listed.driver,
                "capability": listed.capability,
                "capability_below": listed.capability_below,
                "targets": listed.targets,
            }
        )
        return Variant(
            name=listed.name, title=listed.title, needs=needs, imports=_IMPORTS, wheels=tuple(wheels)
        )

    def distribution(self, archive: Path) -> Distribution:
        """Return the entry of a distribution that was built, and put its archive beside the list.

        Args:
            archive: File in the folder of a build, whose list tells its version and digest.

        Raises:
            BuildError: The build's list does not name the file, or no web address is given.
        """
        listed = PackagesManifest.load(archive.parent)
        entry = next((each for each in listed.files if each.file == archive.name), None)
        if entry is None or entry.kind is not PackageKind.DISTRIBUTION or sha256_of(archive) != entry.sha256:
            raise BuildError(f"{archive} is no distribution of that build.", "Build it: make packages")
        if self._base is None:
            raise BuildError(f"{archive.name} is served with the list.", "Name the web address by --base.")
        self._wheels.mkdir(exist_ok=True)
        shutil.copyfile(archive, self._wheels / archive.name)
        with tarfile.open(archive) as packed:
            unpacked = sum(member.size for member in packed)
        return Distribution(
            version=listed.version,
            file=archive.name,
            size=entry.size,
            unpacked=unpacked,
            sha256=entry.sha256,
            addresses=(f"{self._base.rstrip('/')}/{quote(archive.name)}",),
            python=".".join(map(str, PYTHON)),
            glibc=SystemRecipe.load().packages["libc6"].partition("-")[0],
        )

    def _wheel(self, file: ResolvedFile, download: bool) -> Wheel:
        if not file.is_wheel:
            file = wheel_of_source(file, self._wheels, self._session, self._log, _EPOCH)
        elif download or file.local is not None:  # what is on no index is served with the list
            fetch(file, self._wheels, self._session)
        size, unpacked = sizes(file, self._session)
        return Wheel(
            package=file.package,
            version=file.version,
            file=file.name,
            size=size,
            unpacked=unpacked,
            sha256=file.sha256,
            addresses=tuple(self._addresses(file)),
        )

    def _addresses(self, file: ResolvedFile) -> Iterable[str]:
        """Yield where the wheel can be had: beside the list if it lies there, or else at the index."""
        if not (self._wheels / file.name).exists():
            yield file.address
        elif self._base is not None:
            yield f"{self._base.rstrip('/')}/{quote(file.name)}"
        else:
            raise BuildError(
                f"{file.name} is served with the list.",
                "Name the web address of the list's wheels by --base.",
            )


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what the ``words`` of the command line ask for, with the variants to make; None: those of this process.

    Raises:
        SystemExit: A word is wrong, or one is missing.
    """
    parser = argparse.ArgumentParser(description="Make the signed list of the trainer's wheels.")
    parser.add_argument("folder", type=Path, help="folder for the list and its wheels")
    parser.add_argument("--key", type=Path, required=True, help="file of the key to sign with")
    parser.add_argument("--serial", type=int, required=True, help="number of the list, above the last one's")
    parser.add_argument("--days", type=_days, default=DAYS, help=f"days until it expires; default: {DAYS}")
    parser.add_argument(
        "--variant",
        action="append",
        choices=VARIANTS,
        help="variant to list; default: all whose packages are at the common index, or at one that is named",
    )
    parser.add_argument(
        "--index",
        action="append",
        default=[],
        type=_index,
        metavar="VARIANT=URL",
        help="index that has PyTorch's build for a variant, besides the common one",
    )
    parser.add_argument("--base", help="web address of the folder of wheels that are served with the list")
    parser.add_argument("--download", action="store_true", help="put all wheels into that folder")
    parser.add_argument(
        "--find-links", action="append", default=[], help="files besides the index's, for cpu"
    )
    parser.add_argument(
        "--distribution", type=Path, help="archive of the distribution for Windows, in a build's folder"
    )
    given = parser.parse_args(words)
    given.index = dict(given.index)
    try:
        given.variants = wanted_variants(given.variant, given.index)
    except ValueError as error:
        parser.error(str(error))
    return given


def main(words: Sequence[str] | None = None) -> None:
    given = options(words)
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        key = SigningKey.load(given.key)
        with tempfile.TemporaryDirectory() as scratch, requests.Session() as session:
            log = Path(scratch) / "list.log"
            maker = ListMaker(given.folder.absolute(), given.base, log, session)
            made = []
            for listed in given.variants:
                links = given.find_links if listed.gpu is None else []
                files = resolve(links, log, index=given.index.get(listed.name))
                made.append(maker.variant(listed, files, given.download))
            linux = (maker.distribution(given.distribution),) if given.distribution else ()
    except CoreError as error:
        sys.exit(f"{error.what}\n{error.remedy}")
    now = datetime.now(UTC)
    lock = EnvironmentLock(
        serial=given.serial,
        issued_at=now,
        expires_at=now + timedelta(days=given.days),
        remark=remark_on([variant.name for variant in made]),
        variants=tuple(made),
        distributions=linux,
    )
    (given.folder / LIST).write_bytes(sign_lock(lock, key))
    for variant in made:
        print(
            f"{variant.name}: {len(variant.wheels)} wheels, {variant.size:,} bytes, unpacked {variant.unpacked:,}"
        )
    print(f"{given.folder / LIST}, signed by {key.public_key}, good until {lock.expires_at.date()}")


def _index(text: str) -> tuple[str, str]:
    """Return the variant and the URL in ``text``; raise ValueError if it has not both."""
    name, _, address = text.partition("=")
    if name not in VARIANTS or not address.startswith(("https://", "http://")):
        raise ValueError
    return name, address


def _days(text: str) -> int:
    """Return the number of days in ``text``; raise ValueError if it is no number from 1 to 3,650."""
    if not 1 <= (days := int(text)) <= 3_650:
        raise ValueError
    return days


if __name__ == "__main__":
    main()
