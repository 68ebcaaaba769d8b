"""`./install` and `./uninstall` of the tarball, run for one user with a tree whose Python is this one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from client.installed import InstallChannel
from installer.linux.packages import lay_installer
from installer.release import Release
from installer.tree import LAUNCHER, Tree

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "installer" / "linux"
_PYTHON = """#!/bin/sh
PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}{root}" exec {python} "$@"
"""
"""Stands in for the interpreter of a tree: this one, which finds the code in this clone."""
_AS_USER = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
"""Makes this process's user look like one without root, as which alone the scripts install."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.posix


def _can_be_a_user() -> bool:
    if os.getuid() != 0:
        return True
    return subprocess.run([*_AS_USER, "true"], capture_output=True, check=False).returncode == 0


needs_user = pytest.mark.skipif(
    not _can_be_a_user(), reason="needs another user than root, or a namespace of users"
)


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """What the tarball unpacks to, in a small size."""
    folder = tmp_path / "idlebrush 0.1.0"
    tree = folder / "tree"
    for program, text in (
        ("python/bin/python3", _PYTHON.format(root=ROOT, python=sys.executable)),
        ("bin/idlebrush", LAUNCHER.read_text()),
    ):
        (tree / program).parent.mkdir(parents=True)
        (tree / program).write_text(text)
        (tree / program).chmod(0o755)
    release = Release(ROOT, "0.1.0", "ab" * 20, 0)
    Tree(tree, release, tmp_path / "log").name_channel(InstallChannel.TARBALL)
    lay_installer(tree / "share" / "idlebrush-installer")
    for name in ("install", "uninstall"):
        shutil.copy(SCRIPTS / f"{name}.sh", folder / name)
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home of ü"
    home.mkdir()
    return home


