"""The distribution for WSL2: what is left of its time and place, its user, its names, and equal bytes each time."""

import configparser
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from client.environment.interpreter import IN_DISTRIBUTION
from client.hosts.wsl.command import WslCommand
from installer.archive import write_system
from installer.environment.resolve import LEFT_OUT as WITHOUT_APP
from installer.locks.light import lock_of, pinned, without
from installer.wsl import build, system
from installer.wsl.build import AGENT, ENVIRONMENT
from installer.wsl.system import LEFT_OUT, USER, SystemRecipe, clean

EPOCH = 1_700_000_000
HERE = Path(build.__file__).parent


def test_the_recipe_names_a_version_of_each_package_that_matters() -> None:
    packages = SystemRecipe.load().packages
    assert set(system.ADDED) <= packages.keys()
    assert set(LEFT_OUT) <= packages.keys(), "it is no package of the system any more"
    assert {"bash", "libc6", "libstdc++6", "mount"} <= packages.keys() - set(LEFT_OUT)


def test_the_light_packages_are_those_of_linux_without_the_app() -> None:
    text = lock_of("linux").read_text()
    kept = without(text, WITHOUT_APP)
    assert pinned(kept) == {
        name: version for name, version in pinned(text).items() if name not in WITHOUT_APP
    }
    assert {"pip", "pydantic"} <= pinned(kept).keys()
    assert kept.count("--hash=") < text.count("--hash=")
    assert all("--hash=sha256:" in line for line in kept.splitlines())


def test_the_client_and_the_distribution_agree_on_names() -> None:
    assert WslCommand().agent == (f"/{AGENT}",)
    assert str(IN_DISTRIBUTION.parent) == f"/{ENVIRONMENT}"
    configuration = configparser.ConfigParser()
    configuration.read(HERE / "wsl.conf")
    assert configuration["user"]["default"] == USER
    assert not configuration["interop"].getboolean("enabled")
    assert not configuration["interop"].getboolean("appendWindowsPath")
    assert not configuration["boot"].getboolean("systemd")
    assert configuration["automount"]["root"] == "/mnt/", "where paths of Windows are looked for"


def test_what_tells_of_the_time_and_the_place_is_removed(tmp_path: Path) -> None:
    gone = ("etc/hostname", "etc/machine-id", "etc/passwd-", "etc/resolv.conf", "var/log/dpkg.log", "tmp/a/b")
    kept = ("etc/passwd", "usr/share/doc/bash/copyright", "usr/lib/os-release", "var/lib/dpkg/status")
    for name in (*gone, *kept, "usr/share/doc/bash/changelog.gz", "usr/share/locale/de/LC_MESSAGES/bash.mo"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "var/log/lastlog").symlink_to("elsewhere")
    clean(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(kept)
    assert not (tmp_path / "var/log/lastlog").is_symlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="files get owners")
def test_the_user_is_added_without_a_date(tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    etc.mkdir()
    for name, line in (
        ("passwd", "root:x:0:0:root:/root:/bin/bash"),
        ("group", "root:x:0:"),
        ("shadow", "root:*:20784:0:99999:7:::"),
        ("gshadow", "root:*::"),
    ):
        (etc / name).write_text(f"{line}\n")
    (tmp_path / "home").mkdir()
    system.add_user(tmp_path)
    assert (etc / "passwd").read_text().splitlines()[1].startswith(f"{USER}:x:1000:1000:")
    assert (etc / "shadow").read_text().splitlines()[0] == "root:*:0:0:99999:7:::"
    home = (tmp_path / "home" / USER).stat()
    assert (home.st_uid, home.st_gid, home.st_mode & 0o777) == (1000, 1000, 0o700)


def test_the_same_system_makes_the_same_bytes_with_modes_and_links(tmp_path: Path) -> None:
    made = []
    for name in ("one", "other"):
        root = tmp_path / name
        (root / "tmp").mkdir(parents=True)
        (root / "tmp").chmod(0o1777)
        for file in ("b", "a") if name == "one" else ("a", "b"):
            (root / file).write_text(file)
        (root / "a").chmod(0o640)
        (root / "link").symlink_to("a")
        shutil.copystat(tmp_path, root)
        archive = tmp_path / f"{name}.tar.gz"
        write_system(root, archive, EPOCH, tmp_path / "log")
        made.append(archive.read_bytes())
    assert made[0] == made[1]
    with tarfile.open(tmp_path / "one.tar.gz") as packed:
        modes = {member.name: member.mode for member in packed}
        assert all(member.mtime == EPOCH for member in packed)
    assert (modes["./tmp"], modes["./a"]) == (0o1777, 0o640)
