"""Builds the relocatable CPython of the packages, and caches it: ``python -m installer.python.recipe``.

It is compiled in a chroot of an old Ubuntu, whose glibc 2.35 every newer distribution replaces. The recipe names each
source and library by digest or version, so that the same recipe makes the same bytes.
"""

import argparse
import hashlib
import os
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Annotated, Self

import tomli_w
from pydantic import BaseModel, ConfigDict, StringConstraints

from core.storage.files import Sha256, sha256_of
from installer.commands import BuildError, run
from installer.python.chroot import Chroot, fetch_source

_HERE = Path(__file__).parent
RECIPE = _HERE / "recipe.toml"
SCRIPT = _HERE / "build.sh"
CACHE = _HERE.parents[1] / "build" / "python"
"""Folder of what was built, which git ignores."""
_HEAD = """\
# What CPython is built from. `python -m installer.python.recipe --renew` brings it in step with the archives.
"""


class SourcePackage(BaseModel):
    """A source package of Debian's: a release of CPython, and corrections since."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: str
    version: str
    first_patch: str
    """The first of Debian's patches to apply: those before it lay CPython out in Debian's way."""
    files: dict[str, Sha256]


class PythonRecipe(BaseModel):
    """Sources and libraries that CPython is built from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: Annotated[str, StringConstraints(pattern=r"^[a-z]+$")]
    """Name of the Ubuntu that it is built in."""
    epoch: int
    """Seconds since 1970 that its files are dated by."""
    source: SourcePackage
    packages: dict[str, str]
    """Versions of the compiler and of the libraries that are linked in."""

    @classmethod
    def load(cls, file: Path = RECIPE) -> Self:
        """Read the recipe."""
        return cls.model_validate(tomllib.loads(file.read_text()))

    def save(self, file: Path = RECIPE) -> None:
        """Write the recipe."""
        file.write_text(_HEAD + tomli_w.dumps(self.model_dump()))

    @property
    def digest(self) -> str:
        """Digest of all that decides on the result."""
        text = self.model_dump_json().encode() + SCRIPT.read_bytes()
        return hashlib.sha256(text).hexdigest()


class PythonBuild:
    """One build."""

    def __init__(self, recipe: PythonRecipe, cache: Path, work: Path, jobs: int = 1) -> None:
        """Prepare to build.

        Args:
            recipe: The recipe.
            cache: Folder of sources and results.
            work: Empty folder, on a disk with 2 GB to spare.
            jobs: Number of compilers at a time.
        """
        self.recipe, self._cache, self._work, self._jobs = recipe, cache, work, jobs
        self._log = cache / "build.log"

    def archive(self) -> Path:
        """Return the archive of the recipe's CPython; it is built unless the cache has it.

        Raises:
            BuildError: It cannot be built.
        """
        archive = self._cache / f"python-{self.recipe.digest[:16]}.tar"
        if not archive.exists():
            self._cache.mkdir(parents=True, exist_ok=True)
            self._log.unlink(missing_ok=True)
            self._build(archive)
        return archive

    def renewed(self, version: str) -> PythonRecipe:
        """Return the recipe with newer sources and the newest packages.

        Args:
            version: Version of the source package; empty: the newest.

        Raises:
            BuildError: They cannot be fetched.
        """
        self._cache.mkdir(parents=True, exist_ok=True)
        fetched = self._work / "source"
        fetched.mkdir()
        name = self.recipe.source.package
        fetch_source(name, version, fetched, self._log)
        files = {file.name: sha256_of(file) for file in sorted(fetched.iterdir())}
        (description,) = fetched.glob("*.dsc")
        for file in fetched.iterdir():
            shutil.copyfile(file, self._cache / file.name)
        system = self._system(dict.fromkeys(self.recipe.packages, ""))
        packages = system.versions(list(self.recipe.packages))
        system.remove()
        found = {"version": description.stem.removeprefix(f"{name}_"), "files": files}
        source = self.recipe.source.model_copy(update=found)
        return self.recipe.model_copy(update={"source": source, "packages": packages})

    def _build(self, archive: Path) -> None:
        if os.geteuid() != 0:
            raise BuildError("CPython is built in a chroot, which needs root.", "Run the build as root.")
        self._fetch()
        system = self._system(self.recipe.packages)
        self._lay_sources(system.root / "build")
        variables = {"SOURCE_DATE_EPOCH": str(self.recipe.epoch), "JOBS": str(self._jobs)}
        system.run(["/build/build.sh"], variables)
        part = archive.with_suffix(".part")
        shutil.copyfile(system.root / "build" / "python.tar", part)
        part.rename(archive)
        system.remove()

    def _system(self, packages: dict[str, str]) -> Chroot:
        system = Chroot.make(self.recipe.suite, self._work / "system", self._log)
        system.install(packages)
        return system

    def _fetch(self) -> None:
        """Download the sources that the cache lacks, and check all."""
        source = self.recipe.source
        if not all((self._cache / name).exists() for name in source.files):
            with tempfile.TemporaryDirectory(dir=self._work) as fetched:
                fetch_source(source.package, source.version, Path(fetched), self._log)
                for file in Path(fetched).iterdir():
                    shutil.copyfile(file, self._cache / file.name)
        for name, digest in source.files.items():
            if sha256_of(self._cache / name) != digest:
                raise BuildError(
                    f"{self._cache / name} does not have the digest that the recipe names.",
                    "Remove it, so that it is downloaded again.",
                )

    def _lay_sources(self, folder: Path) -> None:
        """Lay CPython's release, Debian's corrections and the script into ``folder``."""
        folder.mkdir()
        release, debian = (self._source(ending) for ending in (".orig.tar.gz", ".debian.tar.xz"))
        shutil.copyfile(release, folder / "source.tar")
        run(["tar", "--extract", "--file", debian, "--directory", self._work, "debian/patches"], self._log)
        patches = self._work / "debian" / "patches"
        (folder / "patches").mkdir()
        names = [line.split()[0] for line in (patches / "series").read_text().splitlines() if line.strip()]
        wanted = names[names.index(self.recipe.source.first_patch) :]
        for number, name in enumerate(wanted):
            shutil.copyfile(patches / name, folder / "patches" / f"{number:03}-{name}")
        shutil.copy(SCRIPT, folder / "build.sh")

    def _source(self, ending: str) -> Path:
        return next(self._cache / name for name in self.recipe.source.files if name.endswith(ending))


def built_python(cache: Path = CACHE, jobs: int = 2) -> Path:
    """Return the archive of the committed recipe's CPython, a tar of the folder ``python``.

    Raises:
        BuildError: It is not in the cache, and cannot be built.
    """
    with tempfile.TemporaryDirectory(prefix="idlebrush-python-") as work:
        return PythonBuild(PythonRecipe.load(), cache, Path(work), jobs).archive()


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the relocatable CPython, or show where it is kept.")
    parser.add_argument(
        "--renew",
        nargs="?",
        const="",
        metavar="VERSION",
        help="adopt this version of Debian's source package, or the newest, and Ubuntu's newest libraries",
    )
    parser.add_argument("--cache", type=Path, default=CACHE)
    given = parser.parse_args()
    if given.renew is not None:
        with tempfile.TemporaryDirectory(prefix="idlebrush-python-") as work:
            PythonBuild(PythonRecipe.load(), given.cache, Path(work)).renewed(given.renew).save()
    print(built_python(given.cache))


if __name__ == "__main__":
    main()