@pytest.fixture
def run(home: Path) -> Run:
    """Run a script as a user who has only a home."""
    variables = {"HOME": str(home), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(home / "run")}

    def run(*command: str | Path, check: bool = True) -> "subprocess.CompletedProcess[str]":
        words = [*(_AS_USER if os.getuid() == 0 else ()), *map(str, command)]
        done = subprocess.run(
            words, env=variables, stdin=subprocess.DEVNULL, check=False, capture_output=True, text=True
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def sleeper() -> Path:
    found = shutil.which("sleep")
    assert found is not None
    return Path(found).resolve()


def _drawn(home: Path) -> Path:
    """Make a picture among the user's data, and return its file."""
    picture = home / ".local" / "share" / "idlebrush" / "gallery" / "picture.png"
    picture.parent.mkdir(parents=True)
    picture.write_text("")
    return picture


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@needs_user
def test_it_installs_for_one_user_and_leaves_nothing(unpacked: Path, home: Path, run: Run) -> None:
    (home / ".local" / "share").mkdir(parents=True)
    before = _files(home)
    told = run(unpacked / "install").stdout
    program = home / ".local" / "bin" / "idlebrush"
    app = home / ".local" / "share" / "idlebrush-app"
    assert str(program) in told
    assert str(app / "uninstall") in told
    assert program.resolve() == app / "0.1.0" / "bin" / "idlebrush"
    assert run(program, "--version").stdout == "idlebrush 0.1.0\n"
    entry = home / ".local" / "share" / "applications" / "idlebrush.desktop"
    assert f'Exec="{program}" open %u' in entry.read_text()
    picture = _drawn(home)
    run(app / "uninstall", "--keep")
    assert picture.exists(), "the data is not kept"
    shutil.rmtree(home / ".local" / "share" / "idlebrush")
    left = _files(home) - before
    # What update-mime-database and update-desktop-database make, where there are any, is not of ours alone.
    assert {name for name in left if "idlebrush" in name} == set()
    assert not (home / ".local" / "bin").exists()


@needs_user
def test_a_later_version_takes_the_place_of_an_earlier_one(unpacked: Path, home: Path, run: Run) -> None:
    app = home / "apps" / "share" / "idlebrush-app"
    run(unpacked / "install", "--prefix", home / "apps")
    description = unpacked / "tree" / "installation.toml"
    description.write_text(description.read_text().replace("0.1.0", "0.2.0"))
    run(unpacked / "install", f"--prefix={home / 'apps'}")
    run(unpacked / "install", f"--prefix={home / 'apps'}")
    assert (app / "current").readlink() == Path("0.2.0")
    assert {path.name for path in app.iterdir()} == {"0.1.0", "0.2.0", "current", "files.txt", "uninstall"}
    picture = _drawn(home)
    run(unpacked / "uninstall", "--prefix", home / "apps", "--purge")
    assert not picture.exists(), "the data is not purged"
    assert not (home / "apps").exists() or not any("idlebrush" in name for name in _files(home / "apps"))


@needs_user
@pytest.mark.parametrize(
    ("to_install", "to_remove"),
    [
        # The link stays in their place: its path is resolved as well, and so is the list's in the next test.
        pytest.param("apps/", "apps/", marks=pytest.mark.exhaustive),
        pytest.param("x/../apps", "x/../apps", marks=pytest.mark.exhaustive),
        ("link", "apps"),
    ],
)
def test_the_prefix_may_be_spelled_in_any_way(
    unpacked: Path, home: Path, run: Run, to_install: str, to_remove: str
) -> None:
    (home / "apps").mkdir()
    (home / "x").mkdir()
    (home / "link").symlink_to("apps")
    run(unpacked / "install", "--prefix", f"{home}/{to_install}")
    assert f"{home}/apps/share/" in (home / "apps/share/idlebrush-app/files.txt").read_text()
    run(home / to_remove / "share" / "idlebrush-app" / "uninstall", "--keep")
    assert not any("idlebrush" in name for name in _files(home / "apps"))
    assert (home / "x").exists()


@needs_user
def test_a_list_with_another_spelling_is_removed_all_the_same(unpacked: Path, home: Path, run: Run) -> None:
    """As an earlier version has written it; folders above the prefix are not touched."""
    prefix = home / "empty" / "apps"
    run(unpacked / "install", "--prefix", prefix)
    listed = prefix / "share" / "idlebrush-app" / "files.txt"
    listed.write_text(listed.read_text().replace("/empty/apps/", "/empty/../empty/apps//"))
    run(unpacked / "uninstall", "--prefix", f"{prefix}/", "--keep")
    assert prefix.parent.exists()
    assert not prefix.exists() or not any("idlebrush" in name for name in _files(prefix))


@needs_user
def test_a_program_that_runs_is_ended_behind_a_link_to_the_prefix(
    unpacked: Path, home: Path, run: Run, sleeper: Path
) -> None:
    (home / "apps").mkdir()
    (home / "link").symlink_to("apps")
    run(unpacked / "install", "--prefix", home / "link")
    program = home / "apps" / "share" / "idlebrush-app" / "current" / "app"
    shutil.copy(sleeper, program)
    program.chmod(0o755)
    ends_by_signal = '"$0" 120 & "$@" && { wait $!; test $? -gt 128; }'
    run("sh", "-c", ends_by_signal, program, unpacked / "uninstall", "--prefix", home / "link", "--keep")


@needs_user
def test_an_installation_that_fails_leaves_the_one_before(unpacked: Path, home: Path, run: Run) -> None:
    run(unpacked / "install")
    app = home / ".local" / "share" / "idlebrush-app"
    before = _files(app)
    listed = (app / "files.txt").read_bytes()
    programs = home / "failing"
    programs.mkdir()
    mover = programs / "mv"
    mover.write_text('#!/bin/sh\ncase $1 in */incoming-*[0-9]) exit 1 ;; esac\nexec /bin/mv "$@"\n')
    mover.chmod(0o755)
    search = f"PATH={programs}:{os.environ['PATH']}"
    assert run("env", search, unpacked / "install", check=False).returncode != 0
    assert _files(app) == before, "there is no moment without a tree"
    layout = unpacked / "tree" / "share" / "idlebrush-installer" / "installer" / "linux" / "layout.py"
    layout.write_text("raise SystemExit(1)")
    assert run(unpacked / "install", check=False).returncode != 0
    assert (app / "files.txt").read_bytes() == listed
    assert not (app / "files.txt.new").exists()


@needs_user
@pytest.mark.parametrize(
    ("make", "words", "what"),
    [
        (lambda unpacked, home: None, ["--prefix"], "Name a folder after --prefix"),
        (
            lambda unpacked, home: (unpacked / "tree" / "installation.toml").unlink(),
            [],
            "Unpack the archive again",
        ),
        (
            lambda unpacked, home: (unpacked / "tree" / "python" / "bin" / "python3").write_text("x"),
            [],
            "glibc 2.35",
        ),
        (lambda unpacked, home: _block(home), [], "is in the way"),
        (lambda unpacked, home: _block(home, link=True), [], "is in the way"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_installed(
    unpacked: Path, home: Path, run: Run, make: Callable[[Path, Path], None], words: list[str], what: str
) -> None:
    make(unpacked, home)
    done = run(unpacked / "install", *words, check=False)
    assert done.returncode == 1
    assert what in done.stderr
    assert not (home / ".local" / "share" / "idlebrush-app" / "current").exists()


def test_root_is_sent_to_the_packages(unpacked: Path, home: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root")
    done = subprocess.run(
        [unpacked / "install"],
        env={**os.environ, "HOME": str(home)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "install the .deb or .rpm package" in done.stderr
    assert list(home.iterdir()) == []


@needs_user
def test_what_is_not_installed_is_not_uninstalled(unpacked: Path, run: Run) -> None:
    done = run(unpacked / "uninstall", check=False)
    assert done.returncode == 1
    assert "is not installed in" in done.stderr


@pytest.mark.parametrize(
    "script", [*sorted(SCRIPTS.glob("*.sh")), LAUNCHER, SCRIPTS.parent / "python" / "build.sh"]
)
def test_the_scripts_are_sound(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", "--shell=sh", script], check=True)


def _block(home: Path, link: bool = False) -> None:
    program = home / ".local" / "bin" / "idlebrush"
    program.parent.mkdir(parents=True)
    if link:
        program.symlink_to("/opt/other/bin/idlebrush")
    else:
        program.write_text("of another program")
