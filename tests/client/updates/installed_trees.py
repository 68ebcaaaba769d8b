"""Installed trees of any version, made of this very code, and packages of them; some of the versions are broken."""

import os
import shutil
import sys
import tarfile
from pathlib import Path

from client.installed import FILE, Installation, InstallChannel
from client.updates.trees import LINK, InstalledTrees
from tests.client.updates.releases import COMMIT

CODE = Path(__file__).resolve().parents[3]
_LAUNCHER = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
PYTHONPATH="$here/../code"
export PYTHONPATH
exec {python} -P -m client.cli "$@"
"""
_METADATA = "Metadata-Version: 2.1\nName: idlebrush\nVersion: {version}\n"
HANGS = "import time\ntime.sleep(600)\n"
FAILS = "raise ImportError('this version lacks something')\n"


def make_tree(tree: Path, version: str, broken: dict[str, str] | None = None) -> Path:
    """Lay a version out; ``broken`` replaces files of its code.

    The code is linked, not copied: files that a broken version replaces are written anew.
    """
    code = tree / "code"
    for package in ("core", "client"):
        shutil.copytree(CODE / package, code / package, copy_function=_link)
    for package in ("gui", "assets"):
        (code / package).symlink_to(CODE / package)
    for name, text in (broken or {}).items():
        (code / name).unlink()
        (code / name).write_text(text)
    described = code / f"idlebrush-{version}.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(_METADATA.format(version=version))
    launcher = tree / "bin" / "idlebrush"
    launcher.parent.mkdir()
    launcher.write_text(_LAUNCHER.format(python=sys.executable))
    launcher.chmod(0o755)
    (tree / FILE).write_text(f'channel = "tarball"\nversion = "{version}"\ncommit = "{COMMIT}"\n')
    return tree


def install(prefix: Path, version: str) -> Path:
    """Install a version as the tarball's program does, and make it the one in use."""
    tree = make_tree(prefix / version, version)
    (prefix / LINK).symlink_to(version)
    return tree


def pack(tree: Path, archive: Path) -> Path:
    """Make a package of a tree, with a top folder as packages have it."""
    with tarfile.open(archive, "w") as opened:
        for package in ("gui", "assets"):
            (tree / "code" / package).unlink()  # a link out of the tree is refused
        opened.add(tree, f"idlebrush-{tree.name}")
    return archive


def tiny_tree(tree: Path, version: str, says: str | None = None, commit: str = COMMIT) -> Path:
    """Lay out a tree whose program says its version and nothing else."""
    launcher = tree / "bin" / "idlebrush"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(f"#!/bin/sh\n{says or f'echo idlebrush {version}'}\n")
    launcher.chmod(0o755)
    (tree / "code").mkdir()
    (tree / FILE).write_text(f'channel = "tarball"\nversion = "{version}"\ncommit = "{commit}"\n')
    return tree


def tiny_trees(prefix: Path, *versions: str) -> InstalledTrees:
    """Lay out tiny trees, the first of which is in use."""
    for version in versions:
        tiny_tree(prefix / version, version)
    (prefix / LINK).symlink_to(versions[0])
    found = InstalledTrees.of(Installation(InstallChannel.TARBALL, versions[0], COMMIT, prefix / versions[0]))
    assert found is not None
    return found


def _link(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
    return target
