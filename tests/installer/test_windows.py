"""What the Windows installer is built from is checked, and does not depend on where it is built."""

import hashlib
import re
import shutil
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.packages_manifest import PackageKind
from installer.commands import BuildError
from installer.icons import write_ico
from installer.left_out import QT_KEPT_ON_WINDOWS, is_kept
from installer.release import Release
from installer.windows import build
from installer.windows.tree import ICON, WindowsPython, files_of

_SCRIPTS = Path(build.__file__).parent
_LANGUAGES = ("ENGLISH", "GERMAN", "SPANISH", "FRENCH", "RUSSIAN", "SIMPCHINESE")


def archive_of(folder: Path, *names: str) -> WindowsPython:
    place = folder / "python.zip"
    with zipfile.ZipFile(place, "w") as packed:
        for name in names:
            packed.writestr(name, "")
    return WindowsPython(place, hashlib.sha256(place.read_bytes()).hexdigest())


def test_python_is_unpacked(tmp_path: Path) -> None:
    archive_of(tmp_path, "python.exe", "python311._pth").unpack(tmp_path / "python")
    assert (tmp_path / "python/python.exe").exists()


def test_a_python_with_another_digest_is_refused(tmp_path: Path) -> None:
    python = WindowsPython(archive_of(tmp_path, "python311._pth").archive, "0" * 64)
    with pytest.raises(BuildError, match="should have 0000"):
        python.unpack(tmp_path / "python")
    assert not (tmp_path / "python").exists()


def test_another_version_of_python_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="not the embeddable package"):
        archive_of(tmp_path, "python.exe", "python312._pth").unpack(tmp_path / "python")
    with pytest.raises(BuildError, match="cannot be read"):
        WindowsPython(tmp_path / "nowhere.zip", "0" * 64).unpack(tmp_path / "python")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PySide6/QtCore.pyd", True),
        ("PySide6/Qt6Core.dll", True),
        ("PySide6/msvcp140_1.dll", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/translations/qtbase_de.qm", True),
        ("PySide6/QtQuick.pyd", False),
        ("PySide6/Qt6Qml.dll", False),
        ("PySide6/opengl32sw.dll", False),
        ("PySide6/designer.exe", False),
        ("PySide6/qml/QtQuick/plugin.dll", False),
        ("rich/console.py", True),
        ("rich/py.typed", False),
        ("psutil/tests/test_all.py", False),
        ("idna-3.20.dist-info/METADATA", True),
    ],
)
def test_what_the_app_uses_is_kept_and_nothing_else(name: str, kept: bool) -> None:
    assert is_kept(name, QT_KEPT_ON_WINDOWS) is kept


def test_the_list_of_files_has_an_order_of_its_own(tmp_path: Path) -> None:
    for name in ("b/2", "b/1", "a$x/1", "c", "b/d/3"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert [str(path.relative_to(tmp_path)) for path in files_of(tmp_path)] == sorted(
        ["b/2", "b/1", "a$x/1", "c", "b/d/3"]
    )
    assert build.file_list(tmp_path).splitlines()[:2] == [
        'SetOutPath "$INSTDIR\\next\\a$$x"',
        'File "tree/a$$x/1"',
    ]


class StandInTools(build.CompilerTools):
    """Writes what the compilers would; the installer has the commands that unpack the tree."""

    def run(self, command: Sequence[str], folder: Path, log: Path, release: Release) -> None:
        if command[0] == "makensis":
            shutil.copyfile(folder / "files.nsh", folder / "idlebrush-installer.exe")
        else:
            (folder / command[-1]).write_text(command[0])


def test_the_installer_comes_with_a_list_of_what_it_installs(tmp_path: Path) -> None:
    stage, out = tmp_path / "stage", tmp_path / "out"
    release = Release(Path("/nowhere"), "0.1.0", "ab" * 20, 1_700_000_000)
    making = build.InstallerBuild(stage, release, tmp_path / "log", StandInTools())
    for name in ("python/python.exe", "code/core/a.py", ICON):
        (making.tree.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (making.tree.folder / name).write_text(name)
    out.mkdir()
    made = making.package(out)
    assert (made.file, made.kind) == ("idlebrush-0.1.0-windows-x86_64.exe", PackageKind.INSTALLER)
    lines = [line.split() for line in (out / "contents-windows-x86_64.txt").read_text().splitlines()]
    installed = re.findall(r'^File "tree/(.*)"$', (out / made.file).read_text(), re.MULTILINE)
    assert [name for _, _, name in lines] == sorted(installed)
    assert {"bin/idlebrush.exe", "bin/idlebrush-app.exe", "code/core/a.py"} < set(installed)
    digest = hashlib.sha256(b"code/core/a.py").hexdigest()
    assert [digest, "14", "code/core/a.py"] in lines


def test_the_icon_has_all_sizes(tmp_path: Path) -> None:
    write_ico(tmp_path / "it.ico")
    data = (tmp_path / "it.ico").read_bytes()
    kind, number = struct.unpack("<HH", data[2:6])
    assert (kind, number) == (1, 7)
    for place in range(6, 6 + 16 * number, 16):
        length, start = struct.unpack("<II", data[place + 8 : place + 16])
        (width,) = struct.unpack(">I", data[start + 16 : start + 20])
        assert data[start : start + 4] == b"\x89PNG"
        assert width % 256 == data[place]
        assert start + length <= len(data)


def test_each_sentence_is_there_in_each_language() -> None:
    words = (_SCRIPTS / "words.nsh").read_text(encoding="utf-8")
    said = {
        language: re.findall(rf"LangString (\w+) \${{LANG_{language}}} ", words) for language in _LANGUAGES
    }
    assert all(names == said["ENGLISH"] for names in said.values())
    used = set(re.findall(r"\$\(([A-Z_]+)\)", (_SCRIPTS / "setup.nsi").read_text(encoding="utf-8")))
    assert used == set(said["ENGLISH"])
