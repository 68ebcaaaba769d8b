"""Makes the distribution in which trainers live on Windows: a small Ubuntu, and Linux's tree without the app.

An agent and the set-up of the trainer's environment run by that tree's interpreter, light packages and code. The
environment itself is made in it on the volunteer's computer, from the same signed list as on Linux.
"""

import shutil
from pathlib import Path

from client.installed import InstallChannel
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine
from installer.archive import write_listing, write_system
from installer.commands import BuildError, require_programs
from installer.environment.resolve import LEFT_OUT
from installer.locks.light import lock_of, without
from installer.python.recipe import built_python
from installer.release import BuildJob
from installer.tree import Tree, settle
from installer.wsl.system import USER_ID, SystemRecipe, make_system

_HERE = Path(__file__).parent
PLACE = "opt/idlebrush"
"""Folder of the tree in the distribution."""
AGENT = f"{PLACE}/agent"
ENVIRONMENT = "var/lib/idlebrush"
"""Folder of the trainer's environment, which belongs to the user."""
CODE = ("core", "client")
"""Packages of ours in it: there is no app."""


def build_distribution(job: BuildJob) -> list[BuiltPackage]:
    """Make the archive of the distribution, list what is in it, and return its entry.

    Raises:
        BuildError: A program is missing or fails, or Ubuntu's archive has other packages than the recipe.
    """
    require_programs(git="git", tar="tar", gzip="gzip")
    root = job.work / "system"
    make_system(SystemRecipe.load(), root, job.log)
    lay_tree(root, job)
    write_listing(root, job.output / "contents-wsl-x86_64.txt")
    file = job.output / f"idlebrush-{job.release.version}-wsl-x86_64.tar.gz"
    write_system(root, file, job.release.epoch, job.log)
    # The stand-in for wsl.exe unpacks it as a chroot, and that is not WSL.
    return [BuiltPackage.of(file, PackageKind.DISTRIBUTION, PackageMachine.X86_64, tried=False)]


def lay_tree(root: Path, job: BuildJob) -> None:
    """Lay the tree and its configuration into the system in ``root``.

    Raises:
        BuildError: A part cannot be had.
    """
    tree = Tree(root / PLACE, job.release, job.log)
    tree.folder.mkdir(parents=True)
    tree.lay_python(built_python())
    lock = job.work / "light.txt"
    lock.write_text(without(lock_of("linux").read_text(encoding="utf-8"), LEFT_OUT), encoding="utf-8")
    tree.install_packages(lock)
    tree.lay_code(CODE)
    tree.compile()
    tree.name_channel(InstallChannel.WSL)
    for source, place in (("agent.sh", AGENT), ("wsl.conf", "etc/wsl.conf")):
        shutil.copyfile(_HERE / source, root / place)
    (root / AGENT).chmod(0o755)
    settle(tree.folder, job.release.epoch)
    folder = root / ENVIRONMENT
    folder.mkdir(mode=0o700)
    shutil.chown(folder, USER_ID, USER_ID)
    if not (root / AGENT).stat().st_uid == 0:
        raise BuildError("The tree does not belong to root.", "Run the build as root.")
