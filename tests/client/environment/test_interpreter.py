"""The Python of trainers: found where it is, missed where it is not, and based on the Python of a newer version."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from client.api.errors import SetupError, StateError
from client.environment.interpreter import TrainerPython, rebase
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, python_of, record_of, write_record
from client.environment.source import EnvironmentSource, source_of
from client.installed import FILE, Installation, InstallChannel, read_installation

BASE = Path(sys._base_executable)  # type: ignore[attr-defined]
RECORD = EnvironmentRecord(variant="cpu", digest="d", serial=1, why="A test.")
KEY = "ab" * 32


@pytest.fixture
def python(tmp_path: Path) -> TrainerPython:
    return TrainerPython(EnvironmentPlaces(tmp_path / "environment"), is_own=False, code=tmp_path / "code")


def test_without_an_environment_the_remedy_names_the_verb(python: TrainerPython) -> None:
    assert not python.is_there
    with pytest.raises(SetupError, match="not installed yet") as caught:
        python.find()
    assert "idlebrush setup" in caught.value.remedy


def test_the_environment_before_counts_while_the_one_in_use_is_exchanged(python: TrainerPython) -> None:
    python.places.previous.mkdir(parents=True)
    write_record(python.places.previous, RECORD)
    found = python.find()
    assert found is not None
    assert (found.path, found.code) == (python_of(python.places.previous), python.code)


def test_where_the_packages_are_beside_the_app_this_python_is_taken(tmp_path: Path) -> None:
    own = TrainerPython(EnvironmentPlaces(tmp_path), is_own=True)
    assert (own.find(), own.is_there) == (None, True)


def test_an_environment_survives_the_python_that_it_was_made_of(tmp_path: Path) -> None:
    """As after an update, whose tree brings its own Python, and after which the old tree is removed."""
    for version in ("1", "2"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / BASE.name).symlink_to(BASE)
    environment = tmp_path / "environment"
    subprocess.run(
        [tmp_path / "1" / "bin" / BASE.name, "-I", "-m", "venv", "--without-pip", environment], check=True
    )
    shutil.rmtree(tmp_path / "1")
    new = tmp_path / "2" / "bin" / BASE.name
    assert not python_of(environment).exists()
    write_record(environment, RECORD)
    assert record_of(environment) is None, "nothing runs in it"
    assert rebase(environment, new)
    assert record_of(environment) == RECORD
    subprocess.run([python_of(environment), "-I", "-c", "import json"], check=True)
    assert f"home = {new.parent}\n" in (environment / "pyvenv.cfg").read_text()
    before = (environment / "pyvenv.cfg").stat().st_mtime_ns
    assert rebase(environment, new)
    assert (environment / "pyvenv.cfg").stat().st_mtime_ns == before


def test_an_environment_of_another_python_is_left_alone(tmp_path: Path) -> None:
    venv.create(tmp_path, symlinks=True)
    file = tmp_path / "pyvenv.cfg"
    text = file.read_text().replace("version = 3.", "version = 2.")
    file.write_text(text)
    assert not rebase(tmp_path, Path("/elsewhere/python3"))
    assert file.read_text() == text
    assert not rebase(tmp_path / "none", BASE)


# --- the installation, and where its list comes from ---------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree" / "code").mkdir(parents=True)
    return tmp_path / "tree"


def test_an_installation_is_read(tree: Path) -> None:
    (tree / FILE).write_text(
        'channel = "deb"\nversion = "0.2.0"\ncommit = "abc"\nmade_by = "a later version"\n'
    )
    found = read_installation(tree / "code")
    assert found == Installation(InstallChannel.DEB, "0.2.0", "abc", tree)
    assert found.is_of_system


def test_a_clone_is_no_installation(tree: Path) -> None:
    assert read_installation(tree / "code") is None
    (tree / FILE).write_text("")
    (tree / "clone").mkdir()
    assert read_installation(tree / "clone") is None
    assert read_installation() is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("channel =", "cannot be read"),
        ('channel = "attic"\nversion = "1"', "channel"),
        ("\xff", "cannot be read"),
    ],
)
def test_a_damaged_installation_is_told(text: str, words: str, tree: Path) -> None:
    (tree / FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(StateError, match=words) as caught:
        read_installation(tree / "code")
    assert caught.value.remedy == "Install Idlebrush again."


def test_the_file_beside_an_installation_names_the_source(tree: Path) -> None:
    installation = Installation(InstallChannel.TARBALL, "1", "", tree)
    (tree / "environment.toml").write_text(f'address = "https://example.org/list.json"\nkey = "{KEY}"\n')
    assert source_of(installation) == EnvironmentSource(address="https://example.org/list.json", key=KEY)
    (tree / "environment.toml").write_text('address = "file:///etc/passwd"\n')
    with pytest.raises(SetupError, match=r"environment.toml cannot be used: .*key is missing"):
        source_of(installation)


def test_a_build_without_a_source_says_so(tree: Path) -> None:
    for installation in (None, Installation(InstallChannel.TARBALL, "1", "", tree)):
        with pytest.raises(SetupError, match="does not say where the packages for training come from"):
            source_of(installation)
