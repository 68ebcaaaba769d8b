"""The desktop files of Linux are valid for the tools that read them, and in step with the program."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from configparser import RawConfigParser
from pathlib import Path

import pytest

from core.run.join_link import RUN_FILE_SUFFIX, RUN_FILE_TYPE, SCHEME, JoinLink
from installer.linux.desktop import DESKTOP_ID, app_entry
from installer.linux.layout import lay_out
from installer.linux.man_page import PAGE, man_page
from tests.waiting import wait_until

HERE = PAGE.parent
_APP = Path(__file__).parents[2] / "gui" / "app.py"
AWKWARD = ["/opt/idle brush/bin/idlebrush", "/opt/100%/idlebrush", '/opt/$HOME `x` \\ "y"/idlebrush']


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    lay_out(tmp_path)
    return tmp_path


def values(entry: Path) -> dict[str, str]:
    parser = RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(entry.read_text())
    return dict(parser["Desktop Entry"])


@pytest.mark.parametrize("program", ["idlebrush", *AWKWARD])
def test_the_entry_is_valid_and_hands_over_what_was_clicked(tmp_path: Path, program: str) -> None:
    entry = tmp_path / DESKTOP_ID
    entry.write_text(app_entry(program))
    subprocess.run(["desktop-file-validate", entry], check=True)
    assert values(entry)["Exec"].endswith(" open %u")
    assert values(entry)["MimeType"] == f"x-scheme-handler/{SCHEME};{RUN_FILE_TYPE};"


def test_the_desktop_starts_the_program_of_an_installation_elsewhere(tmp_path: Path) -> None:
    program, written = tmp_path / "a b" / "idlebrush", tmp_path / "written"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > "{written}.part"\nmv "{written}.part" "{written}"\n'
    )
    program.chmod(0o755)
    (tmp_path / DESKTOP_ID).write_text(app_entry(str(program)))
    link = "idlebrush:join?run=https%3A%2F%2Fexample.org&key=abcd"
    subprocess.run(["gio", "launch", tmp_path / DESKTOP_ID, link], check=True)
    wait_until(written.exists, "it was not started")
    verb, handed = written.read_text().splitlines()
    assert (verb, JoinLink.parse(handed)) == ("open", JoinLink.parse(link))


def test_it_has_the_name_that_the_app_gives_to_its_windows() -> None:
    """By which a desktop shows the icon of the entry for them."""
    assert f'setDesktopFileName("{DESKTOP_ID.removesuffix(".desktop")}")' in _APP.read_text()


def test_the_description_for_software_centres_is_valid() -> None:
    # The project owns no domain that a reverse name could begin with.
    override = "--override=cid-desktopapp-is-not-rdns=info"
    file = HERE / "idlebrush.metainfo.xml"
    subprocess.run(["appstreamcli", "validate", "--no-net", override, file], check=True)
    root = ET.parse(file).getroot()
    assert root.findtext("id") == root.findtext("launchable") == DESKTOP_ID
    assert {each.text for each in root.iter("mediatype")} == {RUN_FILE_TYPE, f"x-scheme-handler/{SCHEME}"}


def test_a_file_of_a_run_is_known_by_its_name(prefix: Path) -> None:
    subprocess.run(["update-mime-database", prefix / "share" / "mime"], check=True)
    file = prefix / f"emoji{RUN_FILE_SUFFIX}"
    file.write_text("format = 1\n")
    environment = {**os.environ, "XDG_DATA_HOME": str(prefix / "share")}
    command = ["gio", "info", "--attributes=standard::content-type", str(file)]
    shown = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert f"standard::content-type: {RUN_FILE_TYPE}" in shown


def test_the_manual_page_is_made_of_the_help_and_is_valid() -> None:
    assert PAGE.read_text() == man_page(), "run `python -m installer.linux.man_page`"
    command = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(PAGE)]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    if shutil.which("mandoc"):
        subprocess.run(["mandoc", "-Tlint", "-Werror", str(PAGE)], check=True)


def test_a_prefix_has_everything_readable_by_all(prefix: Path) -> None:
    laid = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    sizes = (16, 24, 32, 48, 64, 128, 256, 512)
    assert laid == {
        f"share/applications/{DESKTOP_ID}",
        "share/mime/packages/idlebrush.xml",
        "share/metainfo/idlebrush.metainfo.xml",
        "share/man/man1/idlebrush.1",
        "share/systemd/user/idlebrush.service",
        "share/icons/hicolor/scalable/apps/idlebrush.svg",
        *(f"share/icons/hicolor/{size}x{size}/apps/idlebrush.png" for size in sizes),
    }
    assert {(prefix / name).stat().st_mode & 0o444 for name in laid} == {0o444}
    assert sorted(lay_out(prefix)) == sorted(prefix / name for name in laid), "twice is as once"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_unit_is_valid_and_starts_the_program_that_was_named(tmp_path: Path) -> None:
    program = tmp_path / "a b $x %y" / "idlebrush"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    lay_out(tmp_path, str(program))
    unit = tmp_path / "share" / "systemd" / "user" / "idlebrush.service"
    command = ["systemd-analyze", "--user", "--man=no", "verify", str(unit)]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stderr == ""


def test_the_files_are_listed_for_who_removes_them_again(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "installer.linux.layout", str(tmp_path), "--program", "/opt/x/idlebrush"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE.parents[1])
    listed = {Path(line) for line in done.stdout.splitlines()}
    assert listed == {path for path in tmp_path.rglob("*") if path.is_file()}
    assert values(tmp_path / "share" / "applications" / DESKTOP_ID)["TryExec"] == "/opt/x/idlebrush"
